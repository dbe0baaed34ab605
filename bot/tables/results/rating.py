"""How strong players are, by openskill: computed after each game from places alone."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from openskill.models import PlackettLuce

_MODEL = PlackettLuce()
_UNIT = 40
_BEGIN = 1000


class Trust(StrEnum):
    """How much a rating can be trusted."""

    NEW = "new"
    VAGUE = "vague"
    FAIR = "fair"
    FIRM = "firm"


_BELOW = ((3.0, Trust.FIRM), (4.5, Trust.FAIR), (6.5, Trust.VAGUE))
"""Each level is for a sigma below that many units of openskill (a new player has 8.3)."""


class Rating(NamedTuple):
    """A strength as openskill sees it, and its uncertainty, both in openskill's units."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma

    @property
    def points(self) -> int:
        """What the player is almost certainly worth at least; 1000 for a new one."""
        return round(_BEGIN + _UNIT * (self.mu - 3 * self.sigma))

    @property
    def trust(self) -> Trust:
        """How much it can be trusted."""
        return next((word for most, word in _BELOW if self.sigma < most), Trust.NEW)


def rated(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """The ratings after a game. The lower the rank the better; equal ranks are a tie."""
    teams = [[_MODEL.rating(each.mu, each.sigma)] for each in before]
    after = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Rating(player.mu, player.sigma) for (player,) in after]
