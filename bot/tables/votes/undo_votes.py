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
from collections.abc import Iterable, Sequence
from datetime import timedelta
from functools import partial

import msgspec
from msgspec.structs import replace

from bot.game.contract import END, Action, Seat, parse_action
from bot.store import HandledRow, PromiseRow, ProposalRow, WriteBatch
from bot.tables.core import errors, outbox_drafts, position, promises, seating
from bot.tables.core.cache import LoadedTable, Replayed, from_store, replay
from bot.tables.core.model import Happened, promise_row
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.position import Position
from bot.tables.core.table_lines import OF_THE_TABLE, standing
from bot.tables.core.unit_of_work import UnitOfWork
from bot.tables.votes.proposals import Proposal, Proposals, Verdict

UNDO = "undo"
"""The kind of proposal to go back further than somebody may alone."""

LASTING = timedelta(days=2)
"""How long the others have to agree."""


class TakenBack(msgspec.Struct, frozen=True):
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
    happened: tuple[Happened, ...]
    why: str


class _Past(msgspec.Struct, frozen=True):
    """A table with its whole log, the entries that stand, and those that everybody noticed,
    whether they stand or not."""

    loaded: LoadedTable
    log: Replayed
    stand: Sequence[int]
    noticed: Sequence[int]

    def steps(self) -> list[int]:
        """The entries that stand and that everybody noticed, the set-up first."""
        return [seq for seq in self.stand if self.log.happened[seq].noticed]

    def number(self, seq: int) -> int:
        """The number of the step at that entry."""
        return bisect_left(self.noticed, seq)

    def entry(self, step: int) -> int:
        """The entry at that step. Raises NothingToUndo where it does not stand."""
        # The set-up is not a step.
        if not 0 < step < len(self.noticed) or self.noticed[step] not in self.stand:
            raise errors.NothingToUndo("nothing_to_undo")
        return self.noticed[step]

    def number_of_last(self) -> int:
        """The number of the newest step. Raises NothingToUndo where that is the set-up."""
        return self.number(_last(self))

    def gone(self, entry: int) -> list[int]:
        """The entries taken back by going back to before `entry`, which is a step."""
        return [seq for seq in self.stand if seq >= entry]

    def count(self, entry: int) -> int:
        """How many steps that takes back."""
        return sum(seq >= entry for seq in self.steps())

    def before(self, entry: int) -> Position:
        """How things stood before it."""
        return self.log.position(self.stand[bisect_left(self.stand, entry) - 1])


class UndoVotes:
    """Says what can be taken back, and takes it back."""

    def __init__(self, unit_of_work: UnitOfWork, proposals: Proposals) -> None:
        self._unit_of_work = unit_of_work
        self._proposals = proposals
        # One at a time: however many ask, at whatever tables, others get their turn in between.
        self._replaying = asyncio.Lock()
        proposals.on(UNDO, self._agreed)

    async def step(self, table_id: int, user: int) -> TakenBack:
        """What taking the user's own last step back would undo; the last step of all where they
        have taken none.

        Raises not_seated, NothingToUndo, not_started or table_over.
        """

        async def work() -> TakenBack:
            past, seat = await self._read(table_id, user)
            return _taken_back(past, seat, _last_of(past, seat))

        return await self._unit_of_work.cache.alone(table_id, work)

    async def round(self, table_id: int, user: int) -> TakenBack:
        """What going back to the beginning of the round would undo; of the round before, where
        this one has just begun. Raises like `step`.
        """

        async def work() -> TakenBack:
            past, seat = await self._read(table_id, user)
            _last(past)
            steps = past.steps()
            rounds = [past.log.happened[seq].round for seq in steps]
            began = (n for n in range(len(rounds) - 2, 0, -1) if rounds[n - 1] != rounds[n])
            return _taken_back(past, seat, steps[next(began, 0) + 1])

        return await self._unit_of_work.cache.alone(table_id, work)

    async def turn(self, table_id: int, user: int) -> TakenBack:
        """What taking back all of the user's own turn would undo that they may alone; the last step
        where there is nothing. Raises like `step`.
        """

        async def work() -> TakenBack:
            past, seat = await self._read(table_id, user)
            return _taken_back(past, seat, _first_of_turn(past, seat))

        return await self._unit_of_work.cache.alone(table_id, work)

    async def count(self, table_id: int, step: int) -> int:
        """How many steps going back to before that one takes back; 0 where it does not stand."""

        async def work() -> int:
            past = await self._past(await self._unit_of_work.cache.load(table_id))
            try:
                return past.count(past.entry(step))
            except errors.NothingToUndo:
                return 0

        return await self._unit_of_work.cache.alone(table_id, work)

    async def alone(
        self, table_id: int, user: int, step: int, last: int, *, delivery: str | None = None
    ) -> int:
        """Takes the user's own steps back, from the newest to that one; gives the number of the new
        log entry.

        Raises like `step`; not_yours_to_undo or barrier where it is not for one to take back alone;
        StaleDecision where `last` is not the newest step any more.
        """

        async def work() -> int:
            past, seat = await self._read(table_id, user)
            if past.number_of_last() != last:
                raise errors.StaleDecision("stale_decision", seat=seat)
            entry = past.entry(step)
            why = _why_not(past, seat, entry)
            if why == "other":
                raise errors.Rejected("not_yours_to_undo", other=past.log.entries[_last(past)].seat)
            if why:
                raise errors.Rejected("barrier", why=why)
            batch = WriteBatch()
            after, drafts = self._undo(past, entry, seat, user, batch)
            # Whatever was to be taken back from there on does not stand any more.
            drafts += await self._proposals.overtake(
                batch, table_id, UNDO, Verdict.UNDONE, lambda word: int(word) >= step
            )
            await self._unit_of_work.commit(batch, after, drafts, delivery)
            return after.seq()

        async def again(done: HandledRow) -> int:
            return done.seq

        return await self._unit_of_work.once(table_id, delivery, work, again)

    async def propose(
        self, table_id: int, user: int, step: int, *, delivery: str | None = None
    ) -> Proposal:
        """Asks all people whether to go back to before that step.

        Raises NothingToUndo where it does not stand any more, and what `Proposals.make` raises.
        """
        past, _seat = await self._unit_of_work.cache.alone(
            table_id, partial(self._read, table_id, user)
        )
        past.entry(step)
        word = str(step)
        return await self._proposals.make(table_id, user, UNDO, word, LASTING, delivery=delivery)

    async def _agreed(
        self, loaded: LoadedTable, row: ProposalRow, batch: WriteBatch
    ) -> tuple[LoadedTable, Iterable[OutboxDraft]]:
        past, seat = await self._read(row.table, row.by)
        return self._undo(past, past.entry(int(row.word)), seat, row.by, batch)

    def _undo(
        self, past: _Past, entry: int, seat: Seat, user: int, batch: WriteBatch
    ) -> tuple[LoadedTable, list[OutboxDraft]]:
        loaded, now, before = past.loaded, past.loaded.position(), past.before(entry)
        step = position.undo(now, before, seat, past.count(entry), self._unit_of_work.clock.now())
        promised = []
        for promise in loaded.promises:
            then = promises.taken_back(promise, before.seq, before)
            if then is None:
                batch.delete(
                    PromiseRow, table=loaded.table.id, offer=promise.offer, giver=promise.giver
                )
                continue
            if then is not promise:
                batch.update(promise_row(loaded.table.id, then), "status", "closed")
            promised.append(then)
        after = replace(loaded, now=step.position, promises=tuple(promised))
        self._unit_of_work.enter(batch, after.table, seat, user, step)
        return after, outbox_drafts.at_undo(past.log.game, after.table, now, step.position)

    async def _read(self, table_id: int, user: int) -> tuple[_Past, Seat]:
        """The past and the user's seat, for one who has the table's lock."""
        loaded = await self._unit_of_work.cache.load(table_id)
        seating.check_playing(loaded.table)
        seat = seating.seated(loaded.table, user)
        loaded.position()
        return await self._past(loaded), seat

    async def _past(self, loaded: LoadedTable) -> _Past:
        game = self._unit_of_work.rules(loaded.table)
        entries = await from_store(self._unit_of_work.store.entries(loaded.table.id))
        async with self._replaying:
            log = await replay(game, loaded.table, entries, loaded.promises)
        stand = standing(each.back_to for each in log.happened)
        noticed = [each.seq for each in log.happened if each.noticed]
        return _Past(loaded, log, stand, noticed)


def _last(past: _Past) -> int:
    """The entry of the last step. Raises NothingToUndo where that is the set-up."""
    *earlier, last = past.steps()
    if not earlier:
        raise errors.NothingToUndo("nothing_to_undo")
    return last


def _last_of(past: _Past, seat: Seat) -> int:
    """The entry of the seat's own last step, or else of the last. Raises like `_last`."""
    own = (entry for entry in reversed(past.steps()[1:]) if _is_own(past, seat, entry))
    return next(own, _last(past))


def _is_own(past: _Past, seat: Seat, entry: int) -> bool:
    taken = past.log.entries[entry]
    return taken.seat == seat and not taken.action.startswith(OF_THE_TABLE)


def _taken_back(past: _Past, seat: Seat, entry: int) -> TakenBack:
    gone = (past.log.happened[seq] for seq in past.gone(entry))
    happened = tuple(replace(each, events=each.heard_by(seat)) for each in gone)
    entries = [past.log.entries[seq] for seq in past.steps() if seq >= entry]
    actions = tuple(
        parse_action(each.action)
        for each in entries
        if each.seat == seat and not each.action.startswith(OF_THE_TABLE)
    )
    why = _why_not(past, seat, entry)
    step, last = past.number(entry), past.number_of_last()
    return TakenBack(step, last, past.count(entry), actions, happened, why)


def _first_of_turn(past: _Past, seat: Seat) -> int:
    """The earliest step of the seat's turn to which it may go back alone; the last step where there
    is none."""
    found = _last(past)
    for entry in reversed(past.steps()[1:]):
        ended = past.log.entries[entry].action == END and entry != _last(past)
        if ended or _bar(past, seat, entry):
            break
        found = entry
    return found


def _why_not(past: _Past, seat: Seat, entry: int) -> str:
    """What stands against the seat going back to before that step alone; empty if nothing does."""
    bars = (_bar(past, seat, each) for each in past.steps() if each >= entry)
    return next(filter(None, bars), "")


def _bar(past: _Past, seat: Seat, entry: int) -> str:
    """What stands against the seat taking that one step back alone.

    It is judged by what all know: everybody learns whether it was done alone.
    """
    if not _is_own(past, seat, entry):
        return "other"
    taken = past.log.entries[entry]
    if taken.drawn:
        return "draw"
    before = past.before(entry)
    if any(asked.seat == seat and asked.sealed for asked in before.pending):
        return "sealed"
    now = past.loaded.position()
    if any(asked.sealed and asked.optional and asked.seat != seat for asked in now.pending):
        return "choosing"
    return "seen" if past.log.game.discloses(before.state, parse_action(taken.action)) else ""
