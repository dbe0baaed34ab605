"""Advanced rule D: all route markers lie face down, and players remember what they saw."""

from __future__ import annotations

from bot.game.choices import Bundle
from bot.game.contract import Refusal, Seat
from bot.game.grammar import EventRecorder, Rule, rule
from bot.game.kogge.data import PIECE_LETTERS
from bot.game.kogge.events import Looked, RoutesKept, Saw
from bot.game.kogge.rules.auction import begin_round
from bot.game.kogge.rules.common import here, pay, pieces, see
from bot.game.kogge.rules.movement import movement
from bot.game.kogge.rules.reroute import REROUTE, lay_route, new_marker, open_route
from bot.game.kogge.state import Exchange, State

TOPIC = "memory"
FEE = 1


def begin_exchanges(state: State, recorder: EventRecorder) -> None:
    """After the founding each seat in order of play looks at the routes of its city and may
    exchange one of them, before the first round (ruling 55)."""
    state.frames = [Exchange()]
    _look(state, state.order[0], recorder)


def _next(state: State, recorder: EventRecorder) -> None:
    frame = state.frames[-1]
    assert isinstance(frame, Exchange)
    frame.at += 1
    if frame.at == len(state.order):
        begin_round(state, recorder)
    else:
        _look(state, state.order[frame.at], recorder)


def _look(state: State, seat: Seat, recorder: EventRecorder) -> None:
    """The seat sees both routes of its city; who comes second sees what the first one laid."""
    city = state.players[seat].city
    left, right = here(state, seat).routes
    for slot in range(2):
        see(state, city, slot, 1 << seat)
    recorder.tell(Saw(city=city, left=left.marker, right=right.marker, only=(seat,)))


def _exchange(state: State, seat: Seat, recorder: EventRecorder, route: str, marker: str) -> None:
    """As in phase 3B e: the new marker does not carry the number of the city."""
    lay_route(state, seat, recorder, route, marker)
    _next(state, recorder)


def _free_gate(state: State, seat: Seat) -> Refusal | None:
    return None


def _keep(state: State, seat: Seat, recorder: EventRecorder) -> None:
    recorder.tell(RoutesKept(seat=seat, city=state.players[seat].city))
    _next(state, recorder)


def _peek_gate(state: State, seat: Seat) -> Refusal | None:
    """Before the ship moves or tries to, and once a turn (difference 34)."""
    if not state.rules.memory:
        return Refusal("no_memory", TOPIC)
    frame = movement(state)
    if frame.peeked:
        return Refusal("already_done", TOPIC, {"kind": "peek"})
    if frame.steps or frame.failed:
        return Refusal("peek_too_late", TOPIC)
    if not any(pieces(state.players[seat])):
        return Refusal("cannot_pay_peek", TOPIC)
    return None


def _fee(state: State, seat: Seat) -> Bundle:
    return Bundle("fee", PIECE_LETTERS, pieces(state.players[seat]), FEE, FEE)


def _peek(state: State, seat: Seat, recorder: EventRecorder, fee: str) -> None:
    """The payment is open, what the seat sees its own secret."""
    pay(state, seat, fee)
    movement(state).peeked = True
    recorder.tell(Looked(seat=seat, city=state.players[seat].city, fee=fee))
    _look(state, seat, recorder)


EXCHANGE: Rule[State] = (
    rule("reroute", TOPIC, REROUTE.gate)
    .word("route", open_route)
    .word("marker", new_marker)
    .does(_exchange, explain=REROUTE.explain)
)
KEEP: Rule[State] = rule("pass", TOPIC, _free_gate).does(_keep)
PEEK: Rule[State] = rule("peek", TOPIC, _peek_gate).word("fee", _fee).does(_peek)
