"""Where the words of Burgundy's notation are: on the board, in the depots, in an estate."""

from __future__ import annotations

from bot.game.burgundy.view import BurgundyView
from bot.render.asked import AskedWords, Places, Sheet

BOARD = ""
"""The whole table, as the part of it in which a question lies."""
DEPOTS = "depots"
"""The part that is all depots; the others are the seats' estates, by their numbers."""


def parts(view: BurgundyView) -> tuple[str, ...]:
    """What has a close-up: the estates, and the depots once there are tiles in them."""
    estates = tuple(map(str, range(len(view.seats))))
    return (*estates, DEPOTS) if view.phase else estates


def part_asked(view: BurgundyView, asked: AskedWords) -> str | None:
    """The part that the question is about; None for one about no place or piece."""
    if asked.param in ("board", "die"):
        return BOARD
    if asked.param in ("depot", "goods") or (asked.param == "tile" and asked.kind != "place"):
        return DEPOTS
    if asked.param in ("space", "good", "tile", "discard") and view.observer >= 0:
        return str(view.observer)
    return None


def places(_view: BurgundyView, asked: AskedWords, sheet: Sheet) -> Places:
    """Where on a picture the words lie: tiles and goods in the depot chosen before, or stored."""
    what = asked.param
    if what == "discard" or (what == "tile" and asked.kind == "place"):
        what = "stored"
    elif what == "tile":
        what = asked.prefix[-1]
    elif what == "goods":
        what = f"goods {asked.prefix[-1]}"
    return {word: sheet.find(what, word) for word in asked.words}
