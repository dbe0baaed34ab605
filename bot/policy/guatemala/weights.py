"""By what computer players judge a table, read from data/guatemala/weights.toml."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.content import Strict, read
from bot.game.guatemala.data import FOLDER

ByPlayers = tuple[float, float, float]
"""For two, three and four players."""


class GuatemalaWeights(Strict, frozen=True):
    """What things are worth; the file says what each number means."""

    money: float
    need: float
    turns: ByPlayers
    a_sack: ByPlayers
    to_learn: float
    long: float
    growth: float
    close: float
    coming: float
    hutless: float
    room: float
    rivals: float
    lead: float
    built: float
    to_block: float
    kept: float
    promise: float
    seen: float


class GuatemalaWeightsFile(Strict, frozen=True):
    """The file weights.toml."""

    normal: GuatemalaWeights


_FILE = read(FOLDER / "weights.toml", GuatemalaWeightsFile)

WEIGHTS: Mapping[str, GuatemalaWeights] = {"normal": _FILE.normal}
"""By the name of a player."""
NORMAL = WEIGHTS["normal"]
