"""The command line: `kontor [COMMAND]`, or `python -m bot [COMMAND]` in the project's folder.

Without a command it runs the bot on Discord.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, cast

from bot import __version__
from bot.commands import OK, UNUSABLE, CannotRun, Program

INSTALLED = "kontor"
"""What the program is called where it is installed."""
OWNER_ALONE = 0o077
"""The rights that files are made without: those of everybody but their owner."""


class SubCommand(NamedTuple):
    """What can be asked for: its name, the module of its program, and what that does."""

    name: str
    module: str
    what: str

    def load(self) -> Program:
        """Its program; no other command's is loaded."""
        # What is loaded stays: to look for what nobody needs any more takes a fifth of the time.
        gc.disable()
        try:
            return cast(Program, import_module(self.module))
        finally:
            gc.enable()


RUN = SubCommand("run", "bot.commands.run", "run the bot on Discord, as .env says (the default)")
COMMANDS = (
    RUN,
    SubCommand("play", "bot.commands.play", "play in the browser, without Discord"),
    SubCommand("backup", "bot.commands.backup", "copy the database, also while the bot is running"),
    SubCommand("restore", "bot.commands.restore", "put a backup in the place of the database"),
    SubCommand("begin", "bot.commands.begin", "make an empty database where one has been lost"),
    SubCommand("move", "bot.commands.move", "copy all games from SQLite to PostgreSQL, or back"),
    SubCommand(
        "games", "bot.tools.games", "list what can be played, with which options, by which rules"
    ),
    SubCommand("simulate", "bot.tools.simulate", "play whole games in this process and count"),
    SubCommand("arena", "bot.tools.arena", "play computer players against each other, mirrored"),
    SubCommand("replay", "bot.tools.replay", "draw a recorded game step by step"),
    SubCommand("verify", "bot.tools.verify", "check every draw of an exported game"),
    SubCommand("bench", "bot.tools.bench", "measure the speed of the program"),
    SubCommand("leaks", "bot.tools.leaks", "look for secrets in anything that people are given"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a sub-command; its exit status."""
    words = sys.argv[1:] if argv is None else argv
    args = _parser(words).parse_args(words)
    command: SubCommand = args.command
    # Whatever is made from here on holds what players hide: it is for its owner alone.
    others = os.umask(OWNER_ALONE)
    try:
        return command.load().run(args)
    except CannotRun as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        return OK
    finally:
        os.umask(others)


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """Knows all commands, and the arguments of those that are named in `words`."""
    name = INSTALLED if Path(sys.argv[0]).stem == INSTALLED else "python -m bot"
    parser = argparse.ArgumentParser(prog=name, description=__doc__)
    parser.add_argument("--version", action="version", version=f"{INSTALLED} {__version__}")
    parser.set_defaults(command=RUN)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for command in COMMANDS:
        sub = commands.add_parser(command.name, help=command.what)
        sub.set_defaults(command=command)
        if command.name in words:
            command.load().add_arguments(sub)
    return parser


if __name__ == "__main__":
    sys.exit(main())
