"""Raids, and what they ask of robber, victim and neighbour."""

from __future__ import annotations

from bot.game.choices import Bundle
from bot.game.contract import Action
from bot.game.kogge.data import CONTENT, GOOD_LETTERS, GOODS
from bot.policy.contract import Legal
from bot.policy.kogge.situation import Situation, words
from bot.policy.kogge.worth import GOOD_POINTS

STAY: Action = ("pass",)


def raids(situation: Situation, kinds: tuple[str, ...]) -> list[tuple[float, Action]]:
    """The raids that are possible, the best first, each with what it brings beyond what the unused
    marker is worth.
    """
    price = CONTENT.victory_points.raid + situation.weights.barred * situation.worth.time
    found: list[tuple[float, Action]] = []
    if "raid_city" in kinds:
        found.append((_gain(situation, _city_loot(situation)) - price, ("raid_city",)))
    if "raid_ship" in kinds:
        for seat, other in enumerate(situation.view.seats):
            if seat != situation.seat and other.city == situation.me.city:
                found.append((_ship_gain(situation, seat) - price, ("raid_ship", str(seat))))
    return sorted(found, key=lambda raid: raid[0], reverse=True)


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
        return situation.weights.unseen_cargo
    return _gain(situation, [(count + 1) // 2 for count in cargo]) * 0.9


def splits(situation: Situation, legal: Legal) -> list[Action]:
    """Two groups, the most equal in points first: the robber takes the better one."""
    domain = legal(("split",))
    assert isinstance(domain, Bundle)
    total = sum(n * points for n, points in zip(domain.have, GOOD_POINTS, strict=True))

    def unevenness(word: str) -> int:
        return abs(total - 2 * sum(GOOD_POINTS[GOOD_LETTERS.index(letter)] for letter in word))

    return [("split", word) for word in sorted(domain.each(), key=unevenness)]


def choices(situation: Situation, _legal: Legal) -> list[Action]:
    """The groups, first the one that is worth more together with what is on the ship."""
    groups = situation.view.groups
    assert groups is not None, "the robber sees the groups"
    worth = dict(zip(("first", "second"), map(situation.gain, groups), strict=True))
    return [("choose", which) for which in sorted(worth, key=lambda w: worth[w], reverse=True)]


def pushes(situation: Situation, legal: Legal) -> list[Action]:
    """First where the robber or loser finds least; a hidden route may lead anywhere.

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

    ways = sorted(words(legal, ("push",)), key=found)
    sent: list[Action] = [("push", way) for way in ways]
    if not view.may_pass:
        return sent
    if found(ways[0]) >= sum(view.cities[away].goods):
        return [STAY, *sent]
    return [*sent, STAY]
