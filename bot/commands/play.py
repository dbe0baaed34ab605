"""The same bot on a Discord of its own, with a page to play on."""

from __future__ import annotations

import argparse
import asyncio
import platform
import sqlite3
import webbrowser
from contextlib import AsyncExitStack
from pathlib import Path

from bot.app import make_bot, open_services
from bot.commands import OK, CannotRun
from bot.commands.until_stopped import until_stopped
from bot.config import environment_without_settings
from bot.host.discord_address import point_discord_at
from bot.host.logs import log_to_stderr
from bot.host.memory import share_heap
from bot.hosting import LOCAL_READY_S, stay_on_discord
from bot.local import Standin
from bot.opening import CannotOpen
from bot.text.words import words_for
from bot.thinking import Thinkers, workers_of
from bot.workers import in_thread

DATA = Path("var/play")
PORT = 8120
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")
"""One of these is set in the environment where there is a screen, on Linux."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where it is played."""
    parser.add_argument("--port", type=int, default=PORT, help="0 takes a free one")
    parser.add_argument("--data", type=Path, default=DATA, help="where the games are kept")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def run(args: argparse.Namespace) -> int:
    """Until it is stopped. Raises CannotRun where it cannot be played there."""
    log_to_stderr("WARNING")
    share_heap()

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
                open_services(
                    f"sqlite+aiosqlite:///{data}/tables.sqlite",
                    thinkers=Thinkers(workers_of("auto")),
                )
            )

            async def welcome() -> None:
                print(f"Play at {standin.url}/  (Ctrl+C stops; your games are kept)", flush=True)
                if not args.no_browser and _has_screen():
                    await in_thread(webbrowser.open, standin.url)

            await stay_on_discord(
                lambda: make_bot(services, guild_ready_s=LOCAL_READY_S, uploads_signs=True),
                standin.token,
                welcome,
            )

    try:
        data.mkdir(parents=True, exist_ok=True)
        asyncio.run(until_stopped(serve()))
    except (OSError, sqlite3.Error, CannotOpen) as error:
        raise CannotRun(f"Cannot play here: {error}. Try another --port or --data.") from error
    return OK


def _has_screen() -> bool:
    if platform.system() == "Linux":
        environment = environment_without_settings()
        return any(environment.get(name) for name in SCREENS)
    return True
