"""Tables whose rules are missing: of a newer version, or of an unknown game."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.game.game import AnyGame
from bot.game.kogge.game import Kogge
from bot.tables import Status, Table
from bot.tables.core.record import RecordError
from bot.titles import TITLES
from bot.titles.title import Titles
from bot.tools import verify
from tests.cogs.conftest import Club, ids, press, wording
from tests.tables.world import whole_record

NOW = TITLES.games["kogge"].version


class Other(Kogge):
    """Kogge with another version or name."""

    def __init__(self, name: str, version: int) -> None:
        super().__init__()
        self.name, self.version = name, version


ELSEWHERE = {
    "newer": Other("kogge", NOW + 1),
    "unknown": Other("atlantis", 1),
}
pytestmark = pytest.mark.parametrize("which", ELSEWHERE)
REFUSED = {
    "newer": f"This game needs rules version {NOW + 1}, but I only have {NOW}.",
    "unknown": "I don't have the rules of this game (atlantis).",
}
EXPORT = " `/game export` still gives you its file; the complete one only after `/game abandon`."


def titles_with(game: AnyGame) -> Titles:
    others = [each for each in TITLES.every if each.game.name != game.name]
    kogge = TITLES["kogge"]
    group = msgspec.structs.replace(kogge.commands.whole, name=game.name)
    commands = kogge.commands._replace(whole=group)
    return Titles((*others, replace(kogge, game=game, commands=commands)))


def table_rows(path: Path) -> dict[str, list[Any]]:
    names = ("tables", "players", "log", "snapshots", "notifications", "clocks", "promises")
    with closing(sqlite3.connect(path)) as database:
        return {
            name: database.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall()
            for name in names
        }


@pytest.fixture
async def club(tmp_path: Path, which: str) -> Any:
    """A club whose bot has lost the rules of table 1 by an update."""
    game = ELSEWHERE[which]
    async with Club(tmp_path, titles_with(game)) as club:
        await club.start_game(game.name, ("clock", "d1"), ("at_zero", "autopilot"), computers=1)
        await club.play_until(1, "bid")
        club.titles = TITLES
        await club.restart()
        yield club


async def answer_to(club: Club, table: Table, command: str, **options: Any) -> str:
    result = await club.people[0].slash(club.place(table), command, **options)
    assert result.is_private, command
    content: str = wording(result.response)
    return content


ASKED = ("turn", "hand", "board", "status", "log", "replay", "undo", "promises", "pause")
COMMANDS = (*(f"game {each}" for each in ASKED), "seat autopilot")
EVERY = (
    *COMMANDS,
    *(f"game {each}" for each in ("join", "leave", "start", "computer", "resign", "resume")),
    *("game export", "game report", "seat claim", "seat orders", "table options"),
)


async def test_commands_are_refused_in_one_line_and_other_tables_work(
    club: Club, which: str
) -> None:
    table, host = await club.tables.reader.get(1), club.people[0]
    for command in COMMANDS:
        assert await answer_to(club, table, command) == REFUSED[which] + EXPORT, command
    stranger, panel, refusal = club.people[3], await club.panel(1), "You aren't playing at this"
    for custom_id in ids(panel):
        for person in (host, stranger):
            answer = wording((await person.click(panel, custom_id=custom_id)).response)
            if person is stranger and custom_id in ("play:1", "hand:1"):
                assert answer.startswith(refusal), custom_id
            elif custom_id != "rules:1":
                assert answer == REFUSED[which] + EXPORT, custom_id
    for command in EVERY:
        answered = await stranger.slash(club.place(table), command, table=1)
        assert wording(answered.response), command
    question = (await host.slash(club.place(table), "game resign")).response
    result = await host.click(question, custom_id=ids(question)[0])
    assert wording(result.response) == REFUSED[which] + EXPORT

    title = "atlantis" if which == "unknown" else "Kogge"
    assert f"{title}, being played" in await answer_to(club, table, "game mine")
    options = await answer_to(club, table, "table options")
    assert options.startswith(REFUSED[which] if which == "unknown" else "### Kogge · table 1")
    assert "Keep the harbour" in await answer_to(club, table, "table note", text="Keep the harbour")
    other = await club.game(club.people[2], host=club.people[3])
    seat = await club.play_until(other.id, "bid")
    assert seat in await club.asked(other.id)
    await host.slash(club.channel, "game new", game="kogge")
    assert len(await club.tables.reader.seats_of(host.id)) == 2
    assert sum((await club.tables.reader.census()).tables.values()) == 3
    await host.slash(club.channel, "me set", language="it")
    assert "`/partita esporta` ti dà comunque il" in await answer_to(club, table, "game board")


async def test_time_does_not_change_the_table_and_the_start_logs_a_warning(
    club: Club, which: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither clock, reminder, computer player nor sleep. It continues when the rules are back."""
    before = table_rows(tmp_path / "tables.sqlite")
    for days in (1, 2, 30, 30):
        await club.later(timedelta(days=days))
    await club.restart()
    (line,) = [each for each in caplog.messages if "rules missing count=" in each]
    assert line.startswith("rules missing count=1 error=")
    assert repr(ELSEWHERE[which].name) in line
    await club.settle()
    assert table_rows(tmp_path / "tables.sqlite") == before
    assert before["log"]
    club.titles = titles_with(ELSEWHERE[which])
    await club.restart()
    await club.play_until(1, "sail")


async def test_the_table_is_exported_and_closed_and_its_rematch_has_the_newest_rules(
    club: Club, which: str, tmp_path: Path
) -> None:
    table, (host, guest, *_) = await club.tables.reader.get(1), club.people
    before = (table_rows(tmp_path / "tables.sqlite"))["log"]

    partial = json.loads(await club.file_of(table, "game export"))
    assert partial["format"] == "seen 1"
    assert partial["view"] is None
    seat = table.seat_of(host.id)
    entries = (await whole_record(club.tables, 1)).entries
    own = [entry.action for entry in entries if entry.seat == seat]
    assert [line["action"] for line in partial["lines"]] == own
    report = json.loads(await club.file_of(table, "game report"))
    assert report["trouble"] == ("title_gone" if which == "unknown" else "rules_changed")
    assert "record" not in report

    if which == "newer":
        await club.give_up(table)
    else:
        # A moderator can close it too, if the owners allow it.
        owner = club.owner()
        await club.settle()
        await owner.slash(club.channel, "server set", end="moderators")
        asked = await owner.slash(club.place(table), "game abandon", table=1)
        await press(owner, asked.response, "dissolve:")
        await club.settle()
    assert (await club.tables.reader.get(1)).status is Status.ABANDONED
    last = club.posts(table)[-1]
    assert "The table is closed and the game stays unfinished." in wording(last)
    assert await club.tables.outbox.items(1) == []
    assert ids(await club.panel(1)) == []

    data = await club.file_of(table, "game export")
    whole = json.loads(data)
    assert whole["version"] == ELSEWHERE[which].version
    assert len(whole["key"]) == 64
    assert len(whole["entries"]) == len(before)
    with pytest.raises(RecordError) as error:
        verify.check(data)
    lacks = "does not play 'atlantis'" if which == "unknown" else f"this program has version {NOW}."
    assert lacks in str(error.value)
    assert "\n" not in str(error.value)
    verify.check(data, titles_with(ELSEWHERE[which]).games)
    imported = await answer_to(club, table, "table import", file=("game.json", data))
    rematch = await answer_to(club, table, "table rematch")
    if which == "unknown":
        assert imported == rematch == "I don't know that game. Choose one from the list."
    else:
        assert imported == (
            f"The game in this file needs rules version {ELSEWHERE[which].version}, but I only "
            f"have {NOW}."
        )
        assert "Table 2" in rematch
        assert (await club.tables.reader.get(2)).version == NOW
    # Every command is answered; the fixture fails on logged errors.
    for person in (guest, club.people[3]):
        for command in EVERY:
            answer = (await person.slash(club.place(table), command, table=1)).response
            assert wording(answer), command
    forgetting = (await guest.slash(club.channel, "me forget")).response
    await guest.click(forgetting, custom_id="forgetme:0")
    await club.later(timedelta(days=40))
    club.titles = titles_with(ELSEWHERE[which])
    await club.restart()
    assert json.loads(await club.file_of(table, "game export"))["key"] == whole["key"]
