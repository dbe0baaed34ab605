"""A city large, with names of free plots and who borders them; the cards of a seat large."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from bot.game.contract import in_turn
from bot.game.flandern.data import CARDS, INFLUENCE
from bot.game.flandern.plan import BESIDE, CITIES, ON, PLOT_OF_NAME, city_of, members, plot_of
from bot.game.flandern.view import FlandernCityView, FlandernSeatView, FlandernView
from bot.render.asked import WHOLE, AskedWords, Place, Places, Sheet, rectangle
from bot.render.flandern import cards, pieces, signs
from bot.render.flandern.base import panel_base
from bot.render.flandern.city import draw_city
from bot.render.flandern.ground import CityGround
from bot.render.flandern.layout import COLOURS, FEWEST, LAYOUT, SeatPlan
from bot.render.flandern.legend import draw_golden, draw_legend
from bot.render.flandern.marks import gather
from bot.render.flandern.panel import draw_panel, laid_area
from bot.render.flandern.supply import UNCHOSEN, face
from bot.render.layout import Area, Spot
from bot.render.legend import LEGEND, LegendEntry, over_legend
from bot.render.picture import Scene
from bot.render.sprites import Align

BOARD = ""
"""The whole table, as the part of it in which a question lies."""

GOLDEN_CARDS = "golden"
"""The part with the golden cards."""
_OF_CARDS, _OF_GUILDS = ("choose", "play"), ("guild", "control")
"""Kinds of action whose first word is a card, and a guild; that of others is a place."""
_INFLUENCE_CARD = CARDS[INFLUENCE]
_NAME = 42
_SIGN = 40
_LISTED = 58
_GAP = 6
_COLUMNS = 4
"""Cards of a hand beside each other, each with room for how its city stands."""


def parts(view: FlandernView) -> tuple[str, ...]:
    """What has a close-up: the cities in the game, the cards of each seat, the golden ones of more
    than two, and the legend."""
    cities = (city.city for city in view.cities if city.in_play)
    golden = (GOLDEN_CARDS,) if len(view.seats) > FEWEST else ()
    return (*cities, *map(str, range(len(view.seats))), *golden, LEGEND)


def part_asked(view: FlandernView, asked: AskedWords) -> str | None:
    """The part that the question is about; None for one about no place or piece."""
    if asked.param == WHOLE:
        actions = [in_turn(tuple(word.split()))[0] for word in asked.words]
        found = {_part_of(view, *action[:2]) for action in actions if len(action) > 1}
        return found.pop() if len(found) == 1 else BOARD if found else None
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


def _part_of(view: FlandernView, kind: str, word: str) -> str:
    """Where a whole action takes effect: in the hand, in a city, or in a guild's home."""
    if kind in _OF_CARDS:
        return str(view.observer)
    return BOARD if kind in _OF_GUILDS else city_of(word)


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
    sheet.note("influence", "0", rectangle, laid_area(plan.laid))
    return sheet


def _panel_for(own: FlandernSeatView) -> SeatPlan:
    """A panel with as many rows as the hand needs, the open cards below them, if there are any."""
    plan, rows = LAYOUT.cards.panel, 1 if own.hand is None else -(-own.cards // _COLUMNS)
    (wide, high), (x, y), more = plan.size, plan.open, (rows - 1) * _step()
    return replace(plan, size=(wide, high + more if own.open else y + more), open=(x, y + more))


def _step() -> int:
    """From a row of the hand to the next."""
    return round(LAYOUT.cards.card * 1.4) + 3 * _GAP


def _draw_backs(sheet: Sheet, count: int, owner: str) -> None:
    (x, y), (room, _) = LAYOUT.cards.hand, LAYOUT.cards.panel.size
    wide = min(LAYOUT.cards.card, (room - 2 * x + _GAP) // max(1, count) - _GAP)
    for number in range(count):
        sheet.stamp(cards.back(owner, wide), x + number * (wide + _GAP), y)


def _draw_hand(sheet: Sheet, scene: Scene[FlandernView], seat: int, hand: Sequence[str]) -> None:
    """All cards of a hand, those with influence last, and how the cities of cards stand; no such
    card is where the card of the round is shown."""
    own, wide = scene.view.seats[seat], LAYOUT.cards.card
    owner = own.guild or UNCHOSEN
    (x, y), (room, _) = LAYOUT.cards.hand, LAYOUT.cards.panel.size
    for number in range(own.cards):
        row, column = divmod(number, _COLUMNS)
        left, top = x + column * ((room - x) // _COLUMNS), y + row * _step()
        area = left, top, left + wide, top + round(wide * 1.4)
        more = number - len(hand)
        key = _INFLUENCE_CARD if more >= 0 else hand[number]
        sheet.stamp(face(scene.labels, key, owner, wide), left, top)
        if more >= 0:
            sheet.note("influence", str(more + 1), rectangle, area)
        else:
            sheet.note("card", key, _carded, area)
        if key in CITIES:
            _draw_state(sheet, scene, key, own.guild, (left + wide + 12, top))
        if key == own.card or 0 <= more < (own.laid or 0):
            sheet.stamp_centred(signs.tick(_SIGN), left + wide - 12, top + 12)


def _carded(area: Area) -> Place:
    """A card, its name on its foot, over the beginning of that."""
    left, _, right, bottom = area
    return rectangle(area)._replace(tag=((left + right) / 2, bottom - (right - left) * 0.26))


def _draw_state(sheet: Sheet, scene: Scene[FlandernView], key: str, guild: str, at: Spot) -> None:
    """Beside the card of a city: what it is worth, how many of its plots are free, and what a guild
    would score there now."""
    (x, y), city = at, scene.view.city(key)
    sheet.stamp(signs.seal(city.value, 54), x, y)
    free = f"{len(city.free)} {scene.labels['free']}" if city.free else scene.labels["full"]
    sheet.text(x, y + 76, free, COLOURS.ink, 25)
    for each in city.standings:
        if each.guild == guild:
            end = sheet.stamp_beside(pieces.sign(guild, 34), x, y + 118) + 3
            sheet.stamp_beside(signs.plate(each.points, 30, each.rank == 1), end, y + 118)
    high = round(LAYOUT.cards.card * 1.4)
    sheet.keep((x, y, x + 76, y + high))
