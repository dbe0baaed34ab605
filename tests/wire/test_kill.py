"""The process is killed and restarted several times in the middle of a game."""

from __future__ import annotations

import asyncio
from asyncio import FIRST_COMPLETED
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from bot.local import Standin
from bot.local.faults import Request
from tests.wire.players import HARBOUR, ids, play_on, sit_down
from tests.wire.process import BotProcess, process_on
from tests.wire.witness import Witness, check_actions, check_table

KILLS = 7


async def press_old_panels(process: BotProcess, players: Sequence[Witness], rng: Random) -> None:
    """Use private panels from before the kill, which must still answer."""
    for each in players:
        if each.choices() and rng.random() < 0.5:
            each.expect_stale()
            await each.choose(rng.choice(each.choices()))


@pytest.mark.slow
async def test_a_game_survives_kills_at_any_moment(tmp_path: Path) -> None:
    rng, kills = Random(11), 0
    async with Standin() as standin, process_on(standin, tmp_path) as process:
        await process.start()
        people = [standin.person(name) for name in ("Anna", "Bert")]
        players = [Witness(standin, each) for each in people]
        await sit_down(standin, *people)
        while kills < KILLS:
            # Half of the kills come a moment after a request, perhaps after the next post.
            kill_at(process, standin, count=rng.randint(1, 12), delay_s=rng.choice((0.0, 0.03)))
            playing = asyncio.create_task(play_on(players))
            await asyncio.wait({playing, process.ended}, return_when=FIRST_COMPLETED)
            assert process.ended.done(), "the game was too short"
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            await process.kill()
            kills += 1
            await process.start()
            await press_old_panels(process, players, rng)
        await play_on(players)

        await process.stored.until_outbox_empty()
        check_table(players[0], process.stored)
        check_actions(players, process.stored)
        assert ids(standin.person("Vera").sees(HARBOUR)[-1]) == []
        assert await process.stop() == 0
        log = process.log.read_text()
        assert "Traceback" not in log
        assert " ERROR " not in log


def kill_at(process: BotProcess, standin: Standin, *, count: int, delay_s: float) -> None:
    """Kill the process `delay_s` after its next `count` POSTs and edits.

    The stand-in still processes the last request, but the process never gets the response.
    """
    remaining = count

    def on_request(request: Request) -> None:
        nonlocal remaining
        remaining -= request.method != "GET"
        if remaining == 0:
            standin.faults.on_request.remove(on_request)
            asyncio.get_running_loop().call_later(delay_s, process.send_kill)

    standin.faults.on_request.append(on_request)
