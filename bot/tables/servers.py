"""Settings of servers, and the deletion of all data about a server.

Data is deleted when the server's managers ask for it, or some weeks after the bot has left. Both
deletions are scheduled tasks, so they survive a restart and only one process does them. A task
deletes a batch of tables, each in its own transaction, and is due again until none is left.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from bot.game.game import AnyGame
from bot.store import (
    NO_TABLE,
    AlertRow,
    CupRow,
    RevisionRow,
    SearchRow,
    ServerRow,
    Status,
    WriteBatch,
)
from bot.tables.core import NOT_OVER, OPEN, Scheduler, UnitOfWork, errors, from_store, seating
from bot.tables.people import CachedSettings, People
from bot.workers import TimeSlice

logger = logging.getLogger(__name__)

MAX_CHANNELS = 50
NEVER = datetime.min.replace(tzinfo=UTC)

LEFT = "left server"
FORGET = "forget server"
FIND = "find"
"""The kinds of tasks. Their seat is the server's id."""
CUP = "cup"
"""The kind of tasks of a cup. Their seat is the cup's id. Also begins the name of the revision of a
server's cups."""
KEEP_DAYS = 30
"""Default number of days that data of a server is kept after the bot has left."""
BATCH = 50
"""Tables that one run of the task deletes."""


class Closers(StrEnum):
    """The users who may close a table without a vote. Its players may always agree to close it."""

    ALL = "all"
    HOST = "host"
    MODERATORS = "moderators"


Limit = Annotated[int, msgspec.Meta(ge=0, le=1000)]
"""A number of tables, 0 for the default; see `Limits`."""


class Limits(msgspec.Struct, frozen=True):
    """The operator's limits on open tables.

    `own` and `tables` are the defaults for one user in a server and for a whole server. Server
    managers may set other numbers up to `own_max` and `tables_max`. No user may open more than
    `own_max` in all servers together.
    """

    own: int = 25
    own_max: int = 100
    tables: int = 250
    tables_max: int = 1000

    def own_in(self, server: Server) -> int:
        """Return how many open tables a user may have in a server.

        Direct messages count as a server.
        """
        return min(server.most_own or self.own, self.own_max)

    def tables_in(self, server: Server) -> int:
        """Return how many open tables a server may have."""
        return min(server.most_tables or self.tables, self.tables_max)


class Server(msgspec.Struct, frozen=True, omit_defaults=True):
    """A server's settings."""

    guild: int
    channels: Annotated[tuple[int, ...], msgspec.Meta(max_length=MAX_CHANNELS)] = ()
    """The channels where tables may be opened, also in their threads; empty for all."""
    most_tables: Limit = 0
    """Limit of open tables."""
    most_own: Limit = 0
    """Limit of open tables for one user."""
    game: str = ""
    """The default game of new tables; empty for the first game."""
    options: Mapping[str, Mapping[str, str]] = {}
    """The default options of new tables, by game."""
    closers: Closers = Closers.ALL
    palette: str = "standard"
    """The colours of public pictures."""
    language: str | None = None
    """The language of public messages; None for the server's language on Discord."""
    web: bool = False
    """Whether its tables can be read on the web, if the operator has turned that on."""
    find_channel: int | None = None
    """The channel for searches for players and the tables that follow from them."""
    find_role: int | None = None
    """The role that a new search pings, except at night in the time zone `find_zone`."""
    find_zone: str = "UTC"
    find_post: tuple[int, int] | None = None
    """The channel and id of the message with all searches."""
    find_posted: datetime = NEVER
    """When the newest search began that has been posted there."""
    find_pinged: datetime = NEVER
    """When a post last pinged the role."""

    def options_of(self, game: AnyGame) -> dict[str, str]:
        """Return the server's options for a game, without those that no longer exist."""
        values = {option.name: option.values for option in game.options}
        chosen = self.options.get(game.name, {})
        return {name: value for name, value in chosen.items() if value in values.get(name, ())}


class Servers(CachedSettings[Server]):
    """The settings of all servers, and their deletion.

    With `keep_days` 0, the data of servers that the bot has left is never deleted.
    """

    KIND = Server
    ROW = ServerRow
    NAME = "server:"
    REFUSAL = "bad_server_setting"

    def __init__(
        self, unit_of_work: UnitOfWork, scheduler: Scheduler, people: People, keep_days: int
    ) -> None:
        super().__init__(unit_of_work)
        self._scheduler = scheduler
        self._people = people
        self._keep_days = keep_days
        scheduler.about(LEFT, partial(self._delete, LEFT))
        scheduler.about(FORGET, partial(self._delete, FORGET))

    async def allow(self, guild: int, channel: int, *, allowed: bool) -> Server:
        """Allow or forbid new tables in a channel. Raise bad_server_setting."""

        def changed(server: Server) -> Server:
            others = tuple(each for each in server.channels if each != channel)
            return replace(server, channels=(*others, channel) if allowed else others)

        return await self._change(guild, changed)

    async def set_option(self, guild: int, game: str, name: str, value: str) -> Server:
        """Set the default value of an option of a game. Raise unknown_game or unknown_option."""
        rules = self._unit_of_work.newest_rules(game)
        seating.check_options(rules.options, {name: value})

        def changed(server: Server) -> Server:
            options = {**server.options.get(game, {}), name: value}
            if value == seating.options_of(rules, {})[name]:
                # Do not store the game's own default.
                del options[name]
            return replace(server, options={**server.options, game: options})

        return await self._change(guild, changed)

    async def count(self, guild: int) -> tuple[int, int]:
        """Return the number of a server's tables, and how many are not over."""
        store = self._unit_of_work.store
        return (
            await from_store(store.count_in(guild, tuple(Status))),
            await from_store(store.count_in(guild, NOT_OVER)),
        )

    async def check_room(self, limits: Limits, guild: int | None, user: int) -> None:
        """Check that the user may open a table in a server, or in direct messages (None).

        Raise too_many_tables, too_many_own or too_many_in_all.
        """
        server = Server(0) if guild is None else await self.get(guild)
        if guild is not None:
            limit = limits.tables_in(server)
            if await from_store(self._unit_of_work.store.count_in(guild, OPEN)) >= limit:
                raise errors.Rejected("too_many_tables", most=limit)
        own = await from_store(self._unit_of_work.store.hosted(user, OPEN))
        if own.count(guild) >= limits.own_in(server):
            raise errors.Rejected("too_many_own", most=limits.own_in(server))
        if len(own) >= limits.own_max:
            raise errors.Rejected("too_many_in_all", most=limits.own_max)

    async def remove(self, guild: int) -> None:
        """Schedule the deletion of all data about a server, at once."""
        await self._scheduler.schedule(NO_TABLE, guild, FORGET, self._unit_of_work.clock.now())

    async def left(self, guild: int) -> None:
        """Schedule the deletion of a server that the bot has left, unless it is scheduled."""
        store = self._unit_of_work.store
        if self._keep_days and await from_store(store.scheduled_at(NO_TABLE, guild, LEFT)) is None:
            logger.info("left server, keeping its tables server=%d days=%d", guild, self._keep_days)
            at = self._unit_of_work.clock.now() + timedelta(days=self._keep_days)
            await self._scheduler.schedule(NO_TABLE, guild, LEFT, at)

    async def joined(self, guild: int) -> None:
        """Cancel the deletion of a server that the bot is in again."""
        await self._scheduler.schedule(NO_TABLE, guild, LEFT, None)

    async def reconcile(self, is_in: Callable[[int], bool | None]) -> None:
        """Find servers that the bot left or joined while it was offline.

        `is_in` returns whether the bot is in a server, or None if this process cannot know.
        """
        store, time_slice = self._unit_of_work.store, TimeSlice()
        scheduled = set(await from_store(store.scheduled_for(NO_TABLE, LEFT)))
        for guild in {*scheduled, *await from_store(store.servers())}:
            if is_in(guild) is False and guild not in scheduled:
                await self.left(guild)
            elif is_in(guild) and guild in scheduled:
                await self.joined(guild)
            await time_slice.take()

    async def _stored(self, owner: int) -> Mapping[str, Any] | None:
        return await self._unit_of_work.store.server(owner)

    async def _delete(self, kind: str, guild: int) -> datetime | None:
        store = self._unit_of_work.store
        if kind == LEFT and not self._keep_days:
            return None
        batch_ids = await from_store(store.tables_of_server(guild, BATCH))
        for table_id in batch_ids:
            await self._unit_of_work.delete_table(table_id)
        if await from_store(store.scheduled_at(NO_TABLE, guild, kind)) is None:
            return None  # The bot has rejoined in the meantime: keep the other tables.
        if len(batch_ids) == BATCH:
            return self._unit_of_work.clock.now()

        async def delete_server(batch: WriteBatch) -> None:
            for row in (ServerRow, SearchRow, AlertRow, CupRow):
                batch.delete(row, guild=guild)
            for name in (f"{self.NAME}{guild}", f"{FIND}:{guild}", f"{CUP}:{guild}"):
                batch.delete(RevisionRow, name=name)
            for prefix in (f"ratings:{guild}:", f"awards:{guild}:"):
                batch.drop_revisions(prefix)
            for kind in (LEFT, FORGET):
                batch.schedule(NO_TABLE, guild, kind, None)

        await self._unit_of_work.guarded(f"{self.NAME}{guild}", delete_server)
        self.drop(guild)
        self._people.forget_server(guild)
        logger.info("server deleted server=%d", guild)
        return None
