"""The bot's database, read by a test while the bot runs."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

POLL_S = 0.01
TIMEOUT_S = 60.0
NAME = "tables.sqlite"
LOG = "bot.log"
"""The bot's log file."""


class Entry(NamedTuple):
    """An entry of a game's log."""

    seq: int
    seat: int
    action: str


class StoredTable:
    """The rows of one table in the database in a folder."""

    def __init__(self, folder: Path, table: int = 1) -> None:
        self.path = folder / NAME
        self._table = table

    @property
    def url(self) -> str:
        return f"sqlite:///{self.path}"

    def log(self) -> list[Entry]:
        rows = self._rows('SELECT seq, seat, action FROM log WHERE "table" = ? ORDER BY seq')
        return [Entry(*row) for row in rows]

    def handled(self) -> dict[str, int]:
        """Return the log's sequence number of each interaction that carried out an action."""
        rows = self._rows('SELECT delivery, seq FROM handled WHERE "table" = ? AND seq >= 0')
        return dict(rows)

    def outbox(self) -> list[str]:
        return [kind for (kind,) in self._rows('SELECT kind FROM outbox WHERE "table" = ?')]

    async def until_outbox_empty(self) -> None:
        """Poll the outbox, since a database does not announce changes."""
        async with asyncio.timeout(TIMEOUT_S):
            while self.outbox():  # noqa: ASYNC110
                await asyncio.sleep(POLL_S)

    def posted(self) -> tuple[int, str]:
        ((seq, status),) = self._rows("SELECT posted_seq, status FROM tables WHERE id = ?")
        return seq, status

    def _rows(self, query: str) -> list[Any]:
        with closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)) as connection:
            return connection.execute(query, (self._table,)).fetchall()
