"""Counts for the operator what happens at the tables."""

from __future__ import annotations

from typing import Protocol


class MetricsSink(Protocol):
    """Is told what people do and how long they wait. It must be quick, and hears nothing secret."""

    def acted(self, game: str, by_person: bool, seconds: float) -> None:
        """An action was carried out and stored, so many seconds after it was asked for."""

    def refused(self, code: str) -> None:
        """Somebody was refused something, for the reason with that code."""

    def answered(self, seconds: float) -> None:
        """Somebody got an answer, so many seconds after pressing or typing."""


class NoMetrics:
    """Counts nothing."""

    def acted(self, game: str, by_person: bool, seconds: float) -> None:
        """An action was carried out."""

    def refused(self, code: str) -> None:
        """Something was refused."""

    def answered(self, seconds: float) -> None:
        """An answer was given."""
