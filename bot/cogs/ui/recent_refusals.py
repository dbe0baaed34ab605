"""Recent refusals, for the reports that people may send about them."""

from __future__ import annotations

from collections import OrderedDict, deque

LAST = 8
"""Codes remembered of each person."""
PEOPLE = 512


class RecentRefusals:
    """The codes of the last refusals, with their tables; in memory alone."""

    def __init__(self) -> None:
        self._known: OrderedDict[int, deque[tuple[int | None, str]]] = OrderedDict()

    def note(self, user: int, table: int | None, code: str) -> None:
        """Somebody was refused something."""
        self._known.setdefault(user, deque(maxlen=LAST)).append((table, code))
        self._known.move_to_end(user)
        if len(self._known) > PEOPLE:
            self._known.popitem(last=False)

    def of(self, user: int, table: int) -> tuple[str, ...]:
        """The codes that this person got at that table, the latest last."""
        return tuple(code for place, code in self._known.get(user, ()) if place == table)
