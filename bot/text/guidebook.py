"""The rules of a game as a person reads them: chapter by chapter, or by searching."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.text import general
from bot.text.contract import AnyGameText
from bot.text.folding import tokens
from bot.text.words import Words

AROUND = "table"
"""The topic of everything around a game: its chapter is the same for all of them."""

_MARKS = re.compile(r"^(?:- |\d+\. )|\*")


class Found(NamedTuple):
    """A topic that a search has found, and the line that fits best; plain."""

    topic: str
    line: str


@dataclass(frozen=True)
class Guidebook:
    """The rules of one game in the reader's language, the chapter about tables at their end."""

    text: AnyGameText
    words: Words

    @property
    def topics(self) -> tuple[str, ...]:
        """All chapters, in reading order."""
        return (*self.text.topics(), AROUND)

    def title(self, topic: str) -> str:
        """The title of a chapter; plain."""
        if topic == AROUND:
            return self.words(general.AROUND_TITLE)
        return self.text.topic(self.words, topic)

    def chapter(self, topic: str) -> str:
        """The text of a chapter. Raises KeyError for an unknown topic."""
        if topic == AROUND:
            return general.help_text(self.words)
        return self.text.rules(self.words, topic)

    def named(self, typed: str) -> str | None:
        """The topic that is called so, by its key or its title."""
        wanted = tokens(typed)
        return next(
            (each for each in self.topics if wanted in (tokens(each), tokens(self.title(each)))),
            None,
        )

    def search(self, typed: str) -> list[Found]:
        """Topics in which every word typed begins some word, those of a fitting title first.

        Neither case nor accents matter.
        """
        wanted = tokens(typed)
        found = []
        for place, topic in enumerate(self.topics):
            title, lines = self.title(topic), self.chapter(topic).splitlines()
            if not wanted or _hits(wanted, "\n".join([title, *lines])) < len(wanted):
                continue
            best = max(filter(None, lines), key=lambda line: _hits(wanted, line))
            found.append((-_hits(wanted, title), place, Found(topic, _MARKS.sub("", best))))
        return [each for _rank, _place, each in sorted(found)]


def _hits(wanted: Sequence[str], text: str) -> int:
    """How many of the words wanted begin a word of the text."""
    there = tokens(text)
    return sum(any(each.startswith(word) for each in there) for word in wanted)
