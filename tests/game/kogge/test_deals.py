"""Trading among players: offers, answers, and when they fall."""

from __future__ import annotations

from typing import Any

from bot.game.kogge import GAME
from bot.game.kogge.offers import Accepted, Withdrawn
from bot.game.kogge.partners import OfferLapsed
from bot.game.kogge.state import Founding, KoggeState
from tests.game.kogge.places import HIDDEN, LUBECK, REVAL
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

TOGETHER = (REVAL, REVAL, REVAL, LUBECK)


def two(first: str, second: str, **position: Any) -> KoggeState:
    """Two ships in one city, with these hands."""
    return table(ships=TOGETHER, hands=(first, second), **position)


def three(*hands: str, **position: Any) -> KoggeState:
    """Three ships in one city."""
    return table(seats=3, ships=TOGETHER, hands=hands, **position)


def answers(state: KoggeState) -> list[tuple[str, int]]:
    """The questions that open offers ask."""
    return [(d.id, d.seat) for d in GAME.pending(state) if d.kind == "answer" and d.optional]


def test_goods_and_markers_change_hands_on_any_terms() -> None:
    state = two("oof5", "s8")
    play(state, 0, "offer 1 o5 s8")
    assert answers(state) == [("o1", 1)]
    events = play(state, 1, "accept 1")
    assert (hand(state, 0), hand(state, 1)) == ("ofs8", "o5")
    assert Accepted(seat=0, other=1, give="o5", take="s8") in told(events, Accepted)
    assert answers(state) == []


def test_something_may_be_given_or_asked_for_nothing_but_not_nothing_for_nothing() -> None:
    """Payment for doing or leaving something, as the text has it."""
    for line, hands in (("offer 1 o -", ("", "os")), ("offer 1 - s", ("os", ""))):
        state = two("o", "s")
        run(state, f"0 {line}", "1 accept 1")
        assert (hand(state, 0), hand(state, 1)) == hands
    assert refused(two("o", "s"), 0, "offer 1 - -").code == "offer_empty"


def test_one_offers_what_one_has_and_asks_for_what_the_other_has() -> None:
    state = two("o5", "s")
    check_refused(state, "cannot_give", "0 offer 1 oo s")
    check_refused(state, "cannot_take", "0 offer 1 o ss")
    check_refused(state, "not_a_choice", "0 offer 1 5o s", "0 offer 1 o x")


def test_with_hidden_goods_one_may_ask_for_anything() -> None:
    state = two("o", "", options=HIDDEN)
    play(state, 0, "offer 1 o ssss8888")
    assert refused(state, 1, "accept 1").code == "cannot_give"
    play(state, 1, "decline 1")
    assert answers(state) == []


def test_deals_are_made_at_any_time() -> None:
    """Also by those whose turn it is not."""
    for phase in ("bid", "advance", "move", "act"):
        state = three("5", "o6", "s7", asked=phase)
        before = asked(state)
        run(state, "1 offer 2 o s", "2 accept 1")
        assert asked(state) == before, phase
        assert hand(state, 1) == "s6"


def test_deals_need_two_ships_in_one_city() -> None:
    state = table(ships=(REVAL, LUBECK), hands=("o", "s"))
    assert refused(state, 0, "offer 1 o s").code == "not_together"
    state = table(seats=4, ships=TOGETHER, hands=("o", "s", "", "a"))
    assert words(state, 0, "offer") == ("1", "2")
    refusal = refused(state, 0, "offer 3 o a")
    assert (refusal.code, refusal.facts) == ("not_with_you", {"other": 3})
    assert refused(state, 0, "offer 0 o -").code == "not_a_choice"


def test_before_the_founding_there_are_no_deals() -> None:
    """Ruling 48."""
    state = table(asked=Founding([-1, -1], [-1, -1]))
    for player in state.players:
        player.city = -1
    assert refused(state, 0, "offer 1 o -").code == "deals_closed"
    assert "offer" not in kinds(state, 0)


def test_only_the_receiver_answers_and_only_the_maker_withdraws() -> None:
    state = three("o", "s", "a")
    run(state, "0 offer 1 o s", "1 offer 2 s a")
    check_refused(state, "offer_not_yours", "2 accept 1", "1 decline 2", "1 counter 2 s a")
    check_refused(state, "offer_not_mine", "1 withdraw 1")
    check_refused(state, "offer_gone", "0 accept 1", "1 accept 9")
    events = play(state, 0, "withdraw 1")
    assert told(events, Withdrawn) == [Withdrawn(seat=0, other=1)]
    assert answers(state) == [("o2", 2)]
    nothing = two("o", "s")
    check_refused(nothing, "offer_gone", "0 accept 1", "0 decline 1", "0 counter 1", "0 withdraw 1")


def test_a_counter_offer_takes_the_place_of_the_offer_the_other_way_round() -> None:
    state = two("oo", "s")
    play(state, 0, "offer 1 o s")
    check_refused(state, "cannot_give", "1 counter 1 ss o")
    check_refused(state, "cannot_take", "1 counter 1 s ooo")
    check_refused(state, "offer_empty", "1 counter 1 - -")
    events = play(state, 1, "counter 1 s oo")
    assert [event.kind for event in events] == ["declined", "offered"]
    assert answers(state) == [("o2", 0)]
    play(state, 0, "accept 2")
    assert (hand(state, 0), hand(state, 1)) == ("s", "oo")


def test_two_who_have_nothing_left_have_no_counter_offer_to_make() -> None:
    state = two("", "o", display=("55",), order=(1, 0))
    run(state, "0 offer 1 - o", "1 buy 1 ore")
    state.bag[5] += 2
    state.players[1].markers[5] = 0
    assert "counter" not in kinds(state, 1)
    check_refused(state, "offer_empty", "1 counter 1 - o")
    check_refused(state, "cannot_give", "1 accept 1")
    assert "decline" in kinds(state, 1)


def test_a_new_offer_to_someone_takes_the_place_of_the_old_one() -> None:
    state = three("oo", "s", "a")
    run(state, "0 offer 1 o s", "0 offer 2 o a")
    events = play(state, 0, "offer 1 oo s")
    assert told(events, Withdrawn) == [Withdrawn(seat=0, other=1)]
    assert answers(state) == [("o2", 2), ("o3", 1)]


def test_an_offer_falls_when_the_ships_part_or_its_maker_no_longer_has_it() -> None:
    state = two("o", "s", asked="move")
    run(state, "0 offer 1 o s", "1 offer 0 s o")
    events = play(state, 0, "sail left -")
    assert told(events, OfferLapsed) == [OfferLapsed(seat=0, other=1), OfferLapsed(seat=1, other=0)]
    assert answers(state) == []
    state = three("o", "s", "a")
    run(state, "0 offer 1 o s", "0 offer 2 o a")
    assert told(play(state, 1, "accept 1"), OfferLapsed) == [OfferLapsed(seat=0, other=2)]


def test_what_is_asked_for_is_checked_when_the_offer_is_accepted() -> None:
    """Of two offers only the one that can be met is listed."""
    state = two("o", "s", display=("55",), order=(1, 0))
    run(state, "0 offer 1 o s", "1 buy 1 salt")
    refusal = refused(state, 1, "accept 1")
    assert (refusal.code, refusal.facts) == ("cannot_give", {"pieces": "s"})
    assert "accept" not in kinds(state, 1)
    state = three("oa", "s", "f", display=("55",))
    run(state, "1 offer 0 s o", "2 offer 0 f a", "0 buy 1 ore")
    assert words(state, 0, "accept") == ("2",)
    assert refused(state, 0, "accept 1").code == "cannot_give"


def test_only_hands_are_traded() -> None:
    """Ruling 49: neither goods in offices nor chits nor Raids."""
    state = two("", "s", offices={REVAL: [(0, "f")]}, chits={0: ("three",)})
    assert refused(state, 0, "offer 1 f s").code == "cannot_give"


def test_with_hidden_goods_only_the_two_see_what_is_offered() -> None:
    """Ruling 59: all see that it happens."""
    state = three("o", "s", "", options=HIDDEN)
    events = play(state, 0, "offer 1 o s")
    assert GAME.view(state, 1).offers[0].give == "o"
    assert GAME.view(state, 2).offers[0].give is None
    assert GAME.view(state, -1).offers[0].take is None
    events += play(state, 1, "accept 1")
    heard = {o: [e.kind for e in events if e.heard_by(o)] for o in (-1, 0, 1, 2)}
    assert heard[0] == heard[1] == ["offered", "accepted"]
    assert heard[2] == heard[-1] == ["offered_secretly", "accepted_secretly"]
