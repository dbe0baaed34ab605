"""What is asked: whole decisions, and the next word of an action being built."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from bot.game.burgundy.data import CONTENT
from bot.game.burgundy.view import Place, Sale, SeatView, Take, Use, View
from bot.game.choices import Choices, Done
from bot.game.contract import Action, Decision
from bot.text.burgundy.names import AWAITED
from bot.text.burgundy.speech import ANY, Speech, word_of
from bot.text.words import Message, msg

Way = TypeVar("Way", Take, Place, Sale)

_QUESTIONS: Mapping[str, Message] = {
    "board": msg("Choose your estate. Nobody else can have the same board, but for board 1."),
    "castle": msg(
        "Choose the space of your first castle on board {board}; you build on from there. "
        "Nobody sees it until all have chosen."
    ),
    "extra": msg("🏰 Your castle gives you one more action, with a die of any number."),
    "warehouse": msg("Your {tile} sells all your goods of one type. You may decline."),
    "carpenter": msg(
        "Your {tile} brings you a building from one of the depots 1 to 6. You may decline."
    ),
    "church": msg(
        "Your {tile} brings you a mine, a castle or a knowledge tile from one of the depots "
        "1 to 6. You may decline."
    ),
    "market": msg(
        "Your {tile} brings you a ship or animals from one of the depots 1 to 6. You may decline."
    ),
    "city_hall": msg(
        "Your {tile} lets you place one more tile out of your storage, whatever its number. "
        "You may decline."
    ),
    "load": msg("Your ship loads the goods of one depot. From which?"),
}

_CHOSEN = msg("Your castle will stand on {space}. You may choose anew until all have chosen.")
_SECOND = msg(
    "Your ship may load a second time, from a depot beside {depot}. From which? You may decline."
)

_PROMPTS: Mapping[tuple[str, str], Message] = {
    ("board", "board"): msg("Which board?"),
    ("castle", "space"): msg("Where shall your first castle stand?"),
    ("take", "die"): msg("With which die do you take a tile?"),
    ("take", "depot"): msg("From which depot?"),
    ("take", "tile"): msg("Which tile do you take?"),
    ("take", "discard"): msg("Your storage is full. Which of its tiles leaves the game?"),
    ("place", "die"): msg("With which die do you place a tile?"),
    ("place", "tile"): msg("Which tile do you place?"),
    ("place", "space"): msg("On which space?"),
    ("sell", "die"): msg("With which die do you sell?"),
    ("sell", "good"): msg("Which goods do you sell?"),
    ("workers", "die"): msg("Which die do you give for workers?"),
    ("buy", "depot"): msg("From which depot do you buy?"),
    ("buy", "tile"): msg("Which tile do you buy?"),
    ("buy", "discard"): msg("Your storage is full. Which of its tiles leaves the game?"),
    ("load", "depot"): msg("From which depot do you load?"),
    ("load", "goods"): msg("Not all types fit, for you can store three. Which do you load?"),
}


def question(speech: Speech, decision: Decision, view: View) -> str:
    """What is asked of the decision's seat."""
    words, seat = speech.words, view.seats[decision.seat]
    if decision.kind == "turn":
        return _turn(speech, view, seat)
    if decision.kind == "castle" and view.chosen is not None:
        return words(_CHOSEN, space=speech.space(view.chosen))
    if decision.kind == "load":
        return _load(speech, view, seat)
    facts: dict[str, object] = {"board": seat.board}
    if decision.kind in ("warehouse", "carpenter", "church", "market", "city_hall"):
        facts["tile"] = speech.tile(decision.kind)
    lines = [words(_QUESTIONS[decision.kind], **facts)]
    if decision.kind in ("extra", "city_hall"):
        lines += [words("🎲 Any die: {ways}", ways=_ways(speech, use)) for use in view.uses]
    return "\n".join(lines)


def awaited(speech: Speech, decision: Decision) -> str:
    """Whom the others wait for, and for what."""
    return speech.words(AWAITED[decision.kind], seat=speech.seat(decision.seat))


def prompt(speech: Speech, prefix: Action, choices: Choices, view: View) -> str:
    """The question for the next word after `prefix`."""
    words = speech.words
    if isinstance(choices, Done):
        return words("That is all there is to say.")
    if not prefix:
        return words("What do you do?")
    return words(_PROMPTS[prefix[0], choices.param])


def _turn(speech: Speech, view: View, seat: SeatView) -> str:
    """Both dice with what each can do now; then what there is besides."""
    words = speech.words
    lines = [words("Your turn in round {phase}{round}.", phase=view.phase, round=view.round)]
    for use in view.uses:
        die = speech.die(use.die)
        if view.left.count(int(use.die)) > 1:
            die = words("{die}, twice", die=die)
        lines.append(words("**{die}**: {ways}", die=die, ways=_ways(speech, use)))
        more = _with_workers(speech, use)
        if more:
            lines.append("-# " + words("with workers (so many): {ways}", ways=more))
    if not view.left:
        lines.append(words("Both dice are used. End your turn, or think it over."))
    lines.append(_means(speech, seat))
    if view.purchases:
        lines.append(_purchase(speech, view))
    return "\n".join(lines)


def _ways(speech: Speech, use: Use) -> str:
    """What a die can do without workers; always that it may be given for some."""
    words = speech.words
    free = [words("take from {depots}", depots=_depots(speech, use))] if _free(use.takes) else []
    places = _free(use.places)
    if places:
        free.append(words("place {places}", places=_places(speech, places)))
    sales = _free(use.sales)
    if sales:
        things = words.either(
            [
                words(
                    "{count} of {good} ({points})",
                    count=sale.count,
                    good=speech.good(sale.good),
                    points=speech.counted("points", sale.points),
                )
                for sale in sales
            ]
        )
        free.append(words("sell {goods}", goods=things))
    if use.gain:
        free.append(speech.counted("workers", use.gain[0]))
    return "; ".join(free)


def _free(ways: Iterable[Way]) -> list[Way]:
    return [way for way in ways if not way.workers]


def _depots(speech: Speech, use: Use) -> str:
    words = speech.words
    takes = _free(use.takes)
    if use.die == ANY:
        numbers = words.either([take.depot for take in takes])
        return words.plural("depot {depots}", "depots {depots}", len(takes), depots=numbers)
    depots = [
        words("{depot} ({tiles})", depot=speech.depot(t.depot), tiles=speech.tiles(t.tiles))
        for t in takes
    ]
    return words.either(depots)


def _places(speech: Speech, places: Iterable[Place]) -> str:
    """Tiles with the spaces for each."""
    words, spots = speech.words, dict[str, list[str]]()
    for place in places:
        spot = speech.space(place.space)
        if place.points:
            points = speech.counted("points", place.points)
            spot = words("{space} ({points})", space=spot, points=points)
        spots.setdefault(place.tile, []).append(spot)
    return ", ".join(
        words("{tile} on {spaces}", tile=speech.tile(tile), spaces=words.either(spaces))
        for tile, spaces in spots.items()
    )


def _with_workers(speech: Speech, use: Use) -> str:
    words = speech.words
    parts = []
    takes = [take for take in use.takes if take.workers]
    if takes:
        depots = ", ".join(
            words("{depot} ({count})", depot=take.depot, count=take.workers) for take in takes
        )
        parts.append(words("take from depots {depots}", depots=depots))
    costs: dict[str, int] = {}
    for place in use.places:
        if place.workers:
            costs[place.tile] = min(place.workers, costs.get(place.tile, place.workers))
    if costs:
        tiles = ", ".join(
            words("{tile} ({count})", tile=speech.tile(tile), count=cost)
            for tile, cost in costs.items()
        )
        parts.append(words("place {tiles}", tiles=tiles))
    sales = ", ".join(
        words("{good} ({count})", good=speech.good(sale.good), count=sale.workers)
        for sale in use.sales
        if sale.workers
    )
    if sales:
        parts.append(words("sell {goods}", goods=sales))
    return "; ".join(parts)


def _means(speech: Speech, seat: SeatView) -> str:
    words = speech.words
    return words(
        "You have {workers}, {silverlings}; stored: {tiles}; goods: {goods}.",
        workers=speech.counted("workers", seat.workers),
        silverlings=speech.counted("silverlings", seat.silverlings),
        tiles=speech.tiles(seat.storage),
        goods=speech.goods(word_of(seat.goods)),
    )


def _purchase(speech: Speech, view: View) -> str:
    words, price = speech.words, speech.counted("silverlings", CONTENT.price)
    if len(view.purchases) > 1:
        return words("You may buy a tile from any depot for {price}.", price=price)
    ((_, tiles),) = view.purchases
    return words("You may buy for {price}: {tiles}.", price=price, tiles=speech.tiles(tiles))


def _load(speech: Speech, view: View, seat: SeatView) -> str:
    words = speech.words
    asked = words(_QUESTIONS["load"])
    if view.loaded is not None:
        asked = words(_SECOND, depot=speech.depot(view.loaded))
    there = [
        words(
            "{depot}: {goods}",
            depot=speech.depot(depot.depot),
            goods=speech.goods(word_of(depot.goods)),
        )
        for depot in view.depots
        if any(depot.goods) and (view.loaded is None or depot.depot in view.loads)
    ]
    lines = [asked, words("There are: {goods}.", goods="; ".join(there) or words("nothing"))]
    have = speech.goods(word_of(seat.goods))
    room = CONTENT.goods_spaces - sum(map(bool, seat.goods))
    if not room:
        lines.append(words("You have {goods}, and no room for another type.", goods=have))
        return "\n".join(lines)
    lines.append(
        words.plural(
            "You have {goods}, and room for {count} more type.",
            "You have {goods}, and room for {count} more types.",
            room,
            goods=have,
        )
    )
    return "\n".join(lines)
