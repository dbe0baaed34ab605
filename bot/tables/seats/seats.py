"""Seats that a computer player plays: autopilot, taking control back, taking a seat over.

A person's seat stays theirs while a computer player acts for them: its secrets still go to them,
and they take control back with one press, or by acting. Anybody who sits nowhere else at the table
may take over a vacant seat, with all that it holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum

from bot.game.contract import Seat
from bot.store import OutboxRow, ProposalRow, WriteBatch
from bot.tables.core import errors, seating, table_lines
from bot.tables.core.cache import LoadedTable, from_store
from bot.tables.core.calendar import Calendar
from bot.tables.core.model import RESTING, STAND_IN, OutboxKind, Status, Table
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.scheduler import Outages
from bot.tables.core.terms import AT_ZERO, term
from bot.tables.core.unit_of_work import UnitOfWork
from bot.tables.votes.proposals import NOBODY, Proposal, Proposals

AUTOPILOT = "autopilot"
REPLACE = "replace"
"""The kinds of proposals about a seat: that a computer player acts for its owner; and that
besides anybody may take it over."""

LASTING = timedelta(days=5)
"""How long the others have to agree."""

LATE_AFTER = timedelta(days=2)
"""How long somebody must have been awaited before others may propose that."""


class AutopilotBy(StrEnum):
    """Whose doing it is that a computer player acts for somebody."""

    OWNER = "owner"
    CLOCK = "clock"
    OTHERS = "others"


class Seats:
    """Who, or what, plays on a seat while a game goes on."""

    def __init__(self, unit_of_work: UnitOfWork, proposals: Proposals, outages: Outages) -> None:
        self._unit_of_work = unit_of_work
        self._outages = outages
        self._proposals = proposals
        proposals.on(AUTOPILOT, self._agreed, of_seat=True)
        # Else they could end it themselves, by having a computer player act for them.
        proposals.on(REPLACE, self._agreed, of_seat=True, of_owner=True)

    async def autopilot(
        self, table_id: int, user: int, *, on: bool = True, delivery: str | None = None
    ) -> Table:
        """A computer player acts for the user from now on, or no longer, which wakes the table.

        Raises not_seated, not_autopiloted, not_started, table_paused, table_asleep or table_over.
        """

        async def work() -> Table:
            loaded = await self._unit_of_work.cache.load(table_id)
            is_asleep = loaded.table.status is Status.SLEEPING
            if on or not is_asleep:
                seating.check_playing(loaded.table)
            seat = seating.seated(loaded.table, user)
            is_on = loaded.table.players[seat].is_autopiloted
            if not (on or is_on):
                raise errors.Rejected("not_autopiloted")
            if is_on is on:
                return loaded.table
            batch = WriteBatch()
            if on:
                after = self.hand_over(batch, loaded, seat, user)
            elif is_asleep:
                after = self._unit_of_work.wake(batch, loaded, seat, user)
            else:
                table = seating.take_back(loaded.table, seat)
                after = self._unit_of_work.note(
                    batch, loaded, table, seat, user, table_lines.MANUAL
                )
            await self._unit_of_work.commit(batch, after, [OutboxDraft(OutboxKind.BOARD)], delivery)
            return after.table

        return await self._unit_of_work.once(
            table_id, delivery, work, self._unit_of_work.table_again
        )

    async def claim(
        self,
        table_id: int,
        user: int,
        name: str,
        seat: Seat | None = None,
        *,
        delivery: str | None = None,
    ) -> Table:
        """The user takes over a vacant seat, or that of a computer player; its hand becomes theirs.
        A sleeping table wakes.

        Raises already_seated or seat_taken, and like `autopilot`.
        """

        async def work() -> Table:
            loaded = await self._unit_of_work.cache.load(table_id)
            if loaded.table.status not in RESTING:
                # At a game that was imported people sit down before it goes on.
                seating.check_playing(loaded.table)
            free = seating.free_seat(loaded.table, user, seat)
            batch = WriteBatch()
            table = seating.claim(loaded.table, free, user, name)
            # Messages to whoever sat there before are none of the new player's business.
            batch.delete(OutboxRow, table=table_id, seat=free)
            after = self._unit_of_work.note(batch, loaded, table, free, user, table_lines.CLAIM)
            if table.status is Status.SLEEPING:
                after = self._unit_of_work.wake(batch, after, free, user)
            drafts = [OutboxDraft(OutboxKind.BOARD), OutboxDraft(OutboxKind.HAND, free)]
            await self._unit_of_work.commit(batch, after, drafts, delivery)
            return after.table

        return await self._unit_of_work.once(
            table_id, delivery, work, self._unit_of_work.table_again
        )

    async def propose(
        self, table_id: int, user: int, kind: str, seat: Seat, *, delivery: str | None = None
    ) -> Proposal:
        """Asks all others whether a computer player is to act for somebody who keeps them waiting,
        or has left the server.

        Raises not_late where they have not waited for long, seat_taken where nobody has that seat,
        already_autopiloted where one acts already, and what `Proposals.make` raises.
        """
        loaded = await self._unit_of_work.cache.read(table_id)
        table = loaded.table
        seating.seated(table, user)
        loaded.position()
        if not 0 <= seat < len(table.players) or table.players[seat].user is None:
            raise errors.Rejected("seat_taken", seat=seat)
        is_autopiloted = table.players[seat].is_autopiloted
        if kind == AUTOPILOT and is_autopiloted:
            raise errors.Rejected("already_autopiloted", name=table.players[seat].name)
        notifications = await from_store(self._unit_of_work.store.notifications(table_id))
        since = [
            notification.since
            for notification in notifications
            if notification.seat == seat and not notification.over
        ]
        calendar = Calendar(outages=await self._outages.at(table_id))
        late = any(calendar.elapsed(each, self._now()) >= LATE_AFTER for each in since)
        members = self._unit_of_work.members
        await members.find(table)
        has_left = members.has_left(table, table.players[seat].user)
        if not late and not has_left and not is_autopiloted:
            raise errors.Rejected(
                "not_late", name=table.players[seat].name, hours=LATE_AFTER // timedelta(hours=1)
            )
        return await self._proposals.make(
            table_id, user, kind, str(seat), LASTING, delivery=delivery
        )

    async def autopiloted_by(self, table_id: int, seat: Seat) -> AutopilotBy:
        """Whose doing it is that a computer player acts for the seat's owner."""
        table = (await self._unit_of_work.cache.read(table_id)).table
        entries = await from_store(self._unit_of_work.store.entries(table_id))
        by = next(
            (
                row.user
                for row in reversed(entries)
                if (row.seat, row.action) == (seat, table_lines.AUTO)
            ),
            None,
        )
        if by is not None and by == table.players[seat].user:
            return AutopilotBy.OWNER
        is_clock = by is None and term(table, AT_ZERO) == "autopilot"
        return AutopilotBy.CLOCK if is_clock else AutopilotBy.OTHERS

    def hand_over(
        self,
        batch: WriteBatch,
        loaded: LoadedTable,
        seat: Seat,
        user: int | None,
        *,
        vacant: bool = False,
    ) -> LoadedTable:
        """Adds to the batch that a computer player acts for the seat's owner."""
        table = seating.autopilot(loaded.table, seat, STAND_IN, vacant=vacant)
        return self._unit_of_work.note(batch, loaded, table, seat, user, table_lines.AUTO)

    async def out_of_time(
        self, batch: WriteBatch, loaded: LoadedTable, seat: Seat, at_zero: str
    ) -> tuple[LoadedTable, list[OutboxDraft]]:
        """Adds to the batch what the table has agreed on for a seat whose time is up."""
        if at_zero == "autopilot":
            return self.hand_over(batch, loaded, seat, None), [OutboxDraft(OutboxKind.BOARD)]
        others = [player for player in loaded.table.humans if player.seat != seat]
        table_id, now = loaded.table.id, self._now()
        if at_zero != "vote" or not others:
            return loaded, []
        if await self._proposals.about(table_id, AUTOPILOT, str(seat)) is not None:
            # The others have asked already.
            return loaded, []
        row = ProposalRow(table_id, AUTOPILOT, str(seat), NOBODY, now, now + LASTING)
        return loaded, await self._proposals.begin(batch, loaded.table, row)

    async def _agreed(
        self, loaded: LoadedTable, row: ProposalRow, batch: WriteBatch
    ) -> tuple[LoadedTable, Iterable[OutboxDraft]]:
        seat = int(row.word)
        player = loaded.table.players[seat]
        is_new = row.kind == REPLACE or player.is_human
        if player.user is None or not is_new:
            raise errors.Rejected("no_proposal", kind=row.kind)
        vacant = row.kind == REPLACE
        after = self.hand_over(batch, loaded, seat, row.by or None, vacant=vacant)
        return after, [OutboxDraft(OutboxKind.BOARD), OutboxDraft(OutboxKind.RING, seat)]

    def _now(self) -> datetime:
        return self._unit_of_work.clock.now()
