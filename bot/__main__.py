"""The command line: `kontor [COMMAND]`, or `python -m bot [COMMAND]` in the project's folder.

Without a command it runs the bot on Discord.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import platform
import signal
import sqlite3
import sys
import webbrowser
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import discord
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bot import __version__
from bot.app import make_bot, open_services
from bot.config import Settings, UnusableSetting
from bot.host.backups import Backups
from bot.host.logs import log_to_stderr
from bot.hosting import LOCAL_READY_S, CannotListen, CannotShare, backups_of, host, stay_on_discord
from bot.local import Standin, point_discord_at
from bot.opening import CannotOpen, open_store
from bot.store import BadAddress, DatabaseLost, StoreError, is_blank
from bot.tables import SystemClock
from bot.text.words import words_for
from bot.tools import bench, games, leaks, replay, simulate, verify

OK, FAILED, UNUSABLE = 0, 1, 2
INSTALLED = "kontor"
"""What the program is called where it is installed."""
OWNER_ALONE = 0o077
"""The rights that files are made without: those of everybody but their owner."""
PLAY_DATA = Path("var/play")
PLAY_PORT = 8120
TOKEN_REFUSED = "Discord refuses the token: check DISCORD_TOKEN in .env"
SHARDS_REFUSED = (
    "Discord wants the bot divided into shards, or into more of them: set SHARDS,"
    ' see "Several processes" in docs/hosting.md'
)
INTENTS_REFUSED = "Discord refuses the intents of the bot: is there a newer version of it?"
REFUSED = {
    4004: TOKEN_REFUSED,
    4010: SHARDS_REFUSED,
    4011: SHARDS_REFUSED,
    4013: INTENTS_REFUSED,
    4014: INTENTS_REFUSED,
}
"""What an operator is told, by the code with which the gateway ends a connection. Each start would
end like that, and Discord allows only so many a day."""

TABLES, ENTRIES = "tables", "log"
"""What an operator knows, by its names in the database."""

log = logging.getLogger("bot")


class CannotRun(Exception):
    """The program cannot run as it was asked to; the message is one line for its operator."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a sub-command; its exit status."""
    args = _parser().parse_args(argv)
    # Whatever is made from here on holds what players hide: it is for its owner alone.
    others = os.umask(OWNER_ALONE)
    try:
        status: int = args.run(args)
    except CannotRun as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        return OK
    finally:
        os.umask(others)
    return status


def _parser() -> argparse.ArgumentParser:
    name = INSTALLED if Path(sys.argv[0]).stem == INSTALLED else "python -m bot"
    parser = argparse.ArgumentParser(prog=name, description=__doc__)
    parser.add_argument("--version", action="version", version=f"{INSTALLED} {__version__}")
    parser.set_defaults(run=run)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    here = commands.add_parser("run", help="run the bot on Discord, as .env says (the default)")
    here.set_defaults(run=run)
    local = commands.add_parser("play", help="play in the browser, without Discord")
    local.add_argument("--port", type=int, default=PLAY_PORT, help="0 takes a free one")
    local.add_argument("--data", type=Path, default=PLAY_DATA, help="where the games are kept")
    local.add_argument("--no-browser", action="store_true", help="only print the address")
    local.set_defaults(run=play)
    copy = commands.add_parser("backup", help="copy the database, also while the bot is running")
    copy.add_argument("file", type=Path, nargs="?", help="without it, a new one in BACKUP_FOLDER")
    copy.set_defaults(run=backup)
    back = commands.add_parser("restore", help="put a backup in the place of the database")
    back.add_argument("file", type=Path, help="what backup has made")
    back.set_defaults(run=restore)
    new = commands.add_parser("begin", help="make an empty database where one has been lost")
    new.set_defaults(run=begin)
    other = commands.add_parser("move", help="copy all games from SQLite to PostgreSQL, or back")
    other.add_argument("source", help="where they are kept: a URL as in DATABASE_URL")
    other.add_argument("target", help="the URL of a database in which nothing is kept yet")
    other.set_defaults(run=move_games)
    for name, tool, what in (
        ("games", games, "list what can be played, with which options, by which rules"),
        ("simulate", simulate, "play whole games in this process and count"),
        ("replay", replay, "draw a recorded game step by step"),
        ("verify", verify, "check every draw of an exported game"),
        ("bench", bench, "measure the speed of the program"),
        ("leaks", leaks, "look for secrets in anything that people are given"),
    ):
        sub = commands.add_parser(name, help=what)
        tool.add_arguments(sub)
        sub.set_defaults(run=tool.run)
    return parser


def run(_args: argparse.Namespace) -> int:
    """The bot on Discord. Raises CannotRun for settings or a token that will not do."""
    settings = _settings()
    if settings.discord_token is None:
        raise CannotRun(
            "DISCORD_TOKEN is not set: put the bot's token into .env (see .env.example)"
        )
    token = settings.discord_token.get_secret_value()
    log_to_stderr(settings.log_level, settings.log_format)
    try:
        asyncio.run(_until_stopped(host(settings, token)))
    except DatabaseLost as error:
        raise CannotRun(str(error)) from error
    except CannotOpen as error:
        raise CannotRun(f"DATABASE_URL cannot be used: {error}") from error
    except CannotShare as error:
        raise CannotRun(str(error)) from error
    except CannotListen as error:
        raise CannotRun(f"HEALTH_HOST and HEALTH_PORT cannot be used: {error}") from error
    except discord.LoginFailure as error:
        raise CannotRun(TOKEN_REFUSED) from error
    except discord.ConnectionClosed as error:
        if error.code in REFUSED:
            raise CannotRun(f"{REFUSED[error.code]} (code {error.code})") from error
        print(f"Discord has ended the connection for good: code {error.code}", file=sys.stderr)
        return FAILED
    except discord.PrivilegedIntentsRequired as error:
        raise CannotRun(INTENTS_REFUSED) from error
    except discord.HTTPException as error:
        print(f"Discord refuses the bot: {error}", file=sys.stderr)
        return FAILED
    return OK


def play(args: argparse.Namespace) -> int:
    """The same bot on a Discord of its own, with a page to play on."""
    log_to_stderr("WARNING")

    data: Path = args.data

    async def serve() -> None:
        async with AsyncExitStack() as stack:
            standin = await stack.enter_async_context(
                Standin(
                    port=args.port,
                    store_path=data / "chat.sqlite",
                    page_words=lambda locale: words_for(locale).page,
                )
            )
            stack.enter_context(point_discord_at(standin.url))
            services = await stack.enter_async_context(
                open_services(f"sqlite+aiosqlite:///{data}/tables.sqlite")
            )

            async def welcome() -> None:
                print(f"Play at {standin.url}/  (Ctrl+C stops; the games are kept)", flush=True)
                if not args.no_browser and _has_screen():
                    await asyncio.to_thread(webbrowser.open, standin.url)

            await stay_on_discord(
                lambda: make_bot(services, guild_ready_s=LOCAL_READY_S, uploads_signs=True),
                standin.token,
                welcome,
            )

    try:
        data.mkdir(parents=True, exist_ok=True)
        asyncio.run(_until_stopped(serve()))
    except (OSError, sqlite3.Error, CannotOpen) as error:
        raise CannotRun(f"Cannot play here: {error}. Try another --port or --data.") from error
    return OK


def backup(args: argparse.Namespace) -> int:
    """A copy of the database, whether the bot is running or not. Raises CannotRun."""
    try:
        made = _backups().make(args.file)
    except StoreError as error:
        raise CannotRun(str(error)) from error
    print(made)
    return OK


def restore(args: argparse.Namespace) -> int:
    """A backup takes the place of the database, which is kept aside. Raises CannotRun."""
    try:
        aside = _backups().restore(args.file)
    except StoreError as error:
        raise CannotRun(str(error)) from error
    print(
        f"{args.file} is in its place."
        + (f" What it replaced is kept as {aside}." if aside else "")
    )
    return OK


def begin(_args: argparse.Namespace) -> int:
    """An empty database, on purpose, in the place of one that is lost. Raises CannotRun."""
    backups = _backups()
    if not is_blank(backups.database):
        raise CannotRun(f"{backups.database} is there already, and is not overwritten.")

    async def make() -> None:
        async with open_store(_settings().database_url):
            print(f"{backups.database} is there, with no games in it.")

    try:
        asyncio.run(make())
    except CannotOpen as error:
        raise CannotRun(f"DATABASE_URL cannot be used: {error}") from error
    return OK


def move_games(args: argparse.Namespace) -> int:
    """All that is stored, copied to an empty database and compared. Raises CannotRun."""
    # What is needed once need not be loaded at each start of the bot.
    from bot.store.move import move

    log_to_stderr("INFO")
    try:
        rows = asyncio.run(move(args.source, args.target))
    except StoreError as error:
        raise CannotRun(str(error)) from error
    except KeyboardInterrupt as error:
        raise CannotRun("Stopped: nothing was moved.") from error
    others = sum(rows.values()) - rows[TABLES] - rows[ENTRIES]
    print(
        f"Copied tables: {rows[TABLES]:,}, log entries: {rows[ENTRIES]:,}, other rows: {others:,};"
        " read again and compared, all are the same. Set DATABASE_URL to where they are now before"
        " you start the bot. Nothing was removed where they were: start no bot there."
    )
    return OK


def _backups() -> Backups:
    backups = backups_of(_settings(), SystemClock())
    if backups is None:
        raise CannotRun("This is for SQLite files; for PostgreSQL see docs/hosting.md (pg_dump).")
    return backups


async def _until_stopped(work: Coroutine[None, None, None]) -> None:
    """Do it until it ends, or SIGINT or SIGTERM cancels it, once; it ends what is under way."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Windows has no such handlers; there Ctrl+C raises KeyboardInterrupt.
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, stop.set)
    working, stopped = asyncio.create_task(work), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({working, stopped}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopped.cancel()
        if not working.done():
            log.info("stopping")
            working.cancel()
        with suppress(asyncio.CancelledError):
            await working


def _settings() -> Settings:
    try:
        return Settings()
    except ValidationError as error:
        wrong = ", ".join(map(_said_of, error.errors()))
        raise CannotRun(f"A setting cannot be used: {wrong} (see .env.example)") from error


def _said_of(wrong: ErrorDetails) -> str:
    name = str(wrong["loc"][0]).upper()
    reason = wrong.get("ctx", {}).get("error")
    # What pydantic says may quote the value, which may hold a password.
    return f"{name}, {reason}" if isinstance(reason, BadAddress | UnusableSetting) else name


def _has_screen() -> bool:
    if platform.system() == "Linux":
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


if __name__ == "__main__":
    sys.exit(main())
