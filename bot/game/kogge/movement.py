"""Phase 3A: sailing, hidden routes, fees, and loading from one's own offices."""

from __future__ import annotations

from typing import ClassVar

from bot.game.choices import Bundle, OneOf
from bot.game.contract import Refusal, Seat
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse, rule
from bot.game.kogge.common import InCity, gain, goods_in_offices, here, move_in_offices, pay, pieces
from bot.game.kogge.data import CHIT_KEYS, GOOD_LETTERS, PIECE_LETTERS
from bot.game.kogge.routes import SLOT, leads_somewhere, turn_up, usable_routes
from bot.game.kogge.state import Acting, KoggeState, Movement

TOPIC = "movement"
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
    """How many steps more are free: the first, and by the 2-spaces chit the second."""
    free = 2 if state.players[seat].chits[TWO_SPACES] else 1
    return max(0, free - frame_of(state, Movement).steps)


def step_fee(state: KoggeState, seat: Seat, route: str) -> int:
    """Pieces the next step costs: one unless it is free, and one more, whatever the step, by the
    secret route (ruling 35)."""
    return (not free_steps(state, seat)) + (route == "secret")


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
    routes = usable_routes(state, seat)
    return (*routes, "secret") if _why_not_secret(state, seat) is None else routes


def _route(state: KoggeState, seat: Seat) -> OneOf:
    routes = _open_routes(state, seat)
    return OneOf("route", tuple([route for route in routes if _can_pay(state, seat, route)]))


def _sail_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    routes = _open_routes(state, seat)
    if not routes:
        return refuse("no_route_open", city=state.players[seat].city)
    # The secret route, the last, costs most.
    if _can_pay(state, seat, routes[0]):
        return None
    return refuse("cannot_pay_fee", count=step_fee(state, seat, routes[0]))


def _fee(state: KoggeState, seat: Seat, route: str) -> Bundle:
    count = step_fee(state, seat, route)
    have = pieces(state.players[seat]) if count else (0,) * len(PIECE_LETTERS)
    return Bundle("fee", PIECE_LETTERS, have, count, count)


def _why_not_fee(state: KoggeState, seat: Seat, route: str, word: str) -> Refusal | None:
    count = step_fee(state, seat, route)
    return refuse("wrong_fee", count=count) if len(word) != count else None


def _why_not_route(state: KoggeState, seat: Seat, word: str) -> Refusal:
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
            recorder.tell(RouteFailed(seat=seat, city=origin, marker=target, route=route, fee=fee))
            return
    frame.steps += 1
    frame.failed = []
    player.city = target
    recorder.tell(Sailed(seat=seat, city=origin, to=target, route=route, fee=fee))


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
    recorder.tell(GoodsLoaded(seat=seat, city=state.players[seat].city, pieces=cargo))


def _stop(state: KoggeState, seat: Seat, recorder: EventRecorder) -> None:
    state.frames = [Acting(frame_of(state, Movement).start)]
    recorder.tell(Stopped(seat=seat, city=state.players[seat].city))


SAIL: Rule[KoggeState] = (
    rule("sail", TOPIC, _sail_gate)
    .word("route", _route, _why_not_route, (*SLOT, "secret"))
    .word("fee", _fee, _why_not_fee)
    .does(_sail)
)
LOAD: Rule[KoggeState] = rule("load", "loading", _load_gate).word("pieces", _cargo).does(_load)
STOP: Rule[KoggeState] = rule("stop", TOPIC, idle=True).does(_stop)
