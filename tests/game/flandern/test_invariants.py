"""The engine's own checks notice everything that is made, lost or misplaced (paragraph 1.8)."""

from __future__ import annotations

from collections.abc import Callable

from bot.game.flandern import GAME
from bot.game.flandern.data import CARDS, EMBLEM_OF_KEY
from bot.game.flandern.plan import PLOT_OF_NAME
from bot.game.flandern.state import FlandernState
from tests.game.flandern.positions import fill, in_city, plots, table

GENT = (
    "t1 grey leader, t2 green, p1 church-a site cathedral, p2 blue-leader, t4 covered, r2 church-b"
)


def sound() -> FlandernState:
    return table(cities={"gent": GENT}, lying=["gent", "site take"], golden_left="leader luik")


def _stock(emblem: str, kind: int, change: int) -> Callable[[FlandernState], None]:
    def spoil(state: FlandernState) -> None:
        state.stock[EMBLEM_OF_KEY[emblem]][kind] += change

    return spoil


def _stand(said: str, city: str = "gent") -> Callable[[FlandernState], None]:
    """It stands there, whatever the rules say; the pieces are taken out of the stock."""

    def spoil(state: FlandernState) -> None:
        plot, emblem = said.split()
        state.stock[EMBLEM_OF_KEY[emblem]]["tpr".index(plot[0])] -= 1
        fill(in_city(state, city), said)

    return spoil


def _bits(city: str, name: str, change: str) -> Callable[[FlandernState], None]:
    def spoil(state: FlandernState) -> None:
        there = in_city(state, city)
        setattr(there, name, getattr(there, name) ^ plots(change))

    return spoil


def _set(name: str, value: int) -> Callable[[FlandernState], None]:
    return lambda state: setattr(state, name, value)


def _card(seat: int, card: str, there: str) -> Callable[[FlandernState], None]:
    def spoil(state: FlandernState) -> None:
        getattr(state.players[seat], there).append(CARDS.index(card))

    return spoil


def _golden(deck: int, card: str, change: int) -> Callable[[FlandernState], None]:
    def spoil(state: FlandernState) -> None:
        state.golden[deck][CARDS.index(card)] += change

    return spoil


def _laid(state: FlandernState) -> None:
    state.players[0].card, state.players[0].laid = 0, -1


SPOILERS: dict[str, Callable[[FlandernState], None]] = {
    "red t: 5, not 4": _stock("red", 0, 1),
    "blue p-leader: 2, not 1": _stock("blue", 4, 1),
    "church a: 2, not 1": _stock("church", 6, 1),
    "grey t: a negative count": _stock("grey", 0, -6),
    "green p: 3, not 4": _stock("green", 1, -1),
    "gent: plots are missing": _bits("gent", "free", "t3"),
    "gent: plots are missing, or used twice": _bits("gent", "covered", "t3"),
    "luik: plots are missing": _bits("luik", "free", "r5"),
    "gent: scored, and plots are free": lambda state: setattr(
        in_city(state, "gent"), "scored", True
    ),
    "gent: sites without a quarter": _bits("gent", "sites", "t3"),
    "gent: a quarter without support": _stand("r3 yellow"),
    "gent: green quarters touch": _stand("p3 green"),
    "luik: church quarters touch": _stand("t3 church", "luik"),
    "gent: a cathedral without a church": _bits("gent", "cathedrals", "t1"),
    "site pieces: 9, not 10": _set("sites", 8),
    "cathedrals: 5, not 4": _set("cathedrals", 4),
    "leaders: 3, not 4": _set("leaders", 2),
    "seat 0 has the cards": _card(0, "gent", "hand"),
    "seat 2 has the cards": _card(2, "take", "open"),
    "seat 1 has -1 influence cards": lambda state: setattr(state.players[1], "influence", -1),
    "seat 0 lays -1 influence cards": _laid,
    "golden leader: 5, not 4": _golden(0, "leader", 1),
    "golden luik: 0, not 1": _golden(1, "luik", -1),
}


def test_what_is_wrong_is_told() -> None:
    for said, spoil in SPOILERS.items():
        state = sound()
        assert GAME.invariants(state) == []
        spoil(state)
        assert any(said in line for line in GAME.invariants(state)), (said, GAME.invariants(state))


def test_cards_alike_and_missing_ones_in_the_deck_of_two_players_are_told() -> None:
    for card, change in (("gent", 1), ("site", 1), ("gent", -1), ("site", -1)):
        state = table(seats=2)
        assert GAME.invariants(state) == []
        state.deck[1][CARDS.index(card)] += change
        assert any("the deck holds" in line for line in GAME.invariants(state)), (card, change)


def test_d_touches_its_own_bar_and_nothing_is_wrong() -> None:
    state = table(cities={"gent": "t1 grey, p1 church-d-r1"})
    assert GAME.invariants(state) == []
    in_city(state, "gent").emblems[EMBLEM_OF_KEY["church"]] |= 1 << PLOT_OF_NAME["t2"]
    assert GAME.invariants(state) != []
