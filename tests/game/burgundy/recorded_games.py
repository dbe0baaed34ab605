"""The recorded games of Burgundy."""

from __future__ import annotations

from itertools import cycle

from bot.game.burgundy.data import BOARDS
from tests.recorded.spec import RecordingSpec

EFFECTS = frozenset({"buy", "load", "decline", "sell any", "place any", "take any"})
"""Prefixes of actions that show effects of tiles."""

WANTED = (
    {
        f"{seats}-{boards}-{ties}-{sold}": RecordingSpec(
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
        f"2-{ending}-{ties}": RecordingSpec(2, ending, {"boards": "random", "ties": ties}, 1)
        for ending in ("estate", "order")
        for ties in ("fullest", "emptiest")
    }
    | {
        f"{seats}-board-{board}": RecordingSpec(seats, "points", {"boards": str(board)}, 1)
        for board, seats in zip(BOARDS, cycle((2, 3, 4)), strict=False)
    }
)
