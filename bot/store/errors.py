"""Errors of the database. All are StoreError."""

from __future__ import annotations

from pathlib import Path


class StoreError(Exception):
    """Base of all errors of the store."""


class Unavailable(StoreError):
    """The database is full, locked or unreachable; nothing was stored. A retry may help."""


class MaybeStored(Unavailable):
    """The connection was lost during the commit, so the batch may have been stored."""


class NotWritable(StoreError):
    """This process may not write the database or its folder."""


class BrokenDatabase(StoreError):
    """The file or server holds no database of ours, or a damaged one. A retry does not help."""


class DuplicateWrite(StoreError):
    """The log entry or delivery exists already. Nothing of the batch was stored."""


class StaleWrite(StoreError):
    """Another process has written since this one read. Nothing of the batch was stored."""


class LeaseLost(StaleWrite):
    """This process no longer holds the shard of the batch. Nothing of it was stored."""


class NewerDatabase(StoreError):
    """The database has a revision that this version of the program does not know."""

    def __init__(self, revision: str) -> None:
        super().__init__(
            f"A newer version of this program wrote the database (revision {revision})."
            " Install that version, or use another database."
        )


class OlderDatabase(StoreError):
    """The database has a revision that this version of the program can no longer upgrade."""

    def __init__(self, revision: str) -> None:
        super().__init__(
            f"The database (revision {revision}) is too old for this version."
            " Start it once with version 0.2.0, then with this one."
        )


class BadAddress(StoreError, ValueError):
    """The URL of the database is invalid. The message says why without quoting it."""


class InUse(StoreError):
    """Another process uses the database.

    `is_shared` if that process shares it with others; `shares` if this one would.
    """

    def __init__(
        self, database: Path | str, *, is_shared: bool = False, shares: bool = False
    ) -> None:
        if is_shared:
            message = f"Bots with SHARDS are running on {database}. Stop them first, or set SHARDS."
        elif shares:
            message = f"A bot without SHARDS is already running on {database}. Stop it first."
        else:
            message = f"A bot is already running on {database}. Stop it first."
        super().__init__(message)


class BackupFailed(StoreError):
    """A backup could not be made or restored."""


class CannotMove(StoreError):
    """Nothing was moved to another database."""
