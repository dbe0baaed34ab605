"""When a lobby is checked for activity: some time after its last change."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.store import WHOLE_TABLE, ScheduledRow, WriteBatch

IDLE = "lobby.idle"
CLOSE = "lobby.close"
"""The kinds of tasks that warn an idle lobby, and that close it."""

UNTIL_WARNED = timedelta(days=14)
"""How long a lobby is idle before it is warned."""


def schedule_check(batch: WriteBatch, table: int, now: datetime) -> None:
    """Adds to the batch when the lobby is next checked; it no longer is about to close."""
    batch.save(ScheduledRow(table, WHOLE_TABLE, IDLE, now + UNTIL_WARNED))
    batch.unschedule(table, WHOLE_TABLE, CLOSE)
