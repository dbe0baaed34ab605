"""The players' looks and names."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.render.seats import COUNT, DATA, SEATS, load, seat_names


def test_seats_are_told_apart_by_letter_and_by_shape() -> None:
    assert len({look.letter for look in SEATS}) == COUNT
    assert len({look.shape for look in SEATS}) == COUNT


def test_a_missing_seat_is_an_error(tmp_path: Path) -> None:
    text = DATA.read_text(encoding="utf-8")
    path = tmp_path / "seats.toml"
    path.write_text(text[: text.rindex("[[seats]]")], encoding="utf-8")
    with pytest.raises(ValueError, match="3 seats are described, there are 4"):
        load(path)


def test_a_name_that_cannot_be_drawn_becomes_the_seat() -> None:
    assert seat_names(("Anna", "漢字"), 3, "Player") == ("Anna", "Player B", "Player C")
