"""The past of a table: turns as an observer heard of them, and states folded once."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest

from bot.game.contract import SPECTATOR
from bot.tables.archive.history import turns_of
from bot.tables.core.cache import replay
from bot.tables.core.model import Happened
from bot.tables.core.table_lines import Undone
from tests.tables.world import ANNA, BEN, World

NOON = datetime(2030, 5, 1, 12, tzinfo=UTC)


def entry(seq: int, seat: int, round_: int = 1, *only: int, back_to: int | None = None) -> Happened:
    """A log entry of one event, which only some hear if so said."""
    undone = Undone(seat=seat, count=seq, only=only)
    return Happened(seq, NOON, seat, (undone,) if seq else (), round_, back_to)


def test_what_a_seat_does_in_a_row_is_one_turn_of_the_round_it_began_in() -> None:
    log = [
        *(entry(0, -1), entry(1, 0), entry(2, 0), entry(3, 1)),
        # The same seat goes on, and a round begins: another turn.
        *(entry(4, 0, 2), entry(5, 0, 2)),
    ]

    turns = turns_of(log, SPECTATOR)

    assert [(turn.first, turn.last, turn.seat, turn.round) for turn in turns] == [
        *((0, 0, -1, 0), (1, 2, 0, 1), (3, 3, 1, 1), (4, 4, 0, 1), (5, 5, 0, 2))
    ]


def test_what_an_observer_did_not_hear_of_makes_no_turn_for_him() -> None:
    log = [entry(0, -1), entry(1, 0), entry(2, 1, 1, 1), entry(3, 0), entry(4, 1, 1, 1)]

    assert [(t.first, t.last) for t in turns_of(log, 1)] == [(n, n) for n in range(5)]
    # The state shown is nevertheless the newest.
    assert [(t.first, t.last) for t in turns_of(log, SPECTATOR)] == [(0, 0), (1, 4)]


def test_what_was_taken_back_is_apart_and_does_not_stand() -> None:
    log = [entry(0, -1), entry(1, 0), entry(2, 0), entry(3, 0, back_to=1), entry(4, 0)]

    turns = turns_of(log, SPECTATOR)

    assert [(t.first, t.stands, t.takes_back) for t in turns] == [
        *((0, True, False), (1, True, False), (2, False, False), (3, False, True)),
        (4, True, False),
    ]


async def test_however_many_pages_are_asked_for_one_log_is_gone_through_at_a_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await world.game(ANNA, BEN)
    await world.tables.history.turns(table.id, SPECTATOR)
    running = most = 0

    async def watched(work: Any, *args: Any) -> Any:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return work(*args)

    monkeypatch.setattr(asyncio, "to_thread", watched)
    turns = await asyncio.gather(
        *(world.tables.history.turns(table.id, observer) for observer in (SPECTATOR, 0, 1) * 2)
    )

    assert all(turns)
    assert most == 1


async def test_the_log_is_folded_once_for_all_steps_until_somebody_acts(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    folds = 0

    async def counted(*args: object) -> object:
        nonlocal folds
        folds += 1
        return await replay(*args)  # type: ignore[arg-type]

    monkeypatch.setattr("bot.tables.archive.history.replay", counted)
    table = await world.game(ANNA, BEN, length="long")
    seen = []
    for _ in range(6):
        seen.append(await world.tables.reader.view(table.id, 0))
        await world.play(table.id, 1, Random(3))

    past = world.tables.history
    assert [await past.view(table.id, 0, seq) for seq in range(6)] == seen
    assert folds == 1
    await world.play(table.id, 1, Random(3))
    await past.turns(table.id, 1)
    await past.turns(table.id, 0)
    assert folds == 2


async def test_who_did_what_is_known_without_the_log_as_it_says(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await world.play(table.id, 12, Random(4))
    known = await world.tables.reader.done(table.id, 0)
    await world.reopen()
    assert await world.tables.reader.done(table.id, 0) == known
    assert len(known) == 13
