"""Private notes, first-turn explanations, and marks on promises, by a player at a table.

No other player ever sees notes. Whether a player is new to a game and in their first turn follows
from the logs; only their wish for explanations is stored, as a vote.
"""

from __future__ import annotations

from enum import Enum

from msgspec.structs import replace

from bot.game.contract import END
from bot.store import HandledRow, NoteRow, Promise, PromiseStatus, VoteRow
from bot.tables.core import Table, TableChange, UnitOfWork, errors, from_store, promises, seating

MAX_LENGTH = 1500
"""Characters of a player's notes at a table."""
EXPLAIN = "explain"


class FirstTurn(Enum):
    """The state of first-turn explanations for a player."""

    OFFERED = "offered"
    EXPLAINED = "explained"


class Notes:
    """Stores notes, wishes and marks. Every method raises UnknownTable or StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work

    async def get(self, table_id: int, user: int) -> str:
        """Return the user's notes, or "" if there are none."""
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
        """Replace the notes, or add a line `below` them, and return all notes.

        An empty text deletes them. Raise note_too_long.
        """

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

        async def repeat(_: HandledRow) -> str:
            return await self.get(table_id, user)

        return await self._unit_of_work.carry_out(table_id, delivery, work, repeat, notifies=False)

    async def first_turn(self, table: Table, user: int) -> FirstTurn | None:
        """Return whether explanations are offered to the user or shown, or None for neither.

        Users need none after their first turn, or if they have an older table with this game whose
        game has started. Lessons explain themselves.
        """
        if table.lesson is not None:
            return None
        store = self._unit_of_work.store
        if not await from_store(store.is_first_turn(table.id, table.game, user, END)):
            return None
        wanted = user in await from_store(store.votes(table.id, EXPLAIN))
        return FirstTurn.EXPLAINED if wanted else FirstTurn.OFFERED

    async def explain(self, table_id: int, user: int, *, wanted: bool) -> None:
        """Turn explanations on or off for the user."""

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
        status: PromiseStatus,
        *,
        delivery: str | None = None,
    ) -> Promise:
        """Mark a promise to the user as `KEPT` or `BROKEN`, which cannot be changed later.

        This also works after the game. Raise not_seated, not_your_promise or promise_closed.
        """

        async def work(change: TableChange) -> Promise:
            loaded = change.after
            seat = seating.seated(loaded.table, user)
            given = [p for p in loaded.promises if (p.offer, p.receiver) == (offer, seat)]
            if not given:
                raise errors.Rejected("not_your_promise")
            if given[0].status is not PromiseStatus.OPEN:
                raise errors.Rejected("promise_closed")
            marked = replace(given[0], status=status, closed=loaded.seq())
            changed = promises.write(change.batch, loaded.promises, [marked])
            change.after = replace(loaded, promises=changed)
            return marked

        async def repeat(_: HandledRow) -> Promise:
            loaded = await self._unit_of_work.cache.load(table_id)
            seat = seating.seated(loaded.table, user)
            return next(p for p in loaded.promises if (p.offer, p.receiver) == (offer, seat))

        return await self._unit_of_work.carry_out(table_id, delivery, work, repeat)
