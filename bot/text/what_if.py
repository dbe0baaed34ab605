"""What actions would change, in every game: gains are told before what they cost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Change(NamedTuple):
    """A line about something that differs, and by how much it is better for the reader: above 0 a
    gain, below 0 a cost, and 0 where that cannot be said."""

    line: str
    gain: int = 0


def gains_first(changes: Iterable[Change]) -> list[str]:
    """The lines, gains first and costs last, in their order otherwise."""
    ordered = sorted(changes, key=lambda each: (each.gain < 0) - (each.gain > 0))
    return [each.line for each in ordered]
