"""The pictures of Kogge: the board, a close-up for each seat and city, and the places of words on
them.
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

Note = tuple[str, str]
"""A note on the canvas: its kind, and its word. The word of a piece is its letter."""

CITY_PARTS = tuple(f"city{number}" for number in range(CITIES))
"""By city: its close-up."""
_NOTES: Mapping[tuple[str, str], str] = {
    ("found", "marker"): "city",
    ("sail", "route"): "way",
    ("push", "route"): "way",
    ("reroute", "route"): "route {city}",
    ("buy", "pair"): "pair",
    ("sell_six", "chit"): "chit",
    ("trade", "take"): "piece in {city}",
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
"""By kind of action and parameter: the kind of the notes that show its words."""
_WITHOUT_PLACE = frozenset({"pass", "choose", "split", "demand", "accept", "decline", "end"})
"""Kinds of actions that have no place of their own in the picture."""
_NEEDS_NO_TAG = frozenset({"found", "advance", "bid", "buy", "tax"})
"""Kinds of actions whose place already shows what the button says: a number, a city's name."""


def _board(scene: Scene[KoggeView]) -> LayeredCanvas:
    """Draw the board, with the latest events marked on the map."""
    canvas = LayeredCanvas.over(base_of(scene))
    draw_map(canvas, scene)
    draw_above(canvas, scene)
    for seat in range(len(scene.looks)):
        draw_panel(canvas, scene, seat)
    return canvas


def _part(scene: Scene[KoggeView], part: str, words: Mapping[str, str]) -> LayeredCanvas:
    """Draw the close-up of a seat or a city, or the legend."""
    if part == LEGEND:
        return draw_legend(scene.say("Legend"), legend(scene.say(LETTERS)), words)
    if part in CITY_PARTS:
        return draw_city(scene, CITY_PARTS.index(part))
    return draw_seat(scene, int(part))


def parts(view: KoggeView) -> tuple[str, ...]:
    """Return all close-ups: the seats, the cities and the legend."""
    return (*map(str, range(len(view.known.players))), *CITY_PARTS, LEGEND)


def part_asked(view: KoggeView, asked: AskedWords) -> str | None:
    """Return the close-up of the seat whose ship or pieces a question is about.

    None for a question about no place or piece.
    """
    kinds = {asked.kind}
    if asked.param == WHOLE:
        kinds = {action[0] for word in asked.words for action in in_turn(parse_action(word))}
        if kinds <= _WITHOUT_PLACE:
            return None
    elif not _word_notes(view, asked.prefix, asked.param, (*asked.words, "-")[0]):
        return None
    if "push" in kinds:
        return str(frame_of(view.known, Push).pushed)
    if asked.kind == "offer" and asked.param != "seat":
        return str(_giver(view, asked.prefix[1], asked.param)[1])
    return str(frame_of(view.known, Demand).loser if "demand" in kinds else view.observer)


def places_of(view: KoggeView, asked: AskedWords, canvas: LayeredCanvas) -> Places:
    """Return the places of each word, if it has any."""
    places = {}
    for word in asked.words if view.observer >= 0 else ():
        if asked.param == WHOLE:
            action = in_turn(parse_action(word))[0]
            notes = _action_notes(view, action)
        else:
            action = (*asked.prefix, word)
            notes = _word_notes(view, asked.prefix, asked.param, word)
        needs_tag = not _is_unmistakable(view, action)
        places[word] = [
            place._replace(needs_tag=place.needs_tag and needs_tag)
            for note in notes
            for place in canvas.find(*note)
        ]
    return places


def _is_unmistakable(view: KoggeView, action: Action) -> bool:
    """Return whether the picture at the place shows what the button says.

    It does for a route whose destination is known, if no other route leads there.
    """
    match action:
        case ("push" | "sail", route, *_) | ("reroute", route):
            is_push = action[0] == "push"
            ship = frame_of(view.known, Push).pushed if is_push else view.observer
            targets = {reach.route: reach.to for reach in reach_of(view.known, ship)}
            to = targets.get(route, UNSEEN)
            return to != UNSEEN and [*targets.values()].count(to) == 1
    return action[0] in _NEEDS_NO_TAG


def _action_notes(view: KoggeView, action: Action) -> list[Note]:
    """Return the notes that show a whole action."""
    kind, *words = action
    city = str(view.known.players[view.observer].city)
    if kind == "build":
        return [(f"site {city}", "")]
    if kind in ("raid_city", "stop"):
        return [("city", city)]
    if not words:
        return []
    index = 1 if kind in ("trade", "sell_six") else 0
    return _word_notes(view, (kind, *words[:index]), GAME.moves[kind].params[index], words[index])


def _word_notes(view: KoggeView, prefix: Action, param: str, word: str) -> list[Note]:
    """Return the notes that show a word after a prefix; for pieces, one for each letter."""
    me, kind, known = view.observer, prefix[0], view.known
    city = known.players[me].city
    match kind, param:
        case "advance", _:
            return [("city", str(walk(known, int(word))[0]))]
        case _, "seat":
            way, other = split_partner(word)
            return [(f"office {city}" if way == OFFICE else "ship", str(other))]
        case "load", _:
            return [(f"office {city}", str(me))]
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
    note = _NOTES.get((kind, param), "").format(me=me, city=city)
    each_word = LETTER_OF.get(word, word) if note.startswith("piece") else [word]
    return [(note, each) for each in each_word if note]


def _giver(view: KoggeView, partner: str, param: str) -> tuple[Seat, Seat]:
    """Return the seat that gives the pieces of a deal, and the seat whose ship shows their place.

    If the goods come from the giver's office, that is the other's ship.
    """
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
