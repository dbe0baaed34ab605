"""A helper for tests of the texts of one game, in English."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from bot.game.choices import Choices, OneOf
from bot.game.contract import Event, Fact, IllegalAction, Refusal, Seat
from bot.text.contract import Label, Unreadable
from bot.text.game_words import AnyGameWords
from bot.text.words import Words, words_for
from bot.titles import TITLES
from tests.game.lines import Lines
from tests.text.people import called

EN = words_for("en")


class GameTexts:
    """The words of a game for four players. A line is a canonical action or its beginning."""

    def __init__(self, game: str) -> None:
        self.game, self.text = TITLES.games[game], TITLES.texts[game]
        self.names = called("Anna", "Bob", "Cleo", "Do_ra")
        self.words = self.text(EN, self.names)

    def at(self, state: Any, observer: Seat = 0, words: Words = EN) -> AnyGameWords:
        return self.text(words, self.names, self.game.view(state, observer))

    def question(self, state: Any, seat: Seat = 0) -> str:
        decision = next(each for each in self.game.pending(state) if each.seat == seat)
        return self.at(state, seat).question(decision)

    def buttons(self, state: Any, line: str = "", seat: Seat = 0) -> dict[str, Label]:
        """Return the labels of a seat's choices after a line, by word."""
        prefix = tuple(line.split())
        choices: Choices = self.game.legal(state, seat, prefix)
        assert isinstance(choices, OneOf)
        text = self.at(state, seat)
        return {word: text.label(prefix, choices, word) for word in choices.values}

    def labels(self, state: Any, line: str = "", seat: Seat = 0) -> dict[str, str]:
        return {word: label.text for word, label in self.buttons(state, line, seat).items()}

    def story(self, events: Sequence[Event], seat: Seat = 3) -> list[str]:
        return self.words.story([each for each in events if each.visible_to(seat)])

    def changes(self, state: Any, *lines: str, observer: Seat = 0) -> list[str]:
        """Return the changes that an observer sees after these actions of seat 0."""
        before = self.game.view(state, observer)
        for line in lines:
            Lines(self.game).play(state, 0, line)
        after = self.game.view(state, observer)
        return [*self.words.at(after).what_if(before)]

    def refused(self, state: Any, line: str) -> str:
        with pytest.raises(IllegalAction) as caught:
            self.game.legal(state, 0, tuple(line.split()))
        return self.words.refusal(caught.value.refusal)

    def refusal(self, code: str, topic: str = "overview", **facts: Fact) -> str:
        return self.words.refusal(Refusal(code, topic, facts))

    def check_reading(
        self, choices: Choices, prefix: str, words: Mapping[str, str], view: Any = None
    ) -> None:
        action = tuple(prefix.split())
        text = self.words if view is None else self.words.at(view)
        read = {typed: text.read(choices, typed, action) for typed in words}
        assert read == words

    def check_unclear(self, choices: Choices, typed: str, code: str) -> None:
        with pytest.raises(Unreadable) as caught:
            self.words.read(choices, typed, ("any",))
        assert caught.value.refusal.code == code
        assert "{" not in self.words.refusal(caught.value.refusal)
