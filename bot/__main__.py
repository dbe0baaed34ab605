"""The command line: `python -m bot [run | play | simulate | replay | bench]`."""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import os
import platform
import signal
import sys
import webbrowser
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import aiohttp
import discord
from pydantic import ValidationError

from bot.app import CannotOpen, make_bot, open_shell
from bot.client import GameBot
from bot.config import Settings
from bot.local import Standin, point_discord_at
from bot.tools import bench, replay, simulate

OK, FAILED, UNUSABLE = 0, 1, 2
PLAY_DATA = Path("var/play")
PLAY_PORT = 8120
DISCORD_READY_S = 2.0
LOCAL_READY_S = 0.1
"""The stand-in has sent all its servers by then; Discord may take two seconds for them."""
FORMAT = "%(asctime)s %(levelname)s %(name)s %(message)s"

log = logging.getLogger("bot")


class Unusable(Exception):
    """The program cannot run as it was asked to; the message is one line for its operator."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a sub-command; its exit status."""
    args = _parser().parse_args(argv)
    try:
        status: int = args.run(args)
    except Unusable as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        return OK
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot", description=__doc__)
    parser.set_defaults(run=run)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    here = commands.add_parser("run", help="run the bot on Discord, as .env says (the default)")
    here.set_defaults(run=run)
    local = commands.add_parser("play", help="play in the browser, without Discord")
    local.add_argument("--port", type=int, default=PLAY_PORT, help="0 takes a free one")
    local.add_argument("--data", type=Path, default=PLAY_DATA, help="where the games are kept")
    local.add_argument("--no-browser", action="store_true", help="only print the address")
    local.set_defaults(run=play)
    for name, tool, what in (
        ("simulate", simulate, "play whole games in this process and count"),
        ("replay", replay, "draw a recorded game step by step"),
        ("bench", bench, "measure the speed of the program"),
    ):
        sub = commands.add_parser(name, help=what)
        tool.add_arguments(sub)
        sub.set_defaults(run=tool.run)
    return parser


def run(_args: argparse.Namespace) -> int:
    """The bot on Discord. Raises Unusable for settings or a token that will not do."""
    settings = _settings()
    if settings.discord_token is None:
        raise Unusable("DISCORD_TOKEN is not set: put the bot's token into .env (see .env.example)")
    token = settings.discord_token.get_secret_value()
    _log_to_stderr(settings.log_level)

    async def serve() -> None:
        async with AsyncExitStack() as stack:
            if settings.discord_api is not None:
                stack.enter_context(point_discord_at(settings.discord_api))
            shell = await stack.enter_async_context(
                open_shell(settings.database_url, threads=settings.drawing_threads)
            )
            ready_s = DISCORD_READY_S if settings.discord_api is None else LOCAL_READY_S
            bot = make_bot(shell, dev_guild=settings.dev_guild, guild_ready_s=ready_s)
            await _until_stopped(bot, token)

    try:
        asyncio.run(serve())
    except CannotOpen as error:
        raise Unusable(f"DATABASE_URL cannot be used: {error}") from error
    except discord.LoginFailure as error:
        raise Unusable("Discord refuses the token: check DISCORD_TOKEN in .env") from error
    except (aiohttp.ClientConnectionError, discord.HTTPException, TimeoutError) as error:
        print(f"Discord cannot be reached: {error}", file=sys.stderr)
        return FAILED
    return OK


def play(args: argparse.Namespace) -> int:
    """The same bot on a Discord of its own, with a page to play on."""
    _log_to_stderr("WARNING")

    data: Path = args.data

    async def serve() -> None:
        async with AsyncExitStack() as stack:
            standin = await stack.enter_async_context(
                Standin(port=args.port, store_path=data / "chat.sqlite")
            )
            stack.enter_context(point_discord_at(standin.url))
            shell = await stack.enter_async_context(
                open_shell(f"sqlite+aiosqlite:///{data}/tables.sqlite")
            )
            bot = make_bot(shell, guild_ready_s=LOCAL_READY_S)

            async def welcome() -> None:
                print(f"Play at {standin.url}/  (Ctrl+C stops; the games are kept)", flush=True)
                if not args.no_browser and _has_screen():
                    await asyncio.to_thread(webbrowser.open, standin.url)

            await _until_stopped(bot, standin.token, welcome)

    try:
        data.mkdir(parents=True, exist_ok=True)
        asyncio.run(serve())
    except (OSError, CannotOpen) as error:
        raise Unusable(f"Cannot play here: {error}. Try another --port or --data.") from error
    return OK


async def _until_stopped(
    bot: GameBot, token: str, welcome: Callable[[], Awaitable[None]] | None = None
) -> None:
    """Run the bot until SIGINT or SIGTERM; what it has promised is kept, the rest stays owed."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Windows has no such handlers; there Ctrl+C raises KeyboardInterrupt.
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, stop.set)
    running = asyncio.create_task(bot.start(token))
    waiting: list[asyncio.Task[object]] = [asyncio.create_task(stop.wait())]
    greeting = asyncio.create_task(_greet(bot, welcome))
    try:
        await asyncio.wait([running, *waiting], return_when=asyncio.FIRST_COMPLETED)
    finally:
        log.info("stopping")
        greeting.cancel()
        for task in waiting:
            task.cancel()
        await bot.close()
    await running


async def _greet(bot: GameBot, welcome: Callable[[], Awaitable[None]] | None) -> None:
    await bot.wait_until_ready()
    # What was loaded at the start stays; looking through it again holds everybody up for long.
    gc.collect()
    gc.freeze()
    if welcome is not None:
        await welcome()


def _settings() -> Settings:
    try:
        return Settings()
    except ValidationError as error:
        wrong = ", ".join(str(each["loc"][0]).upper() for each in error.errors())
        raise Unusable(f"A setting cannot be used: {wrong} (see .env.example)") from error


def _log_to_stderr(level: str) -> None:
    # What libraries tell below a warning is for their makers, and may hold what players hide:
    # at DEBUG the database would log every action with its words.
    quiet = max(logging.WARNING, logging.getLevelName(level))
    logging.basicConfig(level=quiet, format=FORMAT, stream=sys.stderr)
    logging.getLogger("bot").setLevel(level)
    # A bot that has no voice need not be told so at each start.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


def _has_screen() -> bool:
    if platform.system() == "Linux":
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


if __name__ == "__main__":
    sys.exit(main())
