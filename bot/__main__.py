"""The command line: `kontor [COMMAND]`, or `python -m bot [COMMAND]` in the project's folder.

Without a command, it runs the bot on Discord.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from bot import __version__, commands
from bot.config import CannotRun

INSTALLED = "kontor"
"""The name of the installed program."""
OWNER_ONLY = 0o077
"""The umask for files that only their owner may use."""
OK, UNUSABLE = 0, 2
ABOUT = "Kontor, a Discord bot for board games. Without a command, it runs on Discord."

TOOLS = {
    "games": "list the games, their options and their rules versions",
    "simulate": "play whole games between computer players and count the results",
    "arena": "compare computer players over mirrored games",
    "replay": "draw a recorded game step by step",
    "verify": "check every draw of an exported game or cup",
}
"""Modules of bot/tools, each with `add_arguments(parser)` and `run(args)`, which returns the exit
status. Only the requested one is imported."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    words = sys.argv[1:] if argv is None else argv
    args = _parser(words).parse_args(words)
    # All files made from here on may hold players' secrets.
    previous = os.umask(OWNER_ONLY)
    try:
        return int(args.run(args))
    except CannotRun as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        return OK
    finally:
        os.umask(previous)


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    name = INSTALLED if Path(sys.argv[0]).stem == INSTALLED else "python -m bot"
    parser = argparse.ArgumentParser(prog=name, description=ABOUT)
    parser.add_argument("--version", action="version", version=f"{INSTALLED} {__version__}")
    parser.set_defaults(run=commands.run)
    listed = parser.add_subparsers(title="commands", metavar="COMMAND")

    def add(
        name: str, run: Callable[[argparse.Namespace], int] | None, text: str
    ) -> argparse.ArgumentParser:
        command: argparse.ArgumentParser = listed.add_parser(name, help=text)
        command.set_defaults(run=run)
        return command

    add("run", commands.run, "run the bot on Discord with the settings in .env (default)")
    play = add("play", commands.play, "play in the browser, without Discord")
    play.add_argument(
        "--port", type=int, default=8120, help="port of the page (8120); 0 picks a free one"
    )
    play.add_argument(
        "--data", type=Path, default=Path("var/play"), help="folder of the games (var/play)"
    )
    play.add_argument("--no-browser", action="store_true", help="print the address only")
    backup = add("backup", commands.backup, "copy the database; the bot may keep running")
    backup.add_argument(
        "file", type=Path, nargs="?", help="where to; by default a new file in BACKUP_FOLDER"
    )
    restore = add("restore", commands.restore, "replace the database with a backup")
    restore.add_argument("file", type=Path, help="a file made by backup")
    add("init", commands.init, "create an empty database, for example after losing one")
    move = add("move", commands.move, "copy all games from SQLite to PostgreSQL or back")
    move.add_argument("source", help="URL of the database to copy, as in DATABASE_URL")
    move.add_argument("target", help="URL of an empty database")
    for name, text in TOOLS.items():
        command = add(name, None, text)
        if name in words:
            tool = import_module(f"bot.tools.{name}")
            tool.add_arguments(command)
            command.set_defaults(run=tool.run)
    return parser


if __name__ == "__main__":
    sys.exit(main())
