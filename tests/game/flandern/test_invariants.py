"""The engine's own checks notice everything that is made, lost or misplaced (paragraph 1.8)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bot.game.flandern import GAME
from bot.game.flandern.data import CARDS, EMBLEM_OF_KEY
from bot.game.flandern.state import FlandernState
from tests.game.flandern.positions import fill, in_city, plots, table

GENT = (
    "t1 grey leader, t2 green, p1 church-a site cathedral, p2 blue-leader, t4 covered, r2 church-b"
)
RED, GREEN, BLUE, YELLOW, GREY, CHURCH = range(6)


@contextmanager
def spoiling(said: str, seats: int = 4) -> Iterator[FlandernState]:
    """A sound table, to be spoiled; then the checks say what is wrong."""
    state = table(seats=2)
    if seats > 2:
        lying = ["gent", "site take"]
        state = table(cities={"gent": GENT}, lying=lying, golden_left="leader luik")
    assert GAME.invariants(state) == []
    yield state
    found = GAME.invariants(state)
    assert any(said in line for line in found), (said, found)


def test_pieces_that_are_made_or_lost_are_told() -> None:
    with spoiling("red t: 5, not 4") as state:
        state.stock[RED][0] += 1
    with spoiling("blue p-leader: 2, not 1") as state:
        state.stock[BLUE][4] += 1
    with spoiling("church a: 2, not 1") as state:
        state.stock[CHURCH][6] += 1
    with spoiling("grey t: a negative count") as state:
        state.stock[GREY][0] -= 6
    with spoiling("green p: 3, not 4") as state:
        state.stock[GREEN][1] -= 1
    with spoiling("site pieces: 9, not 10") as state:
        state.sites = 8
    with spoiling("cathedrals: 5, not 4") as state:
        state.cathedrals = 4
    with spoiling("leaders: 3, not 4") as state:
        state.leaders = 2


def stand(state: FlandernState, city: str, said: str) -> None:
    """It stands there, whatever the rules say; the piece is taken out of the stock."""
    plot, emblem = said.split()
    state.stock[EMBLEM_OF_KEY[emblem]]["tpr".index(plot[0])] -= 1
    fill(in_city(state, city), said)


def test_plots_and_quarters_that_the_rules_do_not_allow_are_told() -> None:
    with spoiling("gent: plots are missing") as state:
        in_city(state, "gent").free ^= plots("t3")
    with spoiling("gent: plots are missing, or used twice") as state:
        in_city(state, "gent").covered ^= plots("t3")
    with spoiling("luik: plots are missing") as state:
        in_city(state, "luik").free ^= plots("r5")
    with spoiling("gent: scored, and plots are free") as state:
        in_city(state, "gent").scored = True
    with spoiling("gent: sites without a quarter") as state:
        in_city(state, "gent").sites ^= plots("t3")
    with spoiling("gent: a cathedral without a church") as state:
        in_city(state, "gent").cathedrals ^= plots("t1")
    with spoiling("gent: a quarter without support") as state:
        stand(state, "gent", "r3 yellow")
    with spoiling("gent: green quarters touch") as state:
        stand(state, "gent", "p3 green")
    with spoiling("luik: church quarters touch") as state:
        stand(state, "luik", "t3 church")
    # D touches its own bar, and nothing is wrong.
    state = table(cities={"gent": "t1 grey, p1 church-d-r1"})
    assert GAME.invariants(state) == []
    in_city(state, "gent").emblems[CHURCH] |= plots("t2")
    assert GAME.invariants(state) != []


def test_cards_that_are_made_or_lost_are_told() -> None:
    with spoiling("seat 0 has the cards") as state:
        state.players[0].hand.append(CARDS.index("gent"))
    with spoiling("seat 2 has the cards") as state:
        state.players[2].open.append(CARDS.index("take"))
    with spoiling("seat 1 has -1 influence cards") as state:
        state.players[1].influence = -1
    with spoiling("seat 0 lays -1 influence cards") as state:
        state.players[0].card, state.players[0].laid = 0, -1
    with spoiling("golden leader: 5, not 4") as state:
        state.golden[0][CARDS.index("leader")] += 1
    with spoiling("golden luik: 0, not 1") as state:
        state.golden[1][CARDS.index("luik")] -= 1
    for card, change in (("gent", 1), ("site", 1), ("gent", -1), ("site", -1)):
        with spoiling("the deck holds", seats=2) as state:
            state.deck[1][CARDS.index(card)] += change
