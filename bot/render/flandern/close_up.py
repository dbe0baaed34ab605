"""A city large, with names of free plots and who borders them; the cards of a seat large."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.flandern.plan import BESIDE, CITIES, ON, PLOT_OF_NAME, members
from bot.game.flandern.view import FlandernCityView, FlandernView
from bot.render.asked import AskedWords, Places, Sheet, rectangle
from bot.render.flandern import cards, pieces
from bot.render.flandern.base import cards_base, city_base
from bot.render.flandern.city import draw_city
from bot.render.flandern.ground import CityGround, bar_of, plot_of
from bot.render.flandern.layout import COLOURS, LAYOUT
from bot.render.flandern.marks import gather
from bot.render.flandern.supply import letters_of
from bot.render.legend import LegendEntry, over_legend
from bot.render.picture import Scene
from bot.render.sprites import Align, Sprite

BOARD = ""
"""The whole table, as the part of it in which a question lies."""

_NAME = 42
_SIGN = 40


def parts(view: FlandernView) -> tuple[str, ...]:
    """What has a close-up: the cities in the game, and the cards of each seat."""
    cities = (city.city for city in view.cities if city.in_play)
    return (*cities, *map(str, range(len(view.seats))))


def part_asked(view: FlandernView, asked: AskedWords) -> str | None:
    """The part that the question is about; None for one about no place or piece."""
    if asked.param == "guild":
        return BOARD
    if asked.param == "card":
        return str(view.observer)
    if asked.param == "place":
        found = {word.partition("-")[0] for word in asked.words}
        return found.pop() if len(found) == 1 else BOARD
    return None


def places_of(_view: FlandernView, asked: AskedWords, sheet: Sheet) -> Places:
    """Where on a picture the words lie. Places that are named by their cities lie wherever these
    do, as frames around so many would hide the board.
    """
    if asked.param == "place" and len(set(asked.names)) < len(asked.names):
        return {word: sheet.find("city", word.partition("-")[0]) for word in asked.words}
    return {word: sheet.find(asked.param, word) for word in asked.words}


def draw_close_up(scene: Scene[FlandernView], part: str, words: Mapping[str, str]) -> Sheet:
    """A city, or the cards of a seat and under them what those in a hand do."""
    if part in CITIES:
        return _draw_city(scene, scene.view.city(part))
    return _draw_cards(scene, int(part), words)


def _draw_city(scene: Scene[FlandernView], city: FlandernCityView) -> Sheet:
    plan = LAYOUT.close_up
    sheet = Sheet(city_base().copy())
    ground = draw_city(sheet, scene, city, plan.area, plan.cell, gather(scene.events))
    emblems = {}
    for quarter in city.quarters:
        emblems[PLOT_OF_NAME[plot_of(quarter.place)]] = quarter.emblem
        if quarter.bar:
            emblems[PLOT_OF_NAME[bar_of(quarter)]] = quarter.emblem
    for place in city.free:
        _name(sheet, ground, plot_of(place), emblems)
    return sheet


def _name(sheet: Sheet, ground: CityGround, plot: str, emblems: Mapping[int, str]) -> None:
    """The name of a free plot, quiet where nothing supports it yet, and the signs of those who
    border on it, who may not build there."""
    number = PLOT_OF_NAME[plot]
    found = (emblems[each] for each in members(BESIDE[number]) if each in emblems)
    beside = tuple(dict.fromkeys(found))
    supported = any(each in emblems for each in members(ON[number]))
    x, y = map(round, ground.centre(plot))
    wide = len(beside) * (_SIGN + 3)
    shade = COLOURS.ink if supported else COLOURS.dusk
    sheet.text(x, y - (22 if beside else 0), plot, shade, _NAME, align=Align.CENTRE)
    for place, emblem in enumerate(beside):
        sheet.stamp(pieces.sign(emblem, _SIGN), x - wide // 2 + place * (_SIGN + 3), y + 4)


def _draw_cards(scene: Scene[FlandernView], seat: int, words: Mapping[str, str]) -> Sheet:
    """The hand of a seat, as far as the observer knows it, and the cards that lie open."""
    own, plan = scene.view.seats[seat], LAYOUT.cards
    listed = [
        LegendEntry(_card(scene, seat, key, 58), pieces.sign(own.guild or "grey", 36), words[key])
        for key in own.hand or own.open
        if key in words
    ]
    sheet = over_legend(cards_base(scene.looks[seat], plan.height), listed)
    for number, key in enumerate(own.hand or ()):
        card = _card(scene, seat, key, plan.card)
        x, y = plan.hand[0] + number * plan.step, plan.hand[1]
        sheet.stamp(card, x, y)
        sheet.note("card", key, rectangle, (x, y, x + card.width, y + card.height))
    for number, key in enumerate(own.open):
        x = plan.open[0] + number * plan.next
        sheet.stamp(_card(scene, seat, key, plan.shown), x, plan.open[1])
    return sheet


def _card(scene: Scene[FlandernView], seat: int, key: str, wide: int) -> Sprite:
    owner = scene.view.seats[seat].guild
    return cards.card(key, letters_of(scene.labels, key), owner, wide)
