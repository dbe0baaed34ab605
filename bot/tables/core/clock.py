"""Where the time comes from."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time; tests have one of their own."""

    def now(self) -> datetime:
        """The time, with its zone."""
        ...


class SystemClock:
    """The time of the machine."""

    def now(self) -> datetime:
        """The time, in UTC."""
        return datetime.now(UTC)
