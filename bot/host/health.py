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
    name: str
    """Its name in the cluster, new at each start."""
    shards: int
    """Into how many Discord divides the servers."""
    here: Mapping[int, bool]
    """Those that it runs, and whether each is connected."""
    leases: tuple[int, ...]
    """Those that it holds."""
    processes: Mapping[str, str]
    """Who is alive, and which shards each may run."""
    unrunnable: tuple[int, ...]
    """Shards that no live process may run."""
    unassigned: tuple[int, ...]
    """Shards that a process may run, but none holds."""
    takeovers: int
    """How many shards it took that others had before."""
    stale_writes: int
    """How often it did work again because another process had been faster."""
