"""How a table ends before its game does: somebody resigns, all agree to stop, it is dissolved."""

from __future__ import annotations

from collections.abc import Set

from msgspec.structs import replace

from bot.game.contract import Seat
from bot.store import HandledRow, WriteBatch
from bot.tables.computers.choosing import STAND_IN
from bot.tables.core import outbox_drafts, seating
from bot.tables.core.from_store import from_store
from bot.tables.core.model import Abandoning, OutboxKind, Status, Table
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.table_lines import RESIGN
from bot.tables.core.unit_of_work import UnitOfWork

ABANDON = "abandon"
"""The kind of the votes to stop without a result."""


class Leaving:
    """Lets people leave a game, and closes tables."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work

    async def resign(self, table_id: int, user: int, *, delivery: str | None = None) -> Table:
        """A computer player takes the user's seat over; without people the game is abandoned.

        People on autopilot may come back: if only those are left, the table rests.

        Raises NotSeated, NotStarted or TableOver.
        """
        await self._find_who_left(table_id)

        async def work() -> Table:
            loaded = await self._unit_of_work.cache.load(table_id)
            seating.check_playing(loaded.table)
            seat = seating.seated(loaded.table, user)
            table = seating.hand_over(loaded.table, seat, STAND_IN)
            votes = await from_store(self._unit_of_work.store.votes(table_id, ABANDON)) - {user}
            if votes and not self._missing(table, votes):
                # All the others had agreed to stop.
                table = replace(table, status=Status.ABANDONED)
            batch = WriteBatch()
            batch.drop_outbox_seat(table_id, seat)
            after = self._unit_of_work.note(batch, loaded, table, seat, user, RESIGN)
            await self._unit_of_work.commit(
                batch, after, outbox_drafts.at_resignation(table), delivery
            )
            return table

        return await self._unit_of_work.once(
            table_id, delivery, work, self._unit_of_work.table_again
        )

    async def abandon(
        self, table_id: int, user: int, *, agree: bool = True, delivery: str | None = None
    ) -> Abandoning:
        """The user wants to stop without a result, or no longer; all people must agree, but for
        those who have left the server.

        Only its host can close a lobby. Raises NotSeated, NotHost or TableOver.
        """
        unit_of_work = self._unit_of_work
        await self._find_who_left(table_id)

        async def work() -> Abandoning:
            loaded = await unit_of_work.cache.load(table_id)
            seating.check_abandon(loaded.table, user)
            batch = WriteBatch()
            votes = await from_store(unit_of_work.store.votes(table_id, ABANDON)) - {user}
            batch.drop_vote(table_id, ABANDON, user)
            if agree:
                votes |= {user}
                batch.add_vote(table_id, ABANDON, user, unit_of_work.clock.now())
            table = loaded.table
            in_lobby = table.status is Status.LOBBY
            if agree and (in_lobby or not self._missing(table, votes)):
                table = replace(table, status=Status.ABANDONED)
            after = loaded.with_table(table)
            batch.save_table(after.row())
            drafts = outbox_drafts.in_lobby(table) if in_lobby else outbox_drafts.at_close(table)
            await unit_of_work.commit(batch, after, drafts, delivery)
            return self._abandoning(table, votes)

        async def again(_: HandledRow) -> Abandoning:
            votes = await from_store(unit_of_work.store.votes(table_id, ABANDON))
            return self._abandoning((await unit_of_work.cache.load(table_id)).table, votes)

        return await unit_of_work.once(table_id, delivery, work, again)

    async def dissolve(self, table_id: int, *, delivery: str | None = None) -> Table:
        """Closes a table without a result and without asking anybody; the server says who may.

        Raises TableOver.
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

    async def _find_who_left(self, table_id: int) -> None:
        # Before the table's lock is taken: Discord is asked.
        members = self._unit_of_work.members
        await members.find((await self._unit_of_work.cache.read(table_id)).table)

    def _missing(self, table: Table, votes: Set[int]) -> tuple[Seat, ...]:
        return tuple(
            player.seat
            for player in table.humans
            if player.user not in votes
            and not self._unit_of_work.members.has_left(table, player.user)
        )

    def _abandoning(self, table: Table, votes: Set[int]) -> Abandoning:
        agreed = tuple(player.seat for player in table.humans if player.user in votes)
        return Abandoning(table, agreed, self._missing(table, votes))
