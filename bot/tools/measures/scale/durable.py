"""Durable actions a second: one process or several, at tables of their own or at the same ones."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random
from statistics import median, quantiles
from time import perf_counter, process_time

import msgspec

from bot.game.contract import AnyGame, IllegalAction
from bot.tables import TableError
from bot.titles import TITLES
from bot.tools.measures.scale.server import rows_written, server_cpu_s
from bot.tools.measures.scale.sharing import BenchMember, opened
from bot.tools.measures.scale.workers import Ready, in_workers
from bot.tools.measures.tables import chosen, new_table

TABLES = 32
"""At which one process plays at once."""
ACTIONS = 40
"""At each of its tables, in each run."""
RUNS = 3


class Durable(msgspec.Struct, frozen=True):
    """Actions by people, each kept on disk before the next one at its table is chosen.

    `contended` are played at the same tables by all processes; the others at tables of their own.
    """

    database: str
    processes: int
    shared: bool
    contended: bool
    actions_per_second: float
    act_p50_ms: float
    act_p99_ms: float
    cpu_ms: float
    """Of the processes, for each action."""
    server_cpu_ms: float | None
    """Of the database server, for each action; None where it is not on this machine."""
    rows: float | None
    """Written to the server for each action, as it counts them; None of a file."""
    retries: float
    """Of 100 actions, how many were done again because another process had been faster."""


class _Played(msgspec.Struct):
    times_ms: list[float]
    seconds: float
    cpu_s: float
    retries: int


async def durable(
    url: str, game: AnyGame, processes: int, *, shared: bool, contended: bool = False
) -> Durable:
    """So many processes play at once; the median of some runs.

    Those that are `shared` guard their writes and tell one another; otherwise there must be one.
    """
    runs = [
        await _run(url, game, processes, number, shared=shared, contended=contended)
        for number in range(RUNS)
    ]
    return sorted(runs, key=lambda each: each.actions_per_second)[len(runs) // 2]


async def _run(
    url: str, game: AnyGame, processes: int, run: int, *, shared: bool, contended: bool
) -> Durable:
    count = TABLES if contended else TABLES * processes
    members = [BenchMember(number, processes) for number in range(processes)]
    async with opened(url, game) as (_, tables):
        # All at once, so that many share a wait for the disk.
        ids = await asyncio.gather(
            *(
                new_table(game, tables, run * count + number, members[number % processes].guild)
                for number in range(count)
            )
        )
    parts = [ids if contended else ids[number::processes] for number in range(processes)]
    before, written = await server_cpu_s(url), await rows_written(url)
    given = [
        (url, game.name, part, member if shared else None)
        for part, member in zip(parts, members, strict=True)
    ]
    played = await in_workers(_play, given)
    after, in_all = await server_cpu_s(url), await rows_written(url)
    times = [each for one in played for each in one.times_ms]
    return Durable(
        database=url.partition("+")[0],
        processes=processes,
        shared=shared,
        contended=contended,
        actions_per_second=len(times) / max(one.seconds for one in played),
        act_p50_ms=median(times),
        act_p99_ms=quantiles(times, n=100, method="inclusive")[-1],
        cpu_ms=1000 * sum(one.cpu_s for one in played) / len(times),
        server_cpu_ms=_each(before, after, len(times), 1000),
        rows=_each(written, in_all, len(times)),
        retries=100 * sum(one.retries for one in played) / len(times),
    )


def _each(before: float | None, after: float | None, count: int, unit: int = 1) -> float | None:
    return None if before is None or after is None else unit * (after - before) / count


async def _play(
    ready: Ready, url: str, name: str, ids: Sequence[int], member: BenchMember | None
) -> _Played:
    game = TITLES[name].game
    times: list[float] = []
    async with opened(url, game, member) as (store, tables):

        async def at(table: int) -> None:
            rng = Random(f"{member} {table}")
            for _ in range(ACTIONS):
                try:
                    found = await chosen(game, tables, table, rng)
                    if found is None:
                        return
                    began = perf_counter()
                    await tables.play.act(table, *found)
                except (TableError, IllegalAction, IndexError):
                    # At a table of several, another process has acted in the meantime; what was
                    # to be chosen from may have nothing left.
                    if member is None:
                        raise
                else:
                    times.append(1000 * (perf_counter() - began))

        for table in ids:
            await tables.reader.pending(table)
        await ready()
        began, used = perf_counter(), process_time()
        await asyncio.gather(*map(at, ids))
        return _Played(times, perf_counter() - began, process_time() - used, store.refused)
