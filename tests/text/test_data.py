"""A chapter's words in data and in code belong together, and are checked when they are read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.game.content import read
from bot.text.chapter import Chapter, Part
from bot.text.contract import Label
from bot.text.game_data import ChapterWords, MoveWords, QuestionWords
from bot.text.words import msg


def words(asks: str = "") -> ChapterWords:
    """A chapter with one move, whose part is asked for by these words, and a decision."""
    asked = {"seat": msg(asks)} if asks else {}
    return ChapterWords(
        {"raid": MoveWords(msg("Raid"), "x", msg("raid"), asks=asked)},
        {"raid": QuestionWords(msg("{seat} to raid"), msg("{seats}, raid"))},
    )


def part(asks: str = "") -> dict[str, dict[str, Part[Any, Any]]]:
    """The part of the move, with a question of its own or none."""
    return {"raid": {"seat": Part(lambda *_: Label(""), asks=(lambda _: asks) if asks else None)}}


ASKED: Any = {"raid": lambda *_: "Whom do you raid?"}


def test_each_part_and_decision_is_asked_for_once_and_code_knows_no_others() -> None:
    for chapter in ((words("Whom?"), part()), (words(), part("Whom?"))):
        Chapter(*chapter, asked=ASKED)
    for chapter in ((words(), part()), (words("Whom?"), part("Whom?"))):
        with pytest.raises(ValueError, match="asked for once"):
            Chapter(*chapter, asked=ASKED)
    with pytest.raises(ValueError, match="nothing is asked"):
        Chapter(words("Whom?"), part())
    buttons = {"raze": lambda _asked, label: label}
    with pytest.raises(ValueError, match="raze"):
        Chapter(words("Whom?"), part(), buttons, ASKED)


def test_what_is_wrong_in_a_file_is_named_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "raid.toml"
    for text, match in (
        (
            '[moves.raid]\ntext = "Raid"\nemoji = "x"\ndoing = "raid"\ncolour = "red"\n',
            r"raid\.toml: .*`colour`.*moves",
        ),
        ('[refusals]\nlate = ["a day late", "days late", "weeks late"]\n', r"raid\.toml: "),
    ):
        path.write_text(text)
        with pytest.raises(msgspec.ValidationError, match=match):
            read(path, ChapterWords)
