"""Settings of a server for its tables, and limits of open tables."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.cogs.ui.services import is_in
from bot.local import NewGuild
from bot.local.new_world import add_guilds
from bot.store import NO_TABLE
from bot.tables import Status
from bot.tables.servers import LEFT, Limits
from tests.cogs.conftest import EXAMPLE, Club, wording


@pytest.fixture
async def owner(club: Club) -> Any:
    person = club.owner()
    await club.settle()
    return person


async def test_only_server_managers_set_defaults_for_new_tables(club: Club, owner: Any) -> None:
    anna = club.people[0]
    assert "server set" not in anna.commands(club.channel)
    # A server can show the command to others, but they still can't use it.
    commands = club.standin.model.commands.values()
    (server,) = (each for each in commands if each.spec["name"] == "server")
    server.spec = {**server.spec, "default_member_permissions": None}
    refused = await anna.slash(club.channel, "server set", tables=1)
    assert "Only people who can manage this server" in wording(refused.response)

    shown = await owner.slash(club.channel, "server set", tables=1)
    assert shown.is_private
    assert "Limit of open tables: 1" in wording(shown.response)
    await owner.slash(club.channel, "server set", game="kogge")
    shown = await owner.slash(
        club.channel, "server option", option="goods", value="hidden", game="kogge"
    )
    assert "New tables of Kogge" in wording(shown.response)
    assert "→ hidden hands." in wording(shown.response)
    table = await club.lobby()
    assert (table.game, table.options["goods"]) == ("kogge", "hidden")


async def test_the_host_or_a_moderator_can_end_a_game_alone_if_the_owners_allow_it(
    club: Club, owner: Any
) -> None:
    host, other, stranger, _ = club.people
    for role, person in (("host", host), ("moderators", owner)):
        table = await club.game()
        # With the setting "all" it takes a vote.
        await owner.slash(club.channel, "server set", end="all")
        voted = await host.slash(club.place(table), "game abandon")
        assert "I've asked the others" in wording(voted.response)
        await owner.slash(club.channel, "server set", end=role)
        asked = await person.slash(club.place(table), "game abandon")
        assert (await club.tables.reader.get(table.id)).status is Status.PLAYING
        refused = await stranger.slash(club.place(table), "game abandon")
        assert "aren't playing at this table" in wording(refused.response)
        await person.click(asked.response, custom_id=f"dissolve:{table.id}")
        assert (await club.tables.reader.get(table.id)).status is Status.ABANDONED
        assert "closed" in wording(await club.panel(table.id))
        late = await other.slash(club.place(table), "game abandon", table=table.id)
        assert "This game is over" in wording(late.response)


async def test_a_server_manager_can_delete_all_data_after_confirming(
    club: Club, owner: Any
) -> None:
    anna = club.people[0]
    table = await club.game()
    await owner.slash(club.channel, "server set", tables=7)
    await anna.slash(club.place(table), "table note", text="mine")
    post = await club.panel(table.id)

    asked = await owner.slash(club.channel, "server forget")
    assert asked.is_private
    assert "1 table with all moves" in wording(asked.response)
    assert "1 table is still open" in wording(asked.response)
    await owner.slash(club.channel, "server forget")
    await club.later(timedelta(minutes=1))
    assert (await club.tables.reader.get(table.id)).status is Status.PLAYING

    sure = await owner.click(asked.response, custom_id="forgetserver:0")
    assert "My posts in your channels stay" in wording(sure.response)
    await club.later(timedelta(minutes=1))

    # Work for a deleted table is dropped silently.
    bot: Any = club.bot
    bot.get_cog("post").changed(table.id)
    club.tables.computers.queue(table.id)
    await club.settle()
    assert not bot.get_cog("post")._is_busy(table.id)
    pressed = await anna.click(post, custom_id=f"play:{table.id}")
    assert "no longer exists" in wording(pressed.response)
    shown = await owner.slash(club.channel, "server show")
    assert "Limit of open tables: 250" in wording(shown.response)
    assert (await club.game()).id > table.id


async def test_leaving_a_server_schedules_the_deletion_of_its_data_but_an_outage_does_not(
    club: Club,
) -> None:
    await club.game()
    removal, bot = club.tables.servers, club.bot
    store = club.tables._unit_of_work.store
    club.dispatch("GUILD_DELETE", {"id": str(club.guild.id), "unavailable": True})
    await club.settle()
    await removal.reconcile(lambda guild: is_in(bot, guild))
    assert await store.scheduled_for(NO_TABLE, LEFT) == []

    add_guilds(club.standin.model, [NewGuild("Elsewhere")])
    del club.standin.model.guilds[club.guild.id]
    club.dispatch("GUILD_DELETE", {"id": str(club.guild.id)})
    await club.settle()
    assert await store.scheduled_for(NO_TABLE, LEFT) == [club.guild.id]
    # As if it had left while offline: no event reports that.
    await removal.joined(club.guild.id)
    await club.restart()
    store = club.tables._unit_of_work.store
    assert await store.scheduled_for(NO_TABLE, LEFT) == [club.guild.id]


# Limits of open tables, set by the host and by owners


TOO_MANY_OWN = "You've reached the limit of "
TOO_MANY = "This server has reached its limit of "


FEW = pytest.mark.parametrize(
    "service_options", [{"limits": Limits(own=2, own_max=3, tables=3, tables_max=4)}], ids=["few"]
)
"""Low limits of open tables."""


async def try_to_open(club: Club, person: Any, place: Any = None) -> str:
    """Open a table. Returns the refusal, or an empty text."""
    content: str = wording(
        (await person.slash(place or club.channel, "game new", game="kogge")).response
    )
    return "" if "You've opened table" in content else content


@FEW
async def test_without_server_settings_the_hosts_limits_apply(club: Club) -> None:
    anna, bert, clara, _ = club.people
    assert [await try_to_open(club, anna), await try_to_open(club, anna)] == ["", ""]
    assert f"{TOO_MANY_OWN}2" in await try_to_open(club, anna)
    assert await try_to_open(club, bert) == ""
    assert f"{TOO_MANY}3" in await try_to_open(club, clara)
    await bert.slash(club.channel, "game leave")
    # Higher stored limits are capped by the host's current ones.
    await club.tables.servers.change(club.guild.id, most_tables=900, most_own=900)
    assert await try_to_open(club, anna) == ""
    assert f"{TOO_MANY_OWN}3" in await try_to_open(club, anna)
    assert await try_to_open(club, clara) == ""
    assert f"{TOO_MANY}4" in await try_to_open(club, bert)


@FEW
async def test_owners_choose_channels_and_limits_up_to_the_hosts(club: Club, owner: Any) -> None:
    anna = club.people[0]
    for option, maximum in (("tables", 4), ("per-person", 3)):
        refused = await owner.slash(club.channel, "server set", **{option: maximum + 1})
        assert f"allows at most {maximum}" in wording(refused.response)
    shown = await owner.slash(club.channel, "server show")
    assert "Limit of open tables: 3" in wording(shown.response)
    assert "per person: 2" in wording(shown.response)

    await owner.slash(club.channel, "server set", **{"tables": 4, "per-person": 3})
    assert [await try_to_open(club, anna) for _ in range(3)] == [""] * 3
    assert f"{TOO_MANY_OWN}3" in await try_to_open(club, anna)
    assert await try_to_open(club, owner) == ""
    assert f"{TOO_MANY}4" in await try_to_open(club, owner)

    await owner.slash(club.channel, "server set", tables=1)
    await club.restart()
    assert f"{TOO_MANY}1" in await try_to_open(club, owner)
    await owner.slash(club.channel, "server channel", {"channel": club.channel})
    elsewhere = club.new_channel("tavern")
    only_here = f"only in these channels: <#{club.channel.id}>"
    assert only_here in await try_to_open(club, anna, elsewhere)
    shown = await owner.slash(club.channel, "server set", **{"tables": 0, "per-person": 0})
    assert "Limit of open tables: 3" in wording(shown.response)


@FEW
async def test_tables_in_direct_messages_count_too(club: Club) -> None:
    anna = club.people[0]

    async def try_in_dms() -> str:
        content: str = wording((await anna.slash(anna.dm, "game new", game="kogge")).response)
        return "" if "You've opened table" in content else content

    assert [await try_in_dms(), await try_in_dms()] == ["", ""]
    assert f"{TOO_MANY_OWN}2" in await try_in_dms()
    assert await try_to_open(club, anna) == ""
    # The limit of three tables covers all servers.
    assert "3 open tables across all servers" in await try_to_open(club, anna)


@FEW
async def test_rematches_and_imported_games_count_too(club: Club) -> None:
    anna, bert = club.people[:2]
    table = await club.game()
    await club.give_up(table)
    assert [await try_to_open(club, anna), await try_to_open(club, anna)] == ["", ""]
    again = await anna.slash(club.place(table), "table rematch", table=table.id)
    assert f"{TOO_MANY_OWN}2" in wording(again.response)
    file = ("game.json", EXAMPLE.read_bytes())
    imported = await anna.slash(club.channel, "table import", file=file)
    assert f"{TOO_MANY_OWN}2" in wording(imported.response)
    await bert.slash(club.place(table), "table rematch", table=table.id)
    assert await club.tables.seats.rematch_of(table.id) is not None
    assert f"{TOO_MANY}3" in await try_to_open(club, club.people[2])
