"""What the signs on the pictures mean, a line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bot.game.kogge.data import GOOD_KEYS
from bot.render.asked import Sheet
from bot.render.kogge import pieces, signs
from bot.render.kogge.layout import COLOURS
from bot.render.legend import LegendLine, legend_sheet
from bot.render.panels import place
from bot.render.sprites import Sprite

_PIECE = 58

SIGNS: Mapping[str, Callable[[str], Sequence[Sprite]]] = {
    "star": lambda _: (signs.pip(True, _PIECE), signs.pip(False, _PIECE)),
    "points": lambda _: (pieces.office(1, _PIECE), pieces.chit("three", _PIECE)),
    "goods": lambda letters: [pieces.good(letters, kind, 46) for kind in range(len(GOOD_KEYS))],
    "office": lambda _: (pieces.office(0, _PIECE), pieces.office(1, _PIECE)),
    "raid": lambda _: (pieces.raid(0, _PIECE), pieces.raid(1, _PIECE)),
    "order": lambda _: (place(1), pieces.marker(6, _PIECE), pieces.marker(6, _PIECE)),
    "guild": lambda _: (pieces.guild_master(), signs.guild_badge()),
    "end": lambda _: (pieces.end_marker(),),
    "marker": lambda _: (pieces.marker(4, _PIECE), pieces.marker(7, _PIECE)),
    "hidden": lambda _: (pieces.marker_back(None, _PIECE), pieces.marker_back(4, _PIECE)),
    "ways": lambda _: (
        pieces.ship(0, _PIECE),
        signs.arrow(COLOURS.gold, 0),
        signs.price("\u22121"),
    ),
    "three": lambda _: (pieces.chit("three", _PIECE),),
    "marker_chit": lambda _: (pieces.chit("marker", _PIECE),),
    "spaces": lambda _: (pieces.chit("spaces", _PIECE),),
    "secret": lambda _: (pieces.chit("secret", _PIECE),),
}
"""By the keys of their words, in the order in which they are explained, from the goods' letters."""


def draw_legend(title: str, words: Mapping[str, str], letters: str) -> Sheet:
    """All signs, with what each means by its key."""
    return legend_sheet(
        title, [LegendLine(made(letters), words.get(key, "")) for key, made in SIGNS.items()]
    )
