"""A city large, with names of free plots and who borders them; the cards of a seat large."""

from __future__ import annotations

from collections.abc import Mapping

from PIL import Image

from bot.game.flandern.data import CARDS, INFLUENCE
from bot.game.flandern.plan import BESIDE, CITIES, ON, PLOT_OF_NAME, city_of, members, plot_of
from bot.game.flandern.view import FlandernCityView, FlandernView
from bot.render.asked import AskedWords, Places, Sheet, rectangle
from bot.render.flandern import cards, pieces, signs
from bot.render.flandern.base import panel_base
from bot.render.flandern.city import draw_city
from bot.render.flandern.ground import CityGround
from bot.render.flandern.layout import COLOURS, LAYOUT
from bot.render.flandern.marks import gather
from bot.render.flandern.panel import draw_panel, laid_area
from bot.render.flandern.supply import UNCHOSEN, face
from bot.render.legend import LegendEntry, over_legend
from bot.render.picture import Scene
from bot.render.sprites import Align

BOARD = ""
"""The whole table, as the part of it in which a question lies."""

_INFLUENCE_CARD = CARDS[INFLUENCE]
_NAME = 42
_SIGN = 40
_LISTED = 58
_GAP = 6


def parts(view: FlandernView) -> tuple[str, ...]:
    """What has a close-up: the cities in the game, and the cards of each seat."""
    cities = (city.city for city in view.cities if city.in_play)
    return (*cities, *map(str, range(len(view.seats))))


def part_asked(view: FlandernView, asked: AskedWords) -> str | None:
    """The part that the question is about; None for one about no place or piece."""
    if asked.param == "guild":
        return BOARD
    if asked.param in ("card", "influence"):
        return str(view.observer)
    if asked.param == "place":
        found = set(map(city_of, asked.words))
        return found.pop() if len(found) == 1 else BOARD
    if asked.param == "tile":
        return city_of(asked.prefix[-1])
    return None


def places_of(_view: FlandernView, asked: AskedWords, sheet: Sheet) -> Places:
    """Where on a picture the words lie: a quarter on the plot chosen before. Places that are named
    by their cities lie wherever these do, as frames around so many would hide the board.
    """
    if asked.param == "tile":
        return {word: sheet.find("place", asked.prefix[-1]) for word in asked.words}
    cities = list(map(city_of, asked.words))
    named = set(zip(cities, asked.names, strict=False))
    if asked.param == "place" and len(named) == len(set(cities)) < len(cities):
        return {
            word: sheet.find("city", city) for word, city in zip(asked.words, cities, strict=True)
        }
    return {word: sheet.find(asked.param, word) for word in asked.words}


def draw_close_up(scene: Scene[FlandernView], part: str, words: Mapping[str, str]) -> Sheet:
    """A city, or the cards of a seat and under them what those in a hand do."""
    if part in CITIES:
        return _draw_city(scene, scene.view.city(part))
    return _draw_cards(scene, int(part), words)


def _draw_city(scene: Scene[FlandernView], city: FlandernCityView) -> Sheet:
    plan = LAYOUT.close_up
    sheet = Sheet(Image.new("RGB", plan.size))
    ground = draw_city(sheet, scene, city, (0, 0), plan, gather(scene.events))
    emblems = {}
    for quarter in city.quarters:
        for place in filter(None, (quarter.place, quarter.bar)):
            emblems[PLOT_OF_NAME[plot_of(place)]] = quarter.emblem
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
    x, y = map(round, ground.label(plot))
    wide = len(beside) * (_SIGN + 3)
    shade = COLOURS.ink if supported else COLOURS.dusk
    sheet.text(x, y, plot.upper(), shade, _NAME, align=Align.CENTRE)
    for place, emblem in enumerate(beside):
        sheet.stamp(pieces.sign(emblem, _SIGN), x - wide // 2 + place * (_SIGN + 3), y + 24)


def _draw_cards(scene: Scene[FlandernView], seat: int, words: Mapping[str, str]) -> Sheet:
    """The panel of a seat with its hand, face down to others; under it what those cards do that the
    observer knows, once for all that do the same.
    """
    own, plan = scene.view.seats[seat], LAYOUT.cards
    owner = own.guild or UNCHOSEN
    known = [*(own.hand or own.open), *[_INFLUENCE_CARD] * bool(own.influence)]
    first = {words[key]: key for key in reversed(known) if key in words}
    entries = [
        LegendEntry(
            face(scene.labels, first[said], owner, _LISTED), pieces.sign(owner, _SIGN), said
        )
        for said in reversed(first)
    ]
    sheet = over_legend(panel_base(scene.looks[seat], plan.panel.size), entries)
    draw_panel(sheet, plan.panel, (0, 0), scene, seat, gather(scene.events))
    _draw_hand(sheet, scene, seat, owner)
    return sheet


def _draw_hand(sheet: Sheet, scene: Scene[FlandernView], seat: int, owner: str) -> None:
    """All cards of a hand, those with influence last; no such card is where the card of the round
    is shown."""
    own, plan = scene.view.seats[seat], LAYOUT.cards
    (x, y), (room, _) = plan.hand, plan.panel.size
    wide = min(plan.card, (room - 2 * x + _GAP) // max(1, own.cards) - _GAP)
    for number in range(own.cards):
        left = x + number * (wide + _GAP)
        if own.hand is None:
            sheet.stamp(cards.back(owner, wide), left, y)
            continue
        area = left, y, left + wide, y + round(wide * 1.4)
        more = number - len(own.hand)
        key = _INFLUENCE_CARD if more >= 0 else own.hand[number]
        sheet.stamp(face(scene.labels, key, owner, wide), left, y)
        if more >= 0:
            sheet.note("influence", str(more + 1), rectangle, area)
        else:
            sheet.note("card", key, rectangle, area)
        if key == own.card or 0 <= more < (own.laid or 0):
            sheet.stamp_centred(signs.tick(_SIGN), left + wide - 12, y + 12)
    sheet.note("influence", "0", rectangle, laid_area(plan.panel.laid))
