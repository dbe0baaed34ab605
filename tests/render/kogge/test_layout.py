"""The layout file is read strictly."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bot.render.kogge.layout import DATA, LAYOUT, load, palette


def _changed(folder: Path, old: str, new: str) -> Path:
    text = DATA.read_text(encoding="utf-8")
    assert old in text
    path = folder / "layout.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


def test_the_layout_has_a_place_for_every_city() -> None:
    assert load() == LAYOUT
    assert len(LAYOUT.cities) == 9


def test_every_flat_colour_is_in_the_palette() -> None:
    colours = set(LAYOUT.colours.values())
    assert colours <= set(palette().colours)


def test_a_colour_that_is_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(msgspec.ValidationError):
        load(_changed(tmp_path, 'sea = "#b4d4d9"', 'sea = "blue"'))


def test_an_unknown_name_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(msgspec.ValidationError):
        load(_changed(tmp_path, "bar = 72", "barr = 72"))


def test_a_city_off_the_map_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="city 0 at x 20"):
        load(_changed(tmp_path, "at = [128, 300]", "at = [20, 300]"))
