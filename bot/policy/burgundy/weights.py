"""What things seem to be worth to the computer player of The Castles of Burgundy, in points: read
from data/burgundy/weights.toml."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.content import Strict, read
from bot.resources import data


class BurgundyWeights(Strict, frozen=True):
    """What one computer player judges by, in points where nothing else is said."""

    worker: float
    silverling: float
    black_tile: float
    """What a tile from the black depot is worth over the silverlings paid for it."""
    covered: float
    """A space covered: more neighbours, and nearer to a colour's bonus."""
    opening: float
    """Each empty space that can be reached only from there."""
    goal: float
    """How much of a region's points each of its spaces counts for before the last one."""
    later: float
    """A discount: what is in storage still has to be placed with another die."""
    unreached: float
    """Another one, for a space that nothing borders on yet."""
    left_over: float
    """A tile that nothing can be done with."""
    castle: float
    extra_tile: float
    """A building that brings a tile."""
    ship: float
    goods: float
    """Each goods tile that a ship can take in."""
    warehouse: float
    """Each goods tile that it sells."""
    counted: float
    """For what a knowledge tile counts at the end: how many more there will be by then, for each
    phase to come."""
    animal_kinds: float
    """The same of kinds of animals."""
    sold: float
    """The same of goods sold."""
    bonuses: float
    """The knowledge tile that counts the bonuses for completed colours."""
    early: Mapping[str, float]
    """What the knowledge tiles that work during the game bring over a whole one."""


WEIGHTS: Mapping[str, BurgundyWeights] = read(
    data("burgundy", "weights.toml"), dict[str, BurgundyWeights]
)
"""By the name of what judges by them."""
NORMAL = WEIGHTS["normal"]
