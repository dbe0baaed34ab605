"""What the number of open tables costs: a start, a tick, a table read anew, memory, the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from statistics import median
from time import perf_counter

import msgspec

from bot.game.contract import AnyGame
from bot.game.versions import Games, Versions
from bot.store import Store
from bot.tables import Tables
from bot.titles import TITLES
from bot.tools.measures.holds import Holds, of_the_bot, watched
from bot.tools.measures.scale import databases
from bot.tools.measures.scale.filling import fill
from bot.tools.measures.scale.workers import Ready, in_workers, resident_mib
from bot.tools.measures.tables import new_table, play_on

ENTRIES = 20
"""Actions at each open table."""
STARTS = 3
TICKS = 20
LOADS = 200
KIB = 1 << 10


class Growth(msgspec.Struct, frozen=True):
    """The figures of one database with so many open tables, each with an outbox item."""

    database: str
    tables: int
    presses_s: float
    """Until presses can be taken: the database open, migrated, computer players taken up."""
    outbox_s: float
    """From then until the whole outbox is known."""
    start_held_ms: float
    """The longest that a start holds the event loop, in processor time."""
    tick_ms: float
    load_ms: float
    """Reading a table that is not in memory."""
    idle_mib: float
    """What the process has in memory once it takes presses, without Discord's side."""
    outbox_mib: float
    """What it has in memory with the whole outbox."""
    table_kib: float
    """What a table takes on the disk, indexes included."""


async def filled(url: str, game: AnyGame, count: int) -> float:
    """Fills an empty database with open tables; returns what each takes, in KiB."""
    store = await Store.open(url)
    try:
        async with Tables(store, Games((game,)), Versions({})) as tables:
            model = await new_table(game, tables, 1)
            await play_on(game, tables, model, Random(1), ENTRIES)
        before = await databases.size(url)
        await fill(store, url, model, count - 1)
    finally:
        await store.close()
    return (await databases.size(url) - before) / (count - 1) / KIB


async def growth(url: str, game: AnyGame, count: int) -> Growth:
    """Fills an empty database, and starts on it in processes of their own."""
    table_kib = await filled(url, game, count)
    starts = [(await in_workers(_started, [(url,)]))[0] for _ in range(STARTS)]
    middle = {name: median(each[name] for each in starts) for name in starts[0]}
    return Growth(database=url.partition("+")[0], tables=count, table_kib=table_kib, **middle)


async def _started(ready: Ready, url: str) -> dict[str, float]:
    await ready()
    with watched() as holds, of_the_bot():
        return await asyncio.create_task(_start(url, holds))


async def _start(url: str, holds: Holds) -> dict[str, float]:
    began = perf_counter()
    store = await Store.open(url)
    # That is the same for every database.
    await _taken(holds)
    try:
        async with Tables(store, TITLES.games, TITLES.players, capacity=1) as tables:
            presses_s = perf_counter() - began
            idle_mib = resident_mib()
            began = perf_counter()
            waiting = await tables.outbox.items()
            outbox_s = perf_counter() - began
            figures = {
                "presses_s": presses_s,
                "outbox_s": outbox_s,
                "start_held_ms": await _taken(holds),
                "idle_mib": idle_mib,
                "outbox_mib": resident_mib(),
                "tick_ms": await _median_ms(tables.scheduler.tick, TICKS),
            }
            loads = min(LOADS, len(waiting))
            some = iter(Random(1).sample([each.table for each in waiting], loads))

            async def load() -> None:
                await tables.reader.pending(next(some))

            return figures | {"load_ms": await _median_ms(load, loads)}
    finally:
        await store.close()


async def _taken(holds: Holds) -> float:
    # What goes on now is counted once it has come to an end.
    await asyncio.sleep(0)
    return holds.taken()


async def _median_ms(work: Callable[[], Awaitable[object]], times: int) -> float:
    taken = []
    for _ in range(times):
        began = perf_counter()
        await work()
        taken.append(1000 * (perf_counter() - began))
    return median(taken)
