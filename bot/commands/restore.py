"""A backup takes the place of the database, which is kept aside."""

from __future__ import annotations

import argparse
from pathlib import Path

from bot.commands import OK, CannotRun
from bot.commands.databases import backups_or_reason
from bot.store import StoreError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which backup."""
    parser.add_argument("file", type=Path, help="what backup has made")


def run(args: argparse.Namespace) -> int:
    """Restores, and says where the old one is. Raises CannotRun."""
    try:
        aside = backups_or_reason().restore(args.file)
    except StoreError as error:
        raise CannotRun(str(error)) from error
    print(
        f"{args.file} is in its place."
        + (f" What it replaced is kept as {aside}." if aside else "")
    )
    return OK
