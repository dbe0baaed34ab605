"""The rules of a game for reading: chapter by chapter, or by search."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from bot.text import general
from bot.text.game_data import Ruling
from bot.text.game_words import AnyGameWords
from bot.text.matching import tokens
from bot.text.words import Words

AROUND = "table"
"""The topic of tables and commands: its chapter is the same for all games."""

RULINGS = "rulings"
"""The topic of the first page of rulings."""
MAX_ON_A_PAGE = 1600
"""Characters of a page of rulings."""

MAX_TYPED = 100
"""Characters of a query that a search uses; the rest is ignored."""
MAX_WANTED = 8
"""Different words that one search looks for; the rest are ignored."""

_LAST = "\U0010ffff"
_MARKS = re.compile(r"^(?:- |\d+\. )|\*")


class Found(NamedTuple):
    """A topic that a search has found, and its best matching line; plain."""

    topic: str
    line: str


@dataclass(frozen=True)
class Guidebook:
    """The rules of one game in the reader's language, its rulings, and the chapter about tables."""

    text: AnyGameWords
    rulings: Sequence[Ruling] = ()

    @property
    def words(self) -> Words:
        """The reader's language."""
        return self.text.words

    @property
    def topics(self) -> tuple[str, ...]:
        """All chapters, in reading order."""
        return (*self.text.topics(), *self._pages, AROUND)

    def title(self, topic: str) -> str:
        """The title of a chapter; plain."""
        if topic == AROUND:
            return self.words(general.AROUND_TITLE)
        if topic in self._pages:
            return self._pages[topic][0]
        return self.text.topic(topic)

    def chapter(self, topic: str) -> str:
        """The text of a chapter. Raises KeyError for an unknown topic."""
        if topic == AROUND:
            return general.help_text(self.words)
        if topic in self._pages:
            return self._pages[topic][1]
        return self.text.rules(topic)

    def named(self, typed: str) -> str | None:
        """The topic with that key or title."""
        return self._index.names.get(tokens(typed[:MAX_TYPED]))

    def search(self, typed: str) -> list[Found]:
        """Topics in which every typed word is the prefix of some word, matching titles first.

        Neither case nor accents matter. People search at every keystroke: the text is indexed once,
        and only the beginning of a query is used.
        """
        wanted = tuple(dict.fromkeys(tokens(typed[:MAX_TYPED])))
        return self._index.search(wanted[:MAX_WANTED])

    @cached_property
    def _pages(self) -> Mapping[str, tuple[str, str]]:
        """The title and text of each page of rulings, by topic."""
        pages: list[tuple[int, int, str]] = []
        for ruling in self.rulings:
            about = self.text.topic(ruling.topic)
            line = f"**{ruling.number}** · *{about}:* {self.words(ruling.text)}"
            if pages and len(pages[-1][2]) + len(line) < MAX_ON_A_PAGE:
                first, _, before = pages[-1]
                pages[-1] = first, ruling.number, f"{before}\n{line}"
            else:
                pages.append((ruling.number, ruling.number, line))
        return {
            f"{RULINGS}_{first}" if place else RULINGS: (
                self.words("Rulings {first}–{last}", first=first, last=last),
                text,
            )
            for place, (first, last, text) in enumerate(pages)
        }

    @cached_property
    def _index(self) -> _Index:
        return _Index.of((topic, self.title(topic), self.chapter(topic)) for topic in self.topics)


class _Chapter(NamedTuple):
    """A chapter in an index; the first of its lines is its title."""

    topic: str
    lines: range


@dataclass(frozen=True)
class _Index:
    """The words of a book, sorted, and where each occurs."""

    names: dict[tuple[str, ...], str]
    """Topics by their keys and titles."""
    chapters: Sequence[_Chapter]
    lines: Sequence[tuple[int, str]]
    """Every line of the book with the number of its chapter."""
    words: Sequence[str]
    places: Sequence[Sequence[int]]
    """The lines that have the word, for each of the words."""

    @classmethod
    def of(cls, chapters: Iterable[tuple[str, str, str]]) -> _Index:
        """The index of chapters given as topic, title and text."""
        names: dict[tuple[str, ...], str] = {}
        made: list[_Chapter] = []
        lines: list[tuple[int, str]] = []
        there: dict[str, list[int]] = {}
        for number, (topic, title, text) in enumerate(chapters):
            for name in (topic, title):
                names.setdefault(tokens(name), topic)
            own = [title, *filter(None, text.splitlines())]
            made.append(_Chapter(topic, range(len(lines), len(lines) + len(own))))
            for line in own:
                for word in set(tokens(line)):
                    there.setdefault(word, []).append(len(lines))
                lines.append((number, line))
        words = sorted(there)
        return cls(names, made, lines, words, [there[word] for word in words])

    def search(self, wanted: Sequence[str]) -> list[Found]:
        """The topics with all of these words or prefixes; best first."""
        having = [self._having(beginning) for beginning in wanted]
        hits = Counter(chain.from_iterable(having))
        chapters = [{self.lines[line][0] for line in lines} for lines in having]
        found = []
        for number in set.intersection(*chapters) if chapters else ():
            topic, (title, *own) = self.chapters[number]
            best = max(own, key=hits.__getitem__)
            line = _MARKS.sub("", self.lines[best][1])
            found.append((-hits[title], number, Found(topic, line)))
        return [each for _rank, _number, each in sorted(found)]

    def _having(self, beginning: str) -> set[int]:
        """The lines with a word that begins so."""
        first = bisect_left(self.words, beginning)
        last = bisect_left(self.words, beginning + _LAST)
        return set[int]().union(*self.places[first:last])
