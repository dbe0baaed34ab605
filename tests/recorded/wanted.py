"""Which games are to be recorded."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle
from typing import NamedTuple

from bot.game.burgundy.boards import BOARDS
from tests.game.kogge.random_games import KOGGE

WHIM = 0.06
"""How often a decision is made at random; it brings in what greed alone never does."""

AIMLESS = 0.3
"""How often where nobody is to win by development points before the second lap."""

ADVANCED: Mapping[str, frozenset[str]] = {
    "taxes": frozenset({"tax"}),
    "offices": frozenset({"offer office", "accept"}),
    "conflicts": frozenset({"challenge", "demand", "pass"}),
    "memory": frozenset({"peek", "pass", "reroute"}),
}
"""The options of Kogge's advanced game, and actions that show each of them."""
ADVANCED_MOVES = frozenset({"tax", "challenge", "demand", "pass", "peek"})


class Wanted(NamedTuple):
    """A game to be recorded; in it are actions that begin with each of `takes`."""

    seats: int
    ending: str
    options: Mapping[str, str]
    whim: float = WHIM
    takes: frozenset[str] = frozenset()


KOGGE_GAMES = {
    f"{seats}-{ending}-{goods}{'-italian' * italian}": Wanted(
        seats,
        ending,
        {"edition": "italian" if italian else "english", "goods": goods},
        whim=AIMLESS if ending == "laps" else WHIM,
    )
    for seats in (2, 3, 4)
    for ending in ("laps", "development")
    for goods in ("markers", "open", "hidden")
    for italian in (False, True)
} | {
    "4-laps-whims": Wanted(
        4,
        "laps",
        {"edition": "english", "goods": "hidden"},
        whim=1,
        takes=frozenset(KOGGE.game.moves) - {"build", "accept"} - ADVANCED_MOVES,
    )
}
KOGGE_GAMES |= {
    f"{seats}-{ending}-{name}": Wanted(
        seats,
        ending,
        {
            "edition": "italian" if seats == 4 else "english",
            "goods": {2: "markers", 3: "hidden", 4: "open"}[seats],
            **dict.fromkeys(options, "on"),
        },
        whim=0.15,
        takes=frozenset[str]().union(*(ADVANCED[option] for option in options)),
    )
    for seats in (2, 3, 4)
    for ending in ("laps", "development")
    for name, options in [(option, (option,)) for option in ADVANCED] + [("all", tuple(ADVANCED))]
}

EFFECTS = frozenset({"buy", "load", "decline", "sell any", "place any", "take any"})
"""Beginnings of actions that show what tiles do."""

BURGUNDY_GAMES = (
    {
        f"{seats}-{boards}-{ties}-{sold}": Wanted(
            seats, "points", {"boards": boards, "ties": ties, "sold_goods": sold}, 1, EFFECTS
        )
        for seats in (2, 3, 4)
        for boards, ties, sold in (
            ("beginner", "fullest", "open"),
            ("random", "emptiest", "hidden"),
            ("choose", "fullest", "hidden"),
            ("choose", "emptiest", "open"),
        )
    }
    | {
        f"2-{ending}-{ties}": Wanted(2, ending, {"boards": "random", "ties": ties}, 1)
        for ending in ("estate", "order")
        for ties in ("fullest", "emptiest")
    }
    | {
        f"{seats}-board-{board}": Wanted(seats, "points", {"boards": str(board)}, 1)
        for board, seats in zip(BOARDS, cycle((2, 3, 4)), strict=False)
    }
)

WANTED: dict[str, dict[str, Wanted]] = {"kogge": KOGGE_GAMES, "burgundy": BURGUNDY_GAMES}
"""The games by title and file name."""
