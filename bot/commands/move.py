"""All that is stored, copied to an empty database and compared."""

from __future__ import annotations

import argparse
import asyncio

from bot.commands import OK, CannotRun
from bot.host.logs import log_to_stderr
from bot.store import StoreError
from bot.store.move import move

TABLES, ENTRIES = "tables", "log"
"""What an operator knows, by its names in the database."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """From where and where to."""
    parser.add_argument("source", help="where they are kept: a URL as in DATABASE_URL")
    parser.add_argument("target", help="the URL of a database in which nothing is kept yet")


def run(args: argparse.Namespace) -> int:
    """Copies, and says how much. Raises CannotRun."""
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
