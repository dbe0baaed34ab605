"""The looks of sides, and the names of seats."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.render.sides import COUNT, DATA, SIDE_LOOKS, load, seat_names


def test_sides_are_told_apart_by_letter_and_by_shape() -> None:
    assert len({look.letter for look in SIDE_LOOKS}) == COUNT
    assert len({look.shape for look in SIDE_LOOKS}) == COUNT


def test_a_missing_side_is_an_error(tmp_path: Path) -> None:
    text = DATA.read_text(encoding="utf-8")
    path = tmp_path / "sides.toml"
    path.write_text(text[: text.rindex("[[sides]]")], encoding="utf-8")
    with pytest.raises(ValueError, match="3 sides are described, there are 4"):
        load(path)


def test_a_name_that_cannot_be_drawn_becomes_the_letters_of_the_sides() -> None:
    names = seat_names(("Anna", "👑"), "Player", ((0,), (1, 3), ()))
    assert names == ("Anna", "Player B+D", "Player")
