"""A whole cup of 16 people on the wire, with a bot that is killed three times."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from random import Random

import msgspec
import pytest

from bot.local import NewGuild, NewPerson, Standin
from bot.tables.cup_record import draw_record, verify_cup
from bot.tables.cup_rules import FINAL, Cup, CupGame, CupStatus, End, points, standings
from bot.tables.cups import last_round, running
from tests.wire.players import HARBOUR, TIMEOUT_S, RandomPlayer, answered, ids, play_on
from tests.wire.process import BotProcess, process_on
from tests.wire.test_kill import kill_at

PEOPLE = 16
CONSTANTS = {
    # A killed task is due again after this time.
    "bot.tables.core.scheduler.LEASE": timedelta(seconds=2),
    "bot.tables.cups.AGAIN": timedelta(seconds=2),
}


class CupPlayer(RandomPlayer):
    """A player at a table with a clock, whose line follows the pings."""

    @property
    def is_pinged(self) -> bool:
        board = self.board()
        lines = [] if board is None else board.text.splitlines()
        calls = [line for line in lines if not line.startswith("-#")]
        return bool(calls) and self.person.mention in calls[-1]


def cup_of(process: BotProcess) -> Cup:
    with closing(sqlite3.connect(f"file:{process.stored.path}?mode=ro", uri=True)) as connection:
        ((data,),) = connection.execute("SELECT data FROM cups").fetchall()
    return msgspec.convert(json.loads(data), Cup)


async def until_cup(process: BotProcess, status: CupStatus, rounds: int) -> Cup:
    """Wait until the cup has got that far and its message shows it."""
    async with asyncio.timeout(TIMEOUT_S):
        while True:
            cup = cup_of(process)
            if cup.status is status and len(cup.rounds) == rounds and cup.posted:
                return cup
            await asyncio.sleep(0.1)


async def play(process: BotProcess, standin: Standin, games: list[CupGame], *, kill: int) -> None:
    """Play games at the same time; kill and restart the bot after `kill` of its requests."""
    by_id = {person.id: person for person in map(standin.person, standin_names())}
    tables = [
        [
            CupPlayer(standin, by_id[user], Random(f"{user} {kill}"), table=game.table)
            for user in game.users
        ]
        for game in games
    ]
    if kill:
        kill_at(process, standin, count=kill, delay_s=0.0)
        playing = [asyncio.create_task(play_on(players)) for players in tables]
        await asyncio.wait([process.ended], timeout=TIMEOUT_S)
        assert process.ended.done(), "the games were too short"
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        await process.kill()
        await process.start()
    await asyncio.gather(*map(play_on, tables))


def standin_names() -> list[str]:
    return [f"Player {number}" for number in range(1, PEOPLE + 1)]


@pytest.mark.slow
async def test_a_cup_of_sixteen_survives_three_kills(tmp_path: Path) -> None:
    people = [NewPerson(name, "#808080") for name in ("Vera", *standin_names())]
    guilds = [NewGuild(channels=[(HARBOUR, "")])]
    async with (
        Standin(people=people, guilds=guilds) as standin,
        process_on(standin, tmp_path) as process,
    ):
        process.constants = CONSTANTS
        await process.start()
        vera = standin.person("Vera")
        options = {"name": "Harbour cup", "game": "kogge", "format": "final", "rounds": 1}
        answer = await vera.slash(HARBOUR, "cup new", {**options, "seats": 4})
        await answered(standin, vera, answer)
        number = cup_of(process).id
        joining, starting = f"cupjoin:0::{number}", f"cupstart:0::{number}"
        message = await vera.wait_for_message(
            HARBOUR, lambda m: joining in ids(m), timeout=TIMEOUT_S
        )
        for name in standin_names():
            person = standin.person(name)
            await answered(standin, person, await person.press(message, custom_id=joining))
        # The first kill comes while the bot opens the tables.
        kill_at(process, standin, count=6, delay_s=0.0)
        await vera.press(message, custom_id=starting)
        await asyncio.wait([process.ended], timeout=TIMEOUT_S)
        await process.kill()
        await process.start()
        cup = await until_cup(process, CupStatus.PLAYING, 1)
        assert [len(game.users) for game in last_round(cup)] == [4, 4, 4, 4]

        # The second comes in the middle of the games, the third when the final begins.
        *others, last = running(cup)
        await play(process, standin, others, kill=150)
        await play(process, standin, [last], kill=0)
        kill_at(process, standin, count=4, delay_s=0.0)
        await asyncio.wait([process.ended], timeout=TIMEOUT_S)
        assert process.ended.done()
        await process.kill()
        await process.start()
        cup = await until_cup(process, CupStatus.PLAYING, 2)
        (final,) = running(cup)
        await play(process, standin, [final], kill=0)
        cup = await until_cup(process, CupStatus.OVER, 2)

        check(cup, process)
        (shown,) = (
            message
            for message in vera.sees(HARBOUR)
            if any(each.endswith(f"::{number}") for each in ids(message))
            and not message.is_ephemeral
        )
        assert cup.key in shown.text
        assert await process.stop() == 0
        log = process.log.read_text()
        assert "Traceback" not in log
        assert " ERROR " not in log


def check(cup: Cup, process: BotProcess) -> None:
    """Check that no table is missing or doubled, and that the standings follow from the results."""
    verify_cup(draw_record(cup))
    games = [game for games in cup.rounds for game in games]
    with closing(sqlite3.connect(f"file:{process.stored.path}?mode=ro", uri=True)) as connection:
        query = 'SELECT "table", "user", place FROM results'
        results = {(table, user): place for table, user, place in connection.execute(query)}
        tables = [id for (id,) in connection.execute("SELECT id FROM tables ORDER BY id")]
        ends = {status for (status,) in connection.execute("SELECT status FROM tables")}
    assert sorted(game.table for game in games) == tables
    assert ends == {"finished"}
    assert {game.end for game in games} == {End.PLAYED}
    assert {user for game in cup.rounds[0] for user in game.users} == {
        entrant.user for entrant in cup.entrants
    }
    gained = dict.fromkeys((entrant.user for entrant in cup.entrants), 0)
    for game in games:
        places = [results[game.table, user] for user in game.users]
        assert tuple(places) == game.places
        for user, won in zip(game.users, points(places), strict=True):
            gained[user] += won
    ranked = standings(cup)
    assert {each.user: each.points for each in ranked} == gained
    (final,) = (game for game in games if game.group == FINAL)
    assert {each.user for each in ranked[:4]} == {*final.users}
    assert ranked[0].user in {
        user for user, place in zip(final.users, final.places, strict=True) if place == 1
    }
