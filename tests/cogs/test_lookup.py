"""Which table a command is about, and whose business it is."""

from __future__ import annotations

from typing import Any

import pytest

from bot.cogs.panel import views
from bot.tables import Table, TableDamaged
from tests.cogs.conftest import Club, wording


async def test_a_move_in_the_lobby_is_answered_with_what_is_missing(club: Club) -> None:
    await club.lobby()

    result = await club.people[0].slash(club.channel, "kogge found", marker="4")

    assert "not started" in wording(result.response)
    table = await club.game()
    result = await club.people[0].slash(club.place(table), "game leave", table=table.id)
    assert "has started" in wording(result.response)


async def test_a_spectator_may_look_at_a_table_of_a_channel_that_is_open_to_all(
    club: Club,
) -> None:
    table = await club.game()
    elsewhere = club.guild.create_text_channel("pier")

    result = await club.people[3].slash(elsewhere, "game board", form="text", table=table.id)

    assert "**4 Riga**: " in wording(result.response)


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
