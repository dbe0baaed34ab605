"""The rules of a game by chapter, with a search."""

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
"""The topic of the chapter about tables and commands, shared by all games."""

RULINGS = "rulings"
"""The topic of the first page of rulings."""
MAX_ON_A_PAGE = 1600
"""Maximum characters of a page of rulings."""

MAX_TYPED = 100
"""Maximum characters of a query; the rest is ignored."""
MAX_TERMS = 8
"""Maximum different words of a query; the rest are ignored."""

_LAST = "\U0010ffff"
_MARKS = re.compile(r"^(?:- |\d+\. )|\*")


class TopicMatch(NamedTuple):
    """A topic and its best matching line; plain."""

    topic: str
    line: str


@dataclass(frozen=True)
class Guidebook:
    """The rules and rulings of a game in the reader's language, with the chapter about tables."""

    text: AnyGameWords
    rulings: Sequence[Ruling] = ()

    @property
    def words(self) -> Words:
        return self.text.words

    @property
    def topics(self) -> tuple[str, ...]:
        """All chapters, in reading order."""
        return (*self.text.topics(), *self._pages)

    def title(self, topic: str) -> str:
        if topic in self._pages:
            return self._pages[topic][0]
        return self.text.topic(topic)

    def chapter(self, topic: str) -> str:
        """Return the text of a chapter. Raise KeyError for an unknown topic."""
        if topic in self._pages:
            return self._pages[topic][1]
        return self.text.rules(topic)

    def named(self, typed: str) -> str | None:
        """Return the topic with this key or title."""
        return self._index.names.get(tokens(typed[:MAX_TYPED]))

    def search(self, typed: str) -> list[TopicMatch]:
        """Return the topics that have a word with each typed prefix, matching titles first.

        Case and accents are ignored. Users search at every keystroke, so the text is indexed once
        and long queries are cut.
        """
        terms = tuple(dict.fromkeys(tokens(typed[:MAX_TYPED])))
        return self._index.search(terms[:MAX_TERMS])

    @cached_property
    def _pages(self) -> Mapping[str, tuple[str, str]]:
        """Titles and texts of the pages of rulings and the chapter about tables, by topic."""
        pages: list[tuple[int, int, str]] = []
        for ruling in self.rulings:
            about = self.text.topic(ruling.topic)
            line = f"**{ruling.number}** · *{about}:* {self.words(ruling.text)}"
            if pages and len(pages[-1][2]) + len(line) < MAX_ON_A_PAGE:
                first, _, before = pages[-1]
                pages[-1] = first, ruling.number, f"{before}\n{line}"
            else:
                pages.append((ruling.number, ruling.number, line))
        rulings = {
            f"{RULINGS}_{first}" if place else RULINGS: (
                self.words("Rulings {first}–{last}", first=first, last=last),
                text,
            )
            for place, (first, last, text) in enumerate(pages)
        }
        return {
            **rulings,
            AROUND: (self.words(general.AROUND_TITLE), general.help_text(self.words)),
        }

    @cached_property
    def _index(self) -> _Index:
        return _Index.of((topic, self.title(topic), self.chapter(topic)) for topic in self.topics)


class _Chapter(NamedTuple):
    """The lines of a chapter in an index, the title first."""

    topic: str
    lines: range


@dataclass(frozen=True)
class _Index:
    """A full-text index of a guidebook."""

    names: dict[tuple[str, ...], str]
    """Topics by the tokens of their keys and titles."""
    chapters: Sequence[_Chapter]
    lines: Sequence[tuple[int, str]]
    """All lines, each with the number of its chapter."""
    words: Sequence[str]
    """All words, sorted."""
    places: Sequence[Sequence[int]]
    """For each word, the numbers of its lines."""

    @classmethod
    def of(cls, chapters: Iterable[tuple[str, str, str]]) -> _Index:
        """Index chapters, each given as topic, title and text."""
        names: dict[tuple[str, ...], str] = {}
        indexed: list[_Chapter] = []
        lines: list[tuple[int, str]] = []
        places: dict[str, list[int]] = {}
        for number, (topic, title, text) in enumerate(chapters):
            for name in (topic, title):
                names.setdefault(tokens(name), topic)
            own = [title, *filter(None, text.splitlines())]
            indexed.append(_Chapter(topic, range(len(lines), len(lines) + len(own))))
            for line in own:
                for word in set(tokens(line)):
                    places.setdefault(word, []).append(len(lines))
                lines.append((number, line))
        words = sorted(places)
        return cls(names, indexed, lines, words, [places[word] for word in words])

    def search(self, prefixes: Sequence[str]) -> list[TopicMatch]:
        """Return the topics with all of these words or prefixes, best first."""
        matches = [self._lines_with(prefix) for prefix in prefixes]
        hits = Counter(chain.from_iterable(matches))
        chapters = [{self.lines[line][0] for line in lines} for lines in matches]
        results = []
        for number in set.intersection(*chapters) if chapters else ():
            topic, (title, *own) = self.chapters[number]
            best = max(own, key=hits.__getitem__)
            line = _MARKS.sub("", self.lines[best][1])
            results.append((-hits[title], number, TopicMatch(topic, line)))
        return [each for _rank, _number, each in sorted(results)]

    def _lines_with(self, prefix: str) -> set[int]:
        first = bisect_left(self.words, prefix)
        last = bisect_left(self.words, prefix + _LAST)
        return set[int]().union(*self.places[first:last])
