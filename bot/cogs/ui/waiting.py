"""Who is awaited since when: at one table, and of all the tables of one person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime

from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.game.contract import Seat
from bot.tables import Rejected, Status, Table
from bot.text import general
from bot.text.markup import moment
from bot.text.words import Words
from bot.workers import TimeSlice


async def since_when(services: Services, table_id: int) -> dict[Seat, datetime]:
    """The people whom a table awaits, by seat, and since when."""
    return {
        notification.seat: notification.since
        for notification in await services.tables.notifications.at(table_id)
        if not notification.over
    }


def awaited_lines(snapshot: Snapshot, since: Mapping[Seat, datetime]) -> list[str]:
    """Which of these seats is awaited for what, and since when."""
    return [
        snapshot.words(
            general.WAITING_SINCE,
            who=snapshot.text.awaited(snapshot.words, asked, snapshot.names),
            **moment(since[asked.seat]),
        )
        for asked in snapshot.pending
        if not asked.optional and asked.seat in since
    ]


Seated = tuple[Table, Seat, datetime | None]
"""A table, somebody's seat there, and since when it waits for them, if it does."""


async def tables_of(services: Services, user: int) -> list[Seated]:
    """The open tables of a person, those that have waited for them longest first."""
    since = {
        notification.table: notification.since
        for notification in await services.tables.notifications.of(user)
    }
    found = [
        (table, seat, since.get(table.id))
        for table, seat in await services.tables.reader.seats_of(user)
    ]
    return sorted(found, key=lambda each: (each[2] is None, each[2] or each[0].created))


async def table_lines(services: Services, words: Words, seated: Iterable[Seated]) -> list[str]:
    """The tables of one person in words, with a pause for other work between two."""
    lines = []
    time_slice = TimeSlice()
    for table, seat, since in seated:
        await time_slice.take()
        snapshot = None
        if table.status is Status.PLAYING:
            # A table that cannot be read is still listed with the others.
            with suppress(Rejected):
                snapshot = await services.snapshot(table.id, seat, words)
        line = general.table_line(
            words,
            table=table.id,
            game=services.title(words, table.game),
            status=table.status.value,
            place=f"<#{table.thread or table.channel}>",
            awaited=snapshot.awaited() if snapshot is not None and since is None else (),
        )
        if snapshot is not None and since is not None:
            line = "\n".join([line, *awaited_lines(snapshot, {seat: since})])
        lines.append(line)
    return lines


def table_link(table: Table) -> str:
    """The address of a table's newest panel, or of its place."""
    return place_link(table, table.thread or table.channel, table.panel_message)


def place_link(table: Table, place: int, message: int | None) -> str:
    """The address of a message of a table, or of the place."""
    address = f"https://discord.com/channels/{table.guild or '@me'}/{place}"
    return f"{address}/{message}" if message else address
