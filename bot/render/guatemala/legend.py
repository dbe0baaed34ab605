"""What the signs on the pictures of Guatemala Café mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bot.game.guatemala.data import COLOUR_KEYS
from bot.render.asked import Sheet
from bot.render.guatemala import pieces, signs
from bot.render.guatemala.pieces import Coffees
from bot.render.legend import LegendLine, legend_sheet
from bot.render.panels import gain
from bot.render.sides import SIDE_LOOKS, emblem
from bot.render.sprites import Sprite

_SIZE, _SMALL = 64, 42

SIGNS: Mapping[str, Callable[[Coffees], Sequence[Sprite]]] = {
    "seats": lambda _: [emblem(seat, 50) for seat in range(len(SIDE_LOOKS))],
    "coffee": lambda its: [its.piece("worker", key, _SMALL) for key in COLOUR_KEYS],
    "buyer": lambda _: [pieces.icon("buyer", _SIZE)],
    "worker": lambda its: [its.piece("worker", "red", _SIZE)],
    "hut": lambda its: [its.piece("hut", "red", _SIZE)],
    "ship": lambda its: [its.piece("ship", "red", _SIZE)],
    "road": lambda _: [pieces.piece("road", "", _SIZE)],
    "sack": lambda its: [its.piece("sack", "red", _SIZE)],
    "points": lambda _: [signs.total(8, 38)],
    "price": lambda _: [signs.any_worker(52), signs.price(3, 42)],
    "port": lambda _: [signs.port(1, 44)],
    "coin": lambda _: [pieces.icon("coin", 50)],
    "hand": lambda _: [pieces.icon("hidden_sack", 50)],
    "bag": lambda _: [pieces.icon("bag", 50), pieces.piece("road", "", 50)],
    "marked": lambda _: [signs.frame(48, 48), gain(3, 30)],
}
"""By the keys of their words, in the order in which they are explained."""


def draw_legend(title: str, words: Mapping[str, str], coffees: Coffees) -> Sheet:
    """All signs, with what each means by its key."""
    return legend_sheet(
        title, [LegendLine(made(coffees), words.get(key, "")) for key, made in SIGNS.items()]
    )
