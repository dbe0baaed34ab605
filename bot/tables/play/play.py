"""One action of a seat, carried out: what the rules say, promises, results, and who is told."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable
from time import perf_counter

from msgspec.structs import replace

from bot.game.contract import Action, Decision, Seat
from bot.store import HandledRow, WriteBatch
from bot.tables.core import errors, outbox_drafts, position, promises, seating
from bot.tables.core.cache import LoadedTable
from bot.tables.core.metrics_sink import MetricsSink
from bot.tables.core.model import Acted, OutboxKind, Player, Status, Table
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.promises import NO_TERMS, Terms
from bot.tables.core.unit_of_work import UnitOfWork
from bot.tables.results.results import Results

logger = logging.getLogger(__name__)

Also = Callable[[WriteBatch], Awaitable[None]]
"""Adds to the batch of an action what is stored with it, or raises why it must not be done."""

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
    ) -> Acted:
        """Carries out a seat's action; with `terms`, promises go with the offer that it makes.

        A `decision` must still be asked. The seat must be the `user`'s, where one is given; they
        play themselves again where a computer player acted for them. They are `told` by such an
        item of what is done without them, by a standing order or a plan. What it `also` brings is
        stored along with it.

        Raises IllegalAction, StaleDecision, NotYourSeat, NotStarted or TableOver, and what
        `promises.made` raises.
        """
        unit_of_work, began = self._unit_of_work, perf_counter()

        async def work() -> Acted:
            loaded = await unit_of_work.cache.load(table_id)
            before = loaded.position()
            seating.check_playing(loaded.table)
            player = _player(loaded.table, seat, user)
            if decision is not None and not _is_asked(before.pending, seat, decision):
                raise errors.StaleDecision(seat=seat)
            game = unit_of_work.rules(loaded.table)
            step = position.act(game, before, loaded.key, seat, action, unit_of_work.clock.now())
            happened = step.happened.events
            made = promises.made(terms, loaded.table, seat, before, step.position, happened)
            settled = promises.settled(loaded.promises, action, before, step.position)
            step = position.with_events(step, promises.events(made, step.position.seq, seat))
            batch = WriteBatch()
            known = promises.write(batch, table_id, loaded.promises, made, settled)
            after = replace(loaded, now=step.position, promises=known)
            if step.position.outcome is not None:
                after = after.with_table(replace(loaded.table, status=Status.FINISHED))
                batch.save_table(after.row())
            if user is not None and player.is_autopiloted:
                after = after.with_table(seating.take_back(after.table, seat))
                batch.save_players(table_id, after.player_rows())
            actor = after.table.players[seat]
            by = actor.user if actor.is_human else None
            entry = unit_of_work.enter(batch, after.table, seat, by, step)
            drafts = outbox_drafts.at_action(
                game, after.table, seat, action, before, step.position, step.happened.events
            )
            if told is not None:
                drafts.append(OutboxDraft(told, seat))
            if also is not None:
                await also(batch)
            async with self._results.counted(batch, after, entry):
                await unit_of_work.commit(batch, after, drafts, delivery)
            self._note(player, after, action, perf_counter() - began)
            return Acted(step.position.seq, step.happened.heard_by(seat))

        async def again(done: HandledRow) -> Acted:
            happened = await unit_of_work.cache.happened(table_id, done.seq)
            return Acted(done.seq, happened[0].heard_by(seat), repeated=True)

        return await unit_of_work.once(table_id, delivery, work, again)

    def _note(self, player: Player, after: LoadedTable, action: Action, seconds: float) -> None:
        # The kind of an action is for everybody; its other words may be secret.
        fields = {
            "table": after.table.id,
            "seq": after.seq(),
            "game": after.table.game,
            "seat": player.seat,
            "kind": action[0],
            "ms": round(1000 * seconds, 1),
        }
        logger.info(ACTED, fields)
        self._metrics.acted(after.table.game, player.is_human, seconds)


def _player(table: Table, seat: Seat, user: int | None) -> Player:
    if not 0 <= seat < len(table.players):
        raise errors.NotYourSeat(seat=seat)
    player = table.players[seat]
    if user is not None and player.user != user:
        raise errors.NotYourSeat(seat=seat)
    return player


def _is_asked(pending: Iterable[Decision], seat: Seat, decision: str) -> bool:
    return any(asked.id == decision and asked.seat == seat for asked in pending)
