"""Undo: players may go back alone up to a barrier, and further if all people agree.

The log keeps undone entries. A barrier is a draw, another player's action, a sealed choice, or any
action that may have given a player new information.

Everything shown to players counts in steps. A step is a public log entry together with the secret
entries after it, such as a changed sealed choice. An undo goes back to before a step, never into
the middle of one, so no number, refusal or button reveals secret entries. Barriers, too, depend
only on public information.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from bot.game.contract import END, Action, Seat, parse_action
from bot.game.log import Entry
from bot.store import ProposalRow, Verdict
from bot.tables.core import (
    TABLE_PREFIX,
    LoadedTable,
    Position,
    Replayed,
    TableChange,
    UnitOfWork,
    errors,
    from_store,
    outbox_drafts,
    position,
    promises,
    seating,
)
from bot.tables.core.replay import replay
from bot.tables.votes import UNDO, Proposal, Voting


class HowFar(StrEnum):
    """How far a player goes back."""

    STEP = "step"
    """Before their own last step, or before anyone's last step if they have none."""
    TURN = "turn"
    """As far back in their turn as they may go alone, or else before the last step."""
    ROUND = "round"
    """To the start of the round, or of the previous round if this one has just begun."""


class UndoPreview(msgspec.Struct, frozen=True):
    """The effect of going back to before a step, as a seat may know it.

    `step` is its number and `last` that of the newest step; undone steps count too. The undo takes
    back `count` steps with the log `entries` and the seat's own `actions`. `why` is the
    barrier: ``other`` (another player acted), ``draw``, ``sealed``, ``choosing`` (others choose in
    secret and may have changed their choice), ``seen`` (a player may have learned something), or
    empty if there is none.
    """

    step: int
    last: int
    count: int
    actions: tuple[Action, ...]
    entries: tuple[Entry, ...]
    why: str


class _Past:
    """A table with its whole log.

    `in_effect` are the entries that have not been undone, `public` the public ones, undone or not.
    `steps` are both, without the set-up.
    """

    def __init__(self, loaded: LoadedTable, log: Replayed) -> None:
        self.loaded = loaded
        self.log = log
        self.in_effect = log.in_effect()
        self.public = [each.seq for each in log.entries if each.is_public]
        # In a lesson, its position is the set-up; the entry after it says that it was imported.
        self.first = 0 if loaded.table.lesson is None else loaded.table.posted_seq + 1
        public = (seq for seq in self.in_effect if log.entries[seq].is_public)
        self.steps = [seq for seq in public if seq > self.first]

    def number(self, entry: int) -> int:
        """Return the number of the step at this entry."""
        return bisect_left(self.public, entry)

    def entry(self, step: int) -> int:
        """Return the entry of this step. Raise NothingToUndo if it is not in effect."""
        if not 0 < step < len(self.public) or self.public[step] not in self.steps:
            raise errors.NothingToUndo("nothing_to_undo")
        return self.public[step]

    def last(self) -> int:
        """Return the entry of the last step. Raise NothingToUndo if there is none."""
        if not self.steps:
            raise errors.NothingToUndo("nothing_to_undo")
        return self.steps[-1]

    def target(self, seat: Seat, how_far: HowFar) -> int:
        """Return the first entry to undo for this seat. Raise NothingToUndo."""
        last = self.last()
        if how_far is HowFar.STEP:
            return next((each for each in reversed(self.steps) if self.is_own(seat, each)), last)
        if how_far is HowFar.ROUND:
            rounds = [self.log.entries[seq].round for seq in (self.first, *self.steps)]
            began = (n for n in range(len(self.steps) - 1, 0, -1) if rounds[n - 1] != rounds[n])
            return self.steps[next(began, 0)]
        target = last
        for entry in reversed(self.steps):
            ended = self.log.entries[entry].action == END and entry != last
            if ended or self._step_barrier(seat, entry):
                break
            target = entry
        return target

    def is_own(self, seat: Seat, entry: int) -> bool:
        """Return whether the entry is an action of the seat."""
        taken = self.log.entries[entry]
        return taken.seat == seat and not taken.action.startswith(TABLE_PREFIX)

    def steps_from(self, entry: int) -> list[int]:
        """Return the entries of the steps that an undo to before this entry takes back."""
        return [seq for seq in self.steps if seq >= entry]

    def before(self, entry: int) -> Position:
        """Return the position before the entry."""
        return self.log.position(self.in_effect[bisect_left(self.in_effect, entry) - 1])

    def barrier(self, seat: Seat, entry: int) -> str:
        """Return why the seat may not go back there alone, or "" if it may."""
        barriers = (self._step_barrier(seat, each) for each in self.steps_from(entry))
        return next(filter(None, barriers), "")

    def preview(self, seat: Seat, entry: int) -> UndoPreview:
        """Return the effect of going back there, as the seat may know it."""
        entries = [self.log.entries[seq] for seq in self.in_effect if seq >= entry]
        undone = self.steps_from(entry)
        own = [self.log.entries[each] for each in undone if self.is_own(seat, each)]
        return UndoPreview(
            step=self.number(entry),
            last=self.number(self.last()),
            count=len(undone),
            actions=tuple(parse_action(each.action) for each in own),
            entries=tuple(each.seen_by(seat) for each in entries),
            why=self.barrier(seat, entry),
        )

    def _step_barrier(self, seat: Seat, entry: int) -> str:
        """Return why the seat may not undo this one step alone.

        The reason uses only public information, as all players learn whether the undo was done
        alone.
        """
        if not self.is_own(seat, entry):
            return "other"
        taken = self.log.entries[entry]
        if taken.drawn:
            return "draw"
        before, now = self.before(entry), self.loaded.position()
        if any(each.seat == seat and each.sealed for each in before.pending):
            return "sealed"
        if any(each.sealed and each.optional and each.seat != seat for each in now.pending):
            return "choosing"
        return "seen" if self.log.game.discloses(before.state, parse_action(taken.action)) else ""


class Undoing:
    """Previews and carries out undos."""

    def __init__(self, unit_of_work: UnitOfWork, votes: Voting) -> None:
        self._unit_of_work = unit_of_work
        self._votes = votes
        # One replay at a time, for all tables, so that other tasks can run in between.
        self._replaying = asyncio.Lock()
        votes.undo = self._undo_agreed

    async def preview(self, table_id: int, user: int, how_far: HowFar = HowFar.STEP) -> UndoPreview:
        """Return the effect of the user going back this far.

        Raise not_seated, NothingToUndo, not_started or table_over.
        """

        async def work(change: TableChange) -> UndoPreview:
            past, seat = await self._read(change.after, user)
            return past.preview(seat, past.target(seat, how_far))

        return await self._unit_of_work.carry_out(table_id, None, work)

    async def count(self, table_id: int, step: int) -> int:
        """Return how many steps going back to before this one takes back, or 0 if it is undone."""

        async def work(change: TableChange) -> int:
            past = await self._past(change.after)
            try:
                return len(past.steps_from(past.entry(step)))
            except errors.NothingToUndo:
                return 0

        return await self._unit_of_work.carry_out(table_id, None, work)

    async def alone(
        self, table_id: int, user: int, step: int, last: int, *, delivery: str | None = None
    ) -> None:
        """Undo the user's own steps, from the newest back to this one.

        Raise the errors of `preview`; not_yours_to_undo or barrier if the user may not do so alone;
        StaleDecision if `last` is no longer the newest step.
        """

        async def work(change: TableChange) -> None:
            past, seat = await self._read(change.after, user)
            if past.number(past.last()) != last:
                raise errors.StaleDecision("stale_decision", seat=seat)
            entry = past.entry(step)
            why = past.barrier(seat, entry)
            if why == "other":
                other = past.log.entries[past.last()].seat
                raise errors.Rejected("not_yours_to_undo", other=other)
            if why:
                raise errors.Rejected("barrier", why=why)
            self._undo(change, past, entry, user)
            # Proposals to undo these steps are pointless now.
            # They are undone already.
            await self._votes.end(
                change, Verdict.UNDONE, lambda row: row.kind == UNDO and int(row.word) >= step
            )

        await self._unit_of_work.table_after(table_id, delivery, work)

    async def propose(
        self, table_id: int, user: int, step: int, *, delivery: str | None = None
    ) -> Proposal:
        """Propose to all people to go back to before this step.

        Raise NothingToUndo if it has been undone, and the errors of `Voting.propose`.
        """

        async def work(change: TableChange) -> None:
            past, _seat = await self._read(change.after, user)
            past.entry(step)

        await self._unit_of_work.carry_out(table_id, None, work)
        return await self._votes.propose(table_id, user, UNDO, str(step), delivery=delivery)

    async def _undo_agreed(self, change: TableChange, row: ProposalRow) -> None:
        past, _seat = await self._read(change.after, row.by)
        self._undo(change, past, past.entry(int(row.word)), row.by)

    def _undo(self, change: TableChange, past: _Past, entry: int, user: int) -> None:
        table, now, before = change.table, change.after.position(), past.before(entry)
        seat, at = seating.seated(table, user), self._unit_of_work.clock.now()
        undone = position.undo(now, before, seat, len(past.steps_from(entry)), at)
        remaining = promises.undo(change.batch, change.after.promises, before)
        change.after = replace(change.after, promises=remaining)
        change.enter(undone, user)
        change.drafts += outbox_drafts.at_undo(past.log.game, table, now, undone)

    async def _read(self, loaded: LoadedTable, user: int) -> tuple[_Past, Seat]:
        """Return the past of a running game, and the user's seat."""
        seating.check_playing(loaded.table)
        seat = seating.seated(loaded.table, user)
        loaded.position()
        return await self._past(loaded), seat

    async def _past(self, loaded: LoadedTable) -> _Past:
        game = self._unit_of_work.rules(loaded.table)
        entries = await from_store(self._unit_of_work.store.entries(loaded.table.id))
        async with self._replaying:
            return _Past(loaded, await replay(game, loaded.table, entries, loaded.promises))
