"""What people notice: from a press to the board, with bots in processes of their own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from statistics import mean, median, quantiles
from tempfile import TemporaryDirectory

import msgspec

from bot.game.contract import AnyGame
from bot.game.versions import Games, Versions
from bot.local import Someone, Standin, guilds_on_each
from bot.store import Store
from bot.tables import Tables
from bot.tools.measures.scale import bots
from bot.tools.measures.turns import CHANNEL, begun, play

SHARDS = 4
"""Each has one server, and one table."""
POSTS = 30
"""Timed at each table."""
WARM = 5
"""Posts before the measured ones."""


class BoardTimes(msgspec.Struct, frozen=True):
    """Two people at each of some tables, one on each shard, press and wait for the board."""

    database: str
    processes: int
    shared: bool
    board_p50_ms: float
    board_p99_ms: float
    idle_mib: float
    """Of each process, in the mean, once it is online."""
    played_mib: float
    """The same once people have played."""


async def wire(url: str, game: AnyGame, processes: int) -> BoardTimes:
    """All tables at once; with `processes` 0 one bot that shares nothing."""
    async with (
        world() as (standin, folder),
        bots.cluster(standin, folder, url, processes, SHARDS) as running,
    ):
        idle = mean(each.resident_mib() for each in running)
        times: list[float] = []
        async with looking(url, game) as tables:
            await asyncio.gather(
                *(_at(standin, game, tables, shard, times) for shard in range(SHARDS))
            )
        return BoardTimes(
            database=url.partition("+")[0],
            processes=processes or 1,
            shared=bool(processes),
            board_p50_ms=median(times),
            board_p99_ms=quantiles(times, n=100, method="inclusive")[-1],
            idle_mib=idle,
            played_mib=mean(each.resident_mib() for each in running),
        )


def people_of(shard: int) -> tuple[str, str]:
    """The two who play on the server of a shard."""
    return f"Host {shard}", f"Guest {shard}"


@asynccontextmanager
async def world() -> AsyncIterator[tuple[Standin, Path]]:
    """A Discord with a server on each shard, and a folder for the bots."""
    people = [Someone(name, "#888") for shard in range(SHARDS) for name in people_of(shard)]
    with TemporaryDirectory() as folder:
        async with Standin(people=people, guilds=guilds_on_each(SHARDS)) as standin:
            yield standin, Path(folder)


@asynccontextmanager
async def looking(url: str, game: AnyGame) -> AsyncIterator[Tables]:
    """The tables as they are in the database at each look: nothing is kept in memory."""
    store = await Store.open(url)
    try:
        # Never resumed: what is due is the bots' to do.
        yield Tables(store, Games((game,)), Versions({}), capacity=0)
    finally:
        await store.close()


async def _at(
    standin: Standin, game: AnyGame, tables: Tables, shard: int, times: list[float]
) -> None:
    place = standin.channel(CHANNEL, f"Guild {shard}")
    found: list[float] = []

    def timed(ms: float) -> bool:
        found.append(ms)
        return len(found) < WARM + POSTS

    number = 0
    while len(found) < WARM + POSTS:
        number += 1
        table, board = await begun(game, standin, tables, place, people_of(shard))
        await play(game, standin, tables, table, board, Random(f"{shard} {number}"), timed)
    times += found[WARM:]
