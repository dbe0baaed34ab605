"""Where the words of Kogge's notation are on the board's picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.game.contract import Action, Seat
from bot.game.kogge.data import CITIES, GOOD_KEYS, GOOD_LETTERS, GUEST, OFFICE
from bot.game.kogge.notation import split_partner
from bot.game.kogge.view import KoggeView
from bot.render.asked import AskedWords, Places, Sheet
from bot.render.kogge.cities import ROUTES

Thing = tuple[str, str]
"""What has been noted on the sheet, and by which word."""

Finder = Callable[[KoggeView, Action, str], Thing]
"""What a word of the notation means after the words before it; of a bundle, a letter."""

CITY_PARTS = tuple(f"city{number}" for number in range(CITIES))
"""The parts of the board, by the number of the city."""


def places_of(view: KoggeView, asked: AskedWords, sheet: Sheet) -> Places:
    """The places of the words; none for words that name no place."""
    find = _FINDERS.get((asked.kind, asked.param))
    if find is None or view.observer < 0:
        return {}
    found = {word: sheet.find(*find(view, asked.prefix, word)) for word in asked.words}
    return {word: there for word, there in found.items() if there}


def _own(what: str) -> Finder:
    return lambda view, _prefix, word: (f"{what} {view.observer}", word)


def _always(what: str) -> Finder:
    return lambda _view, _prefix, word: (what, word)


def _piece(seat: Seat, letter: str) -> Thing:
    """A piece of a seat by its letter in a bundle."""
    if letter in GOOD_LETTERS:
        return f"good {seat}", GOOD_KEYS[GOOD_LETTERS.index(letter)]
    return f"marker {seat}", letter


def _own_piece(view: KoggeView, _prefix: Action, letter: str) -> Thing:
    return _piece(view.observer, letter)


def _loser_piece(view: KoggeView, _prefix: Action, letter: str) -> Thing:
    assert view.conflict is not None, "somebody has won a conflict"
    return _piece(view.conflict[1], letter)


def _city_good(view: KoggeView, _prefix: Action, letter: str) -> Thing:
    return f"good in {view.seats[view.observer].city}", letter


def _loaded(view: KoggeView, _prefix: Action, _letter: str) -> Thing:
    """Goods of the own offices here, which show theirs."""
    return f"office {view.seats[view.observer].city}", str(view.observer)


def _given(view: KoggeView, prefix: Action, letter: str) -> Thing:
    return _dealt(view, prefix, letter, view.observer, GUEST)


def _taken(view: KoggeView, prefix: Action, letter: str) -> Thing:
    _, other = split_partner(prefix[1])
    assert other is not None, "the word has been checked"
    return _dealt(view, prefix, letter, other, OFFICE)


def _dealt(view: KoggeView, prefix: Action, letter: str, seat: Seat, by_office: str) -> Thing:
    """A piece that a seat may give; its goods come from its office, if it deals by that."""
    way, other = split_partner(prefix[1])
    if way != by_office or letter not in GOOD_LETTERS:
        return _piece(seat, letter)
    ship = view.observer if way == OFFICE or other is None else other
    return f"office {view.seats[ship].city}", str(seat)


def _steps(view: KoggeView, _prefix: Action, word: str) -> Thing:
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


def _sail(view: KoggeView, _prefix: Action, word: str) -> Thing:
    return _route_of(view.observer, view, word)


def _push(view: KoggeView, _prefix: Action, word: str) -> Thing:
    assert view.pushed is not None, "a ship is moved by force"
    return _route_of(view.pushed, view, word)


def _own_route(view: KoggeView, _prefix: Action, word: str) -> Thing:
    return f"route {view.seats[view.observer].city}", word


def _partner(view: KoggeView, _prefix: Action, word: str) -> Thing:
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
    ("bid", "markers"): _own_piece,
    ("tax", "pieces"): _own_piece,
    ("split", "group"): _own_piece,
    ("sail", "fee"): _own_piece,
    ("peek", "fee"): _own_piece,
    ("load", "pieces"): _loaded,
    ("trade", "give"): _own_piece,
    ("trade", "take"): _city_good,
    ("demand", "goods"): _loser_piece,
    ("offer", "give"): _given,
    ("offer", "take"): _taken,
}
"""By kind and parameter; goods and markers are noted with the seat that has them."""
