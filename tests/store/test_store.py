"""The store keeps units whole, whatever happens to their neighbours or to the disk."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncResult

from bot.store import (
    NO_TABLE,
    WHOLE_TABLE,
    AskingRow,
    ClockRow,
    DuplicateWrite,
    EntryRow,
    HandledRow,
    NotWritable,
    NumberedMessageRow,
    PlanRow,
    PlayerRow,
    ProposalRow,
    ScheduledRow,
    SnapshotRow,
    Store,
    Unavailable,
    WriteBatch,
    engine_setup,
    slicing,
)
from bot.store.database import Outcomes, Question
from bot.store.sharing import SHARD_BITS, Shards
from tests.store.database import FILE_ALONE, IMPATIENT_MS, SERVER_ALONE, SYNCHRONOUS, Database
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
    table = await add_table(store)
    batch = entry(table, 0)
    batch.save_snapshot(snapshot_row(table, 0))
    await store.commit(batch)
    await store.close()
    again = await database.open()
    stored = await again.load(table)
    assert stored is not None
    assert stored.table == table_row(table)
    assert stored.players == (player_row(table, 0, 7), player_row(table, 1, 8))
    assert stored.snapshot == snapshot_row(table, 0)
    assert stored.last_seq == 0
    assert await again.entries(table) == [entry_row(table, 0)]
    await again.close()


async def test_a_table_that_is_not_there_is_none(store: Store) -> None:
    assert await store.load(77) is None


async def test_a_table_in_the_lobby_has_neither_snapshot_nor_log(store: Store) -> None:
    stored = await store.load(await add_table(store))
    assert stored is not None
    assert (stored.snapshot, stored.last_seq) == (None, None)


async def test_ids_go_on_after_a_restart(store: Store, database: Database) -> None:
    table = await add_table(store)
    batch = WriteBatch()
    batch.enqueue(table, "board", None, 0)
    await store.commit(batch)
    await store.close()
    again = await database.open()
    assert await again.new_table_id() == table + 1
    await again.close()


async def test_no_two_tables_are_given_one_id(store: Store, database: Database) -> None:
    other = await database.open()
    known = [await add_table(store), *await other.new_table_ids(3), await store.new_table_id()]
    found = await asyncio.gather(*(each.new_table_ids(2) for each in (store, other, store)))
    ids = [*known, *(number for numbers in found for number in numbers)]
    assert sorted(ids) == list(range(known[0], known[0] + len(ids)))
    await other.close()


async def test_closing_waits_for_an_id_that_is_being_drawn_and_gives_no_more(store: Store) -> None:
    drawing = asyncio.create_task(store.new_table_id())
    await asyncio.sleep(0)
    await store.close()
    assert drawing.done()
    assert await drawing == 1
    with pytest.raises(Unavailable):
        await store.new_table_id()


async def test_a_unit_with_a_conflict_is_not_kept_at_all(store: Store) -> None:
    table = await add_table(store)
    await store.commit(entry(table, 0))
    batch = WriteBatch()
    batch.enqueue(table, "board", None, 0)
    batch.add_entry(entry_row(table, 0))
    with pytest.raises(DuplicateWrite):
        await store.commit(batch)
    assert await store.outbox() == []


async def test_a_unit_that_fails_takes_no_other_with_it(store: Store, database: Database) -> None:
    tables = [await add_table(store) for _ in range(5)]
    await store.commit(entry(tables[2], 0))
    too_large = WriteBatch()
    too_large.acknowledge(tables[0], 2**80)
    results = await asyncio.gather(
        *(store.commit(entry(table, 0)) for table in tables),
        store.commit(too_large),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [
        type(None),
        type(None),
        DuplicateWrite,
        type(None),
        type(None),
        OverflowError if database.server is None else DBAPIError,
    ]
    for table in tables:
        assert await store.entries(table) == [entry_row(table, 0)]


async def test_of_two_processes_one_writes_an_entry_and_one_does_what_is_due(
    store: Store, database: Database
) -> None:
    table, other = await add_table(store), await database.open()
    due = ScheduledRow(table, 0, "reminder", NOW)
    batch = WriteBatch()
    batch.schedule(due)
    await store.commit(batch)
    written = await asyncio.gather(
        *(each.commit(entry(table, 0)) for each in (store, other)), return_exceptions=True
    )
    assert {type(each) for each in written} == {type(None), DuplicateWrite}
    later = NOW + timedelta(minutes=2)
    taken = await asyncio.gather(*(each.postpone(due, later) for each in (store, other)))
    assert sorted(taken) == [False, True]
    assert await other.overdue(later, 10) == [ScheduledRow(table, 0, "reminder", later)]
    await other.close()


async def test_what_is_due_at_one_time_comes_in_one_order(store: Store) -> None:
    tables = [await add_table(store), await add_table(store)]
    due = [
        ScheduledRow(table, seat, kind, NOW)
        for table in sorted(tables)
        for seat in (WHOLE_TABLE, 0)
        for kind in ("a", "b")
    ]
    batch = WriteBatch()
    for row in reversed(due):
        batch.schedule(row)
    await store.commit(batch)
    assert await store.overdue(NOW, 9) == due
    assert await store.overdue(NOW, 3) == due[:3]


async def test_a_server_that_is_not_there_may_come_yet() -> None:
    pytest.importorskip("asyncpg")
    with pytest.raises(Unavailable, match="did not answer"):
        await Store.open("postgresql+asyncpg://nobody@127.0.0.1:1/nothing")


@SERVER_ALONE
async def test_connections_that_the_server_has_closed_are_made_anew(
    store: Store, database: Database
) -> None:
    table = await add_table(store)
    await database.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE pid <> pg_backend_pid() AND datname = current_database()"
    )
    await store.commit(entry(table, 0))
    assert len(await store.entries(table)) == 1


async def test_units_that_wait_together_share_a_transaction(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [await add_table(store) for _ in range(20)]
    groups: list[int] = []
    write = store._writer._write

    async def count(batches: Sequence[WriteBatch]) -> Outcomes:
        groups.append(len(batches))
        return await write(batches)

    monkeypatch.setattr(store._writer, "_write", count)
    await asyncio.gather(*(store.commit(entry(table, 0)) for table in tables))
    assert len(groups) <= 2
    for table in tables:
        assert await store.entries(table) == [entry_row(table, 0)]


async def test_a_caller_that_gives_up_harms_nobody(store: Store) -> None:
    tables = [await add_table(store) for _ in range(3)]
    waiting = [asyncio.create_task(store.commit(entry(table, 0))) for table in tables]
    await asyncio.sleep(0)
    waiting[1].cancel()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(each) for each in results] == [
        type(None),
        asyncio.CancelledError,
        type(None),
    ]
    await store.commit(entry(tables[0], 1))


async def test_closing_writes_what_is_waiting_and_refuses_more(
    store: Store, database: Database
) -> None:
    table = await add_table(store)
    waiting = asyncio.create_task(store.commit(entry(table, 0)))
    await asyncio.sleep(0)
    await store.close()
    await waiting
    with pytest.raises(Unavailable):
        await store.commit(entry(table, 1))
    again = await database.open()
    assert len(await again.entries(table)) == 1
    await again.close()


async def test_closing_waits_for_what_is_being_read_and_refuses_more(store: Store) -> None:
    table = await add_table(store)
    reads = [asyncio.create_task(store.load(table)) for _ in range(5)]
    await asyncio.sleep(0)
    await store.close()
    assert all(read.done() for read in reads)
    assert [await read is not None for read in reads] == [True] * 5
    with pytest.raises(Unavailable):
        await store.load(table)


@FILE_ALONE
async def test_a_file_that_cannot_be_opened_leaves_no_thread(database: Database) -> None:
    with pytest.raises(NotWritable, match="unable to open"):
        await Store.open(f"sqlite+aiosqlite:///{database.path}/nowhere.sqlite")
    assert [each for each in threading.enumerate() if each.name.startswith("store")] == []


@asynccontextmanager
async def full_disk(database: Database) -> AsyncIterator[None]:
    """No file of this process may grow beyond what the journal has now."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = database.path.with_name(database.path.name + "-wal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_a_lock_refuses_and_passes(database: Database) -> None:
    database.lock_wait_ms = IMPATIENT_MS
    store = await database.open()
    await check_refusal(store, database.locked())
    await store.close()


@FILE_ALONE
async def test_a_full_disk_refuses_and_passes(store: Store, database: Database) -> None:
    await check_refusal(store, full_disk(database))


async def check_refusal(store: Store, failing: AbstractAsyncContextManager[None]) -> None:
    """Within the block nothing is kept, and after it all goes on."""
    table = await add_table(store)
    async with failing:
        with pytest.raises(Unavailable) as caught:
            await store.commit(entry(table, 0))
        assert "choose" not in str(caught.value), "the error shows what was to be written"
        assert await store.entries(table) == []
    await store.commit(entry(table, 0))
    assert len(await store.entries(table)) == 1


@FILE_ALONE
async def test_what_is_written_survives_a_loss_of_power(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_setup, "SYNCHRONOUS", SYNCHRONOUS)
    store = await database.open()
    kept = {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": database.lock_wait_ms,
    }
    below = store._database
    for name, value in kept.items():
        pragma = sa.text(f"PRAGMA {name}")
        assert await below.change(pragma, {}) == [(value,)], "of the thread that writes"
        assert await below.read_together(Question(str, pragma, {})) == [[str(value)]]
    await store.close()


async def test_what_is_saved_again_is_replaced_whole(store: Store) -> None:
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

    first: list[Any] = [
        SnapshotRow(table, 1, 1, 1, True, b"a", b"b"),
        ProposalRow(table, "autopilot", "1", 7, NOW, NOW + tick),
        ClockRow(table, 0, 60, 50, NOW),
        NumberedMessageRow(table, "panel", 1, 1, 70, True),
        AskingRow(table, 70, 80, 0, "a"),
        ScheduledRow(table, 0, "reminder", NOW),
        {"language": "it"},
        "one",
        {"language": "it"},
        b"one",
    ]
    second: list[Any] = [
        SnapshotRow(table, 2, 2, 2, False, b"c", b"d"),
        ProposalRow(table, "autopilot", "1", 8, NOW + tick, NOW + 2 * tick, "refused", 7, 80, 70),
        ClockRow(table, 0, 61, 40, None),
        NumberedMessageRow(table, "panel", 2, 2, None, False),
        AskingRow(table, 70, 81, 1, "b"),
        ScheduledRow(table, 0, "reminder", NOW + tick),
        {"reminder": 6},
        "two",
        {},
        b"\0",
    ]
    for rows in (first, second):
        snapshot, proposal, clock, message, asking, task, person, note, server, review = rows
        batch = WriteBatch()
        batch.save_snapshot(snapshot)
        batch.save_proposal(proposal)
        batch.save_clock(clock)
        batch.save_numbered_message(message)
        batch.save_asking(asking)
        batch.schedule(task)
        batch.save_person(7, person)
        batch.save_note(table, 7, note)
        batch.save_server(5, server)
        batch.save_review(table, review)
        await store.commit(batch)
        assert await stored() == rows


async def test_a_snapshot_takes_the_place_of_the_older_one(store: Store) -> None:
    table = await add_table(store)
    for seq in range(2):
        batch = WriteBatch()
        batch.save_snapshot(snapshot_row(table, seq))
        await store.commit(batch)
    stored = await store.load(table)
    assert stored is not None
    assert stored.snapshot == snapshot_row(table, 1)


async def test_tables_are_found_by_place_and_state(store: Store) -> None:
    old, over, new = [
        await add_table(store, status=status) for status in ("playing", "finished", "lobby")
    ]
    await add_table(store, channel=501)
    found = await store.in_channel(500, ["lobby", "playing"])
    assert [stored.table.id for stored in found] == [new, old]
    assert [stored.table.id for stored in await store.in_channel(900 + old, ["playing"])] == [old]
    assert [len(stored.players) for stored in found] == [2, 2]
    assert over not in {stored.table.id for stored in found}


async def test_tables_are_found_by_user(store: Store) -> None:
    tables = [await add_table(store) for _ in range(3)]
    batch = WriteBatch()
    batch.save_players(tables[1], [player_row(tables[1], 0, 7)])
    await store.commit(batch)
    found = await store.of_user(8, ["lobby"])
    assert [stored.table.id for stored in found] == [tables[0], tables[2]]
    assert await store.of_user(8, ["playing"]) == []


async def test_tables_are_due_by_their_snapshot_or_for_want_of_one(store: Store) -> None:
    idle, due, unknown = [await add_table(store, status="playing") for _ in range(3)]
    batch = WriteBatch()
    batch.save_snapshot(snapshot_row(idle, 0))
    batch.save_snapshot(snapshot_row(due, 0, due=True))
    await store.commit(batch)
    assert await store.computer_turns("playing") == [due, unknown]


async def test_the_outbox_lists_items_until_they_are_acknowledged(store: Store) -> None:
    first, second = await add_table(store), await add_table(store)
    batch = WriteBatch()
    for table in (first, second):
        batch.enqueue(table, "hand", 1, 3)
    await store.commit(batch)
    rows = await store.outbox()
    assert [msgspec.structs.astuple(row)[1:] for row in rows] == [
        (table, "hand", 1, 3) for table in (first, second)
    ]
    assert rows[0].id < rows[1].id
    assert await store.outbox(second) == rows[1:]
    acknowledged = WriteBatch()
    acknowledged.acknowledge(first, rows[0].id)
    acknowledged.acknowledge(first, 12345)
    await store.commit(acknowledged)
    assert await store.outbox() == rows[1:]


async def test_the_id_of_an_outbox_item_is_never_used_again(store: Store) -> None:
    table = await add_table(store)
    ids = []
    for _ in range(3):
        batch = WriteBatch()
        batch.enqueue(table, "board", None, 0)
        await store.commit(batch)
        (row,) = await store.outbox()
        ids.append(row.id)
        sent = WriteBatch()
        sent.acknowledge(table, row.id)
        await store.commit(sent)
    assert len(set(ids)) == 3
    assert ids == sorted(ids)


async def test_what_is_done_by_shards_is_found_by_the_server_of_its_table(store: Store) -> None:
    servers = {None: 0, 1 << SHARD_BITS: 1, (5 << SHARD_BITS) + 7: 2}
    tables = {}
    for guild, shard in servers.items():
        table = tables[shard] = await add_table(store, status="playing", guild=guild)
        batch = WriteBatch()
        batch.enqueue(table, "board", None, 0)
        batch.schedule(ScheduledRow(table, 0, "reminder", NOW))
        batch.save_plan(PlanRow(table, 0, 0, 7, "", "act", [], [], armed=True))
        await store.commit(batch)
    digest = WriteBatch()
    digest.schedule(ScheduledRow(NO_TABLE, 7, "digest", NOW))
    await store.commit(digest)

    for held in ([0], [1], [2], [0, 2], [], [0, 1, 2]):
        shards = Shards(3, frozenset(held))
        ours = [tables[shard] for shard in held]
        assert [guild for guild, shard in servers.items() if shards.has(guild)] == [
            guild for guild, shard in servers.items() if shard in held
        ]
        assert [row.table for row in await store.outbox(shards=shards)] == ours
        assert await store.computer_turns("playing", shards) == ours
        assert sorted(row.table for row in await store.armed_plans(shards)) == ours
        due = [row.table for row in await store.overdue(NOW, 9, shards)]
        assert due == [NO_TABLE] * (0 in held) + ours
    assert len(await store.outbox()) == 3
    assert [row.table for row in await store.armed_plans(table=tables[2])] == [tables[2]]


async def test_old_deliveries_are_forgotten(store: Store) -> None:
    table = await add_table(store)
    old = HandledRow("old", table, 1, NOW - timedelta(days=2))
    new = HandledRow("new", table, 2, NOW)
    batch = WriteBatch()
    batch.handle(old)
    batch.handle(new)
    await store.commit(batch)
    assert await store.handled("old") == old
    pruning = WriteBatch()
    pruning.prune_handled(NOW - timedelta(days=1))
    await store.commit(pruning)
    assert await store.handled("old") is None
    assert await store.handled("new") == new


async def test_votes_are_given_and_taken_back(store: Store) -> None:
    table = await add_table(store)
    batch = WriteBatch()
    for user in (7, 8):
        batch.add_vote(table, "abandon", user, NOW)
    await store.commit(batch)
    assert await store.votes(table, "abandon") == {7, 8}
    back = WriteBatch()
    back.drop_vote(table, "abandon", 7)
    await store.commit(back)
    assert await store.votes(table, "abandon") == {8}


@SERVER_ALONE
async def test_much_is_written_and_read_in_slices_between_which_others_have_their_turn(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, count = await add_table(store), 100
    monkeypatch.setattr(slicing, "AT_ONCE", 5)
    batch = WriteBatch()
    for seq in range(count):
        batch.add_entry(entry_row(table, seq))
    written: list[int] = []
    read: list[int] = []
    execute, partitions = AsyncConnection.execute, AsyncResult.partitions

    async def writes(connection: AsyncConnection, statement: Any, rows: Any = None) -> Any:
        if isinstance(rows, list):
            written.append(len(rows))
        return await execute(connection, statement, rows)

    async def reads(answer: AsyncResult[Any], size: int) -> AsyncIterator[Any]:
        async for some in partitions(answer, size):
            read.append(len(some))
            yield some

    monkeypatch.setattr(AsyncConnection, "execute", writes)
    monkeypatch.setattr(AsyncResult, "partitions", reads)
    await store.commit(batch)
    assert await store.entries(table) == [entry_row(table, seq) for seq in range(count)]
    assert written == read == [5] * (count // 5)


async def test_a_log_is_read_from_an_entry_on(store: Store) -> None:
    table = await add_table(store)
    for seq in range(4):
        await store.commit(entry(table, seq))
    assert [row.seq for row in await store.entries(table, 2)] == [2, 3]
    assert await store.entries(table, 4) == []


async def test_tables_that_forget_somebody_forget_what_was_left_as_well(store: Store) -> None:
    mine, left, other, open_one = [await add_table(store) for _ in range(4)]
    batch = WriteBatch()
    batch.save_players(left, [PlayerRow(left, 0, "gone", None, "greedy", True)])
    batch.add_entry(EntryRow(left, 0, 0, 7, "@resign", [], NOW))
    # Who proposes something at another's seat has not sat there.
    batch.save_players(other, [PlayerRow(other, 0, "a computer", None, "greedy", True)])
    batch.add_entry(EntryRow(other, 0, 0, 7, "@auto", [], NOW))
    await store.commit(batch)
    forgetting = WriteBatch()
    forgetting.forget((mine, left, other), 7, name="nobody", host=0, sign="@", left="@resign")
    await store.commit(forgetting)
    names = {}
    for table in (mine, left, other, open_one):
        stored = await store.load(table)
        assert stored is not None
        names[table] = [(player.name, player.user) for player in stored.players]
        assert stored.table.host == 2**63 - 1
    assert names == {
        mine: [("nobody", None), ("user 8", 8)],
        left: [("nobody", None)],
        other: [("a computer", None)],
        open_one: [("user 7", 7), ("user 8", 8)],
    }
    assert [row.user for row in await store.entries(left)] == [None]
