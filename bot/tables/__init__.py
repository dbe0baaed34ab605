"""A table's life: who sits there, what they do, what is stored, and which messages follow."""

from bot.store import OutboxItem, OutboxKind, Player, Promise, PromiseStanding, Status
from bot.store.commits import COMMITS, Commits
from bot.tables.core.calendar import Clock, SystemClock
from bot.tables.core.errors import (
    ConflictingWrite,
    NotHere,
    NotOurs,
    NotPlaying,
    Rejected,
    StaleDecision,
    StoreUnavailable,
    TableDamaged,
    UnknownTable,
)
from bot.tables.core.model import GIVEN, GOING, NOT_OVER, Table
from bot.tables.core.outbox import NumberedMessage, Outbox, SentMessage
from bot.tables.core.promises import MOST as PROMISE_MOST
from bot.tables.core.promises import NO_TERMS, Terms
from bot.tables.history import PastTurn
from bot.tables.notes import FirstTurn
from bot.tables.play import MetricsSink
from bot.tables.reader import Seen
from bot.tables.service import Tables

__all__ = [
    "COMMITS",
    "GIVEN",
    "GOING",
    "NOT_OVER",
    "NO_TERMS",
    "PROMISE_MOST",
    "Clock",
    "Commits",
    "ConflictingWrite",
    "FirstTurn",
    "MetricsSink",
    "NotHere",
    "NotOurs",
    "NotPlaying",
    "NumberedMessage",
    "Outbox",
    "OutboxItem",
    "OutboxKind",
    "PastTurn",
    "Player",
    "Promise",
    "PromiseStanding",
    "Rejected",
    "Seen",
    "SentMessage",
    "StaleDecision",
    "Status",
    "StoreUnavailable",
    "SystemClock",
    "Table",
    "TableDamaged",
    "Tables",
    "Terms",
    "UnknownTable",
]
