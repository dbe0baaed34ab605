"""What the signs on the pictures of Guatemala Café mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bot.game.guatemala.data import COLOUR_KEYS
from bot.render.asked import Sheet
from bot.render.guatemala import pieces, signs
from bot.render.guatemala.layout import COLOURS
from bot.render.legend import LegendLine, legend_sheet
from bot.render.panels import gain
from bot.render.sides import SIDE_LOOKS, emblem
from bot.render.sprites import Sprite

_SIZE, _SMALL = 64, 42

SIGNS: Mapping[str, Callable[[], Sequence[Sprite]]] = {
    "seats": lambda: [emblem(seat, 50) for seat in range(len(SIDE_LOOKS))],
    "coffee": lambda: [pieces.piece("worker", key, _SMALL) for key in COLOUR_KEYS],
    "buyer": lambda: [pieces.icon("buyer", _SIZE)],
    "worker": lambda: [pieces.piece("worker", "red", _SIZE)],
    "hut": lambda: [pieces.piece("hut", "red", _SIZE)],
    "ship": lambda: [pieces.piece("ship", "red", _SIZE)],
    "road": lambda: [pieces.piece("road", "", _SIZE)],
    "sack": lambda: [pieces.piece("sack", "red", _SIZE)],
    "points": lambda: [signs.total(8, 38)],
    "price": lambda: [signs.any_worker(52), signs.price(3, 42)],
    "port": lambda: [signs.port(1, 44)],
    "coin": lambda: [pieces.icon("coin", 50)],
    "hand": lambda: [pieces.icon("hidden_sack", 50)],
    "tiles": lambda: [emblem(0, 50)],
    "bag": lambda: [pieces.icon("bag", 50), pieces.piece("road", "", 50)],
    "marked": lambda: [signs.frame(48, 48), gain(3, 30, COLOURS.fresh, COLOURS.mark)],
}
"""By the keys of their words, in the order in which they are explained."""


def draw_legend(title: str, words: Mapping[str, str]) -> Sheet:
    """All signs, with what each means by its key."""
    return legend_sheet(
        title, [LegendLine(made(), words.get(key, "")) for key, made in SIGNS.items()]
    )
