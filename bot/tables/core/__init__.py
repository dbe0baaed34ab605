"""The base of every table change: model, log, cache, unit of work, outbox and scheduler.

Code for a single feature is in the other modules of `bot.tables`.
"""

from bot.tables.core.cache import LoadedTable, from_store, remember
from bot.tables.core.calendar import Calendar, Clock, SystemClock
from bot.tables.core.errors import (
    ConflictingWrite,
    NotOurs,
    NotPlaying,
    Rejected,
    StaleDecision,
    StoreUnavailable,
    UnknownTable,
)
from bot.tables.core.log import NO_SEAT, RESIGN, TABLE_PREFIX
from bot.tables.core.model import IN_PROGRESS, NOT_OVER, OPEN, SUBSTITUTE, SUSPENDED, Table
from bot.tables.core.outbox import Outbox, SentMessage
from bot.tables.core.outbox_drafts import OutboxDraft
from bot.tables.core.position import Position
from bot.tables.core.promises import NO_TERMS, Terms
from bot.tables.core.record import Record, RecordError
from bot.tables.core.replay import Replayed, record_of
from bot.tables.core.scheduler import Outages, Scheduler
from bot.tables.core.seating import weekends_off
from bot.tables.core.unit_of_work import TableChange, UnitOfWork, people_to_act

__all__ = [
    "IN_PROGRESS",
    "NOT_OVER",
    "NO_SEAT",
    "NO_TERMS",
    "OPEN",
    "RESIGN",
    "SUBSTITUTE",
    "SUSPENDED",
    "TABLE_PREFIX",
    "Calendar",
    "Clock",
    "ConflictingWrite",
    "LoadedTable",
    "NotOurs",
    "NotPlaying",
    "Outages",
    "Outbox",
    "OutboxDraft",
    "Position",
    "Record",
    "RecordError",
    "Rejected",
    "Replayed",
    "Scheduler",
    "SentMessage",
    "StaleDecision",
    "StoreUnavailable",
    "SystemClock",
    "Table",
    "TableChange",
    "Terms",
    "UnitOfWork",
    "UnknownTable",
    "from_store",
    "people_to_act",
    "record_of",
    "remember",
    "weekends_off",
]
