"""What a recorded game came to."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from bot.game.contract import AnyGame

FOLDER = Path(__file__).parent
"""The recorded games, in a folder for each title."""
RESULTS = "results.json"


class Result(msgspec.Struct, frozen=True):
    """The end of a game; `state` is a hash of its last state."""

    ending: str
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    rounds: int
    state: str


def names(game: str) -> list[str]:
    """The recorded games of a title by file name."""
    return sorted(path.stem for path in (FOLDER / game).glob("*.json") if path.name != RESULTS)


def read_results(game: str) -> dict[str, Result]:
    """The results of a title's games by file name; none where nothing was recorded yet."""
    path = FOLDER / game / RESULTS
    return msgspec.json.decode(path.read_bytes(), type=dict[str, Result]) if path.exists() else {}


def result_of(game: AnyGame, state: Any) -> Result:
    """The result of a table whose game is over."""
    outcome = game.outcome(state)
    assert outcome is not None
    data = blake2b(game.encode(state), digest_size=16).hexdigest()
    return Result(outcome.ending, outcome.winners, outcome.scores, state.round, data)
