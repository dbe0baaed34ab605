"""Recorded games and their results."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from bot.game.game import AnyGame
from bot.game.versions import Games
from bot.tables.core.record import Record, decode

FOLDER = Path(__file__).parent
RESULTS = "results.json"


class Result(msgspec.Struct, frozen=True):
    """The result of a game; `state` is a hash of its last state."""

    ending: str
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    rounds: int
    state: str


def folder_of(game: AnyGame) -> Path:
    """Return the folder of recorded games of one rules version.

    The games of released versions must stay for ever.
    """
    return FOLDER / game.name / f"v{game.version}"


def names(game: AnyGame) -> list[str]:
    """Return the names of the recorded games of a rules version."""
    return sorted(path.stem for path in folder_of(game).glob("*.json") if path.name != RESULTS)


def read_record(game: AnyGame, name: str) -> Record:
    """Return a recorded game by name."""
    return decode((folder_of(game) / f"{name}.json").read_bytes())


def mismatches(games: Games) -> list[str]:
    """Return the rules versions without recorded games, and the folders without rules.

    So neither a released version nor its games can get lost.
    """
    versions = {folder_of(game): f"{game.name} {game.version}" for game in games.every}
    folders = {path.parent for path in FOLDER.glob("*/v*/*.json") if path.name != RESULTS}
    missing = [version for folder, version in versions.items() if folder not in folders]
    return missing + sorted(str(path.relative_to(FOLDER)) for path in folders - {*versions})


def read_results(game: AnyGame) -> dict[str, Result]:
    """Return the results of a rules version by name of the game; none if there are no games."""
    path = folder_of(game) / RESULTS
    return msgspec.json.decode(path.read_bytes(), type=dict[str, Result]) if path.exists() else {}


def result_of(game: AnyGame, state: Any) -> Result:
    """Return the result of a finished game."""
    outcome = game.outcome(state)
    assert outcome is not None
    data = blake2b(game.encode(state), digest_size=16).hexdigest()
    return Result(outcome.ending, outcome.winners, outcome.scores, state.round, data)
