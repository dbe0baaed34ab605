"""What one chapter of a game's rules has to say, in one value: moves, questions, refusals, events.

A game's words are divided like its rules. The module of a chapter makes a `ChapterWords`, and
`bot.text.chaptered.ChapteredText` puts them together. `S` is the game's speech, `V` its view.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, NamedTuple, TypeVar

from bot.game.choices import Choices
from bot.game.contract import Action, Decision, Event
from bot.text.asking import Asking
from bot.text.contract import Label, Style
from bot.text.words import Forms, Message

S = TypeVar("S")
V = TypeVar("V")
E = TypeVar("E", bound=Event)

Prompt = Callable[[S, Action, Choices], str]
"""What is asked for the next word of an action, by the words before and the domain."""


class Case(NamedTuple):
    """A template for the events that `suits` picks."""

    text: Message | Forms
    suits: Callable[[Any], object]


def _always(_event: Event) -> bool:
    return True


def _never(_event: Event) -> bool:
    return False


@dataclass(frozen=True)
class EventWords(Generic[E]):
    """How a kind of event is told: a phrase in a frame (see `bot.text.telling`).

    `text` is filled by the event's fields, the first case that suits goes before it.
    """

    event: type[E]
    frame: str
    text: Message | Forms
    cases: tuple[Case, ...] = ()
    is_quiet: Callable[[E], object] = _never
    """Whether an event goes without saying."""

    def when(self, suits: Callable[[E], object], text: Message | Forms) -> EventWords[E]:
        """The same with another text for some events, which no earlier case suits."""
        return replace(self, cases=(*self.cases, Case(text, suits)))

    def quiet(self, is_quiet: Callable[[E], object] = _always) -> EventWords[E]:
        """The same, but nothing is said of some of them, or of any."""
        return replace(self, is_quiet=is_quiet)

    @property
    def lines(self) -> tuple[Case, ...]:
        """All texts; the last one always suits."""
        return (*self.cases, Case(self.text, _always))


@dataclass(frozen=True)
class ParamWords(Generic[S, V]):
    """One word of a move: the question for it, and each choice as a label."""

    prompt: Message | Prompt[S]
    label: Callable[[Asking[S, V], str], Label]


@dataclass(frozen=True)
class MoveWords(Generic[S, V]):
    """A kind of action: what it is called after "you may", its button, and its parameters.

    `said` are the texts of the action said back, as far as it is built. `label` makes more of the
    button where the table asks for it.
    """

    doing: Message
    button: Message
    emoji: str
    style: Style = Style.NORMAL
    note: Message | None = None
    said: tuple[Message, ...] = ()
    params: Mapping[str, ParamWords[S, V]] = field(default_factory=dict)
    label: Callable[[Asking[S, V], Label], Label] | None = None


@dataclass(frozen=True)
class AskedWords(Generic[S, V]):
    """A kind of decision: what its seat is asked, and what the others wait for.

    `now` stands after "just now", where a refusal says what is asked instead.
    """

    question: Message | Callable[[S, V, Decision], str]
    awaited: Message
    now: Message | None = None


@dataclass(frozen=True)
class ChapterWords(Generic[S, V]):
    """A chapter's moves and decisions by kind, refusals by code, and events."""

    moves: Mapping[str, MoveWords[S, V]] = field(default_factory=dict)
    asked: Mapping[str, AskedWords[S, V]] = field(default_factory=dict)
    refusals: Mapping[str, Message | Forms] = field(default_factory=dict)
    events: tuple[EventWords[Any], ...] = ()
