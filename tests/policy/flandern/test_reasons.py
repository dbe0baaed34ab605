"""Why the sensible player of Flandern 1302 does what it does, from positions in plain words."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import pytest

from bot.game.contract import canonical
from bot.game.flandern import GAME
from bot.game.flandern.state import FlandernState
from bot.policy.flandern.building import ways_to_build
from bot.policy.flandern.greedy import greedy
from bot.policy.flandern.situation import seen
from bot.policy.flandern.weights import NORMAL
from bot.policy.flandern.worth import FlandernWorth, judge
from tests.game.flandern.positions import draw, golden_turn, one_plays, table

NEARLY = (
    "t1 red, t3 red, t2 grey, t4 grey, p1 yellow, p2 green, p3 yellow, p4 green, "
    "r2 grey, r3 blue, r4 blue"
)
"""Brugge but for its bar in the north-east."""


def answer(state: FlandernState, seat: int = 0) -> str:
    """What it does when asked."""
    decision = next(each for each in GAME.pending(state) if each.seat == seat)
    legal = partial(GAME.legal, state, seat)
    return canonical(greedy(GAME.view(state, seat), decision, legal, Random(5)))


# Building


@pytest.mark.parametrize("guilds", ["red green blue yellow", "yellow green blue red"])
def test_a_city_is_built_up_with_ones_own_quarters(guilds: str) -> None:
    state = table(guilds=guilds)
    one_plays(state, "luik")
    assert answer(state).split()[2].startswith(guilds.split()[0])


def test_the_last_plot_is_the_churchs_where_ones_own_guild_is_first_without_it() -> None:
    far = "t1 red, t3 red, t2 green, t4 green, p1 yellow, p2 blue, p3 yellow, p4 grey, r2 red"
    state = table(cities={"utrecht": f"{far}, r3 red, r4 red"})
    one_plays(state, "utrecht")
    assert answer(state).startswith("build utrecht-r1 church")


def test_a_leader_is_built_where_it_decides() -> None:
    state = table(cities={"brugge": NEARLY})
    one_plays(state, "brugge")
    assert answer(state) == "build brugge-r1 red-leader"


def test_in_a_full_city_ones_own_site_is_completed_before_another() -> None:
    full = NEARLY.replace("r2 grey", "r2 red site").replace("t2 grey", "t2 grey site")
    state = table(cities={"brugge": f"{full}, r1 blue"})
    one_plays(state, "brugge")
    assert answer(state) == "complete brugge-r2"


# Golden cards


def test_a_cathedral_goes_where_ones_own_guild_scores_by_it() -> None:
    cities = dict.fromkeys(("brugge", "gent", "ieper"), "t1 church")
    state = table(golden="cathedral", cities=cities)
    golden_turn(state)
    assert answer(state) == "cathedral gent-t1"


def test_a_leader_decides_between_equals() -> None:
    cities = {"brugge": "t1 red", "leuven": f"{NEARLY}, r1 red"}
    state = table(golden="leader", cities=cities)
    golden_turn(state)
    assert answer(state) in ("leader leuven-t1", "leader leuven-t3", "leader leuven-r1")


# Cards


ALL_CITIES = "brugge gent ieper leuven utrecht luik"


def test_cards_are_taken_back_when_those_left_gain_little() -> None:
    assert answer(table(golden="leader", lying=["gent"])) != "choose take 0"
    assert answer(table(golden="leader", lying=[ALL_CITIES])) == "choose take 0"


def test_whom_the_golden_card_gives_them_back_takes_none_back() -> None:
    assert answer(table(golden="take", lying=[ALL_CITIES])) == "choose site 0"
    assert answer(table(golden="take", first=1, lying=[ALL_CITIES])) == "choose take 0"


def test_it_pays_to_go_first_where_others_could_take_the_same_plot() -> None:
    """Brugge's last plot brings first place to red, and to blue."""
    position: dict[str, Any] = {"golden": "leader", "cities": {"brugge": NEARLY}, "scored": "luik"}
    assert answer(table(**position, first=0)) == "choose brugge 0"
    assert answer(table(**position, first=2)) == "choose brugge 1"
    assert answer(table(**position, first=2, influence=0)) == "choose brugge 0"
    lying = ["", *["brugge"] * 3]
    assert answer(table(**position, first=2, lying=lying)) == "choose brugge 0"


# Two players


@pytest.mark.parametrize(("drawn", "guild"), [("blue", "blue"), ("yellow", "church")])
def test_the_guild_under_the_others_influence_is_built_as_little_as_can_be(
    drawn: str, guild: str
) -> None:
    """Blue is under one's own influence, yellow under the other's."""
    state = table(seats=2, deck=f"{drawn} gent")
    assert answer(state) == "draw"
    draw(state, f"{drawn} gent")
    assert answer(state).split()[2].startswith(guild)


# Thinking ahead


def test_what_a_quarter_brings_is_what_it_has_brought_once_it_is_built() -> None:
    """But for the plots that B and C make, which are taken for everybody's."""
    state = table(cities={"gent": "t1 church, p1 blue", "brugge": NEARLY}, lying=["ieper"])
    worth = FlandernWorth(seen(GAME.view(state, 0), 0), judge(NORMAL))
    compared = 0
    for number in worth.numbers:
        city = worth.city(number)
        for gain, action in ways_to_build(city, state.players[0].guild, site=False):
            if action[2] not in ("church-b", "church-c"):
                kept = NORMAL.printed if action[2] == "red-leader" else 0.0
                assert gain == pytest.approx(city.after(action).now - city.now - kept)
                compared += 1
    assert compared > 60
