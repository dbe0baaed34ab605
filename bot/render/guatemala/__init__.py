"""The pictures of Guatemala Café: the table and its close-ups."""

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
from bot.render.guatemala.plantation import PlantationLayout, PlantationPicture
from bot.render.guatemala.production import ProductionPicture, draw_line
from bot.render.guatemala.seats import (
    PANELS,
    draw_panel,
    draw_track,
    label_track,
    paint_track,
    panel_area,
)
from bot.render.legend import LEGEND, Legend, draw_legend
from bot.render.panels import draw_order, draw_turn, frame, gain, paint_bar, paint_panel
from bot.render.picture import GamePictures, Scene
from bot.render.sides import SIDE_LOOKS, emblem
from bot.render.sprites import Align, Backdrop, Painting, Pen, ground

PRODUCTION = "production"
"""The part with the production board; the other parts show columns of the plantation board."""
PLANTATIONS = "plantations"
"""The part with the whole plantation board."""
_PATH = "path"
"""The prefix of the parts that are paths, which share a caption."""
_CAPTIONS = {
    PRODUCTION: label("Production"),
    PLANTATIONS: label("Plantations"),
    "left": label("Left half"),
    "right": label("Right half"),
}
_TITLES = {
    "place": label("Place the buyer"),
    "step": label("Move the buyer"),
    "act": label("Buy, or take a sack"),
    "more": label("Buy more or end turn"),
    "blocked": label("Blocked: buy"),
    "block": label("Block?"),
    "refill": label("Replace the sack"),
    "over": label("The end"),
}
_TARGETS = {"place": "position", "move": "steps", "refill": "sack", "buy": "place"}
"""By kind of action, the kind of place of its last word."""
_ON_PRODUCTION = ("position", "steps", "piece", "colour")
"""The parameters with places on the production board."""

_WIDE, _HIGH, _BAR = 1400, 1482, 76
_PRODUCTION = ProductionPicture((4, 82, 822, 900))
_TABLE = (4, 906, 1396, 1478)
_BOARDS = {
    12: PlantationLayout(_TABLE, 92, (46, 998), (105, 50), 12, 70),
    16: PlantationLayout(_TABLE, 92, (46, 998), (79, 50), 16, 90),
}
"""The plantation boards on the table, by number of columns."""
_LEAF = 60
"""Pixels from one leaf of the jungle to the next."""
_ORDER, _STOCK = 64, 112
"""Pixels of a seat in the turn order, and of a count of sacks in the bag or roads in stock."""
_ICON = 48

_HEAD, _LINE = 56, 100
"""Heights in a close-up: the bar above, and the buyer's line below."""
_LARGE_PRODUCTION = ProductionPicture((6, 60, 826, 880))
_PARTS = {
    12: PlantationLayout((0, 56, 864, 784), 106, (46, 166), (92, 65), 8, 68),
    16: PlantationLayout((0, 56, 864, 784), 106, (46, 166), (122, 65), 6, 118),
}
"""Close-ups by number of columns: a half of the board without paths, and a path."""
_FULL = {
    12: PlantationLayout((0, 56, 1016, 884), 126, (46, 196), (76, 72), 12, 68),
    16: PlantationLayout((0, 56, 1032, 884), 126, (46, 196), (58, 72), 16, 64),
}
_HAND, _POINTS = 46, 26
"""Sizes of the observer's money and sacks, and of the points next to huts."""


def _table(scene: Scene[GuatemalaView]) -> LayeredCanvas:
    state, marks, letters = scene.view.known, GuatemalaMarks(scene.events), scene.say("BNREW")
    canvas = LayeredCanvas.over(_base(scene.looks, state.rules.track))
    _draw_bar(canvas, scene)
    draw_track(canvas, state, letters, marks)
    for part in (_plantations(len(scene.looks)), _PRODUCTION):
        part.draw(canvas, state, letters, marks)
    for seat in range(len(scene.looks)):
        draw_panel(canvas, scene, seat, letters, marks)
    return canvas


@cache
def _plantations(players: int) -> PlantationPicture:
    board = board_for(players)
    return PlantationPicture(board, _BOARDS[board.columns])


@cached
def _base(looks: Looks, last: int) -> Backdrop:
    """Paint a table without pieces; `last` is the last space of the score track."""
    land = _plantations(len(looks))

    def draw(pen: Pen) -> None:
        # Leaves between the boards.
        for row, y in enumerate(range(0, pen.height + _LEAF, _LEAF // 2)):
            for x in range(-_LEAF + (row % 2) * _LEAF // 2, pen.width + _LEAF, _LEAF):
                leaf = [(x, y), (x + 24, y - 14), (x + 46, y), (x + 24, y + 14)]
                pen.polygon(leaf, COLOURS.frond)
        paint_bar(pen, _BAR, COLOURS.bar)
        paint_track(pen, last)
        land.paint(pen)
        pen.rect(land.plan.area, None, COLOURS.ink, 2.5)
        _PRODUCTION.paint(pen)
        for seat, look in enumerate(looks):
            paint_panel(pen, panel_area(len(looks), seat), PANELS[len(looks)].head, look)

    canvas = Painting(ground(_WIDE, _HIGH, COLOURS.jungle, draw))
    label_track(canvas, last)
    land.draw_labels(canvas)
    _PRODUCTION.draw_labels(canvas)
    return Backdrop(canvas.image)


def _draw_bar(canvas: LayeredCanvas, scene: Scene[GuatemalaView]) -> None:
    """Draw the round, the question and the seats to act, bag and roads, and the turn order."""
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
    draw_turn(canvas, scene, middle, state.round, scene.say(_TITLES[question]), end - 20)


# Close-ups


def parts(view: GuatemalaView) -> tuple[str, ...]:
    return (PLANTATIONS, *board_of(view.known).parts, PRODUCTION, LEGEND)


def _part(scene: Scene[GuatemalaView], part: str, words: Mapping[str, str]) -> LayeredCanvas:
    """Draw a part of a board under the observer's money and sacks, or the legend."""
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
    if isinstance(board, PlantationPicture):
        _draw_points(canvas, state, board)
    _draw_head(canvas, scene, letters, part)
    return canvas


@cache
def _large(players: int, part: str) -> PlantationPicture | ProductionPicture:
    """Return the picture of a part: the production board, or its columns of the plantation board
    and some next to them."""
    board = board_for(players)
    if part == PRODUCTION:
        return _LARGE_PRODUCTION
    if part == PLANTATIONS:
        return PlantationPicture(board, _FULL[board.columns])
    plan = _PARTS[board.columns]
    wide = board.columns // len(board.parts)
    first = list(board.parts).index(part) * wide - (plan.columns - wide) // 2
    return PlantationPicture(board, plan, max(0, min(first, board.columns - plan.columns)))


@cached
def _part_base(players: int, part: str) -> Backdrop:
    board = _large(players, part)

    def draw(pen: Pen) -> None:
        board.paint(pen)
        paint_bar(pen, _HEAD, COLOURS.bar)

    canvas = Painting(ground(*board.size, COLOURS.jungle, draw))
    board.draw_labels(canvas)
    return Backdrop(canvas.image)


def _draw_head(canvas: LayeredCanvas, scene: Scene[GuatemalaView], letters: str, part: str) -> None:
    """Draw the observer's money and sacks, if any, and the title if it fits."""
    observer, middle, x = scene.view.observer, _HEAD // 2 - 1, canvas.size[0] - 16
    if observer >= 0:
        player = scene.view.known.players[observer]
        hand = [(colour, count) for colour, count in enumerate(player.hand) if count]
        for colour, count in reversed(hand):
            canvas.text(x, middle, f"×{count}", COLOURS.cream, 34, align=Align.RIGHT)
            x -= width(f"×{count}", 34) + 4
            sack = pieces.rimmed(piece_of(SACK, colour), _HAND, letters)
            x = canvas.stamp_beside(sack, x, middle, Align.RIGHT)
            canvas.note("sack", COLOUR_KEYS[colour], square, x, middle - _HAND // 2, _HAND)
            x -= 10
        canvas.text(x - 6, middle, str(player.money), COLOURS.cream, 42, align=Align.RIGHT)
        x -= width(str(player.money), 42) + 14
        x = canvas.stamp_beside(pieces.icon("coin", _HAND), x, middle, Align.RIGHT) - 18
        x = canvas.stamp_beside(emblem(observer, _HAND), x, middle, Align.RIGHT) - 14
    number = part.removeprefix(_PATH)
    path = scene.say("Path")
    title = f"{path} {number}" if number != part else scene.say(_CAPTIONS[part])
    if width(title, 36, Face.TITLE) < x - 18:
        canvas.text(18, middle, title, COLOURS.cream, 36, Face.TITLE)


def _draw_points(canvas: LayeredCanvas, state: GuatemalaState, land: PlantationPicture) -> None:
    """Draw the points of a harvest now at each hut."""
    huts = ((seat, *each) for seat, p in enumerate(state.players) for each in enumerate(p.huts))
    for seat, colour, hut in huts:
        if hut != NONE and land.sees(hut):
            left, _, _, bottom = land.cell(hut)
            seal = pieces.total(crops(state, colour)[seat].points, _POINTS)
            top = bottom - seal.height - 2
            canvas.stamp(seal, left + 2, top)
            canvas.reserve((left + 2, top, left + 2 + seal.width, bottom))


# Marking a question's answers


def part_asked(view: GuatemalaView, asked: AskedWords) -> str | None:
    """Return the smallest part that shows all answers to a question; None if no part does."""
    entries = [in_turn(parse_action(word)) for word in asked.words if asked.param == WHOLE]
    # An entry that begins with a move is about the line of its position.
    actions = [each for entry in entries if entry[0][0] == "buy" for each in entry]
    bought_at = [action[-1] for action in actions if action[0] == "buy"]
    places = asked.words if asked.param == "place" else bought_at
    if not places:
        kinds = {entry[0][0] for entry in entries}
        is_about_lines = asked.param in _ON_PRODUCTION or kinds & {*_TARGETS, "take"}
        return PRODUCTION if is_about_lines else None
    board = board_of(view.known)
    strips = {int(region[0]) if region else 0 for region in map(board.region_of, places)}
    return next((name for name, part in board.parts.items() if strips <= {*part}), PLANTATIONS)


def places_of(view: GuatemalaView, asked: AskedWords, canvas: LayeredCanvas) -> Places:
    """Return the places of the words: a sack is in the observer's hand, and its space is marked
    too.

    Words named by region have the region as their place, as too many frames would hide the board.
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
    """Return the places where an entry of the menu takes effect.

    Joined actions have tags with the names of their places, except ports, which show a number.
    """
    places = [
        (action[-1], place)
        for action, view in parts
        for place in _of_action(view.known, action, canvas)
    ]
    if not is_joined:
        return [place for _, place in places]
    return [
        place._replace(name=name, needs_tag=place.needs_tag and not name.startswith("port"))
        for name, place in places
    ]


def _of_action(state: GuatemalaState, action: Action, canvas: LayeredCanvas) -> list[Place]:
    """Return the places where an action takes effect: a place, a line or a sack.

    On the production board a purchase is marked at its piece. Pieces need no tags.
    """
    kind, *words = action
    places = canvas.find(_TARGETS[kind], words[-1]) if kind in _TARGETS else []
    needs_tag = kind != "refill"
    if kind == "buy" and not places:
        needs_tag, places = False, canvas.find("piece", words[0])
    elif kind == "take" and (space := sack_space(state, state.buyer)) != NONE:
        needs_tag, places = False, canvas.find("piece", SPACE_NAMES[space])
    return [place._replace(needs_tag=needs_tag) for place in places]


_SIZE, _SMALL = 64, 42
_RED = COLOUR_OF_KEY["red"]


def signs(letters: str) -> Legend:
    """Return the legend's signs by the keys of its words, in order."""
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
