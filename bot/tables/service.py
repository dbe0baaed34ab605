"""The tables: one facade over the services that read and change them.

Each change is one transaction of the store: the log entry, the delivery that it carries out, the
snapshot, the outbox items. Memory changes after the commit, or not at all.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from random import Random

from bot.game.versions import Games, Versions
from bot.store import Store, WriteBatch
from bot.tables.archive.history import History
from bot.tables.archive.importing import Imports
from bot.tables.archive.reporting import Reporting
from bot.tables.archive.table_reader import TableReader
from bot.tables.clock.idle_lobbies import IdleLobbies
from bot.tables.clock.pauses import Pauses
from bot.tables.clock.turn_clocks import TurnClocks
from bot.tables.computers.computers import RETRY_S, Computers, Orders, Policies
from bot.tables.computers.standing_orders import StandingOrders
from bot.tables.core import errors
from bot.tables.core.cache import LoadedTable, rules_of
from bot.tables.core.clock import Clock, SystemClock
from bot.tables.core.message_numbers import MessageNumbers
from bot.tables.core.metrics_sink import MetricsSink, NoMetrics
from bot.tables.core.model import GOING, Status
from bot.tables.core.outbox import Outbox
from bot.tables.core.scheduler import Scheduler
from bot.tables.core.unit_of_work import REMEMBERED, UnitOfWork
from bot.tables.people.first_turns import FirstTurns
from bot.tables.people.names import DisplayNames
from bot.tables.people.notes import Notes
from bot.tables.people.notifications import Notifications
from bot.tables.people.promise_verdicts import PromiseVerdicts
from bot.tables.people.servers import Servers
from bot.tables.people.settings import People
from bot.tables.plans.plans import Plans
from bot.tables.plans.playing import PlanPlaying
from bot.tables.play.leaving import Leaving
from bot.tables.play.lobby import Lobby
from bot.tables.play.play import Play
from bot.tables.results.results import Results
from bot.tables.seats.rematches import Rematches
from bot.tables.seats.seats import Seats
from bot.tables.votes.proposals import Proposals
from bot.tables.votes.undo_votes import UndoVotes

logger = logging.getLogger(__name__)

CAPACITY = 256
"""Tables in memory at once."""


def new_key() -> bytes:
    """32 secret bytes."""
    return secrets.token_bytes(32)


class Tables:
    """All tables of the program, over one store.

    Every method of a service that changes something takes the `delivery` it answers, an id that
    its sender repeats when in doubt: a delivery is carried out once, and gives the same result
    again after that. All raise `TableError`, and StoreUnavailable among them, with nothing
    changed.
    """

    def __init__(
        self,
        store: Store,
        games: Games,
        policies: Policies,
        clock: Clock | None = None,
        rng: Random | None = None,
        new_key: Callable[[], bytes] = new_key,
        capacity: int = CAPACITY,
        retry_s: float = RETRY_S,
        metrics: MetricsSink | None = None,
        orders: Orders | None = None,
    ) -> None:
        self._unit_of_work = unit_of_work = UnitOfWork(
            store, games, clock or SystemClock(), capacity
        )
        orders = orders or Versions({})
        self.reader = TableReader(unit_of_work)
        self.outbox = Outbox(unit_of_work)
        self.scheduler = Scheduler(unit_of_work)
        self.people = People(unit_of_work)
        self.names = DisplayNames(unit_of_work)
        self.first_turns = FirstTurns(unit_of_work)
        self.notes = Notes(unit_of_work)
        self.servers = Servers(unit_of_work)
        self.message_numbers = MessageNumbers(unit_of_work)
        self.promise_verdicts = PromiseVerdicts(unit_of_work)
        self.notifications = Notifications(unit_of_work, self.people, self.scheduler)
        self.proposals = Proposals(unit_of_work, self.scheduler)
        self.undo_votes = UndoVotes(unit_of_work, self.proposals)
        self.seats = Seats(unit_of_work, self.proposals)
        self.turn_clocks = TurnClocks(unit_of_work, self.people, self.scheduler, self.seats)
        self.pauses = Pauses(unit_of_work, self.scheduler, self.proposals)
        self.idle_lobbies = IdleLobbies(unit_of_work, self.scheduler)
        self.results = Results(unit_of_work, self.people)
        self.history = History(unit_of_work)
        self.rematches = Rematches(unit_of_work, new_key)
        self.imports = Imports(unit_of_work, new_key)
        self.reporting = Reporting(unit_of_work)
        self.orders = StandingOrders(unit_of_work, orders)
        self.lobby = Lobby(unit_of_work, policies, new_key)
        self.leaving = Leaving(unit_of_work)
        self.play = Play(unit_of_work, self.results, metrics or NoMetrics())
        self.computers = Computers(
            unit_of_work, self.play.act, policies, orders, rng or Random(), retry_s
        )
        self.plans = Plans(unit_of_work)
        self.plan_playing = PlanPlaying(unit_of_work, self.plans, self.play.act)
        unit_of_work.hooks.append(self.computers.take_up)
        unit_of_work.hooks.append(self.plan_playing.take_up)

    async def resume(self) -> None:
        """Takes up the computer players where they were, and starts them.

        Raises StoreError, and has then begun nothing, where the database can be neither read nor
        written; it may be called again.
        """
        playing = await self._unit_of_work.store.computer_turns(Status.PLAYING)
        armed = await self._unit_of_work.store.armed_plans()
        for game, version, count in await self._unit_of_work.store.versions(GOING):
            try:
                rules_of(self._unit_of_work.games, game, version)
            except errors.NOT_HERE as problem:
                logger.warning("tables that cannot go on here: %d (%s)", count, problem)
        # Written though there may be nothing to forget: better to know now that nothing can be.
        batch = WriteBatch()
        batch.prune_handled(self._unit_of_work.clock.now() - REMEMBERED)
        await self._unit_of_work.store.commit(batch)
        for table_id in playing:
            self.computers.put(table_id)
        self.computers.start()
        self.plan_playing.resume(armed)
        self.scheduler.start()

    async def close(self) -> None:
        """Waits for what is in progress. The store stays open."""
        await self.scheduler.stop()
        await self.computers.stop()
        await self.plan_playing.finish()
        await self.people.finish()
        await self.names.finish()
        await self._unit_of_work.cache.finish()

    async def __aenter__(self) -> Tables:
        await self.resume()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def subscribe(self, hook: Callable[[int], None]) -> Callable[[], None]:
        """From now on `hook` is called with a table's id after each change. It must be quick.

        Calling the function that is returned ends that.
        """

        def changed(after: LoadedTable) -> None:
            hook(after.table.id)

        self._unit_of_work.hooks.append(changed)
        return lambda: self._unit_of_work.hooks.remove(changed)
