"""How a table ends before its game does: somebody resigns, all agree to stop, it is dissolved."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from msgspec.structs import replace

from bot.store import OutboxRow, ProposalRow, WriteBatch
from bot.tables.computers.choosing import STAND_IN
from bot.tables.core import outbox_drafts, seating
from bot.tables.core.cache import LoadedTable
from bot.tables.core.model import GOING, OutboxKind, Status, Table
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.table_lines import RESIGN
from bot.tables.core.unit_of_work import UnitOfWork
from bot.tables.votes.proposals import Proposal, Proposals, Verdict

ABANDON = "abandon"
"""The kind of proposal to stop without a result."""

LASTING = timedelta(days=5)
"""How long the others have to agree."""


class Leaving:
    """Lets people leave a game, and closes tables."""

    def __init__(self, unit_of_work: UnitOfWork, proposals: Proposals) -> None:
        self._unit_of_work = unit_of_work
        self._proposals = proposals
        proposals.on(ABANDON, self._agreed, during=GOING)

    async def resign(self, table_id: int, user: int, *, delivery: str | None = None) -> Table:
        """A computer player takes the user's seat over; without people the game is abandoned.

        People on autopilot may come back: if only those are left, the table rests.

        Raises not_seated, not_started or table_over.
        """

        async def work() -> Table:
            loaded = await self._unit_of_work.cache.load(table_id)
            seating.check_playing(loaded.table)
            seat = seating.seated(loaded.table, user)
            table = seating.hand_over(loaded.table, seat, STAND_IN)
            batch = WriteBatch()
            batch.delete(OutboxRow, table=table_id, seat=seat)
            after = self._unit_of_work.note(batch, loaded, table, seat, user, RESIGN)
            await self._unit_of_work.commit(
                batch, after, outbox_drafts.at_resignation(table), delivery
            )
            return table

        return await self._unit_of_work.once(
            table_id, delivery, work, self._unit_of_work.table_again
        )

    async def abandon(self, table_id: int, user: int, *, delivery: str | None = None) -> Proposal:
        """The user proposes to stop without a result. Its host closes a lobby so, without asking.

        Raises not_seated, not_host or table_over.
        """
        loaded = await self._unit_of_work.cache.read(table_id)
        if loaded.seq() >= 0 or loaded.problem is not None:
            return await self._proposals.make(
                table_id, user, ABANDON, "", LASTING, delivery=delivery
            )
        if loaded.table.status is Status.LOBBY:
            seating.check_close(loaded.table, user)
        closed = await self.dissolve(table_id, delivery=delivery)
        return Proposal(
            closed, ABANDON, "", closed.seat_of(user), closed.created, (), (), Verdict.PASSED
        )

    async def _agreed(
        self, loaded: LoadedTable, _row: ProposalRow, batch: WriteBatch
    ) -> tuple[LoadedTable, Iterable[OutboxDraft]]:
        after = loaded.with_table(replace(loaded.table, status=Status.ABANDONED))
        batch.save_table(after.row())
        return after, outbox_drafts.at_close(after.table)

    async def dissolve(self, table_id: int, *, delivery: str | None = None) -> Table:
        """Closes a table without a result and without asking anybody; the server says who may.

        Raises table_over.
        """
        unit_of_work = self._unit_of_work

        async def work() -> Table:
            loaded = await unit_of_work.cache.load(table_id)
            seating.check_open(loaded.table)
            in_lobby = loaded.table.status is Status.LOBBY
            drafts = [OutboxDraft(OutboxKind.LOBBY if in_lobby else OutboxKind.END)]
            after = loaded.with_table(replace(loaded.table, status=Status.ABANDONED))
            batch = WriteBatch()
            batch.save_table(after.row())
            await unit_of_work.commit(batch, after, drafts, delivery)
            return after.table

        return await unit_of_work.once(table_id, delivery, work, unit_of_work.table_again)
