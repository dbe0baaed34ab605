"""Votes: one person proposes something, and all people at the table must agree before a deadline.

A proposal is about a seat or about the table. A seat has at most one open proposal; the table has
at most one of each kind. One "no" ends it; the last "yes" carries it out in the same transaction.
Seats played by a computer player have no vote, nor do people known to have left the server.

Halfway to the deadline, people who have not voted get a ping. A closed proposal is stored until its
post shows the result.
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
    IN_PROGRESS,
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
ACT = "act"


class Kind(NamedTuple):
    """A kind of proposal, possible `during` these statuses of a table, and its lifetime.

    The word of an `of_seat` proposal is a seat number. That seat has no vote and can have only one
    open proposal. The proposal ends when the seat's owner no longer plays it themselves or, if it
    is `of_owner`, only when the owner gives the seat up.
    """

    lasting: timedelta = timedelta(days=5)
    during: Collection[Status] = (Status.PLAYING,)
    of_seat: bool = False
    of_owner: bool = False


KINDS = {
    # Stop the game without a result.
    ABANDON: Kind(during=IN_PROGRESS),
    PAUSE: Kind(),
    RESUME: Kind(during=(Status.PAUSED,)),
    # Go back further than a player may alone.
    UNDO: Kind(timedelta(days=2)),
    # Have a computer player act for a seat's owner.
    AUTOPILOT: Kind(of_seat=True),
    # The same for one turn.
    ACT: Kind(of_seat=True),
    # Let anyone take over the seat as well. It is `of_owner`, or the owner could end the proposal
    # by turning on their autopilot.
    REPLACE: Kind(of_seat=True, of_owner=True),
}
ABOUT_SEAT = [name for name, kind in KINDS.items() if kind.of_seat]

NO_USER = 0
"""The proposer if the table itself proposes something."""
LATE_AFTER = timedelta(days=2)
"""How long a player must be due to act before others may propose something about their seat."""

EXPIRY = PROPOSAL
"""Prefix of the kind of task for a proposal's deadline."""
REMINDER = f"{PROPOSAL}reminder."
"""Prefix of the kind of task for its reminder."""


class Proposal(msgspec.Struct, frozen=True):
    """A proposal, with the seats that have agreed and those whose votes are missing."""

    table: Table
    row: ProposalRow
    agreed: tuple[Seat, ...] = ()
    missing: tuple[Seat, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The result, or OPEN."""
        return self.row.verdict

    @property
    def is_decided(self) -> bool:
        """Whether all voters agree."""
        return bool(self.agreed) and not self.missing

    @property
    def by(self) -> Seat | None:
        """The proposer's seat, or None for the table itself."""
        return self.table.seat_of(self.row.by)

    @property
    def refused_by(self) -> Seat | None:
        """The seat that voted no, if any."""
        user = self.row.refused_by
        return None if user is None else self.table.seat_of(user)


class Voting:
    """Opens and closes proposals, takes votes, and carries out decisions."""

    def __init__(self, unit_of_work: UnitOfWork, scheduler: Scheduler, outages: Outages) -> None:
        self._unit_of_work = unit_of_work
        self._outages = outages
        self.undo: Callable[[TableChange, ProposalRow], Awaitable[None]]
        """Carries out an agreed `UNDO`."""
        unit_of_work.writers.append(self._on_change)
        for kind in KINDS:
            scheduler.on(EXPIRY + kind, self._lapse)
            scheduler.at_table(REMINDER + kind, self._remind)

    async def to_post(self, table_id: int) -> list[Proposal]:
        """Return the table's open proposals, and the closed ones whose result is not posted yet."""
        table = (await self._find_members(table_id)).table
        return [await self._proposal(table, row) for row in await self._rows(table_id)]

    async def missing_of(self, table_id: int, seat: Seat) -> list[Proposal]:
        """Return the table's proposals on which this seat has yet to vote."""
        proposals = await self.to_post(table_id)
        return [each for each in proposals if self._is_open(each.row) and seat in each.missing]

    async def propose(
        self, table_id: int, user: int, kind: str, word: str = "", *, delivery: str | None = None
    ) -> Proposal:
        """Propose something for the user; without other voters, it is carried out at once.

        At a paused table, `PAUSE` proposes to resume. To propose an open proposal again is a vote
        for it. Raise not_seated, not_started, table_over, or another_proposal if a different one
        for the same seat or of this kind is open; for seats also the errors of `_check_seat`.
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
            row = await self._open_proposal(table_id, kind, word)
            if row is None:
                row = self._new(table_id, kind, word, user)
                return await self._agree(change, row, user, is_new=True)
            if (row.kind, row.word) != (kind, word):
                raise errors.Rejected("another_proposal", kind=kind)
            return await self._agree(change, row, user)

        repeat = partial(self._repeat, kind, word)
        return await self._unit_of_work.carry_out(table_id, delivery, work, repeat)

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
        """Vote for the user; without a `word`, on the only proposal of this kind.

        Raise not_seated, no_proposal, and any error of carrying it out.
        """

        await self._find_members(table_id)

        async def work(change: TableChange) -> Proposal:
            seating.seated(change.table, user)
            rows = filter(self._is_open, await self._rows(table_id))
            row = next((each for each in rows if _matches(each, kind, word)), None)
            if row is None:
                raise errors.Rejected("no_proposal", kind=kind)
            _check(change.table, kind)
            if agree:
                return await self._agree(change, row, user)
            _end(change, row, Verdict.REFUSED, user)
            ended = replace(row, verdict=Verdict.REFUSED, refused_by=user)
            return await self._proposal(change.table, ended)

        repeat = partial(self._repeat, kind, word)
        return await self._unit_of_work.carry_out(table_id, delivery, work, repeat)

    async def propose_autopilot(self, change: TableChange, seat: Seat) -> None:
        """Have the table itself propose the autopilot, if there are voters and none is open."""
        others = [player for player in change.table.humans if player.seat != seat]
        table_id, word = change.table.id, str(seat)
        if others and await self._open_proposal(table_id, AUTOPILOT, word) is None:
            await self._begin(change, self._new(table_id, AUTOPILOT, word, NO_USER))

    async def end(
        self, change: TableChange, verdict: Verdict, ends: Callable[[ProposalRow], bool]
    ) -> None:
        """End the open proposals for which `ends` returns True."""
        for row in filter(self._is_open, await self._rows(change.table.id)):
            if ends(row):
                _end(change, row, verdict)

    async def note_posted(self, proposal: Proposal, sent: SentMessage | None) -> None:
        """Note the message with the vote, or that the result of a closed proposal was posted."""
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
        """Check that the seat's owner is late or has left the server, so that others may decide
        about it.

        Raise not_late if they are not late yet, seat_taken if the seat has no owner,
        already_autopiloted if a computer player acts for them already, and not_to_act if there is
        no turn to play for them.
        """
        table = loaded.table
        seating.seated(table, user)
        loaded.position()
        if not 0 <= seat < len(table.players) or table.players[seat].user is None:
            raise errors.Rejected("seat_taken", seat=seat)
        player = table.players[seat]
        if kind != REPLACE and player.is_autopiloted:
            raise errors.Rejected("already_autopiloted", name=player.name)
        if kind == ACT and seat not in {each for each, _user in people_to_act(loaded)}:
            seating.check_playing(table)
            raise errors.Rejected("not_to_act", name=player.name)
        if player.is_autopiloted or self._unit_of_work.members.has_left(table, player.user):
            return
        notifications = await from_store(self._unit_of_work.store.notifications(table.id))
        calendar = Calendar(outages=await self._outages.spans(table.id))
        now = self._unit_of_work.clock.now()
        since = (each.since for each in notifications if each.seat == seat and not each.over)
        if not any(calendar.elapsed(each, now) >= LATE_AFTER for each in since):
            hours = LATE_AFTER // timedelta(hours=1)
            raise errors.Rejected("not_late", name=player.name, hours=hours)

    async def _repeat(self, kind: str, word: str | None, handled: HandledRow) -> Proposal:
        for row in await self._rows(handled.table):
            if _matches(row, kind, word):
                loaded = await self._unit_of_work.cache.load(handled.table)
                return await self._proposal(loaded.table, row)
        # The first delivery has shown the result.
        raise errors.Rejected("no_proposal", kind=kind)

    async def _find_members(self, table_id: int) -> LoadedTable:
        """Look up who has left the server, before the table's lock is taken; return the table."""
        loaded = await self._unit_of_work.cache.read(table_id)
        await self._unit_of_work.members.find(loaded.table)
        return loaded

    async def _open_proposal(self, table_id: int, kind: str, word: str) -> ProposalRow | None:
        """Return the open proposal of any kind about this seat, or of this kind."""
        for row in filter(self._is_open, await self._rows(table_id)):
            are_about_seats = kind in ABOUT_SEAT and row.kind in ABOUT_SEAT
            if row.word == word if are_about_seats else row.kind == kind:
                return row
        return None

    async def _agree(
        self, change: TableChange, row: ProposalRow, user: int, *, is_new: bool = False
    ) -> Proposal:
        votes = {user} if is_new else await self._votes(row) | {user}
        proposal = await self._proposal(change.table, row, votes)
        if not proposal.missing:
            await self._pass(change, row)
            passed = replace(row, verdict=Verdict.PASSED)
            return replace(proposal, table=change.table, row=passed)
        if is_new:
            await self._begin(change, row)
        vote = VoteRow(row.table, row.kind, user, self._unit_of_work.clock.now(), row.word)
        change.batch.delete_row(vote)
        change.batch.insert(vote)
        return proposal

    async def _begin(self, change: TableChange, row: ProposalRow) -> None:
        """Add a new proposal.

        If the same one was proposed before and its result is not posted yet, its post is edited for
        the new vote. As an edit pings no one, the voters are pinged separately.
        """
        change.post(OutboxKind.VOTE)
        for before in await self._rows(row.table):
            if _matches(before, row.kind, row.word) and before.message is not None:
                row = replace(row, place=before.place, message=before.message)
                for seat in (await self._proposal(change.table, row, {row.by})).missing:
                    change.post(OutboxKind.PING, seat)
        change.batch.save_proposal(row)
        halfway = row.at + (row.until - row.at) / 2
        for prefix, at in ((REMINDER, halfway), (EXPIRY, row.until)):
            change.batch.schedule(row.table, _seat(row), prefix + row.kind, at)

    async def _pass(self, change: TableChange, row: ProposalRow) -> None:
        """Carry out the proposal."""
        if row.kind == UNDO:
            await self.undo(change, row)
        elif row.kind == ABANDON:
            change.become(Status.ABANDONED)
            change.post(OutboxKind.END)
        elif row.kind in ABOUT_SEAT:
            player, is_vacant = change.table.players[int(row.word)], row.kind == REPLACE
            if player.user is None or not (is_vacant or player.is_human):
                raise errors.Rejected("no_proposal", kind=row.kind)
            by, one_turn = row.by or None, row.kind == ACT
            hand_over(change, player.seat, by, vacant=is_vacant, one_turn=one_turn)
            change.post(OutboxKind.PING, player.seat)
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

    async def _proposal(
        self, table: Table, row: ProposalRow, votes: Collection[int] | None = None
    ) -> Proposal:
        if votes is None:
            votes = await self._votes(row)
        has_left = partial(self._unit_of_work.members.has_left, table)
        voters = [p for p in table.humans if p.seat != _seat(row) and not has_left(p.user)]
        agreed = tuple(player.seat for player in voters if player.user in votes)
        missing = tuple(player.seat for player in voters if player.user not in votes)
        return Proposal(table, row, agreed, missing)

    async def _on_change(self, change: TableChange, before: LoadedTable) -> None:
        """End proposals that a change makes pointless.

        If no vote is missing any more, schedule the decision.
        """
        acted = _acted(before, change.after)
        was, table = before.table, change.table
        people_changed = _people(was) != _people(table)
        if not (acted or people_changed or was.status is not table.status):
            return
        for row in filter(self._is_open, await self._rows(table.id)):
            verdict = _overtaken(row, was, table, acted)
            if verdict is not None:
                # This does not change one that was decided in this change.
                _end(change, row, verdict)
            elif people_changed and (await self._proposal(table, row)).is_decided:
                now = self._unit_of_work.clock.now()
                change.batch.schedule(table.id, _seat(row), EXPIRY + row.kind, now)

    async def _lapse(self, task: ScheduledRow) -> None:
        async def work(change: TableChange, *, passes: bool) -> None:
            batch, now = change.batch, self._unit_of_work.clock.now()
            batch.schedule(task.table, task.seat, task.kind, None)
            for row in await self._of_task(task, EXPIRY):
                is_decided = (await self._proposal(change.table, row)).is_decided
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
            # It can no longer be carried out, so it lapses.
            await carry_out(task.table, None, partial(work, passes=False))

    async def _remind(self, change: TableChange, task: ScheduledRow) -> None:
        """Ping voters who have not voted."""
        for row in filter(self._is_open, await self._of_task(task, REMINDER)):
            for seat in (await self._proposal(change.table, row)).missing:
                change.post(OutboxKind.PING, seat)

    async def _of_task(self, task: ScheduledRow, prefix: str) -> list[ProposalRow]:
        """Return the open proposals of a deadline or reminder task."""
        rows = [row for row in await self._rows(task.table) if row.verdict is Verdict.OPEN]
        return [r for r in rows if (_seat(r), prefix + r.kind) == (task.seat, task.kind)]


def _check(table: Table, kind: str) -> None:
    if kind not in KINDS or table.status not in KINDS[kind].during:
        seating.check_playing(table)
        raise errors.Rejected("no_proposal", kind=kind)


def _matches(row: ProposalRow, kind: str, word: str | None) -> bool:
    return row.kind == kind and word in (None, row.word)


def _seat(row: ProposalRow) -> Seat:
    """Return the seat of the proposal's tasks."""
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
    """Return how a change ends an open proposal, or None if it does not."""
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
    """Return each seat's user and whether they play themselves, but not secret standing orders."""
    return [(player.user, player.is_human) for player in table.players]


def _acted(before: LoadedTable, after: LoadedTable) -> set[Seat]:
    """Return the people's seats that have publicly acted or are no longer to act."""
    if after.now is None or after.seq() <= before.seq():
        return set()
    acted = {
        log.actor(each.seat, each.action)
        for each in after.now.recent
        if each.seq > before.seq() and each.visible_to(SPECTATOR)
    }
    acted |= {seat for seat, _user in people_to_act(before) - people_to_act(after)}
    return {player.seat for player in after.table.humans if player.seat in acted}
