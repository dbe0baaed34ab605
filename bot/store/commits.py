"""What has become of the commits that a task has made, for whoever has to say so."""

from __future__ import annotations

from contextvars import ContextVar

from bot.store.errors import DuplicateWrite, MaybeStored, StaleWrite


class Commits:
    """Counts the commits of one task, and of those that it starts."""

    def __init__(self) -> None:
        self._begun = self._stored = self._failed = 0

    @property
    def is_stored(self) -> bool:
        """Whether something was stored."""
        return self._stored > 0

    @property
    def is_unsure(self) -> bool:
        """Whether something may have been stored, or only a part of it was."""
        return self._begun > self._stored + self._failed or bool(self._stored and self._failed)

    def begin(self) -> None:
        """A batch is on its way."""
        self._begun += 1

    def end(self, error: BaseException | None) -> None:
        """It was stored, or not. Nobody knows of one whose task was cancelled."""
        if error is None:
            self._stored += 1
        elif isinstance(error, DuplicateWrite | StaleWrite):
            self._begun -= 1  # It is done again, or refused in words of its own.
        elif isinstance(error, Exception) and not isinstance(error, MaybeStored):
            self._failed += 1


COMMITS: ContextVar[Commits | None] = ContextVar("COMMITS", default=None)
"""Those made to answer somebody; None where nobody waits for an answer."""
