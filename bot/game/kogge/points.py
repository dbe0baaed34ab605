"""Victory points during the game, as far as an observer can count them."""

from __future__ import annotations

from bot.game.contract import Seat
from bot.game.kogge.data import CONTENT
from bot.game.kogge.view import Counts, KoggeView


def known_points(view: KoggeView, seat: Seat) -> int:
    """A seat's victory points if the game ended now, without goods that are hidden on its ship."""
    value, who = CONTENT.victory_points, view.seats[seat]
    total = value.office * who.offices + value.chit * len(who.chits) + value.raid * who.raids
    stocks = [
        office.goods for city in view.cities for office in city.offices if office.seat == seat
    ]
    if who.goods is not None:
        stocks.append(who.goods)
    return total + sum(map(_worth, stocks))


def _worth(goods: Counts) -> int:
    return sum(kind.points * count for kind, count in zip(CONTENT.goods, goods, strict=True))
