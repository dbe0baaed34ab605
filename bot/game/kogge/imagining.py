"""Random states that look like a view: what its observer may take the table to be.

Markers that the observer cannot place are dealt at random to the squares that lie face down, to the
hands and to the bag; where the sizes of hands are secret, each goes to a hand or the bag as likely
as at the beginning of the game. Hidden goods go to any of the others' ships. What others know of
routes that lie face down is left open: in an imagined state they know nothing of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bot.game.contract import SPECTATOR, Seat
from bot.game.kogge.auction import can_bid
from bot.game.kogge.data import CHIT_KEYS, CITIES, CONTENT, MARKER_BACK
from bot.game.kogge.notation import goods_of
from bot.game.kogge.resampling import (
    bid_anew,
    choose_anew,
    choose_taxes_anew,
    divided,
    promised_pieces,
    reword_offers,
)
from bot.game.kogge.routes import ROUTES
from bot.game.kogge.state import (
    NOBODY,
    NOWHERE,
    Auction,
    Choosing,
    City,
    Conflict,
    Founding,
    KoggeOver,
    KoggePlayer,
    KoggeRules,
    KoggeState,
    Offer,
    Office,
    Route,
    Sighting,
    Taxing,
    no_goods,
    no_markers,
)
from bot.game.kogge.view import CityView, KoggeSeatView, KoggeView
from bot.game.kogge.views import open_frame

UNKNOWN = -1
"""The marker of a square until one is dealt to it."""


def imagine(view: KoggeView, rng: Random) -> KoggeState:
    """A state in which the view's observer would see that very view; `decision` is not in it."""
    rules = KoggeRules(**dict.fromkeys(view.variants, True))
    state = KoggeState(
        rules=rules,
        players=[_player(seat) for seat in view.seats],
        cities=[_city(view, rules, city) for city in view.cities],
        reserve=list(view.reserve),
        bag=no_markers(),
        guild_city=view.guild_city,
        end_city=view.end_city,
        chits=list(view.chits_left),
        frames=[open_frame(frame) for frame in view.stack],
        display=list(view.display),
        order=list(view.order),
        at=view.at,
        round=view.round,
        laps=view.laps,
        bids=[seat.bid for seat in view.seats],
        offers=[
            Offer(
                offer.id,
                offer.seat,
                offer.other,
                (offer.give or "").replace(MARKER_BACK, "0"),
                (offer.take or "").replace(MARKER_BACK, "0"),
                NOBODY if offer.office is None else offer.office,
                NOWHERE if offer.city is None else offer.city,
            )
            for offer in view.offers
        ],
        next_offer=1 + max((offer.id for offer in view.offers), default=0),
        sightings=[
            Sighting(note.city, ROUTES.index(note.route), note.marker, note.round, _bit(view))
            for note in view.notes
        ],
    )
    _deal_markers(state, view, rng)
    _deal_goods(state, view, rng)
    if rules.covered and not isinstance(state.frames[-1], (Founding, KoggeOver)):
        reword_offers(state, view.observer, rng)
    _answer(state, view, rng)
    return state


def _bit(view: KoggeView) -> int:
    return 0 if view.observer == SPECTATOR else 1 << view.observer


def _player(seat: KoggeSeatView) -> KoggePlayer:
    return KoggePlayer(
        goods=no_goods() if seat.goods is None else list(seat.goods),
        markers=no_markers() if seat.markers is None else list(seat.markers),
        city=seat.city,
        raids=seat.raids,
        bought_raid=seat.bought_raid,
        chits=[seat.chits.count(key) for key in CHIT_KEYS],
    )


def _city(view: KoggeView, rules: KoggeRules, city: CityView) -> City:
    routes = []
    for route in city.routes:
        marker = UNKNOWN if route.marker is None else route.marker
        known = _bit(view) if route.hidden and route.marker is not None else 0
        # Without Memory only what a player has laid lies face down.
        laid = route.hidden and not rules.memory
        routes.append(Route(marker, route.hidden, known, laid))
    offices = [Office(office.seat, list(office.goods)) for office in city.offices]
    return City(list(city.goods), routes, offices, list(city.raids))


# Markers


def _deal_markers(state: KoggeState, view: KoggeView, rng: Random) -> None:
    pool = _unplaced_markers(state)
    for offer_seat, player in enumerate(state.players):
        if view.seats[offer_seat].markers is None:
            for letter in promised_pieces(state, offer_seat, view.observer):
                if letter.isdecimal():
                    player.markers[int(letter)] += 1
                    pool[int(letter)] -= 1
    for number, there in view.seen_in_bag:
        if there:
            state.bag[number] += 1
            pool[number] -= 1
    for number, city in enumerate(state.cities):
        for route in city.routes:
            if route.marker == UNKNOWN:
                barred = NOWHERE if state.rules.memory else number
                weights = [0 if n == barred else count for n, count in enumerate(pool)]
                (route.marker,) = rng.choices(range(CITIES), weights)
                pool[route.marker] -= 1
    not_in_bag = {number for number, there in view.seen_in_bag if not there}
    pieces = [number for number, count in enumerate(pool) for _ in range(count)]
    rng.shuffle(pieces)
    pieces.sort(key=lambda number: number not in not_in_bag)
    _fill_hands(state, view, pieces, sum(number in not_in_bag for number in pieces), rng)
    frame = state.frames[-1]
    if isinstance(frame, Auction):
        _enable_to_bid(state, view, state.order[frame.at], rng)


def _unplaced_markers(state: KoggeState) -> list[int]:
    """By number, the markers whose place the view does not show."""
    lying = "".join(state.display)
    if isinstance(state.frames[0], Auction):
        # Later the bids are only remembered: their markers have gone back.
        lying += "".join(state.bids)
    pool = [total - lying.count(str(number)) for number, total in enumerate(CONTENT.markers)]
    for player in state.players:
        for number, count in enumerate(player.markers):
            pool[number] -= count
    for city in state.cities:
        for route in city.routes:
            if route.marker != UNKNOWN:
                pool[route.marker] -= 1
    return pool


def _fill_hands(
    state: KoggeState, view: KoggeView, pieces: list[int], not_in_bag: int, rng: Random
) -> None:
    """Deals the pieces, of which the first few cannot lie in the bag, to hands and bag."""
    hidden = [seat for seat, shown in enumerate(view.seats) if shown.markers is None]
    slots: list[Seat] = []
    for seat in hidden:
        count = view.seats[seat].marker_count
        if count is not None:
            slots += [seat] * (count - sum(state.players[seat].markers))
    if not hidden or view.seats[hidden[0]].marker_count is not None:
        given = pieces[: len(slots)]
        rng.shuffle(given)
        for seat, number in zip(slots, given, strict=True):
            state.players[seat].markers[number] += 1
        rest = pieces[len(slots) :]
    else:
        in_hands = len(view.seats) * CITIES / sum(CONTENT.markers)
        rest = []
        for place, number in enumerate(pieces):
            if place < not_in_bag or rng.random() < in_hands:
                state.players[rng.choice(hidden)].markers[number] += 1
            else:
                rest.append(number)
    for number in rest:
        state.bag[number] += 1


def _enable_to_bid(state: KoggeState, view: KoggeView, seat: Seat, rng: Random) -> None:
    """Whoever is asked for a bid can make one: markers change places until it is so."""
    hand, is_fixed = state.players[seat].markers, view.seats[seat].marker_count is not None
    if view.seats[seat].markers is not None:
        return
    others = [
        player.markers
        for player, shown in zip(state.players, view.seats, strict=True)
        if shown.markers is None and player.markers is not hand
    ]
    while not can_bid(state, seat):
        stock = rng.choice([each for each in (state.bag, *others) if any(each)])
        (number,) = rng.choices(range(CITIES), stock)
        if is_fixed:
            (back,) = rng.choices(range(CITIES), hand)
            hand[back] -= 1
            stock[back] += 1
        stock[number] -= 1
        hand[number] += 1


# Goods, and what was chosen in secret


def _deal_goods(state: KoggeState, view: KoggeView, rng: Random) -> None:
    hidden = [seat for seat, shown in enumerate(view.seats) if shown.goods is None]
    if not hidden:
        return
    frame = state.frames[-1]
    if isinstance(frame, Choosing) and view.groups is not None and frame.victim in hidden:
        # Both groups lie before the raider, who so knows the whole cargo.
        state.players[frame.victim].goods = goods_of("".join(view.groups))
        hidden.remove(frame.victim)
    pool = _unplaced_goods(state)
    for seat in hidden:
        for good, count in enumerate(
            goods_of(_goods_in(promised_pieces(state, seat, view.observer)))
        ):
            state.players[seat].goods[good] += count
            pool[good] -= count
    for good, count in enumerate(pool):
        for _ in range(count):
            state.players[rng.choice(hidden)].goods[good] += 1


def _unplaced_goods(state: KoggeState) -> list[int]:
    stocks: list[Sequence[int]] = [state.reserve, *(player.goods for player in state.players)]
    for city in state.cities:
        stocks += [city.goods, *(office.goods for office in city.offices)]
    return [
        kind.total - sum(stock[good] for stock in stocks) for good, kind in enumerate(CONTENT.goods)
    ]


def _goods_in(word: str) -> str:
    return "".join(letter for letter in word if not letter.isdecimal())


def _answer(state: KoggeState, view: KoggeView, rng: Random) -> None:
    """What has been chosen in secret: one's own as it was, others' at random."""
    frame, observer = state.frames[-1], view.observer
    done = [seat for seat in range(len(state.players)) if seat not in view.active]
    match frame:
        case Founding():
            own = NOWHERE if view.chosen is None else view.chosen
            for seat in done:
                if state.players[seat].city == NOWHERE:
                    frame.chosen[seat] = own if seat == observer else 0
            choose_anew(state, frame, observer, rng)
        case Taxing():
            for seat in frame.asked:
                if seat in done:
                    frame.chosen[seat] = view.sealed if seat == observer else ""
            choose_taxes_anew(state, frame, observer, rng)
        case Conflict():
            for place, seat in enumerate(frame.sides):
                if seat in done:
                    frame.bids[place] = view.sealed if seat == observer else ""
            bid_anew(state, frame, observer, rng)
        case Choosing():
            cargo = state.players[frame.victim].goods
            frame.groups = divided(cargo, rng) if view.groups is None else view.groups
