"""A whole game, played by pressing what the panels offer."""

from __future__ import annotations

from random import Random

import pytest

from bot.tables import Status
from tests.cogs.conftest import CLOSING, Club, Presser, ids


@pytest.mark.parametrize("goods", ["open", "hidden"])
async def test_a_game_is_played_to_its_end_by_buttons_alone(club: Club, goods: str) -> None:
    table = await club.lobby(club.people[1])
    await club.shell.tables.set_option(table.id, club.people[0].id, "goods", goods)
    await club.people[0].click(await club.lobby_message(table.id), custom_id=f"begin:{table.id}")
    table = await club.shell.tables.get(table.id)
    presser = Presser(club, Random(3))

    for _ in range(400):
        asked = await club.asked(table.id)
        if not asked:
            break
        await presser.turn(table, asked[0])

    table = await club.shell.tables.get(table.id)
    assert table.status is Status.FINISHED
    last = await club.panel(table.id)
    assert ids(last) == [f"{verb}:{table.id}" for verb in CLOSING]
    assert last.attachments
    assert not any(ids(post) for post in club.posts(table) if post.id < last.id)
