"""By what computer players judge a table, read from data/flandern/weights.toml."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.content import Strict, read
from bot.game.flandern.plan import FOLDER


class FlandernWeights(Strict, frozen=True):
    """What things are worth; the file says what each number means."""

    site: float
    coming: tuple[float, float, float]
    later: float
    a_plot: float
    leader: float
    narrow: float
    wide: float
    rivals: tuple[float, float, float]
    printed: float
    loss: float


class FlandernWeightsFile(Strict, frozen=True):
    """The file weights.toml."""

    normal: FlandernWeights


_FILE = read(FOLDER / "weights.toml", FlandernWeightsFile)

WEIGHTS: Mapping[str, FlandernWeights] = {"normal": _FILE.normal}
"""By the name of a player."""
NORMAL = WEIGHTS["normal"]
