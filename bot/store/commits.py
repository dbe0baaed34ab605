"""Outcomes of a task's commits, so that an error message can say what was stored."""

from __future__ import annotations

from contextvars import ContextVar

from bot.store.errors import DuplicateWrite, MaybeStored, StaleWrite


class Commits:
    """Counter of the commits of a task and its child tasks."""

    def __init__(self) -> None:
        self._begun = self._stored = self._failed = 0

    @property
    def is_stored(self) -> bool:
        return self._stored > 0

    @property
    def is_unsure(self) -> bool:
        """Whether it is unknown what was stored, or only a part was."""
        return self._begun > self._stored + self._failed or bool(self._stored and self._failed)

    def begin(self) -> None:
        """Count a batch that was submitted."""
        self._begun += 1

    def end(self, error: BaseException | None) -> None:
        """Count its outcome, which is unknown if its task was cancelled."""
        if error is None:
            self._stored += 1
        elif isinstance(error, DuplicateWrite | StaleWrite):
            self._begun -= 1  # The caller retries, or reports it in another message.
        elif isinstance(error, Exception) and not isinstance(error, MaybeStored):
            self._failed += 1


COMMITS: ContextVar[Commits | None] = ContextVar("COMMITS", default=None)
"""The commits for the current interaction; None outside of one."""
