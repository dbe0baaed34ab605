"""The plantation board: sea, zones, hut cells, paths and ports, and what has been built on it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bot.game.guatemala.data import CONTENT
from bot.game.guatemala.plantation import members
from bot.game.guatemala.view import GuatemalaView, PlantationView
from bot.render.asked import Place, Sheet, rectangle
from bot.render.fonts import Face
from bot.render.guatemala import pieces, signs
from bot.render.guatemala.ground import Ground, middled
from bot.render.guatemala.layout import COLOURS, LAYOUT
from bot.render.guatemala.marks import GuatemalaMarks
from bot.render.guatemala.pieces import Coffees
from bot.render.layout import Area, Spot
from bot.render.panels import gain
from bot.render.sides import SIDE_LOOKS
from bot.render.sprites import Align, Box, Canvas, Pen, Point, Sprite

_HOUSE = ((-44, -6), (0, -42), (44, -6), (30, -6), (30, 40), (-30, 40), (-30, -6))
"""Under the price of a hut, in hundredths of a cell's height around its middle."""
_PENNANT = 22
"""Pixels that a port's number reaches out to its left."""
_DOCKS = 0.64
"""Share of a port's height above the prices of its docks."""
_APART = 4
"""Pixels between a piece and the right edge of its cell, where there may be a road."""


# What never changes


def paint_plantation(pen: Pen, ground: Ground, area: Area) -> None:
    """The sea and the land within an area, hut cells, paths and ports."""
    left, top, right, bottom = area
    _, coast = ground.plan.land
    pen.rect(area, COLOURS.sea)
    for number, y in enumerate(range(top + 14, coast - 20, 22)):
        for x in range(left + 20 + 44 * (number % 2), right - 40, 88):
            pen.line(list(_wave(x, y)), COLOURS.wave, 2)
    for shift, fill in ((17, COLOURS.shallow), (9, COLOURS.beach)):
        shore = [(x, coast - shift + 3 * math.sin(x / 23)) for x in range(left, right + 4, 4)]
        pen.polygon([(left, bottom), *shore, (right, bottom)], fill)
    _zones(pen, ground, area)
    for cell in ground.cells:
        _cell(pen, ground, cell)
    for port in ground.ports:
        _port(pen, ground, port)
    pen.rect((left, bottom, right + 60, bottom + 1), COLOURS.ink)


def _wave(x: float, y: float) -> Iterator[Point]:
    for step in range(17):
        yield x + step * 1.8, y + 3 * math.sin(step * math.pi / 6)


def _zones(pen: Pen, ground: Ground, area: Area) -> None:
    left, _, right, bottom = area
    row = 0
    for zone in CONTENT.zones:
        _, top = ground.corner(ground.first, row)
        pen.rect((left, top, right, bottom), LAYOUT.zones[zone.key].land)
        if row:
            pen.line([(left, top), (right, top)], COLOURS.furrow, 3)
        row += zone.rows


def _cell(pen: Pen, ground: Ground, cell: int) -> None:
    board = ground.board
    left, top, right, bottom = ground.cell(cell)
    x, y, high = (left + right) / 2, (top + bottom) / 2, bottom - top
    zone = CONTENT.zones[board.zone_of(cell)]
    if (board.hut_cells | board.closed_huts) >> cell & 1:
        inside = (left + 4, top + 4, right - 4, bottom - 4)
        pen.rect((left, top, right, bottom), None, COLOURS.furrow, 1.5)
        if board.closed_huts >> cell & 1:
            _cover(pen, inside)
        else:
            pen.rect(inside, COLOURS.site, COLOURS.soft, 2, high / 8)
            house = [(x + dx * high / 100, y + dy * high / 100) for dx, dy in _HOUSE]
            pen.polygon(house, COLOURS.shade)
            pen.text((x, y + 1), str(zone.hut), COLOURS.soft, round(high * 0.62), Face.TEXT)
        return
    pen.rect((left, top, right, bottom), None, COLOURS.furrow, 1)
    look = LAYOUT.zones[zone.key]
    for shape in look.shapes:
        pen.polygon([(x + dx * high / 100, y + dy * high / 100) for dx, dy in shape], look.growth)


def _cover(pen: Pen, area: Area) -> None:
    """Boards nailed over a hut cell."""
    left, top, right, bottom = area
    pen.rect(area, COLOURS.closed, COLOURS.soft, 2, 5)
    high = (bottom - top) / 3
    for plank in (1, 2):
        pen.line(
            [(left + 2, top + plank * high), (right - 2, top + plank * high)], COLOURS.soft, 1.5
        )
    for x in (left + 7, right - 7):
        for plank in range(3):
            y = top + (plank + 0.5) * high
            pen.ellipse((x - 2, y - 2, x + 2, y + 2), COLOURS.soft)


def _port(pen: Pen, ground: Ground, port: int) -> None:
    """The quay with its docks; one that is closed is boarded up."""
    board, plan = ground.board, ground.plan
    kind = board.ports[port]
    is_open = port in board.open_ports
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
            _coin(pen, (middle, (quay + coast - 5) / 2), price, size)
        else:
            pen.line([(middle - 16, y - 16), (middle + 16, y + 16)], wood, 6)
            pen.line([(middle - 16, y + 16), (middle + 16, y - 16)], wood, 6)


def _coin(pen: Pen, at: Point, amount: int, size: float) -> None:
    x, y = at
    half = size / 2
    pen.ellipse((x - half, y - half, x + half, y + half), COLOURS.gold, COLOURS.ink, 2)
    pen.text(at, str(amount), COLOURS.ink, round(size * 0.8), Face.TEXT)


def letter_plantation(canvas: Canvas, ground: Ground, edge: int) -> None:
    """Letters of columns, numbers of rows, and what a worker costs in each zone, which stands in
    the margin that ends at `edge`.
    """
    board, (wide, high) = ground.board, ground.plan.cell
    left, _, right, bottom = ground.land
    for row in range(board.cells // board.columns):
        _, top = ground.corner(ground.first, row)
        name = board.names[row * board.columns][1:]
        canvas.text(left - 16, top + high // 2, name, COLOURS.soft, 28, align=Align.CENTRE)
    for column in ground.columns:
        x, _ = ground.corner(column, 0)
        name = board.names[column][:1]
        canvas.text(x + wide // 2, bottom + 14, name, COLOURS.soft, 28, align=Align.CENTRE)
    for port in ground.ports:
        start, level, _, _ = ground.port(port)
        canvas.stamp_centred(signs.port(port + 1, 32), start, level + 22)
    row = 0
    for zone in CONTENT.zones:
        _, top = ground.corner(ground.first, row)
        y = top + zone.rows * high // 2
        x = (right + edge) // 2
        canvas.stamp_centred(signs.any_worker(52), x, y - 26)
        canvas.stamp_centred(signs.price(zone.worker, 42), x, y + 24)
        row += zone.rows


# What is built


def draw_plantation(
    sheet: Sheet, view: GuatemalaView, coffees: Coffees, ground: Ground, marks: GuatemalaMarks
) -> None:
    """Plantations, roads and ships; around what has just been built there are frames."""
    for seat, owned in enumerate(view.seats):
        for plantation in owned.plantations:
            _plantation(sheet, coffees, ground, seat, plantation)
    board = ground.board
    laid = {board.road_of_name[name] for name in view.roads}
    for number, road in enumerate(board.roads):
        if ground.shows(road) and (board.has_paths or number in laid):
            is_open = bool(board.open_roads >> number & 1)
            _road(sheet, *ground.road(road), number in laid, is_open)
    for port in ground.ports:
        for dock, ship in enumerate(view.ports[port].ships):
            sheet.stamp_centred(coffees.piece("ship", ship, ground.berth), *ground.dock(port, dock))
    _marks(sheet, view, coffees, ground, marks)
    note_places(sheet, ground)


def _plantation(
    sheet: Sheet, coffees: Coffees, ground: Ground, seat: int, plantation: PlantationView
) -> None:
    """Cells in their owner's colour, with a hedge around them all, and what stands there."""
    board, look = ground.board, SIDE_LOOKS[seat]
    names = (*plantation.workers, *((plantation.hut,) if plantation.hut else ()))
    cells = [board.cell_of_name[name] for name in names]
    wide, high = ground.plan.cell
    sign = min(wide // 3, high // 2)
    size = min(high - 4, wide - sign + 1)
    for name, cell in zip(names, cells, strict=True):
        if not ground.sees(cell):
            continue
        left, top, right, bottom = ground.cell(cell)
        sheet.rect((left, top, right, bottom), look.fill)
        kind = "hut" if name == plantation.hut else "worker"
        x = min(left + (wide + sign) / 2, right - size / 2 - _APART)
        # In a narrow cell there is room for a number below.
        y = min((top + bottom) / 2, top + size / 2 + 4)
        sheet.stamp_centred(coffees.rimmed(kind, plantation.colour, size), x, y)
        sheet.stamp(pieces.owner(seat, sign), left + 6, top + 4)
    for cell in cells:
        if ground.sees(cell):
            _hedge(sheet, ground, cell, set(cells))


def _hedge(sheet: Sheet, ground: Ground, cell: int, cells: set[int]) -> None:
    """The sides of a cell where the plantation ends."""
    board = ground.board
    left, top, right, bottom = ground.cell(cell)
    beside = {each for each in members(board.around[cell]) if each in cells}
    for other, side in (
        (cell - 1, (left - 2, top - 2, left + 2, bottom + 2)),
        (cell + 1, (right - 2, top - 2, right + 2, bottom + 2)),
        (cell - board.columns, (left - 2, top - 2, right + 2, top + 2)),
        (cell + board.columns, (left - 2, bottom - 2, right + 2, bottom + 2)),
    ):
        if other not in beside:
            sheet.rect(side, COLOURS.ink)


def _road(sheet: Sheet, start: Spot, end: Spot, is_laid: bool, is_open: bool) -> None:
    """A road, or the path for it."""
    upright = start[0] == end[0]
    length = abs(end[0] - start[0]) + abs(end[1] - start[1])
    sprite = signs.path(length, upright, is_open)
    if is_laid:
        sprite = pieces.laid_road(length + 4, ROAD, upright)
    sheet.stamp_centred(sprite, (start[0] + end[0]) / 2, (start[1] + end[1]) / 2)


ROAD = 16
"""Pixels that a road is thick."""


def road_area(start: Spot, end: Spot) -> Area:
    """What a road covers."""
    half = ROAD // 2
    return start[0] - half, start[1] - half, end[0] + half, end[1] + half


def _marks(
    sheet: Sheet, view: GuatemalaView, coffees: Coffees, ground: Ground, marks: GuatemalaMarks
) -> None:
    board = ground.board
    for place in sorted(marks.built):
        if place in board.cell_of_name:
            cell = board.cell_of_name[place]
            if ground.sees(cell):
                _frame(sheet, ground.cell(cell))
        elif place in board.road_of_name:
            road = board.roads[board.road_of_name[place]]
            if ground.shows(road):
                _frame(sheet, road_area(*ground.road(road)))
        elif board.port_of_name[place] in ground.ports:
            port = board.port_of_name[place]
            ships = view.ports[port].ships
            if ships:
                _at_dock(sheet, ground, port, len(ships) - 1)
    for seat, colour in sorted(marks.harvested):
        hut = view.seats[seat].plantation(colour).hut
        if hut is not None and ground.sees(board.cell_of_name[hut]):
            _frame(sheet, ground.cell(board.cell_of_name[hut]))
    for place, colour in marks.left:
        port = board.port_of_name[place]
        if port in ground.ports:
            ship = coffees.piece("ship", colour, ground.berth * 5 // 8)
            _leaves(sheet, ground, port, len(view.ports[port].ships), ship)


def _frame(sheet: Sheet, area: Area) -> None:
    left, top, right, bottom = area
    sheet.stamp(signs.frame(right - left, bottom - top), left - 4, top - 4)


def _at_dock(sheet: Sheet, ground: Ground, port: int, dock: int) -> None:
    x, y = ground.dock(port, dock)
    half = ground.berth // 2
    _frame(sheet, (round(x) - half, round(y) - half, round(x) + half, round(y) + half))


def _leaves(sheet: Sheet, ground: Ground, port: int, dock: int, ship: Sprite) -> None:
    """A ship that has just left, at the dock that is free for it."""
    x, y = ground.dock(port, min(dock, len(ground.board.ports[port].prices) - 1))
    size = ship.height
    sheet.stamp_centred(ship, x, y - size * 0.3)
    sheet.stamp_centred(gain(-1, 28), x, y + size * 0.55)


def note_places(sheet: Sheet, ground: Ground) -> None:
    """Where the words of cells, roads, ports and regions lie."""
    board = ground.board
    for cell in ground.cells:
        has_price = board.hut_cells >> cell & 1
        sheet.note(
            "place", board.names[cell], rectangle if has_price else middled, ground.cell(cell)
        )
        if has_price:
            sheet.keep(_price(ground.cell(cell)))
    for road in board.roads:
        if ground.shows(road):
            sheet.note("place", road.name, _stretch, *ground.road(road))
    for port in ground.ports:
        sheet.note("place", board.ports[port].name, _harbour, ground.port(port))
    for strip in sorted({board.strip_of(cell) for cell in ground.cells}):
        for number, zone in enumerate(CONTENT.zones):
            sheet.note("region", f"{strip + 1}{zone.key}", _field, ground, strip, number)


def _stretch(start: Spot, end: Spot) -> Place:
    """A road without its ends, where others begin and the prices of docks may be."""
    left, top, right, bottom = road_area(start, end)
    if start[0] == end[0]:
        return rectangle((left, start[1], right, end[1]))
    return rectangle((start[0], top, end[0], bottom))


def _price(area: Area) -> Box:
    """Where the price of a hut cell stands."""
    left, top, right, bottom = area
    x, y, half = (left + right) / 2, (top + bottom) / 2, (bottom - top) * 0.26
    return x - half, y - half, x + half, y + half


def _field(ground: Ground, strip: int, zone: int) -> Place:
    """A region, within its edges so that the frames of neighbours stand apart."""
    left, top, right, bottom = ground.region(strip, zone)
    return middled((left + 9, top + 9, right - 9, bottom - 9))


def _harbour(area: Area) -> Place:
    """The docks of a port with its pennant, its tag ashore: neither hides ships or prices."""
    left, top, right, bottom = area
    place = rectangle((left - _PENNANT, top, right, top + round((bottom - top) * _DOCKS)))
    return place._replace(tag=((left + right) / 2, bottom + 20))
