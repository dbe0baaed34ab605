"""A city on a picture: its name and value, what stands on its plots, and who leads by how much."""

from __future__ import annotations

from bot.game.flandern.city import NONE, city_plots
from bot.game.flandern.data import EMBLEM_OF_KEY
from bot.game.flandern.plan import plot_of
from bot.game.flandern.view import FlandernCityView, FlandernView, StandingView
from bot.render.asked import Place, Sheet, rectangle
from bot.render.flandern import pieces, quarters, signs
from bot.render.flandern.base import cell_base
from bot.render.flandern.ground import CityGround, ground_in, outlined
from bot.render.flandern.layout import COLOURS, CityPlan
from bot.render.flandern.marks import FlandernMarks
from bot.render.fonts import Face, width
from bot.render.kept import kept
from bot.render.layout import Area, Labels, Spot
from bot.render.picture import Scene
from bot.render.sprites import Align, Backdrop, Painting, Point, Sprite

_SIZES = (44, 41, 38, 35)
"""Of the signs of those who lead: the largest that leaves room for all is used."""
_RANKED, _RANK = 56, 148
"""Of these in a city that is drawn large, and from one guild to the next."""
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
    land = 4, plan.cell.head + 3, wide - plan.cell.side - 4, high - plan.cell.foot - 3
    ground = ground_in(land, city, plan.cell.widest)
    _draw_land(sheet, city, ground, land, plan, at)
    ground = ground._replace(x=ground.x + at[0], y=ground.y + at[1])
    area = (*at, at[0] + wide, at[1] + high)
    sheet.note("city", city.city, _named, area)
    _draw_head(sheet, city, area, plan.cell.head, scene.labels, buildable(scene.view, city))
    if city.in_play:
        _mark_places(sheet, city, ground, marks)
        if plan.cell.side:
            _draw_ranking(sheet, city, (area[2] - plan.cell.side, at[1] + plan.cell.head))
        else:
            _draw_standings(sheet, city, area, plan.cell.foot)
    if city.city in marks.scored:
        frame = signs.frame(wide - 8, plan.cell.head - 6)
        sheet.stamp(frame, *at)
    return ground


def free_plots(city: FlandernCityView, labels: Labels) -> str:
    """How many plots of a city are free."""
    return labels["free"].format(count=len(city.free)) if city.free else labels["full"]


def buildable(view: FlandernView, city: FlandernCityView, guild: str = "") -> int:
    """On how many plots a guild could build now, or else the observer who carries out a card."""
    if city.plots is None:
        return 0
    action = view.action
    if not guild:
        if action is None or view.observer not in view.active or action.city not in ("", city.city):
            return 0
        guild = action.guild
    number = EMBLEM_OF_KEY[guild] if guild else NONE
    return city_plots(view.stock, city.plots, number).bit_count()


def _named(area: Area) -> Place:
    """A city, whose name stands on the band above it."""
    return rectangle(area)._replace(needs_tag=False)


def _draw_head(
    sheet: Sheet, city: FlandernCityView, area: Area, high: int, labels: Labels, now: int
) -> None:
    """The band above a city: its name, and from the right what it is worth and how many of its
    plots are free, and can be built on `now`; or that it is scored, or not in the game.
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
        label = free_plots(city, labels)
        label += f" · {labels['now'].format(count=now)}" if now else ""
    room = end - 16 - x
    size = next((each for each in range(text * 6 // 7, 20, -2) if width(label, each) <= room), 20)
    sheet.text(end - 10, middle, label, COLOURS.cream, size, align=Align.RIGHT)


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
    """The cell of a city with nothing on its plots, or of a missing one."""
    cell = cell_base(plan.size, plan.cell, is_built).image.copy()
    canvas = Painting(cell.crop(land))
    if is_built:
        canvas.stamp_centred(quarters.city_plan(ground.unit), ground.x, ground.y)
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
    """Who leads, from left to right."""
    left, _, right, bottom = area
    sheet.keep((left, bottom - high, right, bottom))
    middle, count = bottom - high // 2, max(1, len(city.standings))

    def room(size: int) -> int:
        return sum(_width(each, size) for each in city.standings)

    free = right - left - 16
    size = next((each for each in _SIZES if room(each) <= free), _SIZES[-1])
    gap = min((free - room(size)) // count, size)
    x = left + 8
    for each in city.standings:
        _draw_standing(sheet, each, (x, middle), size)
        x += _width(each, size) + gap


def _draw_ranking(sheet: Sheet, city: FlandernCityView, at: Spot) -> None:
    """The same below each other."""
    x, y = at
    for number, each in enumerate(city.standings):
        _draw_standing(sheet, each, (x + 8, y + 76 + number * _RANK), _RANKED)


def _width(each: StandingView, size: int) -> int:
    below = signs.leaders(each.leaders, size).width if each.leaders else 0
    return size + 3 + max(signs.plate(each.points, size * 6 // 7, False).width, below)


def _draw_standing(sheet: Sheet, each: StandingView, at: Spot, size: int) -> None:
    """A guild and what it would score; below, its completed quarters and the leaders on these."""
    x, middle = at
    upper, lower = middle - size * 4 // 7, middle + size * 4 // 7
    end = sheet.stamp_beside(pieces.sign(each.guild, size), x, upper) + 3
    sheet.stamp_beside(signs.plate(each.points, size * 6 // 7, each.rank == 1), end, upper)
    end = sheet.stamp_beside(quarters.block(each.guild, each.quarters, size), x, lower) + 3
    if each.leaders:
        sheet.stamp_beside(signs.leaders(each.leaders, size), end, lower)
