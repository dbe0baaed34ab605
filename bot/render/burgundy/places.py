"""Where the words of Burgundy's notation are: on the board, in the depots, in an estate."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.burgundy.view import BurgundyView
from bot.render.asked import AskedWords, Place, Places, rectangle
from bot.render.burgundy.board import board_area
from bot.render.burgundy.depots import Lying, depot_area
from bot.render.burgundy.layout import DepotPlan
from bot.render.burgundy.panel import PanelArtist
from bot.render.burgundy.pieces import corners

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
    if asked.param == "depot" or (asked.param == "tile" and asked.kind != "place"):
        return DEPOTS
    if asked.param in ("space", "good", "tile", "discard") and view.observer >= 0:
        return str(view.observer)
    return None


def in_depots(asked: AskedWords, plan: DepotPlan, lying: Sequence[Lying]) -> Places:
    """Depots, or the tiles of the depot that has been chosen."""
    if asked.param == "depot":
        return {word: [rectangle(depot_area(plan, word))] for word in asked.words}
    if asked.param != "tile" or asked.kind == "place":
        return {}
    here = asked.prefix[-1]
    return {
        word: [
            Place(tuple(corners(each.x, each.y, plan.tile)))
            for each in lying
            if (each.depot, each.tile) == (here, word)
        ]
        for word in asked.words
    }


def in_estate(asked: AskedWords, artist: PanelArtist) -> Places:
    """What the observer's own panel shows."""
    match asked.param:
        case "space":
            return {word: [artist.space(word)] for word in asked.words}
        case "die":
            return {word: artist.dice.get(word, []) for word in asked.words}
        case "good":
            return {word: artist.good(word) for word in asked.words}
        case "discard":
            return {word: artist.stored(word) for word in asked.words}
        case "tile" if asked.kind == "place":
            return {word: artist.stored(word) for word in asked.words}
    return {}


def in_gallery(asked: AskedWords) -> Places:
    """The estates to choose from."""
    if asked.param != "board":
        return {}
    return {word: [rectangle(board_area(int(word)))] for word in asked.words}
