"""All data can be moved from SQLite to PostgreSQL and back, completely or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from enum import EnumType
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints
from unittest.mock import AsyncMock

import pytest

from bot.__main__ import main
from bot.store import CannotMove, InUse, OutboxItem, Store, WriteBatch, is_blank, sole_use
from bot.store import move as moving
from bot.store.move import move
from bot.store.rows import KINDS, StoredRow, TableIdRow
from bot.store.server_lock import ServerLock
from bot.store.sql import EPOCH, SLICE_ROWS
from tests.store.conftest import bare as database
from tests.store.database import SERVER_ALONE, Database
from tests.store.samples import table_row

__all__ = ["database"]

ROWS = SLICE_ROWS + 3
"""More than one slice."""


@pytest.fixture
def file(tmp_path: Path) -> Database:
    """A SQLite file that does not exist yet."""
    return Database(tmp_path)


@pytest.fixture
def second(tmp_path: Path) -> Database:
    """Another one, in a folder that does not exist yet."""
    return Database(tmp_path / "100% new")


def value(kind: type[StoredRow], name: str, n: int) -> Any:
    """Return a value for a column of the nth row, including the largest and the smallest."""
    hint = get_type_hints(kind)[name]
    kinds = get_args(hint) or (hint,)
    if name == "table" or (name in kind.KEY and hint is int):
        return n
    if isinstance(hint, EnumType):
        return [*hint][n % len(hint)]
    if NoneType in kinds and n % 3 == 0:
        return None
    if datetime in kinds:
        return EPOCH + timedelta(days=n, microseconds=n)
    if bool in kinds:
        return n % 2 == 0
    if int in kinds and not hasattr(hint, "__origin__"):
        bits = 63 if name in LARGE else 31
        return (1 << bits) - n if n % 2 else -(1 << bits) + n
    if float in kinds:
        return 25 / n
    if bytes in kinds:
        return bytes([0, n % 256])
    if str in kinds and not hasattr(hint, "__origin__"):
        return f"«{n}» 🦀 ' \\ \n{{"
    return {"z": [n, None, "ü"], "a": "b"}


LARGE = {
    *("user", "host", "guild", "channel", "thread", "lobby_message", "panel_message", "revision"),
    *("rematch_of", "message", "by", "refused_by", "dm", "post"),
}


async def fill(database: Database, rows: int = 5) -> None:
    async with opened(database) as store:
        await store.new_table_ids(rows + 10)
        for kind in KINDS:
            if kind is not TableIdRow:
                batch = WriteBatch()
                for n in range(1, rows + 1):
                    names = kind.__struct_fields__
                    batch.insert(kind(**{name: value(kind, name, n) for name in names}))
                await store.commit(batch)


async def rows(database: Database) -> Mapping[str, Sequence[str]]:
    async with opened(database) as store:
        return {kind.TABLE: sorted(map(repr, await store._where(kind, "true"))) for kind in KINDS}


@asynccontextmanager
async def opened(database: Database) -> AsyncIterator[Store]:
    store = await Store.open(database.url)
    yield store
    await store.close()


async def add(database: Database) -> tuple[int, list[int]]:
    """Add a table with two messages and send the newer; return its id and the ids of all."""
    async with opened(database) as store:
        table = await store.new_table_id()
        batch = WriteBatch()
        batch.insert(table_row(table))
        for kind in ("lobby", "board"):
            batch.enqueue(table, kind, None, -1)
        await store.commit(batch)
        waiting = [row.id for row in await store.outbox()]
        sent = WriteBatch()
        sent.delete(OutboxItem, table=table, id=waiting[-1])
        await store.commit(sent)
    return table, waiting


@SERVER_ALONE
@pytest.mark.slow
async def test_every_row_of_every_table_survives_a_move_there_and_back(
    file: Database, database: Database, second: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    await fill(file, ROWS)
    before = await rows(file)
    assert await asyncio.to_thread(main, ["move", file.url, database.url]) == 0
    assert await rows(file) == before
    back = await move(database.url, second.url)
    assert back == {name: len(found) for name, found in before.items()}
    assert await rows(database) == await rows(second) == before
    assert all(len(found) == ROWS for name, found in before.items() if name != "table_ids")
    others = sum(len(found) for found in before.values()) - 2 * ROWS
    message = f"Copied tables: {ROWS}, log entries: {ROWS}, other rows: {others:,}."
    assert message in capsys.readouterr().out


@SERVER_ALONE
async def test_used_ids_are_not_used_again_after_a_move(
    file: Database, database: Database, second: Database
) -> None:
    with pytest.raises(CannotMove, match="is missing or empty"):
        await move(file.url, database.url)
    with pytest.raises(CannotMove, match="The source is empty"):
        await move(database.url, file.url)
    assert is_blank(file.path)
    assert await add(file) == (1, [1, 2])
    await move(file.url, database.url)
    assert await add(database) == (2, [1, 3, 4])
    await move(database.url, second.url)
    assert await add(second) == (3, [1, 3, 5, 6])


@SERVER_ALONE
async def test_a_move_overwrites_nothing_and_is_refused_while_a_bot_is_running(
    file: Database, database: Database, second: Database
) -> None:
    await add(file)
    # A bot that was started there and did nothing leaves it empty.
    async with opened(database):
        pass
    await move(file.url, database.url)
    before = await rows(database)
    with pytest.raises(CannotMove, match=f"target database {database.name} is not empty"):
        await move(file.url, database.url)
    assert await rows(database) == before
    with pytest.raises(CannotMove, match="already exists"):
        await move(database.url, file.url)
    assert await rows(file) == before

    second.path.parent.mkdir()
    running = r"A bot is already running on .*tables\.sqlite\. Stop it first"
    with sole_use(second.path), pytest.raises(InUse, match=running):
        await move(database.url, second.url)
    lock = ServerLock(database.url)
    await lock.take()
    with pytest.raises(InUse, match=rf"the database {database.name}\. Stop it first"):
        await move(file.url, database.url)
    await lock.close()
    await database.disconnected()
    assert is_blank(second.path)


BAD_VALUES = {
    "UPDATE log SET action = 'x' || char(0) WHERE seq = 3": "Cannot write log",
    "UPDATE log SET action = x'ff' WHERE seq = 3": "Cannot write log",
    "UPDATE log SET seat = 2147483648 WHERE seq = 3": "Cannot write log",
    "UPDATE log SET user = 1e30 WHERE seq = 3": "Cannot write log",
    "UPDATE log SET drawn = '[1' WHERE seq = 3": "Cannot read log",
    "UPDATE log SET at = 9e18 WHERE seq = 3": "Cannot read log",
    "UPDATE snapshots SET blob = 'text' WHERE \"table\" = 3": "Cannot write snapshots",
    "UPDATE results SET mu = 'much' WHERE user = 3": "Cannot write results",
    "INSERT INTO votes VALUES (999, 'undo', '1', 1, 0)": "Cannot write votes: insert",
}
"""Values that SQLite accepts, and the errors about them."""


@SERVER_ALONE
@pytest.mark.slow
async def test_a_value_that_postgresql_rejects_is_named_and_the_target_stays_empty(
    file: Database, database: Database
) -> None:
    await fill(file)
    whole = file.path.read_bytes()
    for change, message in BAD_VALUES.items():
        file.path.write_bytes(whole)
        await file.execute(change)
        with pytest.raises(CannotMove) as caught:
            await move(file.url, database.url)
        assert message in str(caught.value), change
        assert (await rows(database))["tables"] == [], change


@SERVER_ALONE
@pytest.mark.slow
async def test_a_row_that_differs_after_the_copy_is_found_and_nothing_is_moved(
    file: Database, database: Database
) -> None:
    await fill(file)
    async with opened(database):
        pass
    for change in CHANGES_ONE:
        await database.execute(change)
    with pytest.raises(CannotMove, match="copy of players differs"):
        await move(file.url, database.url)
    assert (await rows(database))["players"] == []


CHANGES_ONE = (
    "CREATE FUNCTION change() RETURNS trigger AS"
    " 'BEGIN NEW.name = NEW.name || ''!''; RETURN NEW; END' LANGUAGE plpgsql",
    "CREATE TRIGGER change BEFORE INSERT ON players FOR EACH ROW"
    " WHEN (NEW.seat = 3) EXECUTE FUNCTION change()",
)


@SERVER_ALONE
@pytest.mark.slow
async def test_an_interrupted_move_leaves_nothing_and_can_be_repeated(
    file: Database, database: Database, second: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def interrupted(source: Database, target: Database) -> None:
        with monkeypatch.context() as breaking:
            breaking.setattr(moving, "_compare", AsyncMock(side_effect=asyncio.CancelledError))
            with pytest.raises(asyncio.CancelledError):
                await move(source.url, target.url)

    await fill(file)
    await interrupted(file, database)
    assert (await rows(database))["tables"] == []
    await move(file.url, database.url)
    await interrupted(database, second)
    assert {path.name for path in second.path.parent.iterdir()} == {"tables.sqlite.lock"}
    await move(database.url, second.url)
    assert (await rows(second))["log"] == (await rows(file))["log"]


async def test_a_failed_move_prints_one_line_and_exits_with_2(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    server, file = "postgresql://u:hidden@127.0.0.1:1/x", "sqlite:///"
    for source, target, message in (
        ("nonsense", f"{file}x", "Source: it must be a URL such as"),
        (f"{file}x", "mysql://u:hidden@h/x", "Target: it must start with"),
        (f"{file}x", f"{file}y", "Name one SQLite file"),
        (server, f"{file}y", "Source: The database did not answer"),
    ):
        assert await asyncio.to_thread(main, ["move", source, target]) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert message in error
        assert "hidden" not in error
