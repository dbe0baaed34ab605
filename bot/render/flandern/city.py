"""A city on a picture: its name and value, what stands on its plots, and who leads by how much."""

from __future__ import annotations

from bot.game.flandern.plan import plot_of
from bot.game.flandern.view import FlandernCityView, FlandernView
from bot.render.asked import Place, Sheet, rectangle
from bot.render.flandern import pieces, quarters, signs
from bot.render.flandern.base import cell_base
from bot.render.flandern.ground import CityGround, ground_in, outlined
from bot.render.flandern.layout import COLOURS, LAYOUT, CityPlan
from bot.render.flandern.marks import FlandernMarks
from bot.render.fonts import Face
from bot.render.kept import kept
from bot.render.layout import Area, Labels, Spot
from bot.render.picture import Scene
from bot.render.sprites import Align, Backdrop, Painting, Point, Sprite

_FEWEST = 4
"""Guilds for which there is room at least in the strip of those who lead."""
_PRINTED = 4
"""Plots of a shape that each city has from the start; others are added by quarters."""


def draw_city(
    sheet: Sheet,
    scene: Scene[FlandernView],
    city: FlandernCityView,
    at: Spot,
    plan: CityPlan,
    marks: FlandernMarks,
) -> CityGround:
    """All of a city in its cell, whose upper left corner is `at`; returns where its plots lie."""
    wide, high = plan.size
    land = 4, plan.cell.head + 3, wide - 4, high - plan.cell.foot - 3
    ground = ground_in(land, city, plan.cell.widest)
    _draw_land(sheet, city, ground, land, plan, at)
    ground = ground._replace(x=ground.x + at[0], y=ground.y + at[1])
    area = (*at, at[0] + wide, at[1] + high)
    sheet.note("city", city.city, _named, area, plan.cell.head)
    _draw_head(sheet, city, area, plan.cell.head, scene.labels)
    if city.in_play:
        _mark_places(sheet, city, ground, marks)
        _draw_standings(sheet, city, area, plan.cell.foot)
    if city.city in marks.scored:
        frame = signs.frame(wide - 8, plan.cell.head - 6)
        sheet.stamp(frame, *at)
    return ground


def _named(area: Area, head: int) -> Place:
    """A city, its tag in the middle of the band above it."""
    left, top, right, _ = area
    return rectangle(area)._replace(tag=((left + right) / 2, top + head / 2))


def _draw_head(sheet: Sheet, city: FlandernCityView, area: Area, high: int, labels: Labels) -> None:
    """The band above a city: its name, and from the right what it is worth and how many of its
    plots are free; or that it is scored, or not in the game.
    """
    left, top, right, _ = area
    middle, size = top + high // 2, high - 8
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


def _mark_places(
    sheet: Sheet, city: FlandernCityView, ground: CityGround, marks: FlandernMarks
) -> None:
    """Note where everything lies, and mark what has just changed."""
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


@kept
def _land(is_built: bool, ground: CityGround, land: Area, plan: CityPlan) -> Backdrop:
    """The cell of a city with nothing on its plots, a wood where there is no city."""
    cell = cell_base(plan.size, plan.cell).image.copy()
    canvas = Painting(cell.crop(land))
    if is_built:
        canvas.stamp_centred(quarters.city_plan(ground.unit), ground.x, ground.y)
    else:
        for x, y, size in LAYOUT.wood:
            canvas.stamp_centred(pieces.icon("tree", size), x, y)
    cell.paste(canvas.image, land[:2])
    return Backdrop(cell)


def _draw_land(
    sheet: Sheet, city: FlandernCityView, ground: CityGround, land: Area, plan: CityPlan, at: Spot
) -> None:
    """The cell of a city whose upper left corner is `at`, and all that stands on its land."""
    ground = ground._replace(x=ground.x - land[0], y=ground.y - land[1])
    sheet.lay(_land(bool(city.quarters), ground, land, plan), *at)
    left, top = at[0] + land[0], at[1] + land[1]

    def stamp(sprite: Sprite, middle: Point) -> None:
        x, y = middle
        x, y = round(x - sprite.width / 2), round(y - sprite.height / 2)
        sheet.stamp(sprite, left + x, top + y)

    for plot in map(plot_of, city.free):
        if int(plot[1:]) > _PRINTED:
            stamp(quarters.free_plot(plot, ground.unit), ground.middle(plot))
    for plot in map(plot_of, city.covered):
        stamp(quarters.cover(plot, ground.unit), ground.middle(plot))
    for each in city.quarters:
        what = outlined(each)
        sprite = quarters.quarter(
            each.emblem, *what, each.site, each.cathedral, each.leaders, ground.unit
        )
        stamp(sprite, ground.middle(*what))


def _mark(sheet: Sheet, ground: CityGround, plot: str, kind: str = "", bar: str = "") -> None:
    ring = signs.ring(plot, kind, bar, ground.unit)
    sheet.stamp_centred(ring, *ground.middle(plot, kind, bar))


def _draw_standings(sheet: Sheet, city: FlandernCityView, area: Area, high: int) -> None:
    """Who leads, from left to right: what a guild would score and its sign; below, its completed
    quarters and the leaders on these."""
    left, _, right, bottom = area
    sheet.keep((left, bottom - high, right, bottom))
    size = high * 9 // 20
    upper, lower = bottom - high + size // 2 + 4, bottom - size // 2 - 2
    step = (right - left - 8) // max(_FEWEST, len(city.standings))
    for number, each in enumerate(city.standings):
        start = left + 8 + number * step
        points = signs.plate(each.points, size * 4 // 5, each.rank == 1)
        x = sheet.stamp_beside(points, start, upper) + 3
        sheet.stamp_beside(pieces.sign(each.guild, size), x, upper)
        x = sheet.text(start + 6, lower, str(each.quarters), COLOURS.ink, size * 9 // 10) + 8
        if each.leaders:
            sheet.stamp_beside(signs.leaders(each.leaders, size * 9 // 10), x, lower)
