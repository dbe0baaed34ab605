"""Where the words of Kogge's notation are on the board's picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.game.contract import Seat
from bot.game.kogge.data import CITIES, OFFICE
from bot.game.kogge.notation import split_partner
from bot.game.kogge.view import KoggeView
from bot.render.asked import AskedWords, Places, Sheet
from bot.render.kogge.cities import ROUTES

Thing = tuple[str, str]
"""What has been noted on the sheet, and by which word."""

Finder = Callable[[KoggeView, str], Thing]
"""What a word of the notation means."""

CITY_PARTS = tuple(f"city{number}" for number in range(CITIES))
"""The parts of the board, by the number of the city."""


def places_of(view: KoggeView, asked: AskedWords, sheet: Sheet) -> Places:
    """The places of the words; none for words that name no place."""
    find = _FINDERS.get((asked.kind, asked.param))
    if find is None or view.observer < 0:
        return {}
    return {word: found for word in asked.words if (found := sheet.find(*find(view, word)))}


def _own(what: str) -> Finder:
    return lambda view, word: (f"{what} {view.observer}", word)


def _always(what: str) -> Finder:
    return lambda _view, word: (what, word)


def _steps(view: KoggeView, word: str) -> Thing:
    return "city", str(view.guild_reach[int(word) - 1][0])


def _route_of(seat: Seat, view: KoggeView, word: str) -> Thing:
    """Where a route leads, if the observer knows; else, or if both lead there, the route."""
    if word == "secret":
        return "city", str(view.guild_city)
    here = view.seats[seat].city
    leads = [route.marker for route in view.cities[here].routes]
    known = leads[ROUTES.index(word)]
    if known is None or leads[0] == leads[1]:
        return f"route {here}", word
    return "city", str(known)


def _sail(view: KoggeView, word: str) -> Thing:
    return _route_of(view.observer, view, word)


def _push(view: KoggeView, word: str) -> Thing:
    assert view.pushed is not None, "a ship is moved by force"
    return _route_of(view.pushed, view, word)


def _own_route(view: KoggeView, word: str) -> Thing:
    return f"route {view.seats[view.observer].city}", word


def _partner(view: KoggeView, word: str) -> Thing:
    """An office here that is dealt with, or the other's ship."""
    way, other = split_partner(word)
    here = view.seats[view.observer].city
    return f"office {here}" if way == OFFICE else "ship", str(other)


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


_FINDERS: Mapping[tuple[str, str], Finder] = {
    ("found", "marker"): _always("city"),
    ("advance", "steps"): _steps,
    ("sail", "route"): _sail,
    ("push", "route"): _push,
    ("reroute", "route"): _own_route,
    ("reroute", "marker"): _always("city"),
    ("challenge", "seat"): _partner,
    ("raid_ship", "seat"): _partner,
    ("offer", "seat"): _partner,
    ("buy", "pair"): _always("pair"),
    ("buy", "good"): _own("good"),
    ("swap_good", "good"): _own("good"),
    ("swap_marker", "marker"): _own("marker"),
    ("buy_raid", "marker"): _own("marker"),
    ("sell_six", "good"): _own("good"),
    ("sell_six", "chit"): _always("chit"),
}
"""By kind and parameter; goods and markers are noted with the seat that has them."""
