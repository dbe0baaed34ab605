"""Raids, and what they ask of robber, victim and neighbour."""

from __future__ import annotations

from bot.game.choices import Bundle
from bot.game.contract import Action
from bot.game.kogge.data import CONTENT, GOOD_LETTERS, GOODS
from bot.policy.contract import Legal
from bot.policy.kogge.situation import Situation, change, words
from bot.policy.kogge.worth import GOOD_POINTS

BARRED = 5.0
"""What it costs to be barred from a city for good and pushed away, while there is time left."""
UNSEEN_CARGO = 5
"""Goods guessed on a ship that hides them."""


def raid(situation: Situation, kinds: tuple[str, ...]) -> Action | None:
    """A raid that brings more than the unused marker is worth, or None."""
    price = CONTENT.victory_points.raid + BARRED * situation.worth.time
    best = price
    action: Action | None = None
    if "raid_city" in kinds:
        gain = _gain(situation, _city_loot(situation))
        if gain > best:
            best, action = gain, ("raid_city",)
    if "raid_ship" in kinds:
        for seat, other in enumerate(situation.view.seats):
            if seat != situation.seat and other.city == situation.me.city:
                gain = _ship_gain(situation, seat)
                if gain > best:
                    best, action = gain, ("raid_ship", str(seat))
    return action


def _city_loot(situation: Situation) -> list[int]:
    city = situation.view.cities[situation.me.city]
    loot = list(city.goods)
    for office in city.offices:
        # What lies in the seat's own office is its own already.
        if office.seat != situation.seat:
            for good in range(GOODS):
                loot[good] += office.goods[good]
    return loot


def _gain(situation: Situation, loot: list[int]) -> float:
    goods = [have + more for have, more in zip(situation.goods, loot, strict=True)]
    return situation.worth.of(goods, situation.markers) - situation.now


def _ship_gain(situation: Situation, victim: int) -> float:
    """Half the cargo's worth; the victim keeps what matters most, but the loss hurts them as
    well."""
    cargo = situation.view.seats[victim].goods
    if cargo is None:
        return float(UNSEEN_CARGO)
    return _gain(situation, [(count + 1) // 2 for count in cargo]) * 0.9


def split(situation: Situation, legal: Legal) -> Action:
    """Two groups as equal in points as possible: the robber takes the better one."""
    domain = legal(("split",))
    assert isinstance(domain, Bundle)
    total = sum(n * points for n, points in zip(domain.have, GOOD_POINTS, strict=True))

    def unevenness(word: str) -> int:
        return abs(total - 2 * sum(GOOD_POINTS[GOOD_LETTERS.index(letter)] for letter in word))

    return ("split", min(domain.each(), key=unevenness))


def choose(situation: Situation) -> Action:
    """The group that is worth more together with what is on the ship."""
    groups = situation.view.groups
    assert groups is not None, "the robber sees the groups"

    def worth(group: str) -> float:
        goods, markers = situation.goods[:], situation.markers[:]
        change(goods, markers, group, 1)
        return situation.worth.of(goods, markers)

    first, second = groups
    return ("choose", "first" if worth(first) >= worth(second) else "second")


def push(situation: Situation, legal: Legal) -> Action:
    """Where the robber or loser finds least; a hidden route may lead anywhere.

    A loser that finds as little where it lies may be left there.
    """
    view = situation.view
    assert view.pushed is not None, "somebody is pushed"
    away = view.seats[view.pushed].city
    routes = dict(zip(("left", "right"), view.cities[away].routes, strict=True))
    average = sum(sum(city.goods) for city in view.cities) / len(view.cities)

    def found(name: str) -> float:
        marker = routes[name].marker
        return average if marker is None else sum(view.cities[marker].goods)

    way = min(words(legal, ("push",)), key=found)
    if view.may_pass and found(way) >= sum(view.cities[away].goods):
        return ("pass",)
    return ("push", way)
