"""The description of a game to be recorded; each title has a list of them, `WANTED`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bot.game.contract import Event

WHIM = 0.06
"""How often a decision is made at random; it brings in what greed alone never does."""


class Wanted(NamedTuple):
    """A game to be recorded; in it are actions that begin with each of `takes`, and what its
    actions told, a list of events each, is what it `shows`."""

    seats: int
    ending: str
    options: Mapping[str, str]
    whim: float = WHIM
    takes: frozenset[str] = frozenset()
    shows: Callable[[Sequence[Sequence[Event]]], bool] = lambda told: True
