"""Which table a command is about, and whose business it is."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.cogs.panel import views
from bot.tables import Table, TableDamaged
from tests.cogs.conftest import Club, wording


async def test_a_table_of_another_server_is_nobodys_business(club: Club) -> None:
    table = await club.game()
    other = club.env.create_guild(name="Elsewhere")
    place = other.create_text_channel("harbour")
    stranger = other.add_member(club.env.create_user("Stranger"))

    for command in ("game board", "game log", "game status"):
        result: Any = await stranger.slash(place, command, table=table.id)
        assert "no longer exists" in wording(result.response)
        assert result.response.attachments == []


async def test_a_lobby_of_another_server_cannot_be_joined_by_its_number(club: Club) -> None:
    table = await club.lobby()
    stranger = club.env.create_user("Stranger")

    result = await stranger.slash("game join", table=table.id)

    assert "no longer exists" in wording(result.response)
    assert len((await club.services.tables.reader.get(table.id)).players) == 1


async def test_a_table_in_a_channel_that_a_person_cannot_see_stays_unseen(club: Club) -> None:
    anna, dirk = club.people[0], club.people[3]
    bot: Any = club.guild.me
    hidden = club.guild.create_text_channel(
        "cellar",
        overwrites={
            club.guild.default_role: discord.PermissionOverwrite(view_channel=False),
            anna: discord.PermissionOverwrite(view_channel=True),
            bot: discord.PermissionOverwrite(view_channel=True),
        },
    )
    await anna.slash(hidden, "game new", computers=1)
    await anna.slash(hidden, "game start")
    (table,) = [table for table, _seat in await club.services.tables.reader.seats_of(anna.id)]

    away = await dirk.slash(club.channel, "game board", form="text", table=table.id)
    own = await anna.slash(club.channel, "game board", form="text", table=table.id)

    assert "no longer exists" in wording(away.response)
    assert "**4 Riga**: " in wording(own.response)


async def test_a_spectator_may_look_at_a_table_of_a_channel_that_is_open_to_all(
    club: Club,
) -> None:
    table = await club.game()
    elsewhere = club.guild.create_text_channel("pier")

    result = await club.people[3].slash(elsewhere, "game board", form="text", table=table.id)

    assert "**4 Riga**: " in wording(result.response)


async def test_who_would_leave_a_game_that_has_begun_is_told_that_it_has(club: Club) -> None:
    table = await club.game()

    result = await club.people[0].slash(club.place(table), "game leave")

    assert "has started" in wording(result.response)


async def test_a_move_in_the_lobby_is_answered_with_what_is_missing(club: Club) -> None:
    await club.lobby()

    result = await club.people[0].slash(club.channel, "kogge found", marker="4")

    assert "not started" in wording(result.response)


async def test_a_table_that_cannot_be_read_stands_in_no_others_way(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await club.game(), await club.game(club.people[2])
    break_table(club, first, monkeypatch)
    anna = club.people[0]

    listed = await anna.slash(club.channel, "game mine")
    done = await anna.user.slash("kogge found", marker="5")

    assert f"Table {first.id}" in wording(listed.response)
    assert f"Table {second.id}" in wording(listed.response)
    assert (await club.actions(second.id))[-1] == "found 5"
    assert "Danzig" in wording(done.response)


def break_table(club: Club, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on the log of the table does not fit the rules."""
    reader = club.services.tables.reader
    for name in ("pending", "view"):
        read = getattr(reader, name)

        def broken(table_id: int, *rest: Any, read: Any = read) -> Any:
            if table_id == table.id:
                raise TableDamaged(table=table_id, seq=3)
            return read(table_id, *rest)

        monkeypatch.setattr(reader, name, broken)


async def test_after_the_end_every_command_of_a_move_says_that_all_is_over(club: Club) -> None:
    table = await club.game()
    for person in club.people[:2]:
        await person.slash(club.place(table), "game abandon")
    for command in ("game undo", "game pause", "kogge end", "seat orders"):
        result = await club.people[0].slash(club.place(table), command)
        assert "nothing more can be done" in wording(result.response), command


async def test_of_many_tables_those_are_told_that_have_waited_longest(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "LISTED", 1)
    anna = club.people[0]
    await club.lobby()
    begun = await club.game()
    await club.lobby()
    content = wording((await anna.slash(club.channel, "game mine")).response)
    assert f"Table {begun.id}" in content
    assert content.count("Table") == 1
    assert content.endswith("and 2 more")
