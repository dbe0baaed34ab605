"""Who counts, for the operator, what happens at the tables."""

from __future__ import annotations

from typing import Protocol


class MetricsSink(Protocol):
    """Hears of what people do and wait for. It must be quick, and is told nothing secret."""

    def acted(self, game: str, by_person: bool, seconds: float) -> None:
        """An action was carried out and kept, so long after it was asked for."""

    def refused(self, code: str) -> None:
        """Somebody was told that something cannot be done, and why."""

    def answered(self, seconds: float) -> None:
        """Somebody got an answer, so long after pressing or typing."""


class NoMetrics:
    """Counts nothing."""

    def acted(self, game: str, by_person: bool, seconds: float) -> None:
        """An action was carried out."""

    def refused(self, code: str) -> None:
        """Something was refused."""

    def answered(self, seconds: float) -> None:
        """An answer was given."""
