"""The bot on Discord as an operator runs it: through outages, and with somebody looking on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from bot import __version__
from bot.app import make_bot, open_services
from bot.client import GameBot
from bot.cogs.ui.budgets import Budget, Budgets, budget_rates
from bot.cogs.ui.links import links_of
from bot.cogs.ui.services import Services
from bot.config import Settings
from bot.host.discord_address import point_discord_at
from bot.host.garbage import look_when_calm, put_off
from bot.host.gateway import Gateway, discord_reached
from bot.host.health import DATABASE, Check, Health, answers, holds
from bot.host.memory import share_heap
from bot.host.watchdog import Watchdog
from bot.opening import backups_of
from bot.tables import Clock, SystemClock
from bot.tables.people.servers import Limits
from bot.thinking import Thinkers, workers_of

if TYPE_CHECKING:
    from bot.cluster.hosting import Membership
    from bot.host.metrics import Metrics
    from bot.host.sharing import Sharing

DISCORD_READY_S = 2.0
LOCAL_READY_S = 0.1
"""The stand-in has sent all its servers by then; Discord may take two seconds for them."""
ASKED_AGAIN_S = 1.0
"""After which a connection that has not heard that it is to end is told again."""


class CannotListen(Exception):
    """The page for the operator cannot be served; the message says why in one line."""


class CannotShare(Exception):
    """This process does not fit those that share the database; the message says why in one line."""


async def host(settings: Settings, token: str, clock: Clock | None = None) -> None:
    """Run until cancelled; what is under way is then ended first.

    Raises DatabaseLost, CannotOpen, CannotListen, CannotShare, and what `stay_on_discord` raises.
    """
    share_heap()
    clock = clock or SystemClock()
    backups = backups_of(settings, clock)
    if backups is not None:
        backups.must_have_database()
    metrics = _metrics(settings)
    gateway = Gateway(_unheard if metrics is None else metrics.reconnected)
    async with AsyncExitStack() as stack:
        if settings.discord_api is not None:
            stack.enter_context(point_discord_at(settings.discord_api))
        if settings.discord_proxy is not None:
            from bot.cluster.rates import requests_through

            stack.enter_context(requests_through(settings.discord_proxy))
        membership = await _membership(settings, token)
        services = await stack.enter_async_context(
            open_services(
                settings.database_url,
                threads=settings.drawing_threads,
                clock=clock,
                metrics=metrics,
                budgets=budgets_of(settings),
                limits=limits_of(settings),
                left_servers_days=settings.left_servers_days,
                links=links_of(settings.source_url, settings.privacy_url, settings.terms_url),
                thinkers=Thinkers(workers_of(settings.thinkers), settings.think_ms),
                member=None if membership is None else membership.name,
                ownership=None if membership is None else membership.leases,
            )
        )
        checks: dict[str, Check] = {
            "discord": holds(lambda: gateway.is_connected, "not connected"),
            DATABASE: answers(services.tables.reader.ping),
            "computers": holds(lambda: services.tables.computers.is_working, "stopped"),
        }
        sharing: Callable[[], Sharing] | None = None
        if membership is None:
            services.tables.scheduler.is_there = lambda: gateway.is_connected
        else:
            services = await stack.enter_async_context(_joined(membership, services))
            checks |= membership.checks()
            sharing = partial(membership.sharing, services.tables)
            if metrics is not None:
                metrics.share(membership.called, sharing)
        if backups is not None and settings.backup_keep:
            await stack.enter_async_context(backups.each_night())
            checks["backups"] = holds(lambda: backups.is_working, "stopped")
        if settings.health_port is not None and metrics is not None:
            # Only now: it brings a server with it.
            from bot.host.page import StatusPage

            page = StatusPage(
                Health(checks), metrics, services.tables, backups, clock, sharing=sharing
            )
            await stack.enter_async_context(metrics.lag())
            try:
                await stack.enter_async_context(
                    page.served(settings.health_host, settings.health_port)
                )
            except OSError as error:
                raise CannotListen(str(error)) from error

        trace = None if metrics is None else metrics.trace()
        if membership is not None:
            trace = membership.trace(trace)

        def make() -> GameBot:
            bot = (make_bot if membership is None else membership.make_bot)(
                services,
                uploads_signs=True,
                dev_guild=settings.dev_guild,
                guild_ready_s=DISCORD_READY_S if settings.discord_api is None else LOCAL_READY_S,
                http_trace=trace,
            )
            gateway.follow(bot)
            return bot

        def logged_in() -> None:
            if membership is not None:
                membership.begin(services.tables)

        async def guard() -> None:
            # Only now: a start takes what time it takes.
            if settings.watchdog_ms:
                report = _unheard if metrics is None else metrics.held
                watchdog = Watchdog(report, settings.watchdog_ms / 1000)
                await stack.enter_async_context(watchdog.on_guard())

        leave = None if membership is None else membership.leave
        await stay_on_discord(make, token, guard, logged_in=logged_in, leave=leave)


def _metrics(settings: Settings) -> Metrics | None:
    """What is counted for the operator's page, where there is one."""
    if settings.health_port is None:
        return None
    # Only now: what nobody can read is not counted.
    from bot.host.metrics import Metrics

    return Metrics()


def _unheard(*_: object) -> None:
    """What nobody is told."""


async def _membership(settings: Settings, token: str) -> Membership | None:
    if settings.shards is None:
        return None
    # Only now: whoever has the database alone imports nothing that is for sharing.
    from bot.cluster.hosting import Membership

    return await discord_reached(lambda: Membership.of(settings, token, __version__))


@asynccontextmanager
async def _joined(membership: Membership, services: Services) -> AsyncIterator[Services]:
    from bot.cluster.members import CannotJoin

    try:
        async with membership.joined(services) as ours:
            yield ours
    except CannotJoin as error:
        raise CannotShare(str(error)) from error


def budgets_of(settings: Settings) -> Budgets:
    """How much people may ask for."""
    rates = {each: budget_rates(getattr(settings, f"budget_{each.value}")) for each in Budget}
    return Budgets({each: rate for each, rate in rates.items() if rate is not None})


def limits_of(settings: Settings) -> Limits:
    """How many tables people may have open."""
    return Limits(
        own=settings.tables_per_person,
        own_most=settings.tables_per_person_most,
        tables=settings.tables_per_server,
        tables_most=settings.tables_per_server_most,
    )


async def stay_on_discord(
    make: Callable[[], GameBot],
    token: str,
    welcome: Callable[[], Awaitable[None]] | None = None,
    *,
    logged_in: Callable[[], None] = lambda: None,
    leave: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Connect as soon as Discord can be reached, and stay; `logged_in` is called before that,
    `welcome` once connected, and `leave` when it is to end, while it still is.

    Raises LoginFailure for a token that is refused, HTTPException for anything else that is, and
    ConnectionClosed where Discord wants no more of the bot.
    """

    async def bot_logged_in() -> GameBot:
        # One that failed half-way cannot be logged in again.
        bot = make()
        try:
            await bot.login(token)
        except BaseException:
            await bot.close()
            raise
        return bot

    bot = await discord_reached(bot_logged_in)
    logged_in()
    greeting = asyncio.create_task(_greet(bot, welcome))
    connected = asyncio.create_task(bot.connect())
    try:
        await asyncio.wait([connected])
        await connected
    finally:
        greeting.cancel()
        if leave is not None and not connected.done():
            await leave()
        await _end(connected)
        await bot.close()


async def _end(task: asyncio.Task[None]) -> None:
    """Cancel it until it has ended: discord.py connects by `asyncio.wait_for`, which in Python
    3.11 may lose a cancellation that comes just as it has connected.
    """
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=ASKED_AGAIN_S)
    if not task.cancelled():
        task.exception()


async def _greet(bot: GameBot, welcome: Callable[[], Awaitable[None]] | None) -> None:
    await bot.wait_until_ready()
    with put_off(monotonic()) as garbage:
        if welcome is not None:
            await welcome()
        await look_when_calm(garbage)
