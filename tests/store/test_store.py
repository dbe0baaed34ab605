"""The store writes batches completely or not at all, whatever happens to others or the disk."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import timedelta
from typing import Any
from unittest.mock import AsyncMock

import pytest

from bot.store import (
    NO_TABLE,
    WHOLE_TABLE,
    BrokenDatabase,
    DuplicateWrite,
    NoteRow,
    Notification,
    NotWritable,
    NumberedMessageRow,
    OutboxItem,
    OutboxKind,
    PersonRow,
    ReviewRow,
    ServerRow,
    Store,
    StoreError,
    Unavailable,
    WriteBatch,
    rows,
    sqlite,
)
from bot.store.batch import merge
from bot.store.migrate import REVISION_TABLE, Fetch, table_names
from bot.store.postgres import failure
from bot.store.rows import KINDS
from bot.store.sharing import SHARD_BITS, Shards
from bot.store.sql import statement
from tests.store.database import BOTH, FILE_ALONE, SYNCHRONOUS, Database, file_limit
from tests.store.samples import (
    NOW,
    add_table,
    entry,
    entry_row,
    player_row,
    snapshot_row,
    table_row,
)


@pytest.fixture
async def store(database: Database) -> AsyncIterator[Store]:
    store = await database.open()
    yield store
    await store.close()


async def test_a_table_is_read_as_it_was_written(store: Store, database: Database) -> None:
    lobby = await store.load(await add_table(store))
    assert lobby is not None
    assert (lobby.snapshot, lobby.last_seq) == (None, None)
    table = await add_table(store)
    assert await store.load(table + 1) is None
    for seq in range(4):
        batch = entry(table, seq)
        batch.save(snapshot_row(table, seq))
        await store.commit(batch)
    await store.close()
    again = await database.open()
    stored = await again.load(table)
    assert stored is not None
    assert stored.table == table_row(table)
    assert stored.players == (player_row(table, 0, 7), player_row(table, 1, 8))
    assert (stored.snapshot, stored.last_seq) == (snapshot_row(table, 3), 3)
    assert await again.entries(table) == [entry_row(table, seq) for seq in range(4)]
    assert [row.seq for row in await again.entries(table, 2)] == [2, 3]
    assert await again.entries(table, 4) == []
    assert await again.new_table_id() == table + 1
    await again.close()


@BOTH
async def test_table_ids_are_unique(store: Store, database: Database) -> None:
    other = await database.open()
    known = [await add_table(store), *await other.new_table_ids(3), await store.new_table_id()]
    found = await asyncio.gather(*(each.new_table_ids(2) for each in (store, other, store)))
    ids = [*known, *(number for numbers in found for number in numbers)]
    assert sorted(ids) == list(range(known[0], known[0] + len(ids)))
    await other.close()


@BOTH
async def test_a_failed_batch_stores_nothing_and_affects_no_other(
    store: Store, database: Database
) -> None:
    tables = [await add_table(store) for _ in range(5)]
    await store.commit(entry(tables[2], 0))
    conflict, too_large = WriteBatch(), WriteBatch()
    conflict.enqueue(tables[2], "board", None, 0)
    conflict.insert(entry_row(tables[2], 0))
    too_large.delete(OutboxItem, table=tables[0], id=2**80)
    batches = [conflict if table == tables[2] else entry(table, 0) for table in tables]
    results = await asyncio.gather(
        *(store.commit(batch) for batch in (*batches, too_large)), return_exceptions=True
    )
    expected: list[type] = [type(None)] * 5
    expected[2] = DuplicateWrite
    assert [type(result) for result in results[:5]] == expected
    assert isinstance(results[5], Exception)
    assert not isinstance(results[5], StoreError)
    assert await store.outbox() == []
    for table in tables:
        assert await store.entries(table) == [entry_row(table, 0)]


@BOTH
async def test_only_one_of_two_processes_writes_an_entry_and_does_a_task(
    store: Store, database: Database
) -> None:
    table, other = await add_table(store), await database.open()
    written = await asyncio.gather(
        *(each.commit(entry(table, 0)) for each in (store, other)), return_exceptions=True
    )
    assert {type(each) for each in written} == {type(None), DuplicateWrite}
    # Tasks of the same time have a fixed order.
    due = [
        rows.ScheduledRow(each, seat, kind, NOW)
        for each in (table, await add_table(store))
        for seat in (WHOLE_TABLE, 0)
        for kind in ("a", "b")
    ]
    batch = WriteBatch()
    for row in reversed(due):
        batch.save(row)
    await store.commit(batch)
    assert await store.overdue(NOW, 9) == due
    assert await store.overdue(NOW, 3) == due[:3]
    later = NOW + timedelta(minutes=2)
    taken = await asyncio.gather(*(each.postpone(due[0], later) for each in (store, other)))
    assert sorted(taken) == [False, True]
    postponed = rows.ScheduledRow(table, WHOLE_TABLE, "a", later)
    assert await other.overdue(later, 10) == [*due[1:], postponed]
    await other.close()


@FILE_ALONE
async def test_pending_batches_share_a_transaction_and_a_cancelled_one_affects_no_other(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [await add_table(store) for _ in range(20)]
    groups = AsyncMock(wraps=store._writer._write)
    monkeypatch.setattr(store._writer, "_write", groups)
    waiting = [asyncio.create_task(store.commit(entry(table, 0))) for table in tables]
    await asyncio.sleep(0)
    waiting[1].cancel()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(each) for each in results].count(type(None)) == 19
    assert isinstance(results[1], asyncio.CancelledError)
    assert groups.await_count <= 2
    for table in (tables[0], *tables[2:]):
        assert await store.entries(table) == [entry_row(table, 0)]


@BOTH
async def test_closing_finishes_running_work_and_refuses_more(
    store: Store, database: Database
) -> None:
    table = await add_table(store)
    waiting = [
        asyncio.create_task(store.commit(entry(table, 0))),
        *[asyncio.create_task(store.load(table)) for _ in range(5)],
        asyncio.create_task(store.new_table_id()),
    ]
    await asyncio.sleep(0)
    await store.close()
    assert all(each.done() for each in waiting)
    _, *loaded, drawn = await asyncio.gather(*waiting)
    assert None not in loaded
    assert drawn == table + 1
    for refused in (store.commit(entry(table, 1)), store.load(table), store.new_table_id()):
        with pytest.raises(Unavailable):
            await refused
    again = await database.open()
    assert len(await again.entries(table)) == 1
    await again.close()


@FILE_ALONE
async def test_a_file_that_cannot_be_opened_leaves_no_thread(database: Database) -> None:
    with pytest.raises(NotWritable, match="unable to open"):
        await Store.open(f"sqlite:///{database.path}/nowhere.sqlite")
    assert [each for each in threading.enumerate() if each.name.startswith("store")] == []


@FILE_ALONE
async def test_a_full_disk_refuses_writes_until_there_is_room(
    store: Store, database: Database
) -> None:
    table = await add_table(store)
    with file_limit(database.path.with_name(f"{database.path.name}-wal").stat().st_size):
        with pytest.raises(Unavailable) as caught:
            await store.commit(entry(table, 0))
        assert "choose" not in str(caught.value), "the error shows what was to be written"
        assert await store.entries(table) == []
    await store.commit(entry(table, 0))
    assert len(await store.entries(table)) == 1


@FILE_ALONE
async def test_commits_survive_a_loss_of_power(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "SYNCHRONOUS", SYNCHRONOUS)
    store = await database.open()
    expected = {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": database.lock_wait_ms,
    }
    below = store._database
    for name, value in expected.items():
        pragma = statement(f"PRAGMA {name}")
        assert await below.change(pragma) == [(value,)], "of the connection that writes"
        assert await below.read(pragma) == [[(value,)]]
    await store.close()


async def test_saving_again_replaces_the_row(store: Store) -> None:
    table = await add_table(store)
    tick = timedelta(hours=1)

    async def stored() -> list[object]:
        loaded = await store.load(table)
        assert loaded is not None
        return [
            loaded.snapshot,
            *await store.proposals(table),
            *await store.clocks(table),
            await store.numbered_message(table, "panel"),
            *await store.asking(table),
            *await store.overdue(NOW + 9 * tick, 9),
            await store.person(7),
            await store.note(table, 7),
            await store.server(5),
            await store.review(table),
        ]

    for n in (1, 2):
        end = ("refused", 7, 80, 70) if n == 2 else ()
        wanted: list[Any] = [
            rows.SnapshotRow(table, n, n, n, n == 1, b"%d" % n, b"state %d" % n),
            rows.ProposalRow(table, "autopilot", "1", 6 + n, n * tick + NOW, NOW + 9 * tick, *end),
            rows.ClockRow(table, 0, 60 + n, 50 - n, NOW if n == 1 else None),
            rows.NumberedMessageRow(table, "panel", n, n, 70 if n == 1 else None, n == 1),
            rows.AskingRow(table, 70, 80 + n, n, f"{n}"),
            rows.ScheduledRow(table, 0, "reminder", NOW + n * tick),
            {"language": "it"} if n == 1 else {"reminder": 6},
            f"note {n}",
            {"language": "it"} if n == 1 else {},
            b"review %d" % n,
        ]
        snapshot, proposal, clock, message, asking, task, person, note, server, review = wanted
        batch = WriteBatch()
        batch.save(snapshot)
        batch.save_proposal(proposal)
        batch.save(clock)
        batch.save(message)
        batch.save(asking)
        batch.save(task)
        batch.save(PersonRow(7, person))
        batch.save(NoteRow(table, 7, note))
        batch.save(ServerRow(5, server))
        batch.save(ReviewRow(table, review))
        await store.commit(batch)
        assert await stored() == wanted


@BOTH
async def test_tables_are_found_by_channel_status_user_and_due_tasks(store: Store) -> None:
    def ids(found: Sequence[rows.StoredTable]) -> list[int]:
        return [stored.table.id for stored in found]

    old, over, new = [
        await add_table(store, status=status) for status in ("playing", "finished", "lobby")
    ]
    elsewhere = await add_table(store, channel=501, status="playing")
    found = await store.in_channel(500, ["lobby", "playing"])
    assert ids(found) == [new, old]
    assert [len(stored.players) for stored in found] == [2, 2]
    assert ids(await store.in_channel(900 + old, ["playing"])) == [old]
    batch = WriteBatch()
    batch.save_players(over, [player_row(over, 0, 7)])
    await store.commit(batch)
    assert ids(await store.of_user(8, ["playing", "finished"])) == [old, elsewhere]
    assert await store.of_user(8, ["finished"]) == []
    # By the snapshot, or because there is none.
    due = await add_table(store, status="playing")
    batch = WriteBatch()
    batch.save(snapshot_row(old, 0))
    batch.save(snapshot_row(due, 0, due=True))
    await store.commit(batch)
    assert await store.computer_turns("playing") == [elsewhere, due]


async def test_work_is_found_by_the_shard_of_its_table(store: Store) -> None:
    servers = {None: 0, 1 << SHARD_BITS: 1, (5 << SHARD_BITS) + 7: 2}
    tables = {}
    for guild, shard in servers.items():
        table = tables[shard] = await add_table(store, status="playing", guild=guild)
        batch = WriteBatch()
        batch.enqueue(table, "board", None, 0)
        batch.save(rows.ScheduledRow(table, 0, "reminder", NOW))
        batch.save(rows.PlanRow(table, 0, 0, 7, "", "act", [], [], armed=True))
        await store.commit(batch)
    digest = WriteBatch()
    digest.save(rows.ScheduledRow(NO_TABLE, 7, "digest", NOW))
    await store.commit(digest)

    for held in ([0], [1], [2], [0, 2], [], [0, 1, 2]):
        shards = Shards(3, frozenset(held))
        ours = [tables[shard] for shard in held]
        assert [guild for guild, shard in servers.items() if shards.has(guild)] == [
            guild for guild, shard in servers.items() if shard in held
        ]
        assert [row.table for row in await store.outbox(shards=shards)] == ours
        assert await store.tables_to_send(shards) == ours
        assert await store.computer_turns("playing", shards) == ours
        assert sorted(row.table for row in await store.armed_plans(shards)) == ours
        due = [row.table for row in await store.overdue(NOW, 9, shards)]
        assert due == [NO_TABLE] * (0 in held) + ours
    assert len(await store.outbox()) == 3
    assert [row.table for row in await store.armed_plans(table=tables[2])] == [tables[2]]


@BOTH
async def test_forgetting_a_user_includes_the_seats_they_left(store: Store) -> None:
    left, other = [await add_table(store) for _ in range(2)]
    batch = WriteBatch()
    batch.save_players(left, [rows.Player(left, 0, "gone", None, "greedy", True)])
    batch.insert(rows.EntryRow(left, 0, 0, 7, "@resign", [], NOW))
    # A user who proposed something for another's seat has not had that seat.
    batch.save_players(other, [rows.Player(other, 0, "a computer", None, "greedy", True)])
    batch.insert(rows.EntryRow(other, 0, 0, 7, "@auto", [], NOW))
    await store.commit(batch)
    forgetting = WriteBatch()
    forgetting.forget_user((left, other), 7, name="deleted", host=0, sign="@", left="@resign")
    await store.commit(forgetting)
    for table, name in ((left, "deleted"), (other, "a computer")):
        stored = await store.load(table)
        assert stored is not None
        assert [(player.name, player.user) for player in stored.players] == [(name, None)]
        # Another user hosts it.
        assert stored.table.host == 2**63 - 1
    assert [row.user for row in await store.entries(left)] == [None]


def test_merged_statements_keep_the_order_of_their_batch() -> None:
    first, second = WriteBatch(), WriteBatch()
    first.delete(OutboxItem, table=1, kind="board")
    first.delete(OutboxItem, table=1, id=1)
    first.delete(OutboxItem, table=1, id=2)
    second.delete(OutboxItem, table=2, id=2)
    second.delete(OutboxItem, table=2, kind="board")
    of_kind, of_id = first.steps[0].sql, first.steps[1].sql
    assert [(sql, len(values)) for sql, values in merge([first, second])] == [
        (of_kind, 1),
        (of_id, 3),
        (of_kind, 1),
    ]


@FILE_ALONE
async def test_the_struct_of_a_row_has_the_columns_of_its_table(store: Store) -> None:
    for kind in KINDS:
        columns = await store._database.read(
            statement("SELECT name FROM pragma_table_info(:table)", table=kind.TABLE)
        )
        assert {name for (name,) in columns[0]} == {*kind.__struct_fields__}, kind
    tables = await table_names(fetching(store), "sqlite")
    assert tables - {REVISION_TABLE, "members"} == {kind.TABLE for kind in KINDS}


def fetching(store: Store) -> Fetch:
    async def fetch(sql: str) -> Iterable[Sequence[Any]]:
        (found,) = await store._database.read(statement(sql))
        return found

    return fetch


def writing(store: Store, table: int) -> asyncio.Task[None]:
    batch = WriteBatch()
    batch.enqueue(table, "board", None, 0)
    return asyncio.create_task(store.commit(batch))


@FILE_ALONE
async def test_an_item_is_not_visible_before_its_writer_continues(store: Store) -> None:
    table = await add_table(store)
    cancelled = writing(store, table)
    await asyncio.sleep(0)
    cancelled.cancel()
    results = await asyncio.gather(cancelled, store.outbox(table), return_exceptions=True)
    assert isinstance(results[0], asyncio.CancelledError)
    assert len(await store.outbox(table)) == 1
    for number in range(2, 20):
        waited = writing(store, table)
        while len(await store.outbox(table)) < number:  # noqa: ASYNC110
            await asyncio.sleep(0)
        assert waited.done()


@FILE_ALONE
async def test_messages_to_send_are_cached_from_the_batch(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await add_table(store)
    message = NumberedMessageRow(table, "post", 1, 0, None, noted=False)
    batch = WriteBatch()
    batch.enqueue(table, "board", None, 0)
    batch.insert(Notification(table, 0, 0, 7, NOW))
    batch.save(message)
    await store.commit(batch)

    async def unread(*_: object) -> None:
        pytest.fail("it is in memory")

    async def known() -> list[object]:
        numbered = await store.numbered_message(table, "post")
        return [numbered, *await store.outbox(table), *await store.notifications(table)]

    with monkeypatch.context() as patched:
        patched.setattr(store._database, "read", unread)
        before = await known()
        assert before == [message, OutboxItem(1, table, OutboxKind.BOARD, None, 0), *before[2:]]
    # After a refused or cancelled batch, the database is read.
    batch = entry(table, 0)
    await store.commit(batch)
    batch.enqueue(table, "board", None, 0)
    with pytest.raises(DuplicateWrite):
        await store.commit(batch)
    assert await known() == before
    forgetting = WriteBatch()
    forgetting.forget_user([table], 7, name="X", host=1, sign="!", left="!left")
    await store.commit(forgetting)
    assert await known() == before[:2]


@FILE_ALONE
async def test_a_batch_is_stored_although_its_messages_cannot_be_read_back(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await add_table(store)
    await writing(store, table)

    def unreadable(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patched:
        patched.setattr(store._database, "_read_to_send", unreadable)
        await writing(store, table)
    assert len(await store.outbox(table)) == 2


async def test_a_batch_is_stored_at_a_table_with_a_message_of_another_version(
    store: Store,
) -> None:
    table = await add_table(store)
    batch = WriteBatch()
    batch.enqueue(table, "of tomorrow", None, 0)
    await store.commit(batch)
    await writing(store, table)
    assert await store.tables_to_send(Shards(1, frozenset({0}))) == [table]
    with pytest.raises(ValueError, match="of tomorrow"):
        await store.outbox(table)


# Errors of a server


class FromServer(Exception):
    def __init__(self, state: str | None) -> None:
        super().__init__("message\nDETAIL: the values to store")
        self.sqlstate = state


def test_only_permanent_errors_of_the_server_are_reported_as_permanent() -> None:
    for state, kind in (
        ("57P01", Unavailable),  # ended by an administrator
        ("42703", BrokenDatabase),  # no such column
        (None, Unavailable),  # the driver alone
    ):
        error = failure(FromServer(state))
        assert type(error) is kind, state
        assert "DETAIL" not in str(error)
