"""The stack of frames in a state: the top frame is the current question.

A frame is a small tagged struct; its tag is the kind of question. When the rules interrupt a
turn, they push another frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Protocol, TypeVar

import msgspec

F = TypeVar("F")


class TurnState(Protocol):
    """The fields that every state must have."""

    round: int
    """0 before the first round."""
    decision: int
    """Increases with each new question, so that answers to an old one are recognised."""

    @property
    def frames(self) -> Sequence[msgspec.Struct]:
        """The stack, from bottom to top."""

    @property
    def players(self) -> Sequence[object]:
        """One item per seat."""


def frame_of(state: TurnState, kind: type[F]) -> F:
    """Return the top frame, which must be of this class."""
    frame = state.frames[-1]
    assert isinstance(frame, kind)
    return frame


@cache
def tag_of(kind: type[msgspec.Struct]) -> str:
    """Return the kind of question of a frame class."""
    return str(kind.__struct_config__.tag)


def question_of(state: TurnState) -> str:
    """Return the kind of the current question."""
    return tag_of(type(state.frames[-1]))


def state_repr(title: str, state: TurnState) -> str:
    """Return a state in a few words, for debugging: ``<Kogge: round 2, push, then act>``."""
    questions = ", then ".join(tag_of(type(frame)) for frame in reversed(state.frames))
    return f"<{title}: round {state.round}, {questions}>"


def listed(items: Iterable[object]) -> str:
    """Return items as one line, for debugging; ``-`` for no items and for an empty one."""
    return " ".join(str(item) or "-" for item in items) or "-"
