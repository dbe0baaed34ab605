"""Where the words of Kogge's notation are on the pictures, and which part of these they concern."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.contract import Action, Seat, in_turn, parse_action
from bot.game.hidden import UNSEEN
from bot.game.kogge.data import CITIES, GOOD_KEYS, GOOD_LETTERS, GUEST, OFFICE, split_partner
from bot.game.kogge.guild_master import walk
from bot.game.kogge.state import Demand, KoggeView
from bot.render.asked import WHOLE, AskedWords, Places, Sheet
from bot.render.kogge.courses import mover, reach_of
from bot.render.legend import LEGEND

Thing = tuple[str, str]
"""What has been noted on the sheet, and by which word; goods and markers with the seat that has
them."""

CITY_PARTS = tuple(f"city{number}" for number in range(CITIES))
"""The parts of the board, by the number of the city."""
_NOWHERE = frozenset({"pass", "choose", "split", "demand", "accept", "decline", "end"})
"""Kinds of whole actions that are not told apart by places."""


def parts(view: KoggeView) -> tuple[str, ...]:
    """What can be seen large: the seats, each with its ship, the cities, and what signs mean."""
    return (*map(str, range(len(view.known.players))), *CITY_PARTS, LEGEND)


def part_asked(view: KoggeView, asked: AskedWords) -> str | None:
    """The seat with whose ship or pieces a question is concerned; None where it is about no place
    or piece.
    """
    kinds = {asked.kind}
    if asked.param == WHOLE:
        kinds = {action[0] for word in asked.words for action in in_turn(parse_action(word))}
        if kinds <= _NOWHERE:
            return None
    elif _thing(view, asked.prefix, asked.param, (*asked.words, "")[0]) is None:
        return None
    if "push" in kinds:
        return str(mover(view.known))
    if asked.kind == "offer" and asked.param in ("give", "take"):
        # The one with whose ship the pieces lie that are given or taken.
        way, other = split_partner(asked.prefix[1])
        own = way != GUEST if asked.param == "give" else way == OFFICE
        return str(view.observer if own else other)
    return str(_loser(view) if "demand" in kinds else view.observer)


def places_of(view: KoggeView, asked: AskedWords, sheet: Sheet) -> Places:
    """The places of the words; none for words that name no place."""
    found = {}
    for word in asked.words if view.observer >= 0 else ():
        if asked.param == WHOLE:
            things = _whole(view, parse_action(word))
        else:
            thing = _thing(view, asked.prefix, asked.param, word)
            things = [thing] if thing else []
        untold = not _says_itself(view, asked, word)
        there = [
            place._replace(needs_tag=place.needs_tag and untold)
            for thing in things
            for place in sheet.find(*thing)
        ]
        if there:
            found[word] = there
    return found


def _says_itself(view: KoggeView, asked: AskedWords, word: str) -> bool:
    """Whether what lies there shows all that the button calls it: a number, a city's name; of a way
    out of a city, if it is known where it leads, and no other leads there."""
    whole = asked.param == WHOLE
    match in_turn(parse_action(word))[0] if whole else (*asked.prefix, word):
        case ("found" | "advance" | "bid" | "buy" | "tax", *_):
            return True
        case ("push" | "sail" | "reroute" as kind, route, *rest) if kind != "reroute" or not rest:
            pushed = mover(view.known) if kind == "push" else None
            seat = view.observer if pushed is None else pushed
            leads = {way.route: way.to for way in reach_of(view.known, seat)}
            to = leads.get(route, UNSEEN)
            return to != UNSEEN and list(leads.values()).count(to) == 1
    return False


def _loser(view: KoggeView) -> Seat:
    frame = view.known.frames[-1]
    assert isinstance(frame, Demand), "somebody has won a conflict"
    return frame.loser


def _thing(view: KoggeView, prefix: Action, param: str, word: str) -> Thing | None:
    """What a word means after the words before it; of a bundle, a letter. Without a parameter it is
    the first word of a whole action."""
    me = view.observer
    here = view.known.players[me].city
    match prefix[0], param:
        case "found", _:
            return "city", word
        case "advance", _:
            return "city", str(walk(view.known, int(word))[0])
        case (("sail" | "push"), ("route" | "")):
            return "way", word
        case "reroute", ("route" | ""):
            return f"route {here}", word
        case (("challenge" | "raid_ship"), _) | ("offer", "seat"):
            # An office here that is dealt with, or the other's ship.
            way, other = split_partner(word)
            return f"office {here}" if way == OFFICE else "ship", str(other)
        case "buy", ("pair" | ""):
            return "pair", word
        case (("buy" | "swap_good" | "sell_six"), ("good" | "")):
            return f"good {me}", word
        case (("reroute" | "swap_marker" | "buy_raid"), _):
            return f"marker {me}", word
        case "sell_six", _:
            return "chit", word
        case "trade", "take":
            return f"good in {here}", word
        case "load", _:
            # The goods of the own offices here, which show theirs.
            return f"office {here}", str(me)
        case "demand", _:
            return _piece(_loser(view), word)
        case "offer", _:
            return _dealt(view, prefix[1], word, gives=param == "give")
        case (("bid" | "tax" | "split" | "sail" | "peek" | "trade"), _):
            return _piece(me, word)
    return None


def _dealt(view: KoggeView, partner: str, letter: str, *, gives: bool) -> Thing:
    """A piece that a seat may give; its goods come from its office, if it deals by that."""
    way, other = split_partner(partner)
    assert other is not None, "the word has been checked"
    seat = view.observer if gives else other
    if way != (GUEST if gives else OFFICE) or letter not in GOOD_LETTERS:
        return _piece(seat, letter)
    ship = view.observer if way == OFFICE else other
    return f"office {view.known.players[ship].city}", str(seat)


def _piece(seat: Seat, letter: str) -> Thing:
    """A piece of a seat by its letter in a bundle."""
    if letter in GOOD_LETTERS:
        return f"good {seat}", GOOD_KEYS[GOOD_LETTERS.index(letter)]
    return f"marker {seat}", letter


def _whole(view: KoggeView, action: Action) -> Sequence[Thing]:
    """Where a whole action takes effect, or the first of several."""
    kind, *rest = in_turn(action)[0]
    me = view.observer
    here = view.known.players[me].city
    match kind, rest:
        case "trade", [_, take]:
            return [(f"good in {here}", letter) for letter in dict.fromkeys(take)]
        case "bid" | "tax" | "peek", [pieces]:
            return [_piece(me, letter) for letter in dict.fromkeys(pieces)]
        case "build", _:
            return [(f"site {here}", "")]
        case "raid_city" | "stop", _:
            return [("city", str(here))]
        case "sell_six", [_, chit]:
            return [("chit", chit)]
        case _, [first, *_]:
            thing = _thing(view, (kind,), "", first)
            return [thing] if thing else []
    return []
