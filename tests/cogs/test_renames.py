"""Names follow what people call themselves, from the next time they act."""

from __future__ import annotations

from typing import Any

from bot.cogs.ui.pictures import Pictures
from tests.cogs.conftest import Club, wording
from tests.cogs.test_results import finished, lines


def rename(club: Club, person: Any, name: str) -> None:
    """From now on the person is called so in the server."""
    backend: Any = club.env.backend
    backend.guilds[club.guild.id].members[person.id].nick = name


async def test_posts_panels_and_pictures_follow_a_rename(club: Club, monkeypatch: Any) -> None:
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
    assert (await club.services.tables.reader.get(table.id)).names[seat] == "Annabella *"
    await club.restart()
    assert (await club.services.tables.reader.get(table.id)).names[seat] == "Annabella *"


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


async def test_a_name_is_written_once_and_not_at_every_press(club: Club) -> None:
    table = await club.game()
    anna = club.people[0]
    rename(club, anna, "Annabella")
    await anna.slash(club.place(table), "game status")
    store, written = club.services.tables._unit_of_work.store, []
    commit = store.commit

    async def noted(batch: Any) -> None:
        written.append(batch)
        await commit(batch)

    store.commit = noted  # type: ignore[method-assign]
    for _ in range(3):
        await anna.slash(club.place(table), "game status")
        await club.people[1].slash(club.place(table), "game status")

    assert written == []


async def test_results_follow_a_rename_and_a_table_that_is_over_does_not(club: Club) -> None:
    table = await finished(club)
    anna, bert = club.people[:2]
    rename(club, anna, "<@1> Annabella")
    await anna.slash(club.channel, "stats")

    found = lines(await bert.slash(club.channel, "leaderboard"))
    assert any("\\<@\u200b1\\> Annabella" in line for line in found)
    assert not any("**Anna**" in line for line in found)
    assert "Anna" in (await club.services.tables.reader.get(table.id)).names
    title, *_ = lines(await bert.slash(club.channel, "stats", player=anna))
    assert "Annabella" in title


async def test_who_is_forgotten_stays_so_under_any_name(club: Club) -> None:
    table = await finished(club)
    anna = club.people[0]
    rename(club, anna, "Annabella")
    asked = await anna.slash(club.channel, "me forget")
    await anna.click(asked.response, custom_id="forgetme:0")

    rename(club, anna, "Anna")
    await anna.slash(club.channel, "stats")

    names = (await club.services.tables.reader.get(table.id)).names
    assert not {"Anna", "Annabella"} & set(names)
    answer = await club.people[1].slash(club.channel, "leaderboard")
    assert "Anna" not in wording(answer.response)
