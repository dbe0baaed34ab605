"""The words about a game in data/, checked when they are read."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bot.game.content import read
from bot.text.game_data import ChapterWords


def test_what_is_wrong_in_a_file_is_named_with_its_place(folder: Path) -> None:
    path = folder / "raid.toml"
    path.write_text('[moves.raid]\ntext = "Raid"\nemoji = "x"\ndoing = "raid"\ncolour = "red"\n')
    with pytest.raises(msgspec.ValidationError, match=r"raid\.toml: .*`colour`.*moves"):
        read(path, ChapterWords)


def test_a_plural_is_a_pair(folder: Path) -> None:
    path = folder / "raid.toml"
    path.write_text('[refusals]\nlate = ["a day late", "days late", "weeks late"]\n')
    with pytest.raises(msgspec.ValidationError, match=r"raid\.toml: "):
        read(path, ChapterWords)
