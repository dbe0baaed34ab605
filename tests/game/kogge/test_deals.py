"""Trading among players: offers, answers, and when they fall."""

from __future__ import annotations

from typing import Any

import pytest

from bot.game.kogge import GAME
from bot.game.kogge.offers import Accepted, Withdrawn
from bot.game.kogge.partners import OfferLapsed
from bot.game.kogge.state import Founding, KoggeState
from tests.game.kogge.places import HIDDEN, LUBECK, REVAL
from tests.game.kogge.positions import asked, hand, kinds, play, refused, table, told, words

TOGETHER = (REVAL, REVAL, REVAL, LUBECK)


def two(first: str, second: str, **position: Any) -> KoggeState:
    """Two ships in one city, with these hands."""
    return table(ships=TOGETHER, hands=(first, second), **position)


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


@pytest.mark.parametrize("line", ["offer 1 o -", "offer 1 - s"])
def test_something_may_be_given_or_asked_for_nothing(line: str) -> None:
    """Payment for doing or leaving something, as the text has it."""
    state = two("o", "s")
    play(state, 0, line)
    play(state, 1, "accept 1")
    assert "" in (hand(state, 0), hand(state, 1))


def test_an_offer_of_nothing_for_nothing_is_none() -> None:
    assert refused(two("o", "s"), 0, "offer 1 - -").code == "offer_empty"


def test_one_offers_what_one_has_and_asks_for_what_the_other_has() -> None:
    state = two("o5", "s")
    assert refused(state, 0, "offer 1 oo s").code == "cannot_give"
    assert refused(state, 0, "offer 1 o ss").code == "cannot_take"
    assert refused(state, 0, "offer 1 5o s").code == "not_a_choice"
    assert refused(state, 0, "offer 1 o x").code == "not_a_choice"


def test_with_hidden_goods_one_may_ask_for_anything() -> None:
    state = two("o", "", options=HIDDEN)
    play(state, 0, "offer 1 o ssss8888")
    assert refused(state, 1, "accept 1").code == "cannot_give"
    play(state, 1, "decline 1")
    assert answers(state) == []


@pytest.mark.parametrize("phase", ["bid", "advance", "move", "act"])
def test_deals_are_made_at_any_time(phase: str) -> None:
    """Also by those whose turn it is not."""
    state = table(seats=3, ships=TOGETHER, hands=("5", "o6", "s7"), asked=phase)
    before = asked(state)
    play(state, 1, "offer 2 o s")
    play(state, 2, "accept 1")
    assert asked(state) == before
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
    state = table(seats=3, ships=TOGETHER, hands=("o", "s", "a"))
    play(state, 0, "offer 1 o s")
    play(state, 1, "offer 2 s a")
    assert refused(state, 2, "accept 1").code == "offer_not_yours"
    assert refused(state, 1, "decline 2").code == "offer_not_yours"
    assert refused(state, 1, "counter 2 s a").code == "offer_not_yours"
    assert refused(state, 1, "withdraw 1").code == "offer_not_mine"
    assert refused(state, 0, "accept 1").code == "offer_gone"
    assert refused(state, 1, "accept 9").code == "offer_gone"
    events = play(state, 0, "withdraw 1")
    assert told(events, Withdrawn) == [Withdrawn(seat=0, other=1)]
    assert answers(state) == [("o2", 2)]


def test_a_counter_offer_takes_the_place_of_the_offer_the_other_way_round() -> None:
    state = two("oo", "s")
    play(state, 0, "offer 1 o s")
    events = play(state, 1, "counter 1 s oo")
    assert [event.kind for event in events] == ["declined", "offered"]
    assert answers(state) == [("o2", 0)]
    play(state, 0, "accept 2")
    assert (hand(state, 0), hand(state, 1)) == ("s", "oo")


def test_a_wrong_counter_offer_is_refused_for_what_is_wrong() -> None:
    state = two("oo", "s")
    play(state, 0, "offer 1 o s")
    assert refused(state, 1, "counter 1 ss o").code == "cannot_give"
    assert refused(state, 1, "counter 1 s ooo").code == "cannot_take"
    assert refused(state, 1, "counter 1 - -").code == "offer_empty"


def test_two_who_have_nothing_left_have_no_counter_offer_to_make() -> None:
    state = two("", "o", display=("55",), order=(1, 0))
    play(state, 0, "offer 1 - o")
    play(state, 1, "buy 1 ore")
    state.bag[5] += 2
    state.players[1].markers[5] = 0
    assert "counter" not in kinds(state, 1)
    assert refused(state, 1, "counter 1 - o").code == "offer_empty"
    assert refused(state, 1, "accept 1").code == "cannot_give"
    assert "decline" in kinds(state, 1)


def test_a_new_offer_to_someone_takes_the_place_of_the_old_one() -> None:
    state = table(seats=3, ships=TOGETHER, hands=("oo", "s", "a"))
    play(state, 0, "offer 1 o s")
    play(state, 0, "offer 2 o a")
    events = play(state, 0, "offer 1 oo s")
    assert told(events, Withdrawn) == [Withdrawn(seat=0, other=1)]
    assert answers(state) == [("o2", 2), ("o3", 1)]


def test_an_offer_falls_when_the_ships_part() -> None:
    state = two("o", "s", asked="move")
    play(state, 0, "offer 1 o s")
    play(state, 1, "offer 0 s o")
    events = play(state, 0, "sail left -")
    assert told(events, OfferLapsed) == [OfferLapsed(seat=0, other=1), OfferLapsed(seat=1, other=0)]
    assert answers(state) == []


def test_an_offer_falls_when_its_maker_no_longer_has_it() -> None:
    state = table(seats=3, ships=TOGETHER, hands=("o", "s", "a"))
    play(state, 0, "offer 1 o s")
    play(state, 0, "offer 2 o a")
    events = play(state, 1, "accept 1")
    assert told(events, OfferLapsed) == [OfferLapsed(seat=0, other=2)]


def test_what_is_asked_for_is_checked_when_the_offer_is_accepted() -> None:
    state = two("o", "s", display=("55",), order=(1, 0))
    play(state, 0, "offer 1 o s")
    play(state, 1, "buy 1 salt")
    refusal = refused(state, 1, "accept 1")
    assert (refusal.code, refusal.facts) == ("cannot_give", {"pieces": "s"})
    assert "accept" not in kinds(state, 1)


def test_of_two_offers_only_the_one_that_can_be_met_is_listed() -> None:
    state = table(seats=3, ships=TOGETHER, hands=("oa", "s", "f"), display=("55",))
    play(state, 1, "offer 0 s o")
    play(state, 2, "offer 0 f a")
    play(state, 0, "buy 1 ore")
    assert words(state, 0, "accept") == ("2",)
    assert refused(state, 0, "accept 1").code == "cannot_give"


@pytest.mark.parametrize("line", ["accept", "decline", "counter", "withdraw"])
def test_without_an_offer_there_is_nothing_to_answer(line: str) -> None:
    assert refused(two("o", "s"), 0, f"{line} 1").code == "offer_gone"


def test_only_hands_are_traded() -> None:
    """Ruling 49: neither goods in offices nor chits nor Raids."""
    state = two("", "s", offices={REVAL: [(0, "f")]}, chits={0: ("three",)})
    assert refused(state, 0, "offer 1 f s").code == "cannot_give"


def test_with_hidden_goods_only_the_two_see_what_is_offered() -> None:
    """Ruling 59: all see that it happens."""
    state = table(seats=3, ships=TOGETHER, hands=("o", "s", ""), options=HIDDEN)
    events = play(state, 0, "offer 1 o s")
    assert GAME.view(state, 1).offers[0].give == "o"
    assert GAME.view(state, 2).offers[0].give is None
    assert GAME.view(state, -1).offers[0].take is None
    events += play(state, 1, "accept 1")
    heard = {o: [e.kind for e in events if e.heard_by(o)] for o in (-1, 0, 1, 2)}
    assert heard[0] == heard[1] == ["offered", "accepted"]
    assert heard[2] == heard[-1] == ["offered_secretly", "accepted_secretly"]
