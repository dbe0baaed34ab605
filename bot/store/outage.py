"""Logs an outage of the database: one line when it begins, and one when it is over."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, TypeVar

import sqlalchemy as sa

from bot.store.batch import WriteBatch
from bot.store.database import Database, Outcomes, Question
from bot.store.errors import DuplicateWrite, StaleWrite, StoreError

log = logging.getLogger(__name__)

R = TypeVar("R")
CALM_S = 5.0
"""Seconds without a failure after which an outage is over."""
READING, WRITING = "reading", "writing"


class LoggedDatabase:
    """A database whose outages are logged. Reading and writing may fail one without the other."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._failing: dict[str, float] = {}
        """What does not work, and when it last failed."""
        self._works: set[str] = set()
        """What has worked: until then whoever opens the database says what is wrong."""

    async def read(
        self, kind: Callable[..., R], statement: sa.Executable, parameters: Mapping[str, Any]
    ) -> list[R]:
        """The answer to one question."""
        async with self._logged(READING):
            return await self._database.read(kind, statement, parameters)

    async def read_long(
        self, kind: Callable[..., R], statement: sa.Executable, parameters: Mapping[str, Any]
    ) -> list[R]:
        """An answer of any length."""
        async with self._logged(READING):
            return await self._database.read_long(kind, statement, parameters)

    async def read_together(self, *questions: Question) -> list[list[Any]]:
        """The answers to several questions, all of one moment."""
        async with self._logged(READING):
            return await self._database.read_together(*questions)

    async def change(
        self, statement: sa.Executable, parameters: Mapping[str, Any]
    ) -> list[tuple[Any, ...]]:
        """Carries out what belongs to no batch."""
        async with self._logged(WRITING):
            return await self._database.change(statement, parameters)

    async def write(self, batches: Sequence[WriteBatch]) -> Outcomes:
        """Writes batches to the disk."""
        try:
            outcomes = await self._database.write(batches)
        except StoreError as error:
            self._ended(WRITING, error)
            raise
        for outcome in outcomes:
            self._ended(WRITING, outcome)
        return outcomes

    @asynccontextmanager
    async def _logged(self, what: str) -> AsyncIterator[None]:
        try:
            yield
        except StoreError as error:
            self._ended(what, error)
            raise
        self._ended(what, None)

    def _ended(self, what: str, error: BaseException | None) -> None:
        if isinstance(error, StoreError) and not isinstance(error, DuplicateWrite | StaleWrite):
            if what not in self._works:
                return
            if not self._failing:
                log.warning("%s (it is tried again until it works)", error)
            self._failing[what] = monotonic()
            return
        self._works.add(what)
        if what in self._failing and monotonic() - self._failing[what] >= CALM_S:
            del self._failing[what]
            if not self._failing:
                log.warning("the database can be read and written again")
