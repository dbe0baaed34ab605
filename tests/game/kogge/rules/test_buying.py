"""Phase 3B c: pairs of route markers."""

from __future__ import annotations

from bot.game.kogge.events import PairBought
from tests.game.kogge.positions import hand, play, refused, table, told, words


def test_one_good_of_any_kind_buys_one_pair_of_choice() -> None:
    """Difference 39."""
    state = table(hands=("os",), display=("87", "55", "40", "21"))
    events = play(state, 0, "buy 3 salt")
    assert hand(state, 0) == "o40"
    assert state.display == ["87", "55", "", "21"]
    assert told(events, PairBought) == [PairBought(seat=0, pieces="40", good="salt")]


def test_later_players_find_fewer_pairs() -> None:
    state = table(hands=("o",), display=("", "87", "40", ""))
    assert words(state, 0, "buy") == ("2", "3")
    for pair in (1, 4):
        refusal = refused(state, 0, f"buy {pair} ore")
        assert (refusal.code, refusal.facts) == ("pair_sold", {"count": pair})
    assert refused(state, 0, "buy 0 ore").code == "not_a_choice"
    assert refused(state, 0, "buy 5 ore").code == "not_a_choice"
    assert refused(state, 0, "buy 2 fur").code == "not_a_choice"
    assert refused(table(hands=("o",), display=("", "")), 0, "buy 1 ore").code == "pairs_gone"


def test_a_pair_is_paid_with_a_good_and_no_marker() -> None:
    assert refused(table(hands=("5",), display=("87",)), 0, "buy 1 ore").code == "nothing_to_pay"
