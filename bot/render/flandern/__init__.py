"""Pictures of Flandern 1302: the table, each city large, and the cards of each seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.game.contract import in_turn, parse_action
from bot.game.flandern import GAME
from bot.game.flandern.cards import DECKS
from bot.game.flandern.city import NONE
from bot.game.flandern.data import (
    CARDS,
    CHURCH,
    CITIES,
    EMBLEMS,
    FIRST_SPECIAL,
    INFLUENCE,
    PLAYER_GUILDS,
    SHAPES,
    SPECIAL,
    city_of,
)
from bot.game.flandern.state import (
    FlandernView,
    city_in_play,
    sides,
    turn_order,
    two_players,
)
from bot.render.asked import WHOLE, AskedWords, LayeredCanvas, Places
from bot.render.cache import cached
from bot.render.flandern import pieces, quarters
from bot.render.flandern.city import LARGE, SMALL, draw_city
from bot.render.flandern.panels import PANELS, STRIP, draw_cards, draw_panel, draw_supply, gather
from bot.render.flandern.pieces import CITY_LABELS, COLOURS, GOLDEN, PALETTE, face
from bot.render.fonts import label
from bot.render.legend import LEGEND, Legend, LegendLine, draw_legend, legend_sheet
from bot.render.panels import draw_order, draw_turn, frame, paint_bar
from bot.render.picture import GamePictures, Scene
from bot.render.sprites import Backdrop, Pen, ground

ALL_CITIES = "cities"
"""The part with all cities, without the players."""
GOLDEN_CARDS = "golden"
"""The part with the golden cards."""
ASKED = {
    "guild": label("Choose a guild"),
    "control": label("Choose a second guild"),
    "choose": label("Choose cards"),
    "turn": label("Play and draw"),
    "city": label("Build"),
    "site": label("Put up a site"),
    "cathedral": label("Place a cathedral"),
    "leader": label("Place a leader"),
    "over": label("The end"),
}
_THINGS = {"choose": "card", "play": "card", "guild": "guild", "control": "guild"}
"""The meaning of an action's first word by its kind; a place for all others."""

_WIDE, _BAR = 1400, 76
_AT = [(x, y) for y in (82, 626) for x in (6, 470, 934)]
"""The upper left corners of the cities, in game order."""
_STEPS, _TOPS = {2: 697, 3: 464, 4: 349}, {2: 1268, 3: 1170, 4: 1268}
"""By the number of players: the distance of the panels, and the top of the first."""
_MARGIN = 6
_FIELD = 22
"""Pixels between the furrows of a field."""
_ORDER, _WIDER = 66, 124
"""Pixels between seats in the turn order: if each has one guild, and if some have two or only a
name."""


@cached
def _base(height: int, has_strip: bool) -> Backdrop:
    """Return the background of a table: fields between the cities and panels."""

    def draw(pen: Pen) -> None:
        for y in range(0, pen.height, _FIELD):
            pen.line([(0, y), (pen.width, y + _FIELD)], COLOURS.furrow, 6)
        paint_bar(pen, _BAR, COLOURS.bar)
        if has_strip:
            pen.rect(STRIP, COLOURS.paper, COLOURS.ink, 2.5, 12)

    return Backdrop(ground(_WIDE, height, COLOURS.field, draw))


def _table(scene: Scene[FlandernView]) -> LayeredCanvas:
    """Draw the bar, the cities, the supply and the players."""
    players = len(scene.looks)
    marks, top = gather(scene.events), _TOPS[players]
    canvas = _cities(scene, top + PANELS[players].size[1] + _MARGIN)
    for seat in range(players):
        part = canvas.at(_MARGIN + seat * _STEPS[players], top)
        draw_panel(part, PANELS[players], scene, seat, marks)
    return canvas


def _cities(scene: Scene[FlandernView], high: int = 0) -> LayeredCanvas:
    """Draw everything except the players, with this height or as high as needed."""
    state, marks = scene.view.known, gather(scene.events)
    # Three players play without one city, whose cell has room for the supply.
    has_strip, bottom = len(state.players) != 3, STRIP[3]
    canvas = LayeredCanvas.over(_base(high or (bottom + 6 if has_strip else STRIP[1]), has_strip))
    _draw_bar(canvas, scene)
    if has_strip:
        draw_supply(canvas, scene, STRIP, marks)
    for number, (x, y) in enumerate(_AT):
        draw_city(canvas.at(x, y), scene, number, SMALL, marks.changed)
        if state.cities[number] is None:
            area = x, y + SMALL.head, x + SMALL.wide, y + SMALL.high
            draw_supply(canvas, scene, area, marks)
    return canvas


def _draw_bar(canvas: LayeredCanvas, scene: Scene[FlandernView]) -> None:
    """Draw the round, the question, and the turn order with the seats that are done."""
    state, middle = scene.view.known, _BAR // 2 - 1
    step = _ORDER if {*map(len, scene.looks)} == {1} else _WIDER
    end = _WIDE - 8 - step * len(scene.order)
    draw_order(canvas, scene, (end, middle), step, COLOURS.dusk)
    for place, seat in enumerate(scene.order[: state.acted]):
        if seat not in scene.active:
            canvas.stamp_centred(pieces.tick(24), end + place * step + 40, middle - 18)
    asked, city = scene.say(ASKED[GAME.question(state)]), city_in_play(state)
    if city != NONE:
        asked = f"{asked}: {scene.say(CITY_LABELS[city])}"
    draw_turn(canvas, scene, middle, state.round, asked, end - 20)


# Parts of the table


def parts(view: FlandernView) -> tuple[str, ...]:
    """Return the parts with a close-up: each city, all cities, the cards of each seat, the golden
    cards with three or four players, and the legend."""
    state = view.known
    cities = [key for key, city in zip(CITIES, state.cities, strict=True) if city is not None]
    golden_cards = () if two_players(state) else (GOLDEN_CARDS,)
    return (*cities, ALL_CITIES, *map(str, range(len(state.players))), *golden_cards, LEGEND)


def _part(scene: Scene[FlandernView], part: str, words: Mapping[str, str]) -> LayeredCanvas:
    """Draw one city or all; the cards of a seat with their effects; the golden cards; or the
    legend."""
    if part == ALL_CITIES:
        return _cities(scene)
    if part in CITIES:
        canvas = LayeredCanvas(LARGE.wide, LARGE.high)
        draw_city(canvas, scene, CITIES.index(part), LARGE, gather(scene.events).changed)
        return canvas
    if part == LEGEND:
        return draw_legend(scene.say("Legend"), SIGNS, words)
    if part == GOLDEN_CARDS:
        shown = [card for card, key in enumerate(CARDS) if key in words]
        return legend_sheet(
            scene.say("Golden cards"),
            [LegendLine([face(scene.say, card, GOLDEN, 56)], words[CARDS[card]]) for card in shown],
        )
    return draw_cards(scene, int(part), words)


def _asked_things(asked: AskedWords) -> Iterator[tuple[str, str, str]]:
    """Yield each word of a question with the kind of thing and the thing it selects. A quarter is
    drawn on the plot chosen before. For a menu entry it is the first word of its first action, ""
    for none."""
    for word in asked.words:
        what, thing = asked.param, word
        if what == "tile":
            what, thing = "place", asked.prefix[-1]
        elif what == WHOLE:
            kind, *words = in_turn(parse_action(word))[0]
            what, thing = _THINGS.get(kind, "place"), words[0] if words else ""
        yield word, what, thing


def part_asked(view: FlandernView, asked: AskedWords) -> str | None:
    """Return the part that shows a question, or None if it is about no place or piece."""
    found: set[str] = set()
    for _, what, thing in _asked_things(asked):
        if what in ("card", "influence") and thing:
            found.add(str(view.observer))
        elif what in ("guild", "place") and thing:
            found.add(ALL_CITIES if what == "guild" else city_of(thing))
    return found.pop() if len(found) == 1 else ALL_CITIES if found else None


def places_of(_view: FlandernView, asked: AskedWords, canvas: LayeredCanvas) -> Places:
    """Return the places of the words on a picture. Places named by their cities are only marked on
    the cities: that many frames would hide the board."""
    cities = list(map(city_of, asked.words))
    named = set(zip(cities, asked.names, strict=False))
    if asked.param == "place" and len(named) == len(set(cities)) < len(cities):
        return {word: canvas.find("city", city_of(word)) for word in asked.words}
    return {word: canvas.find(what, thing) for word, what, thing in _asked_things(asked)}


_SIZE, _SMALL = 60, 48
SIGNS: Legend = {
    "guilds": lambda: [pieces.sign(guild, _SMALL) for guild in range(PLAYER_GUILDS)],
    "others": lambda: [pieces.sign(each, _SMALL) for each in range(PLAYER_GUILDS, EMBLEMS)],
    "value": lambda: [pieces.seal(9, _SIZE)],
    "places": lambda: [pieces.plate(9, 36, True), pieces.plate(4, 36, False)],
    "leaders": lambda: [quarters.block(0, 3, _SMALL), pieces.leaders(2, _SMALL)],
    "site": lambda: [pieces.icon("site", _SIZE)],
    "cathedral": lambda: [pieces.icon("cathedral", _SIZE)],
    "shapes": lambda: [quarters.pile(0, shape, 5, _SMALL) for shape in range(len(SHAPES))],
    "special": lambda: [
        quarters.tile(CHURCH, FIRST_SPECIAL + each, _SMALL) for each in range(len(SPECIAL))
    ],
    "barred": lambda: [pieces.barred(guild, _SMALL) for guild in (0, 1)],
    "covered": lambda: [pieces.icon("cover", _SIZE)],
    "scored": lambda: [pieces.icon("cylinder", _SIZE)],
    "hand": lambda: [pieces.back(0, _SMALL)],
    "influence": lambda: [pieces.card_face(INFLUENCE, "", 0, _SMALL)],
    "golden": lambda: [pieces.back(deck, _SMALL) for deck in DECKS],
    "done": lambda: [pieces.tick(_SMALL)],
    "marked": lambda: [frame(44, 44)],
}
"""The entries of the legend, in order."""

PICTURES = GamePictures(
    game=GAME,
    palette=PALETTE,
    bar=_BAR,
    table=_table,
    part=_part,
    parts=parts,
    part_asked=part_asked,
    places=places_of,
    order=turn_order,
    sides=sides,
    signs=pieces.SIGNS,
)
