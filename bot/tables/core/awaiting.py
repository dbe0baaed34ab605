"""Who becomes awaited, and who no longer is: written with the change that causes it."""

from __future__ import annotations

from datetime import datetime

from bot.game.contract import Seat
from bot.store import NotificationRow, WriteBatch
from bot.tables.core.cache import LoadedTable
from bot.tables.core.model import Status


def write(batch: WriteBatch, before: LoadedTable, after: LoadedTable, at: datetime) -> bool:
    """Begins and ends notifications as the change requires; returns whether anybody has to be told
    anew.

    Whoever is awaited before and after is notified once, though what they are asked may change.
    """
    table = after.table
    if table.is_over:
        if not before.table.is_over:
            batch.end_notifications(table.id)
        return not before.table.is_over
    asked_before, asked = _asked(before), _asked(after)
    was, now = awaited(before), awaited(after)
    for seat, _user in sorted(was - now):
        batch.end_notifications(table.id, seat)
    for seat, user in sorted(now - was):
        batch.insert(NotificationRow(table.id, seat, after.seq(), user, at))
    return asked_before != asked


def awaited(loaded: LoadedTable) -> set[tuple[Seat, int]]:
    """The seats that everybody waits for, and the people who play on them."""
    return {(seat, user) for seat, user, _kind in _asked(loaded)}


def _asked(loaded: LoadedTable) -> set[tuple[Seat, int, str]]:
    """The seats that everybody waits for, the people on them, and what each is asked."""
    if loaded.now is None or loaded.table.status is not Status.PLAYING:
        return set()
    players = loaded.table.players
    return {
        (seat, user, kind)
        for seat, kind in loaded.now.awaited()
        if players[seat].is_human and (user := players[seat].user) is not None
    }
