"""Two versions of a title at the same time: tables continue after an upgrade, each with its own
rules in everything that is done with them."""

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
    """Table 1 started with version 1; table 2 was a lobby at the upgrade; table 3 is newer."""
    async with Club(tmp_path, BEFORE) as club:
        host, guest = club.people[:2]
        await club.start_game("pebbles")
        await club.play_until(1, "take")
        await club.act(1, Random(2))
        await club.lobby(guest, game="pebbles")
        await host.slash(club.channel, "game option", option="length", value="long", table=2)
        club.titles = AFTER
        await club.restart()
        await club.start_game("pebbles")
        yield club


async def at(club: Club, number: int) -> tuple[Table, str]:
    table = await club.tables.reader.get(number)
    return table, BY[table.version]


def height(png: bytes) -> int:
    return Image.open(io.BytesIO(png)).size[1]


async def test_each_table_is_played_by_its_own_rules(club: Club) -> None:
    await club.people[0].click(await club.lobby_message(2), custom_id="begin:2")
    versions = [(await at(club, number))[0].version for number in (1, 2, 3)]
    assert versions == [1, 2, 2]
    for number, version in enumerate(versions, 1):
        seat = await club.play_until(number, "take")
        assert await club.words(number, seat, "take") == TAKEN[version]
        if number != 2:
            table, words = await at(club, number)
            # Computer players follow them too.
            await club.people[1].slash(club.place(table), "seat autopilot", table=number)
            await club.finish(number, number)
            assert any(f"by {words}" in wording(post) for post in club.posts(table))
    await club.restart()
    assert [(await at(club, number))[0].version for number in (1, 2, 3)] == versions

    # A rematch uses the newest rules.
    table, _ = await at(club, 1)
    await club.people[0].slash(club.place(table), "table rematch", table=1)
    again = await club.tables.reader.get(4)
    assert (again.version, again.options) == (2, {"length": "short", "heap": "full"})
    await club.people[1].click(await club.lobby_message(4), custom_id="join:4")
    await club.people[0].click(await club.lobby_message(4), custom_id="begin:4")
    seat = await club.play_until(4, "take")
    assert await club.words(4, seat, "take") == TAKEN[2]


async def test_each_table_has_its_own_texts_pictures_and_rules_help(
    club: Club,
) -> None:
    host = club.people[0]

    async def drawn_height(command: str, **options: str) -> int:
        shown = await host.slash(place, command, table=number, **options)
        (picture,) = shown.response.attachments
        return height(club.bytes_of(picture))

    for number in (1, 3):
        table, words = await at(club, number)
        place = club.place(table)
        for command, options in (("board", {"form": "text"}), ("hand", {})):
            answer = await host.slash(place, f"game {command}", table=number, **options)
            assert f"by {words}" in wording(answer.response), command
        assert await drawn_height("game board") == HEIGHT[table.version]
        assert await drawn_height("game board", seat="0") == CLOSE[table.version]
        assert await drawn_height("game replay") == HEIGHT[table.version]
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


async def test_a_lobby_gets_the_newest_rules_and_keeps_its_options(club: Club) -> None:
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


async def test_each_table_undoes_by_its_own_rules(club: Club) -> None:
    for number in (1, 3):
        seat = await club.play_until(number, "take")
        before, (table, _) = (
            (await club.tables.reader.seen(number, seat)).view,
            await at(club, number),
        )
        (*_, largest) = TAKEN[table.version]
        await club.tables.play.act(number, seat, ("take", largest))
        assert (await club.tables.reader.seen(number, seat)).view != before
        asked = await club.person(table, seat).slash(club.place(table), "game undo", table=number)
        await press(club.person(table, seat), asked.response, "undo")
        assert (await club.tables.reader.seen(number, seat)).view == before
        assert await club.words(number, seat, "take") == TAKEN[table.version]


@pytest.mark.slow
async def test_exports_are_verified_drawn_and_imported_by_their_own_rules(
    club: Club, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host, out = club.people[0], ("--out", str(tmp_path))
    for number, copy in ((1, 4), (3, 6)):
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

        replayed = await host.slash(club.channel, "game replay", table=number)
        asked = await press(host, replayed.response, "playfrom:")
        await press(host, asked, "playnow:")
        latest, *_ = await club.tables.reader.find(club.channel.id, tuple(Status))
        assert (latest.source, latest.version) == (number, table.version)
        await club.give_up(latest)
        assert run(verify, tmp_path / "on.json", await club.file_of(latest, "game export")) == OK

    capsys.readouterr()
    with pytest.raises(RecordError, match="rules version 2; this program has version 1"):
        verify.check(data, BEFORE.games)
    assert run(replay, tmp_path / "game.json", data, *out, titles=BEFORE) == typed.UNUSABLE
    (line,) = capsys.readouterr().err.splitlines()
    assert "rules version 2; this program has version 1" in line


def run(tool: Any, file: Path, data: bytes, *words: str, titles: Titles = AFTER) -> int:
    file.write_bytes(data)
    return typed.run(tool, str(file), *words, titles=titles)
