"""The process is killed again and again in the middle of a game, and started again."""

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
    """The private panels of the life before are still there, and still answer."""
    for each in players:
        if each.choices() and rng.random() < 0.5:
            each.doubt()
            await each.choose(rng.choice(each.choices()))


@pytest.mark.slow
async def test_a_game_survives_being_killed_between_any_two_steps(tmp_path: Path) -> None:
    rng, kills = Random(11), 0
    async with Standin() as standin, process_on(standin, tmp_path) as process:
        await process.start()
        people = [standin.person(name) for name in ("Anna", "Bert")]
        players = [Witness(standin, each) for each in people]
        await sit_down(standin, *people)
        while kills < KILLS:
            # Half of them in what follows a request: from before it is answered until after the
            # next board is posted.
            die_at(process, standin, count=rng.randint(1, 12), later_s=rng.choice((0.0, 0.03)))
            playing = asyncio.create_task(play_on(players))
            await asyncio.wait({playing, process.ended}, return_when=FIRST_COMPLETED)
            assert process.ended.done(), "the game was too short for all of this"
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
        said = process.log.read_text()
        assert "Traceback" not in said
        assert " ERROR " not in said


def die_at(process: BotProcess, standin: Standin, *, count: int, later_s: float) -> None:
    """Kill it at the POST or edit that is the last of so many, or soon after.

    The request is still carried out, as by a Discord that is far away: what was sent is there, and
    the process never learns of it.
    """
    left = count

    def strike(request: Request) -> None:
        nonlocal left
        left -= request.method != "GET"
        if left == 0:
            standin.faults.on_request.remove(strike)
            asyncio.get_running_loop().call_later(later_s, process.strike)

    standin.faults.on_request.append(strike)
