"""Which card to play, when to take them back, and whether to go first."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

from bot.game.flandern.data import CARD_OF_KEY, EMBLEM_OF_KEY, GUILDS
from bot.game.flandern.plan import CITY_OF_NAME
from bot.policy.flandern.building import Prospect, best_in_city, best_site
from bot.policy.flandern.worth import CityWorth, FlandernWorth

TAKE = "take"
LOSS = 2.0
"""The points that others could take first which are worth an influence card."""


def by_card(worth: FlandernWorth) -> list[str]:
    """The cards of the hand, first that which gains most; `take` before those that gain less than
    is gained in a round on average, the rounds of taking back counted in. A golden card may take
    them back for nothing."""
    view = worth.view
    me = view.seats[worth.seat]
    assert me.hand is not None
    gains = {card: best_way(worth, card).gain for card in (*me.hand, *me.open) if card != TAKE}
    hand = [card for card in me.hand if card != TAKE]
    hand.sort(key=lambda card: -gains[card])
    least = float("-inf") if view.golden_card == TAKE else _average(gains.values())
    good = [card for card in hand if gains[card] >= least]
    return [*good, TAKE, *hand[len(good) :]]


def influence(worth: FlandernWorth, card: str) -> int:
    """How many influence cards to lay out with a card: one, where somebody who acts before could
    take much of what it would gain."""
    view = worth.view
    me, before = view.seats[worth.seat], view.order[: view.order.index(worth.seat)]
    if card not in CITY_OF_NAME or not me.influence or not before:
        return 0
    city, guild = worth.cities[CITY_OF_NAME[card]], EMBLEM_OF_KEY[me.guild]
    gain = best_in_city(city, guild).gain
    if gain <= LOSS:
        return 0
    rivals = [view.seats[seat] for seat in before if card not in view.seats[seat].open]
    left = [_left_by(EMBLEM_OF_KEY[rival.guild], city, guild) for rival in rivals]
    return int(gain - min(left, default=gain) > LOSS)


def _left_by(rival: int, city: CityWorth, guild: int) -> float:
    """What the card of a city could gain once another guild has done there what serves it best."""
    weights = [1.0 if each == rival else -1 / GUILDS for each in range(GUILDS)]
    theirs = best_in_city(city.seen_with(weights), rival).action
    return best_in_city(city.after(theirs) if theirs else city, guild).gain


def _average(gains: Iterable[float]) -> float:
    """The most that can be gained a round by playing the best cards, and taking them back then."""
    sums = accumulate(sorted(gains, reverse=True))
    return max(total / (count + 2) for count, total in enumerate(sums))


def best_way(worth: FlandernWorth, card: str) -> Prospect:
    """The best that a card of the hand could do now."""
    guild = EMBLEM_OF_KEY[worth.view.seats[worth.seat].guild]
    if card in CITY_OF_NAME:
        return best_in_city(worth.cities[CARD_OF_KEY[card]], guild)
    return best_site(worth, guild)
