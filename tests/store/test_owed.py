"""What is owed is known in memory as it is in the file, whatever happens on the way there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from bot.store import (
    DuplicateWrite,
    NotificationRow,
    NumberedMessageRow,
    Store,
    Unavailable,
    WriteBatch,
)
from bot.store.reading import Reads
from tests.store.samples import NOW, add_table, entry

KINDS = ("board", "call", "hand")
POST = "post"


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'owed.db'}")
    yield store
    await store.close()


async def owed(of: type[Reads], store: Store, table: int) -> tuple[object, ...]:
    """What the store answers, or what is in its file, by whose methods are asked."""
    return (
        await of.outbox(store, table),
        await of.notifications(store, table),
        await of.numbered_message(store, table, POST),
    )


async def known(store: Store, table: int) -> tuple[object, ...]:
    return await owed(Store, store, table)


async def stored(store: Store, table: int) -> tuple[object, ...]:
    return await owed(Reads, store, table)


def changes(rng: Random, table: int, number: int) -> Callable[[WriteBatch], None]:
    """One change of what is owed, which may also concern nothing that there is."""
    seat, seq, kind, item = (
        rng.randrange(3),
        rng.randrange(20),
        rng.choice(KINDS),
        rng.randrange(40),
    )
    row = NotificationRow(table, seat, seq, 5, NOW, notified=True, told=seat == 1, dm=number)
    message = NumberedMessageRow(table, POST, number, seq, number, noted=seat == 1)
    return rng.choice(
        [
            lambda batch: batch.enqueue(table, kind, seat, number),
            lambda batch: batch.enqueue(table, kind, None, number),
            lambda batch: batch.drop_outbox_kind(table, kind),
            lambda batch: batch.drop_outbox_seat(table, seat),
            lambda batch: batch.acknowledge(table, item),
            lambda batch: batch.add_notification(
                table, seat, number, 5 + seat, NOW + timedelta(seconds=number)
            ),
            lambda batch: batch.end_notification(table, seat),
            lambda batch: batch.end_notifications(table),
            lambda batch: batch.save_notification(row),
            lambda batch: batch.drop_notification(row),
            lambda batch: batch.save_numbered_message(message),
            lambda batch: batch.forget([table], 5 + seat, name="X", host=1, sign="!", left="!left"),
        ]
    )


async def test_after_every_batch_the_file_says_the_same(store: Store) -> None:
    rng, tables = Random(1), [await add_table(store) for _ in range(2)]
    for number in range(200):
        batch, table = WriteBatch(), rng.choice(tables)
        for change in range(rng.randrange(1, 4)):
            changes(rng, table, 10 * number + change)(batch)
        if rng.random() < 0.5:
            await asyncio.gather(store.commit(batch), known(store, table))
        else:
            await store.commit(batch)
        for each in tables:
            assert await known(store, each) == await stored(store, each)
    # What was refused is not known either.
    before = await known(store, tables[0])
    await store.commit(entry(tables[0], 0))
    batch = entry(tables[0], 0)
    batch.enqueue(tables[0], "board", None, 0)
    with pytest.raises(DuplicateWrite):
        await store.commit(batch)
    assert await known(store, tables[0]) == before
    await store.close()
    with pytest.raises(Unavailable):
        await store.outbox(tables[0])


def writing(store: Store, table: int) -> asyncio.Task[None]:
    batch = WriteBatch()
    batch.enqueue(table, "board", None, 0)
    return asyncio.create_task(store.commit(batch))


async def test_what_a_writer_that_was_cancelled_stored_is_read_and_then_known(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await add_table(store)
    assert await store.outbox(table) == []
    cancelled = writing(store, table)
    await asyncio.sleep(0)
    cancelled.cancel()
    results = await asyncio.gather(cancelled, store.outbox(table), return_exceptions=True)
    assert isinstance(results[0], asyncio.CancelledError)
    # The next batch is stored after it.
    await store.commit(entry(table, 0))
    first = await known(store, table)
    assert first == await stored(store, table)
    assert len(await store.outbox(table)) == 1
    # Nobody reads what is on the disk before its writer goes on.
    other = await add_table(store)
    waited = writing(store, other)
    await asyncio.sleep(0)
    await store.outbox(other)
    assert waited.done()

    async def unread(*_: object) -> None:
        pytest.fail("it is in memory")

    first = await known(store, table)
    monkeypatch.setattr(store._database, "read", unread)
    assert await known(store, table) == first


async def test_an_item_never_has_the_id_of_one_before_a_restart(tmp_path: Path) -> None:
    ids = list[int]()
    for _ in range(3):
        store = await Store.open(f"sqlite+aiosqlite:///{tmp_path / 'owed.db'}")
        table = await add_table(store)
        await writing(store, table)
        (row,) = await store.outbox(table)
        ids.append(row.id)
        sent = WriteBatch()
        sent.acknowledge(table, row.id)
        await store.commit(sent)
        await store.close()
    assert ids == sorted(set(ids))
