"""All SQL of the program: tables that survive restarts, in SQLite or PostgreSQL. Knows no game."""

from bot.store.address import check_address, sqlite_file
from bot.store.backup import back_up, restore
from bot.store.batch import WriteBatch
from bot.store.errors import (
    BackupFailed,
    BadAddress,
    BrokenDatabase,
    DatabaseLost,
    DuplicateWrite,
    InUse,
    NewerDatabase,
    NotWritable,
    StoreError,
    Unavailable,
)
from bot.store.lock import sole_use, was_kept
from bot.store.presence import is_blank
from bot.store.rows import (
    NO_TABLE,
    WHOLE_TABLE,
    AskingRow,
    Census,
    ClockRow,
    EntryRow,
    HandledRow,
    NotificationRow,
    NumberedMessageRow,
    OutboxRow,
    PlanRow,
    PlayerRow,
    PromiseRow,
    ProposalRow,
    ResultRow,
    ScheduledRow,
    SnapshotRow,
    StandingRow,
    StoredTable,
    TableRow,
)
from bot.store.server_lock import ServerLock
from bot.store.slicing import slices
from bot.store.store import Store

__all__ = [
    "NO_TABLE",
    "WHOLE_TABLE",
    "AskingRow",
    "BackupFailed",
    "BadAddress",
    "BrokenDatabase",
    "Census",
    "ClockRow",
    "DatabaseLost",
    "DuplicateWrite",
    "EntryRow",
    "HandledRow",
    "InUse",
    "NewerDatabase",
    "NotWritable",
    "NotificationRow",
    "NumberedMessageRow",
    "OutboxRow",
    "PlanRow",
    "PlayerRow",
    "PromiseRow",
    "ProposalRow",
    "ResultRow",
    "ScheduledRow",
    "ServerLock",
    "SnapshotRow",
    "StandingRow",
    "Store",
    "StoreError",
    "StoredTable",
    "TableRow",
    "Unavailable",
    "WriteBatch",
    "back_up",
    "check_address",
    "is_blank",
    "restore",
    "slices",
    "sole_use",
    "sqlite_file",
    "was_kept",
]
