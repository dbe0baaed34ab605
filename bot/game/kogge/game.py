"""Kogge as a `Game`: the course of a turn, the contract's functions, and what must always hold."""

from __future__ import annotations

from collections.abc import Iterator

from bot.game.contract import ANSWER, Action, Decision, Option, Seat
from bot.game.events import GameEnded, TurnEnded, kinds_of
from bot.game.frames import tag_of
from bot.game.grammar import EventRecorder, Rule, rule
from bot.game.invariants import conserved
from bot.game.kogge.actions import BUILD, BUY, TRADE
from bot.game.kogge.auction import BID, begin_round, settle_auction
from bot.game.kogge.common import goods_stocks, here, marker_stocks, outcome
from bot.game.kogge.conflicts import (
    CHALLENGE,
    CONFLICT_BID,
    DECLINE_CONFLICT,
    DEMAND,
    LEAVE_LOSER,
    begin_challenge,
)
from bot.game.kogge.data import CHIT_KEYS, CITIES, CONTENT, GOOD_KEYS
from bot.game.kogge.deals import ACCEPT, COUNTER, DECLINE, OFFER, WITHDRAW
from bot.game.kogge.guild_master import (
    ADVANCE,
    BUY_RAID,
    SELL_SIX,
    SWAP_GOOD,
    SWAP_MARKER,
    TAX,
)
from bot.game.kogge.movement import LOAD, SAIL, STOP
from bot.game.kogge.offers import Stocks, drop_fallen_offers, stocks_offered
from bot.game.kogge.raid import CHOOSE, PUSH, RAID_CITY, RAID_SHIP, SPLIT, settle_push
from bot.game.kogge.routes import EXCHANGE, KEEP, PEEK, REROUTE, SLOT
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
    KoggeView,
    Movement,
    Push,
    Split,
    Taxing,
)
from bot.game.turns import RuledGame, TurnLoop


def _end(state: KoggeState, seat: Seat, recorder: EventRecorder) -> None:
    """A turn ends when its player says so; then ships in one city may fight (rule C)."""
    state.frames.pop()
    if state.rules.conflicts:
        begin_challenge(state, seat)


END: Rule[KoggeState] = rule("end", "overview").does(_end)

ASKED: dict[type[Frame], tuple[Rule[KoggeState], ...]] = {
    Founding: (FOUND,),
    Auction: (BID,),
    GuildMaster: (ADVANCE,),
    Taxing: (TAX,),
    Movement: (SAIL, LOAD, STOP, PEEK),
    Acting: (
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
    Split: (SPLIT,),
    Choosing: (CHOOSE,),
    Push: (PUSH, LEAVE_LOSER),
    Challenge: (CHALLENGE, DECLINE_CONFLICT),
    Conflict: (CONFLICT_BID,),
    Demand: (DEMAND,),
    Exchange: (EXCHANGE, KEEP),
    KoggeOver: (),
}
"""The kinds of action that answer each frame, in the order shown.

Where two frames are answered by one kind, the first of them is what the kind is known for.
"""

FREE: tuple[Rule[KoggeState], ...] = (ACCEPT, COUNTER, DECLINE, OFFER, WITHDRAW)
FREE_WITHOUT_OFFERS = (OFFER,)
"""Those of FREE that do not need an open offer."""


class KoggeTurns(TurnLoop[KoggeState]):
    """The top frame asks; deals are free at any time."""

    def asked_seat(self, state: KoggeState) -> Seat | None:
        """The one seat that is asked; None where several choose in secret and at the end."""
        match state.frames[-1]:
            case Acting() | Movement():
                return state.order[state.at]
            case Auction(at) | Exchange(at):
                return state.order[at]
            case GuildMaster():
                return state.order[0]
            case Push(pusher):
                return pusher
            case Split(_, victim):
                return victim
            case Choosing(raider):
                return raider
            case Challenge(asked):
                return asked[0]
            case Demand(winner):
                return winner
        return None

    def choosing(self, state: KoggeState) -> list[tuple[Seat, bool]]:
        """Who chooses in secret now, and whether they have chosen."""
        match state.frames[-1]:
            case Founding(chosen):
                return [(seat, chosen[seat] != NOWHERE) for seat in choosers(state)]
            case Taxing(asked, taxes):
                return [(seat, taxes[seat] is not None) for seat in asked]
            case Conflict(sides, bids):
                return [(side, bid is not None) for side, bid in zip(sides, bids, strict=True)]
        return []

    def free(self, state: KoggeState) -> tuple[Rule[KoggeState], ...]:
        """Deals; without an offer there is only one to make."""
        return FREE if state.offers else FREE_WITHOUT_OFFERS

    def offers(self, state: KoggeState) -> tuple[Decision, ...]:
        """Each asks its receiver."""
        return tuple(
            [Decision(f"o{offer.id}", offer.other, ANSWER, optional=True) for offer in state.offers]
        )

    def carry_out(
        self,
        state: KoggeState,
        seat: Seat,
        known: Rule[KoggeState],
        action: Action,
        recorder: EventRecorder,
    ) -> None:
        """Offers lapse once their makers no longer hold enough."""
        before = stocks_offered(state) if state.offers else {}
        known.perform(state, seat, recorder, *action[1:])
        _settle(state, before, recorder)


TURNS = KoggeTurns({tag_of(frame): group for frame, group in ASKED.items()}, FREE)


def _settle(state: KoggeState, before: Stocks, recorder: EventRecorder) -> None:
    """Do all that follows without asking anybody, until somebody is asked or the game is over.

    `before` is what the makers of open offers held before the action.
    """
    while True:
        if state.offers:
            drop_fallen_offers(state, before, recorder)
        if not state.frames:
            _next_turn(state, recorder)
            continue
        frame = state.frames[-1]
        if isinstance(frame, Auction) and settle_auction(state, frame, recorder):
            continue
        if isinstance(frame, Push) and settle_push(state, frame, recorder):
            continue
        return


def _next_turn(state: KoggeState, recorder: EventRecorder) -> None:
    recorder.tell(TurnEnded(seat=state.order[state.at]))
    state.at += 1
    if state.at == len(state.order):
        begin_round(state, recorder)
    else:
        state.frames = [Movement(state.players[state.order[state.at]].city)]


# What discloses a secret

HARMLESS = frozenset({"advance", "stop", "load", "end", "raid_city", "decline", "withdraw"})
"""Kinds that touch no hidden hand."""

OF_MEMORY = frozenset({"peek", "reroute", "pass"})
"""Kinds by which, with Memory, somebody looks at what lies face down."""

NAMES_MARKERS = ("fee", "give", "take", "markers", "marker", "pieces")
"""The words of actions in which a digit is a marker."""


def discloses(state: KoggeState, action: Action) -> bool:
    """Whether the action may disclose something: a route that is turned up, a look at what lies
    face down or into the bag, or a piece out of a hand that others do not see.

    It errs on the safe side: it is true even where everybody happened to know already.
    """
    kind, rules = action[0], state.rules
    words = dict(zip(TURNS.rules[kind].move.params, action[1:], strict=False))
    # By a swapped good all see a number that the bag had; until then the buyer alone did.
    if kind == "swap_good" or (rules.memory and kind in OF_MEMORY):
        return True
    if _turns_up(state, words.get("route")) or _opens_the_bag(state, kind):
        return True
    if rules.hidden:
        return bool(words.get("fee")) if kind == "sail" else kind not in HARMLESS
    # A marker leaves a hand of which only the goods are visible.
    named = "".join(words.get(name, "") for name in NAMES_MARKERS)
    laid = words.get("price") in ("both", "markers") or any(map(str.isdigit, named))
    return rules.covered and (kind == "accept" or laid)


def _turns_up(state: KoggeState, route: str | None) -> bool:
    """Whether a ship sails or is pushed by a route that lies face down."""
    match state.frames[-1]:
        case Movement():
            ship = state.order[state.at]
        case Push(_, pushed):
            ship = pushed
        case _:
            return False
    return route in SLOT and here(state, ship).routes[SLOT[route]].hidden


def _opens_the_bag(state: KoggeState, kind: str) -> bool:
    """Whether somebody comes to be able to deal with the guild master, or with other goods: for
    each good they hold they see which numbers the bag has (ruling 45)."""
    frame, seat = state.frames[-1], TURNS.asked_seat(state)
    if seat is None or state.players[seat].city != state.guild_city:
        return False
    if isinstance(frame, Movement):
        return kind == "stop"
    return isinstance(frame, Acting) and "guild" not in frame.used and kind in ("trade", "accept")


# What must always hold

RAIDS_A_SEAT = 2


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
    names = [f"markers {number}" for number in range(CITIES)]
    yield from conserved(marker_stocks(state), names, CONTENT.markers)


def _goods(state: KoggeState) -> Iterator[str]:
    totals = [good.total for good in CONTENT.goods]
    yield from conserved(goods_stocks(state), GOOD_KEYS, totals)
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
