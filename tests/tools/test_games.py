"""The list of what can be played."""

from __future__ import annotations

import json

import pytest

from bot.titles import TITLES
from bot.tools import OK, games
from tests.tools.typed import run

GAMES = TITLES.games


def test_each_title_is_listed_with_seats_options_and_versions(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(games, "--json") == OK
    found = json.loads(capsys.readouterr().out)
    assert [(each["game"], each["title"]) for each in found] == [
        ("kogge", "Kogge"),
        ("burgundy", "The Castles of Burgundy"),
        ("guatemala", "Guatemala Café"),
        ("flandern", "Flandern 1302"),
    ]
    for each in found:
        game = GAMES[each["game"]]
        assert each["seats"] == list(game.seats)
        assert each["versions"] == list(GAMES.versions(game.name))
        assert each["versions"][-1] == game.version
        assert {option["name"]: option["values"] for option in each["options"]} == {
            option.name: list(option.values) for option in game.options
        }
        assert all(option["default"] == option["values"][0] for option in each["options"])

    assert run(games) == OK
    lines = capsys.readouterr().out.splitlines()
    version = GAMES["kogge"].version
    assert lines[0] == f"Kogge (kogge): 2, 3 or 4 players, rules version {version}"
    assert "  edition: english, italian" in lines
    assert any(line.startswith("The Castles of Burgundy (burgundy): ") for line in lines)
