"""The process is killed again and again in the middle of a game, and started again."""

from __future__ import annotations

import asyncio
from asyncio import FIRST_COMPLETED
from collections.abc import Coroutine, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.local import Answer, Standin, world
from bot.local.faults import Request
from tests.wire.hands import HARBOUR, Hands, begin, ids, play_on, sit_down
from tests.wire.posts import check_chain, check_table
from tests.wire.process import ENDS_S, BotProcess, process_on
from tests.wire.witness import Witness, check_actions

KILLS = 7


async def press_old_panels(process: BotProcess, hands: Sequence[Witness], rng: Random) -> None:
    """The private panels of the life before are still there, and still answer."""
    for each in hands:
        if each.choices() and rng.random() < 0.5:
            each.doubt()
            await each.choose(rng.choice(each.choices()))


@pytest.mark.slow
async def test_a_game_survives_being_killed_between_any_two_steps(tmp_path: Path) -> None:
    rng, kills = Random(11), 0
    async with Standin() as standin, process_on(standin, tmp_path) as process:
        await process.start()
        people = [standin.person(name) for name in ("Anna", "Bert")]
        hands = [Witness(standin, each) for each in people]
        await sit_down(standin, *people)
        while kills < KILLS:
            # Half of them in what follows a request: from before it is answered until after the
            # next board is posted.
            die_at(process, standin, count=rng.randint(1, 12), later_s=rng.choice((0.0, 0.03)))
            playing = asyncio.create_task(play_on(hands))
            await asyncio.wait({playing, process.ended}, return_when=FIRST_COMPLETED)
            assert process.ended.done(), "the game was too short for all of this"
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            await process.kill()
            kills += 1
            await process.start()
            await press_old_panels(process, hands, rng)
        await play_on(hands)

        await process.kept.settled()
        check_table(hands[0], process.kept)
        check_actions(hands, process.kept)
        assert ids(standin.person("Vera").sees(HARBOUR)[-1]) == []
        assert await process.stop() == 0
        said = process.log.read_text()
        assert "Traceback" not in said
        assert " ERROR " not in said


@pytest.mark.slow
async def test_what_was_sent_with_the_last_breath_is_not_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Discord forgets a nonce after five minutes; the bot may be away for longer.
    monkeypatch.setattr(world, "NONCE_MEMORY_S", -1.0)
    standin = Standin(acknowledge_s=ENDS_S)
    async with standin, process_on(standin, tmp_path) as process:
        anna, bert = standin.person("Anna"), standin.person("Bert")
        hands, harbour = Hands(standin, anna, Random(1)), standin.channel(HARBOUR)
        await process.start()

        die_at(process, standin, f"/channels/{harbour.id}/messages")
        await until_dead(process, anna.slash(HARBOUR, "game new"))
        await process.start()
        lobby = await anna.wait_for_message(HARBOUR, lambda m: "join:1" in ids(m), timeout=ENDS_S)
        await bert.press(lobby, custom_id="join:1")
        await process.kept.settled()

        die_at(process, standin, "*/threads")
        await until_dead(process, begin(anna, lobby))
        die_at(process, standin, f"/channels/{bert.dm.id}/messages")
        await process.start()
        await process.ended
        await process.kill()
        await process.start()
        board = await hands.shown_board()
        await process.kept.settled()
        die_at(process, standin, f"/channels/{board.channel_id}/messages")
        await hands.open()
        await until_dead(process, hands.choose(hands.choices()[0]))
        await anna.wait_for(lambda: len(hands.posts) == 2, timeout=ENDS_S)
        await process.start()
        await process.kept.settled()

        assert [m.id for m in anna.sees(HARBOUR) if m.text == lobby.text] == [lobby.id]
        assert len(list(standin.model.threads_of(harbour.id))) == 1
        assert len(hands.posts) == 2
        check_chain(hands.posts, process.kept)
        assert [ids(post) == [] for post in hands.posts] == [True, False]
        for person in (anna, bert):
            assert len([m for m in person.inbox if "**Markers:**" in m.text]) == 1


def die_at(
    process: BotProcess,
    standin: Standin,
    path_glob: str = "*",
    *,
    count: int = 1,
    later_s: float = 0.0,
) -> None:
    """Kill it at the POST or edit of that path which is the last of so many, or soon after.

    The request is still carried out, as by a Discord that is far away: what was sent is there, and
    the process never learns of it.
    """
    left = count

    def strike(request: Request) -> None:
        nonlocal left
        if request.method == "GET" or not fnmatchcase(request.path, path_glob):
            return
        left -= 1
        if left == 0:
            standin.faults.on_request.remove(strike)
            if later_s:
                asyncio.get_running_loop().call_later(later_s, process.strike)
            else:
                process.strike()

    standin.faults.on_request.append(strike)


async def until_dead(process: BotProcess, acting: Coroutine[Any, Any, Answer]) -> None:
    task = asyncio.create_task(acting)
    await asyncio.wait_for(asyncio.shield(process.ended), ENDS_S)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await process.kill()
