"""The past of a table: turns as an observer heard of them, reports of faults, and reviews."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice
from random import Random

import pytest

from bot.game.contract import SPECTATOR
from bot.game.kogge import GAME
from bot.game.kogge.state import KoggeState
from bot.store import EntryRow, WriteBatch
from bot.tables.archive import reporting
from bot.tables.archive.history import turns_of
from bot.tables.core.cache import replay
from bot.tables.core.errors import NotOver
from bot.tables.core.model import Happened
from bot.tables.core.record import fold
from bot.tables.core.table_lines import Undone, standing
from tests.recorded.results import read_record
from tests.tables.world import ANNA, BEN, World

NOON = datetime(2030, 5, 1, 12, tzinfo=UTC)


def entry(seq: int, seat: int, round_: int = 1, *only: int) -> Happened:
    """A log entry of one event, which only some hear if so said."""
    undone = Undone(seat=seat, count=seq, only=only)
    return Happened(seq, NOON, seat, (undone,) if seq else (), round_, None)


def test_what_a_seat_does_in_a_row_is_one_turn_of_the_round_it_began_in() -> None:
    log = [
        *(entry(0, -1), entry(1, 0), entry(2, 0), entry(3, 1)),
        # The same seat goes on, and a round begins: another turn.
        *(entry(4, 0, 2), entry(5, 0, 2)),
    ]
    assert [
        (turn.first, turn.last, turn.seat, turn.round) for turn in turns_of(log, SPECTATOR)
    ] == [*((0, 0, -1, 0), (1, 2, 0, 1), (3, 3, 1, 1), (4, 4, 0, 1), (5, 5, 0, 2))]


def test_what_an_observer_did_not_hear_of_makes_no_turn_for_him() -> None:
    log = [entry(0, -1), entry(1, 0), entry(2, 1, 1, 1), entry(3, 0), entry(4, 1, 1, 1)]
    assert [(t.first, t.last) for t in turns_of(log, 1)] == [(n, n) for n in range(5)]
    # The state shown is nevertheless the newest.
    assert [(t.first, t.last) for t in turns_of(log, SPECTATOR)] == [(0, 0), (1, 4)]


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
    assert await past.turns(table.id, SPECTATOR)
    assert folds == 2


async def test_who_did_what_is_known_without_the_log_as_it_says(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await world.play(table.id, 12, Random(4))
    known = await world.tables.reader.done(table.id, 0)
    await world.reopen()
    assert await world.tables.reader.done(table.id, 0) == known
    assert len(known) == 13


RECORDED = read_record(GAME, "4-laps-hidden")
SAMPLES = 2


def held(state: KoggeState) -> list[int]:
    """What lies in hidden hands and in the bag, piece by piece."""
    return [n for player in state.players for n in (*player.markers, *player.goods)] + state.bag


def apart(one: KoggeState, other: KoggeState) -> int:
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


async def test_a_whole_game_is_given_out_after_its_end_alone(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await world.play(table.id, 2, Random(2))
    with pytest.raises(NotOver):
        await world.tables.reviews.whole(table.id)
    await world.play(table.id, 500, Random(2))
    game = await world.tables.reviews.whole(table.id)
    assert len(game.blobs) == len(game.entries) == await world.tables.reader.seq(table.id) + 1
    assert game.game.outcome(game.game.decode(game.blobs[-1])) is not None
    assert list(standing(each.back_to for each in game.happened)) == list(range(len(game.blobs)))
