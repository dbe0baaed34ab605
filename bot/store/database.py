"""What the store needs of a database, be it a file or a server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec
import sqlalchemy as sa

from bot.store.batch import WriteBatch

R = TypeVar("R")
Outcomes = Sequence[BaseException | None]
"""The error of each batch, None for one that is stored."""


class Question(msgspec.Struct, frozen=True):
    """A statement with its parameters; each row of the answer becomes a `kind(*row)`.

    The statement is a constant: its text is made once.
    """

    kind: Callable[..., Any]
    statement: sa.Executable
    parameters: Mapping[str, Any]


class Database(Protocol):
    """An open database. Each of its methods raises StoreError."""

    @property
    def dialect(self) -> str:
        """The name of the SQL that it speaks."""
        ...

    async def read(
        self, kind: Callable[..., R], statement: sa.Executable, parameters: Mapping[str, Any]
    ) -> list[R]:
        """The answer to one question."""
        ...

    async def read_long(
        self, kind: Callable[..., R], statement: sa.Executable, parameters: Mapping[str, Any]
    ) -> list[R]:
        """An answer of any length, between whose parts others have their turn."""
        ...

    async def read_together(self, *questions: Question) -> list[list[Any]]:
        """The answers to several questions, all of one moment."""
        ...

    async def change(
        self, statement: sa.Executable, parameters: Mapping[str, Any]
    ) -> list[tuple[Any, ...]]:
        """Carries out what belongs to no batch; returns what it returns."""
        ...

    async def write(self, batches: Sequence[WriteBatch]) -> Outcomes:
        """Writes batches to the disk; each is stored whole, or not at all, and says why."""
        ...

    async def close(self) -> None:
        """Ends what is under way, and accepts no more."""
        ...
