"""Exported games: a file has only what its reader may know, and can be imported."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from bot.cogs.ui.table_view import observer_of
from bot.tables import Status, Table
from bot.tools.verify import check
from tests.cogs.conftest import EXAMPLE, Club, ids, press, verbs, wording
from tests.tables.world import StillClock


async def export(club: Club, table: Table, person: Any) -> bytes:
    """Return the file that `/game export` sends a person in private."""
    result = await person.slash(club.place(table), "game export")
    assert result.is_private
    (file,) = result.response.attachments
    assert file.filename == f"kogge-table-{table.id}.json"
    data: bytes = club.bytes_of(file)
    return data


@pytest.mark.slow
async def test_a_finished_game_is_exported_whole_and_every_draw_can_be_checked(
    club: Club,
) -> None:
    table = await club.game()
    await club.finish(table.id)

    # In its thread the command needs no table number, even after the game.
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
    club.tables._unit_of_work.clock = StillClock()
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


async def test_in_a_channel_with_several_games_the_running_one_is_exported(club: Club) -> None:
    anna, dirk = club.people[0], club.people[3]
    await club.lobby()
    waiting = await anna.slash(club.channel, "game export")
    assert waiting.is_private
    assert waiting.response.attachments == []
    assert "hasn't started" in wording(waiting.response)
    first, second = await club.game(), await club.game()
    for table in (second, first):
        await club.give_up(table)
        # Dirk plays at neither table and isn't in a thread.
        (file,) = (await dirk.slash(club.channel, "game export")).response.attachments
        running = table is second
        assert file.filename == f"kogge-table-{first.id if running else second.id}.json"
        assert json.loads(club.bytes_of(file))["format"] == "seen 1"


async def test_only_players_get_the_complete_file_of_an_abandoned_game(club: Club) -> None:
    table = await club.game()
    await club.play_until(table.id, "advance")
    anna, bert, dirk = club.people[0], club.people[1], club.people[3]
    await club.give_up(table)

    whole = await export(club, table, anna)
    assert check(whole).startswith("Yes.")
    assert await export(club, table, bert) == whole
    key = json.loads(whole)["key"]
    result = await dirk.slash(club.place(table), "game export")
    assert "only its players get the complete file" in wording(result.response)
    seen = await export(club, table, dirk)
    report = (await dirk.slash(club.place(table), "game report")).response.attachments[0]
    for file in (seen, club.bytes_of(report)):
        assert not {"entries", "record", "key"} & json.loads(file).keys()
    assert not any(key in wording(post) for post in club.posts(table))
    review = await dirk.slash(club.place(table), "game review")
    assert "Only its players can review it" in wording(review.response)


# Imported games: finished ones can be replayed, others continued


async def import_file(club: Club, person: Any, data: bytes) -> tuple[Any, Table | None]:
    """Import a file. Returns the answer and the new table, if there is one."""
    before = len(await club.tables.reader.find(club.channel.id, tuple(Status)))
    result = await person.slash(club.channel, "table import", file=("game.json", data))
    assert result.is_private
    tables = await club.tables.reader.find(club.channel.id, tuple(Status))
    return result.response, tables[0] if len(tables) > before else None


async def test_an_abandoned_game_continues_elsewhere_with_a_new_key(club: Club) -> None:
    anna, bert = club.people[:2]
    first = await club.game()
    await club.play_until(first.id, "advance")
    await club.give_up(first)
    pending = await club.tables.reader.pending(first.id)

    _, table = await import_file(club, anna, await club.file_of(first, "game export"))

    assert table is not None
    assert table.status is Status.PAUSED
    assert await club.tables.reader.pending(table.id) == pending
    assert table.key_hash != first.key_hash
    post = await club.panel(table.id)
    assert "imported from a file" in wording(post)
    assert table.key_hash in wording(post)
    assert {"claim:", "goon:"} <= {each.partition(":")[0] + ":" for each in ids(post)}

    for person, seat in ((bert, 1), (anna, 0)):
        await person.click(await club.panel(table.id), custom_id=f"claim:{table.id}::{seat}")
    await bert.click(await club.panel(table.id), custom_id=f"goon:{table.id}")
    proposal = next(post for post in club.posts(table) if "resume the game" in wording(post))
    await press(anna, proposal, "yes:")
    table = await club.tables.reader.get(table.id)
    assert (table.status, table.seat_of(bert.id)) == (Status.PLAYING, 1)
    assert table.thread is not None

    rng = Random(3)
    for _ in range(12):
        await club.step(table.id, rng)
    await club.give_up(table)
    verified = check(await club.file_of(table, "game export"))
    assert verified.startswith("Yes. All ")
    assert f"{first.key_hash}, {table.key_hash}" in verified


async def test_an_imported_finished_game_is_shown_and_exports_the_same_file(club: Club) -> None:
    data = EXAMPLE.read_bytes()

    _, table = await import_file(club, club.people[2], data)

    assert table is not None
    assert table.status is Status.FINISHED
    assert await club.tables.results.of_person(club.people[2].id, None) == ()
    post = await club.panel(table.id)
    assert "Fairness check (key)" in wording(post)
    assert "rematch" not in verbs(post)
    again, before = json.loads(await club.file_of(table, "game export")), json.loads(data)
    for file in (again, before):
        for entry in file["entries"]:
            del entry["at"]
    assert again == before


async def test_an_unusable_file_is_explained_and_makes_no_table(club: Club) -> None:
    running = await club.game()
    seen = await club.file_of(running, "game export")
    record = json.loads(EXAMPLE.read_bytes())
    record["entries"][5]["drawn"] = [0, 0, 0]
    for data, reason in (
        (b"[" * 100_000, "can't read a game from that file"),
        (seen, "only part of its game"),
        (json.dumps(record).encode(), "Entry 5 of that file"),
        (json.dumps({**record, "version": 99}).encode(), "rules version 99"),
    ):
        answer, table = await import_file(club, club.people[0], data)
        assert reason in wording(answer)
        assert table is None
