"""How times grow: with the tables that are open, with the actions of a game, with its players.

All on SQLite, in one process.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import msgspec

from bot.game.contract import AnyGame
from bot.store import Store
from bot.tables import Tables
from bot.tables.core.cache import replay
from bot.titles.title import Title
from bot.tools.measures.engine import engine_actions_per_second
from bot.tools.measures.pictures import pictures
from bot.tools.measures.tables import chosen, copies, new_table, open_tables, play_on

TABLES = (10, 100, 1_000, 10_000)
ACTIONS = (20, 50, 100, 200, 500, 1_000)
ENTRIES = 20
"""Actions at each of many open tables."""
CHATTY = 0.95
"""The share of free moves that makes a game long enough for the most actions."""
SEEDS = 50
"""Games tried to find such a one."""
TIMES = 100
"""Each time is the median of so many; where it takes long, of FEW."""
FEW = 7
ACTS = 20
"""Actions that are timed."""


class ByTables(msgspec.Struct, frozen=True):
    """Times in ms with so many open tables, each of 20 actions, with a post and a reminder due."""

    tables: int
    start_ms: float
    """Until the database is open and the whole outbox known."""
    tick_ms: float
    """Looking for what is due."""
    load_ms: float
    """Reading a table that is not in memory."""
    act_ms: float
    """An action at a table in memory, until it is on the disk."""


class ByActions(msgspec.Struct, frozen=True):
    """Times in ms at a table of so many actions."""

    actions: int
    load_ms: float
    act_ms: float
    replay_ms: float
    """The whole log read and carried out again."""


class ByPlayers(msgspec.Struct, frozen=True):
    """Times in ms of a title with so many players."""

    game: str
    players: int
    engine_ms: float
    """An action chosen at random, checked and carried out; without a disk."""
    act_ms: float
    image_ms: float


class Growing(msgspec.Struct, frozen=True):
    """All of it; `tables` and `actions` are of one game."""

    game: str
    tables: list[ByTables]
    actions: list[ByActions]
    players: list[ByPlayers]


async def growth(titles: Sequence[Title], say: Callable[[str], object]) -> Growing:
    """Measures tables and actions of the first title, players of all; `say` hears how far it is."""
    game = titles[0].game
    by_tables = []
    for count in TABLES:
        say(f"growth: {count} tables")
        by_tables.append(await with_tables(game, count))
    say("growth: actions")
    by_actions = await with_actions(game, ACTIONS)
    by_players = []
    for title in titles:
        for seats in title.game.seats:
            say(f"growth: {title.game.name}, {seats} players")
            by_players.append(await with_players(title, seats))
    return Growing(game.name, by_tables, by_actions, by_players)


async def with_tables(game: AnyGame, count: int) -> ByTables:
    """Fills a database with tables, and starts on it."""
    with TemporaryDirectory() as name:
        folder, rng = Path(name), Random(1)
        async with open_tables(game, folder) as (store, tables):
            model = await new_table(game, tables, 1)
            await play_on(game, tables, model, rng, ENTRIES)
            await copies(store, model, count - 1)
        starts = []
        for _ in range(FEW):
            began = perf_counter()
            async with open_tables(game, folder) as (_, tables):
                waiting = await tables.outbox.items()
                starts.append(_since(began))
        ids = list({each.table for each in waiting})
        async with open_tables(game, folder) as (_, tables):
            tick_ms = await _median_ms(tables.scheduler.tick, TIMES)
            act_ms = await _act_ms(game, tables, rng.sample(ids, min(FEW, count)), rng)
        return ByTables(
            tables=count,
            start_ms=median(starts),
            tick_ms=tick_ms,
            load_ms=await _load_ms(game, folder, ids, rng),
            act_ms=act_ms,
        )


async def with_actions(game: AnyGame, counts: Sequence[int]) -> list[ByActions]:
    """Plays one game on, and measures at each of these counts of actions.

    Raises ValueError where no game lasts so long.
    """
    for seed in range(SEEDS):
        with TemporaryDirectory() as folder:
            found = [each async for each in _played_on(game, Path(folder), counts, Random(seed))]
        if len(found) == len(counts):
            return found
    raise ValueError(f"no game of {game.name} lasts for {max(counts)} actions")


async def _played_on(
    game: AnyGame, folder: Path, counts: Sequence[int], rng: Random
) -> AsyncIterator[ByActions]:
    async with open_tables(game, folder) as (_, tables):
        long, other = await new_table(game, tables, 1), await new_table(game, tables, 2)
    for count in counts:
        async with open_tables(game, folder) as (store, tables):
            wanted = count - await tables.reader.seq(long)
            if await play_on(game, tables, long, rng, wanted, CHATTY) < wanted:
                return

            async def again(store: Store = store, tables: Tables = tables) -> None:
                table = await tables.reader.get(long)
                await replay(game, table, await store.entries(long))

            replay_ms = await _median_ms(again, FEW)
        load_ms = await _load_ms(game, folder, [other, long], rng)
        async with open_tables(game, folder) as (_, tables):
            act_ms = await _act_ms(game, tables, [long], rng)
        yield ByActions(count, load_ms=load_ms, act_ms=act_ms, replay_ms=replay_ms)


async def with_players(title: Title, seats: int) -> ByPlayers:
    """Plays a title at tables of that size."""
    game = title.game
    with TemporaryDirectory() as folder:
        async with open_tables(game, Path(folder)) as (_, tables):
            ids = [await new_table(game, tables, each, seats=seats) for each in range(FEW)]
            act_ms = await _act_ms(game, tables, ids, Random(1))
    return ByPlayers(
        game=game.name,
        players=seats,
        engine_ms=1000 / engine_actions_per_second(game, seats),
        act_ms=act_ms,
        image_ms=pictures(title, seats)["image_ms"],
    )


async def _load_ms(game: AnyGame, folder: Path, ids: Sequence[int], rng: Random) -> float:
    """Reading the last of these tables, or any of many."""
    async with open_tables(game, folder, capacity=1) as (_, tables):
        times = []
        for _ in range(TIMES):
            # Only one table fits into memory: looking at another evicts it.
            other, wanted = ids if len(ids) == 2 else rng.sample(ids, 2)
            await tables.reader.pending(other)
            began = perf_counter()
            await tables.reader.pending(wanted)
            times.append(_since(began))
        return median(times)


async def _act_ms(game: AnyGame, tables: Tables, ids: Sequence[int], rng: Random) -> float:
    """An action at one of these tables, each of which is in memory."""
    times = []
    for table in ids:
        for _ in range(-(-ACTS // len(ids))):
            found = await chosen(game, tables, table, rng, CHATTY)
            if found is None:
                break
            began = perf_counter()
            await tables.play.act(table, *found)
            times.append(_since(began))
    return median(times)


async def _median_ms(work: Callable[[], Awaitable[object]], times: int) -> float:
    taken = []
    for _ in range(times):
        began = perf_counter()
        await work()
        taken.append(_since(began))
    return median(taken)


def _since(began: float) -> float:
    return 1000 * (perf_counter() - began)
