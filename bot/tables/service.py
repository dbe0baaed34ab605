"""The facade over the services that read and change tables.

Each change is one transaction: the log entry, the delivery that it carries out, the snapshot and
the outbox items. The cache changes only after the commit.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from random import Random
from secrets import token_bytes
from typing import TypeVar

from bot.game.versions import Games, Versions
from bot.store import Status, Store, WriteBatch
from bot.tables.awards import Awards
from bot.tables.choosing import (
    ComputerChoices,
    Orders,
    Policies,
    RunningSearches,
    StandingOrders,
    StrongPlayer,
)
from bot.tables.clocks import Clocks
from bot.tables.computers import RETRY_S, Computers
from bot.tables.core import (
    IN_PROGRESS,
    Clock,
    LoadedTable,
    Outages,
    Outbox,
    Scheduler,
    SystemClock,
    UnitOfWork,
    errors,
)
from bot.tables.core.cache import rules_of
from bot.tables.core.unit_of_work import DELIVERY_LIFETIME, Ownership
from bot.tables.cups import Cups
from bot.tables.export import Exports
from bot.tables.following import Following
from bot.tables.history import History
from bot.tables.idleness import Idleness
from bot.tables.importing import Imports
from bot.tables.lessons import LessonTables
from bot.tables.lobby import Leaving, Lobby
from bot.tables.notes import Notes
from bot.tables.notifications import Notifications
from bot.tables.people import People
from bot.tables.plans import Plans
from bot.tables.play import MetricsSink, Play
from bot.tables.predictions import Predictions
from bot.tables.reader import TableReader
from bot.tables.results import Results
from bot.tables.search import Searches
from bot.tables.seats import Seats
from bot.tables.servers import KEEP_DAYS, Servers
from bot.tables.sharing import TableSharing
from bot.tables.undo import Undoing
from bot.tables.votes import Voting
from bot.tables.webhooks import Webhooks
from bot.tables.whispers import Whispers

logger = logging.getLogger(__name__)

R = TypeVar("R")
T = TypeVar("T")

CAPACITY = 256
"""Tables in the cache."""


class Tables:
    """All tables in one store.

    Methods that change something are idempotent by `delivery`, the id of the user's request: a
    repeated delivery changes nothing and returns the same result. All raise `Rejected`, including
    StoreUnavailable, with nothing changed.
    """

    def __init__(
        self,
        store: Store,
        games: Games,
        policies: Policies,
        clock: Clock | None = None,
        rng: Random | None = None,
        new_key: Callable[[], bytes] = token_bytes,
        capacity: int = CAPACITY,
        retry_s: float = RETRY_S,
        metrics: MetricsSink | None = None,
        orders: Orders | None = None,
        ownership: Ownership | None = None,
        strong_player: StrongPlayer | None = None,
        left_servers_days: int = KEEP_DAYS,
    ) -> None:
        self._unit_of_work = unit_of_work = UnitOfWork(
            store, games, clock or SystemClock(), capacity, ownership or Ownership()
        )
        orders = orders or Versions({})
        self.reader = TableReader(unit_of_work)
        self.outbox = Outbox(unit_of_work)
        self.outages = Outages(unit_of_work)
        self.scheduler = Scheduler(unit_of_work, self.outages)
        self.people = People(unit_of_work)
        self.notes = Notes(unit_of_work)
        self.whispers = Whispers(unit_of_work)
        self.webhooks = Webhooks(unit_of_work, new_key)
        self.servers = Servers(unit_of_work, self.scheduler, self.people, left_servers_days)
        self.server_members = unit_of_work.members
        self.notifications = Notifications(unit_of_work, self.people, self.scheduler, self.outages)
        self.following = Following(unit_of_work, self.people, self.scheduler)
        self.votes = Voting(unit_of_work, self.scheduler, self.outages)
        self.undo = Undoing(unit_of_work, self.votes)
        self.predictions = Predictions(unit_of_work)
        self.results = Results(unit_of_work, self.people)
        self.awards = Awards(unit_of_work)
        check_may_join = self.results.check_may_join
        self.seats = Seats(unit_of_work, new_key, self.scheduler, check_may_join)
        self.clocks = Clocks(unit_of_work, self.people, self.scheduler, self.votes, self.outages)
        self.idleness = Idleness(unit_of_work, self.scheduler)
        self.history = History(unit_of_work)
        self.imports = Imports(unit_of_work, new_key)
        self.lessons = LessonTables(unit_of_work, self.imports, self.scheduler)
        self.exports = Exports(unit_of_work)
        self.orders = StandingOrders(unit_of_work, orders)
        self.lobby = Lobby(unit_of_work, policies, new_key, check_may_join)
        self.searches = Searches(
            unit_of_work, self.people, self.servers, self.scheduler, self.lobby
        )
        self.leaving = Leaving(unit_of_work, self.votes)
        self.cups = Cups(
            unit_of_work,
            self.scheduler,
            self.servers,
            self.lobby,
            self.seats,
            self.leaving,
            new_key,
        )
        self.play = Play(unit_of_work, self.results, metrics or MetricsSink())
        rng = rng or Random()
        chooser = ComputerChoices(policies, orders, rng)
        searches = RunningSearches(
            strong_player, unit_of_work.cache.locks, lambda: str(rng.getrandbits(64))
        )
        self.computers = Computers(
            unit_of_work, self.play, chooser, searches, self.scheduler, retry_s
        )
        self.plans = Plans(unit_of_work, self.play)
        self.sharing = TableSharing(
            unit_of_work, self.computers, self.plans, self.people, self.servers
        )
        self.on_behalf, self.ownership = unit_of_work.on_behalf, unit_of_work.ownership

    async def resume(self) -> None:
        """Start the computer players, plans and the scheduler, and resume unfinished turns.

        With a shared database, turns are resumed later, by `TableSharing.take_over`. Raise
        StoreError if the database cannot be read or written; nothing has started then, and the call
        may be repeated.
        """
        store, now = self._unit_of_work.store, self._unit_of_work.clock.now()
        playing = [] if self.is_shared else await store.computer_turns(Status.PLAYING)
        armed = [] if self.is_shared else await store.armed_plans()
        for game, version, count in await store.versions(IN_PROGRESS):
            try:
                rules_of(self._unit_of_work.games, game, version)
            except errors.RulesUnavailable as problem:
                logger.warning("rules missing count=%d error=%s", count, problem)
        # Always commit, even without old deliveries, to find out now whether writes work.
        batch = WriteBatch()
        batch.prune_handled(now - DELIVERY_LIFETIME)
        await store.commit(batch)
        for table_id in playing:
            self.computers.queue(table_id)
        self.computers.start()
        self.plans.resume(armed)
        self.scheduler.start()

    async def close(self) -> None:
        """Stop, and wait for work in progress. The store stays open."""
        await self.scheduler.stop()
        await self.computers.stop()
        await self.sharing.finish()
        await self.plans.finish()
        await self.people.finish()
        await self._unit_of_work.cache.finish()

    @property
    def is_shared(self) -> bool:
        """Whether other processes also own and change tables."""
        return self.ownership.shards() is not None

    def subscribe(self, hook: Callable[[int], None]) -> Callable[[], None]:
        """Call `hook` with a table's id after each change here or, for our tables, elsewhere.

        It must be quick. Return a function that unsubscribes it.
        """
        return _add(self._unit_of_work.subscribers, hook)

    def before_commit(self, hook: Callable[[LoadedTable], str | None]) -> Callable[[], None]:
        """Call `hook` before a change is stored that will post the board.

        It gets the table after the change. The commit may still fail. The hook must be quick, and
        return the kind of the message that will be sent at once, or None; the commit then reserves
        the message's number. Return a function that unregisters the hook.
        """
        return _add(self._unit_of_work.before_commit, hook)

    def listen(self, hook: Callable[[int], None]) -> Callable[[], None]:
        """Call `hook` with the id of any table that another process changes.

        Return a function that unregisters the hook.
        """
        return _add(self.sharing.listeners, hook)


def _add(hooks: list[Callable[[T], R]], hook: Callable[[T], R]) -> Callable[[], None]:
    hooks.append(hook)
    return lambda: hooks.remove(hook)
