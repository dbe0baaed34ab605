"""A city on a picture: its name and value, its plots, and who leads by how much."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from bot.game.flandern.city import (
    NONE,
    FlandernCity,
    Standing,
    built,
    city_plots,
    emblem_at,
    quarters,
    standings,
    value,
)
from bot.game.flandern.data import (
    CENTRE,
    CITIES,
    EMBLEM_KEYS,
    EMBLEM_OF_CITY,
    NEIGHBOURS,
    ON,
    PLACE_NAMES,
    PLOT_NAMES,
    PRINTED,
    members,
)
from bot.game.flandern.state import FlandernView, card_in_play, city_in_play
from bot.render.asked import LayeredCanvas, Place, untagged
from bot.render.cache import cached
from bot.render.flandern import pieces
from bot.render.flandern.pieces import CITY_LABELS, COLOURS
from bot.render.flandern.quarters import (
    block,
    bounds,
    change_mark,
    city_plan,
    cover,
    free_plot,
    middle,
    outline,
    quarter,
)
from bot.render.fonts import Face, Say, width
from bot.render.panels import frame
from bot.render.picture import Scene
from bot.render.sprites import Align, Area, Backdrop, Painting, Pen, Point, Spot, ground

_RAISED = 0.2
"""Units from the middle of a plot up to its name."""
_INWARD = 0.32
"""The share of the way from a corner to the middle of a plot."""
_NAME, _BARRED = 42, 40
"""Sizes of a plot's name, and of the signs of emblems that may not build there."""
_SIZES = (44, 41, 38, 35)
"""Sizes of the signs of the leading guilds; the largest that fits is used."""
_LARGE_SIGN, _RANK_STEP = 56, 148
"""The size of these signs in a large city, and the distance between guilds."""


class CityCell(NamedTuple):
    """The cell of a city: its size, the height of its name, and the room for the leading guilds,
    either below (`foot`) or on the right (`side`). A unit of the plan has at most `max_unit`
    pixels."""

    wide: int
    high: int
    head: int
    max_unit: int
    foot: int = 0
    side: int = 0

    @property
    def land(self) -> Area:
        """The area of the city itself."""
        return 4, self.head + 3, self.wide - self.side - 4, self.high - self.foot - 3


SMALL, LARGE = CityCell(460, 538, 52, 52, foot=100), CityCell(864, 842, 64, 108, side=132)


class CityGround(NamedTuple):
    """The position of a city: its middle, and the pixels of a unit of its plan."""

    x: int
    y: int
    unit: int

    def at(self, point: Point) -> Point:
        """Return the pixel of a point in units from the middle of the city, y down."""
        return self.x + point[0] * self.unit, self.y + point[1] * self.unit

    def middle(self, plot: int, kind: int = NONE, bar: int = NONE) -> Point:
        """Return the middle of the box around a plot, or around a quarter of a kind on it."""
        return self.at(middle(outline(plot, kind, bar)))

    def label(self, plot: int) -> Point:
        """Return the position of a free plot's name, a little above the middle of its corners."""
        across, down = zip(*outline(plot), strict=True)
        return self.at((sum(across) / len(across), sum(down) / len(down) - _RAISED))

    def corner(self, plot: int) -> Point:
        """Return the position of a built plot's name, near its outermost corner."""
        corners = outline(plot)
        across, down = (sum(each) / len(corners) for each in zip(*corners, strict=True))
        x, y = max(corners, key=lambda corner: math.hypot(*corner))
        return self.at((x + (across - x) * _INWARD, y + (down - y) * _INWARD))

    def plot(self, plot: int) -> Place:
        """Return a free plot as a place of a question."""
        return Place(tuple(map(self.at, outline(plot))), self.label(plot))

    def quarter(self, plot: int, kind: int, bar: int) -> Place:
        """Return a quarter as a place of a question."""
        return Place(tuple(map(self.at, outline(plot, kind, bar))))


@lru_cache(maxsize=512)
def fitted(area: Area, plots: int, max_unit: int) -> CityGround:
    """Fit a city with at least these plots into an area, with at most `max_unit` pixels for a unit
    of its plan."""
    low_x, low_y, high_x, high_y = bounds(
        corner for plot in members(plots | PRINTED) for corner in outline(plot)
    )
    left, top, right, bottom = area
    room = (right - left) / (high_x - low_x), (bottom - top) / (high_y - low_y)
    unit = min(max_unit, *map(int, room))
    x = (left + right - (low_x + high_x) * unit) / 2
    y = (top + bottom - (low_y + high_y) * unit) / 2
    return CityGround(round(x), round(y), unit)


def draw_city(
    canvas: LayeredCanvas,
    scene: Scene[FlandernView],
    number: int,
    cell: CityCell,
    changed: set[str],
) -> None:
    """Draw a city in its cell, with marks around the places and cities that have `changed`."""
    city = scene.view.known.cities[number]
    canvas.note("city", CITIES[number], untagged, (0, 0, cell.wide, cell.high))
    if city is None:
        canvas.lay(_empty(cell, None), 0, 0)
        _draw_head(canvas, scene, number, cell)
        return
    where = fitted(cell.land, city.free | city.covered | built(city), cell.max_unit)
    canvas.lay(_empty(cell, where), 0, 0)
    (left, top, _, _), names, unit = cell.land, PLACE_NAMES[number], where.unit
    land, at = canvas.at(left, top), where._replace(x=where.x - left, y=where.y - top)
    built_on = [(quarter(each, unit), (each.plot, each.kind, each.bar)) for each in quarters(city)]
    bare = [(cover(plot, unit), (plot, NONE, NONE)) for plot in members(city.covered)]
    new_plots = members(city.free & ~PRINTED)
    bare += [(free_plot(plot, unit), (plot, NONE, NONE)) for plot in new_plots]
    for sprite, shape in (*bare, *built_on):
        x, y = at.middle(*shape)
        # Rounded relative to the land, so that quarters look the same in all cells.
        land.stamp(sprite, round(x - sprite.width / 2), round(y - sprite.height / 2))
    _draw_head(canvas, scene, number, cell)
    canvas.note("guild", EMBLEM_KEYS[city.home], where.quarter, CENTRE, NONE, NONE)
    for plot in members(city.free):
        canvas.note("place", names[plot], where.plot, plot)
    for _, shape in built_on:
        canvas.note("place", names[shape[0]], where.quarter, *shape)
    for _, shape in (*built_on, *bare):
        if names[shape[0]] in changed:
            canvas.stamp_centred(change_mark(*shape, unit), *where.middle(*shape))
    if cell.side:
        for place, each in enumerate(standings(city)):
            spot = cell.wide - cell.side + 8, cell.head + 76 + place * _RANK_STEP
            _draw_standing(canvas, each, spot, _LARGE_SIGN)
        _name_plots(canvas, city, where)
    else:
        _draw_standings(canvas, standings(city), cell)
    if CITIES[number] in changed:
        canvas.stamp(frame(cell.wide - 8, cell.head - 6), 0, 0)


@cached
def _empty(cell: CityCell, where: CityGround | None) -> Backdrop:
    """Return the empty cell of a city, or of a missing one: a band for its name, its land, and a
    strip for the leading guilds."""

    def draw(pen: Pen) -> None:
        right, foot = cell.wide - cell.side, cell.high - cell.foot
        pen.rect((0, 0, pen.width, pen.height), COLOURS.bar, None, 0, 12)
        pen.rect((0, cell.head, pen.width, pen.height), COLOURS.paper, None, 0, 12)
        if where is not None:
            pen.rect((0, cell.head, right, foot), COLOURS.meadow)
            pen.rect((0, foot - 1, right, foot + 1), COLOURS.soft)
            pen.rect((right - 1, cell.head, right + 1, foot), COLOURS.soft)
        pen.rect((0, 0, pen.width, pen.height), None, COLOURS.ink, 2.5, 12)

    image = ground(cell.wide, cell.high, COLOURS.field, draw)
    if where is not None:
        left, top, _, _ = cell.land
        canvas = Painting(image.crop(cell.land))
        canvas.stamp_centred(city_plan(where.unit), where.x - left, where.y - top)
        image.paste(canvas.image, (left, top))
    return Backdrop(image)


def free_plots(city: FlandernCity, say: Say) -> str:
    """Return how many plots of a city are free."""
    count = city.free.bit_count()
    return say("{count} free").format(count=count) if count else say("full")


def buildable(scene: Scene[FlandernView], city: FlandernCity, guild: int = NONE) -> str:
    """Return how many plots a guild, by default the observer's card, could build on now."""
    state, card = scene.view.known, card_in_play(scene.view.known)
    if guild == NONE:
        if scene.view.observer not in scene.active or card is None:
            return ""
        if city_in_play(state) not in (city.number, NONE):
            return ""
        guild = card.guild
    count = city_plots(state.stock, city, guild).bit_count()
    return scene.say("{count} now").format(count=count) if count else ""


def _draw_head(
    canvas: LayeredCanvas, scene: Scene[FlandernView], number: int, cell: CityCell
) -> None:
    """Draw the band above a city: its name, and on the right its value and its free and buildable
    plots, or that it is scored or not in the game."""
    city, say = scene.view.known.cities[number], scene.say
    level, size, right = cell.head // 2, cell.head - 8, cell.wide
    text = round(size * 0.9)
    x = canvas.stamp_beside(pieces.sign(EMBLEM_OF_CITY[number], size), 10, level) + 10
    x = canvas.text(x, level, say(CITY_LABELS[number]), COLOURS.cream, text, Face.TITLE) + 14
    if city is None:
        missing = say("out of play")
        canvas.text(right - 14, level, missing, COLOURS.dusk, 30, align=Align.RIGHT)
        return
    end = canvas.stamp_beside(pieces.seal(value(city), size + 6), right - 8, level, Align.RIGHT)
    if city.scored:
        end = canvas.stamp_beside(pieces.icon("cylinder", size), end - 8, level, Align.RIGHT)
        label = say("scored")
    else:
        label = " · ".join(filter(None, (free_plots(city, say), buildable(scene, city))))
    room = end - 16 - x
    size = next((each for each in range(text * 6 // 7, 20, -2) if width(label, each) <= room), 20)
    canvas.text(end - 10, level, label, COLOURS.cream, size, align=Align.RIGHT)


def _draw_standings(canvas: LayeredCanvas, ranking: list[Standing], cell: CityCell) -> None:
    """Draw the leading guilds from left to right."""
    canvas.reserve((0, cell.high - cell.foot, cell.wide, cell.high))
    room = cell.wide - 16
    widths = {size: sum(_width(each, size) for each in ranking) for size in _SIZES}
    size = next((each for each in _SIZES if widths[each] <= room), _SIZES[-1])
    gap = min((room - widths[size]) // max(1, len(ranking)), size)
    x = 8
    for each in ranking:
        _draw_standing(canvas, each, (x, cell.high - cell.foot // 2), size)
        x += _width(each, size) + gap


def _width(each: Standing, size: int) -> int:
    below = pieces.leaders(each.leaders, size).width if each.leaders else 0
    return size + 3 + max(pieces.plate(each.points, size * 6 // 7, False).width, below)


def _draw_standing(canvas: LayeredCanvas, each: Standing, at: Spot, size: int) -> None:
    """Draw a guild and what it would score, above its completed quarters and their leaders."""
    x, level = at
    upper, lower = level - size * 4 // 7, level + size * 4 // 7
    end = canvas.stamp_beside(pieces.sign(each.emblem, size), x, upper) + 3
    canvas.stamp_beside(pieces.plate(each.points, size * 6 // 7, each.place == 1), end, upper)
    end = canvas.stamp_beside(block(each.emblem, each.quarters, size), x, lower) + 3
    if each.leaders:
        canvas.stamp_beside(pieces.leaders(each.leaders, size), end, lower)


def _name_plots(canvas: LayeredCanvas, city: FlandernCity, where: CityGround) -> None:
    """Draw the names of all plots. A free plot's name is faint until a quarter supports it. Below
    it are the signs, struck through, of adjacent emblems that may not build there."""
    occupied = built(city)
    for plot in members(city.free):
        adjacent = members(NEIGHBOURS[plot] & occupied)
        emblems = dict.fromkeys(emblem_at(city, each) for each in adjacent)
        x, y = map(round, where.label(plot))
        shade = COLOURS.ink if ON[plot] & occupied else COLOURS.dusk
        canvas.text(x, y, PLOT_NAMES[plot].upper(), shade, _NAME, align=Align.CENTRE)
        step = _BARRED + 3
        for place, emblem in enumerate(emblems):
            left = x - len(emblems) * step // 2 + place * step
            canvas.stamp(pieces.barred(emblem, _BARRED), left, y + 24)
    built_plots = [each.plot for each in quarters(city) if each.plot != CENTRE]
    for plot in (*members(city.covered), *built_plots):
        canvas.stamp_centred(pieces.code(PLOT_NAMES[plot].upper()), *where.corner(plot))
