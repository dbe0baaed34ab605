"""What people note for themselves at a table; nobody else ever sees it."""

from __future__ import annotations

from collections.abc import Callable

from bot.store import HandledRow, Unit
from bot.tables import errors
from bot.tables.desk import Desk, kept

MOST = 1500
"""Characters of somebody's notes at a table."""


class Notes:
    """Keeps them. Every method raises UnknownTable or StoreUnavailable."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def get(self, table_id: int, user: int) -> str:
        """The user's notes; empty for none."""
        return await kept(self._desk.store.note(table_id, user))

    async def put(self, table_id: int, user: int, text: str, *, delivery: str | None = None) -> str:
        """Other notes in place of those there were; none where the text is empty.

        Raises NoteTooLong.
        """
        return await self._write(table_id, user, lambda _: text, delivery)

    async def add(self, table_id: int, user: int, text: str, *, delivery: str | None = None) -> str:
        """One more line below the notes. Raises NoteTooLong."""
        return await self._write(table_id, user, lambda before: f"{before}\n{text}", delivery)

    async def _write(
        self, table_id: int, user: int, change: Callable[[str], str], delivery: str | None
    ) -> str:
        desk = self._desk

        async def work() -> str:
            loaded = await desk.shelf.load(table_id)
            text = change(await self.get(table_id, user)).strip()
            if len(text) > MOST:
                raise errors.NoteTooLong(most=MOST)
            unit = Unit()
            if text:
                unit.save_note(table_id, user, text)
            else:
                unit.drop_note(table_id, user)
            if delivery is not None:
                unit.handle(HandledRow(delivery, table_id, loaded.seq(), desk.clock.now()))
            await kept(desk.store.commit(unit))
            return text

        async def again(_: HandledRow) -> str:
            return await self.get(table_id, user)

        return await desk.once(table_id, delivery, work, again)
