"""Formats facts and events for one observer: names, pieces, sentences and whole turns.

A template's placeholders are named after the facts that fill them. A phrase describes one event,
and its frame makes it a sentence. Adjacent events can share a sentence: "Anna sails to Riga (4),
loads 2 fur."
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any, ClassVar, Generic, Self, TypeVar

from bot.game.contract import Event, Fact, Seat
from bot.game.hidden import View
from bot.text.contract import Names, SummaryLine
from bot.text.game_data import ChapterWords, EventSentence, GameNames, SentenceFrame, suits
from bot.text.markup import bold, capital, visible
from bot.text.user_text import ELLIPSIS, Written, escape_typed
from bot.text.words import Forms, Message, Words, msg

S = TypeVar("S")

MAX_WEIGHT = 9
SHORT = 120
"""Visible characters of a short line, unless its first phrase alone is longer."""

FRAMES: Mapping[str, SentenceFrame] = {
    "turn": SentenceFrame(msg("{seat} {what}."), by_seat=True),
    "news": SentenceFrame(msg("{what}"), alone=True),
}
"""Frames of all games: for a seat's actions in order, and for news."""


@dataclass(frozen=True)
class Formatter(Generic[S]):
    """Formats texts for one observer: as markdown if `rich`, else plain. `view` is the observer's
    view of the table."""

    words: Words
    names: Names = ()
    view: View[S] | None = None
    rich: bool = True

    things: ClassVar[GameNames]
    """The names of the game's pieces, places and so on."""
    sentences: ClassVar[ChapterWords]
    """The content of data/<game>/words."""
    says: ClassVar[Mapping[str, Callable[[Any, Any], str]]] = {}
    """By fact: the method that words it, if the game needs its own."""
    derived: ClassVar[Mapping[str, str]] = {}
    """Additional facts by their source: with ``{"item": "tile"}`` the value of ``tile`` also fills
    ``item``, in the words that `says` has for it."""

    @cached_property
    def plain(self) -> Self:
        """The formatter without markdown, for buttons, selects and alt texts."""
        return replace(self, rich=False) if self.rich else self

    def named(self, names: Names) -> Self:
        return replace(self, names=names)

    def at(self, view: View[S]) -> Self:
        return replace(self, view=view)

    @property
    def known(self) -> S:
        """The state as the observer knows it."""
        assert self.view is not None
        return self.view.known

    @property
    def observer(self) -> Seat:
        """The observer's seat; below 0 for a spectator."""
        return -1 if self.view is None else self.view.observer

    # Facts

    def seat(self, seat: Seat) -> str:
        if not 0 <= seat < len(self.names):
            return self.words("player {number}", number=seat + 1)
        name = self.names[seat]
        return bold(name) if self.rich else name.plain

    def seats(self, seats: Iterable[Seat]) -> str:
        return self.words.listing([self.seat(seat) for seat in seats])

    def counted(self, what: str, count: int) -> str:
        """Return a number of ``points``, or of anything else that the game counts."""
        # If two games use one English word for different things, one of them writes {number}.
        return self.words.phrase(self.things.counted[what], count, count=count, number=count)

    def fact(self, name: str, value: Fact) -> str:
        """Return one fact in words."""
        if name in self.says:
            return self.says[name](self, value)
        match name, value:
            case "seat" | "other", int():
                return self.seat(value)
            case "seats", tuple():
                return self.seats(seat for seat in value if isinstance(seat, int))
            case "ending", str():
                return self.words(self.things.endings[value])
            case _, int() if name in self.things.counted:
                return self.counted(name, value)
            case _, str():
                return self.typed(value)
        return str(value)

    def typed(self, word: str) -> str:
        """Return text that may be typed by a user and is no word of the notation."""
        return escape_typed(word) if self.rich else Written(word).plain

    def facts(self, facts: Mapping[str, Fact]) -> dict[str, str]:
        """Return the facts of an event or a refusal in words, with the `derived` ones."""
        derived = {name: facts[of] for name, of in self.derived.items() if of in facts}
        return {name: self.fact(name, value) for name, value in {**facts, **derived}.items()}

    def phrase(self, message: Message | Forms, facts: Mapping[str, Fact], **in_words: str) -> str:
        """Return a template filled with facts. Those `in_words` take precedence; the fact ``count``
        selects the plural."""
        count = facts.get("count", 1)
        in_words = self.facts(facts) | in_words
        return self.words.phrase(message, count if isinstance(count, int) else 1, **in_words)

    def titled(self, rows: Iterable[tuple[str, str]]) -> list[str]:
        """Return a line for each title and text, except for empty texts."""
        shape = msg("**{title}:** {content}") if self.rich else msg("{title}: {content}")
        return [self.words(shape, title=title, content=text) for title, text in rows if text]

    # Events

    def story(self, events: Iterable[Event]) -> list[str]:
        """Return sentences about the events. Adjacent events of one frame share a sentence.

        Raise KeyError for a kind of event that has no words.
        """
        shown = [event for event in events if not self._is_quiet(event)]
        return [self._sentence_of(frame, group) for frame, group in self._groups(shown)]

    def summary(self, events: Iterable[Event]) -> list[SummaryLine]:
        """Return short lines about the events: one for a seat's actions, up to other news."""
        shown = [event for event in events if not self._is_quiet(event)]
        lines: list[SummaryLine] = []
        for is_by_seats, run in groupby(shown, lambda event: self._frame(event).by_seat):
            gather = self._by_seats if is_by_seats else self._groups
            lines += [self._short(frame, group) for frame, group in gather(list(run))]
        return lines

    def reasons(self, events: Iterable[Event]) -> list[str]:
        """Return the possible reasons for a move, in phrases without a subject ("Completes the
        3-space city")."""
        reasons = [event for event in events if self._event_words(event).reason]
        return [capital(self._phrase(event)).removesuffix(".") for event in reasons]

    def weight(self, event: Event) -> int:
        """Return how memorable an event is after the game, from 0 (not at all) to 9."""
        sentence = self._event_words(event)
        points = sum(int(getattr(event, name)) for name in sentence.scored)
        return min(MAX_WEIGHT, sentence.weight + points // sentence.points_a_weight)

    def _event_words(self, event: Event) -> EventSentence:
        return self.sentences.events[event.kind]

    def _frame(self, event: Event) -> SentenceFrame:
        name = self._event_words(event).frame
        return self.sentences.frames.get(name) or FRAMES[name]

    def _is_quiet(self, event: Event) -> bool:
        quiet = self._event_words(event).quiet
        return quiet if isinstance(quiet, bool) else suits(quiet, event.facts)

    def _groups(self, events: Iterable[Event]) -> Iterator[tuple[SentenceFrame, list[Event]]]:
        def key(numbered: tuple[int, Event]) -> tuple[SentenceFrame, object]:
            number, event = numbered
            frame = self._frame(event)
            if frame.by_seat:
                return frame, event.by
            return frame, number if frame.alone else None

        for (frame, _), group in groupby(enumerate(events), key):
            yield frame, [event for _, event in group]

    def _by_seats(self, events: Iterable[Event]) -> Iterable[tuple[SentenceFrame, list[Event]]]:
        """Group the events by frame and seat, even if not adjacent, in order of first event."""
        groups: dict[tuple[SentenceFrame, Seat | None], list[Event]] = {}
        for event in events:
            groups.setdefault((self._frame(event), event.by), []).append(event)
        return [(frame, group) for (frame, _), group in groups.items()]

    def _short(self, frame: SentenceFrame, events: Sequence[Event]) -> SummaryLine:
        """Return one line of at least one phrase. The least memorable events are left out first,
        later ones before earlier ones."""
        shown = list(events)
        text = self._sentence_of(frame, shown)
        while visible(text) > SHORT and len(shown) > 1:
            shown.remove(min(reversed(shown), key=self.weight))
            text = self._sentence_of(frame, shown).removesuffix(".") + f" {ELLIPSIS}"
        return SummaryLine(text, len(shown), len(events) - len(shown))

    def _sentence_of(self, frame: SentenceFrame, events: Sequence[Event]) -> str:
        what = frame.joint.join(map(self._phrase, events))
        by = events[0].by
        return self.words(frame.text, seat="" if by is None else self.seat(by), what=what)

    def _phrase(self, event: Event) -> str:
        sentence = self._event_words(event)
        cases = (case.text for case in sentence.cases if suits(case.when, event.facts))
        return self.phrase(next(cases, sentence.text), event.facts)
