"""Which card to play, when to take them back, and whether to go first."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

from bot.game.flandern.data import GUILDS, SITE, TAKE
from bot.policy.flandern.building import best_in_city, best_site
from bot.policy.flandern.worth import CityWorth, FlandernWorth, Prospect


def by_card(worth: FlandernWorth) -> list[int]:
    """The cards of the hand, first that which gains most; `take` before those that gain less than
    is gained in a round on average, the rounds of taking back counted in. A golden card may take
    them back for nothing."""
    about = worth.situation
    lying = about.lying[about.seat]
    gains = {card: best_way(worth, card).gain for card in (*about.hand, *lying) if card != TAKE}
    hand = [card for card in about.hand if card != TAKE]
    hand.sort(key=lambda card: -gains[card])
    least = float("-inf") if about.golden == TAKE else _average(gains.values())
    good = [card for card in hand if gains[card] >= least]
    return [*good, TAKE, *hand[len(good) :]]


def influence(worth: FlandernWorth, card: int) -> int:
    """How many influence cards to lay out with a card: one, where somebody who acts before could
    take much of what it would gain."""
    about, loss = worth.situation, worth.judge.weights.loss
    before = about.order[: about.order.index(about.seat)]
    if card >= SITE or not about.influence or not before:
        return 0
    city = worth.city(card)
    gain = best_in_city(city, about.own).gain
    if gain <= loss:
        return 0
    rivals = [seat for seat in before if card not in about.lying[seat]]
    left = [_left_by(about.guilds[rival][0], city, about.own) for rival in rivals]
    return int(gain - min(left, default=gain) > loss)


def _left_by(rival: int, city: CityWorth, guild: int) -> float:
    """What the card of a city could gain once another guild has done there what serves it best."""
    gains = tuple([1.0 if each == rival else -1 / GUILDS for each in range(GUILDS)])
    theirs = best_in_city(city.seen_with(gains), rival).action
    return best_in_city(city.after(theirs) if theirs else city, guild).gain


def _average(gains: Iterable[float]) -> float:
    """The most that can be gained a round by playing the best cards, and taking them back then."""
    sums = accumulate(sorted(gains, reverse=True))
    return max(total / (count + 2) for count, total in enumerate(sums))


def best_way(worth: FlandernWorth, card: int) -> Prospect:
    """The best that a card of the hand could do now."""
    own = worth.situation.own
    return best_site(worth, own) if card == SITE else best_in_city(worth.city(card), own)
