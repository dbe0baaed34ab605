"""The stand-in server: the API, the gateway and the page on one loopback port."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from ipaddress import ip_address
from pathlib import Path
from types import TracebackType
from typing import Self

from aiohttp import web

from bot.local.api import PREFIX, Api
from bot.local.api_routes import ROUTES
from bot.local.changes import ChannelChanged
from bot.local.faults import Faults
from bot.local.gateway import GatewayServer
from bot.local.interactions import ACKNOWLEDGE_S, Interactions
from bot.local.limits import DiscordLimits, Limiter
from bot.local.model import Channel, Permission
from bot.local.new_world import (
    DEFAULT_PEOPLE,
    NewGuild,
    NewPerson,
    add_guilds,
    add_people,
    new_world,
)
from bot.local.page import ChatPage, PageWords
from bot.local.person import Person
from bot.local.posting import Posting
from bot.local.store import WorldStore
from bot.local.wire import Wire

#: Bytes: ten files of the maximum size, and the rest of the request.
_MAX_REQUEST = 110 * 1024 * 1024

#: Event loop iterations that asyncio needs to hand an accepted connection to the server.
_ACCEPT_TURNS = 4

BOT_NAME = "Kontor"


class Standin:
    """A fake Discord: `async with Standin() as standin: ...`.

    - `host` must be a loopback address, otherwise `ValueError` is raised. `port` 0 picks a free
      port.
    - `people` appear on the page in this order; the first one owns the server.
    - `guilds` are the servers, by default one.
    - `store_path` is the SQLite file of the chat; without it, the chat is in memory only.
    - `acknowledge_s` is how long the bot may take to acknowledge an interaction.
    - `page_words` returns the page's translations for a locale.
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        people: Sequence[NewPerson] = DEFAULT_PEOPLE,
        guilds: Sequence[NewGuild] | None = None,
        limits: DiscordLimits | None = None,
        store_path: Path | None = None,
        token: str | None = None,
        bot_name: str = BOT_NAME,
        acknowledge_s: float = ACKNOWLEDGE_S,
        heartbeat_interval_s: float = 41.25,
        page_words: PageWords = lambda locale: {},
    ) -> None:
        if not ip_address(host).is_loopback:
            raise ValueError(f"the stand-in only listens on loopback, not on {host!r}")
        self._address = (host, port)
        self._stack = AsyncExitStack()
        #: The bot's token.
        self.token = token or secrets.token_urlsafe(32)
        self.limits = limits or DiscordLimits()
        self.limiter = Limiter(self.limits)
        self.faults = Faults()
        self.url = ""
        self.store = None if store_path is None else WorldStore(store_path)
        loaded = None if self.store is None else self.store.load()
        self.model = loaded or new_world(
            bot_name, people, (NewGuild(),) if guilds is None else guilds
        )
        add_people(self.model, people)
        add_guilds(self.model, guilds or ())
        self.wire = Wire(self.model)
        self.posting = Posting(self.model)
        self.gateway = GatewayServer(self, heartbeat_interval_s=heartbeat_interval_s)
        self.interactions = Interactions(self, acknowledge_s)
        self.page = ChatPage(self, page_words)

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            await self._start(stack)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stack.aclose()

    async def _start(self, stack: AsyncExitStack) -> None:
        if self.store is not None:
            stack.push_async_callback(self.store.close)
            self.store.watch(self.model)
        host, port = self._address
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family)
        stack.callback(listening.close)
        url_host = f"[{host}]" if ":" in host else host
        self.url = self.wire.base_url = f"http://{url_host}:{listening.getsockname()[1]}"
        stack.callback(self.interactions.close)
        app = web.Application(client_max_size=_MAX_REQUEST)
        app.router.add_get("/gateway", self.gateway.handle)
        app.router.add_get("/gateway/", self.gateway.handle)
        app.router.add_route("*", PREFIX + "/{rest:.*}", Api(self, ROUTES).handle)
        self.page.mount(app)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await runner.setup()
        assert runner.server is not None
        self.server = runner.server
        stack.push_async_callback(runner.cleanup)
        await web.SockSite(runner, listening).start()
        stack.push_async_callback(self.page.close)
        stack.push_async_callback(self.gateway.close)
        stack.push_async_callback(_stop_accepting, listening)

    # For tests

    def person(self, name: str) -> Person:
        """Return a person by name; raise `KeyError` if there is none."""
        return Person(self.model.user_named(name), self)

    def channel(self, name: str, guild: str | None = None) -> Channel:
        """Return a channel or thread by name, on a server or on the first that has it.

        Raises `KeyError` if there is none.
        """
        on = None if guild is None else self.model.guild_named(guild)
        return self.model.channel_named(name, on)

    def deny(self, channel: Channel, permissions: Permission) -> None:
        """Deny the bot permissions in a channel and its threads."""
        channel.denied |= int(permissions)
        self.model.publish(ChannelChanged(channel))

    def allow(self, channel: Channel, permissions: Permission) -> None:
        """Return denied permissions to the bot."""
        channel.denied &= ~int(permissions)
        self.model.publish(ChannelChanged(channel))


async def _stop_accepting(listening: socket.socket) -> None:
    # A server that closes while accepting leaves the connection open (CPython 3.11, gh-109564),
    # and the client waits until it times out.
    with suppress(NotImplementedError):  # The Windows event loop has no readers.
        asyncio.get_running_loop().remove_reader(listening)
    for _ in range(_ACCEPT_TURNS):
        await asyncio.sleep(0)
