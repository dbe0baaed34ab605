"""Tables: their players, actions, stored data, and the messages that follow from changes."""

from bot.store import (
    AlertRow,
    AwardRow,
    Notification,
    OutboxItem,
    OutboxKind,
    Player,
    PredictionRow,
    Promise,
    PromiseStatus,
    SearchRow,
    Status,
    Verdict,
    WebhookRow,
    WhisperRow,
)
from bot.store.commits import COMMITS, Commits
from bot.tables.core import (
    IN_PROGRESS,
    NO_TERMS,
    NOT_OVER,
    Clock,
    ConflictingWrite,
    NotOurs,
    NotPlaying,
    Outbox,
    Rejected,
    SentMessage,
    StaleDecision,
    StoreUnavailable,
    SystemClock,
    Table,
    Terms,
    UnknownTable,
)
from bot.tables.core.errors import RulesUnavailable, TableDamaged
from bot.tables.core.model import ACCEPTED
from bot.tables.core.outbox import NumberedMessage
from bot.tables.core.promises import MAX_LENGTH as MAX_PROMISE
from bot.tables.core.seating import HINTS, OFF, ON, check_playing, seated, term
from bot.tables.core.unit_of_work import current_fence
from bot.tables.history import PastTurn
from bot.tables.notes import FirstTurn
from bot.tables.people import NotificationPlace
from bot.tables.plans import Plan
from bot.tables.play import MetricsSink
from bot.tables.reader import ObservedTable
from bot.tables.servers import Closers, Server
from bot.tables.service import Tables
from bot.tables.votes import ABOUT_SEAT, Proposal

__all__ = [
    "ABOUT_SEAT",
    "ACCEPTED",
    "COMMITS",
    "HINTS",
    "IN_PROGRESS",
    "MAX_PROMISE",
    "NOT_OVER",
    "NO_TERMS",
    "OFF",
    "ON",
    "AlertRow",
    "AwardRow",
    "Clock",
    "Closers",
    "Commits",
    "ConflictingWrite",
    "FirstTurn",
    "MetricsSink",
    "NotOurs",
    "NotPlaying",
    "Notification",
    "NotificationPlace",
    "NumberedMessage",
    "ObservedTable",
    "Outbox",
    "OutboxItem",
    "OutboxKind",
    "PastTurn",
    "Plan",
    "Player",
    "PredictionRow",
    "Promise",
    "PromiseStatus",
    "Proposal",
    "Rejected",
    "RulesUnavailable",
    "SearchRow",
    "SentMessage",
    "Server",
    "StaleDecision",
    "Status",
    "StoreUnavailable",
    "SystemClock",
    "Table",
    "TableDamaged",
    "Tables",
    "Terms",
    "UnknownTable",
    "Verdict",
    "WebhookRow",
    "WhisperRow",
    "check_playing",
    "current_fence",
    "seated",
    "term",
]
