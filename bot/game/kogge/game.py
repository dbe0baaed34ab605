"""Kogge as a `Game`: the contract's functions over the rules, and what must always hold."""

from __future__ import annotations

from collections.abc import Iterator

from bot.game.contract import Option, Seat
from bot.game.events import GameEnded, TurnEnded, kinds_of
from bot.game.invariants import conserved
from bot.game.kogge.common import outcome
from bot.game.kogge.data import CHIT_KEYS, CITIES, CONTENT, GOOD_KEYS
from bot.game.kogge.secrets import deal, discloses
from bot.game.kogge.setup import set_up
from bot.game.kogge.state import Auction, Choosing, KoggeOver, KoggeState, KoggeView
from bot.game.kogge.turn import TURNS
from bot.game.turns import RuledGame

RAIDS_A_SEAT = 2
NUMBERS = tuple(map(str, range(CITIES)))


def invariants(state: KoggeState) -> list[str]:
    """Everything wrong with the state, a line each for developers; empty for a sound one."""
    return [
        *_markers(state),
        *_goods(state),
        *_chits(state),
        *_offices(state),
        *_raids(state),
        *_routes(state),
        *_sightings(state),
    ]


def _markers(state: KoggeState) -> Iterator[str]:
    """The pieces of the box (section Game components): every number has its markers."""
    lying = "".join((*state.display, *_bids_on_the_table(state)))
    laid = [route.marker for city in state.cities for route in city.routes]
    stocks = [
        state.bag,
        *[player.markers for player in state.players],
        [lying.count(number) for number in NUMBERS],
        [laid.count(number) for number in range(CITIES)],
    ]
    yield from conserved(stocks, [f"markers {number}" for number in NUMBERS], CONTENT.markers)


def _bids_on_the_table(state: KoggeState) -> list[str]:
    # A bid stays visible until the next round, but its markers go back with the new order.
    return state.bids if isinstance(state.frames[0], Auction) else []


def _goods(state: KoggeState) -> Iterator[str]:
    stocks = [
        state.reserve,
        *[player.goods for player in state.players],
        *[city.goods for city in state.cities],
        *[office.goods for city in state.cities for office in city.offices],
    ]
    yield from conserved(stocks, GOOD_KEYS, [good.total for good in CONTENT.goods])
    for frame in state.frames:
        if isinstance(frame, Choosing):
            cargo, parts = state.players[frame.victim].goods, "".join(frame.groups)
            if len(parts) != sum(cargo) or abs(len(frame.groups[0]) - len(frame.groups[1])) > 1:
                yield f"the cargo {cargo} was split into {frame.groups}"


def _chits(state: KoggeState) -> Iterator[str]:
    stocks = [state.chits, *[player.chits for player in state.players]]
    names = [f"chits {key}" for key in CHIT_KEYS]
    yield from conserved(stocks, names, [chit.copies for chit in CONTENT.chits])


def _offices(state: KoggeState) -> Iterator[str]:
    for number, city in enumerate(state.cities):
        if len(city.offices) > CONTENT.offices_per_city:
            yield f"city {number} has {len(city.offices)} offices"
    # A fifth office may stand only because it ended the game (ruling 30).
    most = CONTENT.development_points_to_win - (not isinstance(state.frames[-1], KoggeOver))
    owners = [office.seat for city in state.cities for office in city.offices]
    for seat in range(len(state.players)):
        if owners.count(seat) > most:
            yield f"seat {seat} has {owners.count(seat)} offices"


def _raids(state: KoggeState) -> Iterator[str]:
    owners = [seat for city in state.cities for seat in city.raids]
    for seat, player in enumerate(state.players):
        laid = owners.count(seat)
        owned = RAIDS_A_SEAT - 1 + player.bought_raid
        if player.raids < 0 or player.raids + laid != owned:
            yield f"seat {seat} has {player.raids} Raids in hand and {laid} laid, not {owned}"


def _routes(state: KoggeState) -> Iterator[str]:
    for number, city in enumerate(state.cities):
        for route in city.routes:
            if state.rules.memory and not route.hidden:
                yield f"a route of city {number} lies open"
            if route.marker == number and (route.laid or not state.rules.memory):
                yield f"a route of city {number} leads to itself"


def _sightings(state: KoggeState) -> Iterator[str]:
    """Whoever knows a marker on a square has a note of it (advanced rule D)."""
    for seen in state.sightings:
        route = state.cities[seen.city].routes[seen.slot]
        if seen.seats & route.known and seen.marker != route.marker:
            yield f"city {seen.city} has {route.marker} on square {seen.slot}, not {seen.marker}"


class Kogge(RuledGame[KoggeState, KoggeView]):
    """The rules of Kogge."""

    name = "kogge"
    version = 2
    seats = (2, 3, 4)
    options = (
        Option("edition", ("english", "italian")),
        Option("office_price", ("edition", "both", "either")),
        Option("failed_route", ("edition", "uses_step", "keeps_step")),
        Option("goods", ("markers", "open", "hidden")),
        Option("taxes", ("off", "on")),
        Option("offices", ("off", "on")),
        Option("conflicts", ("off", "on")),
        Option("memory", ("off", "on")),
        Option("memory_fur", ("edition", "two", "three")),
    )
    events = kinds_of("bot.game.kogge", TurnEnded, GameEnded)
    turns = TURNS
    state = KoggeState

    begin = staticmethod(set_up)
    deal = staticmethod(deal)
    outcome = staticmethod(outcome)
    invariants = staticmethod(invariants)
    discloses = staticmethod(discloses)

    def hand(self, state: KoggeState, seat: Seat) -> object:
        """The seat's goods and markers, and the goods in its offices."""
        player = state.players[seat]
        offices = [
            office.goods for city in state.cities for office in city.offices if office.seat == seat
        ]
        return player.goods, player.markers, offices


GAME = Kogge()
"""The one instance; it holds no state of any table."""
