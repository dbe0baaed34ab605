"""By what computer players judge a table, read from data/guatemala/weights.toml."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.content import Strict, read
from bot.game.guatemala.data import FOLDER


class GuatemalaWeights(Strict, frozen=True):
    """What things are worth; the file says what each number means."""

    money: float
    need: float
    turns: float
    a_sack: float
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
    sack: float
    to_block: float
    kept: float
    promise: float
    seen: float


class GuatemalaRating(Strict, frozen=True):
    """What each of what a seat has promises, in points, for a search to go by."""

    points: float
    workers: float
    ships: float
    hutless: float
    growth: float
    room: float
    money: float
    sacks: float


class GuatemalaWeightsFile(Strict, frozen=True):
    """The file weights.toml."""

    normal: tuple[GuatemalaWeights, GuatemalaWeights, GuatemalaWeights]
    rating: tuple[GuatemalaRating, GuatemalaRating, GuatemalaRating]


_FILE = read(FOLDER / "weights.toml", GuatemalaWeightsFile)

NORMAL = dict(enumerate(_FILE.normal, start=2))
"""By number of players, what the normal player goes by."""
WEIGHTS: Mapping[str, GuatemalaWeights] = {
    f"normal-{players}": weights for players, weights in NORMAL.items()
}
"""By name, as `python -m bot tune` knows them."""

HOLDINGS = GuatemalaRating.__struct_fields__
"""What ratings have a weight for."""
RATING = {
    players: tuple([float(getattr(rating, name)) for name in HOLDINGS])
    for players, rating in enumerate(_FILE.rating, start=2)
}
"""By number of players, the weights of the `HOLDINGS`."""
