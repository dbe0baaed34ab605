"""The computer players of Flandern 1302 in simple positions, and their estimates."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import pytest

from bot.game.contract import canonical
from bot.game.flandern import GAME
from bot.game.flandern.data import CARDS
from bot.game.flandern.state import FlandernState, TwoActions
from bot.policy.flandern.judgement import JUDGEMENT, NORMAL, FlandernValuation, actions_in
from bot.policy.search import think
from tests.game.flandern.positions import LINES, draw, play_alone, reveal_golden, table
from tests.policy.menus import answer as answer_of
from tests.policy.menus import asked

NODES = 200
NEARLY = (
    "t1 red, t3 red, t2 grey, t4 grey, p1 yellow, p2 green, p3 yellow, p4 green, "
    "r2 grey, r3 blue, r4 blue"
)
"""Brugge with only its bar in the north-east free."""
ALL_CITIES = "brugge gent ieper leuven utrecht luik"
answer = partial(answer_of, GAME)


def best_actions(state: FlandernState) -> list[str]:
    found = think(JUDGEMENT, GAME.view(state, 0), asked(GAME, state), Random(5), NODES)
    return [canonical(each.action) for each in found]


# The normal player


def test_the_last_plot_of_a_city_gets_the_quarter_that_decides_its_first_place() -> None:
    """A church if the own guild is already first, a leader if that makes it first. In a full city
    the own site is completed before another."""
    far = "t1 red, t3 red, t2 green, t4 green, p1 yellow, p2 blue, p3 yellow, p4 grey, r2 red"
    full = NEARLY.replace("r2 grey", "r2 red site").replace("t2 grey", "t2 grey site")
    for city, plots, expected in (
        ("utrecht", f"{far}, r3 red, r4 red", "build utrecht-r1 church"),
        ("brugge", NEARLY, "build brugge-r1 red-leader"),
        ("brugge", f"{full}, r1 blue", "complete brugge-r2"),
    ):
        state = table(cities={city: plots})
        play_alone(state, city)
        assert answer(state).startswith(expected)


def test_a_cathedral_is_placed_where_the_own_guild_scores_and_a_leader_where_it_decides() -> None:
    cities = dict.fromkeys(("brugge", "gent", "ieper"), "t1 church")
    state = table(golden="cathedral", cities=cities)
    reveal_golden(state)
    assert answer(state) == "cathedral gent-t1"
    state = table(golden="leader", cities={"brugge": "t1 red", "leuven": f"{NEARLY}, r1 red"})
    reveal_golden(state)
    assert answer(state) in ("leader leuven-t1", "leader leuven-t3", "leader leuven-r1")


def test_cards_are_taken_back_if_the_hand_gains_little_and_the_golden_card_is_not_take() -> None:
    assert answer(table(golden="leader", opened=["gent"])) != "choose take 0"
    assert answer(table(golden="leader", opened=[ALL_CITIES])) == "choose take 0"
    assert answer(table(golden="take", opened=[ALL_CITIES])) == "choose site 0"
    assert answer(table(golden="take", first=1, opened=[ALL_CITIES])) == "choose take 0"
    # A single card is not taken back while another gains anything: Brugge's last plot wins red the
    # first place, the card of Gent gains little.
    position: dict[str, Any] = {"golden": "leader", "cities": {"brugge": NEARLY}}
    for opened, card in (("", "brugge"), ("brugge", "gent"), ("brugge site", "take")):
        state = table(**position, scored="ieper leuven utrecht luik", opened=[opened])
        assert answer(state) == f"choose {card} 0"


def test_influence_is_added_if_an_earlier_seat_could_take_the_same_plot() -> None:
    """Brugge's last plot wins red or blue the first place."""
    position: dict[str, Any] = {"golden": "leader", "cities": {"brugge": NEARLY}, "scored": "luik"}
    assert answer(table(**position, first=0)) == "choose brugge 0"
    assert answer(table(**position, first=2)) == "choose brugge 1"
    assert answer(table(**position, first=2, influence=0)) == "choose brugge 0"
    opened = ["", *["brugge"] * 3]
    assert answer(table(**position, first=2, opened=opened)) == "choose brugge 0"


def test_a_drawn_card_does_not_build_for_the_guild_that_the_opponent_controls() -> None:
    """The player controls blue, the opponent yellow."""
    for drawn, guild in (("blue", "blue"), ("yellow", "church")):
        state = table(seats=2, deck=f"{drawn} gent")
        assert answer(state) == "draw"
        draw(state, f"{drawn} gent")
        assert answer(state).split()[2].startswith(guild)


# Estimates


def test_the_fast_estimate_of_a_quarter_is_that_of_the_city_after_building() -> None:
    """Except for B and C, because the fast estimate lets all guilds build on the added plots."""
    state = table(cities={"gent": "t1 church, p1 blue", "brugge": NEARLY}, opened=["ieper"])
    compared = 0
    for city in FlandernValuation(GAME.view(state, 0), NORMAL).cities.values():
        for gain, action in actions_in(city, state.players[0].guild, site=False):
            if action[-1] not in ("church-b", "church-c"):
                leader = NORMAL.printed if action[2] == "red-leader" else 0.0
                assert gain == pytest.approx(city.after(action).now - city.now - leader)
                compared += 1
    assert compared > 60


# The strong player


def test_the_last_free_plot_gets_the_quarter_that_decides_the_city() -> None:
    """A leader breaks the tie with grey."""
    scored = "gent ieper leuven utrecht luik"
    state = table(seats=2, cities={"brugge": NEARLY}, scored=scored, deck="blue brugge")
    state.frames = [TwoActions(drawn=True)]
    found = best_actions(state)
    assert found[0] == "play brugge + build brugge-r1 red-leader"
    assert "play brugge + build brugge-r1 church" in found


def test_hidden_choices_are_assumed_to_be_the_best_ones() -> None:
    """Red has no influence cards left and wins first place in Brugge with its last plot."""
    state = table(cities={"brugge": NEARLY}, scored="luik", golden="leader", influence=0)
    for seat in range(3):
        LINES.play(state, seat, "choose take 0")
    view = GAME.view(state, 3)
    chosen = [JUDGEMENT.determinize(view, Random(seed)).players[0].card for seed in range(9)]
    assert {CARDS[card] for card in chosen} == {"brugge"}
