"""How strong players are, by openskill: computed after each game from places alone.

It is loaded when the first game ends: until then it would be 1.5 MB that nobody needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

MU, SIGMA = 25.0, 25 / 3
"""What openskill makes of a new player."""
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

    mu: float = MU
    sigma: float = SIGMA

    @property
    def points(self) -> int:
        """What the player is almost certainly worth at least; 1000 for a new one."""
        return round(_BEGIN + _UNIT * (self.mu - 3 * self.sigma))

    @property
    def trust(self) -> Trust:
        """How much it can be trusted."""
        return next((word for most, word in _BELOW if self.sigma < most), Trust.NEW)


def rated(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """The ratings after a game. The lower the rank the better; equal ranks are a tie.

    The first call loads openskill, which takes 50 ms: not for the event loop.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(mu=MU, sigma=SIGMA)
    teams = [[model.rating(each.mu, each.sigma)] for each in before]
    after = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Rating(player.mu, player.sigma) for (player,) in after]
