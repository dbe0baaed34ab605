"""The pictures of Guatemala Café: the table, and parts of both boards large."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from bot.game.contract import THEN, Action, in_turn, parse_action
from bot.game.frames import question_of
from bot.game.guatemala import GAME
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    COLOUR_OF_KEY,
    HUT,
    ROAD,
    SACK,
    SHIP,
    SPACE_NAMES,
    WORKER,
)
from bot.game.guatemala.data import piece as piece_of
from bot.game.guatemala.plantation import board_for
from bot.game.guatemala.sacks import crops, sack_space
from bot.game.guatemala.state import (
    NONE,
    Buying,
    GuatemalaState,
    GuatemalaView,
    board_of,
    emptied_spaces,
)
from bot.game.sides import Looks, clockwise
from bot.render.asked import WHOLE, AskedWords, LayeredCanvas, Place, Places, square
from bot.render.cache import cached
from bot.render.fonts import Face, label, width
from bot.render.guatemala import pieces
from bot.render.guatemala.pieces import COLOURS, PALETTE, GuatemalaMarks
from bot.render.guatemala.plantation import Ground, GroundPlan
from bot.render.guatemala.production import Yard, draw_line
from bot.render.guatemala.seats import (
    PANELS,
    draw_panel,
    draw_track,
    letter_track,
    paint_track,
    panel_area,
)
from bot.render.legend import LEGEND, Legend, draw_legend
from bot.render.panels import draw_order, draw_turn, frame, gain, paint_bar, paint_panel
from bot.render.picture import GamePictures, Scene
from bot.render.sides import SIDE_LOOKS, emblem
from bot.render.sprites import Align, Backdrop, Painting, Pen, ground

PRODUCTION = "production"
"""The part that is all of the production board; the others are columns of the plantation board."""
PLANTATIONS = "plantations"
"""All of the plantation board."""
_PATH = "path"
"""How the names of parts begin that are paths; the caption is the same for all."""
_CAPTIONS = {
    PRODUCTION: label("Production"),
    PLANTATIONS: label("Plantations"),
    "left": label("Left half"),
    "right": label("Right half"),
}
ASKED = {
    "place": label("Place the buyer"),
    "step": label("Move the buyer"),
    "act": label("Buy, or take a sack"),
    "more": label("Buy more or end turn"),
    "blocked": label("Blocked: buy"),
    "block": label("Block?"),
    "refill": label("Replace the sack"),
    "over": label("The end"),
}
_WHERE = {"place": "position", "move": "steps", "refill": "sack", "buy": "place"}
"""By kind of action, what its last word is."""
_ON_PRODUCTION = ("position", "steps", "piece", "colour")
"""The parameters that are asked for on the production board."""

_WIDE, _HIGH, _BAR = 1400, 1482, 76
_PRODUCTION = Yard((4, 82, 822, 900))
_TABLE = (4, 906, 1396, 1478)
_BOARDS = {
    12: GroundPlan(_TABLE, 92, (46, 998), (105, 50), 12, 70),
    16: GroundPlan(_TABLE, 92, (46, 998), (79, 50), 16, 90),
}
"""The plantation boards on the table, by their columns."""
_LEAF = 60
"""Pixels from one leaf of the jungle to the next."""
_ORDER, _STOCK = 64, 112
"""Pixels of a seat in the order of play; of what is left in the bag, and of roads."""
_ICON = 48

_HEAD, _LINE = 56, 100
"""Of a part that is drawn large: the bar above it, and the buyer's line below."""
_LARGE_PRODUCTION = Yard((6, 60, 826, 880))
_PARTS = {
    12: GroundPlan((0, 56, 864, 784), 106, (46, 166), (92, 65), 8, 68),
    16: GroundPlan((0, 56, 864, 784), 106, (46, 166), (122, 65), 6, 118),
}
"""A half of the board without paths, and a path."""
_WHOLE = {
    12: GroundPlan((0, 56, 1016, 884), 126, (46, 196), (76, 72), 12, 68),
    16: GroundPlan((0, 56, 1032, 884), 126, (46, 196), (58, 72), 16, 64),
}
_HELD, _SEAL = 46, 26
"""Of what the observer has to spend, and of points beside huts."""


def _table(scene: Scene[GuatemalaView]) -> LayeredCanvas:
    state, marks, letters = scene.view.known, GuatemalaMarks(scene.events), scene.say("BNREW")
    canvas = LayeredCanvas.over(_base(scene.looks, state.rules.track))
    _draw_bar(canvas, scene)
    draw_track(canvas, state, letters, marks)
    for part in (_ground(len(scene.looks)), _PRODUCTION):
        part.draw(canvas, state, letters, marks)
    for seat in range(len(scene.looks)):
        draw_panel(canvas, scene, seat, letters, marks)
    return canvas


@cache
def _ground(players: int) -> Ground:
    board = board_for(players)
    return Ground(board, _BOARDS[board.columns])


@cached
def _base(looks: Looks, last: int) -> Backdrop:
    """The picture of a table without pieces, with this last space of its track."""
    land = _ground(len(looks))

    def draw(pen: Pen) -> None:
        # Leaves, seen between the boards.
        for row, y in enumerate(range(0, pen.height + _LEAF, _LEAF // 2)):
            for x in range(-_LEAF + (row % 2) * _LEAF // 2, pen.width + _LEAF, _LEAF):
                leaf = [(x, y), (x + 24, y - 14), (x + 46, y), (x + 24, y + 14)]
                pen.polygon(leaf, COLOURS.frond)
        paint_bar(pen, _BAR, COLOURS.bar)
        paint_track(pen, last)
        land.paint(pen)
        pen.rect(land.plan.area, None, COLOURS.ink, 2.5)
        _PRODUCTION.paint(pen)
        for seat, own in enumerate(looks):
            paint_panel(pen, panel_area(len(looks), seat), PANELS[len(looks)].head, own)

    canvas = Painting(ground(_WIDE, _HIGH, COLOURS.jungle, draw))
    letter_track(canvas, last)
    land.letter(canvas)
    _PRODUCTION.letter(canvas)
    return Backdrop(canvas.image)


def _draw_bar(canvas: LayeredCanvas, scene: Scene[GuatemalaView]) -> None:
    """The round, what is asked of whom, bag and roads, the order of play."""
    state, middle = scene.view.known, _BAR // 2 - 1
    end = _WIDE - 8 - _ORDER * len(scene.order)
    draw_order(canvas, scene, (end, middle), _ORDER, COLOURS.dusk)
    left = {pieces.icon("bag", _ICON): sum(state.bag), pieces.piece(ROAD, _ICON, ""): state.stock}
    end -= 34 + _STOCK * len(left)
    for place, (sign, count) in enumerate(left.items()):
        x = canvas.stamp_beside(sign, end + place * _STOCK, middle)
        canvas.text(x + 6, middle, str(count), COLOURS.cream if count else COLOURS.dusk, 40)
    question, turn = question_of(state), state.frames[-1]
    if isinstance(turn, Buying):
        question = "more" if turn.emptied else "blocked" if turn.blocked else question
    draw_turn(canvas, scene, middle, state.round, scene.say(ASKED[question]), end - 20)


# Parts of the table, large


def parts(view: GuatemalaView) -> tuple[str, ...]:
    """What has a close-up."""
    return (PLANTATIONS, *board_of(view.known).parts, PRODUCTION, LEGEND)


def _part(scene: Scene[GuatemalaView], part: str, words: Mapping[str, str]) -> LayeredCanvas:
    """A part of either board, and over it what the observer has left to spend; or the legend."""
    state, letters, players = scene.view.known, scene.say("BNREW"), len(scene.looks)
    if part == LEGEND:
        return draw_legend(scene.say("Legend"), signs(letters), words)
    board, base = _large(players, part), _part_base(players, part)
    has_line = part != PRODUCTION and isinstance(state.frames[-1], Buying)
    canvas = LayeredCanvas(base.width, base.height + _LINE * has_line)
    canvas.lay(base, 0, 0)
    if has_line:
        area = 0, base.height, base.width, base.height + _LINE
        canvas.rect(area, COLOURS.bar)
        draw_line(canvas, state, letters, area)
    board.draw(canvas, state, letters, GuatemalaMarks(scene.events))
    if isinstance(board, Ground):
        _draw_points(canvas, state, board)
    _draw_head(canvas, scene, letters, part)
    return canvas


@cache
def _large(players: int, part: str) -> Ground | Yard:
    """What a part shows: of the plantation board its columns, and some beside them."""
    board = board_for(players)
    if part == PRODUCTION:
        return _LARGE_PRODUCTION
    if part == PLANTATIONS:
        return Ground(board, _WHOLE[board.columns])
    plan = _PARTS[board.columns]
    wide = board.columns // len(board.parts)
    first = list(board.parts).index(part) * wide - (plan.columns - wide) // 2
    return Ground(board, plan, max(0, min(first, board.columns - plan.columns)))


@cached
def _part_base(players: int, part: str) -> Backdrop:
    """A part of either board without pieces."""
    board = _large(players, part)

    def draw(pen: Pen) -> None:
        board.paint(pen)
        paint_bar(pen, _HEAD, COLOURS.bar)

    canvas = Painting(ground(*board.size, COLOURS.jungle, draw))
    board.letter(canvas)
    return Backdrop(canvas.image)


def _draw_head(canvas: LayeredCanvas, scene: Scene[GuatemalaView], letters: str, part: str) -> None:
    """What part it is, as far as there is room; the observer's money and sacks, or for spectators
    no one's."""
    observer, middle, x = scene.view.observer, _HEAD // 2 - 1, canvas.size[0] - 16
    if observer >= 0:
        player = scene.view.known.players[observer]
        held = [(colour, count) for colour, count in enumerate(player.hand) if count]
        for colour, count in reversed(held):
            canvas.text(x, middle, f"×{count}", COLOURS.cream, 34, align=Align.RIGHT)
            x -= width(f"×{count}", 34) + 4
            sack = pieces.rimmed(piece_of(SACK, colour), _HELD, letters)
            x = canvas.stamp_beside(sack, x, middle, Align.RIGHT)
            canvas.note("sack", COLOUR_KEYS[colour], square, x, middle - _HELD // 2, _HELD)
            x -= 10
        canvas.text(x - 6, middle, str(player.money), COLOURS.cream, 42, align=Align.RIGHT)
        x -= width(str(player.money), 42) + 14
        x = canvas.stamp_beside(pieces.icon("coin", _HELD), x, middle, Align.RIGHT) - 18
        x = canvas.stamp_beside(emblem(observer, _HELD), x, middle, Align.RIGHT) - 14
    number = part.removeprefix(_PATH)
    path = scene.say("Path")
    title = f"{path} {number}" if number != part else scene.say(_CAPTIONS[part])
    if width(title, 36, Face.TITLE) < x - 18:
        canvas.text(18, middle, title, COLOURS.cream, 36, Face.TITLE)


def _draw_points(canvas: LayeredCanvas, state: GuatemalaState, land: Ground) -> None:
    """At each hut what its plantation would score now."""
    huts = ((seat, *each) for seat, p in enumerate(state.players) for each in enumerate(p.huts))
    for seat, colour, hut in huts:
        if hut != NONE and land.sees(hut):
            left, _, _, bottom = land.cell(hut)
            seal = pieces.total(crops(state, colour)[seat].points, _SEAL)
            top = bottom - seal.height - 2
            canvas.stamp(seal, left + 2, top)
            canvas.reserve((left + 2, top, left + 2 + seal.width, bottom))


# What is asked


def part_asked(view: GuatemalaView, asked: AskedWords) -> str | None:
    """The part that the question is about, the smallest one in which all places lie; None for one
    about no place or piece."""
    entries = [in_turn(parse_action(word)) for word in asked.words if asked.param == WHOLE]
    # An entry that begins with a step is about the line to which that leads.
    bought = [each for entry in entries if entry[0][0] == "buy" for each in entry]
    bought_at = [action[-1] for action in bought if action[0] == "buy"]
    places = asked.words if asked.param == "place" else bought_at
    if not places:
        kinds = {entry[0][0] for entry in entries}
        is_about_lines = asked.param in _ON_PRODUCTION or kinds & {*_WHERE, "take"}
        return PRODUCTION if is_about_lines else None
    board = board_of(view.known)
    strips = {int(region[0]) if region else 0 for region in map(board.region_of, places)}
    return next((name for name, own in board.parts.items() if strips <= {*own}), PLANTATIONS)


def places_of(view: GuatemalaView, asked: AskedWords, canvas: LayeredCanvas) -> Places:
    """Where on a picture the words lie; a sack is one of the observer's own, and the space for it
    lights up too. Places that are named by their regions lie wherever these do, as frames around
    so many would hide the board.
    """
    state = view.known
    if asked.param == WHOLE:
        return {
            word: _of_entry(asked.parts(word, view), canvas, THEN in word) for word in asked.words
        }
    if asked.param == "place" and len(set(asked.names)) < len(asked.names):
        regions = {word: board_of(state).region_of(word) for word in asked.words}
        return {
            word: canvas.find("region", region) if region else canvas.find("place", word)
            for word, region in regions.items()
        }
    if asked.param == "colour":
        gaps = [
            place
            for space in emptied_spaces(state)
            for place in canvas.find("gap", SPACE_NAMES[space])
        ]
        return {
            word: [place._replace(needs_tag=False) for place in (*canvas.find("sack", word), *gaps)]
            for word in asked.words
        }
    return {word: canvas.find(asked.param, word) for word in asked.words}


def _of_entry(
    parts: Iterable[tuple[Action, GuatemalaView]], canvas: LayeredCanvas, is_joined: bool
) -> list[Place]:
    """Where an entry of the menu takes effect; of several actions each place by its own name, but
    a port by its number."""
    found = [
        (action[-1], place)
        for action, view in parts
        for place in _of_action(view.known, action, canvas)
    ]
    if not is_joined:
        return [place for _, place in found]
    return [
        place._replace(name=name, needs_tag=place.needs_tag and not name.startswith("port"))
        for name, place in found
    ]


def _of_action(state: GuatemalaState, action: Action, canvas: LayeredCanvas) -> list[Place]:
    """Where an action takes effect: a place, a line, a sack, which is known by its drawing. On the
    production board a purchase is lit by its piece."""
    kind, *words = action
    found = canvas.find(_WHERE[kind], words[-1]) if kind in _WHERE else []
    needs_tag = kind != "refill"
    if kind == "buy" and not found:
        needs_tag, found = False, canvas.find("piece", words[0])
    elif kind == "take" and (space := sack_space(state, state.buyer)) != NONE:
        needs_tag, found = False, canvas.find("piece", SPACE_NAMES[space])
    return [place._replace(needs_tag=needs_tag) for place in found]


_SIZE, _SMALL = 64, 42
_RED = COLOUR_OF_KEY["red"]


def signs(letters: str) -> Legend:
    """What the legend explains, by the keys of its words and in its order."""
    return {
        "seats": lambda: [emblem(seat, 50) for seat in range(len(SIDE_LOOKS))],
        "coffee": lambda: [
            pieces.piece(piece_of(WORKER, colour), _SMALL, letters)
            for colour in range(len(COLOUR_KEYS))
        ],
        "buyer": lambda: [pieces.icon("buyer", _SIZE)],
        "worker": lambda: [pieces.piece(piece_of(WORKER, _RED), _SIZE, letters)],
        "hut": lambda: [pieces.piece(piece_of(HUT, _RED), _SIZE, letters)],
        "ship": lambda: [pieces.piece(piece_of(SHIP, _RED), _SIZE, letters)],
        "road": lambda: [pieces.piece(ROAD, _SIZE, letters)],
        "sack": lambda: [pieces.piece(piece_of(SACK, _RED), _SIZE, letters)],
        "points": lambda: [pieces.total(8, 38)],
        "price": lambda: [pieces.any_worker(52), pieces.price(3, 42)],
        "port": lambda: [pieces.pennant(1, 44)],
        "coin": lambda: [pieces.icon("coin", 50)],
        "hand": lambda: [pieces.icon("hidden_sack", 50)],
        "bag": lambda: [pieces.icon("bag", 50), pieces.piece(ROAD, 50, letters)],
        "marked": lambda: [frame(48, 48), gain(3, 30)],
    }


PICTURES = GamePictures(
    game=GAME,
    palette=PALETTE,
    bar=_BAR,
    table=_table,
    part=_part,
    parts=parts,
    part_asked=part_asked,
    places=places_of,
    order=lambda state: clockwise(state.first, len(state.players)),
    signs=pieces.SIGNS,
)
