"""Sets of small numbers as bit masks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_


def union(sets: Iterable[int]) -> int:
    """What is in at least one of the masks."""
    return reduce(or_, sets, 0)


def mask(numbers: Iterable[int]) -> int:
    """A set as a bit mask."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits


def members(bits: int) -> list[int]:
    """What a bit mask holds, in order."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def connected(start: int, among: int, around: Sequence[int]) -> int:
    """The members of `start`, and those of `among` that can be reached from them by neighbours;
    `around` has the neighbours of each number as a mask."""
    found, wider = 0, start
    while wider != found:
        found = wider
        wider |= union([around[each] for each in members(found)]) & among
    return found
