"""The files of drawings are validated, and their colours are in the palettes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from bot.render.burgundy import pieces as burgundy
from bot.render.drawing import Icon, ScaledPen
from bot.render.flandern import pieces as flandern_pieces
from bot.render.guatemala import pieces as guatemala_pieces
from bot.render.kogge import pieces as kogge
from bot.render.sprites import Pen, paint
from bot.resources import Traversable


class Mistake(NamedTuple):
    """A text in a file, its replacement, and a pattern for the error."""

    old: str
    new: str
    error: str


MISTAKES: dict[str, tuple[Callable[[Path], object], Traversable, Sequence[Mistake]]] = {
    "guatemala": (
        guatemala_pieces.load,
        guatemala_pieces.DATA,
        (
            Mistake("[coffee.brown]", "[coffee.braun]", "coffee has .*braun"),
            Mistake("[zones.coast]", "[zones.beach]", "zones has .*beach"),
            Mistake("hut = [0", "house = [0", "letters has .*house"),
            Mistake('fill = "#2e2a36"', 'fill = "black"', "regex"),
            Mistake("polygon", "polygone", "polygone"),
        ),
    ),
    "flandern": (
        flandern_pieces.load,
        flandern_pieces.DATA,
        (
            Mistake("[emblems.red]", "[emblems.rot]", "emblems has .*rot"),
            Mistake('d = [["p1"', 'e = [["p1"', "supply has .*e"),
            Mistake("church-a = [", "church-d = [", "spots has .*church-d"),
            Mistake("[[0, 58, 100]]", "[]", "length 1, .*spots"),
            Mistake("cover = [", "covers = [", "drawings has no cover"),
            Mistake("[own.grey]", "[own.gray]", "own has .*gray"),
            Mistake('fill = "#a6abb3"', 'fill = "grey"', "regex"),
            Mistake("polygon", "polygone", "polygone"),
        ),
    ),
}


@pytest.mark.parametrize("file", MISTAKES)
def test_a_mistake_in_a_file_is_reported(file: str, tmp_path: Path) -> None:
    load, data, mistakes = MISTAKES[file]
    text, path = data.read_text(encoding="utf-8"), tmp_path / data.name
    for old, new, error in mistakes:
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        with pytest.raises((msgspec.ValidationError, ValueError), match=error):
            load(path)


def test_every_flat_colour_is_in_the_palette() -> None:
    for game in (kogge, burgundy, guatemala_pieces, flandern_pieces):
        known = set(game.PALETTE.colours)
        assert set(game.COLOURS.values()) <= known, game
    assert set(guatemala_pieces.FLAT) <= set(guatemala_pieces.PALETTE.colours)
    assert set(flandern_pieces.FLAT) <= set(flandern_pieces.PALETTE.colours)


def test_every_drawing_finds_its_colours() -> None:
    def draw(icon: Icon, fill: str, pen: Pen) -> None:
        icon(ScaledPen(pen, 50, 50, 100), fill)

    for pieces in (guatemala_pieces, flandern_pieces):
        for name in pieces.load().drawings:
            drawn = paint(100, 100, partial(draw, pieces.ICONS[name], pieces.FLAT[0]))
            assert drawn.mask.getbbox() is not None, name
