"""Puts the parts together, the same for Discord, for the stand-in and for tests."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from random import Random

import aiohttp
import msgspec

from bot.client import GameBot
from bot.cogs.burgundy import BurgundyCog
from bot.cogs.common.absence import Absence
from bot.cogs.common.budgets import Budgets
from bot.cogs.common.delivery import Delivery
from bot.cogs.common.following import Following
from bot.cogs.common.guide import Guide
from bot.cogs.common.logbook import Logbook
from bot.cogs.common.looking import Looking
from bot.cogs.common.pictures import Pictures
from bot.cogs.common.places import Places
from bot.cogs.common.presses import Presses
from bot.cogs.common.promises import Promises
from bot.cogs.common.replay import Replay
from bot.cogs.common.rulebook import Rulebook
from bot.cogs.common.seating import Seating
from bot.cogs.common.shell import Shell
from bot.cogs.common.shown import ShownPanels
from bot.cogs.common.undo import Undo
from bot.cogs.common.votes import Votes
from bot.cogs.game import GameCog
from bot.cogs.guide import GuideCog
from bot.cogs.history import HistoryCog
from bot.cogs.kogge import KoggeCog
from bot.cogs.lobby import LobbyCog
from bot.cogs.me import MeCog
from bot.cogs.post import PostCog
from bot.cogs.results import ResultsCog
from bot.cogs.rules import RulesCog
from bot.cogs.seat import SeatCog
from bot.cogs.server import ServerCog
from bot.cogs.table import TableCog
from bot.game.contract import AnyGame
from bot.game.registry import GAMES
from bot.game.versions import Games, Versions
from bot.opening import open_store, reached
from bot.policy.orders import ORDERS
from bot.policy.registry import POLICIES
from bot.render.registry import CLOSE_UPS, RENDERERS, CloseUp, Renderer
from bot.tables import Clock, Tables, Unwatched, Watch
from bot.tables.computers import Orders, Policies
from bot.tables.servers import Limits
from bot.text.contract import AnyGameText
from bot.text.registry import TEXTS
from bot.text.words import read_all, words_for

USUAL = "greedy"
"""The computer player that is added where nobody says which."""
KEY_BYTES = 32
LIVE_PAUSE = 1.5
"""Seconds between two edits of a turn's text while the turn goes on."""


class Titles(msgspec.Struct, frozen=True):
    """All that can be played, in every version that is kept, and what belongs to it."""

    games: Games
    policies: Policies
    orders: Orders
    texts: Versions[AnyGameText]
    renderers: Versions[Renderer]
    close_ups: Versions[CloseUp]

    def kinds(self, game: AnyGame) -> list[str]:
        """The kinds of computer player of a game, the usual one first."""
        kinds = self.policies.of(game.name, game.version)
        return sorted(kinds, key=lambda name: (name != USUAL, name))


TITLES = Titles(GAMES, POLICIES, ORDERS, TEXTS, RENDERERS, CLOSE_UPS)
"""What this program plays."""


def secret_key() -> bytes:
    """A key for the draws of a new table."""
    return secrets.token_bytes(KEY_BYTES)


@asynccontextmanager
async def open_shell(
    database_url: str,
    *,
    threads: int = 2,
    clock: Clock | None = None,
    rng: Random | None = None,
    new_key: Callable[[], bytes] = secret_key,
    titles: Titles = TITLES,
    watch: Watch | None = None,
    budgets: Budgets | None = None,
    limits: Limits | None = None,
) -> AsyncIterator[Shell]:
    """Everything below the Discord client: store, tables, pictures, words. Raises CannotOpen.

    Without `budgets` people may ask for as much as they like.
    """
    watch = watch or Unwatched()
    read_all()
    async with open_store(database_url) as store:
        with ThreadPoolExecutor(threads, thread_name_prefix="draw") as executor:
            tables = Tables(
                store,
                titles.games,
                titles.policies,
                clock,
                rng,
                new_key,
                watch=watch,
                orders=titles.orders,
            )
            await reached(tables.resume)
            try:
                yield Shell(
                    tables=tables,
                    games=titles.games,
                    texts=titles.texts,
                    policies=titles.games.each(titles.kinds),
                    renderers=titles.renderers,
                    close_ups=titles.close_ups,
                    pictures=Pictures(executor),
                    words_for=words_for,
                    watch=watch,
                    budgets=budgets or Budgets({}),
                    limits=limits or Limits(),
                )
            finally:
                await tables.close()


def make_bot(
    shell: Shell,
    *,
    dev_guild: int | None = None,
    live_pause: float = LIVE_PAUSE,
    guild_ready_s: float = 2.0,
    http_trace: aiohttp.TraceConfig | None = None,
) -> GameBot:
    """The bot over a shell, not yet connected to anything.

    `guild_ready_s` is how long it waits for the next of its servers before it is ready;
    `http_trace` hears of its requests.
    """
    presses = Presses(shell)
    bot = GameBot(
        presses, shell, dev_guild=dev_guild, guild_ready_s=guild_ready_s, http_trace=http_trace
    )
    places = Places(bot, shell.tables.sendings)
    shown = ShownPanels()
    guide, looking, seating = Guide(shell, shown), Looking(shell), Seating(shell, places)
    following = Following(shell, shown)
    votes = Votes(shell, seating)
    absence = Absence(shell, votes)
    replay, logbook = Replay(shell), Logbook(shell)
    bot.cogs_to_load = (
        GameCog(
            shell,
            seating,
            guide,
            looking,
            Promises(shell, seating),
            Undo(shell, votes, guide),
            absence,
            replay,
            logbook,
            presses,
        ),
        LobbyCog(shell, seating, presses),
        GuideCog(guide, looking, presses),
        HistoryCog(replay, logbook, presses),
        RulesCog(shell, Rulebook(shell), presses),
        MeCog(shell, places, presses),
        ResultsCog(shell, presses),
        TableCog(shell, seating, presses),
        ServerCog(shell),
        KoggeCog(shell, guide),
        BurgundyCog(shell, guide),
        SeatCog(shell, absence, votes, presses),
        PostCog(shell.tables, Delivery(shell, places, bot, following, votes, live_pause)),
    )
    return bot
