"""The commands of the command line, except for the tools.

Each returns the exit status or raises CannotRun. Imports are local to a command, so that a backup
does not import discord.py.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import platform
import signal
import sys
from collections.abc import Coroutine
from contextlib import AsyncExitStack, suppress
from typing import TYPE_CHECKING

from bot.config import CannotRun as CannotRun
from bot.config import environment_without_settings, read_settings
from bot.workers import in_background, in_thread

if TYPE_CHECKING:
    from bot.host.backups import Backups

log = logging.getLogger("bot")

OK, FAILED = 0, 1

SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")
"""Environment variables that mean there is a screen, on Linux."""

TOKEN_REFUSED = "Discord rejected the token: check DISCORD_TOKEN in .env"
SHARDS_REFUSED = "Discord requires shards, or more of them: set SHARDS (see docs/hosting.md)"
INTENTS_REFUSED = "Discord rejected the bot's intents: install the newest version of Kontor"
REFUSED = {
    4004: TOKEN_REFUSED,
    4010: SHARDS_REFUSED,
    4011: SHARDS_REFUSED,
    4013: INTENTS_REFUSED,
    4014: INTENTS_REFUSED,
}
"""Errors by the gateway's close code. A restart would not help, and Discord limits them per day."""


def run(_args: argparse.Namespace) -> int:
    """Run the bot on Discord until it is stopped."""
    import discord

    from bot.app import host
    from bot.host.logs import log_to_stderr
    from bot.opening import CannotOpen

    settings = read_settings()
    if settings.discord_token is None:
        raise CannotRun(
            "DISCORD_TOKEN is not set: put the bot's token into .env (see .env.example)"
        )
    log_to_stderr(settings.log_level, settings.log_format)
    try:
        asyncio.run(until_stopped(host(settings, settings.discord_token.revealed())))
    except CannotOpen as error:
        raise CannotRun(f"Cannot use DATABASE_URL: {error}") from error
    except discord.LoginFailure as error:
        raise CannotRun(TOKEN_REFUSED) from error
    except discord.PrivilegedIntentsRequired as error:
        raise CannotRun(INTENTS_REFUSED) from error
    except discord.ConnectionClosed as error:
        if error.code in REFUSED:
            raise CannotRun(f"{REFUSED[error.code]} (code {error.code})") from error
        print(f"Discord closed the connection for good (code {error.code})", file=sys.stderr)
        return FAILED
    except discord.HTTPException as error:
        print(f"Discord rejected the bot: {error}", file=sys.stderr)
        return FAILED
    return OK


def play(args: argparse.Namespace) -> int:
    """Run the bot on a local stand-in for Discord, with a page to play on, until it is stopped."""
    import sqlite3
    import webbrowser

    from bot.app import LOCAL_READY_S, make_bot, open_services, stay_on_discord
    from bot.host.gateway import point_discord_at
    from bot.host.logs import log_to_stderr
    from bot.local import Standin
    from bot.opening import CannotOpen
    from bot.text.words import words_for
    from bot.thinking import SearchPool, workers_of

    log_to_stderr("WARNING")

    async def serve() -> None:
        async with AsyncExitStack() as stack:
            standin = await stack.enter_async_context(
                Standin(
                    port=args.port,
                    store_path=args.data / "chat.sqlite",
                    page_words=lambda locale: words_for(locale).page,
                )
            )
            stack.enter_context(point_discord_at(standin.url))
            services = await stack.enter_async_context(
                open_services(
                    f"sqlite:///{args.data}/tables.sqlite",
                    search_pool=SearchPool(workers_of("auto")),
                )
            )

            async def welcome() -> None:
                print(f"Play at {standin.url}/  (Ctrl+C to stop; your games are saved)", flush=True)
                environment = environment_without_settings()
                has_screen = platform.system() != "Linux" or any(map(environment.get, SCREENS))
                if has_screen and not args.no_browser:
                    await in_thread(webbrowser.open, standin.url)

            await stay_on_discord(
                lambda: make_bot(services, guild_ready_s=LOCAL_READY_S, uploads_signs=True),
                standin.token,
                welcome,
            )

    try:
        args.data.mkdir(parents=True, exist_ok=True)
        asyncio.run(until_stopped(serve()))
    except (OSError, sqlite3.Error, CannotOpen) as error:
        raise CannotRun(
            f"Cannot play here: {str(error).rstrip('.')}. Try another --port or --data."
        ) from error
    return OK


def backup(args: argparse.Namespace) -> int:
    """Copy the database, whether the bot is running or not."""
    from bot.store import StoreError

    try:
        print(_backups().make(args.file))
    except StoreError as error:
        raise CannotRun(str(error)) from error
    return OK


def restore(args: argparse.Namespace) -> int:
    """Replace the database by a backup, and keep the old one."""
    from bot.store import StoreError

    try:
        aside = _backups().restore(args.file)
    except StoreError as error:
        raise CannotRun(str(error)) from error
    renamed = f" The old database is now {aside}." if aside else ""
    print(f"Restored {args.file}.{renamed}")
    return OK


def init(_args: argparse.Namespace) -> int:
    """Create an empty database."""
    from bot.opening import CannotOpen, open_store
    from bot.store import is_blank

    database = _backups().database
    if not is_blank(database):
        raise CannotRun(f"{database} already exists. It was not changed.")

    async def make() -> None:
        async with open_store(read_settings().database_url):
            print(f"Created {database}, with no games.")

    try:
        asyncio.run(make())
    except CannotOpen as error:
        raise CannotRun(f"Cannot use DATABASE_URL: {error}") from error
    return OK


def _backups() -> Backups:
    from bot.host.backups import backups_of
    from bot.tables import SystemClock

    backups = backups_of(read_settings(), SystemClock())
    if backups is None:
        raise CannotRun(
            "This command is for SQLite files. For PostgreSQL use pg_dump (see docs/hosting.md)."
        )
    return backups


def move(args: argparse.Namespace) -> int:
    """Copy all data to an empty database, and compare."""
    from bot.host.logs import log_to_stderr
    from bot.store import StoreError
    from bot.store.move import move as move_games

    log_to_stderr("INFO")
    try:
        rows = asyncio.run(move_games(args.source, args.target))
    except StoreError as error:
        raise CannotRun(str(error)) from error
    except KeyboardInterrupt as error:
        raise CannotRun("Stopped: nothing was moved.") from error
    # Operators know tables and log entries.
    others = sum(rows.values()) - rows["tables"] - rows["log"]
    print(
        f"Copied tables: {rows['tables']:,}, log entries: {rows['log']:,}, other rows: {others:,}."
        " The copy matches. Set DATABASE_URL to the new database before you start the bot. The old"
        " database is unchanged: start no bot on it."
    )
    return OK


async def until_stopped(work: Coroutine[None, None, None]) -> None:
    """Run the work until it ends, or until SIGINT or SIGTERM cancels it."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Windows does not support these handlers; there Ctrl+C raises KeyboardInterrupt.
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, stop.set)
    async with in_background(work) as working, in_background(stop.wait()) as stopped:
        await asyncio.wait({working, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            log.info("stopping")
    if not working.cancelled():
        working.result()
