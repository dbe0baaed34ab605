"""Puts the parts together, the same for Discord, for the stand-in and for tests."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from random import Random

from sqlalchemy.exc import SQLAlchemyError

from bot.client import GameBot
from bot.cogs.burgundy import BurgundyCog
from bot.cogs.common.delivery import Delivery
from bot.cogs.common.following import Following
from bot.cogs.common.guide import Guide
from bot.cogs.common.items import Presses
from bot.cogs.common.looking import Looking
from bot.cogs.common.pictures import Pictures
from bot.cogs.common.places import Places
from bot.cogs.common.seating import Seating
from bot.cogs.common.shell import Shell
from bot.cogs.common.shown import ShownPanels
from bot.cogs.game import GameCog
from bot.cogs.guide import GuideCog
from bot.cogs.kogge import KoggeCog
from bot.cogs.lobby import LobbyCog
from bot.cogs.post import PostCog
from bot.config import sqlite_folder
from bot.game.registry import GAMES
from bot.policy.registry import POLICIES
from bot.render.registry import RENDERERS, Renderer
from bot.store import Store, StoreError
from bot.tables import Clock, Tables
from bot.text.registry import TEXTS
from bot.text.words import words_for

USUAL = "greedy"
"""The computer player that is added where nobody says which."""
KEY_BYTES = 32
LIVE_PAUSE = 1.5
"""Seconds between two edits of a turn's text while the turn goes on."""


class CannotOpen(Exception):
    """The database cannot be opened; the message says why in one line."""


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
    renderers: Mapping[str, Renderer] = RENDERERS,
) -> AsyncIterator[Shell]:
    """Everything below the Discord client: store, tables, pictures, words. Raises CannotOpen."""
    store = await _open_store(database_url)
    try:
        with ThreadPoolExecutor(threads, thread_name_prefix="draw") as executor:
            async with Tables(store, GAMES, POLICIES, clock, rng, new_key) as tables:
                yield Shell(
                    tables=tables,
                    games=GAMES,
                    texts=TEXTS,
                    policies={
                        game: sorted(kinds, key=lambda name: (name != USUAL, name))
                        for game, kinds in POLICIES.items()
                    },
                    pictures=Pictures(renderers, executor),
                    words_for=words_for,
                )
    finally:
        await store.close()


async def _open_store(database_url: str) -> Store:
    try:
        folder = sqlite_folder(database_url)
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        return await Store.open(database_url)
    except (OSError, StoreError, SQLAlchemyError, ModuleNotFoundError) as error:
        raise CannotOpen(str(error).partition("\n")[0]) from error


def make_bot(
    shell: Shell,
    *,
    dev_guild: int | None = None,
    live_pause: float = LIVE_PAUSE,
    guild_ready_s: float = 2.0,
) -> GameBot:
    """The bot over a shell, not yet connected to anything.

    `guild_ready_s` is how long it waits for the next of its servers before it is ready.
    """
    presses = Presses(shell)
    bot = GameBot(presses, shell, dev_guild=dev_guild, guild_ready_s=guild_ready_s)
    places = Places(bot)
    shown = ShownPanels()
    guide, looking, seating = Guide(shell, shown), Looking(shell), Seating(shell, places)
    following = Following(shell, shown)
    bot.cogs_to_load = (
        GameCog(shell, seating, guide, looking, presses),
        LobbyCog(shell, seating, presses),
        GuideCog(guide, looking, presses),
        KoggeCog(shell, guide),
        BurgundyCog(shell, guide),
        PostCog(shell.tables, Delivery(shell, places, bot, following, live_pause)),
    )
    return bot
