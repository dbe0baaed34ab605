"""Who is awaited since when: at one table, and of all the tables of one person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime

import discord

from bot.cogs.common.shell import Look, Shell
from bot.game.contract import Seat
from bot.tables import Status, Table, TableError
from bot.tables.breath import Breath
from bot.text import general
from bot.text.words import Words


async def since_when(shell: Shell, table_id: int) -> dict[Seat, datetime]:
    """The people whom a table awaits, by seat, and since when."""
    return {
        call.seat: call.since for call in await shell.tables.calls.at(table_id) if not call.over
    }


def awaited_lines(look: Look, since: Mapping[Seat, datetime]) -> list[str]:
    """Which of these seats is awaited for what, and since when."""
    return [
        look.words(
            general.WAITING_SINCE,
            who=look.text.awaited(look.words, asked, look.names),
            since=discord.utils.format_dt(since[asked.seat], "R"),
        )
        for asked in look.pending
        if not asked.optional and asked.seat in since
    ]


Seated = tuple[Table, Seat, datetime | None]
"""A table, somebody's seat there, and since when it waits for them, if it does."""


async def tables_of(shell: Shell, user: int) -> list[Seated]:
    """The open tables of a person, those first that have waited for them longest."""
    since = {call.table: call.since for call in await shell.tables.calls.of(user)}
    found = [
        (table, seat, since.get(table.id)) for table, seat in await shell.tables.seats_of(user)
    ]
    return sorted(found, key=lambda each: (each[2] is None, each[2] or each[0].created))


async def told(shell: Shell, words: Words, seated: Iterable[Seated]) -> list[str]:
    """Tables of one person in words, one after the other: each takes a look."""
    lines = []
    breath = Breath()
    for table, seat, since in seated:
        await breath.take()
        look = None
        if table.status is Status.PLAYING:
            # A table that cannot be read is still listed with the others.
            with suppress(TableError):
                look = await shell.look(table.id, seat, words)
        line = general.table_line(
            words,
            table=table.id,
            game=shell.title(words, table.game),
            status=table.status.value,
            place=f"<#{table.thread or table.channel}>",
            awaited=look.awaited() if look is not None and since is None else (),
        )
        if look is not None and since is not None:
            line = "\n".join([line, *awaited_lines(look, {seat: since})])
        lines.append(line)
    return lines


def table_link(table: Table) -> str:
    """The address of a table's newest panel, or of its place."""
    place = f"{table.guild or '@me'}/{table.thread or table.channel}"
    panel = f"/{table.panel_message}" if table.panel_message else ""
    return f"https://discord.com/channels/{place}{panel}"
