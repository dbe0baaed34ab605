"""What computer players weigh, as numbers that `tools.tune` and `tools.fit` look for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from bot.policy.contract import Policy
from bot.policy.levels import NORMAL


class Tunable(NamedTuple):
    """A computer player whose judgement is numbers: structs of numbers, tuples and mappings of
    them; those by name that there are, and the player that judges by some."""

    weights: Mapping[str, Any]
    player: Callable[[Any], Policy]

    def normal(self, players: int) -> str:
        """What the normal player's weights for so many are called."""
        return NORMAL if NORMAL in self.weights else f"{NORMAL}-{players}"


class Fittable(NamedTuple):
    """What a search expects of a position where that is a weighted sum: what is counted of each
    seat, by name, and how much of each it has in a state, by seat."""

    names: Sequence[str]
    holdings: Callable[[Any], Sequence[Sequence[float]]]
