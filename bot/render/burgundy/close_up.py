"""Close-ups: an estate, the depots, both for a turn, and the legend; and the part that shows a
question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from bot.game.burgundy.data import (
    BLACK,
    COLOUR_OF,
    CONTENT,
    KNOWLEDGE,
    TILE_KEYS,
    TILE_OF_KEY,
    TILES,
)
from bot.game.burgundy.game import GAME
from bot.game.burgundy.state import NONE, BurgundyView, on_turn
from bot.game.contract import in_turn, parse_action
from bot.render.asked import WHOLE, AskedWords, LayeredCanvas, Place, Places
from bot.render.burgundy import pieces
from bot.render.burgundy.board import BAR, DepotPlan, draw_depots, draw_table, paint_cards
from bot.render.burgundy.estate import Marks, PanelArtist, paint_empty
from bot.render.burgundy.pieces import COLOURS, PALETTE
from bot.render.cache import cached
from bot.render.legend import LEGEND, Legend, LegendEntry, draw_legend, over_legend
from bot.render.panels import gain, place
from bot.render.picture import GamePictures, Scene
from bot.render.sides import emblem
from bot.render.sprites import Backdrop, Pen, Sprite, ground

BOARD = ""
"""The part that is the whole table."""
DEPOTS = "depots"
"""The part that is all depots; the parts of the estates are the seats' numbers."""
TURN = "turn"
"""The observer's own estate and the depots."""

_ESTATE = "estate"
_AT = (4, 6)
"""The corner of an estate."""
_SIZES = {_ESTATE: (1080, 748), DEPOTS: (1080, 1010), TURN: (1100, 828)}
"""The sizes of pictures without a legend under them."""
_PLANS = {
    DEPOTS: DepotPlan(
        areas=[(x, y, x + 528, y + 258) for y in (8, 274, 540) for x in (8, 544)],
        black=(8, 806, 1072, 1002),
        radii=(62, 62, 62),
        goods=[(12, 180, 520, 252)] * 3,
        first=(90, 106),
        loaded=(6, 110),
        die=72,
        in_a_row=8,
    ),
    TURN: DepotPlan(
        areas=[(553, y, 1096, y + 131) for y in range(6, 692, 137)],
        black=(4, 524, 547, 822),
        radii=(58, 57, 50),
        goods=[(290, 5, 535, 126), (386, 5, 537, 126), (438, 5, 539, 126)],
        first=(78, 65),
        loaded=(5, 102),
        at=(8, 10),
    ),
}


def parts(view: BurgundyView) -> tuple[str, ...]:
    """Return the parts: the estates, the depots once the game has begun, and the legend."""
    estates = tuple(map(str, range(len(view.known.players))))
    if not view.known.round:
        return (*estates, LEGEND)
    return (*estates, DEPOTS, *((TURN,) if view.observer >= 0 else ()), LEGEND)


def draw_close_up(scene: Scene[BurgundyView], part: str, words: Mapping[str, str]) -> LayeredCanvas:
    """Draw a part: an estate or the depots with a legend of their knowledge tiles, the observer's
    estate next to the depots, or the legend of all signs.

    Knowledge tiles without an entry in `words` are left out.
    """
    view, marks = scene.view, Marks(scene.events)
    if part == LEGEND:
        return draw_legend(scene.say("Legend"), SIGNS, words)
    if part == DEPOTS:
        dice = [pieces.die(depot + 1, False, 38) for depot in range(BLACK)]
        signs = [*dice, pieces.icon("black_depot", 38)]
        depots = zip(view.known.depots, signs, strict=True)
        canvas = over_legend(
            _base(DEPOTS, ()),
            _legend_entries([(tile, sign) for tiles, sign in depots for tile in tiles], words),
        )
        draw_depots(canvas, scene, marks, _PLANS[DEPOTS])
        return canvas
    if part == TURN:
        seat = view.observer
        canvas = LayeredCanvas.over(_base(TURN, scene.looks[seat]))
        draw_depots(canvas, scene, marks, _PLANS[TURN])
        PanelArtist(canvas.at(*_AT), scene, marks, seat).draw()
        return canvas
    seat = int(part)
    player = view.known.players[seat]
    # For the active player only tiles in storage, so that the picture fits on a phone.
    owned = [] if seat == on_turn(view.known) == view.observer else player.estate
    entries = [
        *((tile, emblem(seat, 38)) for tile in owned),
        *((tile, pieces.slot(20)) for tile in player.storage),
    ]
    canvas = over_legend(_base(_ESTATE, scene.looks[seat]), _legend_entries(entries, words))
    PanelArtist(canvas.at(*_AT), scene, marks, seat, large=True).draw()
    return canvas


def _legend_entries(
    entries: Iterable[tuple[int, Sprite]], words: Mapping[str, str]
) -> list[LegendEntry]:
    """Return the entries for knowledge tiles, each with the sign of its place."""
    return [
        LegendEntry(pieces.tile(tile, 42), sign, words[TILE_KEYS[tile]])
        for tile, sign in entries
        if tile != NONE and COLOUR_OF[tile] == KNOWLEDGE and TILE_KEYS[tile] in words
    ]


@cached
def _base(part: str, looks: tuple[int, ...]) -> Backdrop:
    """Paint a part without pieces; an estate has the `looks` of its seat's sides."""

    def draw(pen: Pen) -> None:
        if part != DEPOTS:
            paint_empty(pen, _AT, part == _ESTATE, looks)
        if part in _PLANS:
            paint_cards(pen, _PLANS[part])

    return Backdrop(ground(*_SIZES[part], COLOURS.slope, draw))


def _tiles(*keys: str, radius: int = 31) -> list[Sprite]:
    return [pieces.tile(TILE_OF_KEY[key], radius) for key in keys]


SIGNS: Legend = {
    "order": lambda: [place(number) for number in (1, 2, 3)],
    "dice": lambda: [pieces.die(5, False, 52), pieces.die(2, True, 52)],
    "worker": lambda: [pieces.icon("worker", 52)],
    "silverling": lambda: [pieces.icon("silverling", 52)],
    "goods": lambda: [pieces.good(0, 44), pieces.good(3, 44), pieces.icon("sold", 44)],
    "rounds": lambda: [pieces.phase("A", 0), pieces.die(3, False, 44), pieces.good(1, 44)],
    "phase": lambda: [pieces.seal(CONTENT.phase_points[0], 52)],
    "regions": lambda: [pieces.symbol(colour, 54) for colour in range(3)],
    "worth": lambda: [pieces.seal(9, 44)],
    "bonus": lambda: [pieces.bonus(7, 52), pieces.bonus(4, 52)],
    "storage": lambda: [pieces.slot(28)] * CONTENT.storage_spaces,
    **{key: partial(_tiles, key) for key in ("ship", "castle", "mine")},
    "animals": partial(_tiles, "cow3", "pig3", "sheep3", "chicken3", radius=28),
    "knowledge": partial(_tiles, "k8", "k17"),
    **{kind.key: partial(_tiles, kind.key) for kind in TILES if kind.colour == "building"},
    "marked": lambda: [pieces.ring(28), gain(16, 30)],
}
"""The legend's signs by the keys of its words, in order."""


# Marking a question's answers


def part_asked(view: BurgundyView, asked: AskedWords) -> str | None:
    """Return the part that shows the answers to a question; None if no part does."""
    kinds = {asked.kind}
    if asked.param == WHOLE:
        kinds = {word.partition(" ")[0] for word in asked.words}
    if "board" in kinds:
        return BOARD
    if view.observer < 0:
        return None
    if kinds & {"take", "buy", "load"} and asked.param != "discard":
        return TURN
    in_estate = kinds & {"castle", "place", "sell", "workers"} or asked.param == "discard"
    return str(view.observer) if in_estate else None


def places(_view: BurgundyView, asked: AskedWords, canvas: LayeredCanvas) -> Places:
    """Return the places of the words: tiles and goods in the chosen depot, or in storage."""
    kind = asked.param
    if kind == WHOLE:
        return {word: _place_of_action(canvas, word) for word in asked.words}
    if kind in ("tile", "discard"):
        is_stored = kind == "discard" or asked.kind == "place"
        kind = "stored" if is_stored else asked.prefix[-1]
    elif kind == "goods":
        kind = f"goods {asked.prefix[-1]}"
    return {word: canvas.find(kind, word) for word in asked.words}


_TARGETS = {
    "board": ("board", 0),
    "castle": ("space", 0),
    "place": ("space", 2),
    "sell": ("good", 1),
    "workers": ("die", 0),
    "load": ("depot", 0),
}
"""By kind of action, the kind of place where it takes effect and the index of its word."""


def _place_of_action(canvas: LayeredCanvas, action: str) -> list[Place]:
    """Return the places where a whole action takes effect; only boards and spaces need tags."""
    kind, *words = in_turn(parse_action(action))[0]
    if kind in ("take", "buy"):
        target, word = words[-3:-1]
    elif kind in _TARGETS:
        target, word = _TARGETS[kind][0], words[_TARGETS[kind][1]]
    else:
        return []
    needs_tag = target in ("board", "space")
    return [place._replace(needs_tag=needs_tag) for place in canvas.find(target, word)]


PICTURES = GamePictures(
    palette=PALETTE,
    bar=BAR,
    table=draw_table,
    part=draw_close_up,
    parts=parts,
    part_asked=part_asked,
    places=places,
    game=GAME,
    order=lambda known: known.order,
    signs=pieces.EMOJI,
)
