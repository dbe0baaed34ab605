"""A city on a picture: its name and value, what stands on its plots, and who leads by how much."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image

from bot.game.flandern.view import FlandernCityView, FlandernView, QuarterView
from bot.render.asked import Sheet, rectangle
from bot.render.flandern import pieces, quarters, signs
from bot.render.flandern.ground import CityGround, ground_in, outlined, plot_of
from bot.render.flandern.layout import COLOURS, CellPlan
from bot.render.flandern.marks import FlandernMarks
from bot.render.fonts import Face
from bot.render.layout import Area, Labels, Spot
from bot.render.picture import Scene
from bot.render.sprites import Align, Canvas

_FEWEST = 4
"""Guilds for which there is room at least in the strip of those who lead."""
_WOOD = (
    *((120, 150, 70), (190, 120, 84), (270, 170, 76), (340, 130, 64), (90, 250, 84)),
    *((170, 230, 92), (250, 280, 84), (330, 240, 92), (380, 320, 70), (130, 340, 76)),
    *((210, 360, 88), (300, 370, 76)),
)
"""Trees where a city is missing: their middles in its cell, and their sizes."""
_PRINTED = 4
"""Plots of a shape that each city has from the start; others are added by quarters."""


def draw_city(
    sheet: Sheet,
    scene: Scene[FlandernView],
    city: FlandernCityView,
    area: Area,
    cell: CellPlan,
    marks: FlandernMarks,
) -> CityGround:
    """All of a city in its cell; returns where its plots lie."""
    left, top, right, bottom = area
    land = left + 4, top + cell.head + 3, right - 4, bottom - cell.foot - 3
    ground = ground_in(land, city, cell.widest)
    _draw_head(sheet, city, (left, top, right, top + cell.head), scene.labels)
    sheet.note("city", city.city, rectangle, area)
    if city.in_play:
        _draw_plan(sheet, city, ground, land, marks)
        _draw_standings(sheet, city, (left, bottom - cell.foot, right, bottom))
    else:
        for x, y, size in _WOOD:
            sheet.stamp_centred(pieces.icon("tree", size), left + x, top + y)
    return ground


def _draw_head(sheet: Sheet, city: FlandernCityView, band: Area, labels: Labels) -> None:
    """The band above a city: its name, and from the right what it is worth and how many of its
    plots are free; or that it is scored, or not in the game.
    """
    left, top, right, bottom = band
    middle, size = (top + bottom) // 2, bottom - top - 8
    text = round(size * 0.9)
    x = sheet.stamp_beside(pieces.sign(city.home, size), left + 10, middle) + 10
    x = sheet.text(x, middle, labels[city.city], COLOURS.cream, text, Face.TITLE) + 14
    if not city.in_play:
        sheet.text(right - 14, middle, labels["missing"], COLOURS.dusk, 30, align=Align.RIGHT)
        return
    end = sheet.stamp_beside(signs.seal(city.value, size + 6), right - 8, middle, Align.RIGHT)
    if city.scored:
        end = sheet.stamp_beside(pieces.icon("cylinder", size), end - 8, middle, Align.RIGHT)
        label = labels["scored"]
    else:
        label = f"{len(city.free)} {labels['free']}" if city.free else labels["full"]
    sheet.text(end - 10, middle, label, COLOURS.dusk, text * 4 // 5, align=Align.RIGHT)


def _draw_plan(
    sheet: Sheet, city: FlandernCityView, ground: CityGround, land: Area, marks: FlandernMarks
) -> None:
    """Everything on the plots of a city."""
    left, top, right, bottom = land
    at = ground._replace(x=ground.x - left, y=ground.y - top)
    plan = _plan(city.quarters, city.free, city.covered, at, (right - left, bottom - top))
    sheet.image.paste(plan, (left, top))
    sheet.note("guild", city.home, ground.quarter, "c", "", "")
    for place in city.free:
        sheet.note("place", place, ground.plot, plot_of(place))
    for quarter in city.quarters:
        what = outlined(quarter)
        sheet.note("place", quarter.place, ground.quarter, *what)
        if quarter.place in marks.places:
            _mark(sheet, ground, *what)
    for place in city.covered:
        if place in marks.places:
            _mark(sheet, ground, plot_of(place))


@lru_cache(maxsize=24)
def _plan(
    built: tuple[QuarterView, ...],
    free: tuple[str, ...],
    covered: tuple[str, ...],
    ground: CityGround,
    size: Spot,
) -> Image.Image:
    """The land of a city with all that stands on it, as much as there is room for in a picture of
    this size. Few cities change from one picture to the next. Shared: never draw on it.
    """
    canvas = Canvas(Image.new("RGB", size, COLOURS.meadow))
    canvas.stamp_centred(quarters.city_plan(ground.unit), ground.x, ground.y)
    for plot in map(plot_of, free):
        if int(plot[1:]) > _PRINTED:
            canvas.stamp_centred(quarters.free_plot(plot, ground.unit), *ground.middle(plot))
    for plot in map(plot_of, covered):
        canvas.stamp_centred(quarters.cover(plot, ground.unit), *ground.middle(plot))
    for each in built:
        what = outlined(each)
        sprite = quarters.quarter(
            each.emblem, *what, each.site, each.cathedral, each.leaders, ground.unit
        )
        canvas.stamp_centred(sprite, *ground.middle(*what))
    return canvas.image


def _mark(sheet: Sheet, ground: CityGround, plot: str, kind: str = "", bar: str = "") -> None:
    ring = signs.ring(plot, kind, bar, ground.unit)
    sheet.stamp_centred(ring, *ground.middle(plot, kind, bar))


def _draw_standings(canvas: Canvas, city: FlandernCityView, area: Area) -> None:
    """Who leads, from left to right: what a guild would score, its sign, its completed quarters and
    the leaders on them.
    """
    left, top, right, bottom = area
    middle, size = (top + bottom) // 2, (bottom - top) * 2 // 3
    step = (right - left - 8) // max(_FEWEST, len(city.standings))
    size = min(size, step // 3)
    for number, each in enumerate(city.standings):
        x = left + 8 + number * step
        points = signs.plate(each.points, round(size * 0.8), each.rank == 1)
        x = canvas.stamp_beside(points, x, middle) + 3
        x = canvas.stamp_beside(pieces.sign(each.guild, size), x, middle) + 3
        half = size * 3 // 8 if each.leaders else 0
        canvas.text(x, middle - half, str(each.quarters), COLOURS.ink, round(size * 0.8))
        if each.leaders:
            pawns = signs.leaders(each.leaders, round(size * 0.72))
            canvas.stamp_beside(pawns, x - 2, middle + half)
