"""The set-up and the first offices (rulebook: Setting up the game, Start position)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.game.choices import OneOf
from bot.game.contract import Chance, Refusal, Seat
from bot.game.events import SeatsEvent
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse_for, rule
from bot.game.kogge.common import InCity, held_markers, ships_in
from bot.game.kogge.data import CITIES, CITY_GOOD, CONTENT, GOODS, MARKER_LETTERS
from bot.game.kogge.rounds import OrderSet, begin_round
from bot.game.kogge.routes import begin_exchanges
from bot.game.kogge.state import (
    NOWHERE,
    City,
    Founding,
    KoggePlayer,
    KoggeRules,
    KoggeState,
    Office,
    Route,
)

TOPIC = "setup"


class FoundingChosen(InCity, frozen=True):
    """The secret choice of a first office."""


class Founded(InCity, frozen=True):
    """A seat has its first office."""


class Crowded(SeatsEvent, frozen=True):
    """Too many seats have chosen the same city; they choose again."""

    city: int


def rules_of(options: Mapping[str, str]) -> KoggeRules:
    """Resolve a table's options.

    An option for a single difference overrides the edition. Conflicts override open hands, because
    both texts of the rules require secret hands with them.
    """
    italian = options.get("edition") == "italian"

    def differs(option: str, italian_value: str) -> bool:
        value = options.get(option, "edition")
        return italian if value == "edition" else value == italian_value

    memory = options.get("memory") == "on"
    conflicts = options.get("conflicts") == "on"
    return KoggeRules(
        either_price=differs("office_price", "either"),
        failed_route_keeps_step=differs("failed_route", "keeps_step"),
        open=options.get("goods") == "open" and not conflicts,
        hidden=options.get("goods") == "hidden" or conflicts,
        taxes=options.get("taxes") == "on",
        offices=options.get("offices") == "on",
        conflicts=conflicts,
        memory=memory,
        three_fur=memory and differs("memory_fur", "three"),
    )


def set_up(seats: int, options: Mapping[str, str], chance: Chance) -> KoggeState:
    """Return the table before the first offices are founded.

    The guild master's marker is drawn first, and returns to the bag after the routes are laid. Each
    city gets one marker of a set 0..8 and one of all the others. Neither may be the city's own
    number, and they must differ. A city's own number from the set is redrawn from all the others.
    With Memory, markers are laid face down as drawn: equal ones and own numbers stay (ruling 55).
    """
    rules = rules_of(options)
    bag = [total - seats for total in CONTENT.markers]
    guild_city = chance.draw("guild master", bag)
    bag[guild_city] -= 1
    mixed = [1] * CITIES
    cities = range(CITIES)
    lefts = [_draw_route(mixed, (), chance, f"first route of city {city}") for city in cities]
    bag = [count - 1 for count in bag]
    for city, number in enumerate(lefts):
        if number == city and not rules.memory:
            bag[number] += 1
            lefts[city] = _draw_route(bag, (city,), chance, f"first route of city {city} again")
    rights = [
        _draw_route(
            bag,
            () if rules.memory else (city, lefts[city]),
            chance,
            f"second route of city {city}",
        )
        for city in cities
    ]
    bag[guild_city] += 1
    start, in_city = start_goods(rules), CONTENT.goods_per_city
    return KoggeState(
        rules=rules,
        players=[KoggePlayer([*start], [1] * CITIES) for _ in range(seats)],
        cities=[
            City(
                [in_city * (good == CITY_GOOD[city]) for good in range(GOODS)],
                [Route(marker, hidden=rules.memory) for marker in (lefts[city], rights[city])],
            )
            for city in cities
        ],
        reserve=[
            kind.total - seats * start[good] - in_city * CITY_GOOD.count(good)
            for good, kind in enumerate(CONTENT.goods)
        ],
        bag=bag,
        guild_city=guild_city,
        end_city=guild_city,
        chits=[chit.copies for chit in CONTENT.chits],
        frames=[Founding([NOWHERE] * seats, [NOWHERE] * seats)],
        bids=[""] * seats,
    )


def _draw_route(bag: list[int], barred: tuple[int, ...], chance: Chance, label: str) -> int:
    # Redrawing until a number is allowed is the same as never drawing the others.
    weights = [0 if number in barred else count for number, count in enumerate(bag)]
    number = chance.draw(label, weights)
    bag[number] -= 1
    return number


def choosers(state: KoggeState) -> list[Seat]:
    """Return the seats that have no office yet."""
    return ships_in(state, NOWHERE)


def start_goods(rules: KoggeRules) -> Sequence[int]:
    """Return the goods of each ship at the start.

    With Memory they include two fur, or three in the Italian text (ruling 57).
    """
    if not rules.memory:
        return CONTENT.start_goods
    return CONTENT.memory_start_goods_italian if rules.three_fur else CONTENT.memory_start_goods


def cities_to_found(state: KoggeState, seat: Seat) -> OneOf:
    """Return the seat's markers, except a barred city and cities with two offices (ruling 31)."""
    barred = frame_of(state, Founding).barred[seat]
    words = [
        word
        for word in held_markers(state.players[seat].markers)
        if int(word) != barred and len(state.cities[int(word)].offices) < CONTENT.offices_per_city
    ]
    return OneOf("marker", tuple(words))


def _why_not(state: KoggeState, seat: Seat, word: str) -> Refusal | None:
    reasons = {
        "city_barred": int(word) == frame_of(state, Founding).barred[seat],
        "city_full": len(state.cities[int(word)].offices) == CONTENT.offices_per_city,
        "no_such_marker": True,
    }
    return refuse_for(reasons, city=int(word), marker=int(word))


def _found(state: KoggeState, seat: Seat, recorder: EventRecorder, marker: str) -> None:
    """Make a sealed choice. The last one reveals all.

    If a city would get a third office, all seats that chose it choose again, with only that city
    barred. The others keep their choice (ruling 43).
    """
    frame = frame_of(state, Founding)
    frame.chosen[seat] = int(marker)
    undecided = choosers(state)
    if any(frame.chosen[other] == NOWHERE for other in undecided):
        recorder.record(FoundingChosen(seat=seat, city=int(marker), only=(seat,)))
        return
    state.decision += 1
    choices = frame.chosen[:]
    frame.chosen = [NOWHERE] * len(state.players)
    frame.barred = [NOWHERE] * len(state.players)
    for number, city in enumerate(state.cities):
        newcomers = [other for other in undecided if choices[other] == number]
        if len(city.offices) + len(newcomers) > CONTENT.offices_per_city:
            for other in newcomers:
                frame.barred[other] = number
            recorder.record(Crowded(seats=tuple(newcomers), city=number))
            continue
        for other in newcomers:
            player = state.players[other]
            player.city = number
            player.markers[number] -= 1
            state.bag[number] += 1
            city.offices.append(Office(other, [0] * GOODS))
            recorder.record(Founded(seat=other, city=number))
    if not choosers(state):
        _first_order(state, recorder)
        if state.rules.memory:
            begin_exchanges(state, recorder)
        else:
            begin_round(state, recorder)


def _first_order(state: KoggeState, recorder: EventRecorder) -> None:
    """Set the first turn order: the lowest city first; two seats in one city by lot."""
    for number in range(CITIES):
        seats = ships_in(state, number)
        if len(seats) == 2 and recorder.chance.draw(f"first in city {number}", (1, 1)):
            seats.reverse()
        state.order.extend(seats)
    recorder.record(OrderSet(seats=tuple(state.order)))


FOUND: Rule[KoggeState] = (
    rule("found", TOPIC)
    .word("marker", cities_to_found, _why_not, tuple(MARKER_LETTERS))
    .does(_found)
)
