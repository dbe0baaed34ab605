"""Whose part it is to do what is due at a table, where processes share a database.

Anybody may carry out what people press. Clocks, reminders, computer players, plans and posts of a
table are for one process alone: the one that holds its shard.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from bot.store.sharing import FENCE, Fence, Shards


class Ownership(Protocol):
    """Says which shards are this process's own, at this moment."""

    def shards(self) -> Shards | None:
        """The shards that are ours; None where all tables are."""
        ...

    def owns(self, guild: int | None) -> bool:
        """Whether tables of that server, or of direct messages (None), are ours."""
        ...

    def fence(self, guild: int | None) -> Fence | None:
        """What their work is fenced by; None where nothing is shared.

        Raises NotOurs.
        """
        ...


class Alone:
    """One process has its database for itself: everything is its own."""

    def shards(self) -> Shards | None:
        """None: all tables."""
        return None

    def owns(self, guild: int | None) -> bool:
        """Always."""
        return True

    def fence(self, guild: int | None) -> Fence | None:
        """None: nobody else writes."""
        return None


def on_whose_behalf() -> Fence | None:
    """What this task's work is fenced by; None for nothing."""
    return FENCE.get()


@contextmanager
def fenced(fence: Fence | None) -> Iterator[None]:
    """Within the block whatever this task stores is refused once that shard has changed hands."""
    token = FENCE.set(fence)
    try:
        yield
    finally:
        FENCE.reset(token)
