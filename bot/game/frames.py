"""What is being asked, as a stack of frames in the state: the top one asks.

A frame is a small struct with a tag of its own, the word for what it asks. Where the rules
interrupt, another is put on top.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Protocol, TypeVar

import msgspec

F = TypeVar("F")


class TurnState(Protocol):
    """What a state must know."""

    round: int
    """0 before the first."""
    decision: int
    """Increases whenever what is asked changes, so that an old answer is recognised."""

    @property
    def frames(self) -> Sequence[msgspec.Struct]:
        """From the bottom to the top."""

    @property
    def players(self) -> Sequence[object]:
        """One a seat."""


def frame_of(state: TurnState, kind: type[F]) -> F:
    """The top frame, which must be of this kind."""
    frame = state.frames[-1]
    assert isinstance(frame, kind)
    return frame


@cache
def tag_of(kind: type[msgspec.Struct]) -> str:
    """The word for what a kind of frame asks."""
    return str(kind.__struct_config__.tag)


def question_of(state: TurnState) -> str:
    """The word for what is asked."""
    return tag_of(type(state.frames[-1]))


def state_repr(title: str, state: TurnState) -> str:
    """A state in a few words, for debugging: ``<Kogge: round 2, push, then act>``."""
    asked = ", then ".join(tag_of(type(frame)) for frame in reversed(state.frames))
    return f"<{title}: round {state.round}, {asked}>"


def listed(items: Iterable[object]) -> str:
    """Items as one line by their words, for debugging; ``-`` for none."""
    return " ".join(str(item) or "-" for item in items) or "-"
