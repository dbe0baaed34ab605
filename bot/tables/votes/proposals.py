"""What one person proposes and all people at the table must agree on before a deadline.

One proposal of a kind is open at a table. One "no" ends it; with the last "yes" it is carried out
in the same transaction. Seats that a computer player plays have no vote, nor have people who are
known to have left the server.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

import msgspec

from bot.game.contract import Seat
from bot.store import WHOLE_TABLE, HandledRow, ProposalRow, ScheduledRow, WriteBatch
from bot.tables.core import errors, seating
from bot.tables.core.cache import LoadedTable
from bot.tables.core.from_store import from_store
from bot.tables.core.model import Status, Table
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.scheduler import Scheduler
from bot.tables.core.unit_of_work import UnitOfWork

Perform = Callable[
    [LoadedTable, ProposalRow, WriteBatch], Awaitable[tuple[LoadedTable, Iterable[OutboxDraft]]]
]
"""Adds to the batch what was agreed on; returns the table after it, and its outbox items."""

EXPIRY = "proposal."
"""The prefix of the kind of task that is a proposal's deadline."""


class Verdict(StrEnum):
    """How a proposal stands."""

    OPEN = "open"
    PASSED = "passed"
    REFUSED = "refused"


class Proposal(msgspec.Struct, frozen=True):
    """A proposal as it stands: `word` says what of its kind is meant, `by` is the user's seat.

    `agreed` and `missing` are the seats of the people who have agreed, and of those yet to vote.
    """

    table: Table
    kind: str
    word: str
    by: Seat
    until: datetime
    agreed: tuple[Seat, ...]
    missing: tuple[Seat, ...]
    verdict: Verdict = Verdict.OPEN


class _Kind(NamedTuple):
    perform: Perform
    during: Status
    of_seat: bool


class Proposals:
    """Opens proposals, takes votes, and carries out what is agreed on."""

    def __init__(self, unit_of_work: UnitOfWork, scheduler: Scheduler) -> None:
        self._unit_of_work = unit_of_work
        self._scheduler = scheduler
        self._kinds: dict[str, _Kind] = {}

    def on(
        self,
        kind: str,
        perform: Perform,
        *,
        during: Status = Status.PLAYING,
        of_seat: bool = False,
    ) -> None:
        """Has `perform` carry out what is agreed on; it may be proposed `during` that state of a
        table.

        A proposal that is `of_seat` names a seat by its word, and needs no vote of that one.
        """
        self._kinds[kind] = _Kind(perform, during, of_seat)
        self._scheduler.on(EXPIRY + kind, self._lapse)

    async def open(self, table_id: int) -> list[Proposal]:
        """What is proposed at a table."""
        loaded = await self._unit_of_work.cache.read(table_id)
        await self._unit_of_work.members.find(loaded.table)
        rows = await from_store(self._unit_of_work.store.proposals(table_id))
        return [await self._standing(loaded.table, row) for row in rows if self._is_open(row)]

    async def make(
        self,
        table_id: int,
        user: int,
        kind: str,
        word: str,
        lasting: timedelta,
        *,
        delivery: str | None = None,
    ) -> Proposal:
        """The user proposes something; where nobody else has a vote, it is carried out at once.

        Proposing again what is open is a vote for it. Raises NotSeated, NotStarted, TableOver, or
        AnotherProposal where something else of that kind is open.
        """
        unit_of_work = self._unit_of_work
        # Before the table's lock is taken: Discord is asked.
        await unit_of_work.members.find((await unit_of_work.cache.read(table_id)).table)

        async def work() -> Proposal:
            loaded = await unit_of_work.cache.load(table_id)
            self._check(loaded.table, kind)
            seating.seated(loaded.table, user)
            loaded.position()
            row = await self._find(table_id, kind)
            batch = WriteBatch()
            if row is None:
                now = unit_of_work.clock.now()
                row = ProposalRow(table_id, kind, word, user, now, now + lasting)
                batch.save_proposal(row)
                batch.schedule(ScheduledRow(table_id, WHOLE_TABLE, EXPIRY + kind, row.until))
            elif row.word != word:
                raise errors.AnotherProposal(kind=kind)
            return await self._agree(loaded, row, user, batch, delivery)

        return await unit_of_work.once(table_id, delivery, work, self._again(kind))

    async def answer(
        self,
        table_id: int,
        user: int,
        kind: str,
        *,
        agree: bool,
        word: str | None = None,
        delivery: str | None = None,
    ) -> Proposal:
        """The user votes. With a `word`, that must be what is proposed.

        Raises NotSeated, NoProposal, and what carrying it out may raise.
        """
        unit_of_work = self._unit_of_work
        # Before the table's lock is taken: Discord is asked.
        await unit_of_work.members.find((await unit_of_work.cache.read(table_id)).table)

        async def work() -> Proposal:
            loaded = await unit_of_work.cache.load(table_id)
            self._check(loaded.table, kind)
            seating.seated(loaded.table, user)
            row = await self._find(table_id, kind)
            if row is None or word not in (None, row.word):
                raise errors.NoProposal(kind=kind)
            batch = WriteBatch()
            if agree:
                return await self._agree(loaded, row, user, batch, delivery)
            self._drop(batch, row)
            await unit_of_work.commit(batch, loaded, (), delivery)
            standing = await self._standing(loaded.table, row)
            return msgspec.structs.replace(standing, verdict=Verdict.REFUSED)

        return await unit_of_work.once(table_id, delivery, work, self._again(kind))

    async def _agree(
        self,
        loaded: LoadedTable,
        row: ProposalRow,
        user: int,
        batch: WriteBatch,
        delivery: str | None,
    ) -> Proposal:
        votes = await from_store(self._unit_of_work.store.votes(row.table, row.kind)) | {user}
        batch.drop_vote(row.table, row.kind, user)
        batch.add_vote(row.table, row.kind, user, self._unit_of_work.clock.now())
        standing = self._standing_by(loaded.table, row, votes)
        drafts: Iterable[OutboxDraft] = ()
        after = loaded
        if not standing.missing:
            self._drop(batch, row)
            after, drafts = await self._kinds[row.kind].perform(loaded, row, batch)
            standing = msgspec.structs.replace(standing, table=after.table, verdict=Verdict.PASSED)
        await self._unit_of_work.commit(batch, after, drafts, delivery)
        return standing

    def _again(self, kind: str) -> Callable[[HandledRow], Awaitable[Proposal]]:
        async def again(done: HandledRow) -> Proposal:
            # What came of it the first time was told then.
            row = await self._find(done.table, kind)
            if row is None:
                raise errors.NoProposal(kind=kind)
            return await self._standing(
                (await self._unit_of_work.cache.load(done.table)).table, row
            )

        return again

    async def _find(self, table_id: int, kind: str) -> ProposalRow | None:
        rows = await from_store(self._unit_of_work.store.proposals(table_id))
        return next((row for row in rows if row.kind == kind and self._is_open(row)), None)

    def _is_open(self, row: ProposalRow) -> bool:
        return row.until > self._unit_of_work.clock.now()

    async def _standing(self, table: Table, row: ProposalRow) -> Proposal:
        votes = await from_store(self._unit_of_work.store.votes(row.table, row.kind))
        return self._standing_by(table, row, votes)

    def _standing_by(self, table: Table, row: ProposalRow, votes: Iterable[int]) -> Proposal:
        known = self._kinds.get(row.kind)
        without = int(row.word) if known is not None and known.of_seat else None
        people = [
            player
            for player in table.humans
            if player.seat != without
            and not self._unit_of_work.members.has_left(table, player.user)
        ]
        voices = set(votes)
        by = table.seat_of(row.by)
        return Proposal(
            table,
            row.kind,
            row.word,
            -1 if by is None else by,
            row.until,
            tuple(player.seat for player in people if player.user in voices),
            tuple(player.seat for player in people if player.user not in voices),
        )

    def _check(self, table: Table, kind: str) -> None:
        known = self._kinds.get(kind)
        if known is None or table.status is not known.during:
            seating.check_playing(table)
            raise errors.NoProposal(kind=kind)

    def _drop(self, batch: WriteBatch, row: ProposalRow) -> None:
        batch.drop_proposal(row.table, row.kind)
        batch.unschedule(row.table, WHOLE_TABLE, EXPIRY + row.kind)

    async def _lapse(self, task: ScheduledRow) -> None:
        kind = task.kind.removeprefix(EXPIRY)

        async def work() -> None:
            loaded = await self._unit_of_work.cache.load(task.table)
            batch = WriteBatch()
            rows = await from_store(self._unit_of_work.store.proposals(task.table))
            row = next((row for row in rows if row.kind == kind), None)
            if row is not None and self._is_open(row):
                return
            batch.drop_proposal(task.table, kind)
            batch.unschedule(task.table, WHOLE_TABLE, task.kind)
            await self._unit_of_work.commit(batch, loaded, (), None)

        await self._unit_of_work.cache.alone(task.table, work)
