"""A statement visits the thread of its connection once, and nothing of its answer is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from threading import Event

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store import one_visit
from bot.store.engine_setup import new_engine
from bot.store.slicing import AT_ONCE

MANY = 2 * AT_ONCE + 1
COUNT = sa.text(
    "WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < :most)"
    " SELECT n FROM up"
)


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[AsyncEngine]:
    """An engine on a file."""
    file = tmp_path / "some.sqlite"
    made = new_engine(f"sqlite+aiosqlite:///{file}", file, 50)
    yield made
    await made.dispose()


@pytest.fixture
async def connection(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A connection that has been used."""
    async with engine.connect() as made:
        await made.execute(sa.text("CREATE TABLE kept (n INTEGER)"))
        await made.commit()
        yield made


async def driver(connection: AsyncConnection) -> one_visit.OneVisitConnection:
    """What SQLAlchemy has below."""
    found = (await connection.get_raw_connection()).driver_connection
    assert isinstance(found, one_visit.OneVisitConnection)
    return found


async def visits(connection: AsyncConnection, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the thread is visited for from now on."""
    thread = (await driver(connection))._tx
    seen: list[str] = []

    class Noted:
        def put_nowait(self, visit: tuple[object, object]) -> None:
            seen.append(getattr(visit[1], "func", visit[1]).__name__)  # type: ignore[attr-defined]
            thread.put_nowait(visit)  # type: ignore[arg-type]

    monkeypatch.setattr(await driver(connection), "_tx", Noted())
    return seen


async def test_a_read_and_a_write_make_one_visit_each(
    engine: AsyncEngine, connection: AsyncConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = await visits(connection, monkeypatch)
    assert (await connection.execute(COUNT, {"most": 3})).scalars().all() == [1, 2, 3]
    await connection.rollback()
    assert seen == ["_carry_out"]
    await connection.execute(sa.text("INSERT INTO kept VALUES (1)"))
    await connection.commit()
    assert seen == ["_carry_out", "_carry_out", "commit"]


@pytest.mark.parametrize("most", [0, 1, AT_ONCE - 1, AT_ONCE, AT_ONCE + 1, MANY])
async def test_every_row_comes_once_and_in_order(connection: AsyncConnection, most: int) -> None:
    expected = list(range(1, most + 1)) or [1]
    assert (await connection.execute(COUNT, {"most": most})).scalars().all() == expected
    for size in (1, 7, AT_ONCE, MANY):
        streamed = await connection.stream_scalars(COUNT, {"most": most})
        assert [n async for some in streamed.partitions(size) for n in some] == expected
    streamed = await connection.stream_scalars(COUNT, {"most": most})
    assert await streamed.first() == 1


async def test_what_was_written_is_taken_back_unless_it_is_committed(
    connection: AsyncConnection,
) -> None:
    await connection.execute(sa.text("INSERT INTO kept VALUES (1)"))
    await connection.rollback()
    await connection.execute(sa.text("INSERT INTO kept VALUES (2)"))
    await connection.commit()
    await connection.rollback()
    assert (await connection.execute(sa.text("SELECT n FROM kept"))).scalars().all() == [2]


async def test_who_gives_up_a_statement_leaves_the_thread_to_end_it(
    connection: AsyncConnection,
) -> None:
    below, loop = await driver(connection), asyncio.get_running_loop()
    has_begun, may_end = asyncio.Event(), Event()

    def wait() -> bool:
        loop.call_soon_threadsafe(has_begun.set)
        return may_end.wait(10.0)

    await below.create_function("wait", 0, wait)
    cursor, other = await below.cursor(), await below.cursor()
    reading = asyncio.create_task(cursor.execute("SELECT wait()"))
    writing = asyncio.create_task(other.execute("INSERT INTO kept VALUES (1)"))
    await has_begun.wait()
    reading.cancel()
    writing.cancel()
    # A cursor in use refuses to be ended.
    ending = asyncio.create_task(cursor.close())
    taking_back = asyncio.create_task(below.rollback())
    await asyncio.sleep(0)
    may_end.set()
    await asyncio.gather(ending, taking_back)
    assert reading.cancelled()
    assert writing.cancelled()
    assert (await connection.execute(sa.text("SELECT n FROM kept"))).all() == []
