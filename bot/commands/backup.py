"""A copy of the database, whether the bot is running or not."""

from __future__ import annotations

import argparse
from pathlib import Path

from bot.commands import OK, CannotRun
from bot.commands.databases import backups_or_reason
from bot.store import StoreError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to."""
    parser.add_argument("file", type=Path, nargs="?", help="without it, a new one in BACKUP_FOLDER")


def run(args: argparse.Namespace) -> int:
    """Copies, and says where to. Raises CannotRun."""
    try:
        made = backups_or_reason().make(args.file)
    except StoreError as error:
        raise CannotRun(str(error)) from error
    print(made)
    return OK
