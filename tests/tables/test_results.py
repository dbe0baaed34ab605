"""Results, ratings, pace, and the deletion of users from them."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace
from openskill.models import PlackettLuce

from bot.game.chance import KeyedChance
from bot.game.contract import Outcome
from bot.store import StandingRow, sql
from bot.tables import Status, Table
from bot.tables.clocks import counted_time
from bot.tables.core.errors import Rejected
from bot.tables.core.log import shuffle
from bot.tables.core.seating import WEEKEND
from bot.tables.people import UserSettings
from bot.tables.results import MU, SIGMA, LeaderboardPlace, Rating, Tally, Trust, _ranked, rated
from tests.store.database import BOTH
from tests.tables.world import ANNA, BEN, CARA, KEY, World

GUILD = 1
TABLE = Table(
    id=1,
    game="pebbles",
    version=1,
    status=Status.FINISHED,
    options={},
    players=(),
    host=ANNA,
    guild=GUILD,
    channel=5,
    key_hash="",
    created=datetime(2030, 3, 1, tzinfo=UTC),
)
"""A table without frozen weekends."""


async def start_game(world: World, *users: int) -> int:
    """Start a game in which the first user has the first seat."""
    index = shuffle(len(users), KeyedChance(KEY))[0]
    first, *others = users
    return (await world.game(*others[:index], first, *others[index:])).id


async def step(world: World, table: int) -> bool:
    """Play one action, and return whether there was one.

    All choose the same number, so only the first seat gets pebbles.
    """
    for asked in await world.tables.reader.pending(table):
        if not asked.optional:
            await world.act(table, asked.seat, "take 2" if asked.kind == "take" else "choose 1")
            return True
    return False


async def finish(world: World, table: int) -> int:
    while await step(world, table):
        pass
    assert await world.status(table) is Status.FINISHED
    return table


async def won(world: World, *users: int) -> int:
    """Play a whole game that the first user wins; all others come second."""
    return await finish(world, await start_game(world, *users))


async def tally(world: World, user: int) -> Tally:
    (found,) = await world.tables.results.of_person(user, GUILD)
    return found


async def board(world: World) -> tuple[LeaderboardPlace, ...]:
    return await world.tables.results.standings(GUILD, "pebbles")


@BOTH
async def test_results_have_places_streaks_averages_and_ratings(world: World) -> None:
    results = world.tables.results
    await won(world, BEN, ANNA)
    for _ in range(2):
        await won(world, ANNA, BEN, CARA)

    anna, ben, cara = [await tally(world, user) for user in (ANNA, BEN, CARA)]
    assert (anna.games, anna.wins, anna.streak, anna.longest) == (3, 2, 2, 2)
    assert (ben.games, ben.wins, ben.streak, ben.longest) == (3, 1, 0, 1)
    assert anna.average == 4.0
    assert anna.rating is not None
    assert ben.rating is not None
    assert cara.rating is not None
    assert anna.history[0] < anna.history[-1] == anna.rating.points
    (one, two, three) = await board(world)
    assert [one.user, two.user, three.user] == [ANNA, BEN, CARA]
    assert (one.place, one.games, one.wins) == (1, 3, 2)
    assert await results.standings(GUILD + 1, "pebbles") == ()
    # There is no rating across servers.
    assert (await results.of_person(ANNA, None))[0].rating is None
    # Two people are compared at their common tables.
    (met,) = await results.between(ANNA, BEN, GUILD)
    assert (met.games, met.ahead, met.behind, met.even) == (3, 2, 1, 0)
    (met,) = await results.between(BEN, CARA, GUILD)
    assert (met.games, met.ahead, met.behind, met.even) == (2, 0, 0, 2)


async def test_ties_share_a_rating_and_a_place(world: World) -> None:
    await won(world, CARA, ANNA, BEN)
    anna, ben = await tally(world, ANNA), await tally(world, BEN)
    assert anna.rating == ben.rating
    assert [standing.place for standing in await board(world)] == [1, 2, 2]
    rows = [
        StandingRow(user, "", mu, 1.0, 1, 1) for user, mu in ((1, 30), (2, 20), (3, 20), (4, 9))
    ]
    assert [each.place for each in _ranked(rows)] == [1, 2, 2, 4]
    assert Outcome("end", (2,), (7, 3, 7, 3)).places == (2, 3, 1, 3), "the winners come first"


async def test_a_player_who_resigns_comes_last(world: World) -> None:
    table = await start_game(world, ANNA, BEN, CARA)
    await world.tables.leaving.resign(table, ANNA)
    await finish(world, table)

    anna, ben = await tally(world, ANNA), await tally(world, BEN)
    # The seat that she left has won, and no other.
    assert (anna.wins, anna.resigned, anna.average) == (0, 1, None)
    assert (ben.wins, ben.resigned, ben.average) == (0, 0, 0.0)
    assert anna.history[-1] < ben.history[-1]


async def test_a_player_who_takes_over_a_seat_gets_its_result(world: World) -> None:
    table, _ = await world.against("normal")
    await finish(world, table)
    assert await world.tables.results.of_person(ANNA, GUILD) == ()
    # No note says that the game is unrated, as no one could expect a rating.
    assert not await world.tables.results.is_unrated(await world.tables.reader.get(table))
    table = await start_game(world, ANNA, BEN)
    await world.tables.leaving.resign(table, ANNA)
    await world.tables.seats.claim(table, CARA, "Cara")
    with pytest.raises(Rejected, match="seat_taken"):
        await world.tables.seats.claim(table, ANNA, "Anna")
    await finish(world, table)

    names = [(each.user, each.name) for each in await board(world)]

    assert names == [(CARA, "Cara"), (BEN, "Ben"), (ANNA, "")]


async def test_a_game_is_rated_only_if_two_people_played_its_last_third(world: World) -> None:
    whole = await won(world, ANNA, BEN)
    actions = len(await world.store.entries(whole)) - 1
    for is_late in (False, True):
        before = await tally(world, BEN)
        table = await start_game(world, ANNA, BEN)
        for _ in range(2 * actions // 3 + is_late):
            await step(world, table)
        # From now on a computer player acts for him.
        await world.tables.seats.autopilot(table, BEN)

        await finish(world, table)

        ben = await tally(world, BEN)
        assert ben.games == before.games + 1
        assert (ben.rating != before.rating) is is_late
        after = await world.tables.reader.get(table)
        assert await world.tables.results.is_unrated(after) is not is_late


@pytest.mark.parametrize(("actions", "is_rated"), [(1, False), (5, True)])
async def test_resigning_from_a_two_player_game_loses_it_if_both_had_played(
    world: World, actions: int, *, is_rated: bool
) -> None:
    table = await start_game(world, ANNA, BEN)
    for _ in range(actions):
        await step(world, table)
    await world.tables.leaving.resign(table, ANNA)
    await finish(world, table)

    anna, ben = await tally(world, ANNA), await tally(world, BEN)

    assert (anna.games, anna.resigned, ben.games) == (1, 1, 1)
    assert (anna.rating is not None) is is_rated
    if is_rated:
        assert anna.history[-1] < ben.history[-1]


async def test_people_without_statistics_get_no_results_or_ratings(
    world: World,
) -> None:
    await won(world, ANNA, BEN)
    rating = (await tally(world, BEN)).rating
    await world.tables.people.change(ANNA, counted=False)

    assert await world.tables.results.of_person(ANNA, GUILD) == ()
    assert [each.user for each in await board(world)] == [BEN]
    await won(world, ANNA, BEN)

    ben = await tally(world, BEN)
    assert (ben.games, ben.rating) == (2, rating)
    await world.tables.people.change(ANNA, counted=True)
    assert (await tally(world, ANNA)).games == 1


async def test_games_that_end_at_the_same_time_are_rated_in_turn(world: World) -> None:
    model = PlackettLuce()
    assert (model.mu, model.sigma) == (MU, SIGMA), "not openskill's initial values"
    tables = [await start_game(world, ANNA, BEN) for _ in range(3)]
    await asyncio.gather(*(finish(world, table) for table in tables))

    ratings = [Rating(), Rating()]
    for _ in tables:
        ratings = rated(ratings, (1, 2))
    assert (await tally(world, ANNA)).rating == ratings[0]


async def test_a_persons_pace_leaves_out_pauses_and_quiet_hours(world: World) -> None:
    await world.tables.people.change(BEN, quiet_from=13 * 60, quiet_to=14 * 60)
    table = await start_game(world, ANNA, BEN)
    for kind in ("pause", "resume"):
        await world.tables.votes.propose(table, ANNA, "pause")
        await world.tables.votes.answer(table, BEN, kind, agree=True)
        world.clock.move(days=10 * (kind == "pause"))
    for user, hours in ((ANNA, 1), (BEN, 2)):
        world.clock.move(hours=hours)
        await world.act(table, await world.tables.reader.seat_of(table, user), "choose 1")
    await finish(world, table)

    ben, anna = await tally(world, BEN), await tally(world, ANNA)
    log = await world.tables.reader.log(await world.tables.reader.seen(table, 0), 200)
    rounds = len([each for each in log if each.seat == 1 and each.events[0].kind == "chose"])
    assert ben.pace is not None
    assert anna.pace is not None
    # The first choice took three hours, one of them quiet, and ten days of pause. The later ones
    # took no time.
    assert ben.pace * rounds == timedelta(hours=2)
    assert anna.pace < ben.pace


@pytest.mark.parametrize("way", ["button", "move"])
async def test_time_does_not_count_while_the_table_sleeps(world: World, way: str) -> None:
    table = await start_game(world, ANNA, BEN)
    seat = await world.tables.reader.seat_of(table, ANNA)
    for user in (ANNA, BEN):
        await world.tables.seats.autopilot(table, user)
    world.clock.move(days=10)
    if way == "button":
        await world.tables.seats.wake(table, ANNA)
    await world.act(table, seat, "choose 1", user=ANNA)
    await world.tables.seats.autopilot(table, BEN, on=False)
    await finish(world, table)

    assert [(await tally(world, user)).pace for user in (ANNA, BEN)] == [timedelta()] * 2


def test_quiet_hours_frozen_weekends_and_absences_do_not_count() -> None:
    rome = ZoneInfo("Europe/Rome")
    person = UserSettings(ANNA, quiet_from=22 * 60, quiet_to=8 * 60, zone="Europe/Rome")
    for since, until, hours in (
        ((3, 1, 20), (3, 2, 10), 4),  # two before the night, two after it
        ((3, 1, 23), (3, 2, 7), 0),
        ((3, 2, 9), (3, 2, 11), 2),
        ((3, 30, 12), (4, 1, 12), 28),  # a night that is one hour short
    ):
        began, over = (datetime(2030, *at, tzinfo=rome).astimezone(UTC) for at in (since, until))
        assert counted_time(person, TABLE, began, over) == timedelta(hours=hours), since
        assert counted_time(UserSettings(ANNA), TABLE, began, over) == over - began, since
    # Half an hour of local time that the clocks skip.
    short = replace(person, quiet_from=2 * 60 + 45, quiet_to=3 * 60 + 15)
    began, over = (datetime(2030, 3, 31, hour, tzinfo=UTC) for hour in (0, 3))
    assert counted_time(short, TABLE, began, over) == timedelta(hours=3)
    friday, tuesday = (datetime(2030, 3, day, 12, tzinfo=UTC) for day in (1, 5))
    away = UserSettings(ANNA, away_from=friday.date(), away_until=friday.date())
    assert counted_time(away, TABLE, friday, tuesday) == timedelta(hours=3 * 24 + 12)
    resting = replace(TABLE, terms={WEEKEND: "frozen"})
    assert counted_time(UserSettings(ANNA), resting, friday, tuesday) == timedelta(days=2)


def test_a_rating_becomes_more_reliable_with_games() -> None:
    rating, other = Rating(), Rating()
    assert (rating.points, rating.trust) == (1000, Trust.NEW)
    for _ in range(60):
        rating, other = rated((rating, other), (1, 2))
        other, rating = rated((other, rating), (1, 2))
    assert rating.trust in (Trust.FAIR, Trust.FIRM)


@BOTH
async def test_a_deleted_user_leaves_no_trace_at_tables_that_are_over(world: World) -> None:
    over = await won(world, ANNA, BEN)
    abandoned, running = (
        await start_game(world, ANNA, BEN, CARA),
        await start_game(world, ANNA, BEN),
    )
    await world.tables.leaving.resign(abandoned, ANNA)
    await world.all_abandon(abandoned, BEN, CARA)
    results = world.tables.results
    (met_before,) = await results.of_person(BEN, GUILD)

    await results.forget(ANNA, "Former player")

    assert await results.of_person(ANNA, GUILD) == ()
    assert await results.between(BEN, ANNA, GUILD) == ()
    assert await results.of_person(BEN, GUILD) == (met_before,)
    for table_id in (over, abandoned):
        table = await world.tables.reader.get(table_id)
        assert table.seat_of(ANNA) is None
        assert table.host != ANNA
        assert "Former player" in table.names
        assert "Anna" not in table.names
        assert ANNA not in {row.user for row in await world.store.entries(table_id)}
    assert await world.store.traces(ANNA, ("finished", "abandoned")) == []
    assert (await world.tables.reader.get(running)).seat_of(ANNA) is not None
    assert b"Anna" not in (await world.tables.exports.game(over, -1)).data
    await world.reopen()
    assert "Anna" not in (await world.tables.reader.get(over)).names


async def test_a_user_is_deleted_from_many_tables_in_slices_without_loading_them(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [await start_game(world, ANNA, BEN) for _ in range(5)]
    for table in tables:
        await world.all_abandon(table, ANNA, BEN)
    await world.reopen()
    await world.tables.reader.get(tables[3])
    monkeypatch.setattr(sql, "SLICE_ROWS", 2)
    with monkeypatch.context() as watched:
        watched.setattr(world.store, "load", lambda _: pytest.fail("a table was loaded"))
        await world.tables.results.forget(ANNA, "Former player")
    for table in tables:
        after = await world.tables.reader.get(table)
        assert (after.host, after.seat_of(ANNA)) == (0, None)
        assert "Anna" not in after.names
        assert after.seat_of(BEN) is not None


async def test_a_write_in_progress_does_not_bring_a_deleted_user_back(world: World) -> None:
    table, outbox = await start_game(world, ANNA, BEN), world.tables.outbox
    await world.all_abandon(table, ANNA, BEN)
    # These writes may use data that was read before the deletion.
    await asyncio.gather(
        world.tables.results.forget(ANNA, "Former player"),
        *(outbox.acknowledge((), table_id=table, panel_message=each) for each in range(20)),
    )
    await world.reopen()
    after = await world.tables.reader.get(table)
    assert (after.host, after.seat_of(ANNA)) == (0, None)
