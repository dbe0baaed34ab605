"""The pictures of Kogge: the board, each seat's turn, and each city large; where the words of its
notation are on them, and which part of the table these concern.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.contract import Action, Seat, in_turn, parse_action
from bot.game.hidden import UNSEEN
from bot.game.kogge import GAME
from bot.game.kogge.data import CITIES, GOOD_KEYS, GOOD_LETTERS, GUEST, OFFICE, split_partner
from bot.game.kogge.guild_master import walk
from bot.game.kogge.state import Demand, KoggeView
from bot.render.asked import WHOLE, AskedWords, Places, Sheet
from bot.render.kogge.cities import draw_city, draw_map
from bot.render.kogge.courses import mover, reach_of
from bot.render.kogge.panels import base_of, draw_above, draw_panels, draw_seat
from bot.render.kogge.pieces import LETTERS, PALETTE, SIGNS, legend
from bot.render.kogge.sea import BAR
from bot.render.legend import LEGEND, draw_legend
from bot.render.picture import GamePictures, Scene

Thing = tuple[str, str]
"""What has been noted on the sheet, and by which word; goods and markers with the seat that has
them."""

CITY_PARTS = tuple(f"city{number}" for number in range(CITIES))
"""The parts of the board, by the number of the city."""
_WHAT = {
    ("found", "marker"): "city",
    ("sail", "route"): "way",
    ("push", "route"): "way",
    ("reroute", "route"): "route {here}",
    ("reroute", "marker"): "marker {me}",
    ("swap_marker", "marker"): "marker {me}",
    ("buy_raid", "marker"): "marker {me}",
    ("buy", "pair"): "pair",
    ("buy", "good"): "good {me}",
    ("swap_good", "good"): "good {me}",
    ("sell_six", "good"): "good {me}",
    ("sell_six", "chit"): "chit",
    ("trade", "take"): "good in {here}",
}
"""What words mean, by the kind of action and the parameter."""
_NOWHERE = frozenset({"pass", "choose", "split", "demand", "accept", "decline", "end"})
"""Kinds of whole actions that are not told apart by places."""


def _board(scene: Scene[KoggeView]) -> Sheet:
    """The board; what has happened is marked on the map."""
    sheet = Sheet.over(base_of(scene))
    draw_map(sheet, scene)
    draw_above(sheet, scene)
    draw_panels(sheet, scene)
    return sheet


def _part(scene: Scene[KoggeView], part: str, words: Mapping[str, str]) -> Sheet:
    """A seat, a city or the legend."""
    if part == LEGEND:
        return draw_legend(scene.say("Legend"), legend(scene.say(LETTERS)), words)
    if part in CITY_PARTS:
        return draw_city(scene, CITY_PARTS.index(part))
    return draw_seat(scene, int(part))


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
    elif not _things(view, asked.prefix, asked.param, (*asked.words, "-")[0]):
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
            things = _things(view, asked.prefix, asked.param, word)
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


def _things(view: KoggeView, prefix: Action, param: str, word: str) -> list[Thing]:
    """What a word means after the words before it; of a bundle all its letters."""
    me, kind, known = view.observer, prefix[0], view.known
    here = known.players[me].city
    what = _WHAT.get((kind, param))
    if what is not None:
        words = dict.fromkeys(word) if param == "take" else [word]
        return [(what.format(me=me, here=here), each) for each in words]
    match kind, param:
        case "advance", _:
            return [("city", str(walk(known, int(word))[0]))]
        case _, "seat":
            # An office here that is dealt with, or the other's ship.
            way, other = split_partner(word)
            return [(f"office {here}" if way == OFFICE else "ship", str(other))]
        case "load", _:
            # The goods of the own offices here, which show theirs.
            return [(f"office {here}", str(me))]
        case "demand", _:
            return [_piece(_loser(view), each) for each in dict.fromkeys(word)]
        case "offer", _:
            return [_dealt(view, prefix[1], each, gives=param == "give") for each in word]
        case (("bid" | "tax" | "split" | "sail" | "peek" | "trade"), _):
            return [_piece(me, each) for each in dict.fromkeys(word)]
    return []


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


def _whole(view: KoggeView, action: Action) -> list[Thing]:
    """Where a whole action takes effect, or the first of several."""
    kind, *words = in_turn(action)[0]
    here = str(view.known.players[view.observer].city)
    if kind == "build":
        return [(f"site {here}", "")]
    if kind in ("raid_city", "stop"):
        return [("city", here)]
    if not words:
        return []
    told = 1 if kind in ("trade", "sell_six") else 0
    return _things(view, (kind, *words[:told]), GAME.moves[kind].params[told], words[told])


PICTURES = GamePictures(
    palette=PALETTE,
    bar=BAR,
    table=_board,
    part=_part,
    parts=parts,
    part_asked=part_asked,
    places=places_of,
    game=GAME,
    order=lambda known: known.order,
    signs=SIGNS,
)
