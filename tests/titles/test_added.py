"""A title from outside works in every part of the program."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace as replaced
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.game.contract import SPECTATOR, Action, Chance, Event, Seat
from bot.game.grammar import Rule
from bot.titles.title import Titles
from bot.tools import OK, games, replay, simulate, verify
from tests.cogs.conftest import Club, ids, wording
from tests.games.pebbles import Pebbles, State
from tests.games.pebbles_titles import FIRST
from tests.leaks.__main__ import main
from tests.leaks.bot import check_bot
from tests.leaks.game import Kind, Setting
from tests.tools import typed


class Discreet(Pebbles):
    """Pebbles without leaks: a changed choice has no public event, and there are no gifts. (Panels
    have no buttons for gifts, so each action of a seat would edit them.)"""

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        is_change = action[0] == "choose" and state.chosen[seat] > 0
        events = super().apply(state, seat, action, chance)
        return events[1:] if is_change else events

    def free_rules(self, state: State) -> Sequence[Rule[State]]:
        return ()


TITLE = replaced(FIRST, game=Discreet())
ALONE = Titles((TITLE,))


run = partial(typed.run, titles=ALONE)
"""Runs a command-line tool with only Pebbles."""


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    """A server whose bot has only Pebbles."""
    async with Club(tmp_path, ALONE) as club:
        yield club


async def test_it_is_played_with_its_commands_exported_verified_and_drawn(
    club: Club, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = await club.game()
    assert table.game == "pebbles"
    reader, place = club.services.tables.reader, club.place(table)
    offered = await club.people[0].suggestions(place, "pebbles choose", "number", "")
    assert [each["value"] for each in offered] == ["1", "2", "3"]
    while (await reader.seen(1, SPECTATOR)).outcome is None:
        for decision in await reader.pending(1):
            if decision.optional:
                continue
            option = {"choose": "number", "take": "count"}[decision.kind]
            word = (await club.words(1, decision.seat, decision.kind))[-1]
            command = f"pebbles {decision.kind}"
            person = club.person(table, decision.seat)
            shown = (await person.slash(place, command, **{option: word})).response
            for confirm in (each for each in ids(shown) if each.startswith("do:")):
                await person.click(shown, custom_id=confirm)
            break
    await club.settle()
    assert any("target: " in wording(post) for post in club.posts(table))
    result = await club.people[0].slash(place, "game export", table=1)
    (file,) = result.response.attachments
    export = tmp_path / "game.json"
    export.write_bytes(club.bytes_of(file))
    assert run(verify, str(export)) == OK
    assert "The result is right" in capsys.readouterr().out
    assert run(replay, str(export), "--out", str(tmp_path / "drawn")) == OK
    entries = json.loads(export.read_bytes())["entries"]
    assert len(list((tmp_path / "drawn").glob("*.png"))) == len(entries)


def output_of(capsys: pytest.CaptureFixture[str], tool: Any, *words: str) -> Any:
    assert run(tool, *words, "--json") == OK
    return json.loads(capsys.readouterr().out)


@pytest.mark.slow
def test_a_whole_game_leaks_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    checked = check_bot(TITLE, Setting(3, {"length": "short"}, "1"), SPECTATOR)
    assert checked.leak is None, checked.leak
    assert checked.counts[Kind.MESSAGE] > 100
    few = ("--checks", "300", "--histories", "20", "--messages", "20", "--runs", "1")
    assert main(("pebbles", *few, "--jobs", "1", "--json"), ALONE) == OK
    assert json.loads(capsys.readouterr().out)["checks"] >= 300


def test_it_is_listed_and_simulated(capsys: pytest.CaptureFixture[str]) -> None:
    (listed,) = output_of(capsys, games)
    assert (listed["game"], listed["title"], listed["versions"]) == ("pebbles", "Pebbles", [1])
    several = ("--players", "3", "--games", "5", "--policy", "normal")
    summary = output_of(capsys, simulate, "pebbles", *several)
    assert summary["endings"] == {"target": 5}
    assert summary["invariant_failures"] == 0
