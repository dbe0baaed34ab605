"""Advanced rule D: whether to exchange a route of the first city."""

from __future__ import annotations

from msgspec.structs import replace

from bot.game.contract import Action
from bot.policy.contract import Legal
from bot.policy.kogge.movement import best_voyage
from bot.policy.kogge.situation import Situation, words

SIDES = ("left", "right")
BETTER = 1.0
"""What a new route must gain."""
KEEP: Action = ("pass",)


def exchanges(situation: Situation, legal: Legal) -> list[Action]:
    """The exchanges of a route, by the first voyage that they open, and keeping both before those
    that open no better one.
    """
    worth = {KEEP: _first_voyage(situation) + BETTER}
    if "reroute" in words(legal, ()):
        for side in words(legal, ("reroute",)):
            for marker in words(legal, ("reroute", side)):
                after = _exchanged(situation, SIDES.index(side), int(marker))
                worth["reroute", side, marker] = _first_voyage(after)
    return sorted(worth, key=lambda action: worth[action], reverse=True)


def _first_voyage(situation: Situation) -> float:
    city = situation.me.city
    return best_voyage(situation, situation.view.guild_city, city, 1).worth


def _exchanged(situation: Situation, side: int, marker: int) -> Situation:
    """The situation with an own marker in place of the one on that side."""
    view, seat, me = situation.view, situation.seat, situation.me
    city = view.cities[me.city]
    old = city.routes[side].marker
    markers = situation.markers[:]
    markers[marker] -= 1
    if old is not None:
        markers[old] += 1
    routes = [*city.routes]
    routes[side] = replace(routes[side], marker=marker)
    cities, seats = [*view.cities], [*view.seats]
    cities[me.city] = replace(city, routes=(routes[0], routes[1]))
    seats[seat] = replace(me, markers=tuple(markers))
    return Situation(
        replace(view, cities=tuple(cities), seats=tuple(seats)), seat, situation.weights
    )
