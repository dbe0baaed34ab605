"""Bit masks as sets of small numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_


def union(sets: Iterable[int]) -> int:
    return reduce(or_, sets, 0)


def mask(numbers: Iterable[int]) -> int:
    """Return the bit mask of a set of numbers."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits


def members(bits: int) -> list[int]:
    """Return the numbers in a bit mask, in ascending order."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def connected(start: int, among: int, around: Sequence[int]) -> int:
    """Return `start` and all members of `among` reachable from it.

    `around[n]` is the mask of n's neighbours.
    """
    found, wider = 0, start
    while wider != found:
        found = wider
        wider |= union([around[each] for each in members(found)]) & among
    return found
