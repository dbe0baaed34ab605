"""Facts and events as one reader reads them: names, pieces, sentences and whole turns.

A template's placeholders are called as the facts that fill them. A phrase says one event, and its
frame makes a sentence of it. Neighbouring events can share one: "Anna sails to Riga (4), loads 2
fur."
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
from bot.text.game_data import ChapterWords, Condition, EventSentence, GameNames, SentenceFrame
from bot.text.markup import bold, capital, visible
from bot.text.user_text import ELLIPSIS, Written, said_again
from bot.text.words import Forms, Message, Words, msg

S = TypeVar("S")

MAX_WEIGHT = 9
SHORT = 120
"""Characters that a short line shows, unless its first phrase alone is longer."""

FRAMES: Mapping[str, SentenceFrame] = {
    "turn": SentenceFrame(msg("{seat} {what}."), by_seat=True),
    "news": SentenceFrame(msg("{what}"), alone=True),
}
"""Those that every game has: what a seat does, one thing after the other, and news."""


@dataclass(frozen=True)
class Formatter(Generic[S]):
    """Says things to one reader, as markdown if `rich`, else plain; what depends on the table, as
    the view knows it."""

    words: Words
    names: Names = ()
    view: View[S] | None = None
    rich: bool = True

    things: ClassVar[GameNames]
    """What the things of the game are called."""
    sentences: ClassVar[ChapterWords]
    """What data/<game>/words says."""
    says: ClassVar[Mapping[str, Callable[[Any, Any], str]]] = {}
    """By fact: the method that puts it into words, where that is not the same in all games."""
    derived: ClassVar[Mapping[str, str]] = {}
    """Other facts that follow from one: ``item`` is what `says` has for it, said of a ``tile``."""

    @cached_property
    def plain(self) -> Self:
        """The same without markdown: for buttons, selects and alt texts."""
        return replace(self, rich=False) if self.rich else self

    def named(self, names: Names) -> Self:
        """The same, but players are called by these names."""
        return replace(self, names=names)

    def at(self, view: View[S]) -> Self:
        """The same at another moment."""
        return replace(self, view=view)

    @property
    def known(self) -> S:
        """The table, as far as the observer knows it."""
        assert self.view is not None
        return self.view.known

    @property
    def observer(self) -> Seat:
        """Who looks; below 0 for a spectator."""
        return -1 if self.view is None else self.view.observer

    # Facts

    def seat(self, seat: Seat) -> str:
        """A player's name."""
        if not 0 <= seat < len(self.names):
            return self.words("player {number}", number=seat + 1)
        name = self.names[seat]
        return bold(name) if self.rich else name.plain

    def seats(self, seats: Iterable[Seat]) -> str:
        """Several players' names."""
        return self.words.listing([self.seat(seat) for seat in seats])

    def counted(self, what: str, count: int) -> str:
        """So many ``points``, or whatever else the game counts."""
        # Two games can count what English calls the same: then one of them says {number}.
        return self.words.phrase(self.things.counted[what], count, count=count, number=count)

    def fact(self, name: str, value: Fact) -> str:
        """One fact in words."""
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
        """What is no word of the game's notation, as somebody may have typed it."""
        return said_again(word) if self.rich else Written(word).plain

    def facts(self, facts: Mapping[str, Fact]) -> dict[str, str]:
        """Facts of an event or a refusal in words, and those that follow from them."""
        said = {name: self.fact(name, value) for name, value in facts.items()}
        more = {name: facts[of] for name, of in self.derived.items() if of in facts}
        return said | {name: self.fact(name, value) for name, value in more.items()}

    def phrase(self, message: Message | Forms, facts: Mapping[str, Fact], **said: str) -> str:
        """A template filled with these facts, some of them `said` already; its plural follows the
        fact ``count``."""
        count = facts.get("count", 1)
        said = self.facts(facts) | said
        return self.words.phrase(message, count if isinstance(count, int) else 1, **said)

    def titled(self, rows: Iterable[tuple[str, str]]) -> list[str]:
        """Titles with their texts, a line each, without those that have none."""
        shape = msg("**{title}:** {content}") if self.rich else msg("{title}: {content}")
        return [self.words(shape, title=title, content=text) for title, text in rows if text]

    # Events

    def story(self, events: Iterable[Event]) -> list[str]:
        """What happened, as few lines as serve; neighbours that belong together share one.

        Raises KeyError for a kind of event that has no words.
        """
        told = [event for event in events if not self._is_quiet(event)]
        return [self._said(frame, group) for frame, group in self._groups(told)]

    def summary(self, events: Iterable[Event]) -> list[SummaryLine]:
        """What happened, in short lines: what a seat does is one, until something else is told."""
        told = [event for event in events if not self._is_quiet(event)]
        lines: list[SummaryLine] = []
        for is_by_seats, run in groupby(told, lambda event: self._frame(event).by_seat):
            gather = self._by_seats if is_by_seats else self._groups
            lines += [self._short(frame, group) for frame, group in gather(list(run))]
        return lines

    def reasons(self, events: Iterable[Event]) -> list[str]:
        """What somebody may have acted for, in phrases without who did it ("Completes the 3-space
        city")."""
        told = [event for event in events if self._sentence(event).reason]
        return [capital(self._phrase(event)).removesuffix(".") for event in told]

    def weight(self, event: Event) -> int:
        """How memorable an event is when the game is over, from 0 (not at all) to 9."""
        sentence = self._sentence(event)
        points = sum(int(getattr(event, name)) for name in sentence.scored)
        return min(MAX_WEIGHT, sentence.weight + points // sentence.points_a_weight)

    def _sentence(self, event: Event) -> EventSentence:
        return self.sentences.events[event.kind]

    def _frame(self, event: Event) -> SentenceFrame:
        name = self._sentence(event).frame
        return self.sentences.frames.get(name) or FRAMES[name]

    def _is_quiet(self, event: Event) -> bool:
        quiet = self._sentence(event).quiet
        return quiet if isinstance(quiet, bool) else self._suits(quiet, event.facts)

    @staticmethod
    def _suits(when: Condition, facts: Mapping[str, object]) -> bool:
        found = ((facts.get(name), wanted) for name, wanted in when.items())
        return all(
            bool(value) is wanted if isinstance(wanted, bool) else value == wanted
            for value, wanted in found
        )

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
        """What each seat did, also where seats took turns at it; in the order of beginning."""
        found: dict[tuple[SentenceFrame, Seat | None], list[Event]] = {}
        for event in events:
            found.setdefault((self._frame(event), event.by), []).append(event)
        return [(frame, group) for (frame, _), group in found.items()]

    def _short(self, frame: SentenceFrame, events: Sequence[Event]) -> SummaryLine:
        """As much as makes a short line, at least one phrase: what is least memorable is left out
        first, of equals the last."""
        kept = list(events)
        text = self._said(frame, kept)
        while visible(text) > SHORT and len(kept) > 1:
            kept.remove(min(reversed(kept), key=self.weight))
            text = self._said(frame, kept).removesuffix(".") + f" {ELLIPSIS}"
        return SummaryLine(text, len(kept), len(events) - len(kept))

    def _said(self, frame: SentenceFrame, events: Sequence[Event]) -> str:
        what = frame.joint.join(map(self._phrase, events))
        by = events[0].by
        return self.words(frame.text, seat="" if by is None else self.seat(by), what=what)

    def _phrase(self, event: Event) -> str:
        sentence = self._sentence(event)
        cases = (case.text for case in sentence.cases if self._suits(case.when, event.facts))
        return self.phrase(next(cases, sentence.text), event.facts)
