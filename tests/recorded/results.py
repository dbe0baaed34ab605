"""What a recorded game came to."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

import msgspec

from bot.game.kogge import GAME
from bot.game.kogge.state import State

FOLDER = Path(__file__).parent / "kogge"
RESULTS = "results.json"


class Result(msgspec.Struct, frozen=True):
    """The end of a game; `state` is a hash of its last state."""

    ending: str
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    rounds: int
    state: str


def read_results(folder: Path = FOLDER) -> dict[str, Result]:
    """The results of all recorded games by file name; none where nothing was recorded yet."""
    path = folder / RESULTS
    return msgspec.json.decode(path.read_bytes(), type=dict[str, Result]) if path.exists() else {}


def result_of(state: State) -> Result:
    """The result of a table whose game is over."""
    outcome = GAME.outcome(state)
    assert outcome is not None
    data = blake2b(GAME.encode(state), digest_size=16).hexdigest()
    return Result(outcome.ending, outcome.winners, outcome.scores, state.round, data)
