"""One action of a seat, carried out: what the rules say, promises, results, and who is told."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from time import perf_counter

from bot.game.contract import Action, Decision, Seat
from bot.store import HandledRow
from bot.tables.core import errors, seating
from bot.tables.core.cache import LoadedTable
from bot.tables.core.metrics_sink import MetricsSink
from bot.tables.core.model import Acted, OutboxKind, Status, Table
from bot.tables.core.promises import NO_TERMS, Terms
from bot.tables.core.unit_of_work import UnitOfWork
from bot.tables.play.unit import Also, TakenAction, Unit
from bot.tables.results.results import Results

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
    ) -> Acted:
        """Carries out a seat's action; with `terms`, promises go with the offer that it makes.

        A `decision` must still be asked. The seat must be the `user`'s, where one is given; they
        play themselves again where a computer player acted for them, and wake a sleeping table.
        They are `told` by such an item of what is done without them, by a standing order or a plan.
        What it `also` brings is stored along with it.

        Raises IllegalAction, StaleDecision, not_your_seat, not_started or table_over, and what
        `promises.made` raises.
        """
        unit_of_work, began = self._unit_of_work, perf_counter()

        async def work() -> Acted:
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
            (taken,) = unit.taken
            self.note(unit.after.table, taken, perf_counter() - began)
            return Acted(taken.entry.seq, taken.events)

        async def again(done: HandledRow) -> Acted:
            happened = await unit_of_work.cache.happened(table_id, done.seq)
            return Acted(done.seq, happened[0].heard_by(seat), repeated=True)

        return await unit_of_work.once(table_id, delivery, work, again)

    def unit(self, before: LoadedTable) -> Unit:
        """An empty unit on top of a table in memory."""
        return Unit(self._unit_of_work, self._results, before)

    def note(self, table: Table, taken: TakenAction, seconds: float) -> None:
        """Notes an action that was stored, and how long that took."""
        # The kind of an action is for everybody; its other words may be secret.
        fields = {
            "table": table.id,
            "seq": taken.entry.seq,
            "game": table.game,
            "seat": taken.player.seat,
            "kind": taken.action[0],
            "ms": round(1000 * seconds, 1),
        }
        logger.info(ACTED, fields)
        self._metrics.acted(table.game, taken.player.is_human, seconds)


def _check_seat(table: Table, seat: Seat, user: int | None) -> None:
    if not 0 <= seat < len(table.players):
        raise errors.Rejected("not_your_seat", seat=seat)
    if user is not None and table.players[seat].user != user:
        raise errors.Rejected("not_your_seat", seat=seat)


def _is_asked(pending: Iterable[Decision], seat: Seat, decision: str) -> bool:
    return any(asked.id == decision and asked.seat == seat for asked in pending)
