"""Searches for players: who is put together, and the tables that open, also of two processes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.store import NO_TABLE, SearchRow, WriteBatch
from bot.tables import OutboxKind, Rejected, Status, StoreUnavailable, Table
from bot.tables.search import ALERT, complete_group
from bot.tables.servers import FIND, Limits
from tests.store.database import BOTH, SERVER_ALONE, Database
from tests.tables.members import Member, Members, guild_of
from tests.tables.world import ANNA, BEN, CARA, NAMES, World

GUILD, CHANNEL = 1, 500
START = datetime(2030, 5, 1, tzinfo=UTC)
SIZES = (2, 3, 4)


def search(user: int, **about: Any) -> SearchRow:
    row = SearchRow(
        guild=GUILD,
        user=user,
        game="pebbles",
        name=NAMES.get(user, f"user {user}"),
        channel=CHANNEL,
        pace="day",
        seats=SIZES,
        level="some",
        same_level=False,
        languages=("en",),
        since=START,
        until=START,
    )
    return replace(row, **about)


async def look(by: Any, user: int, limits: Limits | None = None, **about: Any) -> Table | None:
    row = search(user, **about)
    return await by.tables.searches.look(row, limits or Limits())  # type: ignore[no-any-return]


async def searching(by: Any, guild: int = GUILD) -> set[int]:
    return {each.user for each in await by.tables.searches.of_server(guild)}


# Who fits

searches = st.builds(
    search,
    st.integers(1, 9),
    game=st.sampled_from(["pebbles", "kogge"]),
    pace=st.sampled_from(["live", "day"]),
    seats=st.sampled_from([(2,), (3,), (4,), SIZES]),
    level=st.sampled_from(["new", "some", "experienced"]),
    same_level=st.booleans(),
    languages=st.lists(st.sampled_from(["en", "it", "de"]), min_size=1, unique=True),
    since=st.integers(0, 5).map(lambda n: START + timedelta(hours=n)),
)


def is_complete(group: Sequence[SearchRow]) -> bool:
    """Check a group by the definition of who fits."""
    return (
        len({each.user for each in group}) == len(group)
        and len({(each.game, each.pace) for each in group}) == 1
        and all(len(group) in each.seats for each in group)
        and bool(set.intersection(*({*each.languages} for each in group)))
        and all(one.level == two.level or not one.same_level for one in group for two in group)
    )


@given(searches, st.lists(searches, max_size=7, unique_by=lambda each: (each.user, each.game)))
def test_the_largest_group_that_can_play_is_put_together_and_no_other(
    mine: SearchRow, others: list[SearchRow]
) -> None:
    possible = [
        size
        for size in SIZES
        for group in combinations(others, size - 1)
        if is_complete([mine, *group])
    ]
    found = complete_group(mine, others, SIZES)
    assert len(found) == max(possible, default=0)
    if found:
        assert mine in found
        assert is_complete(found)
        assert found == sorted(found, key=lambda each: (each.since, each.user))


def test_who_has_looked_longest_comes_first() -> None:
    hours = [START + timedelta(hours=n) for n in range(3)]
    old, older = (search(user, since=at) for user, at in ((BEN, hours[1]), (CARA, hours[0])))
    mine = search(ANNA, seats=(2,), since=hours[2])
    assert [each.user for each in complete_group(mine, [old, older], SIZES)] == [CARA, ANNA]


# Tables


@BOTH
async def test_a_complete_group_becomes_a_lobby_and_its_searches_end(world: World) -> None:
    assert await look(world, ANNA, seats=(2,)) is None
    assert await look(world, ANNA, pace="live", game="pebbles", guild=2) is None
    assert await look(world, BEN, languages=("it",)) is None
    world.clock.move(minutes=1)
    assert await searching(world) == {ANNA, BEN}

    table = await look(world, CARA, languages=("it", "en"))

    assert table is not None
    assert (table.guild, table.channel, table.status) == (GUILD, CHANNEL, Status.LOBBY)
    assert dict(table.terms) == {"clock": "d1", "at_zero": "vote"}
    assert (table.host, [player.user for player in table.players]) == (CARA, [ANNA, CARA])
    assert await searching(world) == {BEN}
    assert await searching(world, 2) == {ANNA}
    await world.reopen()
    assert await world.queued(table.id, OutboxKind.PING) == [0, 1]
    assert await world.queued(table.id, OutboxKind.LOBBY) == [None]
    # A second press does not start another search.
    with pytest.raises(Rejected, match="seat_in_lobby"):
        await look(world, CARA)
    assert await searching(world) == {BEN}
    await world.tables.lobby.start(table.id, ANNA)


async def test_a_live_table_ends_other_live_searches_of_its_players_and_no_others(
    world: World,
) -> None:
    batch, until = WriteBatch(), world.clock.now() + timedelta(hours=1)
    # This program of the tests has only one game.
    batch.save(search(ANNA, game="kogge", pace="live", until=until))
    batch.save(search(ANNA, game="burgundy", until=until))
    await world.store.commit(batch)
    await look(world, ANNA, pace="live")
    assert await look(world, BEN, pace="live") is not None
    left = await world.tables.searches.of_server(GUILD)
    assert [(each.user, each.game) for each in left] == [(ANNA, "burgundy")]


@BOTH
async def test_searches_end_at_their_time_and_a_new_one_replaces_the_old(world: World) -> None:
    shown: list[int] = []

    async def show(guild: int, _: Sequence[SearchRow]) -> None:
        shown.append(guild)

    world.tables.searches.on_change(show)
    await look(world, ANNA, seats=(2,), pace="live")
    world.clock.move(hours=1)
    await look(world, ANNA, seats=(3,), pace="live")
    (row,) = await world.tables.searches.of_server(GUILD)
    assert (row.seats, row.until) == ([3], world.clock.now() + timedelta(hours=4))
    assert row.since == world.clock.now() - timedelta(hours=1)
    assert await look(world, BEN, seats=(2,), pace="live") is None
    await world.tables.scheduler.tick()
    assert shown == [GUILD]
    await world.tables.searches.stop(BEN)
    world.clock.move(hours=4)
    await world.reopen()
    world.tables.searches.on_change(show)
    await world.tables.scheduler.tick()
    assert shown == [GUILD, GUILD]
    assert await world.store.searches(guild=GUILD) == []
    assert await world.store.scheduled_at(NO_TABLE, GUILD, FIND) is None


async def test_a_user_who_may_open_no_table_gets_the_reason_and_others_stay(world: World) -> None:
    await world.tables.lobby.open("pebbles", ANNA, "Anna", GUILD, CHANNEL + 1)
    await world.tables.lobby.join(1, CARA, "Cara")
    await world.tables.lobby.leave(1, ANNA)
    await look(world, ANNA, seats=(2,))
    await world.tables.lobby.open("pebbles", BEN, "Ben", 77, CHANNEL)
    for limits, reason in (
        (Limits(tables=1), "too_many_tables"),
        (Limits(own=0), "too_many_own"),
        (Limits(own_max=1), "too_many_in_all"),
    ):
        with pytest.raises(Rejected, match=reason):
            await look(world, BEN, limits)
        assert await searching(world) == {ANNA}
    # Someone at their limit is not the host, but may play.
    table = await look(world, 104, Limits(own_max=1))
    assert table is not None
    assert (table.host, [player.user for player in table.players]) == (104, [ANNA, 104])


async def test_people_who_have_left_the_server_are_skipped(world: World) -> None:
    async def has_left(_: int, user: int) -> bool:
        return user == ANNA

    await look(world, ANNA, seats=(2, 3))
    world.tables.server_members.ask = has_left
    world.clock.move(hours=1)
    assert await look(world, BEN) is None
    assert await searching(world) == {BEN}
    table = await look(world, CARA)
    assert table is not None
    assert {player.user for player in table.players} == {BEN, CARA}


# Alerts


@BOTH
async def test_alerts_come_once_at_most_every_ten_minutes_and_not_in_quiet_hours(
    world: World,
) -> None:
    sent: list[tuple[int, list[int]]] = []
    is_failing = True

    async def send(user: int, found: Sequence[SearchRow]) -> None:
        if is_failing:
            raise StoreUnavailable("store_unavailable")
        sent.append((user, [each.user for each in found]))

    async def later(**time: float) -> list[tuple[int, list[int]]]:
        world.clock.move(**time)
        await world.tables.scheduler.tick()
        new = list(sent)
        sent.clear()
        return new

    tables = world.tables
    tables.searches.on_alert(send)
    for user, pace, games in ((ANNA, "", [""]), (ANNA, "live", ["pebbles"]), (BEN, "day", [""])):
        await tables.searches.set_alerts(GUILD, user, pace, games)
    await tables.searches.set_alerts(2, CARA, "", [""])
    world.clock.move(seconds=1)
    await look(world, ANNA, pace="live", seats=(4,))
    await look(world, BEN, pace="live", seats=(3,))
    # A message that could not be sent is sent later, also after a restart.
    assert await later() == []
    is_failing = False
    await world.reopen()
    tables = world.tables
    tables.searches.on_alert(send)
    assert await later(minutes=3) == [(ANNA, [BEN])]
    await look(world, CARA, seats=(3,))
    # The same search again is no news.
    await look(world, BEN, pace="live", seats=(4,))
    assert await later(minutes=3) == [(BEN, [CARA])]
    assert await later(minutes=8) == [(ANNA, [CARA])]
    assert await later(hours=1) == []
    assert await world.store.scheduled_for(NO_TABLE, ALERT) == []

    hour = world.clock.now().hour * 60
    await tables.people.change(ANNA, quiet_from=hour, quiet_to=hour + 120)
    await look(world, 104, seats=(4,))
    await tables.searches.stop(104)
    await look(world, 105, seats=(4,))
    assert await later(seconds=1) == [(BEN, [105])]
    # A search that has ended in the meantime is left out.
    assert await later(hours=2) == [(ANNA, [105])]


@BOTH
async def test_a_message_is_about_one_server_and_not_about_one_that_the_user_has_left(
    world: World,
) -> None:
    sent: list[list[int]] = []

    async def send(_: int, found: Sequence[SearchRow]) -> None:
        sent.append([each.guild for each in found])

    async def has_left(guild: int, _: int) -> bool:
        return guild == 3

    searches = world.tables.searches
    searches.on_alert(send)
    world.tables.server_members.ask = has_left
    for guild in (1, 2, 3):
        await searches.set_alerts(guild, ANNA, "day", ["", "pebbles"])
        world.clock.move(seconds=1)
        for user in (BEN, CARA):
            await look(world, user, guild=guild, seats=(4,))
            world.clock.move(seconds=1)
    # One of two alerts stays, and still knows what was sent.
    await searches.set_alerts(1, ANNA, "day", ["pebbles"])
    for expected in ([[1, 1]], [[1, 1], [2, 2]], [[1, 1], [2, 2]]):
        await world.tables.scheduler.tick()
        assert sent == expected
        await searches.set_alerts(1, ANNA, "day", ["", "pebbles"])
        world.clock.move(minutes=11)
    assert await world.store.scheduled_for(NO_TABLE, ALERT) == []


async def test_searches_that_begin_while_a_task_runs_are_not_missed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[set[int]] = []
    alerted: list[list[int]] = []

    async def show(_: int, found: Sequence[SearchRow]) -> None:
        shown.append({each.user for each in found})
        await look(world, BEN, seats=(4,))

    async def send(_: int, found: Sequence[SearchRow]) -> None:
        alerted.append([each.user for each in found])

    searches = world.tables.searches
    searches.on_change(show)
    await look(world, ANNA, seats=(3,))
    await world.tables.scheduler.tick()
    world.clock.move(seconds=1)
    await world.tables.scheduler.tick()
    assert shown == [{ANNA}, {ANNA, BEN}]

    await searches.set_alerts(GUILD, BEN, "", [""])
    world.clock.move(seconds=1)
    searches.on_change(lambda *_: asyncio.sleep(0))
    new_searches = world.store.new_searches
    late = [(CARA, (3,)), (104, (4,))]

    async def slowly(user: int, now: datetime) -> list[SearchRow]:
        found = await new_searches(user, now)
        monkeypatch.setattr(world.store, "new_searches", new_searches)
        await asyncio.gather(*(look(world, each, seats=seats) for each, seats in late))
        return found

    await look(world, CARA, seats=(2,), languages=("de",))
    for user in (ANNA, CARA):
        await searches.stop(user)
    await world.tables.scheduler.tick()
    world.clock.move(minutes=3)
    # Only the alert is due.
    searches.on_alert(send)
    monkeypatch.setattr(world.store, "new_searches", slowly)
    await world.tables.scheduler.tick()
    assert alerted == []
    world.clock.move(minutes=3)
    await world.tables.scheduler.tick()
    assert alerted == [[CARA, 104]]


# Several processes


@pytest.fixture
async def members(database: Database) -> Any:
    async with Members(database).open("one", "two") as members:
        yield members


@SERVER_ALONE
async def test_two_processes_put_no_one_at_two_tables(members: Members) -> None:
    one, two = members.all
    guild = guild_of(0)

    async def at(member: Member, user: int) -> Any:
        return await look(member, user, guild=guild, seats=(2,))

    users = range(201, 209)
    found = await asyncio.gather(*(at((one, two)[n % 2], user) for n, user in enumerate(users)))
    tables = [table for table in found if table is not None]
    seated = [player.user for table in tables for player in table.players]
    assert sorted(filter(None, seated)) == list(users)
    assert await searching(one, guild) == set()
    # Nor do two presses of one person.
    await at(one, ANNA)
    both = await asyncio.gather(at(one, BEN), at(two, BEN), return_exceptions=True)
    assert sorted(type(each).__name__ for each in both) == ["Rejected", "Table"]
    # Someone who stops is not seated any more.
    await at(one, CARA)
    stopped, table = await asyncio.gather(two.tables.searches.stop(CARA), at(one, 210))
    assert (stopped, len(await searching(one, guild)) + (table is not None)) == (None, 1)
