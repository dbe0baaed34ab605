"""Advanced rule C: conflicts."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bot.game.contract import SPECTATOR
from bot.game.kogge import GAME
from bot.game.kogge.conflicts import (
    ConflictBids,
    ConflictDeclined,
    ConflictTied,
    ConflictWon,
    Demanded,
)
from bot.game.kogge.partners import OfferLapsed
from bot.game.kogge.raid import PushImpossible
from bot.game.kogge.setup import rules_of
from bot.game.kogge.state import Challenge, Conflict, KoggeState
from tests.game.kogge.places import LUBECK, REVAL, RIGA, STRALSUND
from tests.game.kogge.positions import (
    asked,
    check_refused,
    hand,
    kinds,
    play,
    refused,
    run,
    table,
    told,
    words,
)

CONFLICTS = {"conflicts": "on"}


def meeting(
    hands: Sequence[str] = ("oo84", "fa55"),
    *,
    ships: Sequence[int] = (STRALSUND,) * 4,
    order: Sequence[int] | None = None,
    routes: tuple[str, str] = ("3", "7"),
    raids: dict[int, Sequence[int]] | None = None,
) -> KoggeState:
    """The first seat in order of play has acted where other ships lie as well."""
    state = table(
        seats=len(hands),
        ships=ships,
        hands=hands,
        order=order,
        routes={STRALSUND: routes},
        raids=raids,
        options=CONFLICTS,
    )
    play(state, state.order[0], "end")
    return state


def test_hands_are_secret_where_conflicts_are_played() -> None:
    """Difference 30: the option outranks open goods. Without it no conflict follows."""
    assert rules_of({**CONFLICTS, "goods": "open"}).hidden
    assert GAME.view(meeting(), 0).seats[1].goods is None
    state = table(ships=(STRALSUND, STRALSUND), hands=("oo84", "fa55"))
    play(state, 0, "end")
    assert asked(state) == [(1, "move")]


def test_the_example_blue_and_yellow_in_stralsund() -> None:
    """Blue arrives with seven goods and trades one for two amber; yellow has four goods."""
    blue, yellow = 0, 1
    state = table(
        ships=(STRALSUND, STRALSUND),
        hands=("fffffff84", "ooff55"),
        city={STRALSUND: "aa"},
        routes={STRALSUND: ("3", "7")},
        options=CONFLICTS,
    )
    run(state, "0 trade f aa", "0 end")
    assert asked(state) == [(blue, "challenge")]
    play(state, blue, "pass")
    assert asked(state) == [(yellow, "challenge")]
    play(state, yellow, "challenge 0")
    assert asked(state) == [(yellow, "conflict"), (blue, "conflict")]
    events = run(state, "0 bid 84", "1 bid 55")
    assert told(events, ConflictWon) == [ConflictWon(seat=yellow, other=blue)]
    assert asked(state) == [(yellow, "demand")]
    events = play(state, yellow, "demand oaa")
    assert told(events, Demanded) == [Demanded(seat=1, other=0, pieces="oaa", take="aa")]
    # Both keep the markers of the other.
    assert hand(state, blue) == "ffffff55"
    assert hand(state, yellow) == "ooffaa84"
    assert words(state, yellow, "push") == ("left", "right")
    play(state, yellow, "push right")
    assert state.players[blue].city == LUBECK
    assert asked(state) == [(yellow, "move")]


def test_first_the_active_player_is_asked_then_the_others_there_in_order_of_play() -> None:
    """Rulings 24 and 51. A ship alone in its city ends its turn."""
    assert asked(meeting(ships=(STRALSUND, RIGA))) == [(1, "move")]
    ships = (STRALSUND, STRALSUND, RIGA, STRALSUND)
    state = meeting(("o1", "f2", "a3", "s4"), ships=ships, order=(3, 2, 1, 0))
    order = []
    while isinstance(state.frames[-1], Challenge):
        seat = asked(state)[0][0]
        order.append(seat)
        events = play(state, seat, "pass")
        assert told(events, ConflictDeclined) == [ConflictDeclined(seat=seat)]
    assert order == [3, 1, 0]
    assert asked(state) == [(2, "move")]


def test_any_ship_there_may_be_challenged_and_no_other() -> None:
    state = meeting(("o1", "f2", "a3", "s4"), ships=(STRALSUND, STRALSUND, STRALSUND, RIGA))
    play(state, 0, "pass")
    assert words(state, 1, "challenge") == ("0", "2")
    check_refused(state, "not_a_choice", "1 challenge 3", "1 challenge 1")
    play(state, 1, "challenge 2")
    assert asked(state) == [(1, "conflict"), (2, "conflict")]


def test_there_is_one_conflict_a_turn_and_none_follows_a_raid() -> None:
    """Ruling 50."""
    state = meeting(("o1", "f2", "a3"))
    run(state, "0 challenge 1", "0 bid 1", "1 bid 2", "1 demand ooo", "1 pass")
    assert asked(state) == [(1, "move")]
    ships, routes = (STRALSUND, STRALSUND), {STRALSUND: ("3", "7")}
    state = table(ships=ships, hands=("oo84", "fa55"), routes=routes, options=CONFLICTS)
    run(state, "0 raid_city", "1 push left")
    assert asked(state) == [(1, "move")]


def test_a_bid_is_sealed_and_may_be_changed_until_the_other_is_made() -> None:
    state = meeting()
    play(state, 0, "challenge 1")
    ids = {decision.id for decision in GAME.pending(state)}
    events = play(state, 0, "bid 4")
    assert [(event.kind, event.only) for event in events] == [("conflict_bid", (0,))]
    assert [GAME.view(state, observer).sealed for observer in (0, 1, SPECTATOR)] == [
        "4",
        None,
        None,
    ]
    assert asked(state) == [(1, "conflict")]
    assert {decision.id for decision in GAME.pending(state)} == ids
    run(state, "0 bid 84", "1 bid 5")
    assert hand(state, 1) == "fa854"


def test_at_least_one_marker_is_bid_by_who_holds_any() -> None:
    """Ruling 42; a side without markers bids nothing and loses to any bid."""
    state = meeting(("oo", "fa0"))
    play(state, 0, "challenge 1")
    check_refused(state, "too_few", "1 bid -")
    check_refused(state, "not_in_stock", "1 bid 5")
    assert words(state, 0, "bid") == ("",)
    events = run(state, "0 bid -", "1 bid 0")
    assert told(events, ConflictWon) == [ConflictWon(seat=1, other=0)]
    assert hand(state, 0) == "oo0"


def test_equal_bids_change_hands_and_nobody_wins() -> None:
    """Ruling 52; two empty hands tie as well."""
    state = meeting(("oo842", "fa841"))
    events = run(state, "0 challenge 1", "0 bid 84", "1 bid 84")
    assert told(events, ConflictTied) == [ConflictTied(seat=0, other=1)]
    assert asked(state) == [(1, "move")]
    assert told(events, ConflictBids) == [ConflictBids(seat=0, other=1, give="84", take="84")]
    state = meeting(("oo", "fa", "s"), ships=(STRALSUND, STRALSUND, RIGA))
    events = run(state, "0 challenge 1", "1 bid -", "0 bid -")
    assert told(events, ConflictTied) == [ConflictTied(seat=0, other=1)]


def test_a_pair_beats_any_mix_and_three_alike_beat_a_pair() -> None:
    for first, second, winner in (("87", "00", 1), ("111", "88", 0), ("87", "86", 0)):
        state = meeting((first, second))
        events = run(state, "0 challenge 1", f"0 bid {first}", f"1 bid {second}")
        assert told(events, ConflictWon)[0].seat == winner, (first, second)


def test_up_to_three_goods_are_demanded_whatever_the_loser_has() -> None:
    """Ruling 64: also fewer than three."""
    state = meeting(("84", "55o"))
    run(state, "0 challenge 1", "0 bid 4", "1 bid 5")
    assert refused(state, 1, "demand oooo").code == "not_in_stock"
    assert told(play(state, 1, "demand fas"), Demanded)[0].take == ""
    assert hand(state, 1) == "o54"
    for demanded in ("-", "o", "of", "fas"):
        state = meeting(("84", "55of"))
        run(state, "0 challenge 1", "0 bid 84", "1 bid 5")
        events = play(state, 0, f"demand {demanded}")
        assert told(events, Demanded)[0].pieces == demanded.strip("-")
        assert refused(state, 0, "demand o").code == "not_now"


def test_only_who_won_is_public() -> None:
    state = meeting(("oo84", "fa55", "s1"))
    events = run(state, "0 challenge 1", "0 bid 84", "1 bid 55", "1 demand ooo")
    heard = [event.kind for event in events if event.heard_by(2)]
    assert heard == ["challenged", "conflict_won", "demanded_secretly"]


LOST = ("0 challenge 1", "0 bid 4", "1 bid 5", "1 demand ooo")


def test_the_loser_need_not_be_moved_but_a_robber_must() -> None:
    """Ruling 53."""
    state = meeting()
    run(state, *LOST)
    assert kinds(state, 1) == ("push", "pass")
    assert GAME.view(state, 1).may_pass
    play(state, 1, "pass")
    assert state.players[0].city == STRALSUND
    assert asked(state) == [(1, "move")]
    state = table(ships=(STRALSUND, REVAL), routes={STRALSUND: ("3", "7")}, options=CONFLICTS)
    play(state, 0, "raid_city")
    assert kinds(state, 1) == ("push",)
    assert refused(state, 1, "pass").code == "must_push"


def test_a_loser_never_comes_to_a_city_with_his_own_raid() -> None:
    """Ruling 53: as a forced move; and where no way is open, the ship stays."""
    state = meeting(routes=("3", "4"), raids={REVAL: (0,)})
    run(state, *LOST)
    assert words(state, 1, "push") == ("right",)
    state = meeting(routes=("3", "3"), raids={REVAL: (0,)})
    events = run(state, *LOST)
    assert told(events, PushImpossible) == [PushImpossible(other=0, city=STRALSUND)]
    assert asked(state) == [(1, "move")]


def test_before_a_conflict_players_may_still_deal_but_not_in_it() -> None:
    """Ruling 48."""
    state = meeting()
    run(state, "1 offer 0 f o", "0 accept 1")
    assert asked(state) == [(0, "challenge")]
    play(state, 0, "challenge 1")
    assert refused(state, 1, "offer 0 a o").code == "deals_closed"


def test_offers_of_both_sides_fall_by_the_bids_whatever_they_were() -> None:
    """Otherwise its receiver would learn which marker was bid (ruling 61)."""
    state = meeting(("oo84", "fa55", "s1"))
    run(state, "0 offer 2 8 s", "1 offer 2 f s", "2 offer 1 s f", "0 challenge 1", "0 bid 4")
    events = play(state, 1, "bid 5")
    assert told(events, OfferLapsed) == [OfferLapsed(seat=0, other=2), OfferLapsed(seat=1, other=2)]
    assert [offer.seat for offer in state.offers] == [2]


def test_a_bid_for_the_order_of_play_is_not_refused_by_the_rules_of_conflicts() -> None:
    state = table(ships=(STRALSUND, RIGA), hands=("oo84", "fa55"))
    refusal = refused(state, 1, "bid 5")
    assert (refusal.code, refusal.topic) == ("not_your_turn", "auction")
    assert GAME.moves["bid"].topic == "auction"
    assert GAME.moves["reroute"].topic == "reroute"
    state = meeting(("oo84", "fa55", "s1"))
    play(state, 0, "challenge 1")
    assert refused(state, 2, "bid 1").topic == "conflicts"


def test_sealed_bids_vary_for_all_but_their_bidder() -> None:
    state = meeting(("oo84", "fa5566", "s1"))
    state.frames = [Conflict((0, 1), ["84", "55"])]
    for observer, sure in ((0, {0}), (1, {1}), (2, set[int]()), (SPECTATOR, set[int]())):
        twins = [GAME.resample(state, observer, Random(seed)) for seed in range(40)]
        for place in (0, 1):
            bids = {twin.frames[-1].bids[place] for twin in twins}  # type: ignore[union-attr]
            assert (len(bids) == 1) == (place in sure)
