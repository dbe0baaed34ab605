"""What the owners of a server set holds for its tables, and nobody else may set it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.tables import Status
from tests.cogs.conftest import Club, wording


@pytest.fixture
async def owner(club: Club) -> Any:
    """Somebody who may manage the server, and messages."""
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
    anna, bert = club.people[:2]
    elsewhere = club.guild.create_text_channel("tavern")
    await owner.slash(club.channel, "server channel", channel=club.channel)
    await owner.slash(club.channel, "server set", tables=2, **{"per-person": 1})

    wrong = await anna.slash(elsewhere, "game new")
    assert f"in other channels: <#{club.channel.id}>" in wording(wrong.response)
    await anna.slash(club.channel, "game new")
    second = await anna.slash(club.channel, "game new")
    assert "one person may have: 1" in wording(second.response)
    await bert.slash(club.channel, "game new")
    third = await club.people[2].slash(club.channel, "game new")
    assert "as it may have: 2" in wording(third.response)
    assert len(await club.services.tables.reader.find(club.channel.id)) == 2

    await bert.slash(club.channel, "game leave")
    await club.restart()
    await club.people[2].slash(club.channel, "game new")
    assert len(await club.services.tables.reader.find(club.channel.id)) == 2


async def test_a_game_is_ended_alone_by_whom_the_owners_let(club: Club, owner: Any) -> None:
    host, other, stranger, _ = club.people
    for who, person in (("host", host), ("moderators", owner)):
        table = await club.game()
        # Before that each asks the others.
        await owner.slash(club.channel, "server set", end="all")
        voted = await host.slash(club.place(table), "game abandon")
        assert "1 of 2 agree" in wording(voted.response)
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
