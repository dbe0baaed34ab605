"""What a label is made from, in any game, and how long it may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from bot.game.choices import Choices
from bot.game.contract import Action, Observer
from bot.text.contract import Label
from bot.text.markup import clip

S = TypeVar("S")
V = TypeVar("V")

MOST_TEXT = 80
MOST_DESCRIPTION = 100


class Observed(Protocol):
    """What a view must say: who looks."""

    @property
    def observer(self) -> Observer:
        """A seat, or below 0 for a spectator."""
        ...


@dataclass(frozen=True)
class Asking(Generic[S, V]):
    """The reader's speech, the action so far, the domain of its next word, and the view."""

    speech: S
    prefix: Action
    choices: Choices
    view: V

    @property
    def kind(self) -> str:
        """The kind of the action being built."""
        return self.prefix[0]

    @property
    def param(self) -> str:
        """What is chosen; '' where nothing is left."""
        return getattr(self.choices, "param", "")


def fitting(label: Label) -> Label:
    """The label, cut to the lengths that Discord allows."""
    description = label.description and clip(label.description, MOST_DESCRIPTION)
    return label._replace(text=clip(label.text, MOST_TEXT), description=description or None)
