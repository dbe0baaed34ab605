"""Many rows go to the database, and come from it, a slice at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

AT_ONCE = 200
"""The size of a slice; other tasks get their turn between two."""


def slices(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """The items in their order, at most AT_ONCE together."""
    for first in range(0, len(items), AT_ONCE):
        yield items[first : first + AT_ONCE]
