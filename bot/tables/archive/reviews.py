"""The reviews of finished games, and what one is worked out of. What a review says is the business
of whoever works it out: here it is bytes."""

from __future__ import annotations

from bot.store import ReviewRow, WriteBatch
from bot.tables.archive.history import History
from bot.tables.core import errors
from bot.tables.core.cache import Replayed
from bot.tables.core.from_store import from_store
from bot.tables.core.unit_of_work import UnitOfWork


class Reviews:
    """Keeps them. All methods raise UnknownTable or StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork, history: History) -> None:
        self._unit_of_work = unit_of_work
        self._history = history

    async def whole(self, table_id: int) -> Replayed:
        """The whole game, secrets and all, as nobody may see it before its end.

        Raises not_over, and what `TableReader.view` raises.
        """
        loaded = await self._unit_of_work.cache.read(table_id)
        if not loaded.table.is_over:
            raise errors.Rejected("not_over")
        return await self._history.whole(table_id)

    async def get(self, table_id: int) -> bytes | None:
        """The review that is kept, if there is one."""
        return await from_store(self._unit_of_work.store.review(table_id))

    async def put(self, table_id: int, blob: bytes) -> None:
        """Keeps a review, in the place of an older one."""
        batch = WriteBatch()
        batch.save(ReviewRow(table_id, blob))
        await from_store(self._unit_of_work.store.commit(batch))
