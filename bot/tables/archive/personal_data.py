"""A person's own data as a file: what is stored about them, and nothing of anybody else."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec

from bot.store import slices
from bot.tables.core.from_store import from_store
from bot.tables.core.model import Status
from bot.tables.core.time_slice import TimeSlice
from bot.tables.core.unit_of_work import UnitOfWork
from bot.workers import in_thread

MOST_BYTES = 7_000_000
"""Bytes of tables and moves in a file, which Discord takes; older tables are left out then."""


class PersonalData:
    """Puts such files together. Raises StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        # It reads all logs: however many ask, one at a time keeps the database busy.
        self._reading = asyncio.Lock()

    async def export(self, user: int) -> bytes:
        """All that is stored about the user, as JSON, the newest tables first."""
        async with self._reading:
            store, time_slice = self._unit_of_work.store, TimeSlice()
            sections: dict[str, list[Any]] = {}
            room = MOST_BYTES
            left_out = 0
            found = await from_store(store.traces(user, tuple(Status)))
            for some in slices(found[::-1]):
                if room <= 0:
                    left_out += len(some)
                    continue
                for name, rows in (await from_store(store.own_at(user, some))).items():
                    for each in rows:
                        encoded = msgspec.Raw(msgspec.json.encode(each))
                        sections.setdefault(name, []).append(encoded)
                        room -= len(encoded)
                        await time_slice.take()
            own = await from_store(store.own(user))
            return await in_thread(_file, user, own, sections, left_out)


def _file(user: int, own: Mapping[str, Any], sections: Mapping[str, Any], left_out: int) -> bytes:
    (settings,) = own["settings"] or [{"settings": {}}]
    whole = {"user": user, **own, **sections, **settings, "tables_left_out": left_out}
    return msgspec.json.encode(whole)
