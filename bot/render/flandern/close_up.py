"""A city large, with names of free plots and who borders them; the cards of a seat large."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from bot.game.contract import in_turn
from bot.game.flandern.data import CARDS, INFLUENCE
from bot.game.flandern.plan import (
    BESIDE,
    CENTRE,
    CITIES,
    ON,
    PLOT_NAMES,
    PLOT_OF_NAME,
    city_of,
    members,
    plot_of,
)
from bot.game.flandern.view import FlandernCityView, FlandernSeatView, FlandernView
from bot.render.asked import WHOLE, AskedWords, Place, Places, Sheet, rectangle
from bot.render.flandern import cards, pieces, signs
from bot.render.flandern.base import panel_base
from bot.render.flandern.city import buildable, draw_city, free_plots
from bot.render.flandern.ground import CityGround
from bot.render.flandern.layout import COLOURS, FEWEST, LAYOUT, SeatPlan
from bot.render.flandern.legend import draw_golden, draw_legend
from bot.render.flandern.marks import gather
from bot.render.flandern.panel import draw_panel
from bot.render.flandern.supply import UNCHOSEN, face
from bot.render.layout import Area, Spot
from bot.render.legend import LEGEND, LegendEntry, over_legend
from bot.render.panels import draw_count
from bot.render.picture import Scene
from bot.render.sprites import Align

ALL_CITIES = "cities"
"""The part with all cities, without the players."""

GOLDEN_CARDS = "golden"
"""The part with the golden cards."""
_OF_CARDS, _OF_GUILDS = ("choose", "play"), ("guild", "control")
"""Kinds of action whose first word is a card, and a guild; that of others is a place."""
_INFLUENCE_CARD = CARDS[INFLUENCE]
_NAME = 42
_SIGN = 40
_LISTED = 58
_GAP = 6
_INFLUENCE = 64
_COLUMNS = 4
"""Cards of a hand beside each other, each with room for how its city stands."""


def parts(view: FlandernView) -> tuple[str, ...]:
    """What has a close-up: each city and all of them, the cards of each seat, the golden ones of
    more than two, and the legend."""
    cities = (city.city for city in view.cities if city.in_play)
    golden = (GOLDEN_CARDS,) if len(view.seats) > FEWEST else ()
    return (*cities, ALL_CITIES, *map(str, range(len(view.seats))), *golden, LEGEND)


def part_asked(view: FlandernView, asked: AskedWords) -> str | None:
    """The part that the question is about; None for one about no place or piece."""
    if asked.param == WHOLE:
        actions = [in_turn(tuple(word.split()))[0] for word in asked.words]
        found = {_part_of(view, *action[:2]) for action in actions if len(action) > 1}
        return found.pop() if len(found) == 1 else ALL_CITIES if found else None
    if asked.param == "guild":
        return ALL_CITIES
    if asked.param in ("card", "influence"):
        return str(view.observer)
    if asked.param == "place":
        found = set(map(city_of, asked.words))
        return found.pop() if len(found) == 1 else ALL_CITIES
    if asked.param == "tile":
        return city_of(asked.prefix[-1])
    return None


def _part_of(view: FlandernView, kind: str, word: str) -> str:
    """Where a whole action takes effect: in the hand, in a city, or in a guild's home."""
    if kind in _OF_CARDS:
        return str(view.observer)
    return ALL_CITIES if kind in _OF_GUILDS else city_of(word)


def places_of(_view: FlandernView, asked: AskedWords, sheet: Sheet) -> Places:
    """Where on a picture the words lie: a quarter on the plot chosen before. Places that are named
    by their cities lie wherever these do, as frames around so many would hide the board.
    """
    if asked.param == WHOLE:
        actions = {word: in_turn(tuple(word.split()))[0] for word in asked.words}
        what = dict.fromkeys(_OF_CARDS, "card") | dict.fromkeys(_OF_GUILDS, "guild")
        return {
            word: sheet.find(what.get(kind, "place"), rest[0]) if rest else []
            for word, (kind, *rest) in actions.items()
        }
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
    """A city; the cards of a seat and under them what those in a hand do; golden cards; signs."""
    if part in CITIES:
        return _draw_city(scene, scene.view.city(part))
    if part == LEGEND:
        return draw_legend(scene.labels[LEGEND], words)
    if part == GOLDEN_CARDS:
        return draw_golden(scene.labels[GOLDEN_CARDS], scene.labels, words)
    return _draw_cards(scene, int(part), words)


def _draw_city(scene: Scene[FlandernView], city: FlandernCityView) -> Sheet:
    plan = LAYOUT.close_up
    sheet = Sheet(*plan.size)
    ground = draw_city(sheet, scene, city, (0, 0), plan, gather(scene.events))
    emblems = {}
    for quarter in city.quarters:
        for place in filter(None, (quarter.place, quarter.bar)):
            emblems[PLOT_OF_NAME[plot_of(place)]] = quarter.emblem
    for place in city.free:
        _name(sheet, ground, plot_of(place), emblems)
    for place in (*city.covered, *(each.place for each in city.quarters)):
        if (plot := plot_of(place)) != PLOT_NAMES[CENTRE]:
            sheet.stamp_centred(signs.code(plot.upper()), *ground.corner(plot))
    return sheet


def _name(sheet: Sheet, ground: CityGround, plot: str, emblems: Mapping[int, str]) -> None:
    """The name of a free plot, quiet where nothing supports it yet, and the signs, struck through,
    of those who border on it and may not build there."""
    number = PLOT_OF_NAME[plot]
    found = (emblems[each] for each in members(BESIDE[number]) if each in emblems)
    beside = tuple(dict.fromkeys(found))
    supported = any(each in emblems for each in members(ON[number]))
    x, y = map(round, ground.label(plot))
    wide = len(beside) * (_SIGN + 3)
    shade = COLOURS.ink if supported else COLOURS.dusk
    sheet.text(x, y, plot.upper(), shade, _NAME, align=Align.CENTRE)
    for place, emblem in enumerate(beside):
        sheet.stamp(signs.barred(emblem, _SIGN), x - wide // 2 + place * (_SIGN + 3), y + 24)


def _draw_cards(scene: Scene[FlandernView], seat: int, words: Mapping[str, str]) -> Sheet:
    """The panel of a seat with its hand, face down to others; under it what those cards do that the
    observer knows, once for all that do the same.
    """
    own, plan = scene.view.seats[seat], _panel_for(scene.view.seats[seat])
    owner = own.guild or UNCHOSEN
    known = [*(own.hand or own.open), *[_INFLUENCE_CARD] * bool(own.influence)]
    first = {words[key]: key for key in reversed(known) if key in words}
    entries = [
        LegendEntry(
            face(scene.labels, first[said], owner, _LISTED), pieces.sign(owner, _SIGN), said
        )
        for said in reversed(first)
    ]
    sheet = over_legend(panel_base(scene.looks[seat], plan.size), entries)
    draw_panel(sheet, plan, (0, 0), scene, seat, gather(scene.events))
    if own.hand is None:
        _draw_backs(sheet, own.cards, owner)
    else:
        _draw_hand(sheet, scene, seat, own.hand)
    x, y = plan.laid
    sheet.note("influence", "0", _untagged, (x - _SIGN, y - _LISTED, x + _SIGN, y + _LISTED))
    return sheet


def _panel_for(own: FlandernSeatView) -> SeatPlan:
    """A panel with as many rows as the hand needs, the open cards below them, if there are any."""
    plan, rows = LAYOUT.cards.panel, max(1, -(-len(own.hand or ()) // _COLUMNS))
    (wide, high), (x, y), more = plan.size, plan.open, (rows - 1) * _step()
    return replace(plan, size=(wide, high + more if own.open else y + more), open=(x, y + more))


def _step() -> int:
    """From a row of the hand to the next."""
    return round(LAYOUT.cards.card * 1.4) + 3 * _GAP


def _draw_backs(sheet: Sheet, count: int, owner: str) -> None:
    (x, y), (room, _) = LAYOUT.cards.hand, LAYOUT.cards.panel.size
    wide = min(LAYOUT.cards.card, (room - 2 * x - _NAME + _GAP) // max(1, count) - _GAP)
    for number in range(count):
        sheet.stamp(cards.back(owner, wide), x + number * (wide + _GAP), y)
    draw_count(sheet, x + count * (wide + _GAP) + _GAP, y + wide * 7 // 10, count, _NAME)


def _draw_hand(sheet: Sheet, scene: Scene[FlandernView], seat: int, hand: Sequence[str]) -> None:
    """All cards of a hand, how the cities of cards stand, and above them those with influence; no
    such card is where the card of the round is shown."""
    own, plan = scene.view.seats[seat], LAYOUT.cards
    owner, wide = own.guild or UNCHOSEN, plan.card
    (x, y), (room, _) = plan.hand, plan.panel.size
    for number, key in enumerate(hand):
        row, column = divmod(number, _COLUMNS)
        left, top = x + column * ((room - x) // _COLUMNS), y + row * _step()
        sheet.stamp(face(scene.labels, key, owner, wide), left, top)
        sheet.note("card", key, _carded, (left, top, left + wide, top + round(wide * 1.4)))
        if key in CITIES:
            _draw_state(sheet, scene, key, own.guild, (left + wide + 12, top))
        if key == own.card:
            sheet.stamp_centred(signs.tick(_SIGN), left + wide - 12, top + 12)
    (x, y), count = plan.influence, own.influence or 0
    step = min(_INFLUENCE + 6 * _GAP, (plan.room - _INFLUENCE) // max(1, count - 1))
    for number in range(count):
        area = x, y, x + _INFLUENCE, y + round(_INFLUENCE * 1.4)
        sheet.stamp(face(scene.labels, _INFLUENCE_CARD, owner, _INFLUENCE), x, y)
        sheet.note("influence", str(number + 1), _untagged, area)
        if number < (own.laid or 0):
            sheet.stamp_centred(signs.tick(_SIGN), x + _INFLUENCE - 12, y + 12)
        x += step


def _untagged(area: Area) -> Place:
    return rectangle(area)._replace(needs_tag=False)


def _carded(area: Area) -> Place:
    """A card, its name on its foot, over the beginning of that."""
    left, _, right, bottom = area
    return rectangle(area)._replace(tag=((left + right) / 2, bottom - (right - left) * 0.26))


def _draw_state(sheet: Sheet, scene: Scene[FlandernView], key: str, guild: str, at: Spot) -> None:
    """Beside the card of a city: what it is worth, how many of its plots are free, on how many of
    these a guild could build now, and what it would score there."""
    (x, y), city = at, scene.view.city(key)
    sheet.stamp(signs.seal(city.value, 54), x, y)
    sheet.text(x, y + 68, free_plots(city, scene.labels), COLOURS.ink, 27)
    if now := buildable(scene.view, city, guild):
        sheet.text(x, y + 96, scene.labels["now"].format(count=now), COLOURS.fresh, 27)
    for each in city.standings:
        if each.guild == guild:
            end = sheet.stamp_beside(pieces.sign(guild, 32), x, y + 130) + 3
            sheet.stamp_beside(signs.plate(each.points, 28, each.rank == 1), end, y + 130)
    high = round(LAYOUT.cards.card * 1.4)
    sheet.keep((x, y, x + 76, y + high))
