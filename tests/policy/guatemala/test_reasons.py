"""Why the sensible player of Guatemala Café does what it does, from positions in plain words."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import pytest

from bot.game.contract import Decision, canonical
from bot.game.guatemala import GAME
from bot.game.guatemala.production import POSITION_NAMES, SPACE_OF_NAME, line_of
from bot.game.guatemala.state import GuatemalaState, piece_key
from bot.policy.guatemala.greedy import greedy
from tests.game.guatemala.positions import play, table


def answer(state: GuatemalaState, seat: int = 0) -> str:
    """What it does when asked."""
    decision = next(each for each in GAME.pending(state) if each.seat == seat)
    return canonical(_greedy(state, decision))


def _greedy(state: GuatemalaState, decision: Decision) -> tuple[str, ...]:
    legal = partial(GAME.legal, state, decision.seat)
    return greedy(GAME.view(state, decision.seat), decision, legal, Random(5))


def about_block(*, mine: int, theirs: int, hand: str, **position: Any) -> str:
    """What seat 1 answers when seat 0 takes a red sack; the plantations have so many workers, and
    roads lead from that of seat 0 to a port."""
    state = table(
        buyer="t4",
        sack="red",
        hands=["white", hand],
        huts=[{"red": "e2"}, {"red": "k2"}],
        roads="f1-g1 f1-f2",
        workers=[
            {"red": " ".join(["e1", "e3", "d2", "d3"][:theirs])},
            {"red": " ".join(["k1", "k3", "k4", "j2"][:mine])},
        ],
        **position,
    )
    play(state, 0, "take")
    return answer(state, 1)


# Moving


def test_the_buyer_begins_where_the_first_seat_finds_no_hut_with_two_of_its_workers() -> None:
    state = table(asked="place", turn=1)
    _, position = answer(state, 1).split()
    start = POSITION_NAMES.index(position)
    for step in (1, 2, 3):
        line = [piece_key(state.production[at]) for at in line_of((start + step) % 36)]
        huts = {word.removesuffix("_hut") for word in line if word.endswith("_hut")}
        assert sum(word.removesuffix("_worker") in huts for word in line) <= 1


@pytest.mark.parametrize("mine", [True, False])
def test_it_goes_for_the_sack_of_its_own_plantation_alone(*, mine: bool) -> None:
    """The black sack is two steps ahead."""
    hut, workers = {"black": "b2"}, {"black": "b1 a2 c2 b3 b4"}
    state = table(
        asked="step",
        buyer="t2",
        hands=["white", "white"],
        score=(50, 50),
        huts=[hut, {}] if mine else [{}, hut],
        workers=[workers, {}] if mine else [{}, workers],
    )
    play(state, 0, answer(state))
    assert (answer(state) == "take") is mine


# Buying


def test_a_hut_is_bought_before_the_workers_that_join_it() -> None:
    line = "red worker, red worker, red worker, red hut, black ship, white ship, brown ship"
    state = table(buyer="l2", line=line)
    bought = []
    for _ in range(3):
        action = answer(state)
        space = action.split()[1]
        bought.append(piece_key(state.production[SPACE_OF_NAME[space]]))
        play(state, 0, action)
    assert bought == ["red_hut", "red_worker", "red_worker"]
    assert answer(state) == "end"


def test_a_road_completes_the_way_from_a_hut_to_its_ships() -> None:
    position: dict[str, Any] = {
        "buyer": "l4",
        "sack": "-",
        "line": "road, road, road, road, road, road, road, white ship",
        "huts": [{"red": "e2"}],
        "workers": [{"red": "e1 e3 d2"}],
        "ships": {"port1": "red red"},
    }
    assert answer(table(**position, roads="f1-g1")).split()[2] == "f1-f2"
    assert answer(table(**position, roads="f1-f2")).split()[2] == "f1-g1"
    done = table(**position, roads="f1-g1 f1-f2")
    assert answer(done) == "end"


def test_no_road_is_laid_for_others_alone() -> None:
    state = table(
        buyer="l4",
        sack="-",
        line="road, road, road, road, road, road, road, road",
        huts=[{}, {"red": "e2"}],
        workers=[{}, {"red": "e1 e3 d2"}],
        ships={"port1": "red red"},
        roads="f1-g1",
    )
    assert answer(state) == "end"


def test_a_ship_goes_to_the_port_that_its_hut_is_joined_to() -> None:
    state = table(
        seats=4,
        buyer="l4",
        sack="-",
        line="red ship, road, road, road, road, road, road, road",
        huts=[{"red": "i2"}],
        workers=[{"red": "i1 i3"}],
        roads="j1-k1 j1-j2",
    )
    assert answer(state).split()[2] == "port3"


def test_a_worker_goes_where_it_costs_least() -> None:
    state = table(
        buyer="l4",
        sack="-",
        line="red worker, road, road, road, road, road, road, road",
        huts=[{"red": "b5"}],
        workers=[{"red": "b6"}],
    )
    assert answer(state).split()[2] == "b7"


# Sacks


def test_it_takes_the_sack_with_which_it_wins() -> None:
    position: dict[str, Any] = {
        "buyer": "t4",
        "sack": "red",
        "huts": [{"red": "b2"}, {"red": "k2"}],
        "hands": ["white", ""],
        "bag": "",
    }
    mine = table(**position, score=(48, 47), workers=[{"red": "b1 b3 a2"}, {"red": "k1"}])
    assert answer(mine) == "take"
    theirs = table(**position, score=(47, 48), workers=[{"red": "b1"}, {"red": "k1 k3 j2"}])
    assert answer(theirs) != "take"


def test_it_takes_a_sack_when_money_is_short() -> None:
    position: dict[str, Any] = {"buyer": "t4", "sack": "red", "hands": ["white", "white"]}
    assert answer(table(**position, money=0)) == "take"
    assert answer(table(**position, money=15)) != "take"


@pytest.mark.parametrize(
    ("mine", "theirs", "hand", "blocks"),
    [
        (0, 4, "red red", "yes"),
        (0, 4, "white white", "no"),
        (4, 4, "red red", "no"),
        (4, 0, "red red", "no"),
        (0, 1, "red red", "no"),
    ],
)
def test_it_blocks_where_others_would_gain_clearly_more(
    mine: int, theirs: int, hand: str, blocks: str
) -> None:
    ships = {"port1": "red red"}
    assert about_block(mine=mine, theirs=theirs, hand=hand, ships=ships) == f"block {blocks}"


def test_it_blocks_the_harvest_that_would_end_the_game_with_another_first() -> None:
    assert about_block(mine=1, theirs=2, hand="red", score=(77, 77)) == "block yes"
    assert about_block(mine=2, theirs=1, hand="red", score=(77, 77)) == "block no"


def test_it_refills_with_what_serves_it_and_keeps_what_serves_others() -> None:
    state = table(
        buyer="t4",
        sack="white",
        hands=["black red brown", ""],
        huts=[{"black": "b2"}, {"red": "k2"}],
        workers=[{"black": "b1 b3 b4"}, {"red": "k1 k3 k4"}],
    )
    play(state, 0, "take")
    play(state, 1, "block no")
    assert answer(state) == "refill black"
