"""What the signs on the pictures of Burgundy mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from bot.game.burgundy.data import COLOUR_KEYS, CONTENT, TILES
from bot.render.asked import Sheet
from bot.render.burgundy import pieces
from bot.render.legend import LegendLine, legend_sheet
from bot.render.panels import gain, place
from bot.render.sprites import Sprite

_SIZE = 52
_TILE, _LITTLE = 31, 28
"""Radii."""


def _colours(*keys: str) -> Sequence[Sprite]:
    return [pieces.symbol(COLOUR_KEYS.index(key), 54) for key in keys]


def _tile(key: str) -> Sequence[Sprite]:
    return [pieces.tile(key, _TILE)]


SIGNS: Mapping[str, Callable[[], Sequence[Sprite]]] = {
    "order": lambda: [place(number) for number in (1, 2, 3)],
    "dice": lambda: [pieces.die(5, False, _SIZE), pieces.die(2, True, _SIZE)],
    "worker": lambda: [pieces.icon("worker", _SIZE)],
    "silverling": lambda: [pieces.icon("silverling", _SIZE)],
    "goods": lambda: [pieces.good(0, 44), pieces.good(3, 44), pieces.icon("sold", 44)],
    "rounds": lambda: [pieces.phase("A", 0), pieces.die(3, False, 44), pieces.good(1, 44)],
    "phase": lambda: [pieces.seal(str(CONTENT.phase_points[0]), _SIZE)],
    "regions": lambda: _colours(*COLOUR_KEYS[:3]),
    "worth": lambda: [pieces.seal("9", 44)],
    "bonus": lambda: [pieces.bonus("7", 52), pieces.bonus("4", 52)],
    "storage": lambda: [pieces.slot(_LITTLE)] * CONTENT.storage_spaces,
    **{key: partial(_tile, key) for key in ("ship", "castle", "mine")},
    "animals": lambda: [
        pieces.tile(f"{kind}3", _LITTLE) for kind in ("cow", "pig", "sheep", "chicken")
    ],
    "knowledge": lambda: [pieces.tile("k8", _TILE), pieces.tile("k17", _TILE)],
    **{kind.key: partial(_tile, kind.key) for kind in TILES if kind.colour == "building"},
    "marked": lambda: [pieces.ring(_LITTLE), gain(16, 30)],
}
"""By the keys of their words, in the order in which they are explained."""


def draw_legend(title: str, words: Mapping[str, str]) -> Sheet:
    """All signs, with what each means by its key."""
    return legend_sheet(
        title, [LegendLine(made(), words.get(key, "")) for key, made in SIGNS.items()]
    )
