"""Server settings: what the owners of a server set for all its tables."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Annotated, Any

import msgspec
from msgspec.structs import asdict, replace

from bot.game.contract import AnyGame
from bot.store import ServerRow, WriteBatch
from bot.tables.core import errors
from bot.tables.core.cache import from_store
from bot.tables.core.model import NOT_OVER, OPEN, Status
from bot.tables.core.unit_of_work import UnitOfWork

logger = logging.getLogger(__name__)

MOST_CHANNELS = 50
SERVER = "server:"
"""Before a server's id, what its settings are called in notices of other processes."""
REMEMBERED = 1024
"""Servers whose settings stay in memory."""


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
    channels: Annotated[tuple[int, ...], msgspec.Meta(max_length=MOST_CHANNELS)] = ()
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


class Servers:
    """The settings of all servers. Every method raises StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        self._known: OrderedDict[int, Server] = OrderedDict()
        self._changing = asyncio.Lock()
        self._heard = 0

    async def get(self, guild: int) -> Server:
        """A server's settings."""
        known = self._known.get(guild)
        if known is None:
            heard = self._heard
            read = await self._read(guild)
            # Whoever changed them meanwhile knows better.
            known = self._known.get(guild) or read
            self._put(known, heard)
        else:
            self._known.move_to_end(guild)
        return known

    def heard(self, guild: int) -> None:
        """Another process has changed a server's settings."""
        self._heard += 1
        self._known.pop(guild, None)

    def drop_all(self) -> None:
        """Drops all settings from memory: any may have been changed."""
        self._heard += 1
        self._known.clear()

    async def change(self, guild: int, **fields: Any) -> Server:
        """Sets fields of a `Server`. Raises bad_server_setting."""
        return await self._change(guild, lambda server: replace(server, **fields))

    async def allow(self, guild: int, channel: int, *, allowed: bool) -> Server:
        """Allows tables to be opened in a channel, or forbids it. Raises bad_server_setting."""

        def change(server: Server) -> Server:
            others = tuple(each for each in server.channels if each != channel)
            return replace(server, channels=(*others, channel) if allowed else others)

        return await self._change(guild, change)

    async def set_option(self, guild: int, game: str, name: str, value: str) -> Server:
        """Sets the value of an option for new tables of a game.

        Raises unknown_game, or unknown_option where the game has no such option or value.
        """
        known = {option.name: option.values for option in self._unit_of_work.newest(game).options}
        if value not in known.get(name, ()):
            raise errors.Rejected("unknown_option", option=name, value=value)

        def change(server: Server) -> Server:
            options = {**server.options.get(game, {}), name: value}
            if value == known[name][0]:
                # As it would be anyway.
                del options[name]
            return replace(server, options={**server.options, game: options})

        return await self._change(guild, change)

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

    async def _change(self, guild: int, change: Callable[[Server], Server]) -> Server:
        async def work(batch: WriteBatch) -> Server:
            server = change(await self._read(guild))
            try:
                server = msgspec.convert(asdict(server), Server)
            except msgspec.ValidationError as error:
                raise errors.Rejected("bad_server_setting", setting=str(error)) from error
            settings = msgspec.to_builtins(server)
            del settings["guild"]
            batch.save(ServerRow(guild, settings))
            return server

        async with self._changing:
            heard = self._heard
            server = await self._unit_of_work.guarded(f"{SERVER}{guild}", work)
            self._put(server, heard)
        return server

    async def _read(self, guild: int) -> Server:
        settings = await from_store(self._unit_of_work.store.server(guild))
        return _server(guild, settings or {})

    def _put(self, server: Server, heard: int) -> None:
        if heard != self._heard:
            # Another process has changed a server's settings since these were read.
            self._known.pop(server.guild, None)
            return
        self._known[server.guild] = server
        self._known.move_to_end(server.guild)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)


def _server(guild: int, settings: Mapping[str, Any]) -> Server:
    try:
        return msgspec.convert({**settings, "guild": guild}, Server)
    except msgspec.ValidationError:
        # Another version's.
        logger.warning("server %d: the settings cannot be read", guild)
        return Server(guild)
