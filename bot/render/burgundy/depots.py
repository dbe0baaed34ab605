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
    SIDES,
    TILE_OF_KEY,
    filled,
    numbers_for,
)
from bot.game.burgundy.view import BurgundyView, DepotView
from bot.render.asked import Place, Sheet, rectangle, square
from bot.render.burgundy import pieces
from bot.render.burgundy.layout import COLOURS, FEWEST, DepotPlan
from bot.render.burgundy.marks import Marks
from bot.render.fonts import wrapped
from bot.render.layout import Area, Spot
from bot.render.picture import Scene
from bot.render.sides import emblem

_LABEL, _LABELLED = 28, 104
"""Pixels of the writing in the black depot, and of the room for it."""
_LARGEST, _COUNTED = 68, 1.66
"""Pixels of goods in a depot, and how much wider they are with their number."""


class TilePlace(NamedTuple):
    """A place in a depot: its colour, its tile if any, and the seat that has just emptied it."""

    colour: int
    tile: str = ""
    taker: int | None = None


def draw_depots(
    sheet: Sheet, scene: Scene[BurgundyView], marks: Marks, plan: DepotPlan, black: Area
) -> None:
    """The six numbered depots with their goods, and the black one with its name and price."""
    view = scene.view
    radius = plan.tiles[len(view.seats) - FEWEST]
    for depot in view.depots:
        gone = [(tile, seat) for place, tile, seat in marks.taken if place == depot.depot]
        number = DEPOT_WORDS.index(depot.depot)
        if number == BLACK:
            area = black
            spots = _row(depot.tiles, gone)[: numbers_for(len(view.seats)).black_depot]
            _black(sheet, plan, radius, spots, area, scene.labels["black"])
        else:
            left, top, _, _ = area = plan.areas[number]
            sheet.stamp(
                pieces.die(number + 1, False, plan.die), left + plan.at[0], top + plan.at[1]
            )
            phase = CONTENT.phases.index(view.phase) if view.phase else 0
            spots = _spots(depot.tiles, filled(number, len(view.seats), phase), gone)
            _lay(sheet, radius, depot.depot, spots, (left + plan.first[0], top + plan.first[1]))
            _goods(sheet, plan, depot, area, marks, len(view.seats) - FEWEST)
        sheet.note("depot", depot.depot, _known_by_die, area)


def _known_by_die(area: Area) -> Place:
    """A depot, which needs no name beside its die."""
    return rectangle(area)._replace(needs_tag=False)


def _black(
    sheet: Sheet,
    plan: DepotPlan,
    radius: int,
    spots: Sequence[TilePlace],
    area: Area,
    label: str,
) -> None:
    """Its name and the price, and beside them the tiles in rows."""
    left, top, _, bottom = area
    middle = (top + bottom) // 2
    lines = wrapped(label, _LABEL, _LABELLED, 2)
    for number, line in enumerate(lines):
        level = middle - 6 - (len(lines) - number) * (_LABEL + 2) + _LABEL // 2
        sheet.text(left + 14, level, line, COLOURS.cream, _LABEL)
    end = sheet.text(left + 14, middle + 24, str(CONTENT.price), COLOURS.cream, 44)
    sheet.stamp_beside(pieces.icon("silverling", 44), end + 6, middle + 24)
    x = left + _LABELLED + 24
    rows = [spots[at : at + plan.in_a_row] for at in range(0, len(spots), plan.in_a_row)]
    for number, row in enumerate(rows):
        level = middle + round((number - (len(rows) - 1) / 2) * (2 * radius - 1))
        _lay(sheet, radius, DEPOT_WORDS[BLACK], row, (x, level))


def _lay(sheet: Sheet, radius: int, depot: str, spots: Sequence[TilePlace], at: Spot) -> None:
    """Tiles side by side; a place from which one was just taken shows who took it."""
    x, middle = at
    half = pieces.half_width(radius)
    ground = COLOURS.night if depot == DEPOT_WORDS[BLACK] else COLOURS.paper
    for number, spot in enumerate(spots):
        if spot.tile:
            sheet.stamp(pieces.tile(spot.tile, radius), x, middle - radius)
            sheet.note(depot, spot.tile, pieces.tagged, x + half, middle, radius, number)
        else:
            sheet.stamp(pieces.ghost(spot.colour, ground, radius), x, middle - radius)
        if spot.taker is not None:
            sheet.stamp(pieces.ring(radius), x - 6, middle - radius - 6)
            sheet.stamp_centred(emblem(spot.taker, 44), x + half, middle)
        x += round(2 * half) + 1


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


def _goods(
    sheet: Sheet, plan: DepotPlan, depot: DepotView, area: Area, marks: Marks, table: int
) -> None:
    """The kinds of goods, as large as they fit beside each other."""
    left, top, _, _ = area
    held = [(kind, count) for kind, count in enumerate(depot.goods) if count]
    start, upper, end, lower = plan.goods[table]
    wide, high = end - start, lower - upper
    share = _COUNTED if any(count > 1 for _, count in held) else 1.0
    size, columns = max(_size_in(n, len(held), wide / share, high) for n in range(1, SIDES + 1))
    rows = -(-len(held) // columns)
    for number, (kind, count) in enumerate(held):
        row, column = divmod(number, columns)
        x = left + start + column * (round(size * share) + 8)
        middle = top + upper + round((row + 0.5) * high / rows)
        word = GOODS_LETTERS[kind]
        if (depot.depot, word) in marks.new_goods:
            sheet.stamp_centred(pieces.halo(size + 8), x + size // 2, middle)
        sheet.note(f"goods {depot.depot}", word, square, x, middle - size // 2, size)
        end_of = sheet.stamp_beside(pieces.good(kind, size), x, middle)
        if count > 1:
            sheet.text(end_of + 3, middle, f"×{count}", COLOURS.ink, round(0.52 * size))
    for word, seat in marks.loaded:
        if word == depot.depot:
            x, level = plan.loaded
            sheet.stamp_beside(pieces.loaded(seat), left + x, top + level)


def _size_in(columns: int, kinds: int, wide: float, high: int) -> tuple[int, int]:
    """How large so many kinds of goods can be in so many columns, and these."""
    rows = max(1, -(-kinds // columns))
    return min(_LARGEST, int(wide / columns) - 8, high // rows - 6), columns
