"""Verdicts on promises by those who were given them, once for each: kept or broken."""

from __future__ import annotations

from msgspec.structs import replace

from bot.store import HandledRow, WriteBatch
from bot.tables.core import promises, seating
from bot.tables.core.model import Promise, PromiseStanding
from bot.tables.core.unit_of_work import UnitOfWork


class PromiseVerdicts:
    """Records the verdicts."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work

    async def mark(
        self,
        table_id: int,
        user: int,
        offer: str,
        standing: PromiseStanding,
        *,
        delivery: str | None = None,
    ) -> Promise:
        """The user says that what they were promised with an offer was `KEPT` or `BROKEN`.

        This works after the game as well. Raises not_seated, not_your_promise or promise_closed.
        """
        unit_of_work = self._unit_of_work

        async def work() -> Promise:
            loaded = await unit_of_work.cache.load(table_id)
            seat = seating.seated(loaded.table, user)
            promise = promises.marked(loaded.promises, seat, offer, standing, loaded.seq())
            batch = WriteBatch()
            known = promises.write(batch, table_id, loaded.promises, (), (promise,))
            await unit_of_work.commit(batch, replace(loaded, promises=known), (), delivery)
            return promise

        async def again(_: HandledRow) -> Promise:
            loaded = await unit_of_work.cache.load(table_id)
            seat = seating.seated(loaded.table, user)
            return next(p for p in loaded.promises if (p.offer, p.receiver) == (offer, seat))

        return await unit_of_work.once(table_id, delivery, work, again)
