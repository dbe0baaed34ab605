"""One action of a seat, carried out: what the rules say, promises, results, and who is told."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from time import perf_counter

from msgspec.structs import replace

from bot.game.contract import Action, Decision, Seat
from bot.game.log import Entry
from bot.store import EntryRow, HandledRow, WriteBatch
from bot.tables.core import errors, outbox_drafts, position, promises, seating
from bot.tables.core.cache import LoadedTable
from bot.tables.core.model import OutboxKind, Status, Table
from bot.tables.core.outbox_drafts import NEWEST_ONLY, OutboxDraft
from bot.tables.core.promises import NO_TERMS, Terms
from bot.tables.core.unit_of_work import UnitOfWork
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


class Unit:
    """Actions at one table that are stored together, for a caller that holds its lock.

    Each is a log entry of its own, with all that it causes, as if it had been stored by itself;
    only the snapshot, and those messages that show the table as it is, are of the last one.
    `after` is the table as it will be; `rows` are the entries so far.
    """

    def __init__(self, unit_of_work: UnitOfWork, results: Results, before: LoadedTable) -> None:
        self._unit_of_work = unit_of_work
        self._results = results
        self._batch = WriteBatch()
        self._drafts: list[tuple[int, OutboxDraft]] = []
        self.after = before
        self.rows: list[EntryRow] = []

    @property
    def entries(self) -> Sequence[Entry]:
        """What was done so far."""
        return self.after.position().recent[-len(self.rows) :] if self.rows else ()

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
        game, before, table = unit_of_work.rules(loaded.table), loaded.position(), loaded.table
        now = position.act(game, before, loaded.key, seat, action, unit_of_work.clock.now())
        made = promises.made(terms, table, seat, before, now, now.entry.events)
        settled = promises.settled(loaded.promises, action, before, now)
        now = now.with_events(promises.events(made, now.seq, seat))
        known = promises.write(batch, table.id, loaded.promises, [*made, *settled])
        is_asleep = table.status is Status.SLEEPING
        if now.outcome is not None:
            table = replace(table, status=Status.FINISHED)
        elif is_asleep:
            table = replace(table, status=Status.PLAYING)
        if user is not None and table.players[seat].is_autopiloted:
            table = seating.take_back(table, seat)
        after = replace(loaded, table=table, now=now, promises=known)
        if table is not loaded.table:
            batch.save_table(after.row())
            batch.save_players(table.id, after.player_rows())
        actor = table.players[seat]
        row = unit_of_work.enter(batch, table, actor.user if actor.is_human else None, now)
        drafts = outbox_drafts.at_action(game, table, seat, action, before, now, now.entry.events)
        if is_asleep and OutboxDraft(OutboxKind.BOARD) not in drafts:
            drafts.append(OutboxDraft(OutboxKind.BOARD))
        if told is not None:
            drafts.append(OutboxDraft(told, seat))
        if also is not None:
            await also(batch)
        drafts = await unit_of_work.follow(batch, loaded, after, drafts)
        self._batch.steps += batch.steps
        shown = {draft.kind for draft in drafts if draft.kind in NEWEST_ONLY}
        older = (each for each in self._drafts if each[1].kind not in shown)
        self._drafts = [*older, *((now.seq, draft) for draft in drafts)]
        self.after = after
        self.rows.append(row)

    async def store(self, delivery: str | None = None) -> None:
        """Stores all of it, and then tells everybody here."""
        after, batch = self.after, self._batch
        batch.save(position.snapshot(after.table, after.position()))
        for seq, draft in self._drafts:
            outbox_drafts.write(batch, after.table.id, seq, [draft])
        async with self._results.counted(batch, after, self.rows):
            drafts = [draft for _seq, draft in self._drafts]
            await self._unit_of_work.conclude(batch, after, drafts, delivery)


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
        `promises.made` raises.
        """
        unit_of_work, began = self._unit_of_work, perf_counter()

        async def work() -> tuple[Entry, bool]:
            loaded = await unit_of_work.cache.load(table_id)
            pending = loaded.position().pending
            comes_back = user is not None and told is None
            if not comes_back or loaded.table.status is not Status.SLEEPING:
                seating.check_playing(loaded.table)
            _check_seat(loaded.table, seat, user)
            if decision is not None and not _is_asked(pending, seat, decision):
                raise errors.StaleDecision("stale_decision", seat=seat)
            unit = self.unit(loaded)
            await unit.take(seat, action, terms=terms, user=user, told=told, also=also)
            await unit.store(delivery)
            self.note(unit, perf_counter() - began)
            return unit.after.position().entry.seen_by(seat), False

        async def again(done: HandledRow) -> tuple[Entry, bool]:
            entries = await unit_of_work.cache.entries(table_id, done.seq)
            return entries[0].seen_by(seat), True

        return await unit_of_work.once(table_id, delivery, work, again)

    def unit(self, before: LoadedTable) -> Unit:
        """An empty unit on top of a table in memory."""
        return Unit(self._unit_of_work, self._results, before)

    def note(self, unit: Unit, seconds: float) -> None:
        """Notes actions that were stored, and how long that took."""
        table = unit.after.table
        for row, entry in zip(unit.rows, unit.entries, strict=True):
            # The kind of an action is for everybody; its other words may be secret.
            fields = {
                "table": table.id,
                "seq": entry.seq,
                "game": table.game,
                "seat": entry.seat,
                "kind": entry.kind,
                "ms": round(1000 * seconds, 1),
            }
            logger.info(ACTED, fields)
            self._metrics.acted(table.game, row.user is not None, seconds)


def _check_seat(table: Table, seat: Seat, user: int | None) -> None:
    if not 0 <= seat < len(table.players):
        raise errors.Rejected("not_your_seat", seat=seat)
    if user is not None and table.players[seat].user != user:
        raise errors.Rejected("not_your_seat", seat=seat)


def _is_asked(pending: Iterable[Decision], seat: Seat, decision: str) -> bool:
    return any(asked.id == decision and asked.seat == seat for asked in pending)
