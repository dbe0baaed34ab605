"""What a recorded game came to."""

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
    """The end of a game; `state` is a hash of its last state."""

    ending: str
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    rounds: int
    state: str


def folder_of(game: AnyGame) -> Path:
    """Where the games of a title at one version of its rules lie; those of every released
    version stay there for ever."""
    return FOLDER / game.name / f"v{game.version}"


def names(game: AnyGame) -> list[str]:
    """The recorded games of a title at a version by file name."""
    return sorted(path.stem for path in folder_of(game).glob("*.json") if path.name != RESULTS)


def read_record(game: AnyGame, name: str) -> Record:
    """A recorded game of a title at a version by its file's name."""
    return decode((folder_of(game) / f"{name}.json").read_bytes())


def out_of_place(games: Games) -> list[str]:
    """Versions of rules without recorded games, and recorded games without their rules.

    A version that was once released so can neither lose its games nor be lost itself.
    """
    kept = {folder_of(game) for game in games.every if names(game)}
    there = {path.parent for path in FOLDER.glob("*/v*/*.json")}
    lacking = [f"{game.name} {game.version}" for game in games.every if folder_of(game) not in kept]
    return lacking + sorted(str(path.relative_to(FOLDER)) for path in there - kept)


def read_results(game: AnyGame) -> dict[str, Result]:
    """The results of a title's games by file name; none where nothing was recorded yet."""
    path = folder_of(game) / RESULTS
    return msgspec.json.decode(path.read_bytes(), type=dict[str, Result]) if path.exists() else {}


def result_of(game: AnyGame, state: Any) -> Result:
    """The result of a table whose game is over."""
    outcome = game.outcome(state)
    assert outcome is not None
    data = blake2b(game.encode(state), digest_size=16).hexdigest()
    return Result(outcome.ending, outcome.winners, outcome.scores, state.round, data)
