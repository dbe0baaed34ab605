"""Two versions of a title side by side: tables of both go on through an upgrade, each by its own
rules, and whatever is done with them afterwards is done by those."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image

from bot.game.contract import SPECTATOR
from bot.tables import Status, Table
from bot.tables.core.record import RecordError
from bot.titles.title import Titles
from bot.tools import OK, replay, verify
from tests.cogs.conftest import Club, press, wording
from tests.games.pebbles_titles import AFTER, BEFORE, NEW, OLD
from tests.tools import typed

BY = {1: OLD, 2: NEW}
TAKEN = {1: ["1", "2"], 2: ["1", "2", "3"]}
HEIGHT, CLOSE = {1: 10, 2: 20}, {1: 15, 2: 30}


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    """Table 1 began by version 1, and table 2 was open when version 2 came; table 3 came later."""
    async with Club(tmp_path, BEFORE) as made:
        host, guest = made.people[:2]
        await made.start_game("pebbles")
        await made.play_until(1, "take")
        await made.act(1, Random(2))
        await made.lobby(guest, game="pebbles")
        await host.slash(made.channel, "game option", option="length", value="long", table=2)
        made.titles = AFTER
        await made.restart()
        await made.start_game("pebbles")
        yield made


async def at(club: Club, number: int) -> tuple[Table, str]:
    table = await club.tables.reader.get(number)
    return table, BY[table.version]


def height(png: bytes) -> int:
    return Image.open(io.BytesIO(png)).size[1]


async def test_each_is_played_by_its_own_rules_to_its_end(club: Club) -> None:
    await club.people[0].click(await club.lobby_message(2), custom_id="begin:2")
    versions = [(await at(club, number))[0].version for number in (1, 2, 3)]
    assert versions == [1, 2, 2]
    for number, version in enumerate(versions, 1):
        seat = await club.play_until(number, "take")
        assert await club.words(number, seat, "take") == TAKEN[version]
        if number != 2:
            table, words = await at(club, number)
            # A computer player goes on by them as well.
            await club.people[1].slash(club.place(table), "seat autopilot", table=number)
            await club.finish(number, number)
            assert any(f"by {words}" in wording(post) for post in club.posts(table))
    await club.restart()
    assert [(await at(club, number))[0].version for number in (1, 2, 3)] == versions

    # A rematch is played by the newest.
    table, _ = await at(club, 1)
    await club.people[0].slash(club.place(table), "table rematch", table=1)
    again = await club.tables.reader.get(4)
    assert (again.version, again.options) == (2, {"length": "short", "heap": "full"})
    await club.people[1].click(await club.lobby_message(4), custom_id="join:4")
    await club.people[0].click(await club.lobby_message(4), custom_id="begin:4")
    seat = await club.play_until(4, "take")
    assert await club.words(4, seat, "take") == TAKEN[2]


async def test_each_is_shown_and_its_rules_are_read_in_its_own_words_and_pictures(
    club: Club,
) -> None:
    host = club.people[0]

    async def drawn(command: str, **options: str) -> int:
        shown = await host.slash(place, command, table=number, **options)
        (picture,) = shown.response.attachments
        return height(club.bytes_of(picture))

    for number in (1, 3):
        table, words = await at(club, number)
        place = club.place(table)
        for command, options in (("board", {"form": "text"}), ("hand", {})):
            answer = await host.slash(place, f"game {command}", table=number, **options)
            assert f"by {words}" in wording(answer.response), command
        assert await drawn("game board") == HEIGHT[table.version]
        assert await drawn("game board", seat="0") == CLOSE[table.version]
        assert await drawn("game replay") == HEIGHT[table.version]
        answer = await host.slash(place, "table options", table=number)
        assert f"Rules version {table.version}." in wording(answer.response)

        opened = await host.click(await club.panel(number), custom_id=f"rules:{number}")
        assert f"rules of choosing, by {words}" in wording(opened.response)
        turned = await press(host, opened.response, "chapter:")
        assert f"rules of taking, by {words}" in wording(turned)
        asked = await host.slash(place, "rules", topic="gifts")
        assert f"rules of gifts, by {words}" in wording(asked.response)
    forged = await host.slash(club.channel, "rules", game="pebbles.7")
    assert "don't know that game" in wording(forged.response)


async def test_a_lobby_takes_the_newest_rules_with_what_had_been_chosen(club: Club) -> None:
    table = (await club.tables.reader.get(2)).options
    assert table == {"length": "long", "heap": "full"}
    host = club.people[0]
    chosen = await host.slash(club.channel, "game option", option="heap", value="low", table=2)
    assert wording(chosen.response)
    await host.click(await club.lobby_message(2), custom_id="begin:2")
    table = (await club.tables.reader.get(2)).options
    assert table == {"length": "long", "heap": "low"}
    await club.finish(2, 2)
    outcome = (await club.tables.reader.seen(2, SPECTATOR)).outcome
    assert outcome is not None
    assert outcome.ending == "heap"


async def test_each_takes_back_by_its_own_rules(club: Club) -> None:
    for number in (1, 3):
        seat = await club.play_until(number, "take")
        before, (table, _) = (
            (await club.tables.reader.seen(number, seat)).view,
            await at(club, number),
        )
        (*_, most) = TAKEN[table.version]
        await club.tables.play.act(number, seat, ("take", most))
        assert (await club.tables.reader.seen(number, seat)).view != before
        asked = await club.person(table, seat).slash(club.place(table), "game undo", table=number)
        await press(club.person(table, seat), asked.response, "undo")
        assert (await club.tables.reader.seen(number, seat)).view == before
        assert await club.words(number, seat, "take") == TAKEN[table.version]


@pytest.mark.slow
async def test_what_each_exports_is_verified_drawn_and_imported_by_its_own_rules(
    club: Club, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host, out = club.people[0], ("--out", str(tmp_path))
    for number, copy in ((1, 4), (3, 5)):
        table, words = await at(club, number)
        report = await club.file_of(table, "game report")
        assert run(replay, tmp_path / "report.json", report, *out) == OK
        assert height((tmp_path / "0000.png").read_bytes()) == HEIGHT[table.version]
        await club.finish(number, number)
        report = await club.file_of(table, "game report")
        assert json.loads(report)["record"]["seats"] == ["Player 1", "Player 2"]
        data = await club.file_of(table, "game export")
        assert json.loads(data)["version"] == table.version
        assert run(verify, tmp_path / "game.json", data) == OK
        assert "Yes. All " in capsys.readouterr().out
        assert run(replay, tmp_path / "game.json", data, *out) == OK
        assert height((tmp_path / "0000.png").read_bytes()) == HEIGHT[table.version]
        other = data.replace(
            b'"version":%d' % table.version, b'"version":%d' % (3 - table.version), 1
        )
        with pytest.raises(RecordError):
            verify.check(other, AFTER.games)
        await host.slash(club.channel, "table import", file=("game.json", data))
        imported, _ = await at(club, copy)
        assert (imported.status, imported.version) == (Status.FINISHED, table.version)
        answer = await host.slash(club.channel, "game board", form="text", table=copy)
        assert f"by {words}" in wording(answer.response)

    capsys.readouterr()
    with pytest.raises(RecordError, match="rules version 2; this program has version 1"):
        verify.check(data, BEFORE.games)
    assert run(replay, tmp_path / "game.json", data, *out, titles=BEFORE) == typed.UNUSABLE
    (line,) = capsys.readouterr().err.splitlines()
    assert "rules version 2; this program has version 1" in line


def run(tool: Any, file: Path, data: bytes, *words: str, titles: Titles = AFTER) -> int:
    file.write_bytes(data)
    return typed.run(tool, str(file), *words, titles=titles)
