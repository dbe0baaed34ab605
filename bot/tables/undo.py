"""Undo: alone up to a barrier, past it when all people agree. The log keeps everything.

A barrier is a draw, another player's action, a sealed choice, or anything that may have given
anybody new knowledge.

All that people are told of going back is counted in steps. A step is a log entry that everybody
noticed, with those after it of which only some know, such as a sealed choice made anew. How many of
these there are shows in no number, no refusal and no button, and one goes back to before a step,
never into one. What bars the way is judged by what all know as well.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from bot.game.contract import END, Action, Seat, parse_action
from bot.game.log import Entry
from bot.store import ProposalRow
from bot.tables.core import (
    OF_THE_TABLE,
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
    """How far somebody goes back."""

    STEP = "step"
    """To before their own last step; the last step of all where they have taken none."""
    TURN = "turn"
    """As far as they may alone in their own turn; before the last step where they may not."""
    ROUND = "round"
    """To the beginning of the round; of the round before, where this one has just begun."""


class UndoPreview(msgspec.Struct, frozen=True):
    """What going back to before a step takes back: `count` steps; `happened`, as a seat heard it.

    `step` is its number and `last` that of the newest step, counted by all that everybody has
    noticed at the table, what was taken back as well. `actions` are the seat's own among them.
    `why` says what stands against doing so alone: ``other`` (somebody else acted), ``draw``,
    ``sealed``, ``choosing`` (others are choosing in secret, and may have chosen anew), ``seen``
    (somebody may have learnt something); empty where nothing does.
    """

    step: int
    last: int
    count: int
    actions: tuple[Action, ...]
    happened: tuple[Entry, ...]
    why: str


class _Past:
    """A table with its whole log: the entries that stand, those that everybody `is_public`, whether
    they stand or not, and the `steps`, which are both, without the set-up."""

    def __init__(self, loaded: LoadedTable, log: Replayed) -> None:
        self.loaded = loaded
        self.log = log
        self.stand = log.in_effect()
        self.is_public = [each.seq for each in log.entries if each.is_public]
        self.steps = [seq for seq in self.stand if log.entries[seq].is_public][1:]

    def number(self, entry: int) -> int:
        """The number of the step at that entry."""
        return bisect_left(self.is_public, entry)

    def entry(self, step: int) -> int:
        """The entry of that step. Raises NothingToUndo where it does not stand."""
        if not 0 < step < len(self.is_public) or self.is_public[step] not in self.steps:
            raise errors.NothingToUndo("nothing_to_undo")
        return self.is_public[step]

    def last(self) -> int:
        """The entry of the last step. Raises NothingToUndo where there is none."""
        if not self.steps:
            raise errors.NothingToUndo("nothing_to_undo")
        return self.steps[-1]

    def reached(self, seat: Seat, how_far: HowFar) -> int:
        """The entry before which the seat goes back so far. Raises NothingToUndo."""
        last = self.last()
        if how_far is HowFar.STEP:
            return next((each for each in reversed(self.steps) if self.is_own(seat, each)), last)
        if how_far is HowFar.ROUND:
            rounds = [self.log.entries[seq].round for seq in (self.stand[0], *self.steps)]
            began = (n for n in range(len(self.steps) - 1, 0, -1) if rounds[n - 1] != rounds[n])
            return self.steps[next(began, 0)]
        found = last
        for entry in reversed(self.steps):
            ended = self.log.entries[entry].action == END and entry != last
            if ended or self._bar(seat, entry):
                break
            found = entry
        return found

    def is_own(self, seat: Seat, entry: int) -> bool:
        """Whether that is an action of the seat."""
        taken = self.log.entries[entry]
        return taken.seat == seat and not taken.action.startswith(OF_THE_TABLE)

    def gone(self, entry: int) -> list[int]:
        """The entries of the steps taken back by going back to before one of them."""
        return [seq for seq in self.steps if seq >= entry]

    def before(self, entry: int) -> Position:
        """How things stood before it."""
        return self.log.position(self.stand[bisect_left(self.stand, entry) - 1])

    def why_not(self, seat: Seat, entry: int) -> str:
        """What stands against the seat going back there alone; empty if nothing does."""
        bars = (self._bar(seat, each) for each in self.gone(entry))
        return next(filter(None, bars), "")

    def taken_back(self, seat: Seat, entry: int) -> UndoPreview:
        """What going back there takes back, as the seat knows it."""
        happened = [self.log.entries[seq] for seq in self.stand if seq >= entry]
        gone = self.gone(entry)
        own = [self.log.entries[each] for each in gone if self.is_own(seat, each)]
        return UndoPreview(
            step=self.number(entry),
            last=self.number(self.last()),
            count=len(gone),
            actions=tuple(parse_action(each.action) for each in own),
            happened=tuple(each.seen_by(seat) for each in happened),
            why=self.why_not(seat, entry),
        )

    def _bar(self, seat: Seat, entry: int) -> str:
        """What stands against the seat taking that one step back alone.

        It is judged by what all know: everybody learns whether it was done alone.
        """
        if not self.is_own(seat, entry):
            return "other"
        taken = self.log.entries[entry]
        if taken.drawn:
            return "draw"
        before, now = self.before(entry), self.loaded.position()
        if any(asked.seat == seat and asked.sealed for asked in before.pending):
            return "sealed"
        if any(asked.sealed and asked.optional and asked.seat != seat for asked in now.pending):
            return "choosing"
        return "seen" if self.log.game.discloses(before.state, parse_action(taken.action)) else ""


class Undoing:
    """Says what can be taken back, and takes it back."""

    def __init__(self, unit_of_work: UnitOfWork, votes: Voting) -> None:
        self._unit_of_work = unit_of_work
        self._votes = votes
        # One at a time: however many ask, at whatever tables, others get their turn in between.
        self._replaying = asyncio.Lock()
        votes.go_back = self._agreed

    async def preview(self, table_id: int, user: int, how_far: HowFar = HowFar.STEP) -> UndoPreview:
        """What the user would take back by going back so far.

        Raises not_seated, NothingToUndo, not_started or table_over.
        """

        async def work(change: TableChange) -> UndoPreview:
            past, seat = await self._read(change.after, user)
            return past.taken_back(seat, past.reached(seat, how_far))

        return await self._unit_of_work.carry_out(table_id, None, work)

    async def count(self, table_id: int, step: int) -> int:
        """How many steps going back to before that one takes back; 0 where it does not stand."""

        async def work(change: TableChange) -> int:
            past = await self._past(change.after)
            try:
                return len(past.gone(past.entry(step)))
            except errors.NothingToUndo:
                return 0

        return await self._unit_of_work.carry_out(table_id, None, work)

    async def alone(
        self, table_id: int, user: int, step: int, last: int, *, delivery: str | None = None
    ) -> None:
        """Takes the user's own steps back, from the newest to that one.

        Raises like `preview`; not_yours_to_undo or barrier where it is not for one to take back
        alone; StaleDecision where `last` is not the newest step any more.
        """

        async def work(change: TableChange) -> None:
            past, seat = await self._read(change.after, user)
            if past.number(past.last()) != last:
                raise errors.StaleDecision("stale_decision", seat=seat)
            entry = past.entry(step)
            why = past.why_not(seat, entry)
            if why == "other":
                other = past.log.entries[past.last()].seat
                raise errors.Rejected("not_yours_to_undo", other=other)
            if why:
                raise errors.Rejected("barrier", why=why)
            self._undo(change, past, entry, user)
            # Whatever was to be taken back from there on does not stand any more.
            await self._votes.end_undo(change, step)

        await self._unit_of_work.table_after(table_id, delivery, work)

    async def propose(
        self, table_id: int, user: int, step: int, *, delivery: str | None = None
    ) -> Proposal:
        """Asks all people whether to go back to before that step.

        Raises NothingToUndo where it does not stand any more, and what `Voting.propose` raises.
        """

        async def work(change: TableChange) -> None:
            past, _seat = await self._read(change.after, user)
            past.entry(step)

        await self._unit_of_work.carry_out(table_id, None, work)
        return await self._votes.propose(table_id, user, UNDO, str(step), delivery=delivery)

    async def _agreed(self, change: TableChange, row: ProposalRow) -> None:
        past, _seat = await self._read(change.after, row.by)
        self._undo(change, past, past.entry(int(row.word)), row.by)

    def _undo(self, change: TableChange, past: _Past, entry: int, user: int) -> None:
        table, now, before = change.table, change.after.position(), past.before(entry)
        seat, at = seating.seated(table, user), self._unit_of_work.clock.now()
        undone = position.undo(now, before, seat, len(past.gone(entry)), at)
        known = promises.undo(change.batch, change.after.promises, before)
        change.after = replace(change.after, promises=known)
        change.enter(undone, user)
        change.drafts += outbox_drafts.at_undo(past.log.game, table, now, undone)

    async def _read(self, loaded: LoadedTable, user: int) -> tuple[_Past, Seat]:
        """The past of a table where a game is going on, and the user's seat."""
        seating.check_playing(loaded.table)
        seat = seating.seated(loaded.table, user)
        loaded.position()
        return await self._past(loaded), seat

    async def _past(self, loaded: LoadedTable) -> _Past:
        game = self._unit_of_work.rules(loaded.table)
        entries = await from_store(self._unit_of_work.store.entries(loaded.table.id))
        async with self._replaying:
            return _Past(loaded, await replay(game, loaded.table, entries, loaded.promises))
