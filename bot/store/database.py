"""What the store needs of a database, be it a SQLite file or a PostgreSQL server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from bot.store.batch import WriteBatch
from bot.store.rows import ToSend
from bot.store.sql import Statement

Outcome = BaseException | Sequence[ToSend]
"""The error of a batch; or, for one that is stored, what it leaves to be sent at the tables that it
changes, as far as the database tells."""


class Transaction(Protocol):
    """Several statements that write, of which all are stored or none."""

    async def run(self, sql: str, values: Sequence[Mapping[str, Any]] = ({},)) -> None:
        """Carry out a statement once for each of these values."""
        ...

    async def fetch(self, sql: str, values: Mapping[str, Any] | None = None) -> list[Sequence[Any]]:
        """The rows that a statement finds."""
        ...


class Database(Protocol):
    """An open database. Its methods raise StoreError."""

    @property
    def dialect(self) -> str:
        """`sqlite` or `postgresql`."""
        ...

    async def read(self, *statements: Statement) -> list[list[Sequence[Any]]]:
        """The rows that each statement finds, all of one moment."""
        ...

    async def change(self, statement: Statement) -> list[Sequence[Any]]:
        """Carry out a statement in a transaction of its own; the rows that it returns."""
        ...

    async def write(self, batches: Sequence[WriteBatch]) -> Sequence[Outcome]:
        """Write batches to the disk, each whole or not at all."""
        ...

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """What is done in the block is stored at its end, or not at all."""
        ...

    async def close(self) -> None:
        """End what is under way, and accept no more."""
        ...
