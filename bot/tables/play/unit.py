"""Actions of the game at one table that are stored together: one batch, one commit.

Each is a log entry of its own, with all that it causes, as if it had been stored by itself; only
the snapshot, and those messages that show the table as it is, are of the last one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from msgspec.structs import replace

from bot.game.contract import Action, Event, Seat
from bot.store import EntryRow, WriteBatch
from bot.tables.core import outbox_drafts, position, promises, seating
from bot.tables.core.cache import LoadedTable
from bot.tables.core.model import OutboxKind, Player, Status
from bot.tables.core.outbox_drafts import NEWEST_ONLY, OutboxDraft
from bot.tables.core.promises import NO_TERMS, Terms
from bot.tables.core.unit_of_work import UnitOfWork
from bot.tables.results.results import Results

Also = Callable[[WriteBatch], Awaitable[None]]
"""Adds to the batch of an action what is stored with it, or raises why it must not be done."""


class TakenAction(NamedTuple):
    """An action carried out by a player, as its log `entry`; the `events` that they heard; whether
    all noticed that something was done."""

    entry: EntryRow
    player: Player
    action: Action
    events: tuple[Event, ...]
    is_noticed: bool


class Unit:
    """Actions on top of a table in memory, for a caller that holds its lock.

    `after` is the table as it will be; `taken` what was done so far.
    """

    def __init__(self, unit_of_work: UnitOfWork, results: Results, before: LoadedTable) -> None:
        self._unit_of_work = unit_of_work
        self._results = results
        self._batch = WriteBatch()
        self._drafts: list[tuple[int, OutboxDraft]] = []
        self.after = before
        self.taken: list[TakenAction] = []

    async def take(
        self,
        seat: Seat,
        action: Action,
        *,
        terms: Terms = NO_TERMS,
        user: int | None = None,
        told: OutboxKind | None = None,
        also: Also | None = None,
    ) -> None:
        """Carries an action out; see `Play.act`. Where it raises, nothing of it is in the unit."""
        unit_of_work, loaded, batch = self._unit_of_work, self.after, WriteBatch()
        game, before = unit_of_work.rules(loaded.table), loaded.position()
        player = loaded.table.players[seat]
        step = position.act(game, before, loaded.key, seat, action, unit_of_work.clock.now())
        happened = step.happened.events
        made = promises.made(terms, loaded.table, seat, before, step.position, happened)
        settled = promises.settled(loaded.promises, action, before, step.position)
        step = position.with_events(step, promises.events(made, step.position.seq, seat))
        known = promises.write(batch, loaded.table.id, loaded.promises, made, settled)
        table, is_asleep = loaded.table, loaded.table.status is Status.SLEEPING
        if step.position.outcome is not None:
            table = replace(table, status=Status.FINISHED)
        elif is_asleep:
            table = replace(table, status=Status.PLAYING)
        if user is not None and player.is_autopiloted:
            table = seating.take_back(table, seat)
        after = replace(loaded, table=table, now=step.position, promises=known)
        if table is not loaded.table:
            batch.save_table(after.row())
            batch.save_players(table.id, after.player_rows())
        actor = after.table.players[seat]
        by = actor.user if actor.is_human else None
        entry = unit_of_work.enter_only(batch, after.table, seat, by, step)
        drafts = outbox_drafts.at_action(
            game, after.table, seat, action, before, step.position, step.happened.events
        )
        if is_asleep and OutboxDraft(OutboxKind.BOARD) not in drafts:
            drafts.append(OutboxDraft(OutboxKind.BOARD))
        if told is not None:
            drafts.append(OutboxDraft(told, seat))
        if also is not None:
            await also(batch)
        drafts = await unit_of_work.follow(batch, loaded, after, drafts)
        self._add(batch, entry.seq, drafts)
        self.after = after
        heard, is_noticed = step.happened.heard_by(seat), step.happened.noticed
        self.taken.append(TakenAction(entry, player, action, heard, is_noticed))

    async def store(self, delivery: str | None = None) -> None:
        """Stores all of it, and then tells everybody here."""
        after, batch = self.after, self._batch
        batch.save(position.snapshot(after.table, after.position()))
        for seq, draft in self._drafts:
            outbox_drafts.write(batch, after.table.id, seq, [draft])
        entries = [each.entry for each in self.taken]
        async with self._results.counted(batch, after, entries):
            drafts = [draft for _seq, draft in self._drafts]
            await self._unit_of_work.conclude(batch, after, drafts, delivery)

    def _add(self, batch: WriteBatch, seq: int, drafts: list[OutboxDraft]) -> None:
        self._batch.steps += batch.steps
        shown = {draft.kind for draft in drafts if draft.kind in NEWEST_ONLY}
        older = (each for each in self._drafts if each[1].kind not in shown)
        self._drafts = [*older, *((seq, draft) for draft in drafts)]
