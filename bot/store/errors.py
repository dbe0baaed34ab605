"""What can go wrong with the database.

StoreError
- Unavailable: it could not be read or written; nothing of the batch was stored
- MaybeStored: the connection was lost at the commit; nobody knows whether it was stored
- DuplicateWrite: the log entry of that number, or the delivery, is there already
- StaleWrite: another process has written since this one read; read again
- LeaseLost: what this process held when work began it holds no longer
- NotWritable: this process may not open and write it; somebody has to change that
- BrokenDatabase: it is no database, or a damaged one; trying again does not help
- NewerDatabase: it was written by a newer version of the program
- OlderDatabase: it was written by so old a version that this one cannot upgrade it
- BadAddress: its URL cannot be used
- InUse: another process works on it
- DatabaseLost: it was there, and no longer is
- BackupFailed: a copy could not be made, or cannot be used
- CannotMove: what is stored could not be moved to another database
"""

from __future__ import annotations

from pathlib import Path


class StoreError(Exception):
    """The base of all errors of the store."""


class Unavailable(StoreError):
    """The database is full, locked or out of reach. Trying again later may help."""


class MaybeStored(Unavailable):
    """The connection was lost during the commit: the batch may have been stored."""


class NotWritable(StoreError):
    """This process may not write the database or its folder."""


class BrokenDatabase(StoreError):
    """What is there cannot be read as a database."""


class DuplicateWrite(StoreError):
    """The batch repeats what was written before. Nothing of it was stored."""


class StaleWrite(StoreError):
    """What the batch is about was written by another process. Nothing of the batch was stored."""


class LeaseLost(StaleWrite):
    """The batch was for the sake of a shard that is another's by now. Nothing of it was stored."""


class NewerDatabase(StoreError):
    """The database has a revision that this version of the program does not know."""

    def __init__(self, revision: str) -> None:
        super().__init__(
            f"A newer version of this program wrote the database (revision {revision})."
            " Install that version, or use another database."
        )


class OlderDatabase(StoreError):
    """The database has a revision that this version of the program cannot upgrade any more."""

    def __init__(self, revision: str) -> None:
        super().__init__(
            f"The database (revision {revision}) is too old for this version."
            " Start it once with version 0.2.0, then with this one."
        )


class BadAddress(StoreError, ValueError):
    """The URL of the database cannot be used; the message says why, and quotes nothing of it."""


class InUse(StoreError):
    """Another process works on the database: one that `is_shared` among several, or one that must
    be alone, be it this one that `shares` or not."""

    def __init__(
        self, database: Path | str, *, is_shared: bool = False, shares: bool = False
    ) -> None:
        if is_shared:
            said = f"Bots with SHARDS are running on {database}. Stop them first, or set SHARDS."
        elif shares:
            said = f"A bot without SHARDS is already running on {database}. Stop it first."
        else:
            said = f"A bot is already running on {database}. Stop it first."
        super().__init__(said)


class BackupFailed(StoreError):
    """A copy could not be made, or cannot be restored; the message says which and why."""


class CannotMove(StoreError):
    """Nothing was moved to another database; the message says why."""
