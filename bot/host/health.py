"""What the bot tells of its health, and of its place among the processes of a database."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

OK = "ok"

Check = Callable[[], str]
"""Returns `OK`, or what is wrong with a part in a few words."""


class Sharing(msgspec.Struct, frozen=True):
    """Who runs which shards, as this process sees it, and what it has met with."""

    process: str
    """The label of its metrics."""
    member: str
    """What the others know it by."""
    shards: int
    """Into how many Discord divides the servers."""
    here: Mapping[int, bool]
    """Those that it runs, and whether each is connected."""
    leases: tuple[int, ...]
    """Those that it holds."""
    members: Mapping[str, str]
    """Who is alive, and which shards each may run."""
    nobody_may_run: tuple[int, ...]
    nobody_has: tuple[int, ...]
    """Those that somebody may run, but nobody has at the moment."""
    takeovers: int
    """How many shards it took that others had before."""
    stale_writes: int
    """How often it did work again because another process had been faster."""
