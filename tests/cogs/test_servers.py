"""What the owners of a server set holds for its tables, and nobody else may set it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.cogs.ui.servers_here import is_in
from bot.store import NO_TABLE
from bot.tables import Status
from bot.tables.people.server_removal import LEFT
from tests.cogs.conftest import Club, wording


@pytest.fixture
async def owner(club: Club) -> Any:
    person = club.owner()
    await club.env.settle()
    return person


async def test_only_who_manages_the_server_sets_what_new_tables_are_like(
    club: Club, owner: Any
) -> None:
    anna = club.people[0]
    assert "server set" not in anna.available_commands(club.channel)
    # A server can show the command to others; that does not make owners of them.
    bot: Any = club.env.bot
    known = await bot.tree.fetch_commands()
    club.guild.set_command_permissions(
        next(each for each in known if each.name == "server"), {anna: True}
    )
    refused = await anna.slash(club.channel, "server set", tables=1)
    assert "Only people who may manage this server" in wording(refused.response)

    shown = await owner.slash(club.channel, "server set", tables=1)
    assert shown.ephemeral
    assert "Open tables at once: 1" in wording(shown.response)
    await owner.slash(club.channel, "server set", game="kogge")
    shown = await owner.slash(
        club.channel, "server option", option="goods", value="hidden", game="kogge"
    )
    assert "New tables of Kogge" in wording(shown.response)
    table = await club.lobby()
    assert (table.game, table.options["goods"]) == ("kogge", "hidden")


async def test_tables_are_opened_where_and_as_often_as_the_owners_want(
    club: Club, owner: Any
) -> None:
    anna, bert, clara, _ = club.people
    elsewhere = club.guild.create_text_channel("tavern")
    await owner.slash(club.channel, "server channel", channel=club.channel)
    await owner.slash(club.channel, "server set", tables=2, **{"per-person": 1})

    opened = [
        (anna, elsewhere, f"in other channels: <#{club.channel.id}>"),
        (anna, club.channel, "opens a table"),
        (anna, club.channel, "one person may have: 1"),
        (bert, club.channel, "opens a table"),
        (clara, club.channel, "as it may have: 2"),
    ]
    for person, channel, said in opened:
        answer = await person.slash(channel, "game new")
        assert said in wording(answer.response)
    assert len(await club.services.tables.reader.find(club.channel.id)) == 2
    await bert.slash(club.channel, "game leave")
    await club.restart()
    await clara.slash(club.channel, "game new")
    assert len(await club.services.tables.reader.find(club.channel.id)) == 2


async def test_a_game_is_ended_alone_by_whom_the_owners_let(club: Club, owner: Any) -> None:
    host, other, stranger, _ = club.people
    for who, person in (("host", host), ("moderators", owner)):
        table = await club.game()
        # Before that each asks the others.
        await owner.slash(club.channel, "server set", end="all")
        voted = await host.slash(club.place(table), "game abandon")
        assert "I have asked the others" in wording(voted.response)
        await owner.slash(club.channel, "server set", end=who)
        asked = await person.slash(club.place(table), "game abandon")
        assert (await club.services.tables.reader.get(table.id)).status is Status.PLAYING
        refused = await stranger.slash(club.place(table), "game abandon")
        assert "not playing at this table" in wording(refused.response)
        await person.click(asked.response, custom_id=f"dissolve:{table.id}")
        await club.env.settle()
        assert (await club.services.tables.reader.get(table.id)).status is Status.ABANDONED
        assert "closed" in wording(await club.panel(table.id))
        late = await other.slash(club.place(table), "game abandon", table=table.id)
        assert "This game is over" in wording(late.response)


async def test_who_manages_the_server_has_all_about_it_deleted_after_a_question(
    club: Club, owner: Any
) -> None:
    anna = club.people[0]
    table = await club.game()
    await owner.slash(club.channel, "server set", tables=7)
    await anna.slash(club.place(table), "table note", text="mine")
    post = await club.panel(table.id)

    asked = await owner.slash(club.channel, "server forget")
    assert asked.ephemeral
    assert "1 table with all moves" in wording(asked.response)
    assert "1 table is still open" in wording(asked.response)
    await owner.slash(club.channel, "server forget")
    await club.later(timedelta(minutes=1))
    assert (await club.services.tables.reader.get(table.id)).status is Status.PLAYING

    sure = await owner.click(asked.response, custom_id="forgetserver:0")
    assert "My posts in your channels stay" in wording(sure.response)
    await club.later(timedelta(minutes=1))

    # What still comes to a table that is gone is given up, without a word.
    bot: Any = club.env.bot
    bot.get_cog("post").changed(table.id)
    club.services.tables.computers.put(table.id)
    await club.rest(table.id)
    await club.env.settle()
    assert not bot.get_cog("post")._is_busy(table.id)
    pressed = await anna.click(post, custom_id=f"play:{table.id}")
    assert "no longer exists" in wording(pressed.response)
    shown = await owner.slash(club.channel, "server show")
    assert "Open tables at once: 250" in wording(shown.response)
    assert (await club.game()).id > table.id


async def test_a_server_that_was_left_is_to_be_forgotten_and_one_out_of_reach_is_not(
    club: Club,
) -> None:
    await club.game()
    removal, bot = club.services.tables.server_removal, club.env.bot
    store = club.services.tables._unit_of_work.store
    state: Any = bot._connection
    state.parse_guild_delete({"id": str(club.guild.id), "unavailable": True})
    await club.env.settle()
    await removal.look_through(lambda guild: is_in(bot, guild))
    assert await store.scheduled_for(NO_TABLE, LEFT) == []

    club.env.backend.remove_guild(club.guild.id)
    await club.env.settle()
    assert await store.scheduled_for(NO_TABLE, LEFT) == [club.guild.id]
    # As if it had left while it was not connected: then no event tells.
    await removal.joined(club.guild.id)
    await club.restart()
    store = club.services.tables._unit_of_work.store
    assert await store.scheduled_for(NO_TABLE, LEFT) == [club.guild.id]
