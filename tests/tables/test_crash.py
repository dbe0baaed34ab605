"""Killed at any moment and started again, the tables have lost and repeated nothing."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from random import Random

import pytest

from bot.game.contract import parse_action
from bot.tables import Status
from bot.tables.core.record import fold
from tests.games.pebbles import GAME
from tests.store.database import BOTH, Database
from tests.tables.world import World, whole_record

ROOT = Path(__file__).parents[2]
KILLS = 3

Items = set[tuple[str, int | None, int]]


async def lines_until_killed(database: Database, seed: int) -> list[list[str]]:
    """What was answered before the program was killed, a random number of answers in."""
    where = [] if database.server is None else [database.server]
    program = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "tests.tables.crashing", str(database.path.parent), str(seed), *where),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    assert program.stdout is not None
    lines = [await program.stdout.readline() for _ in range(Random(seed).randrange(5, 60))]
    program.kill()
    lines += (await program.stdout.read()).splitlines(keepends=True)
    await program.wait()
    # What it had begun may be stored after it is gone.
    await database.left_alone()
    # A line that was cut short was not answered.
    return [line.decode().split() for line in lines if line.endswith(b"\n")]


@BOTH
@pytest.mark.slow
async def test_every_answered_action_is_there_once_and_what_was_to_be_sent_still_is(
    database: Database,
) -> None:
    answered: list[list[str]] = []
    for seed in range(KILLS):
        answered += await lines_until_killed(database, seed)
    world = await World(database).open()
    tables = {str(table.id): table for table in await world.tables.reader.find(500)}
    logs = {
        name: (await whole_record(world.tables, table.id)).entries for name, table in tables.items()
    }
    assert len(answered) == len({(name, seq) for name, seq, *_ in answered})
    assert len(answered) > KILLS * 5
    for name, seq, seat, delivery, *action in answered:
        entry = logs[name][int(seq)]
        assert (entry.seat, parse_action(entry.action)) == (int(seat), tuple(action))
        again = await world.tables.play.act(int(name), int(seat), tuple(action), delivery=delivery)
        assert (again.seq, again.repeated) == (int(seq), True)
    for name, table in tables.items():
        # What was started and not answered may be there or not, one action a table and a kill.
        known = {int(seq) for each, seq, *_ in answered if each == name}
        unanswered = set(range(1, len(logs[name]))) - known
        assert len(unanswered) <= KILLS
        assert table.status is Status.PLAYING
        await check_against_the_log(world, table.id)
    await world.close()


async def check_against_the_log(world: World, table_id: int) -> None:
    """State and outbox are those that the log gives."""
    drafts: Items = {("hand", 0, 0), ("hand", 1, 0), ("lobby", None, 0)}
    awaited: set[tuple[int, str]] = set()
    sealed: set[int] = set()
    hands: dict[int, str] = {}
    record = await whole_record(world.tables, table_id)
    for seq, (entry, state, events, _) in enumerate(fold(GAME, record)):
        reached = {seat for event in events for seat in event.only}
        free = entry.action.split()[0] in ("gift", "accept", "decline")
        drafts |= {("private", seat, seq) for seat in reached if seat != entry.seat or not free}
        held, hands = hands, {seat: repr(GAME.hand(state, seat)) for seat in (0, 1)}
        changed = {seat for seat in held if held[seat] != hands[seat]}
        drafts |= {
            ("hand", seat, seq)
            for seat in changed
            if seat != entry.seat or (seat in sealed and not free)
        }
        before, awaited = awaited, {(d.seat, d.kind) for d in GAME.pending(state) if not d.optional}
        sealed = {decision.seat for decision in GAME.pending(state) if decision.sealed}
        if awaited != before:
            board = ("board", None, seq)
    loaded = await world.tables._unit_of_work.cache.read(table_id)
    assert loaded.position().blob == GAME.encode(state)
    queued = {
        (each.kind.value, each.seat, each.seq) for each in await world.tables.outbox.items(table_id)
    }
    assert queued == drafts | {board}
