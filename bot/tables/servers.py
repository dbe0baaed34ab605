"""Servers: what their owners set for all tables there, and how all that is stored about one is
deleted: when its managers ask for it, or some weeks after the bot has left.

Both deletions are tasks of the schedule: a restart forgets neither, and one process does them. A
task deletes some tables at a time, each in a transaction of its own, and is due again until none is
left.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from bot.game.game import AnyGame
from bot.store import NO_TABLE, ScheduledRow, ServerRow, Status, WriteBatch
from bot.tables.core import NOT_OVER, OPEN, Scheduler, UnitOfWork, errors, from_store, seating
from bot.tables.people import CachedSettings, People
from bot.workers import TimeSlice

logger = logging.getLogger(__name__)

MAX_CHANNELS = 50

LEFT = "left server"
FORGET = "forget server"
"""The kinds of tasks, by the server in the place of a seat."""
KEPT_DAYS = 30
"""Days that a server's tables are kept after the bot has left it, unless the host sets others."""
BATCH = 50
"""Tables that are deleted before other tasks get their turn."""


class Closers(StrEnum):
    """Who may close a table for everybody; its people may always do so together."""

    ALL = "all"
    HOST = "host"
    MODERATORS = "moderators"


Limit = Annotated[int, msgspec.Meta(ge=0, le=1000)]
"""A number of tables; 0 for the default: see `Limits`."""


class Limits(msgspec.Struct, frozen=True):
    """How many tables may be open at once, as set by whoever runs the bot.

    `own` and `tables` hold for one person and for a whole server where its owners set nothing;
    they may set any number up to `own_most` and `tables_most`. No person opens more than
    `own_most` in all places together.
    """

    own: int = 25
    own_most: int = 100
    tables: int = 250
    tables_most: int = 1000

    def own_in(self, server: Server) -> int:
        """How many tables one person may have open in a server; direct messages count as one
        server."""
        return min(server.most_own or self.own, self.own_most)

    def tables_in(self, server: Server) -> int:
        """How many tables all may have open in a server."""
        return min(server.most_tables or self.tables, self.tables_most)


class Server(msgspec.Struct, frozen=True, omit_defaults=True):
    """A server's settings; the defaults are those of the fields."""

    guild: int
    channels: Annotated[tuple[int, ...], msgspec.Meta(max_length=MAX_CHANNELS)] = ()
    """Where tables may be opened, the threads of these included; empty for everywhere."""
    most_tables: Limit = 0
    """How many tables may be open at once."""
    most_own: Limit = 0
    """How many of them one person may have opened."""
    game: str = ""
    """The game that is opened where nobody names one; empty for the first one."""
    options: Mapping[str, Mapping[str, str]] = {}
    """By game, the options with which its tables are opened."""
    closers: Closers = Closers.ALL
    palette: str = "standard"
    """The colours of what everybody sees."""
    language: str | None = None
    """The language of what everybody reads; None for the server's own on Discord."""

    def options_of(self, game: AnyGame) -> dict[str, str]:
        """What is set for tables of a game, as far as it still has those options."""
        known = {option.name: option.values for option in game.options}
        said = self.options.get(game.name, {})
        return {name: value for name, value in said.items() if value in known.get(name, ())}


class Servers(CachedSettings[Server]):
    """The settings of all servers, and which of them are to be deleted.

    With 0 `kept_days` a server that the bot has left is kept for good.
    """

    KIND = Server
    ROW = ServerRow
    NAME = "server:"
    REFUSAL = "bad_server_setting"

    def __init__(
        self, unit_of_work: UnitOfWork, scheduler: Scheduler, people: People, kept_days: int
    ) -> None:
        super().__init__(unit_of_work)
        self._scheduler = scheduler
        self._people = people
        self._kept_days = kept_days
        scheduler.on(LEFT, self._delete)
        scheduler.on(FORGET, self._delete)

    async def allow(self, guild: int, channel: int, *, allowed: bool) -> Server:
        """Allows tables to be opened in a channel, or forbids it. Raises bad_server_setting."""

        def changed(server: Server) -> Server:
            others = tuple(each for each in server.channels if each != channel)
            return replace(server, channels=(*others, channel) if allowed else others)

        return await self._change(guild, changed)

    async def set_option(self, guild: int, game: str, name: str, value: str) -> Server:
        """Sets the value of an option for new tables of a game.

        Raises unknown_game or unknown_option.
        """
        rules = self._unit_of_work.newest_rules(game)
        seating.check_options(rules.options, {name: value})

        def changed(server: Server) -> Server:
            options = {**server.options.get(game, {}), name: value}
            if value == seating.options_of(rules, {})[name]:
                # As it would be anyway.
                del options[name]
            return replace(server, options={**server.options, game: options})

        return await self._change(guild, changed)

    async def count(self, guild: int) -> tuple[int, int]:
        """How many tables a server has, and how many of them are not over."""
        store = self._unit_of_work.store
        return (
            await from_store(store.count_in(guild, tuple(Status))),
            await from_store(store.count_in(guild, NOT_OVER)),
        )

    async def check_room(self, limits: Limits, guild: int | None, user: int) -> None:
        """Whether the user may open one more table in a server, or in direct messages (None).

        Raises too_many_tables, too_many_own or too_many_in_all.
        """
        server = Server(0) if guild is None else await self.get(guild)
        if guild is not None:
            most = limits.tables_in(server)
            if await from_store(self._unit_of_work.store.count_in(guild, OPEN)) >= most:
                raise errors.Rejected("too_many_tables", most=most)
        own = await from_store(self._unit_of_work.store.hosted(user, OPEN))
        if own.count(guild) >= limits.own_in(server):
            raise errors.Rejected("too_many_own", most=limits.own_in(server))
        if len(own) >= limits.own_most:
            raise errors.Rejected("too_many_in_all", most=limits.own_most)

    async def remove(self, guild: int) -> None:
        """All that is stored about a server is deleted soon."""
        await self._scheduler.schedule(NO_TABLE, guild, FORGET, self._unit_of_work.clock.now())

    async def left(self, guild: int) -> None:
        """The bot has left a server. Told again, it counts from the first time."""
        store = self._unit_of_work.store
        if self._kept_days and await from_store(store.scheduled_at(NO_TABLE, guild, LEFT)) is None:
            logger.info("left server, keeping its tables server=%d days=%d", guild, self._kept_days)
            at = self._unit_of_work.clock.now() + timedelta(days=self._kept_days)
            await self._scheduler.schedule(NO_TABLE, guild, LEFT, at)

    async def joined(self, guild: int) -> None:
        """The bot is in a server, which may be one that it had left."""
        await self._scheduler.schedule(NO_TABLE, guild, LEFT, None)

    async def reconcile(self, is_in: Callable[[int], bool | None]) -> None:
        """Finds out which servers the bot has left or joined unheard.

        `is_in` says whether it is in a server, None where this process cannot know.
        """
        store, time_slice = self._unit_of_work.store, TimeSlice()
        leaving = set(await from_store(store.scheduled_for(NO_TABLE, LEFT)))
        for guild in {*leaving, *await from_store(store.servers())}:
            if is_in(guild) is False and guild not in leaving:
                await self.left(guild)
            elif is_in(guild) and guild in leaving:
                await self.joined(guild)
            await time_slice.take()

    async def _stored(self, owner: int) -> Mapping[str, Any] | None:
        return await self._unit_of_work.store.server(owner)

    async def _delete(self, task: ScheduledRow) -> None:
        guild, store = task.seat, self._unit_of_work.store
        if task.kind == LEFT and not self._kept_days:
            await self.joined(guild)
            return
        found = await from_store(store.tables_of_server(guild, BATCH))
        for table_id in found:
            await self._delete_table(table_id)
        at = await from_store(store.scheduled_at(NO_TABLE, guild, task.kind))
        if at is None:
            return  # The bot has come back meanwhile: the rest stays.
        if len(found) == BATCH:
            await from_store(store.postpone(replace(task, at=at), self._unit_of_work.clock.now()))
            return

        async def rest(batch: WriteBatch) -> None:
            batch.delete(ServerRow, guild=guild)
            batch.drop_revisions(f"{self.NAME}{guild}", f"ratings:{guild}:")
            for kind in (LEFT, FORGET):
                batch.schedule(NO_TABLE, guild, kind, None)

        await self._unit_of_work.guarded(f"{self.NAME}{guild}", rest)
        self.drop(guild)
        self._people.forget_server(guild)
        logger.info("server deleted server=%d", guild)

    async def _delete_table(self, table_id: int) -> None:
        unit_of_work = self._unit_of_work

        async def work() -> None:
            # Not loaded: it may be one that this program cannot read.
            revision = await from_store(unit_of_work.store.revision_of(table_id))
            if revision is not None:
                batch = WriteBatch()
                batch.drop_table(table_id)
                batch.guard_table(table_id, revision)
                await from_store(unit_of_work.store.commit(batch))
                unit_of_work.notify_deleted(table_id)

        await unit_of_work.cache.run_locked(table_id, work)
