"""What one person proposes and all people at the table must agree on before a deadline.

A vote belongs to what it is about: a seat, or the table, where one of a kind is open. One "no" ends
it; with the last "yes" it is carried out in the same transaction. Seats that a computer player
plays have no vote, nor have people who are known to have left the server.

Halfway to the deadline those who have not answered are told once more. A proposal that has ended is
kept until the post that asks says so.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from datetime import timedelta
from functools import partial
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from bot.game.contract import SPECTATOR, IllegalAction, Seat
from bot.store import (
    PROPOSAL,
    WHOLE_TABLE,
    HandledRow,
    OutboxKind,
    ProposalRow,
    ScheduledRow,
    Status,
    Verdict,
    VoteRow,
    WriteBatch,
)
from bot.tables.core import (
    GOING,
    Calendar,
    LoadedTable,
    Outages,
    Scheduler,
    SentMessage,
    Table,
    TableChange,
    UnitOfWork,
    errors,
    from_store,
    log,
    people_to_act,
    seating,
)
from bot.tables.core.outbox import note
from bot.tables.seats import hand_over

ABANDON = "abandon"
PAUSE = "pause"
RESUME = "resume"
UNDO = "undo"
AUTOPILOT = "autopilot"
REPLACE = "replace"


class Kind(NamedTuple):
    """What can be proposed `during` these states of a table, and how long it lasts.

    A proposal that is `of_seat` names a seat by its word, needs no vote of that one, and is the
    only one about it; it ends when that seat's owner no longer plays it themselves, or where it is
    `of_owner` only when they give it up.
    """

    lasting: timedelta = timedelta(days=5)
    during: Collection[Status] = (Status.PLAYING,)
    of_seat: bool = False
    of_owner: bool = False


KINDS = {
    # To stop without a result.
    ABANDON: Kind(during=GOING),
    PAUSE: Kind(),
    RESUME: Kind(during=(Status.PAUSED,)),
    # To go back further than somebody may alone.
    UNDO: Kind(timedelta(days=2)),
    # That a computer player acts for the owner of a seat.
    AUTOPILOT: Kind(of_seat=True),
    # That besides anybody may take it over. The owner could end that, by the other, themselves.
    REPLACE: Kind(of_seat=True, of_owner=True),
}
ABOUT_SEAT = [name for name, kind in KINDS.items() if kind.of_seat]

NO_USER = 0
"""The user by whom the table itself proposes something."""
LATE_AFTER = timedelta(days=2)
"""How long somebody must have been awaited before others may propose something about their seat."""

EXPIRY = PROPOSAL
"""The prefix of the kind of task that is a proposal's deadline."""
REMINDER = f"{PROPOSAL}reminder."
"""The same of the one that reminds those who have not answered."""


class Proposal(msgspec.Struct, frozen=True):
    """A proposal as it stands: the seats of the people who have agreed, and of those yet to
    vote."""

    table: Table
    row: ProposalRow
    agreed: tuple[Seat, ...] = ()
    missing: tuple[Seat, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """How it stands."""
        return self.row.verdict

    @property
    def is_decided(self) -> bool:
        """Whether all who have a vote agree."""
        return bool(self.agreed) and not self.missing

    @property
    def by(self) -> Seat | None:
        """The seat of whoever made it, None for the table itself."""
        return self.table.seat_of(self.row.by)

    @property
    def refused_by(self) -> Seat | None:
        """The seat that has refused."""
        user = self.row.refused_by
        return None if user is None else self.table.seat_of(user)


class Voting:
    """Opens proposals, takes votes, carries out what is agreed on, and ends what has no point."""

    def __init__(self, unit_of_work: UnitOfWork, scheduler: Scheduler, outages: Outages) -> None:
        self._unit_of_work = unit_of_work
        self._outages = outages
        self.undo: Callable[[TableChange, ProposalRow], Awaitable[None]]
        """Carries out what was agreed on about `UNDO`."""
        unit_of_work.writers.append(self._follow)
        for kind in KINDS:
            scheduler.on(EXPIRY + kind, self._lapse)
            scheduler.at_table(REMINDER + kind, self._remind)

    async def to_post(self, table_id: int) -> list[Proposal]:
        """What is proposed at a table, and what has ended without the table having been told."""
        table = (await self._find_members(table_id)).table
        return [await self._standing(table, row) for row in await self._rows(table_id)]

    async def missing_of(self, table_id: int, seat: Seat) -> list[Proposal]:
        """What is proposed at a table and awaits that seat's vote."""
        found = await self.to_post(table_id)
        return [each for each in found if self._is_open(each.row) and seat in each.missing]

    async def propose(
        self, table_id: int, user: int, kind: str, word: str = "", *, delivery: str | None = None
    ) -> Proposal:
        """The user proposes something; where nobody else has a vote, it is carried out at once. At
        a paused table `PAUSE` is to go on.

        Proposing again what is open is a vote for it. Raises not_seated, not_started, table_over,
        or another_proposal where something else about the same is open; about a seat what
        `_check_seat` raises.
        """
        loaded = await self._find_members(table_id)
        if kind == PAUSE:
            loaded.position()
            kind = RESUME if loaded.table.status is Status.PAUSED else PAUSE
        elif kind in ABOUT_SEAT:
            await self._check_seat(loaded, user, kind, int(word))

        async def work(change: TableChange) -> Proposal:
            _check(change.table, kind)
            seating.seated(change.table, user)
            row = await self._about(table_id, kind, word)
            if row is None:
                row = self._new(table_id, kind, word, user)
                return await self._agree(change, row, user, is_new=True)
            if (row.kind, row.word) != (kind, word):
                raise errors.Rejected("another_proposal", kind=kind)
            return await self._agree(change, row, user)

        again = partial(self._again, kind, word)
        return await self._unit_of_work.carry_out(table_id, delivery, work, again)

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

        await self._find_members(table_id)

        async def work(change: TableChange) -> Proposal:
            seating.seated(change.table, user)
            rows = filter(self._is_open, await self._rows(table_id))
            row = next((each for each in rows if _is_meant(each, kind, word)), None)
            if row is None:
                raise errors.Rejected("no_proposal", kind=kind)
            _check(change.table, kind)
            if agree:
                return await self._agree(change, row, user)
            _end(change, row, Verdict.REFUSED, user)
            ended = replace(row, verdict=Verdict.REFUSED, refused_by=user)
            return await self._standing(change.table, ended)

        again = partial(self._again, kind, word)
        return await self._unit_of_work.carry_out(table_id, delivery, work, again)

    async def ask_for_autopilot(self, change: TableChange, seat: Seat) -> None:
        """The table itself proposes it, where there are others and they have not."""
        others = [player for player in change.table.humans if player.seat != seat]
        table_id, word = change.table.id, str(seat)
        if others and await self._about(table_id, AUTOPILOT, word) is None:
            await self._begin(change, self._new(table_id, AUTOPILOT, word, NO_USER))

    async def end_undo(self, change: TableChange, step: int) -> None:
        """Ends what was to go back to before that step, or a later one: these do not stand."""
        for row in filter(self._is_open, await self._rows(change.table.id)):
            if row.kind == UNDO and int(row.word) >= step:
                _end(change, row, Verdict.UNDONE)

    async def note_posted(self, proposal: Proposal, sent: SentMessage | None) -> None:
        """The message that was sent asks the table to vote on it; or where it has ended, the table
        knows how, and what follows from that."""
        batch, row = WriteBatch(), proposal.row
        if sent is not None:
            note(batch, sent)
            row = replace(row, place=sent.place, message=sent.message)
        if proposal.verdict is Verdict.OPEN:
            batch.update(row, "place", "message")
        else:
            batch.drop_proposal(row)
        await from_store(self._unit_of_work.store.commit(batch))

    def _new(self, table_id: int, kind: str, word: str, user: int) -> ProposalRow:
        now = self._unit_of_work.clock.now()
        return ProposalRow(table_id, kind, word, user, now, now + KINDS[kind].lasting)

    async def _check_seat(self, loaded: LoadedTable, user: int, kind: str, seat: Seat) -> None:
        """Whether the user may propose something about somebody's seat: who keeps all waiting, or
        has left the server.

        Raises not_late where they have not waited for long, seat_taken where nobody has that seat,
        and already_autopiloted where a computer player acts already.
        """
        table = loaded.table
        seating.seated(table, user)
        loaded.position()
        if not 0 <= seat < len(table.players) or table.players[seat].user is None:
            raise errors.Rejected("seat_taken", seat=seat)
        player = table.players[seat]
        if kind == AUTOPILOT and player.is_autopiloted:
            raise errors.Rejected("already_autopiloted", name=player.name)
        if player.is_autopiloted or self._unit_of_work.members.has_left(table, player.user):
            return
        notifications = await from_store(self._unit_of_work.store.notifications(table.id))
        calendar = Calendar(outages=await self._outages.spans(table.id))
        now = self._unit_of_work.clock.now()
        since = (each.since for each in notifications if each.seat == seat and not each.over)
        if not any(calendar.elapsed(each, now) >= LATE_AFTER for each in since):
            hours = LATE_AFTER // timedelta(hours=1)
            raise errors.Rejected("not_late", name=player.name, hours=hours)

    async def _again(self, kind: str, word: str | None, done: HandledRow) -> Proposal:
        for row in await self._rows(done.table):
            if _is_meant(row, kind, word):
                loaded = await self._unit_of_work.cache.load(done.table)
                return await self._standing(loaded.table, row)
        # What came of it the first time was told then.
        raise errors.Rejected("no_proposal", kind=kind)

    async def _find_members(self, table_id: int) -> LoadedTable:
        """The table; before its lock is taken Discord is asked who has left."""
        loaded = await self._unit_of_work.cache.read(table_id)
        await self._unit_of_work.members.find(loaded.table)
        return loaded

    async def _about(self, table_id: int, kind: str, word: str) -> ProposalRow | None:
        """The open proposal about the same: any about that seat, or of that kind."""
        for row in filter(self._is_open, await self._rows(table_id)):
            is_of_seats = kind in ABOUT_SEAT and row.kind in ABOUT_SEAT
            if row.word == word if is_of_seats else row.kind == kind:
                return row
        return None

    async def _agree(
        self, change: TableChange, row: ProposalRow, user: int, *, is_new: bool = False
    ) -> Proposal:
        votes = {user} if is_new else await self._votes(row) | {user}
        standing = await self._standing(change.table, row, votes)
        if not standing.missing:
            await self._pass(change, row)
            passed = replace(row, verdict=Verdict.PASSED)
            return replace(standing, table=change.table, row=passed)
        if is_new:
            await self._begin(change, row)
        vote = VoteRow(row.table, row.kind, user, self._unit_of_work.clock.now(), row.word)
        change.batch.delete_row(vote)
        change.batch.insert(vote)
        return standing

    async def _begin(self, change: TableChange, row: ProposalRow) -> None:
        """Adds a new proposal.

        Where the same was proposed before, and the table has not been told how that ended, its post
        asks for the new votes; as an edit rings nobody, they are told besides.
        """
        change.post(OutboxKind.VOTE)
        for before in await self._rows(row.table):
            if _is_meant(before, row.kind, row.word) and before.message is not None:
                row = replace(row, place=before.place, message=before.message)
                for seat in (await self._standing(change.table, row, {row.by})).missing:
                    change.post(OutboxKind.RING, seat)
        change.batch.save_proposal(row)
        halfway = row.at + (row.until - row.at) / 2
        for prefix, at in ((REMINDER, halfway), (EXPIRY, row.until)):
            change.batch.schedule(row.table, _seat(row), prefix + row.kind, at)

    async def _pass(self, change: TableChange, row: ProposalRow) -> None:
        """Carries out what was agreed on."""
        if row.kind == UNDO:
            await self.undo(change, row)
        elif row.kind == ABANDON:
            change.become(Status.ABANDONED)
            change.post(OutboxKind.END)
        elif row.kind in ABOUT_SEAT:
            player, is_vacant = change.table.players[int(row.word)], row.kind == REPLACE
            if player.user is None or not (is_vacant or player.is_human):
                raise errors.Rejected("no_proposal", kind=row.kind)
            hand_over(change, player.seat, row.by or None, vacant=is_vacant)
            change.post(OutboxKind.RING, player.seat)
        else:
            pauses = row.kind == PAUSE
            table = replace(change.table, status=Status.PAUSED if pauses else Status.PLAYING)
            line = log.PAUSE if pauses else log.RESUME
            change.note(table, seating.seated(table, row.by), row.by, line)
        _end(change, row, Verdict.PASSED)

    async def _rows(self, table_id: int) -> list[ProposalRow]:
        return await from_store(self._unit_of_work.store.proposals(table_id))

    async def _votes(self, row: ProposalRow) -> frozenset[int]:
        return await from_store(self._unit_of_work.store.votes(row.table, row.kind, row.word))

    def _is_open(self, row: ProposalRow) -> bool:
        return row.verdict is Verdict.OPEN and row.until > self._unit_of_work.clock.now()

    async def _standing(
        self, table: Table, row: ProposalRow, votes: Collection[int] | None = None
    ) -> Proposal:
        if votes is None:
            votes = await self._votes(row)
        has_left = partial(self._unit_of_work.members.has_left, table)
        voters = [p for p in table.humans if p.seat != _seat(row) and not has_left(p.user)]
        agreed = tuple(player.seat for player in voters if player.user in votes)
        missing = tuple(player.seat for player in voters if player.user not in votes)
        return Proposal(table, row, agreed, missing)

    async def _follow(self, change: TableChange, before: LoadedTable) -> None:
        """Ends what a change leaves without a point; a vote that awaits nobody any more is decided
        soon."""
        acted = _acted(before, change.after)
        was, table = before.table, change.table
        is_other = _people(was) != _people(table)
        if not (acted or is_other or was.status is not table.status):
            return
        for row in filter(self._is_open, await self._rows(table.id)):
            verdict = _overtaken(row, was, table, acted)
            if verdict is not None:
                # One that has just been decided stays so.
                _end(change, row, verdict)
            elif is_other and (await self._standing(table, row)).is_decided:
                now = self._unit_of_work.clock.now()
                change.batch.schedule(table.id, _seat(row), EXPIRY + row.kind, now)

    async def _lapse(self, task: ScheduledRow) -> None:
        async def work(change: TableChange, *, passes: bool) -> None:
            batch, now = change.batch, self._unit_of_work.clock.now()
            batch.schedule(task.table, task.seat, task.kind, None)
            for row in await self._of_task(task, EXPIRY):
                is_decided = (await self._standing(change.table, row)).is_decided
                if is_decided and passes:
                    await self._pass(change, row)
                elif is_decided or row.until <= now:
                    _end(change, row, Verdict.LAPSED)
                else:
                    batch.save(replace(task, at=row.until))

        await self._find_members(task.table)
        carry_out = self._unit_of_work.carry_out
        try:
            await carry_out(task.table, None, partial(work, passes=True))
        except (errors.StoreUnavailable, errors.ConflictingWrite):
            raise
        except (errors.Rejected, IllegalAction):
            # It cannot be carried out any more.
            await carry_out(task.table, None, partial(work, passes=False))

    async def _remind(self, change: TableChange, task: ScheduledRow) -> None:
        """Rings those who have not answered."""
        for row in filter(self._is_open, await self._of_task(task, REMINDER)):
            for seat in (await self._standing(change.table, row)).missing:
                change.post(OutboxKind.RING, seat)

    async def _of_task(self, task: ScheduledRow, prefix: str) -> list[ProposalRow]:
        """The proposals that have not ended, and of which that is the deadline or the reminder."""
        rows = [row for row in await self._rows(task.table) if row.verdict is Verdict.OPEN]
        return [r for r in rows if (_seat(r), prefix + r.kind) == (task.seat, task.kind)]


def _check(table: Table, kind: str) -> None:
    if kind not in KINDS or table.status not in KINDS[kind].during:
        seating.check_playing(table)
        raise errors.Rejected("no_proposal", kind=kind)


def _is_meant(row: ProposalRow, kind: str, word: str | None) -> bool:
    return row.kind == kind and word in (None, row.word)


def _seat(row: ProposalRow) -> Seat:
    """The seat of its tasks."""
    return int(row.word) if row.kind in ABOUT_SEAT else WHOLE_TABLE


def _end(
    change: TableChange, row: ProposalRow, verdict: Verdict, refused_by: int | None = None
) -> None:
    change.batch.end_proposal(row, verdict, refused_by)
    change.post(OutboxKind.VOTE)
    for prefix in (EXPIRY, REMINDER):
        change.batch.schedule(row.table, _seat(row), prefix + row.kind, None)


def _overtaken(
    row: ProposalRow, before: Table, after: Table, acted: Collection[Seat]
) -> Verdict | None:
    """How a change ends an open proposal; None where it does not."""
    kind = KINDS.get(row.kind)
    if kind is None:
        return None
    if after.is_over:
        return Verdict.OVER
    if after.status not in kind.during:
        return Verdict.RESTING
    if row.by != NO_USER and after.seat_of(row.by) is None:
        return Verdict.LEFT
    if not kind.of_seat:
        return None
    was, now = before.players[int(row.word)], after.players[int(row.word)]
    if now.user != was.user or (was.is_human and not now.is_human and not kind.of_owner):
        return Verdict.HANDED_OVER
    return Verdict.ACTED if now.seat in acted else None


def _people(table: Table) -> list[tuple[int | None, bool]]:
    """Who sits there, and whether they play themselves; their standing orders are secret."""
    return [(player.user, player.is_human) for player in table.players]


def _acted(before: LoadedTable, after: LoadedTable) -> set[Seat]:
    """The people's seats that have acted, as all know, or for which nobody waits any more."""
    if after.now is None or after.seq() <= before.seq():
        return set()
    acted = {
        each.seat
        for each in after.now.recent
        if each.seq > before.seq() and each.visible_to(SPECTATOR)
    }
    acted |= {seat for seat, _user in people_to_act(before) - people_to_act(after)}
    return {player.seat for player in after.table.humans if player.seat in acted}
