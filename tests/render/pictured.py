"""What the tests of pictures know of each title, so that one test asks the same of all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from bot.game.contract import Event, Fact
from bot.game.events import event_of
from bot.render.asked import WHOLE, AskedWords
from bot.titles import TITLES
from bot.titles.title import Title

Sample = tuple[Any, tuple[str, ...], tuple[Event, ...]]
"""What a renderer is given: a view, the names of the seats and the events."""


class Question(NamedTuple):
    """A question that is asked in a sample, and the part of the table in which it lies."""

    sample: str
    part: str
    asked: AskedWords


def ask(
    sample: str,
    part: str,
    question: str,
    words: str,
    names: str = "",
    *,
    tagged: bool = True,
    views: Mapping[str, Sequence[Any]] | None = None,
) -> Question:
    """A question in short: the action so far and what is to be said next, as in ``buy 1 good``.

    Words stand between spaces, whole actions between commas, and names between slashes.
    """
    *prefix, param = question.split()
    said = tuple(words.split(", ") if param == WHOLE else words.split())
    called = tuple(names.split(" / ")) if names else ()
    asked = AskedWords(tuple(prefix), param, said, called, tagged, views or {})
    return Question(sample, part, asked)


class Large(NamedTuple):
    """A part of the table of a sample, and what pieces do, where that is not the usual."""

    sample: str
    part: str
    words: Mapping[str, str] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Pictured:
    """The pictures of one title. Those of samples, large parts and questions are golden ones."""

    name: str
    samples: Mapping[str, Callable[[], Sample]]
    kilobytes: int
    """No picture is larger."""
    large: Mapping[str, Large]
    asked: Mapping[str, Question]
    unlit: Mapping[str, Sequence[str]]
    """Questions, and other parts in which nothing is lit."""
    lies: Sequence[tuple[Sample, AskedWords, str | None]]
    """More questions, and where they lie."""
    parts: Mapping[str, tuple[str, ...]]
    """Of some samples, and what other ones have not."""
    signs: Sequence[str]
    """What the legend explains, in its order."""
    changed: Callable[[Any], Sequence[Any]]
    """Views that differ from the middle of a game by one piece or number."""
    told: Callable[[], Sequence[tuple[str, str, Any]]]
    """A sample, a part of it or the whole, and another view, which looks otherwise."""
    facts: Mapping[str, Fact]
    """An example of each fact of events; those not listed are numbers."""
    marked: frozenset[str]
    """The kinds of events that leave a mark on the picture."""
    words: Mapping[str, str] = field(default_factory=dict)
    """What some pieces do."""
    happened: Mapping[str, tuple[str, Mapping[str, Fact]]] = field(default_factory=dict)
    """Kinds of events that are seen in another sample than the middle of a game."""
    random: Sequence[tuple[int, Mapping[str, str]]]
    """Seats and options of games that are played at random."""

    @property
    def title(self) -> Title:
        """The title with its newest rules."""
        return TITLES[self.name]

    def draw(
        self,
        sample: Sample,
        part: str = "",
        words: Mapping[str, str] | None = None,
        asked: AskedWords | None = None,
    ) -> bytes:
        """The whole table, or a part of it."""
        view, names, events = sample
        if not part:
            return self.title.draw(view, names, events, asked)
        assert self.title.close_ups is not None
        said = self.words if words is None else words
        return self.title.close_ups.draw(view, names, events, part, said, asked)

    def part_asked(self, sample: Sample, asked: AskedWords) -> str | None:
        """Where a question lies."""
        return self.title.part_asked(sample[0], asked)

    def parts_of(self, sample: Sample) -> tuple[str, ...]:
        """The parts of the table that have close-ups."""
        assert self.title.close_ups is not None
        return self.title.close_ups.parts(sample[0])

    def example(self, kind: str, more: Mapping[str, Fact]) -> Event:
        """An event of that kind."""
        events = self.title.game.events
        fields = set(events[kind].__struct_fields__) - set(Event.__struct_fields__)
        known = {"seat": 2, **self.facts, **more}
        return event_of(events, kind, {name: known.get(name, 2) for name in fields})


@lru_cache(maxsize=256)
def unlit(pictured: Pictured, name: str, part: str = "") -> bytes:
    """A sample's picture on which nothing is asked; drawn once."""
    return pictured.draw(pictured.samples[name](), part)


def whole(*words: str) -> AskedWords:
    """A menu of whole actions."""
    return AskedWords((), WHOLE, words)


def with_seat(view: Any, seat: int, **fields: object) -> Any:
    """The view with something else at a seat."""
    seats = list(view.seats)
    seats[seat] = msgspec.structs.replace(seats[seat], **fields)
    return msgspec.structs.replace(view, seats=tuple(seats))


def with_city(view: Any, number: int, **fields: object) -> Any:
    """The view with something else in a city."""
    cities = list(view.cities)
    cities[number] = msgspec.structs.replace(cities[number], **fields)
    return msgspec.structs.replace(view, cities=tuple(cities))
