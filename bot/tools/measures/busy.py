"""How long the bot holds the event loop at its longest, in a minute of twenty busy tables.

At each of them two people press at random, as in `turns`, over the stand-in. `holds` says what is
counted: the processor time of the loop's thread in one callback of the bot's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bot.game.contract import AnyGame
from bot.local.standin import Standin
from bot.tables import Tables
from bot.tools.measures.holds import Holds, of_the_bot, watched
from bot.tools.measures.turns import CHANNEL, PEOPLE, begun, play, running

TABLES = 20
SECONDS = 60.0
THINK_S = 2.0
"""People's pause after each press: ten presses a second in all, more than half of a core."""
GAMES = 100
"""More than twenty people can play one after the other in a minute."""
WARM_S = 10.0
"""Seconds before those that count: what is drawn first is kept."""


async def busy(game: AnyGame) -> Mapping[str, float]:
    """The longest hold, in ms."""
    with TemporaryDirectory() as folder:
        async with Standin() as standin:
            with of_the_bot():
                opened = running(standin, Path(folder))
                services = await opened.__aenter__()
            try:
                with watched() as holds:
                    longest = await _longest(game, standin, services.tables, holds)
            finally:
                await opened.__aexit__(None, None, None)
    return {"loop_held_max_ms": longest}


async def _longest(game: AnyGame, standin: Standin, tables: Tables, holds: Holds) -> float:
    place = standin.channel(CHANNEL)
    # One after the other: whoever begins a table looks for the one that is new.
    beginning = asyncio.Lock()
    all_begun = asyncio.Barrier(TABLES + 1)
    is_over = asyncio.Event()

    def goes_on(_: float) -> bool:
        return not is_over.is_set()

    async def people(number: int) -> None:
        for again in range(GAMES):
            async with beginning:
                table, board = await begun(game, standin, tables, place, PEOPLE)
            if again == 0:
                await all_begun.wait()
            rng = Random(number * GAMES + again)
            await play(game, standin, tables, table, board, rng, goes_on, THINK_S)
            if is_over.is_set():
                return

    playing = [asyncio.create_task(people(number)) for number in range(TABLES)]
    await all_begun.wait()
    await asyncio.sleep(WARM_S)
    holds.taken()
    await asyncio.sleep(SECONDS)
    longest = holds.taken()
    is_over.set()
    await asyncio.gather(*playing)
    return longest
