"""What can go wrong with the database.

StoreError
- Unavailable: it could not be read or written; nothing of the unit was kept
- Conflict: something is there already, a log entry of that number or a delivery
- NewerDatabase: it was written by a newer version of the program
"""

from __future__ import annotations


class StoreError(Exception):
    """The base of all errors of the store."""


class Unavailable(StoreError):
    """The database is full, locked, broken or out of reach. Trying again later may help."""


class Conflict(StoreError):
    """The unit repeats what has been written before. Nothing of it was kept."""


class NewerDatabase(StoreError):
    """The database has a revision that this version of the program does not know."""

    def __init__(self, revision: str) -> None:
        super().__init__(
            f"The database was written by a newer version of this program (revision {revision})."
            " Install that version, or start with another database file."
        )
        self.revision = revision
