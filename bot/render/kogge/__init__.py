"""The pictures of Kogge: the board, each seat's turn, and each city large; where the words of its
notation are on them, and which part of the table these concern.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.contract import Action, Seat, in_turn, parse_action
from bot.game.frames import frame_of
from bot.game.hidden import UNSEEN
from bot.game.kogge import GAME
from bot.game.kogge.data import CITIES, GOOD_LETTERS, GUEST, LETTER_OF, OFFICE, split_partner
from bot.game.kogge.rounds import walk
from bot.game.kogge.state import Demand, KoggeView, Push
from bot.render.asked import WHOLE, AskedWords, LayeredCanvas, Places
from bot.render.kogge.cities import draw_city, draw_map
from bot.render.kogge.courses import reach_of
from bot.render.kogge.panels import base_of, draw_above, draw_panel, draw_seat
from bot.render.kogge.pieces import LETTERS, PALETTE, SIGNS, legend
from bot.render.kogge.sea import BAR
from bot.render.legend import LEGEND, draw_legend
from bot.render.picture import GamePictures, Scene

Thing = tuple[str, str]
"""What has been noted on the sheet, and by which word; a piece by its letter in a bundle."""

CITY_PARTS = tuple(f"city{number}" for number in range(CITIES))
"""The parts of the board, by the number of the city."""
_WHAT: Mapping[tuple[str, str], str] = {
    ("found", "marker"): "city",
    ("sail", "route"): "way",
    ("push", "route"): "way",
    ("reroute", "route"): "route {here}",
    ("buy", "pair"): "pair",
    ("sell_six", "chit"): "chit",
    ("trade", "take"): "piece in {here}",
    ("bid", "markers"): "piece {me}",
    ("tax", "pieces"): "piece {me}",
    ("split", "group"): "piece {me}",
    ("sail", "fee"): "piece {me}",
    ("peek", "fee"): "piece {me}",
    ("trade", "give"): "piece {me}",
    ("buy", "good"): "piece {me}",
    ("swap_good", "good"): "piece {me}",
    ("sell_six", "good"): "piece {me}",
    ("swap_marker", "marker"): "piece {me}",
    ("reroute", "marker"): "piece {me}",
    ("buy_raid", "marker"): "piece {me}",
}
"""What words mean, by the kind of action and the parameter."""
_NOWHERE = frozenset({"pass", "choose", "split", "demand", "accept", "decline", "end"})
"""Kinds of whole actions that are not told apart by places."""
_BY_PLACE = frozenset({"found", "advance", "bid", "buy", "tax"})
"""Kinds whose place shows all that the button calls it: a number, a city's name."""


def _board(scene: Scene[KoggeView]) -> LayeredCanvas:
    """The board; what has happened is marked on the map."""
    canvas = LayeredCanvas.over(base_of(scene))
    draw_map(canvas, scene)
    draw_above(canvas, scene)
    for seat in range(len(scene.looks)):
        draw_panel(canvas, scene, seat)
    return canvas


def _part(scene: Scene[KoggeView], part: str, words: Mapping[str, str]) -> LayeredCanvas:
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
        return str(frame_of(view.known, Push).pushed)
    if asked.kind == "offer" and asked.param != "seat":
        return str(_giver(view, asked.prefix[1], asked.param)[1])
    return str(frame_of(view.known, Demand).loser if "demand" in kinds else view.observer)


def places_of(view: KoggeView, asked: AskedWords, canvas: LayeredCanvas) -> Places:
    """The places of the words; none for words that name no place."""
    found = {}
    for word in asked.words if view.observer >= 0 else ():
        if asked.param == WHOLE:
            action = in_turn(parse_action(word))[0]
            things = _whole(view, action)
        else:
            action = (*asked.prefix, word)
            things = _things(view, asked.prefix, asked.param, word)
        untold = not _says_itself(view, action)
        found[word] = [
            place._replace(needs_tag=place.needs_tag and untold)
            for thing in things
            for place in canvas.find(*thing)
        ]
    return found


def _says_itself(view: KoggeView, action: Action) -> bool:
    """Whether what lies there shows all that the button calls it; of a way out of a city, if it is
    known where it leads, and no other leads there."""
    match action:
        case ("push" | "sail", route, *_) | ("reroute", route):
            is_push = action[0] == "push"
            ship = frame_of(view.known, Push).pushed if is_push else view.observer
            leads = {way.route: way.to for way in reach_of(view.known, ship)}
            to = leads.get(route, UNSEEN)
            return to != UNSEEN and [*leads.values()].count(to) == 1
    return action[0] in _BY_PLACE


def _whole(view: KoggeView, action: Action) -> list[Thing]:
    """Where a whole action takes effect."""
    kind, *words = action
    here = str(view.known.players[view.observer].city)
    if kind == "build":
        return [(f"site {here}", "")]
    if kind in ("raid_city", "stop"):
        return [("city", here)]
    if not words:
        return []
    told = 1 if kind in ("trade", "sell_six") else 0
    return _things(view, (kind, *words[:told]), GAME.moves[kind].params[told], words[told])


def _things(view: KoggeView, prefix: Action, param: str, word: str) -> list[Thing]:
    """What a word means after the words before it; of a bundle all its letters."""
    me, kind, known = view.observer, prefix[0], view.known
    here = known.players[me].city
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
            loser = frame_of(known, Demand).loser
            return [(f"piece {loser}", each) for each in word]
        case "offer", _:
            giver, ship = _giver(view, prefix[1], param)
            office = f"office {known.players[ship].city}", str(giver)
            return [
                office if giver != ship and each in GOOD_LETTERS else (f"piece {giver}", each)
                for each in word
            ]
    what = _WHAT.get((kind, param), "").format(me=me, here=here)
    each_word = LETTER_OF.get(word, word) if what.startswith("piece") else [word]
    return [(what, each) for each in each_word if what]


def _giver(view: KoggeView, partner: str, param: str) -> tuple[Seat, Seat]:
    """Who gives the pieces of a deal, and at whose ship: at the other's where the goods come from
    the giver's office."""
    way, other = split_partner(partner)
    assert other is not None, "the word has been checked"
    me, by_office = view.observer, GUEST if param == "give" else OFFICE
    giver, taker = (me, other) if param == "give" else (other, me)
    return giver, taker if way == by_office else giver


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
