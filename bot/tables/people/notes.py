"""What people note for themselves at a table; nobody else ever sees it."""

from __future__ import annotations

from collections.abc import Callable

from bot.store import HandledRow, NoteRow, WriteBatch
from bot.tables.core import errors
from bot.tables.core.cache import from_store
from bot.tables.core.unit_of_work import UnitOfWork

MOST = 1500
"""Characters of somebody's notes at a table."""


class Notes:
    """Stores them. Every method raises UnknownTable or StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work

    async def get(self, table_id: int, user: int) -> str:
        """The user's notes; empty for none."""
        return await from_store(self._unit_of_work.store.note(table_id, user))

    async def put(self, table_id: int, user: int, text: str, *, delivery: str | None = None) -> str:
        """Replaces the notes; an empty text removes them. Raises note_too_long."""
        return await self._write(table_id, user, lambda _: text, delivery)

    async def add(self, table_id: int, user: int, text: str, *, delivery: str | None = None) -> str:
        """Adds a line below the notes. Raises note_too_long."""
        return await self._write(table_id, user, lambda before: f"{before}\n{text}", delivery)

    async def _write(
        self, table_id: int, user: int, change: Callable[[str], str], delivery: str | None
    ) -> str:
        unit_of_work = self._unit_of_work

        async def work() -> str:
            loaded = await unit_of_work.cache.load(table_id)
            text = change(await self.get(table_id, user)).strip()
            if len(text) > MOST:
                raise errors.Rejected("note_too_long", most=MOST)
            batch = WriteBatch()
            if text:
                batch.save(NoteRow(table_id, user, text))
            else:
                batch.delete(NoteRow, table=table_id, user=user)
            if delivery is not None:
                batch.insert(HandledRow(delivery, table_id, loaded.seq(), unit_of_work.clock.now()))
            await unit_of_work.keep(batch, loaded)
            return text

        async def again(_: HandledRow) -> str:
            return await self.get(table_id, user)

        return await unit_of_work.once(table_id, delivery, work, again)
