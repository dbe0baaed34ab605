"""The command line: `kontor [COMMAND]`, or `python -m bot [COMMAND]` in the project's folder.

Without a command it runs the bot on Discord.
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
"""What the program is called where it is installed."""
OWNER_ALONE = 0o077
"""The rights that files are made without: those of everybody but their owner."""
OK, UNUSABLE = 0, 2

TOOLS = {
    "games": "list what can be played, with which options, by which rules",
    "simulate": "play whole games in this process and count",
    "arena": "play computer players against each other, mirrored",
    "replay": "draw a recorded game step by step",
    "verify": "check every draw of an exported game",
}
"""Modules of bot/tools: each has `add_arguments(parser)` and `run(args)`, which returns the exit
status. None is loaded but the one that is asked for."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a sub-command; its exit status."""
    words = sys.argv[1:] if argv is None else argv
    args = _parser(words).parse_args(words)
    # Whatever is made from here on holds what players hide: it is for its owner alone.
    others = os.umask(OWNER_ALONE)
    try:
        return int(args.run(args))
    except CannotRun as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        return OK
    finally:
        os.umask(others)


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    name = INSTALLED if Path(sys.argv[0]).stem == INSTALLED else "python -m bot"
    parser = argparse.ArgumentParser(prog=name, description=__doc__)
    parser.add_argument("--version", action="version", version=f"{INSTALLED} {__version__}")
    parser.set_defaults(run=commands.run)
    listed = parser.add_subparsers(title="commands", metavar="COMMAND")

    def add(
        name: str, run: Callable[[argparse.Namespace], int] | None, what: str
    ) -> argparse.ArgumentParser:
        command: argparse.ArgumentParser = listed.add_parser(name, help=what)
        command.set_defaults(run=run)
        return command

    add("run", commands.run, "run the bot on Discord, as .env says (the default)")
    play = add("play", commands.play, "play in the browser, without Discord")
    play.add_argument("--port", type=int, default=8120, help="0 takes a free one")
    play.add_argument(
        "--data", type=Path, default=Path("var/play"), help="where the games are kept"
    )
    play.add_argument("--no-browser", action="store_true", help="only print the address")
    backup = add("backup", commands.backup, "copy the database, also while the bot is running")
    backup.add_argument("file", type=Path, nargs="?", help="without it, a new one in BACKUP_FOLDER")
    restore = add("restore", commands.restore, "put a backup in the place of the database")
    restore.add_argument("file", type=Path, help="what backup has made")
    add("begin", commands.begin, "make an empty database where one has been lost")
    move = add("move", commands.move, "copy all games from SQLite to PostgreSQL, or back")
    move.add_argument("source", help="where they are kept: a URL as in DATABASE_URL")
    move.add_argument("target", help="the URL of a database in which nothing is kept yet")
    for name, what in TOOLS.items():
        command = add(name, None, what)
        if name in words:
            tool = import_module(f"bot.tools.{name}")
            tool.add_arguments(command)
            command.set_defaults(run=tool.run)
    return parser


if __name__ == "__main__":
    sys.exit(main())
