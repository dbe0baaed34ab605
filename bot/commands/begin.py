"""An empty database, on purpose, in the place of one that is lost."""

from __future__ import annotations

import argparse
import asyncio

from bot.commands import OK, CannotRun
from bot.commands.databases import backups_or_reason
from bot.commands.settings import settings_or_reason
from bot.opening import CannotOpen, open_store
from bot.store import is_blank


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """It takes none: all is in the settings."""


def run(_args: argparse.Namespace) -> int:
    """Makes it. Raises CannotRun, also where there is one."""
    database = backups_or_reason().database
    if not is_blank(database):
        raise CannotRun(f"{database} is there already, and is not overwritten.")

    async def make() -> None:
        async with open_store(settings_or_reason().database_url):
            print(f"{database} is there, with no games in it.")

    try:
        asyncio.run(make())
    except CannotOpen as error:
        raise CannotRun(f"DATABASE_URL cannot be used: {error}") from error
    return OK
