"""The tables: one facade over the services that read and change them.

Each change is one transaction of the store: the log entry, the delivery that it carries out, the
snapshot, the outbox items. Memory changes after the commit, or not at all.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager
from random import Random
from typing import TypeVar

from bot.game.versions import Games, Versions
from bot.store import Store, WriteBatch
from bot.store.sharing import Notice, Shards
from bot.tables.choosing import ComputerChoices, Orders, Policies, StandingOrders, Thinker, Thoughts
from bot.tables.clocks import Clocks
from bot.tables.computers import RETRY_S, Computers
from bot.tables.core import errors
from bot.tables.core.cache import LoadedTable, from_store, rules_of
from bot.tables.core.calendar import Clock, SystemClock
from bot.tables.core.hearing import Hearing
from bot.tables.core.model import GOING, Status, Table
from bot.tables.core.outbox import Outbox
from bot.tables.core.scheduler import Outages, Scheduler
from bot.tables.core.unit_of_work import REMEMBERED, Ownership, UnitOfWork
from bot.tables.export import Exports
from bot.tables.history import History
from bot.tables.idleness import Idleness
from bot.tables.importing import Imports
from bot.tables.lobby import Leaving, Lobby
from bot.tables.notes import Notes
from bot.tables.notifications import Notifications
from bot.tables.people import People
from bot.tables.plans import Plans
from bot.tables.play import MetricsSink, Play
from bot.tables.reader import TableReader
from bot.tables.results import Results
from bot.tables.seats import Seats
from bot.tables.servers import KEPT_DAYS, Servers
from bot.tables.undo import Undoing
from bot.tables.votes import Voting

logger = logging.getLogger(__name__)

R = TypeVar("R")
T = TypeVar("T")

CAPACITY = 256
"""Tables in memory at once."""


def new_key() -> bytes:
    """32 secret bytes."""
    return secrets.token_bytes(32)


class Tables:
    """All tables of the program, over one store.

    Every method of a service that changes something takes the `delivery` it answers, an id that
    its sender repeats when in doubt: a delivery is carried out once, and gives the same result
    again after that. All raise `Rejected`, and StoreUnavailable among them, with nothing
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
        ownership: Ownership | None = None,
        thinker: Thinker | None = None,
        left_servers_days: int = KEPT_DAYS,
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
        self.servers = Servers(unit_of_work, self.scheduler, self.people, left_servers_days)
        self.server_members = unit_of_work.members
        self.notifications = Notifications(unit_of_work, self.people, self.scheduler, self.outages)
        self.votes = Voting(unit_of_work, self.scheduler, self.outages)
        self.undo = Undoing(unit_of_work, self.votes)
        self.seats = Seats(unit_of_work, new_key)
        self.clocks = Clocks(unit_of_work, self.people, self.scheduler, self.votes, self.outages)
        self.idleness = Idleness(unit_of_work, self.scheduler)
        self.results = Results(unit_of_work, self.people)
        self.history = History(unit_of_work)
        self.imports = Imports(unit_of_work, new_key)
        self.exports = Exports(unit_of_work)
        self.orders = StandingOrders(unit_of_work, orders)
        self.lobby = Lobby(unit_of_work, policies, new_key)
        self.leaving = Leaving(unit_of_work, self.votes)
        self.play = Play(unit_of_work, self.results, metrics or MetricsSink())
        rng = rng or Random()
        chooser = ComputerChoices(policies, orders, rng)
        thoughts = Thoughts(thinker, unit_of_work.cache.locks, lambda: str(rng.getrandbits(64)))
        self.computers = Computers(unit_of_work, self.play, chooser, thoughts, retry_s)
        self.plans = Plans(unit_of_work, self.play)
        self._hearing = Hearing(unit_of_work)
        self._hearing.readers.append(self.plans.read_armed)

    async def resume(self) -> None:
        """Takes up the computer players where they were, and starts them.

        Where the database is shared they are only started: `take_over` says at which tables.
        Raises StoreError, and has then begun nothing, where the database can be neither read nor
        written; it may be called again.
        """
        is_alone = self._unit_of_work.ownership.shards() is None
        store = self._unit_of_work.store
        playing = await store.computer_turns(Status.PLAYING) if is_alone else []
        armed = await store.armed_plans() if is_alone else []
        for game, version, count in await store.versions(GOING):
            try:
                rules_of(self._unit_of_work.games, game, version)
            except errors.NotHere as problem:
                logger.warning("tables that cannot go on here: %d (%s)", count, problem)
        # Written though there may be nothing to forget: better to know now that nothing can be.
        batch = WriteBatch()
        batch.prune_handled(self._unit_of_work.clock.now() - REMEMBERED)
        await store.commit(batch)
        for table_id in playing:
            self.computers.put(table_id)
        self.computers.start()
        self.plans.resume(armed)
        self.scheduler.start()

    async def take_over(self, shards: Shards) -> None:
        """From now on what is due at the tables of these shards is for this process to do.

        It is no error if it was before: all that is due is looked through again. Raises
        StoreUnavailable.
        """
        store = self._unit_of_work.store
        for table_id in await from_store(store.computer_turns(Status.PLAYING, shards)):
            self.computers.put(table_id)
        self.plans.resume(await from_store(store.armed_plans(shards)))
        loop = asyncio.get_running_loop()
        rows = await from_store(store.outbox(shards=shards))
        for table_id in dict.fromkeys(row.table for row in rows):
            for subscriber in self._unit_of_work.subscribers:
                loop.call_soon(subscriber, table_id)
            # They begin to post: others get their turn in between.
            await asyncio.sleep(0)

    def give_up(self, shards: Shards) -> None:
        """What is due at the tables of these shards is not for this process to do any more.

        What it has begun there is refused by the database.
        """
        cache = self._unit_of_work.cache
        # The tables of which the server is not known have not been looked at yet; when they are,
        # that they are not ours is found out.
        guilds = cache.known_guilds([*self.computers.tables(), *self.plans.tables()])
        gone = {table_id for table_id, guild in guilds.items() if shards.has(guild)}
        self.computers.give_up(gone)
        self.plans.give_up(gone)

    def heard(self, notice: Notice) -> None:
        """Another process has written this: what is in memory of it is dropped.

        Tables that are ours are read again soon, and everybody here is told of them.
        """
        for table_id, revision in notice.tables.items():
            self.computers.heard(table_id)
            self._hearing.heard(table_id, revision)
        for name in notice.names:
            self.people.heard(name)
            self.servers.heard(name)

    def forget(self) -> None:
        """Drops all that may have been written by other processes without our hearing of it.

        What is due at the tables that are ours is looked through by `take_over`.
        """
        self._unit_of_work.cache.forget()
        self.computers.drop_all()
        self.people.drop_all()
        self.servers.drop_all()

    async def close(self) -> None:
        """Waits for what is in progress. The store stays open."""
        await self.scheduler.stop()
        await self.computers.stop()
        await self._hearing.finish()
        await self.plans.finish()
        await self.people.finish()
        await self._unit_of_work.cache.finish()

    async def __aenter__(self) -> Tables:
        await self.resume()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def is_shared(self) -> bool:
        """Whether other processes change tables as well, and own some of them."""
        return self._unit_of_work.ownership.shards() is not None

    @property
    def stale_writes(self) -> int:
        """How often work at a table was done again because another process had been faster."""
        return self._unit_of_work.cache.stale_writes

    def owns(self, table: Table) -> bool:
        """Whether this process does what is due at the table, such as posting."""
        return self._unit_of_work.ownership.owns(table.guild)

    def on_behalf(self, table: Table | None) -> AbstractContextManager[None]:
        """See `UnitOfWork.on_behalf`."""
        return self._unit_of_work.on_behalf(table)

    def subscribe(self, hook: Callable[[int], None]) -> Callable[[], None]:
        """From now on `hook` is called with a table's id after each change made here, and after
        those that other processes make at tables that are ours. It must be quick.

        Calling the function that is returned ends that.
        """
        return _added(self._unit_of_work.subscribers, hook)

    def before_commit(self, hook: Callable[[LoadedTable], str | None]) -> Callable[[], None]:
        """From now on `hook` is called with a table as it will be, before each change is stored
        here that has its board posted. The commit may still fail. It must be quick, and return the
        kind of the message that will tell of it at once, or None: that is numbered along with it.

        Calling the function that is returned ends that.
        """
        return _added(self._unit_of_work.before_commit, hook)

    def listen(self, hook: Callable[[int], None]) -> Callable[[], None]:
        """The same for each change that another process makes, at any table."""
        return _added(self._hearing.listeners, hook)


def _added(hooks: list[Callable[[T], R]], hook: Callable[[T], R]) -> Callable[[], None]:
    hooks.append(hook)
    return lambda: hooks.remove(hook)
