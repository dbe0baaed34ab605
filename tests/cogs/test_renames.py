"""Names follow what people call themselves, from the next time they act."""

from __future__ import annotations

from typing import Any

import pytest

from bot.cogs.ui.pictures import Pictures
from tests.cogs.conftest import Club, wording
from tests.cogs.test_results import lines, taken


def rename(club: Club, person: Any, name: str) -> None:
    backend: Any = club.env.backend
    backend.guilds[club.guild.id].members[person.id].nick = name


async def test_posts_panels_and_pictures_follow_a_rename_that_is_written_once(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[str, ...]] = []
    board = Pictures.board

    async def noted(
        pictures: Pictures, draw: Any, moment: Any, view: Any, names: Any, *more: Any
    ) -> bytes:
        drawn.append(tuple(names))
        return await board(pictures, draw, moment, view, names, *more)

    monkeypatch.setattr(Pictures, "board", noted)
    table = await club.game()
    anna, bert = club.people[:2]
    place, seat = club.place(table), table.seat_of(anna.id)
    assert seat is not None
    before = wording((await bert.slash(place, "game board", form="text")).response)
    assert "**Anna**" in before

    rename(club, anna, "Annabella *")
    await anna.slash(place, "game status")

    content = wording((await bert.slash(place, "game board", form="text")).response)
    assert "Annabella \\*" in content
    assert "**Anna**" not in content
    await bert.slash(place, "game board")
    assert drawn[-1][seat] == "Annabella *"
    await club.restart()
    assert (await club.services.tables.reader.get(table.id)).names[seat] == "Annabella *"

    store, written = club.services.tables._unit_of_work.store, []

    async def watched(batch: Any) -> None:
        written.append(batch)

    for person in (anna, bert):
        await person.slash(place, "game status")
    monkeypatch.setattr(store, "commit", watched)
    for person in (anna, bert, anna):
        await person.slash(place, "game status")
    assert written == []


async def test_the_lobby_follows_a_rename_and_tells_equals_apart(club: Club) -> None:
    anna, bert = club.people[:2]
    table = await club.lobby(bert)
    rename(club, bert, "anna")
    await bert.slash(club.channel, "game help")
    await club.env.settle()
    content = wording(await club.lobby_message(table.id))
    assert "1. **Anna (A)**" in content
    assert "2. **anna (B)**" in content
    rename(club, anna, "Zoë")
    # A press will do as well.
    await anna.click(await club.lobby_message(table.id), custom_id=f"options:{table.id}")
    await club.env.settle()
    assert "1. **Zoë**" in wording(await club.lobby_message(table.id))


async def test_results_follow_a_rename_and_a_table_that_is_over_does_not(club: Club) -> None:
    table = await club.game()
    anna, bert = club.people[:2]
    for person in (anna, bert):
        await club.services.tables.leaving.abandon(table.id, person.id)
        await taken(club, table.id, person.id, person.name, 1, 30.0)
    rename(club, anna, "<@1> Annabella")
    await anna.slash(club.channel, "stats")

    found = lines(await bert.slash(club.channel, "leaderboard"))
    assert any("\\<@\u200b1\\> Annabella" in line for line in found)
    assert not any("**Anna**" in line for line in found)
    assert "Anna" in (await club.services.tables.reader.get(table.id)).names
    title, *_ = lines(await bert.slash(club.channel, "stats", player=anna))
    assert "Annabella" in title

    # Who is forgotten stays so under any name.
    asked = await anna.slash(club.channel, "me forget")
    await anna.click(asked.response, custom_id="forgetme:0")
    rename(club, anna, "Anna")
    await anna.slash(club.channel, "stats")
    names = (await club.services.tables.reader.get(table.id)).names
    assert not {"Anna", "Annabella", "<@1> Annabella"} & set(names)
    answer = await bert.slash(club.channel, "leaderboard")
    assert "Anna" not in wording(answer.response)
