"""What a computer player takes pieces and plans to be worth, as numbers that can be tuned."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.content import Strict, read
from bot.resources import data


class KoggeWeights(Strict, frozen=True, eq=False):
    """A way to judge, in victory points, roughly. What is judged is kept by which of them it is."""

    office: float
    """An office, as a gain at the moment it is made."""
    chit: float
    """A bonus chit, as well."""
    win: float
    """The fifth development point, as well."""
    near_office: tuple[float, float, float, float, float, float]
    """The part of `office` that goods and markers are worth which lack 0, 1, 2 ... of its price."""
    near_chit: tuple[float, float, float, float, float, float, float]
    """The part of what selling six of a kind gains that so many of them are worth."""
    last_plan: float
    """How much more plans are worth that bring the fifth development point."""
    trading: float
    """What any good is worth for what it can be traded into, while there is time to trade."""
    markers: tuple[float, ...]
    """What so many markers are worth for bids and fees; more than these add little."""
    more_markers: float
    """What each of those is worth."""
    rounds: float
    """From so many rounds to the end on, plans are worth all they promise."""
    place: float
    """In a bid: what each place earlier in the order of play is worth."""
    first: float
    """In a bid: what moving the guild master is worth to a ship with six goods to sell."""
    office_good: float
    """In a bid: what a good in the seat's own office is worth beyond its points."""
    barred: float
    """What it costs to be barred from a city for good and pushed away, while there is time left."""
    unseen_cargo: float
    """What half of a cargo that is hidden is taken to be worth."""
    gain: float
    """The least gain for which an action is taken."""
    raid_marker: float
    """What the second Raid is worth: ten points if it stays unused, and less freedom if not."""
    unknown: float
    """What trying a hidden route is worth beyond staying: a ship that never moves never trades."""
    crowd: float
    """What every further step costs beyond its fee, so that equal plans prefer the short way."""
    look: float
    """What it is worth to see where both routes of a city lead."""


WEIGHTS: Mapping[str, KoggeWeights] = read(data("kogge", "weights.toml"), dict[str, KoggeWeights])
"""Those of each player, by its name."""
NORMAL = WEIGHTS["normal"]
