"""The words of one chapter of a game's rulebook, as data.

A chapter says all that belongs to one part of the rules: how its moves are offered, asked for and
said back, what is asked of whom, why something is refused, and what has happened.
`bot.text.chapter_text` makes a game's words of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from bot.game.contract import Decision
from bot.text.contract import Label, Style
from bot.text.events import EventWords
from bot.text.labels import Asking
from bot.text.words import Forms, Message

S = TypeVar("S")
V = TypeVar("V")


@dataclass(frozen=True)
class Part(Generic[S, V]):
    """A word of a move: the question for it, a choice of it as a label, and how it is said back.

    It is said back as the label's text, unless there is a `said`. The templates of the move call
    it by its parameter, unless there is a `name`.
    """

    prompt: Message | Callable[[Asking[S, V]], str]
    label: Callable[[Asking[S, V], str], Label]
    said: Callable[[Asking[S, V], str], str] | None = None
    name: str = ""

    def say(self, asked: Asking[S, V], word: str) -> str:
        """The word said back."""
        return self.label(asked, word).text if self.said is None else self.said(asked, word)


@dataclass(frozen=True)
class MoveWords(Generic[S, V]):
    """The words for one kind of action.

    `text`, `emoji`, `style` and `note` make its button, which `now`, where given, fits to the
    moment. `doing` follows "you may". `parts` are its words by parameter, in order; `said` are the
    templates of the action as far as it is built, the last one with all its words. Where there is
    none for so few words, it is said as its button is.
    """

    text: Message
    emoji: str
    doing: Message
    style: Style = Style.NORMAL
    note: Message | None = None
    parts: Mapping[str, Part[S, V]] = field(default_factory=dict)
    said: tuple[Message, ...] = ()
    now: Callable[[Asking[S, V], Label], Label] | None = None


@dataclass(frozen=True)
class Question(Generic[S, V]):
    """The words for a decision: to those who wait for it, and to the seat that is asked.

    A message is filled with what `ChapterText.facts` knows of the seat. `now` says after "just
    now, for" what is asked instead of an action that is refused.
    """

    awaited: Message
    asked: Message | Callable[[S, Decision, V], str]
    now: Message | None = None


@dataclass(frozen=True)
class Chapter(Generic[S, V]):
    """The words of one chapter: by kind of move and of decision, by refusal's code, by event.

    `doings` are groups of moves that are counted together, after "you may".
    """

    moves: Mapping[str, MoveWords[S, V]] = field(default_factory=dict)
    questions: Mapping[str, Question[S, V]] = field(default_factory=dict)
    refusals: Mapping[str, Message | Forms] = field(default_factory=dict)
    events: Sequence[EventWords[Any]] = ()
    doings: Mapping[str, Message] = field(default_factory=dict)
