"""What players say of the promises they were given, once: kept or broken."""

from __future__ import annotations

from msgspec.structs import replace

from bot.store import HandledRow, Unit
from bot.tables import lobby, promises
from bot.tables.desk import Desk
from bot.tables.model import Promise, Standing


class Judging:
    """Keeps the judgements of promises."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def mark(
        self,
        table_id: int,
        user: int,
        offer: str,
        standing: Standing,
        *,
        delivery: str | None = None,
    ) -> Promise:
        """The user says that what was promised to them with an offer is `KEPT` or `BROKEN`.

        Also when the game is over. Raises NotSeated, NotYourPromise or PromiseClosed.
        """
        desk = self._desk

        async def work() -> Promise:
            loaded = await desk.shelf.load(table_id)
            seat = lobby.seated(loaded.table, user)
            promise = promises.marked(loaded.promises, seat, offer, standing, loaded.seq())
            unit = Unit()
            known = promises.write(unit, table_id, loaded.promises, (), (promise,))
            await desk.commit(unit, replace(loaded, promises=known), (), delivery)
            return promise

        async def again(_: HandledRow) -> Promise:
            loaded = await desk.shelf.load(table_id)
            seat = lobby.seated(loaded.table, user)
            return next(p for p in loaded.promises if (p.offer, p.receiver) == (offer, seat))

        return await desk.once(table_id, delivery, work, again)
