"""Predictions of spectators: until when they can be made, who can't make any, and their points."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from bot.game.contract import Outcome
from bot.store import PredictionRow, WriteBatch
from bot.tables import Rejected, Status, Table
from bot.tables.predictions import CLOSED_AT, MAX_AT_TABLE, points_of
from tests.store.database import BOTH
from tests.tables.world import ANNA, BEN, CARA, NAMES, World, recorded_statements

DAN, EVE = 104, 105


async def predict(
    world: World, table: Table, user: int, seat: int | None, margin: int | None
) -> PredictionRow:
    name = NAMES.get(user, f"User {user}")
    return await world.tables.predictions.predict(table.id, user, name, seat, margin)


async def shown(world: World, table: Table) -> dict[int, tuple[int, int, int | None]]:
    """Return the predicted seat, margin and points of each user."""
    rows = await world.tables.predictions.at(table.id)
    return {row.user: (row.seat, row.margin, row.points) for row in rows}


async def until_closed(world: World, table: Table) -> None:
    rng = Random(1)
    while await world.tables.predictions.are_open(table.id):
        await world.play(table.id, 1, rng)


async def to_the_end(world: World, table: Table) -> Outcome:
    await world.play(table.id, 1000, Random(2))
    outcome = (await world.tables.reader.seen(table.id, 0)).outcome
    assert outcome is not None
    return outcome


@BOTH
async def test_a_prediction_can_be_changed_until_a_third_of_the_game_and_gets_points_at_its_end(
    world: World,
) -> None:
    table = await world.game(ANNA, BEN, length="long")
    with pytest.raises(Rejected, match="incomplete_prediction"):
        await predict(world, table, CARA, 1, None)
    await predict(world, table, CARA, 1, 20)
    await predict(world, table, CARA, None, 5)
    await predict(world, table, CARA, 0, None)
    await predict(world, table, DAN, 1, 0)
    assert await shown(world, table) == {CARA: (0, 5, None), DAN: (1, 0, None)}

    await until_closed(world, table)
    state = (await world.tables.reader.seen(table.id, 0)).view.known
    assert max(state.pebbles) >= CLOSED_AT * state.target
    await world.reopen()
    for user, seat in ((CARA, 1), (EVE, 0)):
        with pytest.raises(Rejected, match="predictions_closed"):
            await predict(world, table, user, seat, 1)
    outcome = await to_the_end(world, table)
    assert await shown(world, table) == {
        CARA: (0, 5, points_of(0, 5, outcome)),
        DAN: (1, 0, points_of(1, 0, outcome)),
    }
    assert any(points for _, _, points in (await shown(world, table)).values())
    with pytest.raises(Rejected, match="table_over"):
        await predict(world, table, CARA, 1, 1)


@pytest.mark.parametrize(
    ("seat", "margin", "points"),
    [(0, 9, 0), (1, 11, 5), (1, 10, 5), (1, 12, 5), (1, 15, 4), (1, 6, 4), (1, 17, 3), (2, 0, 0)],
)
def test_points_depend_on_the_winner_and_then_on_the_margin(
    seat: int, margin: int, points: int
) -> None:
    assert points_of(seat, margin, Outcome("end", (1,), (9, 20, 5))) == points


def test_each_of_several_winners_is_right_with_no_margin() -> None:
    shared = Outcome("end", (0, 2), (20, 3, 20))
    assert [points_of(seat, 0, shared) for seat in range(3)] == [5, 0, 5]
    # A tie-break may let a player win who isn't ahead.
    assert points_of(0, 1, Outcome("end", (0,), (20, 22))) == 5


@BOTH
async def test_no_one_who_had_a_seat_can_predict_and_a_seat_costs_the_prediction(
    world: World,
) -> None:
    lobby = await world.lobby(ANNA, BEN)
    with pytest.raises(Rejected, match="not_started"):
        await predict(world, lobby, CARA, 0, 1)
    table = await world.game(ANNA, BEN, CARA, length="long")
    with pytest.raises(Rejected, match="has_played"):
        await predict(world, table, ANNA, 0, 1)
    for user in (DAN, EVE):
        await predict(world, table, user, 0, 1)
    await world.tables.leaving.resign(table.id, CARA)
    await world.tables.seats.claim(table.id, DAN, "Dan")
    assert await shown(world, table) == {EVE: (0, 1, None)}
    for user in (CARA, DAN):
        with pytest.raises(Rejected, match="has_played"):
            await predict(world, table, user, 0, 1)
    # Who helped as the host or a moderator has seen nothing.
    table = await world.tables.seats.make_host(table.id, EVE, BEN)
    await predict(world, table, EVE, 1, 1)

    await world.all_abandon(table.id, ANNA, BEN, DAN)
    assert await world.status(table.id) is Status.ABANDONED
    assert await shown(world, table) == {}


@BOTH
async def test_games_from_files_and_in_direct_messages_have_no_predictions(world: World) -> None:
    table, private = [await world.game(ANNA, BEN) for _ in range(2)]

    async def change(number: int, **changed: Any) -> None:
        cache = world.tables._unit_of_work.cache
        loaded = await cache.read(number)
        cache.put(loaded.with_table(replace(loaded.table, **changed)))

    await change(table.id, unrated=True)
    await change(private.id, guild=None)
    for each, code in ((table, "no_predictions"), (private, "not_in_server")):
        with pytest.raises(Rejected, match=code):
            await predict(world, each, CARA, 0, 1)
        with pytest.raises(Rejected, match=code):
            await world.tables.predictions.are_open(each.id)


@BOTH
async def test_the_ranking_shares_places_and_leaves_out_who_wants_no_statistics(
    world: World,
) -> None:
    people, tables = world.tables.people, [await world.game(ANNA, BEN) for _ in range(2)]
    await people.change(EVE, counted=False)
    for table in tables:
        for user, seat in ((CARA, 0), (DAN, 1), (EVE, 0), (EVE + 1, 0)):
            await predict(world, table, user, seat, 900)
    outcomes = [await to_the_end(world, table) for table in tables]
    for table in tables:
        assert (await shown(world, table))[EVE] == (0, 900, None)
    hits = {
        user: sum(seat in outcome.winners for outcome in outcomes)
        for user, seat in ((CARA, 0), (DAN, 1), (EVE + 1, 0))
    }
    found = await world.tables.predictions.ranking(1)
    assert {each.user: (each.points, each.hits, each.games) for each in found} == {
        user: (3 * count, count, 2) for user, count in hits.items()
    }
    places = {each.user: each.place for each in found}
    assert places[CARA] == places[EVE + 1]
    assert sorted(places.values()) in ([1, 1, 3], [1, 2, 2], [1, 1, 1])
    assert await world.tables.predictions.ranking(2) == []

    # A new name counts everywhere; who turns statistics off or is forgotten disappears.
    await people.note_name(DAN, 1, "Daniela")
    await people.change(CARA, counted=False)
    found = await world.tables.predictions.ranking(1)
    assert {each.user: each.name for each in found} == {DAN: "Daniela", EVE + 1: "User 106"}
    await people.forget(DAN)
    assert [each.user for each in await world.tables.predictions.ranking(1)] == [EVE + 1]
    await world.tables.servers.remove(1)
    await world.tables.scheduler.tick()
    assert await world.tables.predictions.ranking(1) == []


@BOTH
async def test_a_table_has_a_limited_number_of_predictions(world: World) -> None:
    table, batch = await world.game(ANNA, BEN), WriteBatch()
    for user in range(1000, 1000 + MAX_AT_TABLE):
        batch.insert(PredictionRow(table.id, user, 1, "Someone", 0, 1))
    await world.store.commit(batch)
    with pytest.raises(Rejected, match="too_many_predictions"):
        await predict(world, table, CARA, 0, 1)
    assert (await predict(world, table, 1000, 1, 2)).seat == 1


@BOTH
async def test_turns_neither_read_nor_write_predictions(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await world.game(ANNA, BEN, length="long")
    await predict(world, table, CARA, 0, 1)
    statements = recorded_statements(world.store, monkeypatch)
    await until_closed(world, table)
    assert statements
    assert not [each for each in statements if "prediction" in each]
    await to_the_end(world, table)
    assert [each for each in statements if "prediction" in each]
