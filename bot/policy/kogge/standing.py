"""Who is ahead, as far as it can be seen."""

from __future__ import annotations

from bot.game.kogge.data import CONTENT, GOODS
from bot.game.kogge.view import View
from bot.policy.kogge.worth import GOOD_POINTS

TYPICAL_GOODS = 12
"""Points guessed for goods that are hidden."""


def points(view: View, seat: int) -> int:
    """Victory points if the game ended now; hidden goods are guessed."""
    value = CONTENT.victory_points
    who = view.seats[seat]
    total = value.office * who.offices + value.chit * len(who.chits) + value.raid * who.raids
    if who.goods is None:
        total += TYPICAL_GOODS
    else:
        total += sum(n * each for n, each in zip(who.goods, GOOD_POINTS, strict=True))
    for city in view.cities:
        for office in city.offices:
            if office.seat == seat:
                total += sum(office.goods[good] * GOOD_POINTS[good] for good in range(GOODS))
    return total


def lead(view: View, seat: int) -> int:
    """The seat's points less those of the best other; negative where it is behind."""
    return points(view, seat) - max(
        points(view, other) for other in range(len(view.seats)) if other != seat
    )
