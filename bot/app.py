"""Puts the parts together, the same for Discord, for the stand-in and for tests."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import cache
from random import Random
from typing import TYPE_CHECKING

import aiohttp

from bot import __version__
from bot.client import GameBot
from bot.cogs.about import AboutCog
from bot.cogs.flows.absence import Absence
from bot.cogs.flows.giving_up import GivingUp
from bot.cogs.flows.hint import HintDialogue
from bot.cogs.flows.lobby_options import LobbyOptions
from bot.cogs.flows.logbook import Logbook
from bot.cogs.flows.plan import PlanDialogue
from bot.cogs.flows.promises import Promises
from bot.cogs.flows.replay import Replay
from bot.cogs.flows.review import ReviewDialogue
from bot.cogs.flows.rulebook import Rulebook
from bot.cogs.flows.seating import Seating
from bot.cogs.flows.undo import Undo
from bot.cogs.flows.votes import Votes
from bot.cogs.game import GameCog
from bot.cogs.guide import GuideCog
from bot.cogs.history import HistoryCog
from bot.cogs.lobby import LobbyCog
from bot.cogs.me import MeCog
from bot.cogs.panel.move_commands import MoveCommands
from bot.cogs.panel.turn import TurnGuide
from bot.cogs.panel.views import TableViews
from bot.cogs.panels import PanelsCog
from bot.cogs.plan import PlanCog
from bot.cogs.playing import PlayingCog
from bot.cogs.post import PostCog
from bot.cogs.posting.delivery import Delivery
from bot.cogs.posting.panel_following import PanelFollowing
from bot.cogs.results import ResultsCog
from bot.cogs.rules import RulesCog
from bot.cogs.seat import SeatCog
from bot.cogs.server import ServerCog
from bot.cogs.signs import SignsCog
from bot.cogs.table import TableCog
from bot.cogs.ui.budgets import Budgets
from bot.cogs.ui.channels import Places
from bot.cogs.ui.component_router import ComponentRouter
from bot.cogs.ui.links import Links
from bot.cogs.ui.open_panels import OpenPanels
from bot.cogs.ui.pictures import Pictures
from bot.cogs.ui.services import Services
from bot.opening import open_store, reached
from bot.tables import Clock, MetricsSink, NoMetrics, Tables
from bot.tables.core.ownership import Ownership
from bot.tables.people.server_removal import KEPT_DAYS
from bot.tables.people.servers import Limits
from bot.text.words import Words, all_words, words_for
from bot.thinking import Thinkers
from bot.thinking.seats import StrongSeats
from bot.titles import TITLES
from bot.titles.title import Titles

if TYPE_CHECKING:
    from bot.cluster.leases import Leases

KEY_BYTES = 32
LIVE_PAUSE = 1.5
"""Seconds between two edits of a turn's text while the turn goes on."""


def secret_key() -> bytes:
    """A key for the draws of a new table."""
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
    thinkers: Thinkers | None = None,
    left_servers_days: int = KEPT_DAYS,
    links: Links | None = None,
) -> AsyncIterator[Services]:
    """Everything below the Discord client: store, tables, pictures, words. Raises CannotOpen.

    Without `budgets` people may ask for as much as they like. A `member` shares the database with
    others, and owns tables there. Without `thinkers` the strong player plays as
    the normal one does.
    """
    metrics = metrics or NoMetrics()
    thinkers = thinkers or Thinkers(0)
    all_words()  # Read now, so that nobody has to wait for it.
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
                thinker=StrongSeats(thinkers, titles.minds),
                left_servers_days=left_servers_days,
            )
            await reached(tables.resume)
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
                    thinkers=thinkers,
                    version=__version__,
                    links=links or Links(),
                )
            finally:
                await tables.close()
                await thinkers.close()


def signed(signs: Mapping[str, str]) -> Callable[[str | None], Words]:
    """`words_for`, with those signs of pieces that are known by then."""

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
    """The bot over a shell, not yet connected to anything.

    `guild_ready_s` is how long it waits for the next of its servers before it is ready; with
    `uploads_signs` it gives Discord the signs of pieces that are missing there once it is ready;
    `http_trace` hears of its requests. `client` makes it, from what GameBot takes; of several
    processes one `leads`, and gives Discord what is needed once.
    """
    router = ComponentRouter(services)
    bot = client(
        router, services, dev_guild=dev_guild, guild_ready_s=guild_ready_s, http_trace=http_trace
    )
    places = Places(bot, services.tables.message_numbers, services.tables.notifications)
    shown = OpenPanels()
    guide, table_views, seating = (
        TurnGuide(services, shown),
        TableViews(services),
        Seating(services, places),
    )
    following = PanelFollowing(services, shown, bot.answers)
    options = LobbyOptions(services, bot.answers)
    votes = Votes(services, places)
    absence = Absence(services, votes, seating)
    replay, logbook, review = Replay(services), Logbook(services), ReviewDialogue(services)
    giving_up, promises = GivingUp(services, votes), Promises(services, seating)
    undo, hints = Undo(services, votes, guide), HintDialogue(services, guide)
    bot.cogs_to_load = (
        GameCog(
            services,
            seating,
            guide,
            table_views,
            promises,
            giving_up,
            undo,
            hints,
            absence,
            replay,
            review,
            logbook,
        ),
        PlayingCog(giving_up, votes, promises, undo, router),
        PlanCog(PlanDialogue(services, guide), hints, router),
        LobbyCog(services, seating, options, router),
        GuideCog(guide, table_views, router),
        HistoryCog(replay, logbook, review, router),
        RulesCog(services, Rulebook(services), router),
        MeCog(services, places, router),
        ResultsCog(services, router),
        TableCog(services, seating, router),
        ServerCog(services, bot, router),
        AboutCog(services),
        MoveCommands(services, guide, bot.tree),
        SeatCog(services, absence, votes, router),
        PanelsCog(services, shown, following),
        PostCog(
            services.tables,
            Delivery(services, places, bot, following, options, votes, live_pause),
        ),
    )
    if uploads_signs:
        bot.cogs_to_load += (SignsCog(bot, services, leads),)
    return bot
