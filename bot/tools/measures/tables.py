"""How fast tables are loaded, played and reopened, and how much memory they need."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from msgspec.structs import replace

from bot.game.choices import Done, OneOf
from bot.game.contract import ANSWER, Action, AnyGame, offer_of
from bot.game.versions import Games, Versions
from bot.store import ScheduledRow, Store, StoredTable, WriteBatch
from bot.tables import OutboxKind, Tables
from bot.tables.computers.choosing import Policies
from bot.tables.core.position import fingerprint
from bot.tables.people.notifications import REMIND
from bot.tools.measures.engine import CHATTY

LONG = 500
LOADS = 200
DURABLE_TABLES = 32
DURABLE_ACTIONS = 40
"""Actions at each of these tables, in each run."""
DURABLE_RUNS = 3
HEAVY_TABLES = 24
HEAVY_ACTIONS = 40
OPEN_TABLES = 10_000
OPEN_ENTRIES = 20
"""Actions at each open table."""
STARTS = 3
TICKS = 20
"""Checks for due tasks after each start."""
TOGETHER = 200
"""Units written at once."""


@asynccontextmanager
async def open_tables(
    game: AnyGame, folder: Path, capacity: int = 256, policies: Policies | None = None
) -> AsyncIterator[tuple[Store, Tables]]:
    """The tables of a database in that folder."""
    store = await Store.open(f"sqlite+aiosqlite:///{folder / 'bench.db'}")
    try:
        known = policies or Versions({})
        async with Tables(store, Games((game,)), known, capacity=capacity) as tables:
            yield store, tables
    finally:
        await store.close()


async def load_snapshot_ms(game: AnyGame) -> float:
    """Loading a table of 500 actions from the database, its state from the snapshot.

    Where games are shorter, one that is nearly over.
    """
    with TemporaryDirectory() as folder:
        async with open_tables(game, Path(folder), capacity=1) as (_, tables):
            seed, wanted = 0, LONG
            while True:
                long = await new_table(game, tables, seed)
                taken = await play_on(game, tables, long, Random(seed), wanted, CHATTY)
                if taken == wanted:
                    break
                seed, wanted = seed + 1, taken - 1
            other = await new_table(game, tables, seed + 1)
            times = []
            for _ in range(LOADS):
                # Only one table fits into memory: looking at the other evicts this one.
                await tables.reader.pending(other)
                started = perf_counter()
                await tables.reader.pending(long)
                times.append(1000 * (perf_counter() - started))
            return median(times)


async def durable_actions_per_second(game: AnyGame) -> float:
    """Actions by people at 32 tables at once, each kept on disk before the next is chosen."""
    rates = []
    with TemporaryDirectory() as folder:
        async with open_tables(game, Path(folder)) as (_, tables):
            for run in range(DURABLE_RUNS):
                ids = [
                    await new_table(game, tables, run * DURABLE_TABLES + number)
                    for number in range(DURABLE_TABLES)
                ]
                started = perf_counter()
                taken = await asyncio.gather(
                    *(play_on(game, tables, each, Random(each), DURABLE_ACTIONS) for each in ids)
                )
                rates.append(sum(taken) / (perf_counter() - started))
    return median(rates)


async def table_kib(game: AnyGame) -> float:
    """Memory per active table, its last events included."""
    with TemporaryDirectory() as folder:
        async with open_tables(game, Path(folder)) as (_, tables):
            warm = await new_table(game, tables, 0)
            await play_on(game, tables, warm, Random(0), HEAVY_ACTIONS)
            gc.collect()
            tracemalloc.start()
            try:
                before, _ = tracemalloc.get_traced_memory()
                for number in range(1, HEAVY_TABLES + 1):
                    each = await new_table(game, tables, number)
                    await play_on(game, tables, each, Random(number), HEAVY_ACTIONS)
                gc.collect()
                after, _ = tracemalloc.get_traced_memory()
            finally:
                tracemalloc.stop()
    return (after - before) / HEAVY_TABLES / 1024


async def open_10000(game: AnyGame) -> dict[str, float]:
    """A database of 10,000 tables in play, each with a reminder to come.

    The time to open it, until the whole outbox is known; and a query for what is due by now.
    """
    with TemporaryDirectory() as folder:
        async with open_tables(game, Path(folder)) as (store, tables):
            model = await new_table(game, tables, 1)
            await play_on(game, tables, model, Random(1), OPEN_ENTRIES)
            await copies(store, model, OPEN_TABLES - 1)
        starts, ticks = [], []
        for _ in range(STARTS):
            started = perf_counter()
            async with open_tables(game, Path(folder)) as (_, tables):
                await tables.outbox.items()
                starts.append(perf_counter() - started)
                for _ in range(TICKS):
                    started = perf_counter()
                    await tables.scheduler.tick()
                    ticks.append(1000 * (perf_counter() - started))
        return {"start_10000_s": median(starts), "tick_10000_ms": median(ticks)}


async def new_table(
    game: AnyGame,
    tables: Tables,
    number: int,
    guild: int | None = None,
    seats: int | None = None,
) -> int:
    """A full table of people, or one of so many seats, of a server if any, at which the game has
    begun.
    """
    first = 1000 * number
    table = await tables.lobby.open(game.name, first, "Player 1", guild, number)
    for place in range(1, seats or max(game.seats)):
        await tables.lobby.join(table.id, first + place, f"Player {place + 1}")
    await tables.lobby.start(table.id, first)
    return table.id


async def play_on(
    game: AnyGame, tables: Tables, table_id: int, rng: Random, most: int, free: float = 0.02
) -> int:
    """Takes at most that many random actions, the share `free` of them free moves; returns how
    many."""
    for taken in range(most):
        found = await chosen(game, tables, table_id, rng, free)
        if found is None:
            return taken
        await tables.play.act(table_id, *found)
    return most


async def chosen(
    game: AnyGame, tables: Tables, table_id: int, rng: Random, free: float = 0.02
) -> tuple[int, Action] | None:
    """A random action of somebody who is asked, and their seat; None where the game is over."""
    pending = await tables.reader.pending(table_id)
    if not pending:
        return None
    seat = pending[-1].seat if pending[-1].kind == ANSWER else pending[0].seat
    kinds = await _kinds(tables, table_id, seat)
    prefix: Action = ()
    if pending[-1].kind == ANSWER:
        answers = [kind for kind in ("accept", "decline") if kind in kinds]
        prefix = (rng.choice(answers), offer_of(pending[-1]))
    else:
        wants_free = rng.random() < free
        wanted = [kind for kind in kinds if game.moves[kind].free is wants_free]
        prefix = (rng.choice(wanted or kinds),)
    return seat, await random_action(tables, table_id, seat, prefix, rng)


async def random_action(
    tables: Tables, table_id: int, seat: int, prefix: Action, rng: Random
) -> Action:
    """The prefix with random words after it until the action is whole."""
    while True:
        choices = await tables.reader.legal(table_id, seat, prefix)
        if isinstance(choices, Done):
            return prefix
        prefix = (*prefix, choices.sample(rng))


async def random_answer(
    game: AnyGame, tables: Tables, table_id: int, seat: int, rng: Random
) -> Action:
    """A random action of a seat that is asked, none of the free ones where there are others."""
    kinds = await _kinds(tables, table_id, seat)
    asked = [kind for kind in kinds if not game.moves[kind].free]
    return await random_action(tables, table_id, seat, (rng.choice(asked or kinds),), rng)


async def _kinds(tables: Tables, table_id: int, seat: int) -> Sequence[str]:
    choices = await tables.reader.legal(table_id, seat)
    assert isinstance(choices, OneOf)
    return choices.values


async def copies(store: Store, model: int, count: int) -> None:
    """Stores copies of that table, each with its log, snapshot, outbox item and reminder."""
    later = datetime.now(UTC) + timedelta(days=1)
    stored = await store.load(model)
    assert stored is not None
    entries = await store.entries(model)
    outbox = await store.outbox(model)
    for first in range(0, count, TOGETHER):
        units = []
        for table in await store.new_table_ids(min(TOGETHER, count - first)):
            batch = copy_of(table, stored)
            batch.save(ScheduledRow(table, 0, REMIND, later))
            for entry in entries:
                batch.insert(replace(entry, table=table))
            for row in outbox:
                if row.kind == OutboxKind.BOARD:
                    batch.enqueue(table, row.kind, row.seat, row.seq)
            units.append(batch)
        await asyncio.gather(*(store.commit(batch) for batch in units))


def copy_of(table: int, stored: StoredTable) -> WriteBatch:
    """A table like that one, but for its log."""
    batch = WriteBatch()
    batch.insert(replace(stored.table, id=table))
    batch.save_players(table, [replace(player, table=table) for player in stored.players])
    found = stored.snapshot
    assert found is not None
    vouched = fingerprint(table, found.seq, found.version, found.draws, found.blob)
    batch.save(replace(found, table=table, hash=vouched))
    return batch
