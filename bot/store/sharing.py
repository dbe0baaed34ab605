"""What processes that share a database tell one another, and the store; plain data.

A table belongs to the shard of its server, as Discord counts shards. Whoever holds a shard does
what is due at its tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from datetime import datetime

import msgspec

SHARD_BITS = 22
"""Discord divides servers by their id without its lowest bits."""
DIRECT = 0
"""The shard that direct messages arrive at."""


def shard_of(guild: int | None, count: int) -> int:
    """The shard of a server, or of direct messages (None), where there are `count` shards."""
    return DIRECT if guild is None else (guild >> SHARD_BITS) % count


class Shards(msgspec.Struct, frozen=True):
    """Some of `count` shards: those `held`."""

    count: int
    held: frozenset[int]

    def has(self, guild: int | None) -> bool:
        """Whether the shard of a server, or of direct messages (None), is among them."""
        return shard_of(guild, self.count) in self.held


class Fence(msgspec.Struct, frozen=True):
    """A shard as it was held when work began on its behalf.

    It was the process's nth take of a shard, by a lock session of the server that is told by its
    process id there and by when it began.
    """

    shard: int
    number: int
    pid: int
    since: datetime


class Notice(msgspec.Struct, frozen=True):
    """What a process tells the others that it has changed: tables with their new revision, and
    other things by name, such as `person:5`."""

    by: str
    tables: Mapping[int, int]
    names: tuple[str, ...]


FENCE: ContextVar[Fence | None] = ContextVar("FENCE", default=None)
"""For the sake of which shard this task works; None where it answers somebody."""
