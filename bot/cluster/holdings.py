"""What a member holds by its own reckoning, which ends before the database's does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping

CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""One that also counts while the machine sleeps, where there is such a one."""


def now() -> float:
    """Seconds since some time in the past."""
    return time.clock_gettime(CLOCK)


class Holdings:
    """The shards that are ours until a `deadline`, each with its fence.

    `on_lost` is called at once, and by a timer where nothing else happens, with those that no
    longer are.
    """

    def __init__(self, on_lost: Callable[[frozenset[int]], None]) -> None:
        self._on_lost = on_lost
        self._held: dict[int, int] = {}
        self._deadline = 0.0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_alive(self) -> bool:
        """Whether the deadline is still to come."""
        return now() < self._deadline

    def held(self) -> frozenset[int]:
        """The shards that are ours at this moment."""
        return frozenset(self._held) if self.is_alive else frozenset()

    def fence(self, shard: int) -> int | None:
        """The fence of a shard; None where it is not ours."""
        return self._held.get(shard) if self.is_alive else None

    def extend(self, deadline: float) -> None:
        """Ours for longer; what had lapsed in between has been lost."""
        self._look()
        self._deadline = deadline
        self._set_timer()

    def confirm(self, fences: Mapping[int, int]) -> frozenset[int]:
        """These are ours, by the database, and no others; which of them were not before."""
        self._look()
        if not self.is_alive:
            return frozenset()
        self.drop(shard for shard, fence in self._held.items() if fences.get(shard) != fence)
        return self.add(fences)

    def add(self, fences: Mapping[int, int]) -> frozenset[int]:
        """These are ours too; which of them were not before."""
        if not self.is_alive:
            return frozenset()
        new = fences.keys() - self._held.keys()
        self._held.update((shard, fences[shard]) for shard in new)
        return frozenset(new)

    def drop(self, shards: Iterable[int]) -> None:
        """These are ours no longer."""
        lost = frozenset(shards) & self._held.keys()
        for shard in lost:
            del self._held[shard]
        if lost:
            self._on_lost(lost)

    def end(self) -> None:
        """Nothing is ours any more."""
        self._deadline = 0.0
        self._look()

    def _look(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.is_alive:
            self._set_timer()
        else:
            self.drop(list(self._held))

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        wait = max(0.0, self._deadline - now())
        self._timer = asyncio.get_running_loop().call_later(wait, self._look)
