"""Golden cards that are carried out (sections 4.5 and 5.4 to 5.8)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bot.game.flandern.state import FlandernState
from tests.game.flandern.positions import (
    FILLED,
    asked,
    at,
    facts,
    golden_turn,
    in_city,
    is_site,
    left,
    named_plots,
    play,
    refused,
    table,
    words,
)

SITES = "t1 red site, t2 grey site, t3 green site, t4 church site"


def turned_up(
    golden: str, first: int = 0, cities: Mapping[str, str] | None = None, scored: str = ""
) -> FlandernState:
    """The first player, by default red, has revealed this card after all had taken theirs back."""
    state = table(golden=golden, first=first, cities=cities, scored=scored)
    events = golden_turn(state)
    assert facts(events, "golden_revealed") == [{"seat": first, "card": golden}]
    return state


# Paragraph 5.4: golden city and golden site


def test_a_golden_city_builds_grey_and_church_alone() -> None:
    """Ruling 13."""
    state = turned_up("leuven", 1)
    assert asked(state) == [(1, "city")]
    assert words(state, 1, "build leuven-t1") == ("grey", "church")
    assert refused(state, 1, "build leuven-t1 green").code == "not_yours"
    play(state, 1, "build leuven-t1 church")
    assert at(state, "leuven-t1") == "church"


def test_a_golden_city_completes_grey_and_church_alone() -> None:
    state = turned_up("leuven", 0, cities={"leuven": SITES})
    assert words(state, 0, "complete") == ("leuven-t2", "leuven-t4")
    assert refused(state, 0, "complete leuven-t1").code == "foreign_site"
    play(state, 0, "complete leuven-t4")
    assert (is_site(state, "leuven-t4"), state.sites) == (False, 7)


def test_a_golden_site_puts_up_grey_and_church_alone() -> None:
    state = turned_up("site", 0, scored="gent")
    assert asked(state) == [(0, "site")]
    assert words(state, 0, "site leuven-t1") == ("grey", "church")
    assert words(state, 0, "site utrecht-t1") == ("church",)
    assert refused(state, 0, "site leuven-t1 red").code == "not_yours"
    play(state, 0, "site luik-t3 grey")
    assert (is_site(state, "luik-t3"), state.sites) == (True, 9)


@pytest.mark.parametrize("golden", ["brugge", "site"])
def test_a_golden_card_that_can_do_nothing_is_told_and_the_round_ends(golden: str) -> None:
    """Paragraph 4.5: the same duty as 4.4."""
    tens = {
        "gent": "t1 green site, t2 blue site, t3 yellow site",
        "ieper": "t1 red site, t2 blue site, t3 yellow site",
        "leuven": "t1 red site, t2 green site, t3 blue site, t4 grey site",
    }
    full = {"brugge": FILLED.replace("p1 yellow", "p1 yellow site")}
    state = table(golden=golden, cities=tens if golden == "site" else full)
    events = golden_turn(state)
    assert facts(events, "impossible") == [{"seat": 0, "card": golden, "golden": 1}]
    assert len(facts(events, "round_begun")) == 1


# Paragraph 5.6: cathedrals


CHURCHES = {
    "gent": "t1 church, t2 grey, t3 church site, p2 blue, r2 church cathedral",
    "brugge": "t1 grey, p1 church-d-r1",
    "ieper": "t1 church, t2 grey",
}


def test_a_cathedral_goes_on_any_church_without_one_site_or_not() -> None:
    """Ruling 23: Luik's centre is one; D has one place; not in a scored city."""
    state = turned_up("cathedral", 2, cities=CHURCHES, scored="ieper")
    assert asked(state) == [(2, "cathedral")]
    assert words(state, 2, "cathedral") == ("brugge-p1", "gent-t1", "gent-t3", "luik-c")
    events = play(state, 2, "cathedral gent-t3")
    assert facts(events, "cathedral_put") == [{"seat": 2, "place": "gent-t3"}]
    assert state.cathedrals == 2
    assert named_plots(in_city(state, "gent").cathedrals).split() == ["t3", "r2"]
    assert state.round == 4


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("gent-r2", "has_cathedral"),
        ("gent-t2", "no_church"),
        ("gent-t4", "no_church"),
        ("ieper-t1", "city_scored"),
        ("brugge-r1", "no_church"),
        ("gent-t5", "no_church"),
    ],
)
def test_a_cathedral_goes_nowhere_else(place: str, code: str) -> None:
    state = turned_up("cathedral", 2, cities=CHURCHES, scored="ieper")
    assert refused(state, 2, f"cathedral {place}").code == code


def test_where_no_church_is_left_for_it_a_cathedral_has_no_effect() -> None:
    state = table(golden="cathedral", cities={"luik": "c church cathedral"})
    events = golden_turn(state)
    assert facts(events, "impossible") == [{"seat": 0, "card": "cathedral", "golden": 1}]
    state = table(golden="cathedral", scored="luik")
    assert len(facts(golden_turn(state), "impossible")) == 1


def test_without_a_cathedral_left_the_card_has_no_effect() -> None:
    cities = {
        "luik": "c church cathedral",
        "gent": "t1 church cathedral, t2 church cathedral, t3 church cathedral",
        "brugge": "t1 grey, p1 church",
    }
    state = table(golden="cathedral", cities=cities)
    assert state.cathedrals == 0
    assert len(facts(golden_turn(state), "impossible")) == 1


# Paragraph 5.7: leaders


OWN = {
    "gent": "t1 green site, t2 grey, t3 blue",
    "brugge": "t1 grey site, t2 green",
    "ieper": "t1 grey",
}


def test_a_leader_goes_on_any_quarter_of_ones_own_or_of_grey_site_or_not() -> None:
    """Ruling 24: centres too, not in a scored city."""
    state = turned_up("leader", 1, cities=OWN, scored="brugge")
    assert asked(state) == [(1, "leader")]
    assert set(words(state, 1, "leader")) == {
        *("gent-t1", "gent-t2", "ieper-c", "ieper-t1", "utrecht-c"),
    }
    events = play(state, 1, "leader gent-t1")
    assert facts(events, "leader_put") == [{"seat": 1, "place": "gent-t1", "emblem": "green"}]
    assert state.leaders == 3
    assert state.round == 4


def test_a_leader_on_grey_counts_for_grey() -> None:
    """Ruling 57."""
    state = turned_up("leader", 1, cities=OWN)
    events = play(state, 1, "leader gent-t2")
    assert facts(events, "leader_put") == [{"seat": 1, "place": "gent-t2", "emblem": "grey"}]


def test_a_quarter_may_carry_several_leaders() -> None:
    state = turned_up("leader", 0, cities={"gent": "c red leader leader"})
    assert "gent-c" in words(state, 0, "leader")
    play(state, 0, "leader gent-c")
    assert (in_city(state, "gent").leaders, state.leaders) == ([0, 0, 0], 1)


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("gent-t3", "foreign_quarter"),
        ("gent-c", "foreign_quarter"),
        ("luik-c", "foreign_quarter"),
        ("gent-t4", "no_quarter"),
        ("brugge-t2", "city_scored"),
        ("gent-p5", "not_a_choice"),
    ],
)
def test_a_leader_goes_nowhere_else(place: str, code: str) -> None:
    state = turned_up("leader", 1, cities=OWN, scored="brugge")
    assert refused(state, 1, f"leader {place}").code == code


def test_without_a_leader_left_the_card_has_no_effect() -> None:
    state = table(golden="leader", cities={"gent": "c red leader leader leader leader"})
    assert state.leaders == 0
    assert len(facts(golden_turn(state), "impossible")) == 1


def test_without_a_quarter_for_it_a_leader_has_no_effect() -> None:
    """Red's city and grey's are scored, and both stand nowhere else."""
    state = table(golden="leader", scored="gent utrecht", cities={"brugge": "t1 green"})
    assert len(facts(golden_turn(state), "impossible")) == 1


@pytest.mark.parametrize(
    ("golden", "cities", "line"),
    [
        ("leader", {"gent": "c red leader leader leader"}, "leader gent-c"),
        (
            "cathedral",
            {"luik": "c church cathedral", "gent": "t1 church cathedral, t2 church cathedral"},
            "cathedral brugge-t1",
        ),
        (
            "site",
            {
                "gent": "t1 green site, t2 blue site, t3 yellow site",
                "ieper": "t1 red site, t2 blue site, t3 yellow site",
                "leuven": "t1 red site, t2 green site, t3 blue site",
            },
            "site gent-t4 grey",
        ),
    ],
)
def test_the_last_piece_of_its_kind_can_be_put(
    golden: str, cities: Mapping[str, str], line: str
) -> None:
    state = turned_up(golden, 0, cities={**cities, "brugge": "t1 church"})
    assert (state.sites, state.cathedrals, state.leaders)[
        ("site", "cathedral", "leader").index(golden)
    ] == 1
    play(state, 0, line)
    assert state.round == 4


def test_a_leader_put_in_this_round_counts_when_the_city_is_scored_after_it() -> None:
    """As in the example of the text."""
    state = turned_up("leader", 0, cities={"brugge": FILLED})
    events = play(state, 0, "leader brugge-r1")
    ranks = {told["guild"]: told["rank"] for told in facts(events, "guild_scored")}
    assert ranks == {"red": 1, "green": 2, "yellow": 4, "grey": 4, "blue": 5}


def test_a_stock_of_leaders_is_no_stock_of_quarters() -> None:
    state = turned_up("leader", 0)
    before = left(state, "red", "t-leader")
    play(state, 0, "leader gent-c")
    assert left(state, "red", "t-leader") == before
