"""The weights of a computer player as numbers that can be varied, and as a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import exp
from typing import Any, NamedTuple, TypeVar

import msgspec

from bot.policy.contract import Policy
from bot.policy.levels import NORMAL

W = TypeVar("W", bound=msgspec.Struct)


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


def varied(weights: W, logs: Sequence[float]) -> W:
    """The same with its numbers multiplied by the exponentials of these, one each in the order of
    the fields. A zero, which says that there is nothing, stays zero."""
    factors = iter(logs)
    found = _each(msgspec.to_builtins(weights), lambda number: number * exp(next(factors)))
    return msgspec.convert(found, type(weights))


def size(weights: msgspec.Struct) -> int:
    """How many numbers there are."""
    return sum(1 for _ in _numbers(msgspec.to_builtins(weights)))


def as_toml(name: str, weights: msgspec.Struct, places: int = 3) -> str:
    """A table of weights as it stands in a file."""
    found = _each(msgspec.to_builtins(weights), lambda number: round(number, places))
    lines, tables = [f"[{name}]"], []
    for key, value in found.items():
        if isinstance(value, dict):
            inner = [f"{each} = {number}" for each, number in value.items()]
            tables += ["", f"[{name}.{key}]", *inner]
        else:
            lines.append(f"{key} = {list(value) if isinstance(value, list | tuple) else value}")
    return "\n".join([*lines, *tables, ""])


def _each(value: Any, change: Callable[[float], float]) -> Any:
    if isinstance(value, dict):
        return {key: _each(inner, change) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_each(inner, change) for inner in value]
    return change(float(value))


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict | list | tuple):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _numbers(inner)
    else:
        yield float(value)
