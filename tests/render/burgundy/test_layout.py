"""The layout file is read strictly."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bot.render.burgundy.layout import DATA, LAYOUT, load, palette


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ('slope = "#a7ad68"', 'slope = "green"', "regex"),
        ("bar = 76", "barr = 76", "barr"),
        ("[704, 530]", "[904, 530]", "904, 530"),
        ("[tiles.ship]", "[tiles.boat]", "boat"),
        ('church = "Church: take"', "", "labels has no church"),
        ('slope = "#a7ad68"', "", "colours has no slope"),
        ("[180, 364, 577, 514],", "", "5 depots are described, there are 6"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path: Path, old: str, new: str, error: str) -> None:
    text = DATA.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "layout.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises((msgspec.ValidationError, ValueError), match=error):
        load(path)


def test_every_flat_colour_is_in_the_palette() -> None:
    assert set(LAYOUT.colours.values()) <= set(palette().colours)
