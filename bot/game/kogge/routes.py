"""Trade routes: where they lead, how to change one (phase 3B e), and sailing (phase 3A).

By advanced rule D all routes are face down, and players must remember what they have seen.
"""

from __future__ import annotations

from typing import ClassVar

from bot.game.choices import Bundle, OneOf
from bot.game.contract import SPECTATOR, Event, Observer, Refusal, Seat
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse, refuse_for, rule
from bot.game.kogge.common import (
    InCity,
    current_city,
    gain,
    goods_in_offices,
    held_markers,
    mark_used,
    move_in_offices,
    once_a_turn,
    pay,
    pieces,
    record_event,
    spend,
)
from bot.game.kogge.data import CHIT_KEYS, GOOD_LETTERS, PIECE_LETTERS
from bot.game.kogge.deals import drop_offers_of
from bot.game.kogge.rounds import begin_round
from bot.game.kogge.state import Acting, Exchange, KoggeState, Movement, Push, Route, Sighting

SLOT = {"left": 0, "right": 1}
ROUTES = ("left", "right")
TOPIC, MEMORY = "reroute", "memory"


class Rerouted(InCity, frozen=True):
    """A new route, face down; `marker` is the old one, which goes to the seat's hand."""

    route: str
    marker: int


class ReroutedSecretly(InCity, frozen=True):
    """A new route; the old one is secret."""

    route: str


class ReroutedWith(Event, frozen=True):
    """For its owner only: where a new route leads."""

    city: int
    route: str
    marker: int


class RoutesKept(InCity, frozen=True):
    """A seat exchanges no route of its first city."""


class Looked(InCity, frozen=True):
    """A seat has paid to look at the routes of its city."""

    fee: str


class Saw(Event, frozen=True):
    """Where the two routes of a city lead."""

    city: int
    left: int
    right: int


def is_usable(state: KoggeState, seat: Seat, route: Route) -> bool:
    """Return whether the ship may follow a route: not to its present city, nor to a city with the
    player's own Raid (3B f, disadvantages)."""
    player = state.players[seat]
    return route.marker != player.city and seat not in state.cities[route.marker].raids


def usable_routes(state: KoggeState, seat: Seat) -> tuple[str, ...]:
    """Return which of the left and right route the seat's ship may try; a hidden one always.

    With Memory, a route that has failed is turned face down again, but the ship may not retry it
    before it has moved (ruling 56).
    """
    frame = state.frames[-1]
    if state.rules.memory and isinstance(frame, (Movement, Push)):
        return tuple([name for name in ROUTES if name not in frame.failed])
    left, right = current_city(state, seat).routes
    first = left.hidden or is_usable(state, seat, left)
    if right.hidden or is_usable(state, seat, right):
        return ROUTES if first else ("right",)
    return ("left",) if first else ()


def reveal_route(state: KoggeState, city: int, name: str) -> Route:
    """Show a route marker to all, and return it. With Memory, it is turned face down again."""
    slot = SLOT[name]
    route = state.cities[city].routes[slot]
    if state.rules.memory:
        record_sighting(state, city, slot, (1 << len(state.players)) - 1)
    else:
        route.hidden = False
        route.known = 0
    return route


def record_sighting(state: KoggeState, city: int, slot: int, seats: int) -> None:
    """Record, with Memory, that the seats of a bit mask have seen the route on a square."""
    route = state.cities[city].routes[slot]
    route.known |= seats
    for old in state.sightings[:]:
        if old.city == city and old.slot == slot:
            old.seats &= ~seats
            if not old.seats:
                state.sightings.remove(old)
    state.sightings.append(Sighting(city, slot, route.marker, state.round, seats))


def sightings_of(state: KoggeState, observer: Observer) -> list[Sighting]:
    """Return the routes that an observer has seen with Memory, by city and side.

    Sightings may be out of date. Spectators have none: players could use them as a memory.
    """
    seen = [
        each for each in state.sightings if observer != SPECTATOR and each.seats >> observer & 1
    ]
    return sorted(seen, key=lambda each: (each.city, each.slot))


def is_still_there(state: KoggeState, seen: Sighting, seat: Seat) -> bool:
    """Return whether the seat knows that a marker it has seen is still there."""
    return bool(state.cities[seen.city].routes[seen.slot].known >> seat & 1)


def _reroute_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    player = state.players[seat]
    if not open_route(state, seat).values:
        return refuse("route_hidden", TOPIC, city=player.city)
    if not any(player.markers):
        return refuse("no_markers", TOPIC)
    if sum(player.markers) == player.markers[player.city]:
        return refuse("marker_of_city", TOPIC, city=player.city)
    return None


def open_route(state: KoggeState, seat: Seat) -> OneOf:
    """Return the open routes; with Memory any, even one that another player has just laid."""
    routes = current_city(state, seat).routes
    words = [name for name in ROUTES if state.rules.memory or not routes[SLOT[name]].hidden]
    return OneOf("route", tuple(words))


def new_marker(state: KoggeState, seat: Seat, route: str) -> OneOf:
    player = state.players[seat]
    return OneOf("marker", tuple(w for w in held_markers(player.markers) if int(w) != player.city))


def _why_not_route(state: KoggeState, seat: Seat, word: str) -> Refusal:
    return refuse("route_hidden", TOPIC, city=state.players[seat].city)


def _why_not_marker(state: KoggeState, seat: Seat, route: str, word: str) -> Refusal | None:
    city = state.players[seat].city
    return refuse("marker_of_city", TOPIC, city=city) if word == str(city) else None


def _reroute(
    state: KoggeState, seat: Seat, recorder: EventRecorder, route: str, marker: str
) -> None:
    """Take the old marker, and lay the new one face down. Only its owner knows it.

    With Memory, the old marker was face down too. If hands are secret, only its new owner learns
    its number.
    """
    player = state.players[seat]
    city, slot = player.city, SLOT[route]
    routes = current_city(state, seat).routes
    old = routes[slot].marker
    spend(player, marker)
    player.markers[old] += 1
    routes[slot] = Route(int(marker), True, 1 << seat, laid=True)
    if state.rules.memory:
        record_sighting(state, city, slot, 1 << seat)
    event = Rerouted(seat=seat, city=city, route=route, marker=old)
    secret = state.rules.memory and state.rules.covered
    record_event(recorder, event, ReroutedSecretly, (seat,), secret=secret)
    recorder.record(ReroutedWith(city=city, route=route, marker=int(marker), only=(seat,)))
    if state.rules.covered:
        drop_offers_of(state, (seat,), recorder)
    if isinstance(state.frames[-1], Exchange):
        _next(state, recorder)
    else:
        mark_used(state, "reroute")


def begin_exchanges(state: KoggeState, recorder: EventRecorder) -> None:
    """Before the first round each seat, in turn order, looks at the routes of its city and may
    exchange one of them (ruling 55)."""
    state.frames = [Exchange()]
    _look(state, state.order[0], recorder)


def _next(state: KoggeState, recorder: EventRecorder) -> None:
    frame = frame_of(state, Exchange)
    frame.at += 1
    if frame.at == len(state.order):
        begin_round(state, recorder)
    else:
        _look(state, state.order[frame.at], recorder)


def _look(state: KoggeState, seat: Seat, recorder: EventRecorder) -> None:
    """Show a seat both routes of its city. A second seat there sees what the first has laid."""
    city = state.players[seat].city
    left, right = current_city(state, seat).routes
    for slot in range(2):
        record_sighting(state, city, slot, 1 << seat)
    recorder.record(Saw(city=city, left=left.marker, right=right.marker, only=(seat,)))


def _keep(state: KoggeState, seat: Seat, recorder: EventRecorder) -> None:
    recorder.record(RoutesKept(seat=seat, city=state.players[seat].city))
    _next(state, recorder)


def _peek_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    """Once a turn, before the ship moves or tries to (difference 34)."""
    if not state.rules.memory:
        return refuse("no_memory")
    frame = frame_of(state, Movement)
    reasons = {
        "already_done": frame.peeked,
        "peek_too_late": frame.steps or frame.failed,
        "cannot_pay_peek": not any(pieces(state.players[seat])),
    }
    return refuse_for(reasons, kind="peek")


def _fee(state: KoggeState, seat: Seat) -> Bundle:
    return Bundle("fee", PIECE_LETTERS, pieces(state.players[seat]), 1, 1)


def _peek(state: KoggeState, seat: Seat, recorder: EventRecorder, fee: str) -> None:
    """The payment is public; what the seat sees is secret."""
    pay(state, seat, fee)
    frame_of(state, Movement).peeked = True
    recorder.record(Looked(seat=seat, city=state.players[seat].city, fee=fee))
    _look(state, seat, recorder)


REROUTE, EXCHANGE = (
    rule("reroute", topic, once_a_turn("reroute"), _reroute_gate)
    .word("route", open_route, _why_not_route, ROUTES)
    .word("marker", new_marker, _why_not_marker)
    .does(_reroute)
    for topic in (TOPIC, MEMORY)
)
"""Phase 3B e, and the opening exchange, which follows the same rules."""
KEEP: Rule[KoggeState] = rule("pass", MEMORY).does(_keep)
PEEK: Rule[KoggeState] = rule("peek", MEMORY, _peek_gate).word("fee", _fee).does(_peek)


# Sailing

MOVEMENT = "movement"
SECRET_ROUTE = CHIT_KEYS.index("secret")
TWO_SPACES = CHIT_KEYS.index("spaces")


class Sailed(InCity, frozen=True):
    """A step from one city to another; `fee` is '' if it was free."""

    to: int
    route: str
    fee: str


class RouteFailed(InCity, frozen=True):
    """A hidden route leads to a city where the ship may not go."""

    marker: int
    route: str
    fee: str


class GoodsLoaded(InCity, frozen=True):
    """A seat has loaded goods from its offices in the city."""

    kind: ClassVar[str] = "loaded"
    pieces: str


class Stopped(InCity, frozen=True):
    """The movement of the ship is over."""


def free_steps(state: KoggeState, seat: Seat) -> int:
    """Return how many more steps are free: the first, and the second with the 2-spaces chit.

    Negative after paid steps.
    """
    free = 2 if state.players[seat].chits[TWO_SPACES] else 1
    return free - frame_of(state, Movement).steps


def step_fee(state: KoggeState, seat: Seat, route: str) -> int:
    """Return the price of the next step in pieces: one unless it is free, and always one more by
    the secret route (ruling 35)."""
    return (free_steps(state, seat) <= 0) + (route == "secret")


def _can_pay(state: KoggeState, seat: Seat, route: str) -> bool:
    fee = step_fee(state, seat, route)
    return not fee or fee <= sum(pieces(state.players[seat]))


def _why_not_secret(state: KoggeState, seat: Seat) -> Refusal | None:
    """The secret route leads to the guild master, but not from its own city (ruling 34) nor to the
    player's own Raid."""
    player = state.players[seat]
    if not player.chits[SECRET_ROUTE]:
        return refuse("secret_needs_chit", "chits")
    if player.city == state.guild_city:
        return refuse("secret_at_guild_master", "chits", city=player.city)
    return _why_not_past_raid(state, seat, state.guild_city)


def _why_not_past_raid(state: KoggeState, seat: Seat, city: int) -> Refusal | None:
    return refuse("own_raid", "raid", city=city) if seat in state.cities[city].raids else None


def _open_routes(state: KoggeState, seat: Seat) -> tuple[str, ...]:
    """Return the routes that the ship may take, even if the player can't pay."""
    routes, has_chit = usable_routes(state, seat), state.players[seat].chits[SECRET_ROUTE]
    return (*routes, "secret") if has_chit and not _why_not_secret(state, seat) else routes


def _route(state: KoggeState, seat: Seat) -> OneOf:
    routes = _open_routes(state, seat)
    # The gate has checked the first route. The secret route is the last one and costs more.
    return OneOf("route", routes if _can_pay(state, seat, routes[-1]) else routes[:-1])


def _sail_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    routes = _open_routes(state, seat)
    if not routes:
        return refuse("no_route_open", city=state.players[seat].city)
    if _can_pay(state, seat, routes[0]):
        return None
    return refuse("cannot_pay_fee", count=step_fee(state, seat, routes[0]))


def _sail_fee(state: KoggeState, seat: Seat, route: str) -> Bundle:
    count = step_fee(state, seat, route)
    have = pieces(state.players[seat]) if count else (0,) * len(PIECE_LETTERS)
    return Bundle("fee", PIECE_LETTERS, have, count, count)


def _why_not_sail_fee(state: KoggeState, seat: Seat, route: str, word: str) -> Refusal | None:
    count = step_fee(state, seat, route)
    return refuse("wrong_fee", count=count) if len(word) != count else None


def _why_not_sail(state: KoggeState, seat: Seat, word: str) -> Refusal:
    city, refusal = state.players[seat].city, None
    if word == "secret":
        refusal = _why_not_secret(state, seat)
    elif word in frame_of(state, Movement).failed:
        refusal = refuse("route_has_failed", "memory", city=city)
    elif not (route := current_city(state, seat).routes[SLOT[word]]).hidden:
        refusal = _why_not_past_raid(state, seat, route.marker)
        if route.marker == city:
            refusal = refuse("route_to_same_city", city=city)
    return refusal or refuse("cannot_pay_fee", count=step_fee(state, seat, word))


def _sail(state: KoggeState, seat: Seat, recorder: EventRecorder, route: str, fee: str) -> None:
    """Sail one step. This reveals a hidden route, which then stays face up except with Memory.

    If the route cannot be used, the fee is lost, and in the English text the step too: the next try
    counts as the next step (difference 5). The ship may stop (ruling 19).
    """
    frame = frame_of(state, Movement)
    player = state.players[seat]
    pay(state, seat, fee)
    origin, target = player.city, state.guild_city
    if route in SLOT:
        marker = reveal_route(state, origin, route)
        target = marker.marker
        if not is_usable(state, seat, marker):
            if state.rules.memory:
                frame.failed.append(route)
            if not state.rules.failed_route_keeps_step:
                frame.steps += 1
            recorder.record(
                RouteFailed(seat=seat, city=origin, marker=target, route=route, fee=fee)
            )
            return
    frame.steps += 1
    frame.failed = []
    player.city = target
    recorder.record(Sailed(seat=seat, city=origin, to=target, route=route, fee=fee))


def _load_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    for office in current_city(state, seat).offices:
        if office.seat == seat and any(office.goods):
            return None
    return refuse("nothing_to_load", "loading", city=state.players[seat].city)


def _cargo(state: KoggeState, seat: Seat) -> Bundle:
    have = goods_in_offices(current_city(state, seat), seat)
    return Bundle("pieces", GOOD_LETTERS, tuple(have), 1, sum(have))


def _load(state: KoggeState, seat: Seat, recorder: EventRecorder, cargo: str) -> None:
    """Load goods from own offices, at any time during the movement; they never go back."""
    move_in_offices(current_city(state, seat), seat, cargo, -1)
    gain(state.players[seat], cargo)
    recorder.record(GoodsLoaded(seat=seat, city=state.players[seat].city, pieces=cargo))


def _stop(state: KoggeState, seat: Seat, recorder: EventRecorder) -> None:
    state.frames = [Acting(frame_of(state, Movement).start)]
    recorder.record(Stopped(seat=seat, city=state.players[seat].city))


SAIL: Rule[KoggeState] = (
    rule("sail", MOVEMENT, _sail_gate)
    .word("route", _route, _why_not_sail, (*SLOT, "secret"))
    .word("fee", _sail_fee, _why_not_sail_fee)
    .does(_sail)
)
LOAD: Rule[KoggeState] = rule("load", "loading", _load_gate).word("pieces", _cargo).does(_load)
STOP: Rule[KoggeState] = rule("stop", MOVEMENT, idle=True).does(_stop)
