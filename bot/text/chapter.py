"""The words of one chapter of a game's rulebook.

Sentences that never change are data (data/<game>/words/<chapter>.toml): the buttons and questions
of the chapter's moves, how an action is said back, what each decision asks, and the refusals. Code
adds what depends on the state of the game, such as labels that show what a choice costs, and the
words for events. `bot.text.chapter_text` puts the chapters together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from bot.game.contract import Decision
from bot.text.contract import Label
from bot.text.events import EventWords, Frame
from bot.text.game_data import ChapterWords
from bot.text.labels import Asking

S = TypeVar("S")
V = TypeVar("V")
T = TypeVar("T")


@dataclass(frozen=True)
class Part(Generic[S, V]):
    """A parameter of a move: the label of each choice, and how a choice is said back.

    Without `said` it is said back as the label's text. The templates of the move call it by its
    parameter, or by `name` if there is one. `asks` makes the question for it, which is then missing
    from the data.
    """

    label: Callable[[Asking[S, V], str], Label]
    said: Callable[[Asking[S, V], str], str] | None = None
    name: str = ""
    asks: Callable[[Asking[S, V]], str] | None = None

    def say(self, asked: Asking[S, V], word: str) -> str:
        """How a chosen word is said back."""
        return self.label(asked, word).text if self.said is None else self.said(asked, word)


@dataclass(frozen=True)
class Chapter(Generic[S, V]):
    """The words of one chapter.

    `parts` are by kind of move and by parameter, in order. `buttons` adapt a move's button to the
    state of the game. `asked` makes the question of a decision, or what follows the question that
    the data have for it. `frames` are those of its events that not every game has.

    Raises ValueError for a kind that is not in the data, a decision without a question, and a
    parameter with no question or two.
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


def merged(tables: Iterable[Mapping[str, T]]) -> dict[str, T]:
    """The tables as one. Raises ValueError where two of them have the same key."""
    merged: dict[str, T] = {}
    for table in tables:
        for key, value in table.items():
            if key in merged:
                raise ValueError(f"two chapters have words for {key!r}")
            merged[key] = value
    return merged
