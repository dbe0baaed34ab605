"""The bot on Discord as an operator runs it: through outages, and with somebody looking on."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

from bot.app import make_bot, open_services
from bot.client import GameBot
from bot.cogs.ui.budgets import Budget, Budgets, budget_rates
from bot.cogs.ui.links import links_of
from bot.config import CannotRun, Settings
from bot.host.backups import backups_of
from bot.host.gateway import Gateway, discord_reached, point_discord_at
from bot.host.health import OK, Check
from bot.host.watchdog import watched
from bot.tables import Clock, SystemClock
from bot.tables.people.servers import Limits
from bot.thinking import Thinkers, workers_of
from bot.workers import in_background

DISCORD_READY_S = 2.0
LOCAL_READY_S = 0.1
"""The stand-in has sent all its servers by then; Discord may take two seconds for them."""
ASKED_AGAIN_S = 1.0
"""After which a connection that has not heard that it is to end is told again."""
FULL_COLLECTION_AFTER = 1000
"""Collections of the middle generation before one of everything, which may hold the event loop for
a fifth of a second. By Python's own ten that happens several times a minute while people play."""


async def host(settings: Settings, token: str, clock: Clock | None = None) -> None:
    """Run until cancelled; what is under way is then ended first.

    Raises DatabaseLost, CannotOpen, CannotRun, and what `stay_on_discord` raises.
    """
    clock = clock or SystemClock()
    backups = backups_of(settings, clock)
    if backups is not None:
        backups.must_have_database()
    metrics = membership = None
    if settings.health_port is not None:
        # Only here: what nobody can read is not counted.
        from bot.host.metrics import Metrics

        metrics = Metrics()
    gateway = Gateway(_ignore if metrics is None else metrics.reconnected)
    trace = None if metrics is None else metrics.trace()
    async with AsyncExitStack() as stack:
        if settings.discord_api is not None:
            stack.enter_context(point_discord_at(settings.discord_api))
        if settings.discord_proxy is not None:
            stack.enter_context(point_discord_at(settings.discord_proxy, has_gateway=False))
        if settings.shards is not None:
            # Only here: whoever has the database alone imports nothing that is for sharing.
            from bot.cluster.hosting import Membership

            membership = await discord_reached(lambda: Membership.of(settings, token))
        services = await stack.enter_async_context(
            open_services(
                settings.database_url,
                threads=settings.drawing_threads,
                clock=clock,
                metrics=metrics,
                budgets=budgets_of(settings),
                limits=Limits(
                    own=settings.tables_per_person,
                    own_most=settings.tables_per_person_most,
                    tables=settings.tables_per_server,
                    tables_most=settings.tables_per_server_most,
                ),
                left_servers_days=settings.left_servers_days,
                links=links_of(settings.source_url, settings.privacy_url, settings.terms_url),
                thinkers=Thinkers(workers_of(settings.thinkers), settings.think_ms),
                member=None if membership is None else membership.leases,
            )
        )
        tables = services.tables
        checks: dict[str, Check] = {
            "discord": lambda: OK if gateway.is_connected else "not connected",
            "computers": lambda: OK if tables.computers.is_working else "stopped",
        }
        make_client: Callable[..., GameBot] = make_bot
        logged_in: Callable[[], None] = _ignore
        leave = sharing = None
        if membership is None:
            tables.scheduler.is_there = lambda: gateway.is_connected
        else:
            services = membership.joined(services)
            checks |= membership.checks()
            make_client, sharing = membership.make_bot, partial(membership.sharing, tables)
            logged_in, leave = partial(membership.begin, tables), membership.leave
        if backups is not None and settings.backup_keep:
            nightly = await stack.enter_async_context(in_background(backups.make_when_due()))
            checks["backups"] = lambda: "stopped" if nightly.done() else OK
        if metrics is not None:
            # Only here: it brings a server with it.
            from bot.host.page import StatusPage

            if sharing is not None:
                metrics.share(sharing)
            page = StatusPage(checks, metrics, tables, backups, clock, sharing)
            await stack.enter_async_context(in_background(metrics.measure_lag()))
            try:
                await stack.enter_async_context(
                    page.served(settings.health_host, settings.health_port or 0)
                )
            except OSError as error:
                raise CannotRun(f"HEALTH_HOST and HEALTH_PORT cannot be used: {error}") from error

        def make() -> GameBot:
            bot = make_client(
                services,
                uploads_signs=True,
                dev_guild=settings.dev_guild,
                guild_ready_s=DISCORD_READY_S if settings.discord_api is None else LOCAL_READY_S,
                http_trace=trace,
            )
            gateway.follow(bot)
            return bot

        async def watch() -> None:
            # Only now: a start takes what time it takes.
            if settings.watchdog_ms:
                report = _ignore if metrics is None else metrics.held
                await stack.enter_async_context(watched(report, settings.watchdog_ms / 1000))

        await stay_on_discord(make, token, watch, logged_in=logged_in, leave=leave)


def _ignore(*_: Any) -> None:
    """Nobody wants to know."""


def budgets_of(settings: Settings) -> Budgets:
    """How much people may ask for."""
    rates = {each: budget_rates(getattr(settings, f"budget_{each.value}")) for each in Budget}
    return Budgets({each: rate for each, rate in rates.items() if rate is not None})


def freeze_garbage() -> None:
    """Let no collection walk through what the start has made, and hardly any through everything; a
    second call does nothing."""
    if not gc.get_freeze_count():
        gc.collect()
        gc.freeze()
        gc.set_threshold(*gc.get_threshold()[:2], FULL_COLLECTION_AFTER)


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

    async def greet() -> None:
        await bot.wait_until_ready()
        freeze_garbage()
        if welcome is not None:
            await welcome()

    bot = await discord_reached(bot_logged_in)
    logged_in()
    connected = asyncio.create_task(bot.connect())
    try:
        async with in_background(greet()):
            await asyncio.wait([connected])
        await connected
    finally:
        if leave is not None and not connected.done():
            await leave()
        # discord.py connects by `asyncio.wait_for`, which in Python 3.11 may lose a cancellation
        # that comes just as it has connected.
        while not connected.done():
            connected.cancel()
            await asyncio.wait([connected], timeout=ASKED_AGAIN_S)
        if not connected.cancelled():
            connected.exception()
        await bot.close()
