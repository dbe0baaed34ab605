"""The web addresses to which tables' posts are sent."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from bot.store import WebhookRow
from bot.tables.core import TableChange, UnitOfWork, from_store


class Webhooks:
    """Stores addresses. Every method raises UnknownTable or StoreUnavailable.

    An address may contain a token, so it must not be logged.
    """

    def __init__(self, unit_of_work: UnitOfWork, new_key: Callable[[], bytes]) -> None:
        self._unit_of_work = unit_of_work
        self._new_key = new_key

    async def get(self, table_id: int) -> WebhookRow | None:
        """Return the table's address with its signing key, if it has one."""
        return await from_store(self._unit_of_work.store.webhook(table_id))

    async def save(
        self, table_id: int, url: str | None, *, delivery: str | None = None
    ) -> WebhookRow | None:
        """Set the address with a new key, or (None) remove it."""

        async def work(change: TableChange) -> WebhookRow | None:
            change.after = change.after.with_table(replace(change.table, webhook=url is not None))
            if url is None:
                change.batch.delete(WebhookRow, table=table_id)
                return None
            row = WebhookRow(table_id, url, self._new_key())
            change.batch.save(row)
            return row

        return await self._unit_of_work.carry_out(
            table_id, delivery, work, lambda _: self.get(table_id)
        )
