"""One lock for each table; it lives as long as somebody uses it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary


class _Lock(asyncio.Lock):
    def __init__(self) -> None:
        super().__init__()
        self.waiting = 0
        """How many wait for it."""
        self.wanted = asyncio.Event()
        """Set while anybody does."""


class TableLocks:
    """The locks of those tables at which somebody works."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[int, _Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def held(self, table_id: int) -> AsyncIterator[None]:
        """Holds the table's lock; those who wait for it get it in the order in which they came."""
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = _Lock()
        lock.waiting += 1
        if lock.locked():
            lock.wanted.set()
        try:
            await lock.acquire()
        finally:
            lock.waiting -= 1
            if not lock.waiting:
                lock.wanted.clear()
        try:
            yield
        finally:
            lock.release()

    def is_busy(self, table_id: int) -> bool:
        """Whether anybody holds the table's lock, or waits for it."""
        return table_id in self._locks

    def is_wanted(self, table_id: int) -> bool:
        """Whether anybody waits for the table's lock."""
        lock = self._locks.get(table_id)
        return lock is not None and lock.waiting > 0

    async def wanted(self, table_id: int) -> None:
        """Waits until somebody waits for the table's lock, which is held meanwhile."""
        await self._locks[table_id].wanted.wait()
