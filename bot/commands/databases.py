"""The SQLite file of the settings, for what its operator does with it."""

from __future__ import annotations

from bot.commands import CannotRun
from bot.commands.settings import settings_or_reason
from bot.host.backups import Backups
from bot.opening import backups_of
from bot.tables import SystemClock


def backups_or_reason() -> Backups:
    """Its backups. Raises CannotRun where the games are kept on a server."""
    backups = backups_of(settings_or_reason(), SystemClock())
    if backups is None:
        raise CannotRun("This is for SQLite files; for PostgreSQL see docs/hosting.md (pg_dump).")
    return backups
