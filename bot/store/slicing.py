"""Slices of many rows, so that other tasks can run in between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

SLICE_ROWS = 200


def slices(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield the items in order, in slices of at most SLICE_ROWS."""
    for first in range(0, len(items), SLICE_ROWS):
        yield items[first : first + SLICE_ROWS]
