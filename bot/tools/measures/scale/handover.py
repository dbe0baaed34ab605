"""How long people wait where one of two processes ends: killed, or asked to stop."""

from __future__ import annotations

import asyncio
from time import perf_counter

import msgspec

from bot.local import Standin
from bot.local.person import NoAnswerError
from bot.tools.measures.scale import bots
from bot.tools.measures.scale.wire import SHARDS, people_of, world
from bot.tools.measures.turns import CHANNEL

PROCESSES = 2
COMMAND = "game mine"
EVERY_S = 0.5
"""Between two presses on a server; each is somebody who tries once."""
BEFORE_S = 2.0
AFTER_S = 60.0
"""How long is pressed before the end of the process, and after it."""


class ProcessEnd(msgspec.Struct, frozen=True):
    """On each of some servers somebody tries again and again, while a process ends."""

    killed: bool
    presses: int
    unanswered: int
    takes_over_s: float
    """From the end to the last press that nobody answered; 0 where all were answered."""
    slowest_ms: float
    """The longest that an answer took."""


class _Press(msgspec.Struct, frozen=True):
    at: float
    took_s: float
    is_answered: bool


async def handover(url: str, *, killed: bool) -> ProcessEnd:
    """Ends one of two members, with the times that apply in earnest."""
    async with (
        world() as (standin, folder),
        bots.cluster(standin, folder, url, PROCESSES, SHARDS) as running,
    ):
        pressing = [asyncio.create_task(_press(standin, shard)) for shard in range(SHARDS)]
        await asyncio.sleep(BEFORE_S)
        ended = perf_counter()
        await (running[0].kill() if killed else running[0].stop())
        found = [each for presses in await asyncio.gather(*pressing) for each in presses]
    lost = [each.at for each in found if not each.is_answered]
    return ProcessEnd(
        killed=killed,
        presses=len(found),
        unanswered=len(lost),
        takes_over_s=max(lost, default=ended) - ended,
        slowest_ms=1000 * max(each.took_s for each in found if each.is_answered),
    )


async def _press(standin: Standin, shard: int) -> list[_Press]:
    person = standin.person(people_of(shard)[0])
    place = standin.channel(CHANNEL, f"Guild {shard}")

    async def once() -> _Press:
        at, is_answered = perf_counter(), True
        try:
            await person.slash(place, COMMAND)
        except NoAnswerError:
            is_answered = False
        return _Press(at, perf_counter() - at, is_answered)

    trying = []
    until = perf_counter() + BEFORE_S + AFTER_S
    while perf_counter() < until:
        trying.append(asyncio.create_task(once()))
        await asyncio.sleep(EVERY_S)
    return await asyncio.gather(*trying)
