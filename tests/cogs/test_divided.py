"""What is posted for tables of which some are another process's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.client import GameBot
from bot.cogs.post import PostCog
from bot.store.sharing import Fence, Shards, shard_of
from bot.tables import NotOurs
from tests.cogs.conftest import Club, ids


class Owning:
    """All shards are ours, or none; with a lease that grows each time it changes hands."""

    def __init__(self) -> None:
        self.held = True
        self.number = 1

    def shards(self) -> Shards | None:
        return Shards(1, frozenset({0} if self.held else ()))

    def owns(self, guild: int | None) -> bool:
        return self.held

    def fence(self, guild: int | None) -> Fence | None:
        if not self.held:
            raise NotOurs
        return Fence(f"shard:{shard_of(guild, 1)}", self.number)

    def holds(self, fence: Fence) -> bool:
        return self.held and fence.number == self.number


class DividedClub(Club):
    """A club whose bot is one of several."""

    def __init__(self, folder: Path) -> None:
        self.owning = Owning()
        super().__init__(folder, ownership=self.owning)

    def give_away(self) -> None:
        """Another process has the tables from now on."""
        self.owning.held = False

    async def take_over(self) -> None:
        """They are ours again, by another lease."""
        self.owning.held = True
        self.owning.number += 1
        bot: Any = self.env.bot
        post = bot.get_cog("post")
        assert isinstance(post, PostCog)
        await post.on_ready()
        await self.env.settle()

    async def owed(self) -> bool:
        return bool(await self.tables.outbox.items(1))


@pytest.fixture
async def divided(tmp_path: Path) -> AsyncIterator[DividedClub]:
    """A bot that owns all tables, and may lose them."""
    async with DividedClub(tmp_path) as made:
        yield made


BOTH_FOUND = ((0, "found 0"), (1, "found 1"))


async def test_what_is_anothers_to_post_is_left_to_it(divided: DividedClub) -> None:
    table = await divided.game()
    before = [message.id for message in divided.posts(table)]
    divided.give_away()

    await divided.play(*BOTH_FOUND)

    assert [message.id for message in divided.posts(table)] == before
    assert await divided.owed()
    await divided.take_over()
    assert len(divided.posts(table)) == len(before) + 1
    assert not await divided.owed()


async def test_a_turn_has_another_post_once_others_may_have_posted(divided: DividedClub) -> None:
    table = await divided.game()
    seat = await divided.play_until(table.id, "stop")
    count = len(divided.posts(table))
    divided.give_away()
    await divided.take_over()

    await divided.play((seat, "stop"))

    assert len(divided.posts(table)) == count + 1
    assert [bool(ids(post)) for post in divided.posts(table)][-2:] == [False, True]


async def test_a_secret_choice_is_confirmed_anew_once_others_may_have(divided: DividedClub) -> None:
    table = await divided.game()
    person = divided.person(table, 0)
    await divided.play((0, "found 4"))
    before = len(divided.dms(person))
    await divided.play((0, "found 5"))
    assert len(divided.dms(person)) == before

    divided.give_away()
    await divided.take_over()
    await divided.play((0, "found 6"))
    assert len(divided.dms(person)) == before + 1


async def test_a_panel_asks_anew_though_the_table_is_anothers(divided: DividedClub) -> None:
    table = await divided.game()
    for seat in (0, 1):
        await divided.open_panel(table, seat)
    divided.give_away()

    await divided.play(*BOTH_FOUND)

    (asked,) = await divided.asked(table.id)
    for seat in (0, 1):
        (panel,) = divided.private(table, divided.person(table, seat))
        assert not any("found" in each for each in ids(panel))
        assert any("bid" in each for each in ids(panel)) is (seat == asked)


async def test_a_game_begins_to_be_posted_once_its_server_is_known_and_then_goes_on(
    divided: DividedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    awaited = {divided.guild.id}
    monkeypatch.setattr(GameBot, "awaits_server", lambda _, guild: guild in awaited)
    anna, bert = divided.people[:2]
    await anna.slash(divided.channel, "game new")
    await divided.env.settle()
    assert divided.channel.history() == []

    awaited.clear()
    divided.env.bot.dispatch("shard_ready", 0)
    await divided.until(divided.channel.history)
    lobby = await divided.lobby_message(1)
    await bert.click(lobby, custom_id="join:1")
    await anna.click(await divided.lobby_message(1), custom_id="begin:1")
    table = await divided.tables.reader.get(1)
    assert len(divided.posts(table)) == 1

    awaited.add(divided.guild.id)
    await divided.play(*BOTH_FOUND)
    assert len(divided.posts(table)) == 2
