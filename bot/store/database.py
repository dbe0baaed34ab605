"""The interface of SQLite files and PostgreSQL servers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from bot.store.batch import WriteBatch
from bot.store.rows import ToSend
from bot.store.sql import Statement

Outcome = BaseException | Sequence[ToSend]
"""The error of a batch, or the messages to send at its tables, if the database reports them."""


class Transaction(Protocol):
    """Several statements that are all stored, or none."""

    async def run(self, sql: str, values: Sequence[Mapping[str, Any]] = ({},)) -> None:
        """Execute a statement once for each of these values."""

    async def fetch(self, sql: str, values: Mapping[str, Any] | None = None) -> list[Sequence[Any]]:
        """Return the rows of a query."""


class Database(Protocol):
    """An open database. Its methods raise StoreError."""

    @property
    def dialect(self) -> str:
        """`sqlite` or `postgresql`."""

    async def read(self, *statements: Statement) -> list[list[Sequence[Any]]]:
        """Return the rows of each query, all from one snapshot."""

    async def change(self, statement: Statement) -> list[Sequence[Any]]:
        """Execute a statement in its own transaction, and return its rows."""

    async def write(self, batches: Sequence[WriteBatch]) -> Sequence[Outcome]:
        """Write batches to the disk, each completely or not at all."""

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """Commit at the end of the block; roll back on an error."""

    async def close(self) -> None:
        """Finish running jobs and refuse new ones."""
