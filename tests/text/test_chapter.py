"""A chapter's words in data and in code belong together."""

from __future__ import annotations

from typing import Any

import pytest

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


def test_a_part_of_a_move_is_asked_for_in_data_or_in_code() -> None:
    for chapter in ((words("Whom?"), part()), (words(), part("Whom?"))):
        Chapter(*chapter, asked=ASKED)
    for chapter in ((words(), part()), (words("Whom?"), part("Whom?"))):
        with pytest.raises(ValueError, match="asked for once"):
            Chapter(*chapter, asked=ASKED)


def test_a_decision_asks_something() -> None:
    with pytest.raises(ValueError, match="nothing is asked"):
        Chapter(words("Whom?"), part())


def test_code_speaks_of_nothing_that_the_data_do_not_know() -> None:
    buttons = {"raze": lambda _asked, label: label}
    with pytest.raises(ValueError, match="raze"):
        Chapter(words("Whom?"), part(), buttons, ASKED)
