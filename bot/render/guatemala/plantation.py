"""The plantation board: sea, zones, hut cells, paths and ports, and what has been built on it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

from bot.game.contract import Seat
from bot.game.guatemala.data import COLOURS as COFFEES
from bot.game.guatemala.data import CONTENT, HUT, ROWS, SHIP, WORKER
from bot.game.guatemala.data import piece as piece_of
from bot.game.guatemala.plantation import PlantationBoard, Road
from bot.game.guatemala.state import NONE, GuatemalaState
from bot.render.asked import Place, Sheet, middled, rectangle
from bot.render.fonts import Face
from bot.render.guatemala import pieces
from bot.render.guatemala.marks import GuatemalaMarks
from bot.render.guatemala.pieces import COLOURS, FINEST, ZONE_LOOKS
from bot.render.panels import frame, gain
from bot.render.sides import SIDE_LOOKS, light_emblem
from bot.render.sprites import Align, Area, Canvas, Pen, Point, Spot

_PIER = 0.72
"""Share of the sea's height that a dock takes; the quay lies below it."""
_HOUSE = ((-44, -6), (0, -42), (44, -6), (30, -6), (30, 40), (-30, 40), (-30, -6))
"""Under the price of a hut, in hundredths of a cell's height around its middle."""
_PENNANT = 22
"""Pixels that a port's number reaches out to its left."""
_DOCKS = 0.64
"""Share of a port's height above the prices of its docks."""
_APART = 4
"""Pixels between a piece and the right edge of its cell, where there may be a road."""
ROAD_WIDTH = 16


class GroundPlan(NamedTuple):
    """Where a plantation board lies, and how large its cells are: the sea is so high above the
    land, whose corner is that of cell a1; so many columns are seen; from dock to dock."""

    area: Area
    sea: int
    land: Spot
    cell: Spot
    columns: int
    dock: int


@dataclass(frozen=True)
class Ground:
    """A plantation board on a picture, or as many of its columns as the plan has, from `first`."""

    board: PlantationBoard
    plan: GroundPlan
    first: int = 0

    @cached_property
    def columns(self) -> range:
        """The columns that can be seen."""
        return range(self.first, self.first + self.plan.columns)

    @cached_property
    def cells(self) -> list[int]:
        """The cells that can be seen, in reading order."""
        return [cell for cell in range(self.board.cells) if self.sees(cell)]

    @cached_property
    def ports(self) -> list[int]:
        """The ports whose corner can be seen."""
        inner = self.columns[1:]
        return [n for n, port in enumerate(self.board.ports) if port.corner[0] in inner]

    def sees(self, cell: int) -> bool:
        """Whether a cell can be seen."""
        return cell % self.board.columns in self.columns

    def shows(self, road: Road) -> bool:
        """Whether a road lies on the picture, its ends included."""
        (x, _), (end, _) = road.ends
        return self.first <= x and end <= self.columns.stop

    def corner(self, column: int, row: int) -> Spot:
        """The upper left corner of the cell in this column and row of the whole board."""
        (left, top), (wide, high) = self.plan.land, self.plan.cell
        return left + (column - self.first) * wide, top + row * high

    def cell(self, cell: int) -> Area:
        """A cell."""
        row, column = divmod(cell, self.board.columns)
        return (*self.corner(column, row), *self.corner(column + 1, row + 1))

    @property
    def land(self) -> Area:
        """All cells."""
        columns = self.columns
        return (*self.corner(columns.start, 0), *self.corner(columns.stop, ROWS))

    def region(self, strip: int, zone: int) -> Area:
        """A zone of a strip, as far as it can be seen."""
        board = self.board
        seen = [
            cell
            for cell in self.cells
            if (board.strip_of(cell), board.zone_of(cell)) == (strip, zone)
        ]
        return (*self.cell(seen[0])[:2], *self.cell(seen[-1])[2:])

    def road(self, road: Road) -> Area:
        """What a road covers."""
        (x, y), (to_x, to_y) = (self.corner(*end) for end in road.ends)
        half = ROAD_WIDTH // 2
        return x - half, y - half, to_x + half, to_y + half

    def dock(self, port: int, dock: int) -> Point:
        """The middle of the water in a dock."""
        kind = self.board.ports[port]
        x, y = self.corner(*kind.corner)
        shift = dock - (len(kind.prices) - 1) / 2
        return x + shift * self.plan.dock, y - self.plan.sea * (1 - _PIER / 2) + 2

    @property
    def berth(self) -> int:
        """The size of a ship in a dock."""
        return round(min(self.plan.dock * 0.86, self.plan.sea * _PIER))

    def port(self, port: int) -> Area:
        """A port, all of its docks."""
        left, _ = self.dock(port, 0)
        right, _ = self.dock(port, len(self.board.ports[port].prices) - 1)
        _, coast = self.corner(*self.board.ports[port].corner)
        half = self.plan.dock / 2
        return round(left - half), coast - self.plan.sea + 4, round(right + half), coast - 4


# What never changes


def paint_plantation(pen: Pen, ground: Ground) -> None:
    """The sea and the land, hut cells, paths and ports."""
    left, top, right, bottom = ground.plan.area
    _, coast = ground.plan.land
    pen.rect(ground.plan.area, COLOURS.sea)
    for number, y in enumerate(range(top + 14, coast - 20, 22)):
        for x in range(left + 20 + 44 * (number % 2), right - 40, 88):
            wave = [(x + n * 1.8, y + 3 * math.sin(n * math.pi / 6)) for n in range(17)]
            pen.line(wave, COLOURS.wave, 2)
    for shift, fill in ((17, COLOURS.shallow), (9, COLOURS.beach)):
        shore = [(x, coast - shift + 3 * math.sin(x / 23)) for x in range(left, right + 4, 4)]
        pen.polygon([(left, bottom), *shore, (right, bottom)], fill)
    for start, look in zip(ground.board.zone_starts, ZONE_LOOKS, strict=True):
        _, top, _, _ = ground.cell(start)
        pen.rect((left, top, right, bottom), look.land)
        if start:
            pen.line([(left, top), (right, top)], COLOURS.furrow, 3)
    for cell in ground.cells:
        _paint_cell(pen, ground, cell)
    for port in ground.ports:
        _paint_port(pen, ground, port)
    pen.rect((left, bottom, right + 60, bottom + 1), COLOURS.ink)


def _paint_cell(pen: Pen, ground: Ground, cell: int) -> None:
    board, zone = ground.board, ground.board.zone_of(cell)
    left, top, right, bottom = ground.cell(cell)
    x, y, high = (left + right) / 2, (top + bottom) / 2, bottom - top
    inside = (left + 4, top + 4, right - 4, bottom - 4)

    def around(shape: tuple[Point, ...]) -> list[Point]:
        return [(x + dx * high / 100, y + dy * high / 100) for dx, dy in shape]

    if board.closed_huts >> cell & 1:
        pen.rect((left, top, right, bottom), None, COLOURS.furrow, 1.5)
        _paint_cover(pen, inside)
    elif board.hut_cells >> cell & 1:
        pen.rect((left, top, right, bottom), None, COLOURS.furrow, 1.5)
        pen.rect(inside, COLOURS.site, COLOURS.soft, 2, high / 8)
        pen.polygon(around(_HOUSE), COLOURS.shade)
        price = str(CONTENT.zones[zone].hut)
        pen.text((x, y + 1), price, COLOURS.soft, round(high * 0.62), Face.TEXT)
    else:
        pen.rect((left, top, right, bottom), None, COLOURS.furrow, 1)
        for shape in ZONE_LOOKS[zone].shapes:
            pen.polygon(around(shape), ZONE_LOOKS[zone].growth)


def _paint_cover(pen: Pen, area: Area) -> None:
    """Boards nailed over a hut cell."""
    left, top, right, bottom = area
    pen.rect(area, COLOURS.closed, COLOURS.soft, 2, 5)
    high = (bottom - top) / 3
    for plank in (1, 2):
        y = top + plank * high
        pen.line([(left + 2, y), (right - 2, y)], COLOURS.soft, 1.5)
    for x in (left + 7, right - 7):
        for plank in range(3):
            y = top + (plank + 0.5) * high
            pen.ellipse((x - 2, y - 2, x + 2, y + 2), COLOURS.soft)


def _paint_port(pen: Pen, ground: Ground, port: int) -> None:
    """The quay with its docks and their prices; one that is closed is boarded up."""
    board, plan = ground.board, ground.plan
    kind, is_open = board.ports[port], port in board.open_ports
    wood, water = (COLOURS.wood, COLOURS.berth) if is_open else (COLOURS.closed, COLOURS.sea)
    x, coast = ground.corner(*kind.corner)
    left, top, right, _ = ground.port(port)
    quay = coast - round(plan.sea * 0.26)
    for dock in range(len(kind.prices)):
        middle, _ = ground.dock(port, dock)
        half = plan.dock / 2 - 5
        pen.rect((middle - half, top, middle + half, quay), water, None, 0, 8)
    for pier in range(len(kind.prices) + 1):
        at = left + pier * plan.dock
        pen.rect((at - 5, top + 4, at + 5, quay + 4), wood, COLOURS.ink, 1.5, 3)
    pen.rect((left - 8, quay, right + 8, coast - 5), wood, COLOURS.ink, 2, 5)
    pen.rect((x - 11, quay + 4, x + 11, coast + 4), wood, COLOURS.ink, 2, 5)
    pen.rect((x - 9, quay + 2, x + 9, coast - 7), wood)
    size = plan.sea * 0.31
    for dock, price in enumerate(kind.prices):
        middle, y = ground.dock(port, dock)
        if is_open:
            y, half = (quay + coast - 5) / 2, size / 2
            box = (middle - half, y - half, middle + half, y + half)
            pen.ellipse(box, COLOURS.gold, COLOURS.ink, 2)
            pen.text((middle, y), str(price), COLOURS.ink, round(size * 0.8), Face.TEXT)
        else:
            pen.line([(middle - 16, y - 16), (middle + 16, y + 16)], wood, 6)
            pen.line([(middle - 16, y + 16), (middle + 16, y - 16)], wood, 6)


def letter_plantation(canvas: Canvas, ground: Ground) -> None:
    """Letters of columns, numbers of rows and of ports, and what a worker costs in each zone, which
    stands in the right margin."""
    board, (wide, high) = ground.board, ground.plan.cell
    left, _, right, bottom = ground.land
    for row in range(ROWS):
        _, top = ground.corner(ground.first, row)
        name = board.names[row * board.columns][1:]
        canvas.text(left - 16, top + high // 2, name, COLOURS.soft, 28, align=Align.CENTRE)
    for column in ground.columns:
        x, _ = ground.corner(column, 0)
        name = board.names[column][:1]
        canvas.text(x + wide // 2, bottom + 14, name, COLOURS.soft, 28, align=Align.CENTRE)
    for port in ground.ports:
        start, level, _, _ = ground.port(port)
        canvas.stamp_centred(pieces.pennant(port + 1, 32), start, level + 22)
    for start, zone in zip(board.zone_starts, CONTENT.zones, strict=True):
        _, top, _, _ = ground.cell(start)
        x, y = (right + ground.plan.area[2]) // 2, top + zone.rows * high // 2
        canvas.stamp_centred(pieces.any_worker(52), x, y - 26)
        canvas.stamp_centred(pieces.price(zone.worker, 42), x, y + 24)


# What is built


def draw_plantation(
    sheet: Sheet, state: GuatemalaState, letters: str, ground: Ground, marks: GuatemalaMarks
) -> None:
    """Plantations, roads and ships; around what has just been built there are frames."""
    board = ground.board
    for seat, colour in product(range(len(state.players)), range(COFFEES)):
        _draw_cells(sheet, state, ground, seat, colour, letters)
    for number, road in enumerate(board.roads):
        if ground.shows(road) and (board.has_paths or number in state.roads):
            left, top, right, bottom = area = ground.road(road)
            length, upright = max(right - left, bottom - top) - ROAD_WIDTH, _is_upright(area)
            sprite = pieces.path(length, upright, bool(board.open_roads >> number & 1))
            if number in state.roads:
                sprite = pieces.laid_road(length + 4, ROAD_WIDTH, upright)
            sheet.stamp_centred(sprite, (left + right) / 2, (top + bottom) / 2)
    for port in ground.ports:
        for dock, colour in enumerate(state.ports[port]):
            ship = pieces.piece(piece_of(SHIP, colour), ground.berth, letters)
            sheet.stamp_centred(ship, *ground.dock(port, dock))
    _draw_marks(sheet, state, letters, ground, marks)
    _note_places(sheet, ground)


def _draw_cells(
    sheet: Sheet, state: GuatemalaState, ground: Ground, seat: Seat, colour: int, letters: str
) -> None:
    """The cells of a plantation in their owner's colour, with a hedge around them all, and what
    stands there."""
    player = state.players[seat]
    cells = player.cells(colour)
    wide, high = ground.plan.cell
    sign = min(wide // 3, high // 2)
    size = min(high - 4, wide - sign + 1)
    seen = list(filter(ground.sees, cells))
    for cell in seen:
        left, top, right, bottom = ground.cell(cell)
        sheet.rect((left, top, right, bottom), SIDE_LOOKS[seat].fill)
        what = piece_of(HUT if cell == player.huts[colour] else WORKER, colour)
        x = min(left + (wide + sign) / 2, right - size / 2 - _APART)
        # In a narrow cell there is room for a number below.
        y = min((top + bottom) / 2, top + size / 2 + 4)
        sheet.stamp_centred(pieces.rimmed(what, size, letters), x, y)
        sheet.stamp(light_emblem(seat, max(FINEST, sign / 16), sign), left + 6, top + 4)
    for cell in seen:
        left, top, right, bottom = ground.cell(cell)
        beside = ground.board.around[cell]
        for other, side in (
            (cell - 1, (left - 2, top - 2, left + 2, bottom + 2)),
            (cell + 1, (right - 2, top - 2, right + 2, bottom + 2)),
            (cell - ground.board.columns, (left - 2, top - 2, right + 2, top + 2)),
            (cell + ground.board.columns, (left - 2, bottom - 2, right + 2, bottom + 2)),
        ):
            if other not in cells or not beside >> other & 1:
                sheet.rect(side, COLOURS.ink)


def _draw_marks(
    sheet: Sheet, state: GuatemalaState, letters: str, ground: Ground, marks: GuatemalaMarks
) -> None:
    """Around what was built and harvested; ships that have left, at the docks free for them."""
    board, areas = ground.board, list[Area]()
    for place in sorted(marks.built):
        if place in board.road_of_name:
            road = board.roads[board.road_of_name[place]]
            areas += [ground.road(road)] * ground.shows(road)
        elif place in board.cell_of_name:
            cell = board.cell_of_name[place]
            areas += [ground.cell(cell)] * ground.sees(cell)
        elif (port := board.port_of_name[place]) in ground.ports and state.ports[port]:
            x, y = ground.dock(port, len(state.ports[port]) - 1)
            half = ground.berth // 2
            areas.append((round(x) - half, round(y) - half, round(x) + half, round(y) + half))
    for seat, colour in sorted(marks.harvested):
        hut = state.players[seat].huts[colour]
        if hut != NONE and ground.sees(hut):
            areas.append(ground.cell(hut))
    for left, top, right, bottom in areas:
        sheet.stamp(frame(right - left, bottom - top), left - 4, top - 4)
    for place, colour in marks.left:
        port = board.port_of_name[place]
        if port in ground.ports:
            free = min(len(state.ports[port]), len(board.ports[port].prices) - 1)
            (x, y), size = ground.dock(port, free), ground.berth * 5 // 8
            ship = pieces.piece(piece_of(SHIP, colour), size, letters)
            sheet.stamp_centred(ship, x, y - size * 0.3)
            sheet.stamp_centred(gain(-1, 28), x, y + size * 0.55)


# Where words lie


def _note_places(sheet: Sheet, ground: Ground) -> None:
    board = ground.board
    for cell in ground.cells:
        left, top, right, bottom = area = ground.cell(cell)
        if board.hut_cells >> cell & 1:
            sheet.note("place", board.names[cell], rectangle, area)
            # Its price.
            x, y, half = (left + right) / 2, (top + bottom) / 2, (bottom - top) * 0.26
            sheet.keep((x - half, y - half, x + half, y + half))
        else:
            sheet.note("place", board.names[cell], middled, area)
    for road in filter(ground.shows, board.roads):
        sheet.note("place", road.name, _stretch, ground.road(road))
    for port in ground.ports:
        sheet.note("place", board.ports[port].name, _harbour, ground.port(port))
    for strip in sorted({board.strip_of(cell) for cell in ground.cells}):
        for number, zone in enumerate(CONTENT.zones):
            sheet.note("region", f"{strip + 1}{zone.key}", _field, ground, strip, number)


def _is_upright(area: Area) -> bool:
    """Whether a road with this area leads down."""
    return area[2] - area[0] == ROAD_WIDTH


def _stretch(area: Area) -> Place:
    """A road without its ends, where others begin and the prices of docks may be."""
    left, top, right, bottom = area
    if _is_upright(area):
        return rectangle((left, top + ROAD_WIDTH // 2, right, bottom - ROAD_WIDTH // 2))
    return rectangle((left + ROAD_WIDTH // 2, top, right - ROAD_WIDTH // 2, bottom))


def _field(ground: Ground, strip: int, zone: int) -> Place:
    """A region, within its edges so that the frames of neighbours stand apart."""
    left, top, right, bottom = ground.region(strip, zone)
    return middled((left + 9, top + 9, right - 9, bottom - 9))


def _harbour(area: Area) -> Place:
    """The docks of a port with its pennant, its tag ashore: neither hides ships or prices."""
    left, top, right, bottom = area
    place = rectangle((left - _PENNANT, top, right, top + round((bottom - top) * _DOCKS)))
    return place._replace(tag=((left + right) / 2, bottom + 20))
