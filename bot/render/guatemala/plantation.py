"""The picture of the plantation board and the pieces on it."""

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
from bot.render.asked import LayeredCanvas, Place, centred, rectangle
from bot.render.fonts import Face
from bot.render.guatemala import pieces
from bot.render.guatemala.pieces import COLOURS, FINEST, ZONE_LOOKS, GuatemalaMarks
from bot.render.panels import frame, gain
from bot.render.sides import SIDE_LOOKS, light_emblem
from bot.render.sprites import Align, Area, Canvas, Pen, Point, Spot

_PIER = 0.72
"""Share of the sea's height for a dock; the quay is below it."""
_HOUSE = ((-44, -6), (0, -42), (44, -6), (30, -6), (30, 40), (-30, 40), (-30, -6))
"""The shape behind the price of a hut, in hundredths of a cell's height around its middle."""
_PENNANT = 22
"""Pixels of a port's pennant to the left of the port."""
_DOCKS = 0.64
"""Share of a port's height above the prices of its docks."""
_APART = 4
"""Pixels between a piece and the right edge of its cell, for a road."""
ROAD_WIDTH = 16


class PlantationLayout(NamedTuple):
    """The layout of a plantation board on a picture."""

    area: Area
    sea: int
    """Height of the sea."""
    land: Spot
    """The corner of cell a1."""
    cell: Spot
    """Width and height of a cell."""
    columns: int
    """Number of columns shown."""
    dock: int
    """Width of a dock."""


@dataclass(frozen=True)
class PlantationPicture:
    """A plantation board on a picture, or its columns from `first`, as the layout has space."""

    board: PlantationBoard
    plan: PlantationLayout
    first: int = 0

    @property
    def size(self) -> tuple[int, int]:
        """The size of a picture of the board only."""
        return self.plan.area[2:]

    @cached_property
    def columns(self) -> range:
        return range(self.first, self.first + self.plan.columns)

    @cached_property
    def cells(self) -> list[int]:
        """The cells shown, in reading order."""
        return [cell for cell in range(self.board.cells) if self.sees(cell)]

    @cached_property
    def ports(self) -> list[int]:
        """The ports whose corner is shown."""
        ports = enumerate(self.board.ports)
        return [n for n, port in ports if port.corner[0] in self.columns[1:]]

    def sees(self, cell: int) -> bool:
        return cell % self.board.columns in self.columns

    def shows(self, road: Road) -> bool:
        """Return whether a road with both ends is on the picture."""
        (x, _), (end, _) = road.ends
        return self.first <= x and end <= self.columns.stop

    def corner(self, column: int, row: int) -> Spot:
        """Return the upper left corner of the cell in a column and row of the whole board."""
        (left, top), (wide, high) = self.plan.land, self.plan.cell
        return left + (column - self.first) * wide, top + row * high

    def cell(self, cell: int) -> Area:
        row, column = divmod(cell, self.board.columns)
        (left, top), (wide, high) = self.corner(column, row), self.plan.cell
        return left, top, left + wide, top + high

    def road(self, road: Road) -> Area:
        (x, y), (to_x, to_y) = (self.corner(*end) for end in road.ends)
        half = ROAD_WIDTH // 2
        return x - half, y - half, to_x + half, to_y + half

    @cached_property
    def built(self) -> dict[str, Area]:
        """The areas of the cells and roads shown, by name."""
        roads = {road.name: self.road(road) for road in filter(self.shows, self.board.roads)}
        return roads | {self.board.names[cell]: self.cell(cell) for cell in self.cells}

    def dock(self, port: int, dock: int) -> Point:
        """Return the middle of the water in a dock."""
        kind = self.board.ports[port]
        x, y = self.corner(*kind.corner)
        shift = dock - (len(kind.prices) - 1) / 2
        return x + shift * self.plan.dock, y - self.plan.sea * (1 - _PIER / 2) + 2

    @property
    def ship_size(self) -> int:
        return round(min(self.plan.dock * 0.86, self.plan.sea * _PIER))

    def port(self, port: int) -> Area:
        left, _ = self.dock(port, 0)
        right, _ = self.dock(port, len(self.board.ports[port].prices) - 1)
        _, coast = self.corner(*self.board.ports[port].corner)
        half = self.plan.dock / 2
        return round(left - half), coast - self.plan.sea + 4, round(right + half), coast - 4

    # The background

    def paint(self, pen: Pen) -> None:
        """Paint the sea and the land, hut cells, paths and ports."""
        left, top, right, bottom = self.plan.area
        _, coast = self.plan.land
        pen.rect(self.plan.area, COLOURS.sea)
        for number, y in enumerate(range(top + 14, coast - 20, 22)):
            for x in range(left + 20 + 44 * (number % 2), right - 40, 88):
                wave = [(x + n * 1.8, y + 3 * math.sin(n * math.pi / 6)) for n in range(17)]
                pen.line(wave, COLOURS.wave, 2)
        for shift, fill in ((17, COLOURS.shallow), (9, COLOURS.beach)):
            shore = [(x, coast - shift + 3 * math.sin(x / 23)) for x in range(left, right + 4, 4)]
            pen.polygon([(left, bottom), *shore, (right, bottom)], fill)
        for start, look in zip(self.board.zone_starts, ZONE_LOOKS, strict=True):
            _, top, _, _ = self.cell(start)
            pen.rect((left, top, right, bottom), look.land)
            if start:
                pen.line([(left, top), (right, top)], COLOURS.furrow, 3)
        for cell in self.cells:
            self._paint_cell(pen, cell)
        for port in self.ports:
            self._paint_port(pen, port)
        pen.rect((left, bottom, right + 60, bottom + 1), COLOURS.ink)

    def _paint_cell(self, pen: Pen, cell: int) -> None:
        zone, is_closed = self.board.zone_of(cell), self.board.closed_huts >> cell & 1
        left, top, right, bottom = self.cell(cell)
        x, y, high = (left + right) / 2, (top + bottom) / 2, bottom - top
        inside = (left + 4, top + 4, right - 4, bottom - 4)
        is_hut_cell = self.board.hut_cells >> cell & 1

        def around(shape: tuple[Point, ...]) -> list[Point]:
            return [(x + dx * high / 100, y + dy * high / 100) for dx, dy in shape]

        edge = 1.5 if is_closed or is_hut_cell else 1
        pen.rect((left, top, right, bottom), None, COLOURS.furrow, edge)
        if is_closed:
            _paint_cover(pen, inside)
        elif is_hut_cell:
            pen.rect(inside, COLOURS.site, COLOURS.soft, 2, high / 8)
            pen.polygon(around(_HOUSE), COLOURS.shade)
            price = str(CONTENT.zones[zone].hut)
            pen.text((x, y + 1), price, COLOURS.soft, round(high * 0.62), Face.TEXT)
        else:
            for shape in ZONE_LOOKS[zone].shapes:
                pen.polygon(around(shape), ZONE_LOOKS[zone].growth)

    def _paint_port(self, pen: Pen, port: int) -> None:
        """Paint the quay with its docks and prices; crosses on the docks of a closed port."""
        plan, kind, is_open = self.plan, self.board.ports[port], port in self.board.open_ports
        wood, water = (COLOURS.wood, COLOURS.berth) if is_open else (COLOURS.closed, COLOURS.sea)
        x, coast = self.corner(*kind.corner)
        left, top, right, _ = self.port(port)
        quay, half = coast - round(plan.sea * 0.26), plan.dock / 2 - 5
        for dock in range(len(kind.prices)):
            middle, _ = self.dock(port, dock)
            pen.rect((middle - half, top, middle + half, quay), water, None, 0, 8)
        for pier in range(len(kind.prices) + 1):
            at = left + pier * plan.dock
            pen.rect((at - 5, top + 4, at + 5, quay + 4), wood, COLOURS.ink, 1.5, 3)
        pen.rect((left - 8, quay, right + 8, coast - 5), wood, COLOURS.ink, 2, 5)
        pen.rect((x - 11, quay + 4, x + 11, coast + 4), wood, COLOURS.ink, 2, 5)
        pen.rect((x - 9, quay + 2, x + 9, coast - 7), wood)
        size, level = plan.sea * 0.31, (quay + coast - 5) / 2
        for dock, price in enumerate(kind.prices):
            middle, y = self.dock(port, dock)
            if is_open:
                coin = (middle - size / 2, level - size / 2, middle + size / 2, level + size / 2)
                pen.ellipse(coin, COLOURS.gold, COLOURS.ink, 2)
                pen.text((middle, level), str(price), COLOURS.ink, round(size * 0.8), Face.TEXT)
            else:
                pen.line([(middle - 16, y - 16), (middle + 16, y + 16)], wood, 6)
                pen.line([(middle - 16, y + 16), (middle + 16, y - 16)], wood, 6)

    def draw_labels(self, canvas: Canvas) -> None:
        """Draw the letters of columns, the numbers of rows and ports, and the workers' prices in
        the right margin."""
        columns, (wide, high) = self.columns, self.plan.cell
        (left, _), (right, bottom) = self.corner(self.first, 0), self.corner(columns.stop, ROWS)
        for row in range(ROWS):
            level = self.corner(0, row)[1] + high // 2
            canvas.text(left - 16, level, str(row + 1), COLOURS.soft, 28, align=Align.CENTRE)
        for column in columns:
            x, name = self.corner(column, 0)[0] + wide // 2, self.board.names[column][:1]
            canvas.text(x, bottom + 14, name, COLOURS.soft, 28, align=Align.CENTRE)
        for port in self.ports:
            start, level, _, _ = self.port(port)
            canvas.stamp_centred(pieces.pennant(port + 1, 32), start, level + 22)
        for zone_start, zone in zip(self.board.zone_starts, CONTENT.zones, strict=True):
            _, top, _, _ = self.cell(zone_start)
            x, y = (right + self.plan.area[2]) // 2, top + zone.rows * high // 2
            canvas.stamp_centred(pieces.any_worker(52), x, y - 26)
            canvas.stamp_centred(pieces.price(zone.worker, 42), x, y + 24)

    # The pieces

    def draw(
        self, canvas: LayeredCanvas, state: GuatemalaState, letters: str, marks: GuatemalaMarks
    ) -> None:
        """Draw plantations, roads and ships, with frames around new pieces."""
        for seat, colour in product(range(len(state.players)), range(COFFEES)):
            self._draw_cells(canvas, state, seat, colour, letters)
        for number, road in enumerate(self.board.roads):
            if self.shows(road) and (self.board.has_paths or number in state.roads):
                left, top, right, bottom = area = self.road(road)
                length, upright = max(right - left, bottom - top) - ROAD_WIDTH, _is_upright(area)
                sprite = pieces.path(length, upright, bool(self.board.open_roads >> number & 1))
                if number in state.roads:
                    sprite = pieces.built_road(length + 4, ROAD_WIDTH, upright)
                canvas.stamp_centred(sprite, (left + right) / 2, (top + bottom) / 2)
        for port in self.ports:
            for dock, colour in enumerate(state.ports[port]):
                ship = pieces.piece(piece_of(SHIP, colour), self.ship_size, letters)
                canvas.stamp_centred(ship, *self.dock(port, dock))
        self._draw_marks(canvas, state, letters, marks)
        self._note_places(canvas)

    def _draw_cells(
        self, canvas: LayeredCanvas, state: GuatemalaState, seat: Seat, colour: int, letters: str
    ) -> None:
        """Draw the cells of a plantation in the owner's colour, their pieces and a hedge around
        them."""
        player, (wide, high) = state.players[seat], self.plan.cell
        cells, sign = player.cells(colour), min(wide // 3, high // 2)
        size, shown = min(high - 4, wide - sign + 1), list(filter(self.sees, cells))
        for cell in shown:
            left, top, right, bottom = self.cell(cell)
            canvas.rect((left, top, right, bottom), SIDE_LOOKS[seat].fill)
            number = piece_of(HUT if cell == player.huts[colour] else WORKER, colour)
            x = min(left + (wide + sign) / 2, right - size / 2 - _APART)
            # A narrow cell has space for a number below.
            y = min((top + bottom) / 2, top + size / 2 + 4)
            canvas.stamp_centred(pieces.rimmed(number, size, letters), x, y)
            canvas.stamp(light_emblem(seat, max(FINEST, sign / 16), sign), left + 6, top + 4)
        for cell in shown:
            left, top, right, bottom = self.cell(cell)
            for other, side in (
                (cell - 1, (left - 2, top - 2, left + 2, bottom + 2)),
                (cell + 1, (right - 2, top - 2, right + 2, bottom + 2)),
                (cell - self.board.columns, (left - 2, top - 2, right + 2, top + 2)),
                (cell + self.board.columns, (left - 2, bottom - 2, right + 2, bottom + 2)),
            ):
                if other not in cells or not self.board.around[cell] >> other & 1:
                    canvas.rect(side, COLOURS.ink)

    def _draw_marks(
        self, canvas: LayeredCanvas, state: GuatemalaState, letters: str, marks: GuatemalaMarks
    ) -> None:
        """Draw frames around new and harvested pieces, and ships that left at free docks."""
        huts = [state.players[seat].huts[colour] for seat, colour in sorted(marks.harvested)]
        built = self.built
        areas = [built[place] for place in sorted(marks.built) if place in built]
        for port in self.ports:
            if self.board.ports[port].name in marks.built and state.ports[port]:
                x, y = map(round, self.dock(port, len(state.ports[port]) - 1))
                half = self.ship_size // 2
                areas.append((x - half, y - half, x + half, y + half))
        areas += [self.cell(hut) for hut in huts if hut != NONE and self.sees(hut)]
        for left, top, right, bottom in areas:
            canvas.stamp(frame(right - left, bottom - top), left - 4, top - 4)
        for name, colour in marks.left:
            port = self.board.port_of_name[name]
            if port in self.ports:
                free = min(len(state.ports[port]), len(self.board.ports[port].prices) - 1)
                (across, level), size = self.dock(port, free), self.ship_size * 5 // 8
                ship = pieces.piece(piece_of(SHIP, colour), size, letters)
                canvas.stamp_centred(ship, across, level - size * 0.3)
                canvas.stamp_centred(gain(-1, 28), across, level + size * 0.55)

    # Places

    def _note_places(self, canvas: LayeredCanvas) -> None:
        board = self.board
        for cell in self.cells:
            left, top, right, bottom = area = self.cell(cell)
            is_hut_cell = board.hut_cells >> cell & 1
            canvas.note("place", board.names[cell], rectangle if is_hut_cell else centred, area)
            if is_hut_cell:
                # Its price.
                x, y, half = (left + right) / 2, (top + bottom) / 2, (bottom - top) * 0.26
                canvas.reserve((x - half, y - half, x + half, y + half))
        for road in filter(self.shows, board.roads):
            canvas.note("place", road.name, _road_place, self.road(road))
        for port in self.ports:
            canvas.note("place", board.ports[port].name, _port_place, self.port(port))
        for strip in sorted({board.strip_of(cell) for cell in self.cells}):
            for number, zone in enumerate(CONTENT.zones):
                canvas.note("region", f"{strip + 1}{zone.key}", self._region, strip, number)

    def _region(self, strip: int, zone: int) -> Place:
        """Return the place of a region, as far as it is shown.

        It is a little smaller, so that the frames of neighbours do not touch.
        """
        parts = {cell: (self.board.strip_of(cell), self.board.zone_of(cell)) for cell in self.cells}
        shown = [cell for cell, part in parts.items() if part == (strip, zone)]
        (left, top, _, _), (_, _, right, bottom) = self.cell(shown[0]), self.cell(shown[-1])
        return centred((left + 9, top + 9, right - 9, bottom - 9))


def _paint_cover(pen: Pen, area: Area) -> None:
    """Paint boards nailed over a hut cell."""
    left, top, right, bottom = area
    pen.rect(area, COLOURS.closed, COLOURS.soft, 2, 5)
    high = (bottom - top) / 3
    for plank in (1, 2):
        y = top + plank * high
        pen.line([(left + 2, y), (right - 2, y)], COLOURS.soft, 1.5)
    for x, plank in product((left + 7, right - 7), range(3)):
        y = top + (plank + 0.5) * high
        pen.ellipse((x - 2, y - 2, x + 2, y + 2), COLOURS.soft)


def _is_upright(area: Area) -> bool:
    return area[2] - area[0] == ROAD_WIDTH


def _road_place(area: Area) -> Place:
    """Return the place of a road without its ends, which it may share with other roads and
    prices."""
    (left, top, right, bottom), half = area, ROAD_WIDTH // 2
    if _is_upright(area):
        return rectangle((left, top + half, right, bottom - half))
    return rectangle((left + half, top, right - half, bottom))


def _port_place(area: Area) -> Place:
    """Return the place of a port: docks and pennant, with the tag ashore, so that ships and prices
    stay visible."""
    left, top, right, bottom = area
    docks = (left - _PENNANT, top, right, top + round((bottom - top) * _DOCKS))
    return rectangle(docks, ((left + right) / 2, bottom + 20))
