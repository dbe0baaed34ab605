"""The words of one chapter of a game's rulebook: its data, and what depends on the moment.

What is always said alike stands in data/<game>/words/<chapter>.toml: how the chapter's moves are
offered, asked for and said back, what is asked of whom, and why something is refused. Here it is
joined by what takes code: labels that tell what a choice costs and brings, and events.
`bot.text.chapter_text` makes a game's words of all chapters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from bot.game.contract import Decision
from bot.text.contract import Label
from bot.text.events import EventWords, Frame
from bot.text.game_data import ChapterWords
from bot.text.labels import Asking

S = TypeVar("S")
V = TypeVar("V")


@dataclass(frozen=True)
class Part(Generic[S, V]):
    """A parameter of a move: a choice of it as a label, and how it is said back.

    It is said back as the label's text, unless there is a `said`. The templates of the move call
    it by its parameter, unless there is a `name`. `asks` is the question for it where the data have
    none.
    """

    label: Callable[[Asking[S, V], str], Label]
    said: Callable[[Asking[S, V], str], str] | None = None
    name: str = ""
    asks: Callable[[Asking[S, V]], str] | None = None

    def say(self, asked: Asking[S, V], word: str) -> str:
        """The word said back."""
        return self.label(asked, word).text if self.said is None else self.said(asked, word)


@dataclass(frozen=True)
class Chapter(Generic[S, V]):
    """The words of one chapter.

    `parts` are by kind of move and parameter, in order; `buttons` fit a move's button to the
    moment; `asked` says, by kind of decision, what is asked, after what the data say of it, if
    anything. `frames` are those that its events need beside the ones of every game. Raises
    ValueError where the data do not know a kind, and where a question is missing, or a part of a
    move is asked for in both places.
    """

    words: ChapterWords = field(default_factory=ChapterWords)
    parts: Mapping[str, Mapping[str, Part[S, V]]] = field(default_factory=dict)
    buttons: Mapping[str, Callable[[Asking[S, V], Label], Label]] = field(default_factory=dict)
    asked: Mapping[str, Callable[[S, Decision, V], str]] = field(default_factory=dict)
    events: Sequence[EventWords[Any]] = ()
    frames: Mapping[str, Frame] = field(default_factory=dict)

    def __post_init__(self) -> None:
        strange = {*self.parts, *self.buttons} - {*self.words.moves}
        strange |= {*self.asked} - {*self.words.questions}
        if strange:
            raise ValueError(f"the chapter's data know nothing of {sorted(strange)}")
        for kind, question in self.words.questions.items():
            if question.asked is None and kind not in self.asked:
                raise ValueError(f"nothing is asked by the decision {kind!r}")
        for kind, move in self.words.moves.items():
            computed = [param for param, part in self.parts.get(kind, {}).items() if part.asks]
            if {*move.asks} ^ {*computed} != {*self.parts.get(kind, {})}:
                raise ValueError(f"of {kind!r} must be asked for once: {[*move.asks, *computed]}")
