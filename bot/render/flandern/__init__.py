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
_NOTE_KINDS = {"choose": "card", "play": "card", "guild": "guild", "control": "guild"}
"""By kind of action, the kind of note for its first word; a place for all others."""

_WIDE, _BAR = 1400, 76
_CITY_CORNERS = [(x, y) for y in (82, 626) for x in (6, 470, 934)]
"""The upper left corners of the cities, in game order."""
_STEPS, _TOPS = {2: 697, 3: 464, 4: 349}, {2: 1268, 3: 1170, 4: 1268}
"""By the number of players: the distance between the left edges of panels, and their top."""
_MARGIN = 6
_FURROW_STEP = 22
"""Pixels between the furrows of a field."""
_ORDER_STEP, _WIDE_ORDER_STEP = 66, 124
"""Pixels between seats in the turn order: if each has one guild, and otherwise."""


@cached
def _base(height: int, has_strip: bool) -> Backdrop:
    """Return the background of a table: fields between the cities and panels."""

    def draw(pen: Pen) -> None:
        for y in range(0, pen.height, _FURROW_STEP):
            pen.line([(0, y), (pen.width, y + _FURROW_STEP)], COLOURS.furrow, 6)
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
    for number, (x, y) in enumerate(_CITY_CORNERS):
        draw_city(canvas.at(x, y), scene, number, SMALL, marks.changed)
        if state.cities[number] is None:
            area = x, y + SMALL.head, x + SMALL.wide, y + SMALL.high
            draw_supply(canvas, scene, area, marks)
    return canvas


def _draw_bar(canvas: LayeredCanvas, scene: Scene[FlandernView]) -> None:
    """Draw the round, the question, and the turn order with the seats that are done."""
    state, middle = scene.view.known, _BAR // 2 - 1
    step = _ORDER_STEP if {*map(len, scene.looks)} == {1} else _WIDE_ORDER_STEP
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


def _notes_of(asked: AskedWords) -> Iterator[tuple[str, str, str]]:
    """Yield each word of a question with the kind and the word of its note. A quarter is noted at
    the plot chosen before. A menu entry has the first word of its first action, "" for none."""
    for word in asked.words:
        kind, noted = asked.param, word
        if kind == "tile":
            kind, noted = "place", asked.prefix[-1]
        elif kind == WHOLE:
            first, *words = in_turn(parse_action(word))[0]
            kind, noted = _NOTE_KINDS.get(first, "place"), words[0] if words else ""
        yield word, kind, noted


def part_asked(view: FlandernView, asked: AskedWords) -> str | None:
    """Return the part that shows a question's places and pieces, or None if it has none."""
    parts_shown: set[str] = set()
    for _, kind, noted in _notes_of(asked):
        if kind in ("card", "influence") and noted:
            parts_shown.add(str(view.observer))
        elif kind in ("guild", "place") and noted:
            parts_shown.add(ALL_CITIES if kind == "guild" else city_of(noted))
    return parts_shown.pop() if len(parts_shown) == 1 else ALL_CITIES if parts_shown else None


def places_of(_view: FlandernView, asked: AskedWords, canvas: LayeredCanvas) -> Places:
    """Return the places of the words on a picture. Places named by their cities are marked only on
    the cities: frames around all of them would hide the board."""
    cities = list(map(city_of, asked.words))
    named = set(zip(cities, asked.names, strict=False))
    if asked.param == "place" and len(named) == len(set(cities)) < len(cities):
        return {word: canvas.find("city", city_of(word)) for word in asked.words}
    return {word: canvas.find(kind, noted) for word, kind, noted in _notes_of(asked)}


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
