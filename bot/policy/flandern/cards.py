"""Which card to play, when to take them back, and whether to go first."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

from bot.game.flandern.data import CARD_OF_KEY, EMBLEM_OF_KEY
from bot.game.flandern.plan import CITY_OF_NAME
from bot.policy.flandern.building import best_in_city, best_site
from bot.policy.flandern.worth import FlandernWorth

TAKE = "take"


def best_card(worth: FlandernWorth) -> str:
    """The card of the hand that gains most; `take` once the others gain less than is gained in a
    round on average, the rounds of taking back counted in."""
    view = worth.view
    me = view.seats[worth.seat]
    assert me.hand is not None
    gains = {card: _gain(worth, card) for card in (*me.hand, *me.open) if card != TAKE}
    hand = [card for card in me.hand if card != TAKE]
    if not hand:
        return TAKE
    best = max(hand, key=lambda card: gains[card])
    if view.golden_card == TAKE or TAKE not in me.hand:
        return best
    return best if gains[best] >= _average(gains.values()) or not me.open else TAKE


def _average(gains: Iterable[float]) -> float:
    """The most that can be gained a round by playing the best cards, and taking them back then."""
    sums = accumulate(sorted(gains, reverse=True))
    return max(total / (count + 2) for count, total in enumerate(sums))


def _gain(worth: FlandernWorth, card: str) -> float:
    """What a card could gain now."""
    guild = EMBLEM_OF_KEY[worth.view.seats[worth.seat].guild]
    if card in CITY_OF_NAME:
        return best_in_city(worth, CARD_OF_KEY[card], guild).gain
    return best_site(worth, guild).gain
