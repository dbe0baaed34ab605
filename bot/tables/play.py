"""One action of a seat, carried out: what the rules say, promises, results, and who is told."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from time import perf_counter

from msgspec.structs import replace

from bot.game.contract import Action, Seat
from bot.game.log import Entry
from bot.store import HandledRow, OutboxKind, Status, WriteBatch
from bot.tables.core import (
    NO_TERMS,
    OutboxDraft,
    TableChange,
    Terms,
    UnitOfWork,
    errors,
    outbox_drafts,
    position,
    promises,
    seating,
)
from bot.tables.results import Results


class MetricsSink:
    """Is told what people do and how long they wait; this one counts nothing.

    It must be quick, and hears nothing secret.
    """

    def acted(self, game: str, by_person: bool, seconds: float) -> None:
        """An action was carried out and stored, so many seconds after it was asked for."""

    def refused(self, code: str) -> None:
        """Somebody was refused something, for the reason with that code."""

    def answered(self, seconds: float) -> None:
        """Somebody got an answer, so many seconds after pressing or typing."""


Also = Callable[[WriteBatch], Awaitable[None]]
"""Adds to the batch of an action what is stored with it, or raises why it must not be done."""


logger = logging.getLogger(__name__)

ACTED = "acted " + " ".join(
    f"{name}=%({name})s" for name in ("table", "seq", "game", "seat", "kind", "ms")
)


class Play:
    """Carries actions out."""

    def __init__(self, unit_of_work: UnitOfWork, results: Results, metrics: MetricsSink) -> None:
        self._unit_of_work = unit_of_work
        self._results = results
        self._metrics = metrics

    async def act(
        self,
        table_id: int,
        seat: Seat,
        action: Action,
        *,
        terms: Terms = NO_TERMS,
        decision: str | None = None,
        user: int | None = None,
        told: OutboxKind | None = None,
        also: Also | None = None,
        delivery: str | None = None,
    ) -> tuple[Entry, bool]:
        """Carries out a seat's action; with `terms`, promises go with the offer that it makes.

        A `decision` must still be asked. The seat must be the `user`'s, where one is given; they
        play themselves again where a computer player acted for them, and wake a sleeping table.
        They are `told` by such an item of what is done without them, by a standing order or a plan.
        What it `also` brings is stored along with it.

        Returns the log entry as the seat sees it, and whether this delivery had been carried out
        before: then nothing happened now.

        Raises IllegalAction, StaleDecision, not_your_seat, not_started or table_over, and what
        `promises.create` raises.
        """
        unit_of_work, began = self._unit_of_work, perf_counter()

        async def work() -> tuple[Entry, bool]:
            change = TableChange(unit_of_work, await unit_of_work.cache.load(table_id))
            table, pending = change.table, change.after.position().pending
            comes_back = user is not None and told is None
            if not comes_back or table.status is not Status.SLEEPING:
                seating.check_playing(table)
            if not 0 <= seat < len(table.players) or user not in (None, table.players[seat].user):
                raise errors.Rejected("not_your_seat", seat=seat)
            asked = [each.id for each in pending if each.seat == seat]
            if decision is not None and decision not in asked:
                raise errors.StaleDecision("stale_decision", seat=seat)
            await self.take(change, seat, action, terms=terms, user=user, told=told, also=also)
            await self.store(change, began, delivery)
            return change.after.position().entry.seen_by(seat), False

        async def again(done: HandledRow) -> tuple[Entry, bool]:
            entries = await unit_of_work.cache.entries(table_id, done.seq)
            return entries[0].seen_by(seat), True

        return await unit_of_work.run_idempotent(table_id, delivery, work, again)

    async def take(
        self,
        change: TableChange,
        seat: Seat,
        action: Action,
        *,
        terms: Terms = NO_TERMS,
        user: int | None = None,
        told: OutboxKind | None = None,
        also: Also | None = None,
    ) -> None:
        """Adds an action to a change with all that it causes, as if it was stored by itself; see
        `act`. Where it raises, nothing of it is in the change."""
        with change.savepoint():
            loaded, table, batch = change.after, change.table, change.batch
            game, before = self._unit_of_work.rules(table), loaded.position()
            at = self._unit_of_work.clock.now()
            now = position.act(game, before, loaded.key, seat, action, at)
            made = promises.create(terms, table, seat, before, now, now.entry.events)
            settled = promises.settle(loaded.promises, action, before, now)
            now = now.with_events(promises.events(made, now.seq, seat))
            known = promises.write(batch, loaded.promises, [*made, *settled])
            is_asleep = table.status is Status.SLEEPING
            if now.outcome is not None:
                table = replace(table, status=Status.FINISHED)
            elif is_asleep:
                table = replace(table, status=Status.PLAYING)
            if user is not None and table.players[seat].is_autopiloted:
                table = seating.take_back(table, seat)
            change.after = replace(loaded, table=table, promises=known)
            actor = table.players[seat]
            change.enter(now, actor.user if actor.is_human else None)
            change.drafts += outbox_drafts.at_action(
                game, table, seat, action, before, now, now.entry.events
            )
            if is_asleep and OutboxDraft(OutboxKind.BOARD) not in change.drafts:
                change.post(OutboxKind.BOARD)
            if told is not None:
                change.post(told, seat)
            if also is not None:
                await also(batch)
            await change.stage()

    async def store(self, change: TableChange, began: float, delivery: str | None = None) -> None:
        """Stores the actions of a change, for which people have waited since `began`."""
        async with self._results.counted(change.batch, change.after, change.rows):
            await change.commit(delivery)
        table, seconds = change.table, perf_counter() - began
        for row in change.rows:
            # The kind of an action is for everybody; its other words may be secret.
            fields = {
                "table": table.id,
                "seq": row.seq,
                "game": table.game,
                "seat": row.seat,
                "kind": row.action.partition(" ")[0],
                "ms": round(1000 * seconds, 1),
            }
            logger.info(ACTED, fields)
            self._metrics.acted(table.game, row.user is not None, seconds)
