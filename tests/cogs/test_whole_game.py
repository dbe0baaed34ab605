"""A whole game, played by pressing what the panels offer."""

from __future__ import annotations

from random import Random

import pytest

from bot.tables import Status
from bot.text.words import words_for
from bot.titles import TITLES
from tests.cogs.conftest import CLOSING, Club, Presser, ids, wording


@pytest.mark.slow
async def test_a_game_is_played_to_its_end_by_buttons_with_one_panel_for_each(club: Club) -> None:
    table = await club.lobby(club.people[1])
    await club.services.tables.lobby.set_option(table.id, club.people[0].id, "goods", "hidden")
    await club.people[0].click(await club.lobby_message(table.id), custom_id=f"begin:{table.id}")
    table = await club.services.tables.reader.get(table.id)
    rng = Random(3)

    mover = 0
    for _ in range(400):
        asked = await club.asked(table.id)
        if not asked:
            break
        mover = asked[0]
        await Presser(club, table, mover, rng).turn()
        for seat in (0, 1):
            assert len(club.private(table, club.person(table, seat))) <= 1

    table = await club.services.tables.reader.get(table.id)
    assert table.status is Status.FINISHED
    last = await club.panel(table.id)
    assert ids(last) == [f"{verb}:{table.id}" for verb in CLOSING]
    assert last.attachments
    older = [each for post in club.posts(table) if post.id < last.id for each in ids(post)]
    assert all(each.startswith("log1:") for each in older)

    outcome = await club.services.tables.reader.outcome(table.id)
    assert outcome is not None
    reason = TITLES["kogge"].text.ending(words_for("en"), outcome.ending)
    assert reason in wording(last)
    assert "The game ends" not in wording(last)
    (message,) = club.private(table, club.person(table, mover))
    assert all(f"**{table.names[seat]}** wins" in wording(message) for seat in outcome.winners)
    assert "over" in wording(message)
