"""The depots of the main board: what lies in them, and what has just been taken out of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.game.burgundy.data import (
    BLACK,
    COLOUR_OF,
    CONTENT,
    DEPOT_WORDS,
    GOODS_LETTERS,
    TILE_OF_KEY,
    filled,
    numbers_for,
)
from bot.game.burgundy.view import BurgundyView, DepotView
from bot.render.asked import Sheet, rectangle, square
from bot.render.burgundy import pieces
from bot.render.burgundy.layout import COLOURS, ON_BOARD, DepotPlan
from bot.render.burgundy.marks import Marks
from bot.render.layout import Area, Spot
from bot.render.sides import emblem

_GOOD, _COUNT = 40, 28
_SMALL_GOOD, _SMALL_COUNT = 34, 22
_ROOMY = 4
"""Up to so many kinds, the goods in a depot are drawn large."""


class TilePlace(NamedTuple):
    """A place in a depot: its colour, its tile if any, and the seat that has just emptied it."""

    colour: int
    tile: str = ""
    taker: int | None = None


def draw_depots(sheet: Sheet, view: BurgundyView, marks: Marks, plan: DepotPlan = ON_BOARD) -> None:
    """The six numbered depots with their goods, and the black one with its price."""
    for depot in view.depots:
        gone = [(tile, seat) for place, tile, seat in marks.taken if place == depot.depot]
        number = DEPOT_WORDS.index(depot.depot)
        if number == BLACK:
            left, top, _, bottom = area = plan.black
            x, middle = left + _scaled(plan, 152), (top + bottom) // 2
            size = _scaled(plan, 46)
            end = sheet.text(left + 24, middle, str(CONTENT.price), COLOURS.cream, size)
            sheet.stamp_beside(pieces.icon("silverling", _scaled(plan, 56)), end + 8, middle)
            spots = _row(depot.tiles, gone)[: numbers_for(len(view.seats)).black_depot]
        else:
            left, top, _, _ = area = plan.depots[number]
            size = _scaled(plan, 68)
            x, middle = left + size + 26, top + plan.head + plan.tile
            sheet.stamp(pieces.die(number + 1, False, size), left + 13, top + 15)
            phase = CONTENT.phases.index(view.phase) if view.phase else 0
            spots = _spots(depot.tiles, filled(number, len(view.seats), phase), gone)
            _goods(sheet, plan, depot, area, marks)
        _lay(sheet, plan.tile, depot.depot, spots, (x, middle))
        sheet.note("depot", depot.depot, rectangle, area)


def _lay(sheet: Sheet, radius: int, depot: str, spots: Sequence[TilePlace], at: Spot) -> None:
    """Tiles side by side; a place from which one was just taken shows who took it."""
    x, middle = at
    half = pieces.half_width(radius)
    ground = COLOURS.night if depot == DEPOT_WORDS[BLACK] else COLOURS.paper
    for spot in spots:
        if spot.tile:
            sheet.stamp(pieces.tile(spot.tile, radius), x, middle - radius)
            sheet.note(depot, spot.tile, pieces.hexagon, x + half, middle, radius)
        else:
            sheet.stamp(pieces.ghost(spot.colour, ground, radius), x, middle - radius)
        if spot.taker is not None:
            sheet.stamp(pieces.ring(radius), x - 6, middle - radius - 6)
            sheet.stamp_centred(emblem(spot.taker, 44), x + half, middle)
        x += round(2 * half) + 1


def _scaled(plan: DepotPlan, pixels: int) -> int:
    """Pixels of the board converted to a picture with tiles of another size."""
    return round(pixels * plan.tile / ON_BOARD.tile)


def _row(tiles: Sequence[str], gone: Sequence[tuple[str, int]]) -> list[TilePlace]:
    """Tiles in a row, and behind them those just taken."""
    row = [TilePlace(_colour(tile), tile) for tile in tiles]
    return row + [TilePlace(_colour(tile), taker=seat) for tile, seat in gone]


def _spots(
    tiles: Sequence[str], colours: Sequence[int], gone: Sequence[tuple[str, int]]
) -> list[TilePlace]:
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
        spots.append(TilePlace(colour, tile, last[1] if last else None))
    return spots


def _colour(key: str) -> int:
    return COLOUR_OF[TILE_OF_KEY[key]]


def _goods(sheet: Sheet, plan: DepotPlan, depot: DepotView, area: Area, marks: Marks) -> None:
    left, _, right, bottom = area
    middle = bottom - _scaled(plan, 28)
    held = [(kind, count) for kind, count in enumerate(depot.goods) if count]
    sizes = (_GOOD, _COUNT) if len(held) <= _ROOMY else (_SMALL_GOOD, _SMALL_COUNT)
    size, text = (_scaled(plan, each) for each in sizes)
    x = left + 14
    for kind, count in held:
        if (depot.depot, GOODS_LETTERS[kind]) in marks.new_goods:
            sheet.stamp_centred(pieces.halo(size + 11), x + size // 2, middle)
        word = GOODS_LETTERS[kind]
        sheet.note(f"goods {depot.depot}", word, square, x, middle - size // 2, size)
        x = sheet.stamp_beside(pieces.good(kind, size), x, middle) + 3
        if count > 1:
            x = sheet.text(x, middle, f"×{count}", COLOURS.ink, text)
        x += 6
    for word, seat in marks.loaded:
        if word == depot.depot:
            sheet.stamp_beside(pieces.loaded(seat), right - 84, middle)
