"""The list of what can be played, by another process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from bot.titles import TITLES

GAMES = TITLES.games
ROOT = Path(__file__).parents[2]


def printed(*words: str) -> str:
    """What `python -m bot games` prints."""
    done = subprocess.run(
        [sys.executable, "-m", "bot", "games", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


def test_each_title_is_listed_with_seats_options_and_versions() -> None:
    found = json.loads(printed("--json"))
    assert [each["game"] for each in found] == list(GAMES)
    assert [each["title"] for each in found] == [
        "Kogge",
        "The Castles of Burgundy",
        "Guatemala Café",
        "Flandern 1302",
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


def test_the_same_can_be_read() -> None:
    lines = printed().splitlines()
    version = GAMES["kogge"].version
    assert lines[0] == f"Kogge (kogge): 2, 3 or 4 players, rules version {version}"
    assert "  edition: english, italian" in lines
    assert any(line.startswith("The Castles of Burgundy (burgundy): ") for line in lines)
