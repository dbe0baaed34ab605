"""Many rows go to the database and come from it in slices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

AT_ONCE = 200
"""Rows in a slice; other tasks run between two."""


def slices(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """The items in their order, in slices of at most AT_ONCE."""
    for first in range(0, len(items), AT_ONCE):
        yield items[first : first + AT_ONCE]
