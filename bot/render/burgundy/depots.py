"""The depots of the main board: what lies in them, and what has just been taken out of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.game.burgundy.data import (
    BLACK,
    COLOUR_OF,
    CONTENT,
    DEPOT_WORDS,
    TILE_OF_KEY,
    filled,
    numbers_for,
)
from bot.game.burgundy.view import DepotView, View
from bot.render.burgundy import pieces
from bot.render.burgundy.layout import COLOURS, LAYOUT
from bot.render.burgundy.marks import Marks
from bot.render.seats import emblem
from bot.render.sprites import Canvas
from bot.render.theme import Colour

_GOOD, _COUNT = 40, 28
_SMALL_GOOD, _SMALL_COUNT = 34, 22
_ROOMY = 4
"""Kinds of goods in a depot up to which they are drawn large."""


class Spot(NamedTuple):
    """A place in a depot: its colour, its tile if any, and the seat that has just emptied it."""

    colour: int
    tile: str = ""
    taker: int | None = None


def draw_depots(canvas: Canvas, view: View, marks: Marks) -> None:
    """The six numbered depots with their goods, and the black one with its price."""
    for depot in view.depots:
        gone = [(tile, seat) for place, tile, seat in marks.taken if place == depot.depot]
        number = DEPOT_WORDS.index(depot.depot)
        if number == BLACK:
            places = numbers_for(len(view.seats)).black_depot
            _black(canvas, _row(depot.tiles, gone)[:places])
        else:
            phase = CONTENT.phases.index(view.phase) if view.phase else 0
            colours = filled(number, len(view.seats), phase)
            _numbered(canvas, number, _spots(depot.tiles, colours, gone))
            _goods(canvas, depot, marks)


def _numbered(canvas: Canvas, number: int, spots: Sequence[Spot]) -> None:
    left, top, _, _ = LAYOUT.depots[number]
    canvas.stamp(pieces.die(number + 1, 68), left + 13, top + 15)
    _lay(canvas, spots, left + 94, top + LAYOUT.tile + 6, COLOURS.paper)


def _black(canvas: Canvas, spots: Sequence[Spot]) -> None:
    left, top, _, bottom = LAYOUT.black
    middle = (top + bottom) // 2
    x = canvas.text(left + 24, middle, str(CONTENT.price), COLOURS.cream, 46)
    canvas.stamp(pieces.icon("silverling", 56), x + 8, middle - 28)
    _lay(canvas, spots, left + 152, middle, COLOURS.night)


def _lay(canvas: Canvas, spots: Sequence[Spot], x: int, middle: int, ground: Colour) -> None:
    """Tiles side by side; a place from which one has just gone shows who took it."""
    radius = LAYOUT.tile
    half = pieces.half_width(radius)
    for place, spot in enumerate(spots):
        at = x + place * (round(2 * half) + 1)
        shown = pieces.ghost(spot.colour, radius, ground)
        if spot.tile:
            shown = pieces.tile(spot.tile, radius)
        canvas.stamp(shown, at, middle - radius)
        if spot.taker is not None:
            canvas.stamp(pieces.ring(radius), at - 6, middle - radius - 6)
            canvas.stamp_centred(emblem(spot.taker, 44), at + half, middle)


def _row(tiles: Sequence[str], gone: Sequence[tuple[str, int]]) -> list[Spot]:
    """Tiles in a row, and behind them those just taken."""
    row = [Spot(_colour(tile), tile) for tile in tiles]
    return row + [Spot(_colour(tile), taker=seat) for tile, seat in gone]


def _spots(
    tiles: Sequence[str], colours: Sequence[int], gone: Sequence[tuple[str, int]]
) -> list[Spot]:
    """The printed places: each tile on the first of its colour, those just taken behind them."""
    left, taken = list(tiles), list(gone)
    spots = []
    for colour in colours:
        tile = next((tile for tile in left if _colour(tile) == colour), "")
        last = None
        if tile:
            left.remove(tile)
        else:
            last = next((each for each in taken if _colour(each[0]) == colour), None)
        if last is not None:
            taken.remove(last)
        spots.append(Spot(colour, tile, last[1] if last else None))
    return spots


def _colour(key: str) -> int:
    return COLOUR_OF[TILE_OF_KEY[key]]


def _goods(canvas: Canvas, depot: DepotView, marks: Marks) -> None:
    left, _, right, bottom = LAYOUT.depots[DEPOT_WORDS.index(depot.depot)]
    middle = bottom - 28
    held = [(kind, count) for kind, count in enumerate(depot.goods) if count]
    size, text = (_GOOD, _COUNT) if len(held) <= _ROOMY else (_SMALL_GOOD, _SMALL_COUNT)
    x = left + 14
    for kind, count in held:
        if (depot.depot, str(kind + 1)) in marks.new_goods:
            canvas.stamp_centred(pieces.halo(size + 11), x + size // 2, middle)
        canvas.stamp(pieces.good(kind, size), x, middle - size // 2)
        x += size + 3
        if count > 1:
            x = canvas.text(x, middle, f"×{count}", COLOURS.ink, text)
        x += 6
    for place, seat in marks.loaded:
        if place == depot.depot:
            canvas.stamp(pieces.loaded(seat), right - 84, middle - 22)
