"""All SQL of the program: tables kept over restarts, in SQLite or PostgreSQL. Knows no game."""

from bot.store.errors import Conflict, NewerDatabase, StoreError, Unavailable
from bot.store.rows import EntryRow, HandledRow, Kept, OwedRow, PlayerRow, SnapshotRow, TableRow
from bot.store.store import Store
from bot.store.unit import Unit

__all__ = [
    "Conflict",
    "EntryRow",
    "HandledRow",
    "Kept",
    "NewerDatabase",
    "OwedRow",
    "PlayerRow",
    "SnapshotRow",
    "Store",
    "StoreError",
    "TableRow",
    "Unavailable",
    "Unit",
]
