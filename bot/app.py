"""The composition root, and the loop that keeps the bot on Discord."""

from __future__ import annotations

import asyncio
import gc
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache, partial
from random import Random
from typing import TYPE_CHECKING

import aiohttp

from bot import __version__
from bot.client import GameBot
from bot.cogs.dialogues.cups import CupDialogue
from bot.cogs.dialogues.films import FilmDialogue
from bot.cogs.dialogues.find import FindDialogue
from bot.cogs.dialogues.history import HistoryDialogue
from bot.cogs.dialogues.learning import LearnDialogue
from bot.cogs.dialogues.lobby import LobbyDialogue
from bot.cogs.dialogues.me import MeDialogue
from bot.cogs.dialogues.my_tables import MyTablesDialogue
from bot.cogs.dialogues.opening import OpeningDialogue
from bot.cogs.dialogues.positions import PositionDialogue
from bot.cogs.dialogues.predictions import PredictionDialogue
from bot.cogs.dialogues.results import ResultsDialogue
from bot.cogs.dialogues.review import ReviewDialogue
from bot.cogs.dialogues.rules import RulesDialogue
from bot.cogs.dialogues.seats import SeatDialogue
from bot.cogs.dialogues.server import ServerDialogue, ServersCog
from bot.cogs.dialogues.table import TableDialogue
from bot.cogs.dialogues.undo import UndoDialogue
from bot.cogs.dialogues.votes import VoteDialogue
from bot.cogs.dialogues.whispers import WhisperDialogue
from bot.cogs.panel.hints import HintDialogue
from bot.cogs.panel.move_commands import move_commands
from bot.cogs.panel.open_panels import OpenPanels
from bot.cogs.panel.panel import Panels
from bot.cogs.panel.plans import PlanDialogue
from bot.cogs.panel.turn import TurnGuide
from bot.cogs.panel.views import TableViews
from bot.cogs.post import PostCog
from bot.cogs.posting.panel_following import PanelFollowing
from bot.cogs.signs import give_signs
from bot.cogs.ui.budgets import Budget, Budgets, budget_rates
from bot.cogs.ui.channels import MessageSender
from bot.cogs.ui.pictures import Pictures
from bot.cogs.ui.services import Links, Services, links_of
from bot.config import CannotRun, Settings
from bot.host.backups import backups_of
from bot.host.gateway import Gateway, point_discord_at, reach_discord
from bot.host.health import OK, Check
from bot.host.watchdog import watch_event_loop
from bot.opening import open_store, reach_database
from bot.tables import Clock, MetricsSink, SystemClock, Tables
from bot.tables.core.unit_of_work import Ownership
from bot.tables.servers import KEEP_DAYS, Limits
from bot.text.words import Words, all_words, words_for
from bot.thinking import SearchPool, workers_of
from bot.thinking.seats import StrongSeats
from bot.titles import TITLES
from bot.titles.title import Titles
from bot.workers import in_background

if TYPE_CHECKING:
    from bot.cluster.leases import Leases

KEY_BYTES = 32
LIVE_PAUSE = 1.5
"""Seconds between two edits of a turn's text during the turn."""
DISCORD_READY_S = 2.0
LOCAL_READY_S = 0.1
"""Seconds to wait for the next server before the bot is ready: the stand-in sends them faster."""
CANCEL_RETRY_S = 1.0
"""Seconds after which a connection that still runs is cancelled again."""
FULL_COLLECTION_AFTER = 1000
"""Garbage collections of the middle generation before a full one.

A full one may block the event loop for a fifth of a second. With Python's default of 10 that would
happen several times a minute.
"""


def secret_key() -> bytes:
    """Return a key for the random draws of a new table."""
    return secrets.token_bytes(KEY_BYTES)


@asynccontextmanager
async def open_services(
    database_url: str,
    *,
    threads: int = 2,
    clock: Clock | None = None,
    rng: Random | None = None,
    new_key: Callable[[], bytes] = secret_key,
    titles: Titles = TITLES,
    metrics: MetricsSink | None = None,
    budgets: Budgets | None = None,
    limits: Limits | None = None,
    member: Leases | None = None,
    ownership: Ownership | None = None,
    search_pool: SearchPool | None = None,
    left_servers_days: int = KEEP_DAYS,
    links: Links | None = None,
) -> AsyncIterator[Services]:
    """Open everything below the Discord client: store, tables, pictures, words. Raise CannotOpen.

    Without `budgets` there are no rate limits for users. A `member` shares the database with other
    processes. Without `search_pool` the strong player plays like the normal one.
    """
    metrics = metrics or MetricsSink()
    search_pool = search_pool or SearchPool(0)
    all_words()  # Read them now, so that no user has to wait.
    async with open_store(database_url, member=member) as store:
        with ThreadPoolExecutor(threads, thread_name_prefix="draw") as executor:
            tables = Tables(
                store,
                titles.games,
                titles.quick_players,
                clock,
                rng,
                new_key,
                metrics=metrics,
                orders=titles.orders,
                ownership=member or ownership,
                strong_player=StrongSeats(search_pool, titles.judgements),
                left_servers_days=left_servers_days,
            )
            await reach_database(tables.resume)
            signs: dict[str, str] = {}
            try:
                yield Services(
                    tables=tables,
                    titles=titles,
                    pictures=Pictures(executor),
                    words_for=signed(signs),
                    signs=signs,
                    metrics=metrics,
                    budgets=budgets or Budgets({}),
                    limits=limits or Limits(),
                    search_pool=search_pool,
                    version=__version__,
                    links=links or Links(),
                )
            finally:
                await tables.close()
                await search_pool.close()


def signed(signs: Mapping[str, str]) -> Callable[[str | None], Words]:
    """Return `words_for` with the uploaded signs of pieces."""

    @cache
    def with_signs(locale: str) -> Words:
        return words_for(locale).signed(signs)

    return lambda locale: with_signs(words_for(locale).locale)


def make_bot(
    services: Services,
    *,
    dev_guild: int | None = None,
    live_pause: float = LIVE_PAUSE,
    guild_ready_s: float = 2.0,
    uploads_signs: bool = False,
    http_trace: aiohttp.TraceConfig | None = None,
    client: Callable[..., GameBot] = GameBot,
    leads: Callable[[], bool] = lambda: True,
) -> GameBot:
    """Make the bot, not yet connected.

    `guild_ready_s` is how long it waits for the next server before it is ready. With
    `uploads_signs` it then uploads missing signs of pieces to Discord. `http_trace` observes its
    requests. `client` is called like GameBot. Of several processes, only the one that `leads`
    uploads signs.
    """
    bot = client(services, dev_guild=dev_guild, guild_ready_s=guild_ready_s, http_trace=http_trace)
    sender = MessageSender(bot, services.tables.outbox, services.tables.notifications)
    panels = Panels(services, OpenPanels())
    plans, review = PlanDialogue(services, panels), ReviewDialogue(services)
    films = FilmDialogue(services)
    guide = TurnGuide(services, panels, plans)
    following = PanelFollowing(services, panels, bot.answers)
    lobby, votes = LobbyDialogue(services, sender, bot.answers), VoteDialogue(services, sender)
    opening = OpeningDialogue(services, sender, lobby)
    bot.cogs_to_load = (
        ServersCog(services, bot),
        PostCog(services, sender, bot, following, lobby, votes, live_pause),
    )
    bot.dialogues = (
        guide,
        TableViews(services),
        plans,
        HintDialogue(services, panels, plans),
        opening,
        PositionDialogue(services, opening),
        LearnDialogue(services, panels),
        FindDialogue(services, sender, bot, lobby),
        lobby,
        votes,
        SeatDialogue(services, sender, votes),
        UndoDialogue(services, votes, guide),
        TableDialogue(services, sender),
        WhisperDialogue(services),
        MyTablesDialogue(services, sender, bot),
        HistoryDialogue(services),
        review,
        films,
        RulesDialogue(services),
        MeDialogue(services, sender),
        ResultsDialogue(services),
        PredictionDialogue(services, sender),
        CupDialogue(services, sender, bot),
        ServerDialogue(services),
    )
    bot.at_work = (review.at_work, films.at_work, following.at_work)
    for each in move_commands(services, guide):
        bot.tree.add_command(each)
    if uploads_signs:
        bot.at_work += (lambda: in_background(give_signs(bot, services, leads)),)
    return bot


async def host(settings: Settings, token: str, clock: Clock | None = None) -> None:
    """Run the bot until cancelled; then finish running work.

    Raise CannotOpen, CannotRun, and the errors of `stay_on_discord`.
    """
    clock = clock or SystemClock()
    backups = backups_of(settings, clock)
    if backups is not None:
        backups.must_have_database()
    metrics = membership = None
    if settings.health_port is not None:
        # Imported only if the metrics are served.
        from bot.host.metrics import Metrics

        metrics = Metrics()
    rates = {each: budget_rates(getattr(settings, f"budget_{each.value}")) for each in Budget}
    gateway = Gateway(_ignore if metrics is None else metrics.reconnected)
    trace = None if metrics is None else metrics.trace()
    async with AsyncExitStack() as stack:
        if settings.discord_api is not None:
            stack.enter_context(point_discord_at(settings.discord_api))
        if settings.discord_proxy is not None:
            stack.enter_context(point_discord_at(settings.discord_proxy, has_gateway=False))
        if settings.shards is not None:
            # Imported only if several processes share the database.
            from bot.cluster.hosting import Membership

            membership = await reach_discord(lambda: Membership.create(settings, token))
            trace = membership.trace(trace)
        services = await stack.enter_async_context(
            open_services(
                settings.database_url,
                threads=settings.drawing_threads,
                clock=clock,
                metrics=metrics,
                budgets=Budgets({each: rate for each, rate in rates.items() if rate is not None}),
                limits=Limits(
                    own=settings.tables_per_person,
                    own_max=settings.tables_per_person_max,
                    tables=settings.tables_per_server,
                    tables_max=settings.tables_per_server_max,
                ),
                left_servers_days=settings.left_servers_days,
                links=links_of(settings.source_url, settings.privacy_url, settings.terms_url),
                search_pool=SearchPool(workers_of(settings.search_processes), settings.search_ms),
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
        leave = None
        if membership is None:
            tables.scheduler.is_reachable = lambda: gateway.is_connected
        else:
            services = membership.join(services)
            checks |= membership.checks()
            make_client, leave = membership.make_bot, membership.leave
            logged_in = partial(membership.begin, tables)
            if metrics is not None:
                metrics.sharing = partial(membership.sharing, tables)
        if backups is not None and settings.backup_keep:
            nightly = await stack.enter_async_context(in_background(backups.make_when_due()))
            checks["backups"] = lambda: "stopped" if nightly.done() else OK
        if metrics is not None:
            # Imported only here, as it includes a web server.
            from bot.host.page import StatusPage

            page = StatusPage(checks, metrics, tables, backups, clock)
            if settings.tables_api == "on":
                from bot.cogs.tables_api import TablesApi

                page.routes += TablesApi(services, gateway.guild).routes()
            await stack.enter_async_context(in_background(metrics.measure_lag()))
            try:
                await stack.enter_async_context(
                    page.serve(settings.health_host, settings.health_port or 0)
                )
            except OSError as error:
                raise CannotRun(f"Cannot use HEALTH_HOST and HEALTH_PORT: {error}") from error

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
            # Not earlier: the start may block the event loop.
            if settings.watchdog_ms:
                report = _ignore if metrics is None else metrics.blocked
                await stack.enter_async_context(
                    watch_event_loop(report, settings.watchdog_ms / 1000)
                )

        await stay_on_discord(make, token, watch, logged_in=logged_in, leave=leave)


def _ignore(*_: object) -> None: ...


def freeze_garbage() -> None:
    """Exclude the objects made so far from garbage collection, and make full collections rare.

    A second call does nothing.
    """
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
    """Connect when Discord can be reached, and stay connected.

    Call `logged_in` before connecting, `welcome` once connected, and `leave` before disconnecting.
    Raise LoginFailure if Discord rejects the token, HTTPException if it rejects other requests, and
    ConnectionClosed if it closes the connection for good.
    """

    async def bot_logged_in() -> GameBot:
        # A client whose login failed cannot log in again.
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

    bot = await reach_discord(bot_logged_in)
    logged_in()
    connected = asyncio.create_task(bot.connect())
    try:
        async with in_background(greet()):
            await asyncio.wait([connected])
        await connected
    finally:
        if leave is not None and not connected.done():
            await leave()
        # discord.py uses `asyncio.wait_for`, which in Python 3.11 may lose a cancellation that
        # comes just when it has connected.
        while not connected.done():
            connected.cancel()
            await asyncio.wait([connected], timeout=CANCEL_RETRY_S)
        await asyncio.gather(connected, return_exceptions=True)
        await bot.close()
