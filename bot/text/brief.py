"""What happened in a few short lines, and how much of it they leave out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

MOST = 6
"""Lines of what happened that a message shows."""


class BriefLine(NamedTuple):
    """A short line about what happened; it says `said` things and leaves out `untold` more."""

    text: str
    said: int = 1
    untold: int = 0


class InBrief(NamedTuple):
    """Short lines about what happened, the oldest first; all of them, or the newest."""

    told: Sequence[BriefLine]
    most: int = MOST

    @property
    def lines(self) -> list[str]:
        """The newest of them, as many as a message shows."""
        return [line.text for line in self.told[-self.most :]]

    @property
    def untold(self) -> int:
        """How many things have happened that these lines leave out."""
        older = self.told[: -self.most]
        return sum(line.untold for line in self.told) + sum(line.said for line in older)

    def then(self, later: InBrief) -> InBrief:
        """The same, and what happened later."""
        return InBrief((*self.told, *later.told), self.most)


NOTHING = InBrief(())
"""That nothing happened."""
