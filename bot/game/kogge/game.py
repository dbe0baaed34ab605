"""The class `Kogge`: the order of questions, the methods of `Game`, and the invariants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from bot.game.contract import ANSWER, Action, Decision, Option, Seat
from bot.game.events import GameEnded, TurnEnded, kinds_of
from bot.game.frames import tag_of
from bot.game.game import Game
from bot.game.grammar import EventRecorder, Rule, rule
from bot.game.invariants import conserved
from bot.game.kogge.actions import BUILD, BUY, BUY_RAID, SELL_SIX, SWAP_GOOD, SWAP_MARKER, TRADE
from bot.game.kogge.common import (
    current_city,
    development_points,
    goods_stocks,
    marker_stocks,
    offices_of,
    outcome,
    spaces_left,
)
from bot.game.kogge.data import CHIT_KEYS, CITIES, CONTENT, GOOD_KEYS
from bot.game.kogge.deals import (
    ACCEPT,
    COUNTER,
    DECLINE,
    OFFER,
    WITHDRAW,
    drop_lapsed_offers,
    stocks_offered,
)
from bot.game.kogge.raid import (
    CHALLENGE,
    CHOOSE,
    CONFLICT_BID,
    DECLINE_CONFLICT,
    DEMAND,
    LEAVE_LOSER,
    PUSH,
    RAID_CITY,
    RAID_SHIP,
    SPLIT,
    begin_challenge,
    settle_push,
)
from bot.game.kogge.rounds import ADVANCE, BID, TAX, begin_round, settle_auction
from bot.game.kogge.routes import EXCHANGE, KEEP, LOAD, PEEK, REROUTE, SAIL, SLOT, STOP
from bot.game.kogge.secrets import deal
from bot.game.kogge.setup import FOUND, choosers, set_up
from bot.game.kogge.state import (
    NOWHERE,
    Acting,
    Auction,
    Challenge,
    Choosing,
    Conflict,
    Demand,
    Exchange,
    Founding,
    Frame,
    GuildMaster,
    KoggeOver,
    KoggeState,
    Movement,
    Push,
    Split,
    Taxing,
)


def _end(state: KoggeState, seat: Seat, recorder: EventRecorder) -> None:
    """After the turn, ships in one city may fight (advanced rule C)."""
    state.frames.pop()
    if state.rules.conflicts:
        begin_challenge(state, seat)


END: Rule[KoggeState] = rule("end", "overview").does(_end)

QUESTIONS: dict[str, tuple[Rule[KoggeState], ...]] = {
    tag_of(Founding): (FOUND,),
    tag_of(Auction): (BID,),
    tag_of(GuildMaster): (ADVANCE,),
    tag_of(Taxing): (TAX,),
    tag_of(Movement): (SAIL, LOAD, STOP, PEEK),
    tag_of(Acting): (
        BUILD,
        TRADE,
        BUY,
        REROUTE,
        SELL_SIX,
        SWAP_GOOD,
        SWAP_MARKER,
        BUY_RAID,
        RAID_CITY,
        RAID_SHIP,
        END,
    ),
    tag_of(Split): (SPLIT,),
    tag_of(Choosing): (CHOOSE,),
    tag_of(Push): (PUSH, LEAVE_LOSER),
    tag_of(Challenge): (CHALLENGE, DECLINE_CONFLICT),
    tag_of(Conflict): (CONFLICT_BID,),
    tag_of(Demand): (DEMAND,),
    tag_of(Exchange): (EXCHANGE, KEEP),
    tag_of(KoggeOver): (),
}

ACTIVE_SEAT: dict[type[Frame], Callable[[KoggeState, Any], Seat]] = {
    Auction: lambda state, frame: state.order[frame.at],
    GuildMaster: lambda state, frame: state.order[0],
    Movement: lambda state, frame: state.order[state.at],
    Acting: lambda state, frame: state.order[state.at],
    Split: lambda state, frame: frame.victim,
    Choosing: lambda state, frame: frame.raider,
    Push: lambda state, frame: frame.pusher,
    Challenge: lambda state, frame: frame.asked[0],
    Demand: lambda state, frame: frame.winner,
    Exchange: lambda state, frame: state.order[frame.at],
}
"""By frame that asks a single seat: the seat to act."""

SETTLE: dict[type[Frame], Callable[[KoggeState, Any, EventRecorder], bool]] = {
    Auction: settle_auction,
    Push: settle_push,
}
"""By frame that may have nothing to ask: a function that then carries on, and returns whether it
did."""

FREE: tuple[Rule[KoggeState], ...] = (ACCEPT, COUNTER, DECLINE, OFFER, WITHDRAW)


def _next_turn(state: KoggeState, recorder: EventRecorder) -> None:
    recorder.record(TurnEnded(seat=state.order[state.at]))
    state.at += 1
    if state.at == len(state.order):
        begin_round(state, recorder)
    else:
        state.frames = [Movement(state.players[state.order[state.at]].city)]


# Disclosure

HARMLESS = frozenset({"advance", "stop", "load", "end", "raid_city", "decline", "withdraw"})
"""Kinds of action that touch no hidden hand."""

MEMORY_LOOKS = frozenset({"peek", "reroute", "pass"})
"""Kinds of action that, with Memory, show a seat a route that is face down."""

MARKER_PARAMS = ("fee", "give", "take", "markers", "marker", "pieces")
"""Parameters in which a digit is a marker."""


def discloses(state: KoggeState, action: Action) -> bool:
    """Return whether the action may reveal a hidden route, the bag or a piece of a hidden hand.

    It errs on the safe side: it is true even if everyone already knew.
    """
    kind, rules = action[0], state.rules
    words = dict(zip(GAME.rules[kind].move.params, action[1:], strict=False))
    # A swapped good shows everyone a number in the bag that only the buyer has seen.
    if kind == "swap_good" or (rules.memory and kind in MEMORY_LOOKS):
        return True
    if _reveals_route(state, words.get("route")) or _shows_bag(state, kind):
        return True
    if rules.hidden:
        return bool(words.get("fee")) if kind == "sail" else kind not in HARMLESS
    # A marker leaves a hand of which only the goods are visible.
    named = "".join(words.get(param, "") for param in MARKER_PARAMS)
    shows_marker = words.get("price") in ("both", "markers") or any(map(str.isdigit, named))
    return rules.covered and (kind == "accept" or shows_marker)


def _reveals_route(state: KoggeState, route: str | None) -> bool:
    """Return whether a ship sails or is pushed along a route that is face down."""
    frame = state.frames[-1]
    if route not in SLOT or not isinstance(frame, (Movement, Push)):
        return False
    ship = frame.pushed if isinstance(frame, Push) else state.order[state.at]
    return current_city(state, ship).routes[SLOT[route]].hidden


def _shows_bag(state: KoggeState, kind: str) -> bool:
    """Return whether a seat may see new numbers in the bag (ruling 45).

    A seat sees the numbers in the colours of its goods while it can swap a good with the guild
    master. That changes when it stops in that city, or gets other goods there.
    """
    frame, seat = state.frames[-1], GAME.active_seat(state)
    if seat is None or state.players[seat].city != state.guild_city:
        return False
    if isinstance(frame, Movement):
        return kind == "stop"
    return isinstance(frame, Acting) and "guild" not in frame.used and kind in ("trade", "accept")


# Invariants


def invariants(state: KoggeState) -> list[str]:
    """Return everything wrong with the state."""
    return [*_pieces(state), *_cities(state), *_players(state), *_secrets(state)]


def _pieces(state: KoggeState) -> Iterator[str]:
    """Count all pieces (rulebook: Game components)."""
    chits = [state.chits, *[player.chits for player in state.players]]
    numbers = [f"markers {number}" for number in range(CITIES)]
    yield from conserved(marker_stocks(state), numbers, CONTENT.markers)
    yield from conserved(goods_stocks(state), GOOD_KEYS, [good.total for good in CONTENT.goods])
    yield from conserved(
        chits, [f"chits {key}" for key in CHIT_KEYS], [chit.copies for chit in CONTENT.chits]
    )


def _cities(state: KoggeState) -> Iterator[str]:
    for number, city in enumerate(state.cities):
        if len(city.offices) > CONTENT.offices_per_city:
            yield f"city {number} has {len(city.offices)} offices"
        for route in city.routes:
            if state.rules.memory and not route.hidden:
                yield f"a route of city {number} is open"
            if route.marker == number and (route.laid or not state.rules.memory):
                yield f"a route of city {number} leads to itself"


def _players(state: KoggeState) -> Iterator[str]:
    # The fifth office ends the game (ruling 30).
    maximum = CONTENT.development_points_to_win - (not isinstance(state.frames[-1], KoggeOver))
    for seat, player in enumerate(state.players):
        offices = offices_of(state, seat)
        if offices > maximum:
            yield f"seat {seat} has {offices} offices"
        laid = sum(city.raids.count(seat) for city in state.cities)
        if player.raids < 0 or player.raids + laid != 1 + player.bought_raid:
            yield f"seat {seat} has {player.raids} Raids in hand and {laid} laid"


def _secrets(state: KoggeState) -> Iterator[str]:
    for frame in state.frames:
        if isinstance(frame, Choosing):
            cargo, (one, other) = state.players[frame.victim].goods, frame.groups
            if len(one + other) != sum(cargo) or abs(len(one) - len(other)) > 1:
                yield f"the cargo {cargo} was split into {frame.groups}"
    # A seat that knows a route has seen its present marker (advanced rule D).
    for seen in state.sightings:
        route = state.cities[seen.city].routes[seen.slot]
        if seen.seats & route.known and seen.marker != route.marker:
            yield f"city {seen.city} has {route.marker} on square {seen.slot}, not {seen.marker}"


class Kogge(Game[KoggeState]):
    """The rules of Kogge. Deals are free actions."""

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
    state = KoggeState
    questions = QUESTIONS
    free = FREE

    begin = staticmethod(set_up)
    deal = staticmethod(deal)
    outcome = staticmethod(outcome)
    invariants = staticmethod(invariants)
    discloses = staticmethod(discloses)

    def active_seat(self, state: KoggeState) -> Seat | None:
        frame = state.frames[-1]
        seat_of = ACTIVE_SEAT.get(type(frame))
        return seat_of(state, frame) if seat_of else None

    def choosing(self, state: KoggeState) -> list[tuple[Seat, bool]]:
        match state.frames[-1]:
            case Founding(chosen):
                return [(seat, chosen[seat] != NOWHERE) for seat in choosers(state)]
            case Taxing(asked, taxes):
                return [(seat, taxes[seat] is not None) for seat in asked]
            case Conflict(sides, bids):
                return [(side, bid is not None) for side, bid in zip(sides, bids, strict=True)]
        return []

    def free_rules(self, state: KoggeState) -> tuple[Rule[KoggeState], ...]:
        """Without an open offer, a seat can only make one."""
        return FREE if state.offers else (OFFER,)

    def offers(self, state: KoggeState) -> tuple[Decision, ...]:
        """Each offer asks its receiver."""
        if not state.offers:
            return ()
        return tuple(
            [Decision(f"o{offer.id}", offer.other, ANSWER, optional=True) for offer in state.offers]
        )

    def carry_out(
        self,
        state: KoggeState,
        seat: Seat,
        rule: Rule[KoggeState],
        action: Action,
        recorder: EventRecorder,
    ) -> None:
        before = stocks_offered(state) if state.offers else {}
        rule.perform(state, seat, recorder, *action[1:])
        while True:
            if state.offers:
                drop_lapsed_offers(state, before, recorder)
            if not state.frames:
                _next_turn(state, recorder)
                continue
            frame = state.frames[-1]
            settle = SETTLE.get(type(frame))
            if settle is None or not settle(state, frame, recorder):
                return

    def progress(self, state: KoggeState) -> float:
        """Return the guild master's share of their way, or that of the development points after
        the first office if it is larger."""
        way = 1 - spaces_left(state) / (CITIES * CONTENT.laps_to_end)
        most = max(development_points(state, seat) for seat in range(len(state.players)))
        return min(max(way, (most - 1) / (CONTENT.development_points_to_win - 1)), 1.0)

    def hand(self, state: KoggeState, seat: Seat) -> object:
        """Return the seat's goods and markers, and the goods in its offices."""
        player = state.players[seat]
        offices = [
            office.goods for city in state.cities for office in city.offices if office.seat == seat
        ]
        return player.goods, player.markers, offices


GAME = Kogge()
