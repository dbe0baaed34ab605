"""A view of as much as the computer player looks at, made quickly, for games that are imagined."""

from __future__ import annotations

from bot.game.contract import Seat
from bot.game.kogge.data import CHIT_KEYS, CITIES
from bot.game.kogge.state import Acting, Choosing, City, KoggeState, Movement, Push, Route
from bot.game.kogge.view import CityView, KoggeSeatView, KoggeView, OfficeView, RouteView
from bot.game.turns import departures

_SHOWN = tuple(RouteView(marker, False) for marker in range(CITIES))
_KNOWN = tuple(RouteView(marker, True) for marker in range(CITIES))
_UNKNOWN = RouteView(None, True)


def glance(state: KoggeState, seat: Seat) -> KoggeView:
    """What the seat may know, without what no computer player looks at while it is asked: laps
    ahead, prices, the bag, notes, offers, and the phase."""
    frame, rules = state.frames[-1], state.rules
    offices = [0] * len(state.players)
    for city in state.cities:
        for office in city.offices:
            offices[office.seat] += 1
    return KoggeView(
        observer=seat,
        known=state,
        phase="",
        active=(),
        round=state.round,
        laps=state.laps,
        guild_city=state.guild_city,
        end_city=state.end_city,
        order=tuple(state.order),
        display=tuple(state.display),
        reserve=tuple(state.reserve),
        bag=None,
        chits_left=tuple(state.chits),
        cities=tuple([_city(city, seat) for city in state.cities]),
        seats=tuple(
            [
                _seat(state, other, offices[other], own=other == seat)
                for other in range(len(offices))
            ]
        ),
        offers=(),
        groups=frame.groups if isinstance(frame, Choosing) else None,
        chosen=None,
        variants=departures(rules),
        outcome=None,
        start=frame.start if isinstance(frame, (Movement, Acting)) else None,
        pushed=frame.pushed if isinstance(frame, Push) else None,
        may_pass=isinstance(frame, Push) and frame.optional,
    )


def _city(city: City, seat: Seat) -> CityView:
    left, right = city.routes
    return CityView(
        tuple(city.goods),
        (_route(left, seat), _route(right, seat)),
        tuple([OfficeView(office.seat, tuple(office.goods)) for office in city.offices])
        if city.offices
        else (),
        tuple(city.raids),
    )


def _route(route: Route, seat: Seat) -> RouteView:
    if not route.hidden:
        return _SHOWN[route.marker]
    return _KNOWN[route.marker] if route.known >> seat & 1 else _UNKNOWN


def _seat(state: KoggeState, seat: Seat, offices: int, *, own: bool) -> KoggeSeatView:
    player, rules = state.players[seat], state.rules
    return KoggeSeatView(
        player.city,
        tuple(player.goods) if own or not rules.hidden else None,
        tuple(player.markers) if own or rules.open else None,
        state.bids[seat],
        tuple([CHIT_KEYS[kind] for kind, count in enumerate(player.chits) for _ in range(count)]),
        offices,
        player.raids,
        offices + sum(player.chits),
        bought_raid=player.bought_raid,
    )
