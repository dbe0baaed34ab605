"""The life of cups and leagues, without the bot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from bot.game.chance import commitment
from bot.store import NO_TABLE, Status
from bot.tables import Table, Tables
from bot.tables.core import errors
from bot.tables.cup_rules import FINAL, Cup, CupGame, CupStatus, End, points, standings
from bot.tables.cups import (
    cancelled,
    decided,
    joined,
    last_round,
    left,
    running,
    started,
)
from bot.tables.seats import AutopilotBy
from bot.tables.servers import CUP, Limits
from tests.store.database import BOTH, SERVER_ALONE, Database
from tests.tables.members import Members, guild_of
from tests.tables.world import KEY, World

GUILD, CHANNEL, ORGANISER = 1, 500, 77
SETTINGS: dict[str, Any] = {
    "guild": GUILD,
    "channel": CHANNEL,
    "organiser": ORGANISER,
    "name": "Harbour cup",
    "pace": "day",
    "format": "swiss",
    "size": 8,
    "seats": 2,
    "games": 2,
    "weeks": 2,
    "absent": "drop",
}


async def join(tables: Tables, cup: Cup, user: int) -> Cup:
    name = f"Player {user}"
    return await tables.cups.change(cup.id, lambda now: joined(now, user, name))


async def leave(tables: Tables, cup: Cup, user: int) -> Cup:
    return await tables.cups.change(cup.id, lambda now: left(now, user))


async def start(tables: Tables, cup: Cup) -> Cup:
    return await tables.cups.change(cup.id, lambda now: started(now, {}))


async def decide(tables: Tables, cup: Cup, table: int, users: Sequence[int]) -> Cup:
    return await tables.cups.change(cup.id, lambda now: decided(now, table, users))


class CupWorld(World):
    """A world with a channel in which cups are shown; `message` is None if that is impossible."""

    message: int | None = 900
    limits = Limits()

    async def open(self) -> CupWorld:
        await super().open()
        self.shown: list[tuple[Cup, bool]] = []
        self.tables.cups.on_due(self._show, self.limits)
        return self

    async def _show(self, cup: Cup, _: Mapping[int, Table], is_full: bool) -> int | None:
        self.shown.append((cup, is_full))
        return self.message

    async def cup(self, people: int = 4, **settings: Any) -> Cup:
        """Open a cup that these people join: 1, 2, 3 …"""
        settings = {"game": "pebbles", "options": {}, **SETTINGS, **settings}
        cup = await self.tables.cups.open(**settings)
        for user in range(1, people + 1):
            await join(self.tables, cup, user)
        return await self.now(cup)

    async def started(self, people: int = 4, **settings: Any) -> Cup:
        cup = await self.cup(people, **settings)
        await start(self.tables, cup)
        return await self.now(cup)

    async def now(self, cup: Cup) -> Cup:
        """Do all that is due, and return the cup after it."""
        await self.tables.scheduler.tick()
        return await self.tables.cups.get(cup.id)

    async def later(self, cup: Cup, **parts: float) -> Cup:
        self.clock.move(**parts)
        return await self.now(cup)

    async def finish(self, cup: Cup, *games: CupGame) -> Cup:
        """Play these games, or all that run, to their ends."""
        for game in games or running(cup):
            rng = Random(game.table)
            while await self.status(game.table) is Status.PLAYING:
                await self.play(game.table, 1, rng)
        return await self.now(cup)

    async def check_results(self, cup: Cup) -> None:
        """Check that all results are those of the tables, and that no table is missing or extra."""
        for number, games in enumerate(cup.rounds):
            users = [user for game in games for user in game.users]
            if cup.format != "league":
                assert len({*users}) == len(users), number
            for game in games:
                if game.end is not End.PLAYED:
                    continue
                loaded = await self.tables._unit_of_work.cache.read(game.table)
                table, outcome = loaded.table, loaded.position().outcome
                assert outcome is not None
                assert table.cup == cup.id
                assert {player.user for player in table.owners} == {*game.users}
                assert game.places == tuple(
                    outcome.places[table.seat_of(user) or 0] for user in game.users
                )
        ids = [game.table for games in cup.rounds for game in games if not game.is_bye]
        found = await self.tables.reader.find(CHANNEL, tuple(Status))
        assert sorted(each.id for each in found if each.cup == cup.id) == sorted(ids)


@pytest.fixture
async def world(database: Database) -> AsyncIterator[CupWorld]:
    world = await CupWorld(database).open()
    yield world
    await world.close()


@BOTH
async def test_a_cup_begins_its_rounds_and_ends_by_itself(world: CupWorld) -> None:
    cup = await world.started(5, games=3)
    assert (cup.message, cup.key_hash) == (900, commitment(KEY))
    games = last_round(cup)
    assert sorted(len(game.users) for game in games) == [1, 2, 2]
    tables = await world.tables.cups.tables(cup)
    for game in running(cup):
        table = tables[game.table]
        assert (table.status, table.host, table.channel) == (Status.PLAYING, ORGANISER, CHANNEL)
        assert table.terms == {"clock": "d1", "at_zero": "autopilot", "hints": "off"}
        # In the seats of the round, which shares them out.
        assert tuple(player.user for player in table.players) == game.users
    # The round goes on until its last game is over, also after a restart.
    one, other = running(cup)
    cup = await world.finish(cup, one)
    assert [game.table for game in running(cup)] == [other.table]
    await world.reopen()
    for number in (2, 3):
        cup = await world.finish(cup)
        assert (len(cup.rounds), cup.status) == (number, CupStatus.PLAYING)
    cup = await world.finish(cup)
    assert (len(cup.rounds), cup.status, cup.message) == (3, CupStatus.OVER, 900)
    await world.check_results(cup)
    # Each round and the end get a new message.
    assert [len(cup.rounds) for cup, _ in world.shown if not cup.posted] == [2, 3, 3]
    # What has not changed is not shown again, also after a restart.
    await world.tables.scheduler.schedule(NO_TABLE, cup.id, CUP, world.clock.now())
    await world.reopen()
    cup = await world.now(cup)
    assert not world.shown
    assert await world.store.scheduled_at(NO_TABLE, cup.id, CUP) is None
    assert sum(each.points for each in standings(cup)) == 3 * (2 * 12 + 12)


@pytest.mark.parametrize(
    ("settings", "people", "rounds"),
    [
        ({"format": "group", "seats": 3}, 7, 2),
        ({"format": "final", "seats": 2}, 8, 3),
        ({"format": "swiss", "seats": 3}, 6, 2),
    ],
)
async def test_every_format_ends(
    world: CupWorld, settings: dict[str, Any], people: int, rounds: int
) -> None:
    cup = await world.started(people, **settings)
    while cup.status is CupStatus.PLAYING:
        cup = await world.finish(cup)
    assert (cup.status, len(cup.rounds)) == (CupStatus.OVER, rounds)
    assert (FINAL in {game.group for game in last_round(cup)}) is (settings["format"] == "final")
    await world.check_results(cup)


async def test_a_leagues_season_ends_after_its_weeks_and_the_next_begins(world: CupWorld) -> None:
    cups, today = world.tables.cups, world.clock.now().date()
    for user in range(1, 13):
        # So that no clock runs out.
        away = {"away_from": today, "away_until": today + timedelta(weeks=4)}
        await world.tables.people.change(user, **away)
    cup = await world.started(12, format="league", size=12)
    assert len({each.group for each in cup.entrants}) == 2
    assert len(last_round(cup)) == 12
    await leave(world.tables, cup, 3)
    await join(world.tables, cup, 13)
    first, *unfinished = running(cup)
    cup = await world.finish(cup, first)
    cup = await world.later(cup, days=13)
    assert len(cup.rounds) == 1
    assert 3 in {user for game in last_round(cup) for user in game.users}
    cup = await world.later(cup, days=1, hours=1)
    assert len(cup.rounds) == 2
    assert {game.end for game in cup.rounds[0]} == {End.PLAYED, End.VOID}
    users = {user for game in last_round(cup) for user in game.users}
    assert users == {*range(1, 14)} - {3}
    # The void games play on as ordinary tables.
    assert await world.status(unfinished[0].table) is Status.PLAYING
    before = cup.rounds[0]
    cup = await world.finish(cup, unfinished[0])
    assert cup.rounds[0] == before
    # A season also ends with its last game.
    cup = await world.finish(cup)
    assert len(cup.rounds) == 3
    cup = await cups.change(cup.id, cancelled)
    await world.later(cup, weeks=9)
    assert (await world.now(cup)).status is CupStatus.CANCELLED
    assert await world.store.scheduled_at(NO_TABLE, cup.id, CUP) is None


async def test_sign_up_has_a_waiting_list_and_counts_a_double_press_once(world: CupWorld) -> None:
    tables, cup = world.tables, await world.cup(3, size=4)
    with pytest.raises(errors.Rejected, match="cup_too_small") as error:
        await start(tables, cup)
    assert error.value.facts == {"needed": 4}
    done = await asyncio.gather(
        *(join(tables, cup, user) for user in (4, 4, 5)), return_exceptions=True
    )
    await join(tables, cup, 6)
    assert [type(each) for each in done].count(errors.Rejected) == 1
    cup = await leave(tables, cup, 2)
    assert sorted(each.user for each in cup.waiting) == [1, 3, 4, 5, 6]
    with pytest.raises(errors.Rejected, match="not_in_cup"):
        await leave(tables, cup, 2)
    await start(tables, cup)
    for late in (start(tables, cup), join(tables, cup, 8)):
        with pytest.raises(errors.Rejected, match="cup_started"):
            await late
    cup = await world.now(cup)
    assert sorted(each.user for each in cup.entrants) == [1, 3, 4, 5]
    assert [each.user for each in cup.waiting] == [6]
    assert len(cup.rounds) == 1
    assert len(await tables.cups.tables(cup)) == 2
    await tables.cups.change(cup.id, cancelled)
    with pytest.raises(errors.Rejected, match="cup_over"):
        await leave(tables, cup, 1)


@BOTH
async def test_a_server_has_few_open_cups_and_lists_them_first(world: CupWorld) -> None:
    cups = world.tables.cups
    settings = {"game": "pebbles", "options": {"length": "long"}, **SETTINGS}
    first = await cups.open(**settings)
    assert first.options == {"length": "long"}
    with pytest.raises(errors.Rejected, match="cup_seats"):
        await cups.open(**settings | {"seats": 4})
    for _ in range(9):
        await cups.open(**settings)
    with pytest.raises(errors.Rejected, match="too_many_cups"):
        await cups.open(**settings)
    # Cups that are not over come first, whatever the others are called.
    trick = settings | {"name": '"status":"over"'}
    for _ in range(30):
        each = (await cups.of_server(GUILD))[0]
        await cups.change(each.id, cancelled)
        await cups.open(**trick)
    listed = await cups.of_server(GUILD)
    assert len(listed) == 25
    assert [each.status for each in listed] == ["open"] * 10 + ["cancelled"] * 15
    assert first.id == listed[9].id


async def time_out(world: CupWorld, cup: Cup, user: int) -> tuple[Cup, CupGame]:
    """Let everyone but this user act, until the user's time is up."""
    game = next(each for each in running(cup) if user in each.users)
    table = (await world.tables.cups.tables(cup))[game.table]
    for player in table.players:
        if player.user != user:
            await world.act(table.id, player.seat, "choose 1")
    for _ in range(3):
        for each in running(cup):
            if each.table != game.table:
                await world.play(each.table, 1, Random(each.table))
        cup = await world.later(cup, hours=12, minutes=5)
    return cup, game


@BOTH
async def test_a_no_show_is_replaced_from_the_waiting_list(world: CupWorld) -> None:
    cup = await world.cup(5, size=4, absent="replace")
    await start(world.tables, cup)
    cup = await world.now(cup)
    cup, game = await time_out(world, cup, 2)
    cup = await world.later(cup, minutes=1)
    assert {each.user for each in cup.entrants} == {1, 3, 4, 5}
    assert not cup.waiting
    table = await world.tables.reader.get(game.table)
    assert {player.user for player in table.humans} == {*game.users} - {2} | {5}
    # If they don't show up either, there is no replacement left, and they come last in this game.
    for _ in range(3):
        cup = await world.later(cup, hours=12, minutes=5)
    assert {each.user for each in cup.active} <= {1, 3, 4}
    cup = await world.finish(cup, game)
    (ended,) = (each for each in cup.rounds[0] if each.table == game.table)
    assert ended.places[ended.users.index(5)] == 2
    assert ended.end is End.PLAYED


async def test_a_no_show_who_comes_back_just_before_keeps_seat_and_place(
    world: CupWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = world.tables.seats
    asked = seats.autopiloted_by

    async def comes_back(table: int, seat: int) -> AutopilotBy:
        found = await asked(table, seat)
        await seats.autopilot(table, 2, on=False)
        return found

    monkeypatch.setattr(seats, "autopiloted_by", comes_back)
    cup = await world.cup(5, size=4, absent="replace")
    await start(world.tables, cup)
    cup, game = await time_out(world, await world.now(cup), 2)
    assert {each.user for each in cup.active} == {1, 2, 3, 4}
    assert [each.user for each in cup.waiting] == [5]
    table = await world.tables.reader.get(game.table)
    assert {player.user for player in table.humans} == {*game.users}
    await world.check_results(await world.finish(cup))


@BOTH
async def test_a_replacement_survives_a_crash_after_they_got_the_seat(
    world: CupWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = await world.cup(6, size=4, absent="replace")
    await start(world.tables, cup)
    cup = await world.now(cup)
    claim = world.tables.seats.claim

    async def crash(*facts: Any, **more: Any) -> None:
        await claim(*facts, **more)
        raise errors.StoreUnavailable("store_unavailable")

    monkeypatch.setattr(world.tables.seats, "claim", crash)
    cup, game = await time_out(world, cup, 2)
    assert 2 in {each.user for each in cup.entrants}
    await world.reopen()
    cup = await world.later(cup, minutes=3)
    assert {each.user for each in cup.entrants} == {1, 3, 4, 5}
    assert [each.user for each in cup.waiting] == [6]
    table = await world.tables.reader.get(game.table)
    assert {player.user for player in table.humans} == {*game.users} - {2} | {5}


async def test_a_replacement_gets_all_seats_and_is_no_one_who_has_left_the_league(
    world: CupWorld,
) -> None:
    cup = await world.started(4, format="league", games=2, weeks=20, absent="replace")
    await leave(world.tables, cup, 4)
    for user in (4, 9):
        await join(world.tables, cup, user)
    before = {each.user for each in cup.entrants}
    # Only one table's time is up.
    for game in running(cup)[1:]:
        for seat in (0, 1):
            await world.tables.clocks.extend(game.table, ORGANISER, seat)
    for _ in range(3):
        cup = await world.later(cup, hours=12, minutes=5)
    assert [each.user for each in cup.waiting] == [4]
    (replaced,) = before - {each.user for each in cup.entrants}
    tables = await world.tables.cups.tables(cup)
    assert sum(9 in game.users for game in running(cup)) == 2
    for game in running(cup):
        assert {player.user for player in tables[game.table].players} == {*game.users}
        assert replaced not in game.users


async def test_a_no_show_is_dropped_and_may_not_keep_the_round_open(world: CupWorld) -> None:
    cup = await world.started(4)
    one, other = running(cup)
    for seat in (0, 1):
        await world.act(other.table, seat, "choose 1")
    for _ in range(3):
        cup = await world.later(cup, hours=12, minutes=5)
    assert {each.user for each in cup.active} <= {*other.users}
    assert await world.status(one.table) is Status.SLEEPING
    await world.later(cup, days=1, hours=2)
    cup = await world.now(cup)
    assert next(game.end for game in cup.rounds[0] if game.table == one.table) is End.VOID
    assert await world.status(one.table) is Status.ABANDONED


async def test_people_who_play_one_game_of_a_season_are_no_no_shows_in_another(
    world: CupWorld,
) -> None:
    cup = await world.started(4, format="league", games=2, weeks=20)
    game = next(each for each in running(cup) if 2 in each.users)
    cup = await world.finish(cup, game)
    assert len([each for each in running(cup) if 2 in each.users]) == 1
    for _ in range(3):
        cup = await world.later(cup, hours=12, minutes=5)
    late = [table.players[table.seat_of(2) or 0] for table in (await tables_of(world, cup, 2))]
    assert any(player.is_autopiloted for player in late)
    assert {*game.users} <= {each.user for each in cup.active}
    assert {each.user for each in cup.active} < {1, 2, 3, 4}


async def tables_of(world: CupWorld, cup: Cup, user: int) -> list[Table]:
    tables = await world.tables.cups.tables(cup)
    return [tables[each.table] for each in last_round(cup) if user in each.users]


async def test_the_organiser_decides_a_table_or_makes_it_void(world: CupWorld) -> None:
    cup = await world.started(4, games=1)
    one, other = running(cup)
    for users in ([99], [one.users[0], one.users[0]], [other.users[0]]):
        with pytest.raises(errors.Rejected, match="not_at_table"):
            await decide(world.tables, cup, one.table, users)
    with pytest.raises(errors.Rejected, match="not_in_round"):
        await decide(world.tables, cup, 4711, [])
    second, first = one.users
    await decide(world.tables, cup, one.table, [first, second])
    with pytest.raises(errors.Rejected, match="not_in_round"):
        await decide(world.tables, cup, one.table, [])
    cup = await world.now(cup)
    assert await world.status(one.table) is Status.ABANDONED
    (ended,) = (each for each in last_round(cup) if each.table == one.table)
    assert (ended.places, ended.end) == ((2, 1), End.DECIDED)
    await decide(world.tables, cup, other.table, [])
    await world.now(cup)
    cup = await world.now(cup)
    assert cup.status is CupStatus.OVER
    assert await world.status(other.table) is Status.ABANDONED
    assert {game.end for game in last_round(cup)} == {End.DECIDED, End.VOID}
    best, *_ = standings(cup)
    assert (best.user, best.points) == (first, points((1, 2))[0])


async def test_an_abandoned_game_is_void_and_one_who_resigned_is_last(world: CupWorld) -> None:
    cup = await world.started(4, games=1)
    one, other = running(cup)
    await world.all_abandon(one.table, *one.users)
    await world.tables.leaving.resign(other.table, other.users[0])
    cup = await world.finish(cup)
    ends = {game.table: (game.end, game.places) for game in last_round(cup)}
    assert ends == {one.table: (End.VOID, ()), other.table: (End.PLAYED, (2, 1))}


async def test_a_turn_that_a_computer_player_plays_as_agreed_makes_no_one_a_no_show(
    world: CupWorld,
) -> None:
    cup = await world.started(4, pace="days")
    game = running(cup)[0]
    table = (await world.tables.cups.tables(cup))[game.table]
    late, other = table.players
    assert other.user is not None
    await world.act(table.id, other.seat, "choose 1")
    world.clock.move(days=2)

    await world.tables.votes.propose(table.id, other.user, "act", str(late.seat))

    cup = await world.now(cup)
    assert (await world.tables.reader.get(table.id)).players[late.seat].is_autopiloted
    assert {each.user for each in cup.active} == {1, 2, 3, 4}


async def test_tables_wait_for_room_in_the_server_and_for_a_channel(database: Database) -> None:
    world = CupWorld(database)
    world.limits, world.message = Limits(tables=1), None
    await world.open()
    try:
        cup = await world.started(4)
        assert len(running(cup)) == 2
        assert not await world.tables.cups.tables(cup)
        world.message = 901
        cup = await world.later(cup, minutes=5)
        assert world.shown[-1][1]
        (table,) = (await world.tables.cups.tables(cup)).values()
        game = next(each for each in running(cup) if each.table == table.id)
        cup = await world.finish(cup, game)
        cup = await world.later(cup, minutes=1)
        assert {*await world.tables.cups.tables(cup)} == {each.table for each in last_round(cup)}
        assert not world.shown[-1][1]
    finally:
        await world.close()


@BOTH
async def test_forgotten_people_leave_cups_and_lose_their_names(world: CupWorld) -> None:
    over = await world.started(4, games=1)
    over = await world.finish(over)
    assert over.status is CupStatus.OVER
    playing, signed_up = await world.started(4), await world.cup(4, organiser=2)
    await world.tables.cups.forget(2, "Former player")
    over = await world.now(over)
    assert "Player 2" not in str(over)
    assert {each.user for each in over.entrants} == {1, -1, 3, 4}
    assert {user for games in over.rounds for game in games for user in game.users} == {1, -1, 3, 4}
    assert [each.name for each in over.entrants].count("Former player") == 1
    playing = await world.now(playing)
    assert {each.user for each in playing.active} == {1, 3, 4}
    assert "Player 2" not in str(playing)
    signed_up = await world.now(signed_up)
    assert ({each.user for each in signed_up.waiting}, signed_up.organiser) == ({1, 3, 4}, 0)
    # A deleted server has no cups.
    await world.tables.servers.remove(GUILD)
    for _ in range(2):
        await world.tables.scheduler.tick()
        world.clock.move(minutes=2)
    assert await world.tables.cups.of_server(GUILD) == []
    assert await world.store.scheduled_for(NO_TABLE, CUP) == []
    with pytest.raises(errors.Rejected, match="no_cup"):
        await join(world.tables, playing, 9)


@pytest.mark.parametrize("is_meanwhile", [False, True])
async def test_forgotten_people_get_no_seat_at_a_table_that_is_not_open_yet(
    world: CupWorld, monkeypatch: pytest.MonkeyPatch, is_meanwhile: bool
) -> None:
    cups, world.message = world.tables.cups, None
    cup = await world.started(4, games=1)
    assert len(running(cup)) == 2
    next_round = cups._next_round

    async def forget(cup: Cup, now: datetime) -> Cup:
        await cups.forget(2, "Former player")
        return await next_round(cup, now)

    if is_meanwhile:
        monkeypatch.setattr(cups, "_next_round", forget)
    else:
        await cups.forget(2, "Former player")
    world.message = 901
    await world.later(cup, minutes=2)
    cup = await world.later(cup, minutes=2)
    void = next(game for game in last_round(cup) if -1 in game.users)
    assert (void.end, void.places) == (End.VOID, ())
    (table,) = (await world.tables.cups.tables(cup)).values()
    assert [table.id] == [game.table for game in running(cup)]
    cup = await world.finish(cup)
    assert cup.status is CupStatus.OVER


async def test_a_cup_without_a_channel_is_only_shown_again_while_it_is_played(
    world: CupWorld,
) -> None:
    world.message = None
    cup = await world.cup(4)
    assert await world.store.scheduled_at(NO_TABLE, cup.id, CUP) is None
    await start(world.tables, cup)
    cup = await world.now(cup)
    assert await world.store.scheduled_at(NO_TABLE, cup.id, CUP) is not None
    await world.tables.cups.change(cup.id, cancelled)
    await world.now(cup)
    assert await world.store.scheduled_at(NO_TABLE, cup.id, CUP) is None


@SERVER_ALONE
async def test_two_processes_that_change_a_cup_lose_nothing(database: Database) -> None:
    async with Members(database).open("one", "two") as members:
        one, two = members.all
        guild = guild_of(1)
        settings = {"game": "pebbles", "options": {}, **SETTINGS, "guild": guild}
        cup = await one.tables.cups.open(**settings)

        async def show(*_: object) -> int:
            return 900

        for each in members.all:
            each.tables.cups.on_due(show, Limits())
        joined = await asyncio.gather(
            *(join(each.tables, cup, user) for user in range(1, 6) for each in members.all),
            return_exceptions=True,
        )
        assert sum(isinstance(each, Cup) for each in joined) == 5
        done = await asyncio.gather(
            *(start(each.tables, cup) for each in members.all), return_exceptions=True
        )
        assert sum(isinstance(each, Cup) for each in done) == 1
        # Only the owner of the shard of direct messages does what follows, one after the other.
        await asyncio.gather(*(each.tables.scheduler.tick() for each in members.all))
        cup = await two.tables.cups.get(cup.id)
        assert len(cup.rounds) == 1
        (first, second) = running(cup)
        await members.hand_over(0, two)
        for game in (first, second):
            rng = Random(game.table)
            reader, play = two.tables.reader, two.tables.play
            while pending := [d for d in await reader.pending(game.table) if not d.optional]:
                action = (pending[0].kind, str(rng.choice((1, 2))))
                await play.act(game.table, pending[0].seat, action)
        await asyncio.gather(*(each.tables.scheduler.tick() for each in members.all))
        cup = await one.tables.cups.get(cup.id)
        assert len(cup.rounds) == 2
        assert len(await one.tables.cups.tables(cup)) == 2
