"""Actions of seats, carried out with their promises, results and messages."""

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
from bot.tables.seats import return_seat


class MetricsSink:
    """Receives metrics about actions and replies; this class ignores them.

    Its methods must be quick, and get no secrets.
    """

    def acted(self, game: str, by_person: bool, seconds: float) -> None:
        """Count an action that was stored this long after the request."""

    def refused(self, code: str) -> None:
        """Count a refusal."""

    def answered(self, seconds: float) -> None:
        """Count a reply, this long after the user's input."""


ExtraWrite = Callable[[WriteBatch], Awaitable[None]]
"""Adds further data to the batch of an action, or raises to refuse the action."""


logger = logging.getLogger(__name__)

ACTED = "acted " + " ".join(
    f"{name}=%({name})s" for name in ("table", "seq", "game", "seat", "kind", "ms")
)


class Play:
    """Carries out actions."""

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
        message: OutboxKind | None = None,
        also_write: ExtraWrite | None = None,
        delivery: str | None = None,
    ) -> tuple[Entry, bool]:
        """Carry out a seat's action; `terms` are the promises of the offer that it makes.

        A `decision` must still be pending. If a `user` is given, the seat must be theirs; the
        action turns their autopilot off and wakes a sleeping table. For an action by a standing
        order or plan, `message` is the kind of the message to the user. `also_write` adds data to
        the action's transaction.

        Return the log entry as the seat sees it, and whether the delivery was handled before: then
        nothing happened now.

        Raise IllegalAction, StaleDecision, not_your_seat, not_started or table_over, and the errors
        of `promises.create`.
        """
        unit_of_work, began = self._unit_of_work, perf_counter()

        async def work() -> tuple[Entry, bool]:
            change = TableChange(unit_of_work, await unit_of_work.cache.load(table_id))
            table, pending = change.table, change.after.position().pending
            comes_back = user is not None and message is None
            if not comes_back or table.status is not Status.SLEEPING:
                seating.check_playing(table)
            if not 0 <= seat < len(table.players) or user not in (None, table.players[seat].user):
                raise errors.Rejected("not_your_seat", seat=seat)
            ids = [each.id for each in pending if each.seat == seat]
            if decision is not None and decision not in ids:
                raise errors.StaleDecision("stale_decision", seat=seat)
            await self.take(
                change, seat, action, terms=terms, user=user, message=message, also_write=also_write
            )
            await self.store(change, began, delivery)
            return change.after.position().entry.seen_by(seat), False

        async def repeat(handled: HandledRow) -> tuple[Entry, bool]:
            entries = await unit_of_work.cache.entries(table_id, handled.seq)
            return entries[0].seen_by(seat), True

        return await unit_of_work.run_idempotent(table_id, delivery, work, repeat)

    async def take(
        self,
        change: TableChange,
        seat: Seat,
        action: Action,
        *,
        terms: Terms = NO_TERMS,
        user: int | None = None,
        message: OutboxKind | None = None,
        also_write: ExtraWrite | None = None,
    ) -> None:
        """Add an action with all its consequences to a change; see `act` for the parameters.

        If it raises, the change is as before.
        """
        with change.savepoint():
            loaded, table, batch = change.after, change.table, change.batch
            game, before = self._unit_of_work.rules(table), loaded.position()
            at = self._unit_of_work.clock.now()
            now = position.act(game, before, loaded.key, seat, action, at)
            new = promises.create(terms, table, seat, before, now, now.entry.events)
            settled = promises.settle(loaded.promises, action, before, now)
            now = now.with_events(promises.events(new, now.seq, seat))
            all_promises = promises.write(batch, loaded.promises, [*new, *settled])
            is_asleep = table.status is Status.SLEEPING
            if now.outcome is not None:
                table = replace(table, status=Status.FINISHED)
            elif is_asleep:
                table = replace(table, status=Status.PLAYING)
            if user is not None and table.players[seat].is_autopiloted:
                table = seating.take_back(table, seat)
            change.after = replace(loaded, table=table, promises=all_promises)
            actor = table.players[seat]
            change.enter(now, actor.user if actor.is_human else None)
            change.drafts += outbox_drafts.at_action(
                game, table, seat, action, before, now, now.entry.events
            )
            if is_asleep and OutboxDraft(OutboxKind.BOARD) not in change.drafts:
                change.post(OutboxKind.BOARD)
            if message is not None:
                change.post(message, seat)
            # As in `clocks.thinking_times`, a turn also ends with the round.
            is_to_act = seat in {each for each, _kind in now.to_act()}
            has_turn = is_to_act and game.round(now.state) == game.round(before.state)
            if actor.is_autopiloted and not (has_turn or table.is_over):
                await return_seat(change, seat)
            if also_write is not None:
                await also_write(batch)
            await change.stage()

    async def store(self, change: TableChange, began: float, delivery: str | None = None) -> None:
        """Store the actions of a change, which was requested at `began` (`perf_counter`)."""
        async with self._results.add_to(change.batch, change.after, change.rows):
            await change.commit(delivery)
        table, seconds = change.table, perf_counter() - began
        for row in change.rows:
            # Only the kind of an action is public; its other words may be secret.
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
