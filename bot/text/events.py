"""Events in words: a template for each kind of event, and whole turns in a few lines.

Each template is a phrase; a frame makes a sentence of it. Neighbouring events can share one:
"Anna sails to Riga (4), loads 2 fur." Placeholders are called as the event's facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Generic, NamedTuple, TypeVar

from bot.game.contract import Event, Seat
from bot.text.brief import BriefLine
from bot.text.markup import capital, visible
from bot.text.speech import Speech
from bot.text.user_text import ELLIPSIS
from bot.text.words import Forms, Message, msg

E = TypeVar("E", bound=Event)

SHORT = 120
"""Characters that a short line shows, unless its first phrase alone is longer."""


class Frame(NamedTuple):
    """The sentence around phrases, which stand at ``{what}``; ``{seat}`` is who acted.

    Neighbouring events with the same frame share a sentence, their phrases joined by `joint`. With
    `by_seat` only events of one seat do, with `alone` none do.
    """

    text: Message
    joint: str = ", "
    by_seat: bool = False
    alone: bool = False


FRAMES: Mapping[str, Frame] = {
    "turn": Frame(msg("{seat} {what}."), by_seat=True),
    "news": Frame(msg("{what}"), alone=True),
}
"""Those that every game has: what a seat does, one thing after the other, and news."""


class Case(NamedTuple):
    """A template for those events for which `suits` is true."""

    text: Message | Forms
    suits: Callable[[Any], object]


def _always(_event: Event) -> bool:
    return True


def _never(_event: Event) -> bool:
    return False


def _nothing(_event: Event) -> int:
    return 0


@dataclass(frozen=True)
class EventWords(Generic[E]):
    """The words for a kind of event: a phrase, and the name of its frame.

    The phrase is that of the first case that suits the event, or else `text`.
    """

    event: type[E]
    frame: str
    text: Message | Forms
    cases: tuple[Case, ...] = ()
    is_quiet: Callable[[E], object] = _never
    """Whether nothing is said of an event."""
    weight: Callable[[E], int] = _nothing
    """How memorable an event is when the game is over, from 0 (not at all) to 9."""
    is_reason: bool = False
    """Whether somebody may act for its sake, so that its phrase is told of an action before."""

    def when(self, suits: Callable[[E], object], text: Message | Forms) -> EventWords[E]:
        """The same with one more case, tried after the earlier ones."""
        return replace(self, cases=(*self.cases, Case(text, suits)))

    def quiet(self, is_quiet: Callable[[E], object] = _always) -> EventWords[E]:
        """The same, but nothing is said of those events, by default of all."""
        return replace(self, is_quiet=is_quiet)

    def remembered(self, weight: int | Callable[[E], int]) -> EventWords[E]:
        """The same with this weight."""
        of = weight if callable(weight) else lambda _event: weight
        return replace(self, weight=of)

    def reason(self) -> EventWords[E]:
        """The same, as a reason for an action that brings it about."""
        return replace(self, is_reason=True)

    @property
    def lines(self) -> tuple[Case, ...]:
        """All texts; the last one always suits."""
        return (*self.cases, Case(self.text, _always))


@dataclass(frozen=True)
class Teller:
    """Says the events of one game in words."""

    frames: Mapping[str, Frame]
    words: Mapping[str, EventWords[Any]]

    def line(self, speech: Speech, event: Event) -> str | None:
        """One event as a line; None where it is not worth one.

        Raises KeyError for a kind that has no template.
        """
        if self._words(event).is_quiet(event):
            return None
        return self._sentence(speech, self._frame(event), [event])

    def story(self, speech: Speech, events: Sequence[Event]) -> list[str]:
        """The events as lines; neighbours that belong together share one."""
        told = (event for event in events if not self._words(event).is_quiet(event))
        return [self._sentence(speech, frame, group) for frame, group in self._groups(told)]

    def brief(self, speech: Speech, events: Sequence[Event]) -> list[BriefLine]:
        """The events as short lines: what a seat does is one line, until something else is told."""
        told = [event for event in events if not self._words(event).is_quiet(event)]
        lines: list[BriefLine] = []
        for is_by_seats, run in groupby(told, lambda event: self._frame(event).by_seat):
            gather = self._by_seats if is_by_seats else self._groups
            lines += [self._short(speech, frame, group) for frame, group in gather(list(run))]
        return lines

    def _words(self, event: Event) -> EventWords[Any]:
        return self.words[event.kind]

    def _frame(self, event: Event) -> Frame:
        return self.frames[self._words(event).frame]

    def _groups(self, events: Iterable[Event]) -> Iterator[tuple[Frame, list[Event]]]:
        def key(numbered: tuple[int, Event]) -> tuple[Frame, object]:
            number, event = numbered
            frame = self._frame(event)
            if frame.by_seat:
                return frame, event.by
            return frame, number if frame.alone else None

        for (frame, _), group in groupby(enumerate(events), key):
            yield frame, [event for _, event in group]

    def _by_seats(self, events: Iterable[Event]) -> Iterable[tuple[Frame, list[Event]]]:
        """What each seat did, also where seats took turns at it; in the order of beginning."""
        found: dict[tuple[Frame, Seat | None], list[Event]] = {}
        for event in events:
            found.setdefault((self._frame(event), event.by), []).append(event)
        return [(frame, group) for (frame, _), group in found.items()]

    def _short(self, speech: Speech, frame: Frame, events: Sequence[Event]) -> BriefLine:
        """As much as makes a short line, at least one phrase: what is least memorable is left out
        first, of equals the last."""
        kept = list(events)
        text = self._sentence(speech, frame, kept)
        while visible(text) > SHORT and len(kept) > 1:
            kept.remove(min(reversed(kept), key=lambda event: self._words(event).weight(event)))
            text = self._sentence(speech, frame, kept).removesuffix(".") + f" {ELLIPSIS}"
        return BriefLine(text, len(kept), len(events) - len(kept))

    def _sentence(self, speech: Speech, frame: Frame, events: Sequence[Event]) -> str:
        what = frame.joint.join(self._phrase(speech, event) for event in events)
        by = events[0].by
        seat = "" if by is None else speech.seat(by)
        return speech.words(frame.text, seat=seat, what=what)

    def reasons(self, speech: Speech, events: Iterable[Event]) -> list[str]:
        """What somebody may have acted for, in phrases."""
        told = (event for event in events if self._words(event).is_reason)
        return [capital(self._phrase(speech, event)).removesuffix(".") for event in told]

    def _phrase(self, speech: Speech, event: Event) -> str:
        line = next(line for line in self._words(event).lines if line.suits(event))
        return speech.phrase(line.text, event.facts)
