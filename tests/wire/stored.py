"""What the bot has written to its database, read beside it."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

LOOK_AGAIN_S = 0.01
TIMEOUT_S = 60.0
NAME = "tables.sqlite"
LOG = "bot.log"
"""What the bot tells its operator."""


class Entry(NamedTuple):
    """A line of the log: who did what."""

    seq: int
    seat: int
    action: str


class StoredTable:
    """The database in a folder. Everything is about one table."""

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
        rows = self._rows('SELECT delivery, seq FROM handled WHERE "table" = ? AND seq >= 0')
        return dict(rows)

    def outbox(self) -> list[str]:
        return [kind for (kind,) in self._rows('SELECT kind FROM outbox WHERE "table" = ?')]

    async def until_outbox_empty(self) -> None:
        """Wait until nothing is owed any more; a database tells nobody when it changes."""
        async with asyncio.timeout(TIMEOUT_S):
            while self.outbox():  # noqa: ASYNC110
                await asyncio.sleep(LOOK_AGAIN_S)

    def posted(self) -> tuple[int, str]:
        ((seq, status),) = self._rows("SELECT posted_seq, status FROM tables WHERE id = ?")
        return seq, status

    def _rows(self, query: str) -> list[Any]:
        with closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)) as connection:
            return connection.execute(query, (self._table,)).fetchall()
