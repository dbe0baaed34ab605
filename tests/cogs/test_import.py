"""Games imported from a file: replayed where they are over, continued where they are not."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from bot.tables import Status, Table
from bot.tools.verify import check
from tests.cogs.conftest import EXAMPLE, Club, ids, press, wording


async def brought(club: Club, person: Any, data: bytes) -> tuple[Any, Table | None]:
    """What is answered to a person who gives a file, and the table that is made of it."""
    before = len(await club.services.tables.reader.find(club.channel.id, tuple(Status)))
    result = await person.slash(club.channel, "table import", file=("game.json", data))
    await club.env.settle()
    assert result.ephemeral
    tables = await club.services.tables.reader.find(club.channel.id, tuple(Status))
    return result.response, tables[0] if len(tables) > before else None


async def test_a_game_that_was_given_up_goes_on_elsewhere_under_a_new_key(club: Club) -> None:
    anna, bert = club.people[:2]
    first = await club.game()
    await club.play_until(first.id, "advance")
    for person in (anna, bert):
        await person.slash(club.place(first), "game abandon")
    stood = await club.services.tables.reader.pending(first.id)

    _, table = await brought(club, anna, await club.file_of(first, "game export"))

    assert table is not None
    assert table.status is Status.PAUSED
    assert await club.services.tables.reader.pending(table.id) == stood
    assert table.key_hash != first.key_hash
    post = await club.panel(table.id)
    assert "imported from a file" in wording(post)
    assert table.key_hash in wording(post)
    assert {"claim:", "goon:"} <= {each.partition(":")[0] + ":" for each in ids(post)}

    for person, seat in ((bert, 1), (anna, 0)):
        await person.click(await club.panel(table.id), custom_id=f"claim:{table.id}::{seat}")
        await club.env.settle()
    await bert.click(await club.panel(table.id), custom_id=f"goon:{table.id}")
    proposal = next(post for post in club.posts(table) if "go on with the game" in wording(post))
    await press(anna, proposal, "yes:")
    table = await club.services.tables.reader.get(table.id)
    assert (table.status, table.seat_of(bert.id)) == (Status.PLAYING, 1)
    assert table.thread is not None

    rng = Random(3)
    for _ in range(12):
        await club.step(table.id, rng)
    for person in (anna, bert):
        await person.slash(club.place(table), "game abandon")
    said = check(await club.file_of(table, "game export"))
    assert said.startswith("Yes. All ")
    assert f"{first.key_hash}, {table.key_hash}" in said


async def test_a_game_that_is_over_is_shown_and_gives_the_same_file_again(club: Club) -> None:
    data = EXAMPLE.read_bytes()

    _, table = await brought(club, club.people[2], data)

    assert table is not None
    assert table.status is Status.FINISHED
    assert await club.services.tables.results.of(club.people[2].id, None) == ()
    post = await club.panel(table.id)
    assert "Fairness check (key)" in wording(post)
    assert not any(each.startswith("rematch") for each in ids(post))
    again, before = json.loads(await club.file_of(table, "game export")), json.loads(data)
    for file in (again, before):
        for entry in file["entries"]:
            del entry["at"]
    assert again == before


async def test_what_is_no_whole_game_is_refused_in_words_and_makes_no_table(club: Club) -> None:
    running = await club.game()
    seen = await club.file_of(running, "game export")
    record = json.loads(EXAMPLE.read_bytes())
    record["entries"][5]["drawn"] = [0, 0, 0]
    for data, said in (
        (b"[" * 100_000, "cannot read that file"),
        (seen, "only part of its game"),
        (json.dumps(record).encode(), "Entry 5 of that file"),
        (json.dumps({**record, "version": 99}).encode(), "rules version 99"),
    ):
        answer, table = await brought(club, club.people[0], data)
        assert said in wording(answer)
        assert table is None
