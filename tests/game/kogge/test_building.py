"""Phase 3B a: offices."""

from __future__ import annotations

import pytest

from bot.game.kogge.building import Built
from tests.game.kogge.places import ITALIAN, REVAL
from tests.game.kogge.positions import goods, hand, play, refused, table, told, words


def test_an_office_costs_one_of_each_other_good_and_the_citys_marker() -> None:
    """Difference 1, ruling 1: goods and marker."""
    state = table(hands=("oass3",))
    reserve, bag = state.reserve[:], state.bag[REVAL]
    events = play(state, 0, "build both")
    assert hand(state, 0) == "s"
    assert [office.seat for office in state.cities[REVAL].offices] == [0]
    assert [now - then for now, then in zip(state.reserve, reserve, strict=True)] == goods("oas")
    assert state.bag[REVAL] == bag + 1
    assert told(events, Built) == [Built(seat=0, city=REVAL, pieces="oas3", points=1)]


@pytest.mark.parametrize(
    ("held", "code", "fact"),
    [
        ("oafs", "needs_markers", {"city": REVAL, "count": 1, "marker": REVAL}),
        ("oa3", "needs_goods", {"city": REVAL, "pieces": "s"}),
        ("f3", "needs_goods", {"city": REVAL, "pieces": "oas"}),
    ],
)
def test_who_lacks_goods_or_marker_cannot_build(
    held: str, code: str, fact: dict[str, object]
) -> None:
    refusal = refused(table(hands=(held,)), 0, "build both")
    assert (refusal.code, refusal.topic, refusal.facts) == (code, "office", fact)


@pytest.mark.parametrize("owner", [0, 1])
def test_the_second_office_costs_two_markers_whoever_owns_the_first(owner: int) -> None:
    """Ruling 2: it may be one's own."""
    offices = {REVAL: [(owner, "")]}
    refusal = refused(table(hands=("oas3",), offices=offices), 0, "build both")
    assert refusal.facts == {"city": REVAL, "count": 2, "marker": REVAL}
    state = table(hands=("oas33",), offices=offices)
    play(state, 0, "build both")
    assert [office.seat for office in state.cities[REVAL].offices] == [owner, 0]
    assert hand(state, 0) == ""


def test_no_city_has_a_third_office() -> None:
    state = table(hands=("oas33333",), offices={REVAL: [(0, ""), (1, "")]})
    assert refused(state, 0, "build both").code == "city_full"


def test_an_office_costs_goods_or_markers_by_the_italian_text() -> None:
    """Difference 1."""
    for line, left in (("build goods", "3"), ("build markers", "oas")):
        state = table(hands=("oas3",), options=ITALIAN)
        play(state, 0, line)
        assert hand(state, 0) == left


def test_by_the_italian_text_only_what_one_can_pay_is_offered() -> None:
    state = table(hands=("oa33",), offices={REVAL: [(1, "")]}, options={"office_price": "either"})
    assert words(state, 0, "build") == ("markers",)
    assert refused(state, 0, "build goods").code == "needs_goods"
    assert refused(state, 0, "build both").code == "not_a_choice"
    state = table(hands=("oas3",), offices={REVAL: [(1, "")]}, options={"office_price": "either"})
    assert words(state, 0, "build") == ("goods",)
    assert refused(state, 0, "build markers").facts["count"] == 2


def test_by_the_italian_text_who_has_neither_is_told_both_prices() -> None:
    refusal = refused(table(hands=("oa",), options=ITALIAN), 0, "build goods")
    assert refusal.code == "needs_either"
    assert refusal.facts == {"city": REVAL, "pieces": "s", "count": 1, "marker": REVAL}
