"""Words in data and in code are validated together when they are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.game.content import read
from bot.game.flandern import GAME
from bot.text import game_words
from bot.text.flandern.table import NAMES
from bot.text.game_data import ChapterWords, MoveWords, QuestionWords
from bot.text.game_words import GameWords
from bot.text.words import Message, msg

GUILD = msg("Which guild?")
Made = Callable[..., type[GameWords[Any]]]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Made:
    """Return a function that makes words for a game with one move and its decision."""

    def make(asks: Mapping[str, Message], asked: Message | None, **methods: object) -> Any:
        sentences = ChapterWords(
            {"guild": MoveWords(msg("Choose"), "x", msg("choose"), asks=dict(asks))},
            {"guild": QuestionWords(msg("{seat} to choose"), msg("{seats}, choose"), asked)},
        )
        monkeypatch.setattr(game_words, "all_chapters", lambda _: sentences)
        bases: Any = (GameWords,)
        return type("Made", bases, methods, game=GAME, things=NAMES)

    return make


def test_each_parameter_and_decision_needs_one_question_and_each_method_a_purpose(
    made: Made,
) -> None:
    asks, asked = {"guild": GUILD}, msg("Choose.")
    made(asks, asked)
    made({}, None, prompt_guild=len, ask_guild=len)
    with pytest.raises(ValueError, match="needs exactly one question for 'guild'"):
        made({}, asked)
    with pytest.raises(ValueError, match="needs exactly one question for 'guild'"):
        made(asks, asked, prompt_guild=len)
    with pytest.raises(ValueError, match="has no question"):
        made(asks, None)
    for method in ("ask_guide", "button_guide", "label_guide", "wording_guild_guild_guild"):
        with pytest.raises(ValueError, match=method.partition("_")[2]):
            made(asks, asked, **{method: len})


def test_an_error_in_a_file_is_reported_with_its_place(tmp_path: Path) -> None:
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
