"""The layout file is read strictly."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.render.burgundy.layout import DATA, LAYOUT, load, palette
from tests.render.mistakes import check_is_named


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ('slope = "#a7ad68"', 'slope = "green"', "regex"),
        ("bar = 60", "barr = 60", "barr"),
        ("[4, 1036]]", "[4, 1236]]", "4, 1236"),
        ("[tiles.ship]", "[tiles.boat]", "boat"),
        ('church = "Church: take"', "", "labels has no church"),
        ('slope = "#a7ad68"', "", "colours has no slope"),
        ("[4, 386, 547, 512], ", "", "5 depots are described, there are 6"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path: Path, old: str, new: str, error: str) -> None:
    check_is_named(load, DATA, tmp_path, old, new, error)


def test_every_flat_colour_is_in_the_palette() -> None:
    assert set(LAYOUT.colours.values()) <= set(palette().colours)
