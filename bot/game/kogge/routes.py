"""Trade routes: where they lead, changing one (phase 3B e), and sailing by them (phase 3A).

By advanced rule D all of them lie face down, and players remember what they saw.
"""

from __future__ import annotations

from typing import ClassVar

from bot.game.choices import Bundle, OneOf
from bot.game.contract import SPECTATOR, Event, Observer, Refusal, Seat
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse, refuse_for, rule
from bot.game.kogge.common import (
    InCity,
    gain,
    goods_in_offices,
    held,
    here,
    move_in_offices,
    once,
    pay,
    pieces,
    spend,
    tell,
    use,
)
from bot.game.kogge.data import CHIT_KEYS, GOOD_LETTERS, PIECE_LETTERS
from bot.game.kogge.deals import drop_offers_of
from bot.game.kogge.rounds import begin_round
from bot.game.kogge.state import Acting, Exchange, KoggeState, Movement, Push, Route, Sighting

SLOT = {"left": 0, "right": 1}
ROUTES = ("left", "right")
TOPIC, MEMORY = "reroute", "memory"


class Rerouted(InCity, frozen=True):
    """A new route lies face down; `marker` is the old one, which goes to the seat's hand."""

    route: str
    marker: int


class ReroutedSecretly(InCity, frozen=True):
    """What the old one was is not told."""

    route: str


class ReroutedWith(Event, frozen=True):
    """To its owner alone, where a new route leads."""

    city: int
    route: str
    marker: int


class RoutesKept(InCity, frozen=True):
    """No route of the first city is exchanged."""


class Looked(InCity, frozen=True):
    """A look at the routes of a city has been paid for."""

    fee: str


class Saw(Event, frozen=True):
    """Where the two routes of a city lead."""

    city: int
    left: int
    right: int


def leads_somewhere(state: KoggeState, seat: Seat, route: Route) -> bool:
    """Whether the ship may sail where the marker says: not to the city it is in, and never to a
    city with the player's own Raid (3B f, disadvantages)."""
    player = state.players[seat]
    return route.marker != player.city and seat not in state.cities[route.marker].raids


def usable_routes(state: KoggeState, seat: Seat) -> tuple[str, ...]:
    """The printed routes the seat's ship may try: hidden ones cannot be ruled out.

    With Memory one that has failed is turned back, but may not be tried again before the ship
    has moved (ruling 56).
    """
    frame = state.frames[-1]
    if state.rules.memory and isinstance(frame, (Movement, Push)):
        return tuple([name for name in ROUTES if name not in frame.failed])
    left, right = here(state, seat).routes
    first = left.hidden or leads_somewhere(state, seat, left)
    if right.hidden or leads_somewhere(state, seat, right):
        return ROUTES if first else ("right",)
    return ("left",) if first else ()


def turn_up(state: KoggeState, city: int, name: str) -> Route:
    """Turn a route marker up for all to see, and return it; with Memory it is turned back."""
    slot = SLOT[name]
    route = state.cities[city].routes[slot]
    if state.rules.memory:
        see(state, city, slot, (1 << len(state.players)) - 1)
    else:
        route.hidden = False
        route.known = 0
    return route


def see(state: KoggeState, city: int, slot: int, seats: int) -> None:
    """With Memory, note that the seats of a bit mask know what lies on a square now."""
    route = state.cities[city].routes[slot]
    route.known |= seats
    for old in state.sightings[:]:
        if old.city == city and old.slot == slot:
            old.seats &= ~seats
            if not old.seats:
                state.sightings.remove(old)
    state.sightings.append(Sighting(city, slot, route.marker, state.round, seats))


def sightings_of(state: KoggeState, observer: Observer) -> list[Sighting]:
    """With Memory, what an observer has seen of the route markers, by city and side; also what may
    be out of date. Spectators have seen nothing: it would be a memory for everybody."""
    seen = [
        each for each in state.sightings if observer != SPECTATOR and each.seats >> observer & 1
    ]
    return sorted(seen, key=lambda each: (each.city, each.slot))


def still_lies(state: KoggeState, seen: Sighting, seat: Seat) -> bool:
    """Whether the seat, which has seen a marker, is sure that it lies there still."""
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
    """Open routes; with Memory any, even one that another player has just laid (rule D)."""
    routes = here(state, seat).routes
    words = [name for name in ROUTES if state.rules.memory or not routes[SLOT[name]].hidden]
    return OneOf("route", tuple(words))


def new_marker(state: KoggeState, seat: Seat, route: str) -> OneOf:
    player = state.players[seat]
    return OneOf("marker", tuple(w for w in held(player.markers) if int(w) != player.city))


def _why_not_route(state: KoggeState, seat: Seat, word: str) -> Refusal:
    return refuse("route_hidden", TOPIC, city=state.players[seat].city)


def _why_not_marker(state: KoggeState, seat: Seat, route: str, word: str) -> Refusal | None:
    city = state.players[seat].city
    return refuse("marker_of_city", TOPIC, city=city) if word == str(city) else None


def _reroute(
    state: KoggeState, seat: Seat, recorder: EventRecorder, route: str, marker: str
) -> None:
    """The old marker goes to the hand; the new one lies face down, known only to its owner.

    With Memory the old one lay face down: what it was shows in an open hand to all, and where
    numbers are secret only its new owner learns it.
    """
    player = state.players[seat]
    city, slot = player.city, SLOT[route]
    routes = here(state, seat).routes
    old = routes[slot].marker
    spend(player, marker)
    player.markers[old] += 1
    routes[slot] = Route(int(marker), True, 1 << seat, laid=True)
    if state.rules.memory:
        see(state, city, slot, 1 << seat)
    event = Rerouted(seat=seat, city=city, route=route, marker=old)
    secret = state.rules.memory and state.rules.covered
    tell(recorder, event, ReroutedSecretly, (seat,), secret=secret)
    recorder.record(ReroutedWith(city=city, route=route, marker=int(marker), only=(seat,)))
    if state.rules.covered:
        drop_offers_of(state, (seat,), recorder)
    if isinstance(state.frames[-1], Exchange):
        _next(state, recorder)
    else:
        use(state, "reroute")


def begin_exchanges(state: KoggeState, recorder: EventRecorder) -> None:
    """After the founding each seat in order of play looks at the routes of its city and may
    exchange one of them, before the first round (ruling 55)."""
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
    """The seat sees both routes of its city; the second seat there sees what the first one laid."""
    city = state.players[seat].city
    left, right = here(state, seat).routes
    for slot in range(2):
        see(state, city, slot, 1 << seat)
    recorder.record(Saw(city=city, left=left.marker, right=right.marker, only=(seat,)))


def _keep(state: KoggeState, seat: Seat, recorder: EventRecorder) -> None:
    recorder.record(RoutesKept(seat=seat, city=state.players[seat].city))
    _next(state, recorder)


def _peek_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    """Before the ship moves or tries to, and once a turn (difference 34)."""
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
    """The payment is open; what the seat sees is secret."""
    pay(state, seat, fee)
    frame_of(state, Movement).peeked = True
    recorder.record(Looked(seat=seat, city=state.players[seat].city, fee=fee))
    _look(state, seat, recorder)


REROUTE, EXCHANGE = (
    rule("reroute", topic, once("reroute"), _reroute_gate)
    .word("route", open_route, _why_not_route, ROUTES)
    .word("marker", new_marker, _why_not_marker)
    .does(_reroute)
    for topic in (TOPIC, MEMORY)
)
"""Phase 3B e, and the opening exchange by the same rules."""
KEEP: Rule[KoggeState] = rule("pass", MEMORY).does(_keep)
PEEK: Rule[KoggeState] = rule("peek", MEMORY, _peek_gate).word("fee", _fee).does(_peek)


# Sailing

MOVEMENT = "movement"
SECRET_ROUTE = CHIT_KEYS.index("secret")
TWO_SPACES = CHIT_KEYS.index("spaces")


class Sailed(InCity, frozen=True):
    """A step from one city to another; `fee` is '' where it was free."""

    to: int
    route: str
    fee: str


class RouteFailed(InCity, frozen=True):
    """A hidden route leads where the ship may not go."""

    marker: int
    route: str
    fee: str


class GoodsLoaded(InCity, frozen=True):
    """Goods are loaded from the seat's own office."""

    kind: ClassVar[str] = "loaded"
    pieces: str


class Stopped(InCity, frozen=True):
    """The ship's movement ends."""


def free_steps(state: KoggeState, seat: Seat) -> int:
    """How many steps more are free, the first and by the 2-spaces chit the second; below 0 where
    more have been taken."""
    free = 2 if state.players[seat].chits[TWO_SPACES] else 1
    return free - frame_of(state, Movement).steps


def step_fee(state: KoggeState, seat: Seat, route: str) -> int:
    """Pieces the next step costs: one unless it is free, and one more, whatever the step, by the
    secret route (ruling 35)."""
    return (free_steps(state, seat) <= 0) + (route == "secret")


def _can_pay(state: KoggeState, seat: Seat, route: str) -> bool:
    fee = step_fee(state, seat, route)
    return not fee or fee <= sum(pieces(state.players[seat]))


def _why_not_secret(state: KoggeState, seat: Seat) -> Refusal | None:
    """The secret route leads to the guild master; not from its own city (ruling 34), and not past
    the player's own Raid."""
    player = state.players[seat]
    if not player.chits[SECRET_ROUTE]:
        return refuse("secret_needs_chit", "chits")
    if player.city == state.guild_city:
        return refuse("secret_at_guild_master", "chits", city=player.city)
    return _why_not_past_raid(state, seat, state.guild_city)


def _why_not_past_raid(state: KoggeState, seat: Seat, city: int) -> Refusal | None:
    return refuse("own_raid", "raid", city=city) if seat in state.cities[city].raids else None


def _open_routes(state: KoggeState, seat: Seat) -> tuple[str, ...]:
    """The routes that the ship may take, whether or not its owner can pay for them."""
    routes, has_chit = usable_routes(state, seat), state.players[seat].chits[SECRET_ROUTE]
    return (*routes, "secret") if has_chit and not _why_not_secret(state, seat) else routes


def _route(state: KoggeState, seat: Seat) -> OneOf:
    routes = _open_routes(state, seat)
    # The gate has found the first of them payable. The secret route, the last, costs most.
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
    elif not (route := here(state, seat).routes[SLOT[word]]).hidden:
        refusal = _why_not_past_raid(state, seat, route.marker)
        if route.marker == city:
            refusal = refuse("route_to_same_city", city=city)
    return refusal or refuse("cannot_pay_fee", count=step_fee(state, seat, word))


def _sail(state: KoggeState, seat: Seat, recorder: EventRecorder, route: str, fee: str) -> None:
    """One step. A hidden marker is turned up only now, and stays face up except with Memory.

    If it cannot be used the fee is lost, and in the English text the step is used up as well:
    the next try is one step further (difference 5). The ship need not go on (ruling 19).
    """
    frame = frame_of(state, Movement)
    player = state.players[seat]
    pay(state, seat, fee)
    origin, target = player.city, state.guild_city
    if route in SLOT:
        marker = turn_up(state, origin, route)
        target = marker.marker
        if not leads_somewhere(state, seat, marker):
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
    for office in here(state, seat).offices:
        if office.seat == seat and any(office.goods):
            return None
    return refuse("nothing_to_load", "loading", city=state.players[seat].city)


def _cargo(state: KoggeState, seat: Seat) -> Bundle:
    have = goods_in_offices(here(state, seat), seat)
    return Bundle("pieces", GOOD_LETTERS, tuple(have), 1, sum(have))


def _load(state: KoggeState, seat: Seat, recorder: EventRecorder, cargo: str) -> None:
    """Goods go from one's own offices to the ship, at any time of the movement, never back."""
    move_in_offices(here(state, seat), seat, cargo, -1)
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
