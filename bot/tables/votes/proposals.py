"""What one person proposes and all people at the table must agree on before a deadline.

A vote belongs to what it is about: a seat, or the table, where one of a kind is open. One "no" ends
it; with the last "yes" it is carried out in the same transaction. Seats that a computer player
plays have no vote, nor have people who are known to have left the server.

Halfway to the deadline those who have not answered are told once more. A proposal that has ended is
kept until the post that asks says so.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

import msgspec

from bot.game.contract import SPECTATOR, IllegalAction, Seat
from bot.store import (
    PROPOSAL,
    WHOLE_TABLE,
    HandledRow,
    ProposalRow,
    ScheduledRow,
    VoteRow,
    WriteBatch,
)
from bot.tables.core import errors, outbox_drafts, seating
from bot.tables.core.cache import LoadedTable, from_store
from bot.tables.core.message_numbers import SentMessage, note
from bot.tables.core.model import OutboxKind, Player, Status, Table
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.scheduler import Scheduler
from bot.tables.core.unit_of_work import UnitOfWork, awaited_people

Perform = Callable[
    [LoadedTable, ProposalRow, WriteBatch], Awaitable[tuple[LoadedTable, Iterable[OutboxDraft]]]
]
"""Adds to the batch what was agreed on; returns the table after it, and its outbox items."""

NOBODY = 0
"""The user by whom the table itself proposes something."""

EXPIRY = PROPOSAL
"""The prefix of the kind of task that is a proposal's deadline."""
REMINDER = f"{PROPOSAL}reminder."
"""The same of the one that reminds those who have not answered."""


class Verdict(StrEnum):
    """How a proposal stands, or how it has ended."""

    OPEN = "open"
    PASSED = "passed"
    REFUSED = "refused"
    LAPSED = "lapsed"
    ACTED = "acted"
    """The player whom it is about has acted."""
    HANDED_OVER = "handed over"
    """The seat that it is about has another player, or a computer player."""
    LEFT = "left"
    """Its proposer has left the game."""
    UNDONE = "undone"
    """The game has gone back before what was to be taken back."""
    RESTING = "resting"
    OVER = "over"


class Proposal(msgspec.Struct, frozen=True):
    """A proposal as it stands: `word` says what of its kind is meant, `by` is the seat of whoever
    made it, None for the table itself.

    `agreed` and `missing` are the seats of the people who have agreed, and of those yet to vote;
    `refused_by` is the seat that has refused. `message` at a `place` is the post that asks.
    """

    table: Table
    kind: str
    word: str
    by: Seat | None
    until: datetime
    agreed: tuple[Seat, ...]
    missing: tuple[Seat, ...]
    verdict: Verdict = Verdict.OPEN
    refused_by: Seat | None = None
    place: int | None = None
    message: int | None = None


class _Kind(NamedTuple):
    perform: Perform
    during: Collection[Status]
    of_seat: bool
    of_owner: bool


class Proposals:
    """Opens proposals, takes votes, carries out what is agreed on, and ends what has no point."""

    def __init__(self, unit_of_work: UnitOfWork, scheduler: Scheduler) -> None:
        self._unit_of_work = unit_of_work
        self._scheduler = scheduler
        self._kinds: dict[str, _Kind] = {}
        unit_of_work.writers.append(self._follow)

    def on(
        self,
        kind: str,
        perform: Perform,
        *,
        during: Collection[Status] = (Status.PLAYING,),
        of_seat: bool = False,
        of_owner: bool = False,
    ) -> None:
        """Has `perform` carry out what is agreed on; it may be proposed `during` these states of a
        table.

        A proposal that is `of_seat` names a seat by its word, needs no vote of that one, and is the
        only one about it; it ends when that seat's owner no longer plays it themselves, or where
        it is `of_owner` only when they give it up.
        """
        self._kinds[kind] = _Kind(perform, during, of_seat, of_owner)
        self._scheduler.on(EXPIRY + kind, self._lapse)
        self._scheduler.on(REMINDER + kind, self._remind)

    async def open(self, table_id: int) -> list[Proposal]:
        """What is proposed at a table."""
        found = await self.to_tell(table_id)
        now = self._unit_of_work.clock.now()
        return [each for each in found if each.verdict is Verdict.OPEN and each.until > now]

    async def to_tell(self, table_id: int) -> list[Proposal]:
        """The same, and what has ended without the table having been told."""
        loaded = await self._unit_of_work.cache.read(table_id)
        await self._unit_of_work.members.find(loaded.table)
        return [await self._standing(loaded.table, row) for row in await self._rows(table_id)]

    async def missing_of(self, table_id: int, seat: Seat) -> list[Proposal]:
        """What is proposed at a table and awaits that seat's vote."""
        return [each for each in await self.open(table_id) if seat in each.missing]

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

        Proposing again what is open is a vote for it. Raises not_seated, not_started, table_over,
        or another_proposal where something else about the same is open.
        """
        unit_of_work = self._unit_of_work
        # Before the table's lock is taken: Discord is asked.
        await unit_of_work.members.find((await unit_of_work.cache.read(table_id)).table)

        async def work() -> Proposal:
            loaded = await unit_of_work.cache.load(table_id)
            self._check(loaded.table, kind)
            seating.seated(loaded.table, user)
            row = await self.about(table_id, kind, word)
            if row is None:
                now = unit_of_work.clock.now()
                row = ProposalRow(table_id, kind, word, user, now, now + lasting)
                return await self._agree(loaded, row, user, delivery, is_new=True)
            if (row.kind, row.word) != (kind, word):
                raise errors.Rejected("another_proposal", kind=kind)
            return await self._agree(loaded, row, user, delivery)

        return await unit_of_work.once(table_id, delivery, work, self._again(kind, word))

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
        """The user votes; without a `word` on the only proposal of that kind.

        Raises not_seated, no_proposal, and what carrying it out may raise.
        """
        unit_of_work = self._unit_of_work
        # Before the table's lock is taken: Discord is asked.
        await unit_of_work.members.find((await unit_of_work.cache.read(table_id)).table)

        async def work() -> Proposal:
            loaded = await unit_of_work.cache.load(table_id)
            seating.seated(loaded.table, user)
            found = [
                row
                for row in await self._rows(table_id)
                if self._is_open(row) and row.kind == kind and word in (None, row.word)
            ]
            if not found:
                raise errors.Rejected("no_proposal", kind=kind)
            row = found[0]
            self._check(loaded.table, kind)
            if agree:
                return await self._agree(loaded, row, user, delivery)
            batch = WriteBatch()
            self._end(batch, row, Verdict.REFUSED, user)
            await unit_of_work.commit(batch, loaded, [OutboxDraft(OutboxKind.VOTE)], delivery)
            ended = msgspec.structs.replace(row, verdict=Verdict.REFUSED.value, refused_by=user)
            return await self._standing(loaded.table, ended)

        return await unit_of_work.once(table_id, delivery, work, self._again(kind, word))

    async def about(self, table_id: int, kind: str, word: str) -> ProposalRow | None:
        """The open proposal about the same: any about that seat, or of that kind."""
        for row in await self._rows(table_id):
            of_seat = self._kinds[kind].of_seat and self._of_seat(row)
            if self._is_open(row) and (row.word == word if of_seat else row.kind == kind):
                return row
        return None

    async def begin(self, batch: WriteBatch, table: Table, row: ProposalRow) -> list[OutboxDraft]:
        """Adds a new proposal to the batch; returns what is to be sent.

        Where the same was proposed before, and the table has not been told how that ended, its post
        asks for the new votes; as an edit rings nobody, they are told besides.
        """
        drafts = [OutboxDraft(OutboxKind.VOTE)]
        for before in await self._rows(row.table):
            same = (before.kind, before.word) == (row.kind, row.word)
            if same and before.message is not None:
                row = msgspec.structs.replace(row, place=before.place, message=before.message)
                missing = self._standing_by(table, row, {row.by}).missing
                drafts += [OutboxDraft(OutboxKind.RING, seat) for seat in missing]
        batch.save_proposal(row)
        seat = self._seat(row)
        halfway = row.at + (row.until - row.at) / 2
        batch.save(ScheduledRow(row.table, seat, REMINDER + row.kind, halfway))
        batch.save(ScheduledRow(row.table, seat, EXPIRY + row.kind, row.until))
        return drafts

    async def overtake(
        self,
        batch: WriteBatch,
        table_id: int,
        kind: str,
        verdict: Verdict,
        is_gone: Callable[[str], bool],
    ) -> list[OutboxDraft]:
        """Ends the proposals of that kind in the batch whose words `is_gone` says; returns what is
        to be sent."""
        rows = [
            row
            for row in await self._rows(table_id)
            if self._is_open(row) and row.kind == kind and is_gone(row.word)
        ]
        for row in rows:
            self._end(batch, row, verdict)
        return [OutboxDraft(OutboxKind.VOTE)] if rows else []

    async def posted(self, proposal: Proposal, sent: SentMessage) -> None:
        """A message asks for votes on it."""
        batch = WriteBatch()
        note(batch, sent)
        posted = msgspec.structs.replace(_key(proposal), place=sent.place, message=sent.message)
        batch.update(posted, "place", "message")
        await from_store(self._unit_of_work.store.commit(batch))

    async def told(self, proposal: Proposal, sent: Iterable[SentMessage]) -> None:
        """The table knows how it has ended."""
        batch = WriteBatch()
        for each in sent:
            note(batch, each)
        batch.drop_proposal(_key(proposal))
        await from_store(self._unit_of_work.store.commit(batch))

    async def _agree(
        self,
        loaded: LoadedTable,
        row: ProposalRow,
        user: int,
        delivery: str | None,
        *,
        is_new: bool = False,
    ) -> Proposal:
        votes = {user} if is_new else await self._votes(row) | {user}
        standing, batch = self._standing_by(loaded.table, row, votes), WriteBatch()
        if not standing.missing:
            after = await self._pass(loaded, row, batch, delivery)
            return msgspec.structs.replace(standing, table=after.table, verdict=Verdict.PASSED)
        drafts = await self.begin(batch, loaded.table, row) if is_new else []
        batch.delete(VoteRow, table=row.table, kind=row.kind, word=row.word, user=user)
        batch.insert(VoteRow(row.table, row.kind, user, self._unit_of_work.clock.now(), row.word))
        await self._unit_of_work.commit(batch, loaded, drafts, delivery)
        return standing

    async def _pass(
        self, loaded: LoadedTable, row: ProposalRow, batch: WriteBatch, delivery: str | None
    ) -> LoadedTable:
        self._end(batch, row, Verdict.PASSED)
        after, drafts = await self._kinds[row.kind].perform(loaded, row, batch)
        drafts = [*drafts, OutboxDraft(OutboxKind.VOTE)]
        await self._unit_of_work.commit(batch, after, drafts, delivery)
        return after

    def _again(self, kind: str, word: str | None) -> Callable[[HandledRow], Awaitable[Proposal]]:
        async def again(done: HandledRow) -> Proposal:
            for row in await self._rows(done.table):
                if row.kind == kind and word in (None, row.word):
                    loaded = await self._unit_of_work.cache.load(done.table)
                    return await self._standing(loaded.table, row)
            # What came of it the first time was told then.
            raise errors.Rejected("no_proposal", kind=kind)

        return again

    async def _rows(self, table_id: int) -> list[ProposalRow]:
        return await from_store(self._unit_of_work.store.proposals(table_id))

    async def _votes(self, row: ProposalRow) -> frozenset[int]:
        return await from_store(self._unit_of_work.store.votes(row.table, row.kind, row.word))

    def _is_open(self, row: ProposalRow) -> bool:
        return row.verdict == Verdict.OPEN and row.until > self._unit_of_work.clock.now()

    def _of_seat(self, row: ProposalRow) -> bool:
        known = self._kinds.get(row.kind)
        return known is not None and known.of_seat

    def _seat(self, row: ProposalRow) -> Seat:
        """The seat of its tasks."""
        return int(row.word) if self._of_seat(row) else WHOLE_TABLE

    async def _standing(self, table: Table, row: ProposalRow) -> Proposal:
        return self._standing_by(table, row, await self._votes(row))

    def _standing_by(self, table: Table, row: ProposalRow, votes: Collection[int]) -> Proposal:
        voters = self._voters(table, row)
        return Proposal(
            table,
            row.kind,
            row.word,
            table.seat_of(row.by),
            row.until,
            tuple(player.seat for player in voters if player.user in votes),
            tuple(player.seat for player in voters if player.user not in votes),
            Verdict(row.verdict),
            None if row.refused_by is None else table.seat_of(row.refused_by),
            row.place,
            row.message,
        )

    def _voters(self, table: Table, row: ProposalRow) -> list[Player]:
        members, without = self._unit_of_work.members, self._seat(row)
        return [
            player
            for player in table.humans
            if player.seat != without and not members.has_left(table, player.user)
        ]

    async def _is_decided(self, table: Table, row: ProposalRow) -> bool:
        standing = await self._standing(table, row)
        return bool(standing.agreed) and not standing.missing

    def _check(self, table: Table, kind: str) -> None:
        known = self._kinds.get(kind)
        if known is None or table.status not in known.during:
            seating.check_playing(table)
            raise errors.Rejected("no_proposal", kind=kind)

    def _end(
        self, batch: WriteBatch, row: ProposalRow, verdict: Verdict, refused_by: int | None = None
    ) -> None:
        batch.end_proposal(row, verdict.value, refused_by)
        for kind in (EXPIRY, REMINDER):
            batch.unschedule(row.table, self._seat(row), kind + row.kind)

    async def _follow(self, batch: WriteBatch, before: LoadedTable, after: LoadedTable) -> None:
        """Ends what a change leaves without a point; a vote that awaits nobody any more is decided
        soon."""
        acted = _acted(before, after)
        was, table = before.table, after.table
        is_other = _people(was) != _people(table)
        if not (acted or is_other or was.status is not table.status):
            return
        ended = False
        for row in filter(self._is_open, await self._rows(table.id)):
            verdict = self._overtaken(row, was, table, acted)
            if verdict is not None:
                # One that has just been decided stays so.
                self._end(batch, row, verdict)
                ended = True
            elif is_other and await self._is_decided(table, row):
                now = self._unit_of_work.clock.now()
                batch.save(ScheduledRow(table.id, self._seat(row), EXPIRY + row.kind, now))
        if ended:
            drafts = [OutboxDraft(OutboxKind.VOTE)]
            outbox_drafts.write(batch, table.id, after.seq(), drafts)

    def _overtaken(
        self, row: ProposalRow, before: Table, after: Table, acted: Collection[Seat]
    ) -> Verdict | None:
        """How a change ends an open proposal; None where it does not."""
        known = self._kinds.get(row.kind)
        if known is None:
            return None
        if after.is_over:
            return Verdict.OVER
        if after.status not in known.during:
            return Verdict.RESTING
        if row.by != NOBODY and after.seat_of(row.by) is None:
            return Verdict.LEFT
        if not known.of_seat:
            return None
        was, now = before.players[int(row.word)], after.players[int(row.word)]
        if now.user != was.user or (was.is_human and not now.is_human and not known.of_owner):
            return Verdict.HANDED_OVER
        return Verdict.ACTED if now.seat in acted else None

    async def _lapse(self, task: ScheduledRow) -> None:
        unit_of_work, kind = self._unit_of_work, task.kind.removeprefix(EXPIRY)
        # Before the table's lock is taken: Discord is asked.
        await unit_of_work.members.find((await unit_of_work.cache.read(task.table)).table)

        async def work() -> None:
            loaded = await unit_of_work.cache.load(task.table)
            batch, now = WriteBatch(), unit_of_work.clock.now()
            batch.unschedule(task.table, task.seat, task.kind)
            drafts: list[OutboxDraft] = []
            for row in await self._rows(task.table):
                if row.kind != kind or row.verdict != Verdict.OPEN:
                    continue
                if self._seat(row) == task.seat and await self._is_decided(loaded.table, row):
                    try:
                        await self._pass(loaded, row, batch, None)
                        return
                    except (errors.StoreUnavailable, errors.ConflictingWrite):
                        raise
                    except (errors.Rejected, IllegalAction):
                        # It cannot be carried out any more; what was added for it is left out.
                        batch = WriteBatch()
                        self._end(batch, row, Verdict.LAPSED)
                        drafts = [OutboxDraft(OutboxKind.VOTE)]
                        break
                if row.until <= now:
                    self._end(batch, row, Verdict.LAPSED)
                    drafts = [OutboxDraft(OutboxKind.VOTE)]
                elif self._seat(row) == task.seat:
                    batch.save(msgspec.structs.replace(task, at=row.until))
            await unit_of_work.commit(batch, loaded, drafts, None)

        await unit_of_work.cache.alone(task.table, work)

    async def _remind(self, task: ScheduledRow) -> None:
        """Rings those who have not answered."""
        unit_of_work = self._unit_of_work

        async def work() -> None:
            loaded = await unit_of_work.cache.load(task.table)
            batch = WriteBatch()
            batch.unschedule(task.table, task.seat, task.kind)
            drafts = [
                OutboxDraft(OutboxKind.RING, seat)
                for row in await self._rows(task.table)
                if self._is_open(row) and task.kind == REMINDER + row.kind
                if self._seat(row) == task.seat
                for seat in (await self._standing(loaded.table, row)).missing
            ]
            await unit_of_work.commit(batch, loaded, drafts, None)

        await unit_of_work.cache.alone(task.table, work)


def _people(table: Table) -> list[tuple[int | None, bool]]:
    """Who sits there, and whether they play themselves; their standing orders are secret."""
    return [(player.user, player.is_human) for player in table.players]


def _key(proposal: Proposal) -> ProposalRow:
    until = proposal.until
    return ProposalRow(proposal.table.id, proposal.kind, proposal.word, 0, until, until)


def _acted(before: LoadedTable, after: LoadedTable) -> set[Seat]:
    """The people's seats that have acted, as all know, or for which nobody waits any more."""
    if after.now is None or after.seq() <= before.seq():
        return set()
    acted = {
        each.seat
        for each in after.now.recent
        if each.seq > before.seq() and each.heard_by(SPECTATOR)
    }
    acted |= {seat for seat, _user in awaited_people(before) - awaited_people(after)}
    return {player.seat for player in after.table.humans if player.seat in acted}
