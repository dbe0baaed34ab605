"""Data shared by the processes of one database and their stores.

A table belongs to the Discord shard of its server. The process that holds a shard does the
scheduled work of its tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from datetime import datetime

import msgspec

SHARD_BITS = 22
"""Discord ignores this many low bits of a server's id when it assigns shards."""
DIRECT = 0
"""The shard that receives direct messages."""


def shard_of(guild: int | None, count: int) -> int:
    """Return the shard of a server, or of direct messages (None), among `count` shards."""
    return DIRECT if guild is None else (guild >> SHARD_BITS) % count


class Shards(msgspec.Struct, frozen=True):
    """The shards `held`, out of `count`."""

    count: int
    held: frozenset[int]

    def has(self, guild: int | None) -> bool:
        """Return whether they include the shard of a server, or of direct messages (None)."""
        return shard_of(guild, self.count) in self.held


class Fence(msgspec.Struct, frozen=True):
    """A shard as it was held when a task started working on it.

    `number` counts the shards that this process has taken. `pid` and `since` identify the lock's
    session on the database server.
    """

    shard: int
    number: int
    pid: int
    since: datetime


class Announcement(msgspec.Struct, frozen=True):
    """An announcement of a process's changes to the others.

    `tables` maps ids to new revisions; `names` are other records, such as `person:5`.
    """

    by: str
    tables: Mapping[int, int]
    names: tuple[str, ...]


FENCE: ContextVar[Fence | None] = ContextVar("FENCE", default=None)
"""The shard that the current task works for; None for interactions."""
