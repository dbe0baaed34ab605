"""What people keep for themselves at a table: notes, which nobody else ever sees, and whether their
first turn is explained; and what they say of promises that they were given.

That somebody is new to a game, and that their first turn has not ended, follows from what has been
played. Only their wish is stored, as a vote of their own.
"""

from __future__ import annotations

from enum import Enum

from msgspec.structs import replace

from bot.game.contract import END
from bot.store import HandledRow, NoteRow, Promise, PromiseStanding, VoteRow
from bot.tables.core import Table, TableChange, UnitOfWork, errors, from_store, promises, seating

MAX_LENGTH = 1500
"""Characters of somebody's notes at a table."""
EXPLAIN = "explain"


class FirstTurn(Enum):
    """Whether somebody's first turn is explained."""

    OFFERED = "offered"
    EXPLAINED = "explained"


class Notes:
    """Stores them. Every method raises UnknownTable or StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work

    async def get(self, table_id: int, user: int) -> str:
        """The user's notes; empty for none."""
        return await from_store(self._unit_of_work.store.note(table_id, user))

    async def save(
        self,
        table_id: int,
        user: int,
        text: str,
        *,
        below: bool = False,
        delivery: str | None = None,
    ) -> str:
        """Replaces the notes, or adds a line `below` them; an empty text removes them. Returns them
        all. Raises note_too_long."""

        async def work(change: TableChange) -> str:
            before = await self.get(table_id, user) if below else ""
            written = f"{before}\n{text}".strip()
            if len(written) > MAX_LENGTH:
                raise errors.Rejected("note_too_long", most=MAX_LENGTH)
            if written:
                change.batch.save(NoteRow(table_id, user, written))
            else:
                change.batch.delete(NoteRow, table=table_id, user=user)
            return written

        async def again(_: HandledRow) -> str:
            return await self.get(table_id, user)

        return await self._unit_of_work.carry_out(table_id, delivery, work, again, notifies=False)

    async def first_turn(self, table: Table, user: int) -> FirstTurn | None:
        """Whether the user is offered or given explanations; None where they need none.

        They need none once they have ended a turn, or where they sit at an older table of the
        game that has begun.
        """
        store = self._unit_of_work.store
        if not await from_store(store.is_first_turn(table.id, table.game, user, END)):
            return None
        wanted = user in await from_store(store.votes(table.id, EXPLAIN))
        return FirstTurn.EXPLAINED if wanted else FirstTurn.OFFERED

    async def explain(self, table_id: int, user: int, *, wanted: bool) -> None:
        """The user wants explanations from now on, or no more."""

        async def work(change: TableChange) -> None:
            wish = VoteRow(table_id, EXPLAIN, user, self._unit_of_work.clock.now())
            change.batch.delete_row(wish)
            if wanted:
                change.batch.insert(wish)

        await self._unit_of_work.carry_out(table_id, None, work, notifies=False)

    async def mark_promise(
        self,
        table_id: int,
        user: int,
        offer: str,
        standing: PromiseStanding,
        *,
        delivery: str | None = None,
    ) -> Promise:
        """The user says that what they were promised with an offer was `KEPT` or `BROKEN`, once.

        This works after the game as well. Raises not_seated, not_your_promise or promise_closed.
        """

        async def work(change: TableChange) -> Promise:
            loaded = change.after
            seat = seating.seated(loaded.table, user)
            given = [p for p in loaded.promises if (p.offer, p.receiver) == (offer, seat)]
            if not given:
                raise errors.Rejected("not_your_promise")
            if given[0].status is not PromiseStanding.OPEN:
                raise errors.Rejected("promise_closed")
            marked = replace(given[0], status=standing, closed=loaded.seq())
            known = promises.write(change.batch, loaded.promises, [marked])
            change.after = replace(loaded, promises=known)
            return marked

        async def again(_: HandledRow) -> Promise:
            loaded = await self._unit_of_work.cache.load(table_id)
            seat = seating.seated(loaded.table, user)
            return next(p for p in loaded.promises if (p.offer, p.receiver) == (offer, seat))

        return await self._unit_of_work.carry_out(table_id, delivery, work, again)
