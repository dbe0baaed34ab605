"""Statements as SQLite takes them: their text, made once, and their values.

They are written in SQLAlchemy's language, for both dialects. Going through its connections costs
more than what SQLite does for most of them; here they are but compiled by it, and their values pass
through the types of their columns, as they do there.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar, cast

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite.pysqlite import dialect
from sqlalchemy.sql.compiler import SQLCompiler

R = TypeVar("R")
Parameters = Mapping[str, Any]
Process = Callable[[Any], Any]

DIALECT = dialect(dbapi=cast(Any, sqlite3))
KEPT = 512
"""Statements whose text is kept, more than there are."""


class Prepared:
    """A statement for parameters of certain names."""

    def __init__(self, statement: sa.Executable, names: Sequence[str]) -> None:
        assert isinstance(statement, sa.ClauseElement)
        compiled = statement.compile(dialect=DIALECT, column_keys=[*names], for_executemany=True)
        assert isinstance(compiled, SQLCompiler)
        # A list as a parameter takes as many places in the text as it is long.
        self._expanding = compiled if compiled.post_compile_params else None
        self._text = compiled.string
        binds = {name: bind for bind, name in compiled.bind_names.items()}
        self._processes: dict[str, Process | None] = {
            name: bind.type.dialect_impl(DIALECT).bind_processor(DIALECT)
            for name, bind in binds.items()
        }
        self._values: list[Any] = []
        self._places: list[tuple[int, str, Process | None]] = []
        order = () if self._expanding is not None else compiled.positiontup or ()
        for place, name in enumerate(order):
            process = self._processes[name]
            if name in names:
                self._places.append((place, name, process))
                self._values.append(None)
            else:
                fixed = binds[name].effective_value
                self._values.append(fixed if process is None else process(fixed))
        columns = enumerate(getattr(statement, "exported_columns", ()))
        found = (
            (place, column.type.dialect_impl(DIALECT).result_processor(DIALECT, None))
            for place, column in columns
        )
        self._results = [(place, process) for place, process in found if process is not None]

    def execute(self, connection: sqlite3.Connection, parameters: Parameters) -> sqlite3.Cursor:
        """Carries it out."""
        if self._expanding is not None:
            return connection.execute(*self._expanded(self._expanding, parameters))
        values = self._values.copy()
        for place, name, process in self._places:
            value = parameters[name]
            values[place] = value if process is None else process(value)
        return connection.execute(self._text, values)

    def _expanded(self, compiled: SQLCompiler, parameters: Parameters) -> tuple[str, list[Any]]:
        state = compiled.construct_expanded_state(dict(parameters))
        processes = self._processes | {**state.processors}
        values = []
        for name in state.positiontup or ():
            process, value = processes.get(name), state.parameters[name]
            values.append(value if process is None else process(value))
        return state.statement, values

    def rows(self, kind: Callable[..., R], found: Iterable[Sequence[Any]]) -> list[R]:
        """What each row that was found makes."""
        if not self._results:
            return [kind(*row) for row in found]
        made = []
        for row in found:
            values = [*row]
            for place, process in self._results:
                values[place] = process(values[place])
            made.append(kind(*values))
        return made


def execute(
    connection: sqlite3.Connection, statement: sa.Executable, parameters: Parameters
) -> None:
    """Carries out a statement that finds nothing."""
    _prepared(statement, *parameters).execute(connection, parameters)


def fetch(
    connection: sqlite3.Connection,
    kind: Callable[..., R],
    statement: sa.Executable,
    parameters: Parameters,
) -> list[R]:
    """Carries out a statement; each row that it finds becomes a `kind(*row)`."""
    prepared = _prepared(statement, *parameters)
    # All of them first: where one makes nothing, a cursor left in the middle would hold the
    # connection at this moment for as long as the error is remembered.
    return prepared.rows(kind, prepared.execute(connection, parameters).fetchall())


@lru_cache(KEPT)
def _prepared(statement: sa.Executable, *names: str) -> Prepared:
    # A statement is equal to itself alone.
    return Prepared(statement, names)
