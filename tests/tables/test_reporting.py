"""Reports: nothing of the real state is left in theirs, and a damaged log is reported too."""

from __future__ import annotations

import asyncio
from itertools import islice
from random import Random

import pytest

from bot.game.contract import SPECTATOR
from bot.game.kogge import GAME
from bot.game.kogge.state import KoggeState
from bot.store import EntryRow, WriteBatch
from bot.tables.archive import reporting
from bot.tables.archive.reporting import Report
from bot.tables.core.record import fold
from tests.recorded.results import read_record
from tests.tables.world import ANNA, BEN, World

RECORDED = read_record(GAME, "4-laps-hidden")
SAMPLES = 2


def held(state: KoggeState) -> list[int]:
    """What lies in hidden hands and in the bag, piece by piece."""
    return [n for player in state.players for n in (*player.markers, *player.goods)] + state.bag


def apart(one: KoggeState, other: KoggeState) -> int:
    """How many pieces lie elsewhere."""
    return sum(abs(a - b) for a, b in zip(held(one), held(other), strict=True))


def far(monkeypatch: pytest.MonkeyPatch, times: int) -> float:
    """How far mixed states are from the real one, measured by how far from any other."""
    entries = islice(fold(GAME, RECORDED), 91)
    *_, last = entries
    real = last.state
    stranger = reporting.mixed(GAME, real, Random(99))
    monkeypatch.setattr(reporting, "TIMES", times)
    mixed = [reporting.mixed(GAME, real, Random(seed)) for seed in range(SAMPLES)]
    assert all(GAME.view(each, SPECTATOR) == GAME.view(real, SPECTATOR) for each in mixed)
    return sum(apart(each, real) for each in mixed) / sum(apart(each, stranger) for each in mixed)


def test_the_state_of_a_report_is_no_nearer_to_the_real_one_than_any_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert far(monkeypatch, reporting.TIMES) > 0.8
    # One exchange would betray most of the real one, or this test would prove nothing.
    assert far(monkeypatch, 1) < 0.5


async def test_however_many_reports_are_asked_for_one_is_written_at_a_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty of a long game kept everybody else waiting for seconds."""
    table = await world.game(ANNA, BEN)
    running, most = list[int](), 0
    read, encode = world.store.entries, reporting.encode

    async def begun(number: int) -> list[EntryRow]:
        nonlocal most
        running.append(number)
        most = max(most, len(running))
        return await read(number)

    def written(report: Report) -> bytes:
        running.pop()
        return encode(report)

    monkeypatch.setattr(world.store, "entries", begun)
    monkeypatch.setattr(reporting, "encode", written)
    reports = await asyncio.gather(*(world.tables.reporting.report(table.id) for _ in range(6)))

    assert all(reports)
    assert most == 1


async def test_a_damaged_log_is_reported_as_far_as_it_can_be_read(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await world.tables.play.act(table.id, 0, ("choose", "1"))
    batch, seq = WriteBatch(), await world.tables.reader.seq(table.id) + 1
    batch.add_entry(EntryRow(table.id, seq, 1, BEN, "choose 77", (), world.clock.now()))
    await world.store.commit(batch)
    await world.reopen()

    data = await world.tables.reporting.report(table.id)

    report = reporting.decode(data)
    assert report.problem
    assert report.state
    assert b"77" not in data
