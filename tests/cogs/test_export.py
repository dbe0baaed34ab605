"""`/game export`: a file for the asker alone, which holds no more than the asker may know."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.cogs.ui.snapshot import observer_of
from bot.tables import Table
from bot.tools.verify import check
from tests.cogs.conftest import Club, wording
from tests.tables.world import StillClock


async def export(club: Club, table: Table, person: Any) -> bytes:
    """The file that a person is given where the table plays, by nobody else seen."""
    result = await person.slash(club.place(table), "game export")
    assert result.ephemeral
    (file,) = result.response.attachments
    assert file.filename == f"kogge-table-{table.id}.json"
    data: bytes = await file.read()
    return data


@pytest.mark.slow
async def test_a_finished_game_is_exported_whole_and_every_draw_can_be_checked(
    club: Club,
) -> None:
    table = await club.game()
    await club.finish(table.id)

    # Typed in its thread it needs no number, though the table is open no more.
    files = [await export(club, table, person) for person in (club.people[0], club.people[3])]

    assert files[0] == files[1]
    assert check(files[0]).startswith("Yes. All ")
    print_of_key = json.loads(files[0])["key_hash"]
    assert any(print_of_key in wording(post) for post in club.posts(table))
    assert len(files[0]) < 100_000
    for user in club.people:
        assert str(user.id).encode() not in files[0]


async def test_a_sealed_choice_is_in_the_file_of_its_owner_alone(club: Club) -> None:
    table = await club.game()
    club.services.tables._unit_of_work.clock = StillClock()
    owner, others = club.person(table, 0), (club.person(table, 1), club.people[3])
    files = []
    for city in ("4", "5"):
        await owner.slash(club.place(table), "kogge found", marker=city)
        files.append([await export(club, table, person) for person in (owner, *others)])

    assert files[0][1:] == files[1][1:]
    assert [line["action"] for line in json.loads(files[1][0])["lines"]] == ["found 4", "found 5"]
    for person, file in zip(others, files[1][1:], strict=True):
        data = json.loads(file)
        assert "key" not in data
        assert data["lines"] == []
        assert data["observer"] == observer_of(table, person.id)


async def test_in_a_channel_of_several_games_the_one_that_goes_on_is_meant(club: Club) -> None:
    anna, bert, dirk = club.people[0], club.people[1], club.people[3]
    await club.lobby()
    waiting = await anna.slash(club.channel, "game export")
    assert waiting.ephemeral
    assert waiting.response.attachments == []
    assert "has not started" in wording(waiting.response)
    first, second = await club.game(), await club.game()
    for table in (second, first):
        for person in (anna, bert):
            await person.slash(club.channel, "game abandon", table=table.id)
        # Dirk sits at neither, and types it beside the threads.
        (file,) = (await dirk.slash(club.channel, "game export")).response.attachments
        running = table is second
        assert file.filename == f"kogge-table-{first.id if running else second.id}.json"
        assert json.loads(await file.read())["format"] == "seen 1"


async def test_all_of_a_game_that_was_given_up_is_for_its_players_alone(club: Club) -> None:
    table = await club.game()
    await club.play_until(table.id, "advance")
    anna, bert, dirk = club.people[0], club.people[1], club.people[3]
    for person in (anna, bert):
        await person.slash(club.place(table), "game abandon")

    whole = await export(club, table, anna)
    assert check(whole).startswith("Yes.")
    assert await export(club, table, bert) == whole
    key = json.loads(whole)["key"]
    result = await dirk.slash(club.place(table), "game export")
    assert "only its players get all of it" in wording(result.response)
    seen = await export(club, table, dirk)
    report = (await dirk.slash(club.place(table), "game report")).response.attachments[0]
    for file in (seen, await report.read()):
        assert not {"entries", "record", "key"} & json.loads(file).keys()
    assert not any(key in wording(post) for post in club.posts(table))
    review = await dirk.slash(club.place(table), "game review")
    assert "Only its players can review it" in wording(review.response)
