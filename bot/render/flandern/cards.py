"""The cards of Flandern 1302 as sprites: silver ones of the guilds, and golden ones."""

from __future__ import annotations

from typing import NamedTuple

from bot.game.flandern.city import NONE
from bot.game.flandern.data import EMBLEM_KEYS, EMBLEM_OF_CITY
from bot.game.flandern.plan import CITY_OF_NAME
from bot.render.drawing import Stencil
from bot.render.flandern.pieces import ICONS, LOOKS, OWN, letter
from bot.render.fonts import Face
from bot.render.sides import TONES
from bot.render.sprites import Pen, shaped
from bot.render.theme import Colour

GOLDEN, SILVER = "golden", "silver"
"""Owners of cards that no guild has: of the golden deck, and of the deck of two players."""
_DECKS = ("a", "b")
_HIGH = 1.4


class _Paper(NamedTuple):
    """The colours of a card: its rim, what is written there, and the field within."""

    rim: Colour
    writing: Colour
    field: Colour


def _paper(owner: str) -> _Paper:
    if owner in LOOKS:
        return _Paper(LOOKS[owner].fill, LOOKS[owner].writing, TONES.cream)
    if owner == SILVER:
        return _Paper(OWN["steel"], TONES.ink, OWN["silver"])
    return _Paper(OWN["bronze"], TONES.gold, TONES.gold)


def _size(wide: int) -> tuple[int, int]:
    return wide, round(wide * _HIGH)


def _blank(pen: Pen, paper: _Paper, foot: float) -> float:
    """A card with a field down to its `foot`; returns a hundredth of its width."""
    unit = pen.width / 100
    pen.rect((0, 0, pen.width, pen.height), paper.rim, TONES.ink, max(1.5, 3 * unit), 10 * unit)
    pen.rect((11 * unit, 11 * unit, 89 * unit, foot * unit), paper.field, None, 0, 6 * unit)
    return unit


@shaped(lambda *what: _size(what[-1]))
def card(pen: Pen, key: str, letters: str, owner: str, wide: int) -> None:
    """The face of a card: what it is for, in a rim of its owner's colour.

    `letters` are written under a city. The owner is an emblem, `GOLDEN` or `SILVER`.
    """
    paper = _paper(owner)
    foot = 88 if letters else 129
    unit = _blank(pen, paper, foot)
    size = (74 if letters else 76) * unit
    home = EMBLEM_OF_CITY.get(CITY_OF_NAME.get(key, NONE))
    fill = paper.rim if home is None else LOOKS[EMBLEM_KEYS[home]].fill
    ICONS[key](Stencil(pen, 50 * unit, (11 + foot) / 2 * unit, size), fill)
    if letters:
        pen.text((50 * unit, 112 * unit), letters, paper.writing, round(50 * unit), Face.TEXT)


@shaped(lambda *what: _size(what[-1]))
def back(pen: Pen, owner: str, wide: int) -> None:
    """A card face down; the owner may be a golden deck as well, ``a`` or ``b``."""
    paper = _paper(owner)
    unit = _blank(pen, paper, 129)
    lattice = [(11, 70), (50, 11), (89, 70), (50, 129)]
    pen.polygon([(x * unit, y * unit) for x, y in lattice], paper.rim, TONES.ink, 3 * unit)
    at = Stencil(pen, 50 * unit, 70 * unit, 58 * unit)
    if owner in _DECKS:
        at.text(0, 0, owner.upper(), paper.writing, 110)
    elif owner in LOOKS:
        letter(at, owner)
