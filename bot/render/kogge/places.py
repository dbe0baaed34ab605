"""Where the words of Kogge's notation are on the board's picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bot.game.contract import Action, Seat, in_turn, parse_action
from bot.game.kogge.data import CITIES, GOOD_KEYS, GOOD_LETTERS, GUEST, OFFICE, split_partner
from bot.game.kogge.view import KoggeView
from bot.render.asked import WHOLE, AskedWords, Places, Sheet
from bot.render.kogge.reach import reach_of
from bot.render.legend import LEGEND

Thing = tuple[str, str]
"""What has been noted on the sheet, and by which word."""

Finder = Callable[[KoggeView, Action, str], Thing]
"""What a word of the notation means after the words before it; of a bundle, a letter."""

CITY_PARTS = tuple(f"city{number}" for number in range(CITIES))
"""The parts of the board, by the number of the city."""


def places_of(view: KoggeView, asked: AskedWords, sheet: Sheet) -> Places:
    """The places of the words; none for words that name no place."""
    find = _FINDERS.get((asked.kind, asked.param))
    if view.observer < 0:
        return {}
    if asked.param == WHOLE:
        things = {word: _whole(view, parse_action(word)) for word in asked.words}
    elif find is None:
        return {}
    else:
        things = {word: [find(view, asked.prefix, word)] for word in asked.words}
    found = {
        word: [
            place._replace(needs_tag=place.needs_tag and not _says_itself(view, asked, word))
            for thing in where
            for place in sheet.find(*thing)
        ]
        for word, where in things.items()
    }
    return {word: there for word, there in found.items() if there}


def _says_itself(view: KoggeView, asked: AskedWords, word: str) -> bool:
    """Whether what lies there shows all that the button calls it: a number, a city's name."""
    whole = asked.param == WHOLE
    match in_turn(parse_action(word))[0] if whole else (*asked.prefix, word):
        case ("found" | "advance" | "bid" | "buy" | "tax", *_):
            return True
        case ("push", route):
            assert view.pushed is not None, "somebody's ship is pushed"
            return _is_told_apart(view, view.pushed, route)
        case ("sail", route, *_) | ("reroute", route):
            return _is_told_apart(view, view.observer, route)
    return False


def _is_told_apart(view: KoggeView, seat: Seat, route: str) -> bool:
    """Whether it is known where that ship would come by a route, and no other leads there."""
    leads = {way.route: way.to for way in reach_of(view, seat)}
    to = leads.get(route)
    return to is not None and list(leads.values()).count(to) == 1


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


def _loser(view: KoggeView) -> Seat:
    assert view.conflict is not None, "somebody has won a conflict"
    return view.conflict[1]


def _loser_piece(view: KoggeView, _prefix: Action, letter: str) -> Thing:
    return _piece(_loser(view), letter)


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


def _dealer(view: KoggeView, prefix: Action, param: str) -> Seat:
    """The seat with whose ship the pieces lie that are given or taken."""
    way, other = split_partner(prefix[1])
    assert other is not None, "the word has been checked"
    own_ship = way != GUEST if param == "give" else way == OFFICE
    return view.observer if own_ship else other


def _steps(view: KoggeView, _prefix: Action, word: str) -> Thing:
    return "city", str(view.guild_reach[int(word) - 1][0])


def _own_route(view: KoggeView, _prefix: Action, word: str) -> Thing:
    return f"route {view.seats[view.observer].city}", word


def _partner(view: KoggeView, _prefix: Action, word: str) -> Thing:
    """An office here that is dealt with, or the other's ship."""
    way, other = split_partner(word)
    here = view.seats[view.observer].city
    return f"office {here}" if way == OFFICE else "ship", str(other)


def parts(view: KoggeView) -> tuple[str, ...]:
    """What can be seen large: the seats, each with its ship, the cities, and what signs mean."""
    return (*map(str, range(len(view.seats))), *CITY_PARTS, LEGEND)


def part_asked(view: KoggeView, asked: AskedWords) -> str | None:
    """The seat with whose ship or pieces a question is concerned; None where it is about no place
    or piece.
    """
    kinds = {asked.kind}
    if asked.param == WHOLE:
        kinds = {action[0] for word in asked.words for action in in_turn(parse_action(word))}
        if kinds <= _NOWHERE:
            return None
    elif (asked.kind, asked.param) not in _FINDERS:
        return None
    if "push" in kinds:
        return str(view.pushed)
    if "offer" in kinds and asked.param in ("give", "take"):
        return str(_dealer(view, asked.prefix, asked.param))
    return str(_loser(view) if "demand" in kinds else view.observer)


_NOWHERE = frozenset({"pass", "choose", "split", "demand", "accept", "decline", "end"})
"""Kinds of whole actions that are not told apart by places."""


def _whole(view: KoggeView, action: Action) -> Sequence[Thing]:
    """Where a whole action takes effect, or the first of several."""
    kind, *rest = in_turn(action)[0]
    here = view.seats[view.observer].city
    match kind, rest:
        case "trade", [_, take]:
            return [(f"good in {here}", letter) for letter in dict.fromkeys(take)]
        case "bid" | "tax" | "peek", [pieces]:
            return [_piece(view.observer, letter) for letter in dict.fromkeys(pieces)]
        case "build", _:
            return [(f"site {here}", "")]
        case "raid_city" | "stop", _:
            return [("city", str(here))]
        case "load", _:
            return [(f"office {here}", str(view.observer))]
        case "sell_six", [_, chit]:
            return [("chit", chit)]
        case _, [first, *_]:
            finders = (find for (known, _), find in _FINDERS.items() if known == kind)
            return [find(view, (kind,), first) for find in finders][:1]
    return []


_FINDERS: Mapping[tuple[str, str], Finder] = {
    ("found", "marker"): _always("city"),
    ("advance", "steps"): _steps,
    ("sail", "route"): _always("way"),
    ("push", "route"): _always("way"),
    ("reroute", "route"): _own_route,
    ("reroute", "marker"): _own("marker"),
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
