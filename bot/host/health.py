"""Health checks of the bot, and its state as one of several processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

OK = "ok"

Check = Callable[[], str]
"""Returns `OK`, or a short description of what is wrong with a part."""


class Sharing(msgspec.Struct, frozen=True):
    """The processes and their shards, as this process sees them, and its own totals."""

    process: str
    """The label of its metrics."""
    name: str
    """Its name in the cluster, which changes with each start."""
    shards: int
    """The total number of shards."""
    here: Mapping[int, bool]
    """The shards that this process runs, and whether each is connected."""
    leases: tuple[int, ...]
    """The shards that this process holds."""
    processes: Mapping[str, str]
    """The live processes, and which shards each may run."""
    unrunnable: tuple[int, ...]
    """Shards that no live process may run."""
    unassigned: tuple[int, ...]
    """Shards that a process may run, but none holds."""
    takeovers: int
    """How many shards it took from other processes."""
    stale_writes: int
    """How many writes it repeated because another process wrote first."""
