"""SQL and values derived from the structs of rows.

Both databases store a time as microseconds since 1970 and JSON as text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cache, lru_cache
from types import NoneType, UnionType
from typing import Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from bot.store.rows import StoredRow

R = TypeVar("R", bound=StoredRow)
T = TypeVar("T")

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
SLICE_ROWS = 200
NUMBERED_CACHE = 1024
"""How many statements `numbered` caches."""
_PARAMETER = re.compile(r"(?<!:):(\w+)")


class Statement(NamedTuple):
    """SQL for both databases, with plain values for its `:name` parameters.

    A parameter after IN is a list.
    """

    sql: str
    values: Mapping[str, Any]


def statement(sql: str, /, **values: Any) -> Statement:
    """Return a statement with values of any type that a row may have."""
    return Statement(sql, {name: plain(value) for name, value in values.items()})


def plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return (value - EPOCH) // MICROSECOND
    if isinstance(value, timedelta):
        return value // MICROSECOND
    return value


def moment(value: int) -> datetime:
    """Return the time that is stored as `value`."""
    return EPOCH + value * MICROSECOND


def json_text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


# Statements about one kind of row


@cache
def columns(kind: type[StoredRow]) -> str:
    """Return the columns of a row, in the order of its fields."""
    return ", ".join(f'"{name}"' for name in kind.__struct_fields__)


@cache
def select_sql(kind: type[StoredRow], names: tuple[str, ...], order: str = "") -> str:
    """Return SQL to select rows by the values of some columns."""
    ordered = f" ORDER BY {order}" if order else ""
    return f"SELECT {columns(kind)} FROM {kind.TABLE}{_where(names)}{ordered}"


@cache
def delete_sql(kind: type[StoredRow], names: tuple[str, ...]) -> str:
    """Return SQL to delete rows by the values of some columns."""
    return f"DELETE FROM {kind.TABLE}{_where(names)}"


@cache
def insert_sql(kind: type[StoredRow]) -> str:
    """Return SQL to add a row."""
    values = ", ".join(f":{name}" for name in kind.__struct_fields__)
    return f"INSERT INTO {kind.TABLE} ({columns(kind)}) VALUES ({values})"


@cache
def save_sql(kind: type[StoredRow]) -> str:
    """Return SQL to add a row, or replace the one with its key."""
    others = [name for name in kind.__struct_fields__ if name not in kind.KEY]
    key = ", ".join(f'"{name}"' for name in kind.KEY)
    changes = ", ".join(f'"{name}" = excluded."{name}"' for name in others)
    return f"{insert_sql(kind)} ON CONFLICT ({key}) DO UPDATE SET {changes}"


@cache
def update_sql(kind: type[StoredRow], names: tuple[str, ...]) -> str:
    """Return SQL to change some columns of the row with a key."""
    changes = ", ".join(f'"{name}" = :{name}' for name in names)
    return f"UPDATE {kind.TABLE} SET {changes}{_where(kind.KEY)}"


def _where(names: Iterable[str]) -> str:
    conditions = " AND ".join(f'"{name}" = :{name}' for name in names)
    return f" WHERE {conditions}" if conditions else ""


# Rows to values, and back


def values_of(row: StoredRow) -> dict[str, Any]:
    """Return the values of a row's columns as they are stored."""
    return {name: write(getattr(row, name)) for name, write, _ in _codecs(type(row))}


def rows_of(kind: type[R], found: Iterable[Sequence[Any]]) -> list[R]:
    """Return rows from values in the order of the fields."""
    return [kind(**record) for record in records_of(kind, kind.__struct_fields__, found)]


def records_of(
    kind: type[StoredRow], names: Sequence[str], found: Iterable[Sequence[Any]]
) -> list[dict[str, Any]]:
    """Return some columns of rows, by their names."""
    read = {name: read for name, _, read in _codecs(kind) if read is not None}
    return [
        {
            name: read[name](value) if name in read and value is not None else value
            for name, value in zip(names, row, strict=True)
        }
        for row in found
    ]


def slices(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield the items in order, in slices of SLICE_ROWS, so that other tasks can run in between."""
    for first in range(0, len(items), SLICE_ROWS):
        yield items[first : first + SLICE_ROWS]


Codec = tuple[str, Callable[[Any], Any], Callable[[Any], Any] | None]
"""A field's name, its encoder, and its decoder unless it is read unchanged."""


@cache
def _codecs(kind: type[StoredRow]) -> list[Codec]:
    hints = get_type_hints(kind)
    return [(name, *_codec(hints[name])) for name in kind.__struct_fields__]


def _codec(hint: Any) -> tuple[Callable[[Any], Any], Callable[[Any], Any] | None]:
    if get_origin(hint) in (Union, UnionType):
        (hint,) = (each for each in get_args(hint) if each is not NoneType)
    if hint is datetime:
        return plain, moment
    if hint is bool:
        return bool, bool
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return str, hint
    if hint in (int, str, bytes, float):
        return _keep_unchanged, None
    return json_text, msgspec.json.decode


def _keep_unchanged(value: Any) -> Any:
    return value


# Parameters


def expanded(sql: str, values: Mapping[str, Any]) -> Statement:
    """Return the statement with one parameter for each value after IN."""
    lists = {name: value for name, value in values.items() if isinstance(value, list)}
    if not lists:
        return Statement(sql, values)
    singles = {name: value for name, value in values.items() if name not in lists}
    for name, several in lists.items():
        names = [f"{name}_{number}" for number in range(len(several))]
        marks = ", ".join(f":{each}" for each in names) or "NULL"
        sql = re.sub(rf":{name}\b", f"({marks})", sql)
        singles |= dict(zip(names, several, strict=True))
    return Statement(sql, singles)


@lru_cache(NUMBERED_CACHE)
def numbered(sql: str) -> tuple[str, tuple[str, ...]]:
    """Return the text with PostgreSQL's parameters `$1`, `$2`, …, and their names."""
    names = tuple(dict.fromkeys(_PARAMETER.findall(sql)))
    places = {name: f"${number}" for number, name in enumerate(names, 1)}
    return _PARAMETER.sub(lambda found: places[found[1]], sql), names
