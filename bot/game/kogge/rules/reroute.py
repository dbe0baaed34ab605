"""Phase 3B e: change a trade route."""

from __future__ import annotations

from bot.game.choices import OneOf
from bot.game.contract import Action, Refusal, Seat
from bot.game.grammar import EventRecorder, Rule, rule
from bot.game.kogge.events import Rerouted, ReroutedSecretly, ReroutedWith
from bot.game.kogge.rules.common import ROUTES, SLOT, held, here, see, spend, use, used
from bot.game.kogge.rules.lapsing import drop_offers_of
from bot.game.kogge.state import Route, State

TOPIC = "reroute"


def _reroute_gate(state: State, seat: Seat) -> Refusal | None:
    refusal = used(state, "reroute", TOPIC)
    if refusal is not None:
        return refusal
    player = state.players[seat]
    if not open_route(state, seat).values:
        return Refusal("route_hidden", TOPIC, {"city": player.city})
    if not any(player.markers):
        return Refusal("no_markers", TOPIC)
    if sum(player.markers) == player.markers[player.city]:
        return Refusal("marker_of_city", TOPIC, {"city": player.city})
    return None


def open_route(state: State, seat: Seat) -> OneOf:
    """Open ones; with Memory any, also one that another player has just laid (rule D)."""
    routes = here(state, seat).routes
    words = [name for name in ROUTES if state.rules.memory or not routes[SLOT[name]].hidden]
    return OneOf("route", tuple(words))


def new_marker(state: State, seat: Seat, route: str) -> OneOf:
    player = state.players[seat]
    return OneOf("marker", tuple(w for w in held(player.markers) if int(w) != player.city))


def _why_not_reroute(state: State, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    player = state.players[seat]
    if len(prefix) == 1:
        hidden = word in SLOT and word not in open_route(state, seat).values
        return Refusal("route_hidden", TOPIC, {"city": player.city}) if hidden else None
    if word == str(player.city):
        return Refusal("marker_of_city", TOPIC, {"city": player.city})
    return None


def _reroute(state: State, seat: Seat, recorder: EventRecorder, route: str, marker: str) -> None:
    """The old marker comes to hand, the new one lies face down and only its owner knows it."""
    use(state, "reroute")
    lay_route(state, seat, recorder, route, marker)


def lay_route(state: State, seat: Seat, recorder: EventRecorder, route: str, marker: str) -> None:
    """Exchange a route marker for one's own.

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
    if state.rules.memory and state.rules.covered:
        recorder.tell(Rerouted(seat=seat, city=city, route=route, marker=old, only=(seat,)))
        recorder.tell(ReroutedSecretly(seat=seat, city=city, route=route, but=(seat,)))
    else:
        recorder.tell(Rerouted(seat=seat, city=city, route=route, marker=old))
    recorder.tell(ReroutedWith(city=city, route=route, marker=int(marker), only=(seat,)))
    if state.rules.covered:
        drop_offers_of(state, (seat,), recorder)


REROUTE: Rule[State] = (
    rule("reroute", TOPIC, _reroute_gate)
    .word("route", open_route)
    .word("marker", new_marker)
    .does(_reroute, explain=_why_not_reroute)
)
