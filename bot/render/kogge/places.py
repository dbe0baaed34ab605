"""Where the words of Kogge's notation are on the board's picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.game.contract import Seat
from bot.game.kogge.data import CHIT_KEYS, CITIES, GOOD_KEYS, OFFICE
from bot.game.kogge.notation import split_partner
from bot.game.kogge.view import KoggeView
from bot.render.asked import AskedWords, Place, Places, rectangle, square
from bot.render.kogge.base import HEADER, NAME, plaque
from bot.render.kogge.cities import TILE, office_spot, route_spot, ship_spot
from bot.render.kogge.ribbon import chit_area, pair_area
from bot.render.kogge.seats import good_area, marker_area
from bot.render.sprites import Align

CITY_PARTS = tuple(f"city{number}" for number in range(CITIES))
"""The parts of the board, by the number of the city."""

_SHIP = 56
_ROUTES = ("left", "right")


def places_of(view: KoggeView, asked: AskedWords) -> Places:
    """The places of the words; none for words that name no place."""
    find = _FINDERS.get((asked.kind, asked.param))
    if find is None or view.observer < 0:
        return {}
    return {word: found for word in asked.words if (found := find(view, word))}


def city(number: int) -> Place:
    """A city's board; its tag lies over its name, right of its number."""
    left, top, right, bottom = plaque(number)
    outline = rectangle((left, top, right, bottom)).outline
    return Place(outline, (left + NAME, top + HEADER / 2), Align.LEFT)


def _city(_view: KoggeView, word: str) -> list[Place]:
    return [city(int(word))]


def _steps(view: KoggeView, word: str) -> list[Place]:
    return [city(view.guild_reach[int(word) - 1][0])]


def _route_of(seat: Seat, view: KoggeView, word: str) -> list[Place]:
    """Where a route leads, if the observer knows; else, or if both lead there, the route."""
    if word == "secret":
        return [city(view.guild_city)]
    here = view.seats[seat].city
    leads = [route.marker for route in view.cities[here].routes]
    known = leads[_ROUTES.index(word)]
    if known is None or leads[0] == leads[1]:
        return [_square(here, word)]
    return [city(known)]


def _sail(view: KoggeView, word: str) -> list[Place]:
    return _route_of(view.observer, view, word)


def _push(view: KoggeView, word: str) -> list[Place]:
    return [] if view.pushed is None else _route_of(view.pushed, view, word)


def _own_route(view: KoggeView, word: str) -> list[Place]:
    return [_square(view.seats[view.observer].city, word)]


def _square(number: int, word: str) -> Place:
    return square(*route_spot(number, _ROUTES.index(word)), TILE)


def _partner(view: KoggeView, word: str) -> list[Place]:
    """An office here that is dealt with, or the other's ship."""
    way, other = split_partner(word)
    if other is None:
        return []
    if way != OFFICE:
        return [square(*ship_spot(view, other), _SHIP)]
    here = view.seats[view.observer].city
    return [
        square(*office_spot(here, at), TILE)
        for at, office in enumerate(view.cities[here].offices)
        if office.seat == other
    ]


def _own_good(view: KoggeView, word: str) -> list[Place]:
    return [rectangle(good_area(view.observer, GOOD_KEYS.index(word)))]


def _own_marker(view: KoggeView, word: str) -> list[Place]:
    return [rectangle(marker_area(view.observer, int(word)))]


def _pair(_view: KoggeView, word: str) -> list[Place]:
    return [rectangle(pair_area(int(word) - 1))]


def _chit(_view: KoggeView, word: str) -> list[Place]:
    return [rectangle(chit_area(CHIT_KEYS.index(word)))]


def parts(_view: KoggeView) -> tuple[str, ...]:
    """What can be seen large: the cities."""
    return CITY_PARTS


def part_asked(view: KoggeView, asked: AskedWords) -> str | None:
    """The city whose routes are asked about; else the whole board, where the question is about a
    place or a piece on it; None for any other.
    """
    if (asked.kind, asked.param) == ("reroute", "route"):
        return CITY_PARTS[view.seats[view.observer].city]
    return "" if (asked.kind, asked.param) in _FINDERS else None


_FINDERS: Mapping[tuple[str, str], Callable[[KoggeView, str], list[Place]]] = {
    ("found", "marker"): _city,
    ("advance", "steps"): _steps,
    ("sail", "route"): _sail,
    ("push", "route"): _push,
    ("reroute", "route"): _own_route,
    ("reroute", "marker"): _city,
    ("challenge", "seat"): _partner,
    ("raid_ship", "seat"): _partner,
    ("offer", "seat"): _partner,
    ("buy", "pair"): _pair,
    ("buy", "good"): _own_good,
    ("swap_good", "good"): _own_good,
    ("swap_marker", "marker"): _own_marker,
    ("buy_raid", "marker"): _own_marker,
    ("sell_six", "good"): _own_good,
    ("sell_six", "chit"): _chit,
}
"""By kind and parameter."""
