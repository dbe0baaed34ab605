"""Followers of a table: who gets a message about it, and when."""

from __future__ import annotations

from collections.abc import AsyncIterator
from random import Random

import pytest

from bot.tables import Rejected, Table
from bot.tables.following import MAX_FOLLOWED, MAX_PINGED, PAUSE
from tests.store.database import BOTH, Database
from tests.tables.world import ANNA, BEN, CARA, World, recorded_statements

DAN = 104


class Followed(World):
    """A world that records the messages to followers."""

    async def open(self) -> Followed:
        await super().open()
        self.sent: list[tuple[int, str | int]] = []
        self.may_see: bool | None = True
        self.tables.following.on_news(self.send)
        return self

    async def send(self, table: Table, user: int, round_: int) -> bool | None:
        self.sent.append((user, "over" if table.is_over else round_))
        return self.may_see

    async def play_round(self, table: Table) -> int:
        """Play until the next round begins."""
        rng, before = Random(2), await self.round(table)
        while (now := await self.round(table)) == before:
            await self.play(table.id, 1, rng)
        return now

    async def next_round(self, table: Table) -> int:
        """Play until the next round begins, and do what is due."""
        now = await self.play_round(table)
        await self.pass_time()
        return now

    async def round(self, table: Table) -> int:
        loaded = await self.tables._unit_of_work.cache.read(table.id)
        _, round_ = self.tables.following._progress(loaded)
        return round_

    async def follows(self, table: Table, user: int) -> list[bool]:
        """Return whether the user gets messages about the table; nothing if they don't follow."""
        found = await self.store.follows(table=table.id, user=user)
        return [each.pings for each in found]

    async def pass_time(self, **parts: float) -> None:
        self.clock.move(**parts)
        await self.tables.scheduler.tick()

    def new(self) -> list[tuple[int, str | int]]:
        """Return the messages since the last call."""
        sent, self.sent = self.sent, []
        return sent


pytestmark = BOTH


@pytest.fixture
async def world(database: Database) -> AsyncIterator[Followed]:
    world = await Followed(database).open()
    yield world
    await world.close()


async def test_followers_get_a_message_at_the_start_each_round_and_the_end_once_an_hour(
    world: Followed,
) -> None:
    following = world.tables.following
    table = await world.lobby(ANNA, BEN, length="long")
    await following.follow(table.id, CARA, pings=True)
    await following.follow(table.id, DAN, pings=False)
    await world.tables.lobby.start(table.id, ANNA)
    await world.pass_time()
    assert world.new() == [(CARA, 1)]

    # Actions within the round are no news, and two rounds within an hour are one message.
    await world.act(table.id, 0, "choose 1")
    await world.pass_time()
    await world.next_round(table)
    newest = await world.next_round(table)
    assert not world.new()
    await world.pass_time(minutes=59)
    assert not world.new()
    await world.reopen()
    await world.pass_time(minutes=2)
    assert world.new() == [(CARA, newest)]
    await world.pass_time(hours=2)
    assert not world.new()

    newest = await world.next_round(table)
    assert world.new() == [(CARA, newest)]
    await world.all_abandon(table.id, ANNA, BEN)
    await world.pass_time()
    assert world.new() == [(CARA, "over")]
    await world.pass_time(hours=5)
    assert not world.new()
    for user in (CARA, DAN):
        assert await world.follows(table, user) == []


async def test_a_message_waits_for_quiet_hours_and_is_tried_again_after_a_failure(
    world: Followed,
) -> None:
    table = await world.game(ANNA, BEN, length="long")
    await world.tables.following.follow(table.id, CARA, pings=True)
    until = world.clock.now().replace(hour=15)
    await world.tables.people.change(CARA, snoozed_until=until)
    newest = await world.next_round(table)
    await world.pass_time(hours=2)
    assert not world.new()
    world.may_see = None
    await world.pass_time(hours=1)
    assert world.new() == [(CARA, newest)]
    world.may_see = True
    await world.pass_time(minutes=3)
    await world.pass_time(minutes=3)
    assert world.new() == [(CARA, newest)]


async def test_news_during_a_message_is_sent_after_an_hour(world: Followed) -> None:
    table = await world.game(ANNA, BEN, length="long")
    await world.tables.following.follow(table.id, CARA, pings=True)

    async def play_on(*message: object) -> bool:
        world.tables.following.on_news(world.send)
        await world.play_round(table)
        return True

    world.tables.following.on_news(play_on)
    await world.next_round(table)
    newest = await world.round(table)
    await world.pass_time(minutes=10)
    assert not world.new()
    await world.pass_time(minutes=51)
    assert world.new() == [(CARA, newest)]


async def test_following_ends_with_a_seat_without_access_and_by_request(world: Followed) -> None:
    following = world.tables.following
    lobby = await world.lobby(ANNA)
    await following.follow(lobby.id, BEN, pings=True)
    await world.tables.lobby.join(lobby.id, BEN, "Ben")
    assert await following.of_user(BEN) == []
    with pytest.raises(Rejected, match="own_table"):
        await following.follow(lobby.id, BEN, pings=True)

    table = await world.game(ANNA, BEN, length="long")
    for user in (CARA, DAN):
        await following.follow(table.id, user, pings=True)
        await following.follow(table.id, user, pings=True)
    await following.unfollow(table.id, DAN)
    await following.unfollow(table.id, DAN)
    world.may_see = False
    await world.next_round(table)
    assert [user for user, _ in world.new()] == [CARA]
    await world.pass_time(hours=2)
    await world.next_round(table)
    assert not world.new()
    assert await following.of_user(CARA) == []


async def test_a_person_follows_at_most_some_tables_that_are_not_over(world: Followed) -> None:
    following = world.tables.following
    tables = [await world.lobby(ANNA) for _ in range(MAX_FOLLOWED + 1)]
    for table in tables[:-1]:
        await following.follow(table.id, CARA, pings=False)
    with pytest.raises(Rejected, match="too_many_followed"):
        await following.follow(tables[-1].id, CARA, pings=False)
    await following.follow(tables[0].id, CARA, pings=True)
    assert await world.follows(tables[0], CARA) == [True]
    await world.tables.lobby.leave(tables[0].id, ANNA)
    await following.follow(tables[-1].id, CARA, pings=False)
    with pytest.raises(Rejected, match="table_over"):
        await following.follow(tables[0].id, CARA, pings=False)
    assert len(await following.of_user(CARA)) == MAX_FOLLOWED


async def test_a_table_has_a_limited_number_of_followers_with_messages(world: Followed) -> None:
    following, table = world.tables.following, await world.lobby(ANNA)
    for user in range(1000, 1000 + MAX_PINGED):
        await following.follow(table.id, user, pings=True)
    with pytest.raises(Rejected, match="too_many_pinged"):
        await following.follow(table.id, CARA, pings=True)
    await following.follow(table.id, CARA, pings=False)
    await following.follow(table.id, 1000, pings=True)
    await following.unfollow(table.id, 1000)
    await following.follow(table.id, CARA, pings=True)
    assert await world.follows(table, CARA) == [True]


async def test_the_last_message_is_sent_within_the_pause_after_another(world: Followed) -> None:
    table = await world.game(ANNA, BEN, length="long")
    await world.tables.following.follow(table.id, CARA, pings=True)
    begun = await world.next_round(table)
    await world.play_round(table)
    await world.pass_time(minutes=1)
    assert world.new() == [(CARA, begun)]
    await world.all_abandon(table.id, ANNA, BEN)
    await world.pass_time()
    assert world.new() == [(CARA, "over")]
    await world.pass_time(seconds=PAUSE.total_seconds())
    assert not world.new()


async def test_only_a_new_round_touches_the_followers_and_only_with_one_statement(
    world: Followed, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await world.game(ANNA, BEN, length="long")
    statements = recorded_statements(world.store, monkeypatch)
    await world.act(table.id, 0, "choose 1")
    assert statements
    assert not [each for each in statements if "follow" in each]
    await world.next_round(table)
    assert len([each for each in statements if "follow" in each]) == 1
