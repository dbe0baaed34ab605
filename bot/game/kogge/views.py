"""Building a View from a State: only what the observer may know is ever put in."""

from __future__ import annotations

from msgspec.structs import replace

from bot.game.contract import SPECTATOR, Observer
from bot.game.frames import tag_of
from bot.game.kogge.actions import office_price, room_for_office
from bot.game.kogge.common import development_points, offices_of, outcome
from bot.game.kogge.data import CHIT_KEYS, CITIES, cover
from bot.game.kogge.guild_master import walk
from bot.game.kogge.movement import step_fee
from bot.game.kogge.offers import is_secret
from bot.game.kogge.routes import ROUTES
from bot.game.kogge.state import (
    NOBODY,
    NOWHERE,
    Acting,
    Challenge,
    Choosing,
    Conflict,
    Demand,
    Founding,
    Frame,
    KoggeOver,
    KoggeState,
    Movement,
    Offer,
    Push,
    Route,
    Taxing,
    numbers_seen_in_the_bag,
)
from bot.game.kogge.turn import TURNS
from bot.game.kogge.view import (
    CityView,
    KoggeSeatView,
    KoggeView,
    NoteView,
    OfferView,
    OfficeView,
    RouteView,
)
from bot.game.turns import departures


def view(state: KoggeState, observer: Observer, known: KoggeState) -> KoggeView:
    """The table as the observer may know it."""
    frame = state.frames[-1]
    rules = state.rules
    # Once the game is over everything that scored is shown.
    over = isinstance(frame, KoggeOver)
    shown = over or not rules.hidden
    groups = None
    if isinstance(frame, Choosing) and (shown or observer in (frame.raider, frame.victim)):
        groups = frame.groups
    chosen = None
    if isinstance(frame, Founding) and observer != SPECTATOR and frame.chosen[observer] != NOWHERE:
        chosen = frame.chosen[observer]
    return KoggeView(
        observer=observer,
        known=known,
        phase=tag_of(type(frame)),
        active=TURNS.awaited(state),
        round=state.round,
        laps=state.laps,
        guild_city=state.guild_city,
        end_city=state.end_city,
        order=tuple(state.order),
        display=tuple(state.display),
        reserve=tuple(state.reserve),
        bag=sum(state.bag) if shown else None,
        chits_left=tuple(state.chits),
        cities=tuple([_city(state, number, observer) for number in range(CITIES)]),
        seats=tuple(
            [_seat(state, s, shown=over or s == observer) for s in range(len(state.players))]
        ),
        offers=tuple([_offer(state, offer, observer) for offer in state.offers]),
        groups=groups,
        chosen=chosen,
        variants=departures(rules),
        outcome=outcome(state),
        start=frame.start if isinstance(frame, (Movement, Acting)) else None,
        fees=_fees(state) if isinstance(frame, Movement) else None,
        guild_reach=(walk(state, 1), walk(state, 2)),
        pushed=frame.pushed if isinstance(frame, Push) else None,
        sealed=_sealed(frame, observer),
        conflict=_conflict(frame),
        may_pass=isinstance(frame, Push) and frame.optional,
        at=state.at,
        stack=tuple([open_frame(each) for each in state.frames]),
        seen_in_bag=tuple(
            [(each, state.bag[each] > 0) for each in numbers_seen_in_the_bag(state, observer)]
        ),
        notes=_notes(state, observer) if state.sightings else (),
    )


def open_frame(frame: Frame) -> Frame:
    """A frame as all know it, which changes with nothing else."""
    match frame:
        case Founding(chosen, barred):
            return Founding([NOWHERE] * len(chosen), [*barred])
        case Taxing(asked, chosen):
            return Taxing([*asked], [None] * len(chosen))
        case Conflict(sides, _):
            return Conflict(sides, [None, None])
        case Choosing(raider, victim, _):
            return Choosing(raider, victim, ("", ""))
        case Movement(start, steps, failed, peeked):
            return Movement(start, steps, [*failed], peeked)
        case Acting(start, used):
            return Acting(start, [*used])
        case Push(pusher, pushed, optional, failed):
            return Push(pusher, pushed, optional, [*failed])
        case Challenge(asked):
            return Challenge([*asked])
    # The others are of numbers and words that all know.
    return replace(frame)


def _sealed(frame: Frame, observer: Observer) -> str | None:
    if observer == SPECTATOR:
        return None
    if isinstance(frame, Taxing) and observer in frame.asked:
        return frame.chosen[observer]
    if isinstance(frame, Conflict) and observer in frame.sides:
        return frame.bids[frame.sides.index(observer)]
    return None


def _conflict(frame: Frame) -> tuple[int, int] | None:
    if isinstance(frame, Conflict):
        return frame.sides
    return (frame.winner, frame.loser) if isinstance(frame, Demand) else None


def _notes(state: KoggeState, observer: Observer) -> tuple[NoteView, ...]:
    """By city and side. Spectators have none: they would be a memory for everybody."""
    if observer == SPECTATOR:
        return ()
    notes = [
        NoteView(
            seen.city,
            ROUTES[seen.slot],
            seen.marker,
            seen.round,
            bool(state.cities[seen.city].routes[seen.slot].known >> observer & 1),
        )
        for seen in state.sightings
        if seen.seats >> observer & 1
    ]
    return tuple(sorted(notes, key=lambda note: (note.city, note.route)))


def _fees(state: KoggeState) -> tuple[int, int]:
    seat = state.order[state.at]
    return step_fee(state, seat, "left"), step_fee(state, seat, "secret")


def _city(state: KoggeState, number: int, observer: Observer) -> CityView:
    city = state.cities[number]
    left, right = (_route(route, observer) for route in city.routes)
    return CityView(
        goods=tuple(city.goods),
        routes=(left, right),
        offices=tuple([OfficeView(office.seat, tuple(office.goods)) for office in city.offices]),
        raids=tuple(city.raids),
        price=office_price(state, number) if room_for_office(city) else None,
    )


def _route(route: Route, observer: Observer) -> RouteView:
    knows = not route.hidden or (observer != SPECTATOR and route.known >> observer & 1)
    return RouteView(route.marker if knows else None, route.hidden)


def _seat(state: KoggeState, seat: int, *, shown: bool) -> KoggeSeatView:
    player, rules = state.players[seat], state.rules
    counted = shown or not rules.hidden
    return KoggeSeatView(
        city=player.city,
        goods=tuple(player.goods) if counted else None,
        markers=tuple(player.markers) if shown or rules.open else None,
        marker_count=sum(player.markers) if counted else None,
        bid=state.bids[seat],
        chits=tuple(
            [key for key, count in zip(CHIT_KEYS, player.chits, strict=True) for _ in range(count)]
        ),
        offices=offices_of(state, seat),
        raids=player.raids,
        development_points=development_points(state, seat),
        bought_raid=player.bought_raid,
    )


def _offer(state: KoggeState, offer: Offer, observer: Observer) -> OfferView:
    give: str | None = offer.give
    take: str | None = offer.take
    if observer not in (offer.seat, offer.other) and is_secret(state, offer):
        hidden = state.rules.hidden
        give, take = (None, None) if hidden else (cover(offer.give), cover(offer.take))
    return OfferView(
        offer.id,
        offer.seat,
        offer.other,
        give,
        take,
        None if offer.office == NOBODY else offer.office,
        None if offer.office == NOBODY else offer.city,
    )
