"""What the signs on the pictures of Flandern 1302 mean, and which golden cards have come out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bot.game.flandern.data import CARDS, EMBLEM_KEYS, PLAYER_GUILDS
from bot.game.flandern.plan import SHAPES, SPECIAL
from bot.render.asked import Sheet
from bot.render.flandern import cards, pieces, quarters, signs
from bot.render.flandern.supply import GOLDEN, face
from bot.render.layout import Labels
from bot.render.legend import LegendLine, legend_sheet
from bot.render.sprites import Sprite

_SIZE, _SMALL, _CARD = 60, 48, 56
_CHURCH = EMBLEM_KEYS[-1]


SIGNS: Mapping[str, Callable[[], Sequence[Sprite]]] = {
    "guilds": lambda: [pieces.sign(key, _SMALL) for key in EMBLEM_KEYS[:PLAYER_GUILDS]],
    "others": lambda: [pieces.sign(key, _SMALL) for key in EMBLEM_KEYS[PLAYER_GUILDS:]],
    "value": lambda: [signs.seal(9, _SIZE)],
    "places": lambda: [signs.plate(9, 36, True), signs.plate(4, 36, False)],
    "leaders": lambda: [quarters.block(EMBLEM_KEYS[0], 3, _SMALL), signs.leaders(2, _SMALL)],
    "site": lambda: [pieces.icon("site", _SIZE)],
    "cathedral": lambda: [pieces.icon("cathedral", _SIZE)],
    "shapes": lambda: [quarters.pile(EMBLEM_KEYS[0], shape, 5, _SMALL) for shape in SHAPES],
    "special": lambda: [quarters.tile(_CHURCH, kind, _SMALL) for kind in SPECIAL],
    "barred": lambda: [signs.barred(key, _SMALL) for key in EMBLEM_KEYS[:2]],
    "covered": lambda: [pieces.icon("cover", _SIZE)],
    "scored": lambda: [pieces.icon("cylinder", _SIZE)],
    "hand": lambda: [cards.back(EMBLEM_KEYS[0], _SMALL)],
    "influence": lambda: [cards.card("influence", "", EMBLEM_KEYS[0], _SMALL)],
    "golden": lambda: [cards.back(deck, _SMALL) for deck in "ab"],
    "done": lambda: [signs.tick(_SMALL)],
    "marked": lambda: [signs.frame(44, 44)],
}
"""By the keys of their words, in the order in which they are explained."""


def draw_legend(title: str, words: Mapping[str, str]) -> Sheet:
    """All signs, with what each means by its key."""
    return legend_sheet(
        title, [LegendLine(made(), words.get(key, "")) for key, made in SIGNS.items()]
    )


def draw_golden(title: str, labels: Labels, words: Mapping[str, str]) -> Sheet:
    """The golden cards of which there are words, with these."""
    lines = [
        LegendLine([face(labels, card, GOLDEN, _CARD)], words[card])
        for card in CARDS
        if card in words
    ]
    return legend_sheet(title, lines)
