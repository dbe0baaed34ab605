"""The description of a game to record; each title has several in `WANTED`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bot.game.contract import Event

RANDOM_SHARE = 0.06
"""The share of random decisions. Without them, greedy players would never do some things."""


class RecordingSpec(NamedTuple):
    """A game to record.

    It must have an action that begins with each of `takes`, and `shows` must be true for the events
    of all its actions.
    """

    seats: int
    ending: str
    options: Mapping[str, str]
    random_share: float = RANDOM_SHARE
    takes: frozenset[str] = frozenset()
    shows: Callable[[Sequence[Sequence[Event]]], bool] = lambda events: True
