"""Phase 3B f: raids on a ship or a city, the split of the cargo, and the forced move.

By advanced rule C, two ships in one city may also fight for goods after a turn.
"""

from __future__ import annotations

from operator import sub

from bot.game.choices import Bundle, OneOf
from bot.game.contract import Event, Refusal, Seat
from bot.game.events import PairEvent, SeatEvent
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse, rule
from bot.game.kogge.common import (
    Bargain,
    InCity,
    OfPieces,
    PairInCity,
    current_city,
    gain,
    record_event,
    ships_with,
    spend,
)
from bot.game.kogge.data import GOOD_LETTERS, GOODS, MARKER_LETTERS, goods_of, goods_word
from bot.game.kogge.deals import drop_offers_of
from bot.game.kogge.rounds import rank
from bot.game.kogge.routes import is_usable, reveal_route, usable_routes
from bot.game.kogge.state import Challenge, Choosing, Conflict, Demand, KoggeState, Push, Split

TOPIC = "raid"
GROUPS = ("first", "second")


class CityRaided(InCity, frozen=True):
    """A raider takes all goods in a city."""

    pieces: str


class ShipRaided(PairInCity, frozen=True):
    """A raider attacks another ship."""


class CargoSplit(PairEvent, frozen=True):
    """The victim has divided the cargo into two words of goods."""

    groups: tuple[str, str]


class CargoSplitSecretly(PairEvent, frozen=True):
    """The victim has divided the cargo; the groups are secret."""


class Looted(PairEvent, frozen=True):
    """The raider has taken a group of goods."""

    pieces: str


class LootedSecretly(PairEvent, frozen=True):
    """The raider has taken a group of goods, which is secret."""


class Pushed(PairInCity, frozen=True):
    """A seat moves another seat's ship away."""

    route: str
    to: int


class PushFailed(PairInCity, frozen=True):
    """A hidden route leads to a city where the pushed ship may not go."""

    route: str
    marker: int


class PushImpossible(Event, frozen=True):
    """The ship that must leave has no usable route."""

    other: Seat
    city: int


def _raid_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    return None if state.players[seat].raids else refuse("no_raid")


def _ship_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    others = ships_with(state, seat)
    return None if others else refuse("no_ship_here", city=state.players[seat].city)


def ships_here(state: KoggeState, seat: Seat) -> OneOf:
    return OneOf("seat", tuple(map(str, ships_with(state, seat))))


def _lay_raid(state: KoggeState, seat: Seat) -> None:
    """Lay the Raid in the city. Only the forced move is left of the turn.

    The seat to the raider's left moves the raider's ship. By the rules the others decide together,
    and that seat if they disagree, so it always decides (ruling 25).
    """
    state.players[seat].raids -= 1
    current_city(state, seat).raids.append(seat)
    state.frames = [Push((seat + 1) % len(state.players), seat)]


def _raid_city(state: KoggeState, seat: Seat, recorder: EventRecorder) -> None:
    """Take all goods of the city and of all offices in it, the raider's own too (ruling 23)."""
    city = current_city(state, seat)
    loot = [city.goods, *(office.goods for office in city.offices)]
    word = goods_word(map(sum, zip(*loot, strict=True)))
    for goods in loot:
        goods[:] = [0] * GOODS
    gain(state.players[seat], word)
    recorder.record(CityRaided(seat=seat, city=state.players[seat].city, pieces=word))
    _lay_raid(state, seat)


def _raid_ship(state: KoggeState, seat: Seat, recorder: EventRecorder, victim: str) -> None:
    """Raid a ship, which may be empty (ruling 27).

    With open goods, a cargo of one good or none is not divided. With hidden goods, the victim is
    always asked, because skipping the question would reveal the cargo.
    """
    other = int(victim)
    recorder.record(ShipRaided(seat=seat, other=other, city=state.players[seat].city))
    _lay_raid(state, seat)
    cargo = goods_word(state.players[other].goods)
    if state.rules.hidden or len(cargo) > 1:
        state.frames.append(Split(seat, other))
    elif cargo:
        _loot(state, seat, other, cargo, recorder)


def _group(state: KoggeState, seat: Seat) -> Bundle:
    """Return the domain of one of two groups that differ by at most one good (difference 20, ruling
    28)."""
    goods = state.players[seat].goods
    half, odd = divmod(sum(goods), 2)
    return Bundle("group", GOOD_LETTERS, tuple(goods), half, half + odd)


def _divide(state: KoggeState, seat: Seat, recorder: EventRecorder, group: str) -> None:
    raider = frame_of(state, Split).raider
    groups = (group, goods_word(map(sub, state.players[seat].goods, goods_of(group))))
    state.frames[-1] = Choosing(raider, seat, groups)
    event = CargoSplit(seat=seat, other=raider, groups=groups)
    record_event(recorder, event, CargoSplitSecretly, (raider, seat), secret=state.rules.hidden)


def _choose(state: KoggeState, seat: Seat, recorder: EventRecorder, group: str) -> None:
    frame = frame_of(state, Choosing)
    state.frames.pop()
    _loot(state, seat, frame.victim, frame.groups[GROUPS.index(group)], recorder)


def _loot(state: KoggeState, seat: Seat, victim: Seat, word: str, recorder: EventRecorder) -> None:
    """Take the loot. If goods are hidden, only the two seats see it (ruling 59)."""
    spend(state.players[victim], word)
    gain(state.players[seat], word)
    pair, hidden = (seat, victim), state.rules.hidden
    event = Looted(seat=seat, other=victim, pieces=word)
    record_event(recorder, event, LootedSecretly, pair, secret=hidden)
    if hidden:
        drop_offers_of(state, pair, recorder)


def _push_route(state: KoggeState, seat: Seat) -> OneOf:
    """The push is free, and never uses the secret route or leads to an own Raid (ruling 54)."""
    return OneOf("route", usable_routes(state, frame_of(state, Push).pushed))


def _push(state: KoggeState, seat: Seat, recorder: EventRecorder, route: str) -> None:
    """A hidden marker is revealed. If it fails, the pusher tries the other route (ruling 54)."""
    frame = frame_of(state, Push)
    pushed = frame.pushed
    origin = state.players[pushed].city
    marker = reveal_route(state, origin, route)
    to = marker.marker
    if not is_usable(state, pushed, marker):
        if state.rules.memory:
            frame.failed.append(route)
        recorder.record(PushFailed(seat=seat, other=pushed, city=origin, route=route, marker=to))
        return
    state.players[pushed].city = to
    recorder.record(Pushed(seat=seat, other=pushed, city=origin, route=route, to=to))
    state.frames.pop()


def settle_push(state: KoggeState, frame: Push, recorder: EventRecorder) -> bool:
    """Let the ship stay if it has no usable route (ruling 26), and return whether it does."""
    if usable_routes(state, frame.pushed):
        return False
    recorder.record(PushImpossible(other=frame.pushed, city=state.players[frame.pushed].city))
    state.frames.pop()
    return True


RAID_SHIP: Rule[KoggeState] = (
    rule("raid_ship", TOPIC, _raid_gate, _ship_gate).word("seat", ships_here).does(_raid_ship)
)
RAID_CITY: Rule[KoggeState] = rule("raid_city", TOPIC, _raid_gate).does(_raid_city)
SPLIT: Rule[KoggeState] = rule("split", TOPIC).word("group", _group).does(_divide)
CHOOSE: Rule[KoggeState] = (
    rule("choose", TOPIC).word("group", lambda *_: OneOf("group", GROUPS)).does(_choose)
)
PUSH: Rule[KoggeState] = rule("push", TOPIC).word("route", _push_route).does(_push)


# Conflicts

CONFLICTS = "conflicts"
DEMANDED = 3
THREE_GOODS = Bundle("goods", GOOD_LETTERS, (DEMANDED,) * GOODS, 0, DEMANDED)
"""Up to three goods of any kinds (ruling 64), because the loser's goods are secret."""


class Challenged(PairInCity, frozen=True):
    """A conflict begins."""


class ConflictDeclined(SeatEvent, frozen=True):
    """A seat begins no conflict."""


class ConflictBid(OfPieces, frozen=True):
    """A sealed bid."""


class ConflictBids(Bargain, frozen=True):
    """For both sides: the bid of `seat` (`give`) and that of `other` (`take`)."""


class ConflictWon(PairEvent, frozen=True):
    """`seat` has won against `other`."""


class ConflictTied(PairEvent, frozen=True):
    """Both bids are equal."""


class Demanded(PairEvent, frozen=True):
    """The goods that a winner named (`pieces`), and those the loser had of them (`take`)."""

    pieces: str
    take: str


class DemandedSecretly(PairEvent, frozen=True):
    """A winner named goods, which are secret."""


class PushDeclined(PairEvent, frozen=True):
    """The loser's ship stays."""


def begin_challenge(state: KoggeState, seat: Seat) -> None:
    """Ask the seats with ships in the seat's city for a conflict after its turn, if there are any.

    The seat itself is asked first, then the others in turn order, and each may choose any ship
    there (rulings 24 and 51). Only the places of the ships decide who is asked. A raid ends the
    turn before a conflict can begin (ruling 50).
    """
    others = [other for other in state.order if other in ships_with(state, seat)]
    if others:
        state.frames = [Challenge([seat, *others])]


def _challenge(state: KoggeState, seat: Seat, recorder: EventRecorder, opponent: str) -> None:
    """There is only one conflict a turn: no one else is asked."""
    other = int(opponent)
    state.frames = [Conflict((seat, other), [None, None])]
    recorder.record(Challenged(seat=seat, other=other, city=state.players[seat].city))


def _decline_conflict(state: KoggeState, seat: Seat, recorder: EventRecorder) -> None:
    frame = frame_of(state, Challenge)
    frame.asked.pop(0)
    recorder.record(ConflictDeclined(seat=seat))
    if not frame.asked:
        state.frames.pop()


def conflict_bids(state: KoggeState, seat: Seat) -> Bundle:
    """Return the possible bids: at least one marker, or none from an empty hand (ruling 42)."""
    markers = state.players[seat].markers
    total = sum(markers)
    return Bundle("markers", MARKER_LETTERS, tuple(reversed(markers)), min(1, total), total)


def _bid_in_conflict(state: KoggeState, seat: Seat, recorder: EventRecorder, markers: str) -> None:
    """Make a sealed bid. When both are made, compare them as in the auction and exchange them.

    Only the winner is public. Equal bids change hands too, and no one wins (ruling 52).
    """
    frame = frame_of(state, Conflict)
    one, other = frame.sides
    frame.bids[frame.sides.index(seat)] = markers
    first, second = frame.bids
    if first is None or second is None:
        recorder.record(ConflictBid(seat=seat, pieces=markers, only=(seat,)))
        return
    state.decision += 1
    state.frames.pop()
    for giver, taker, word in ((one, other, first), (other, one, second)):
        spend(state.players[giver], word)
        gain(state.players[taker], word)
    recorder.record(ConflictBids(seat=one, other=other, give=first, take=second, only=frame.sides))
    drop_offers_of(state, frame.sides, recorder)
    if first == second:
        recorder.record(ConflictTied(seat=one, other=other))
        return
    winner, loser = (one, other) if rank(first) > rank(second) else (other, one)
    recorder.record(ConflictWon(seat=winner, other=loser))
    state.frames = [Push(winner, loser, optional=True), Demand(winner, loser)]


def _demand(state: KoggeState, seat: Seat, recorder: EventRecorder, goods: str) -> None:
    """The winner gets the named goods that the loser has, and no substitutes."""
    frame = frame_of(state, Demand)
    state.frames.pop()
    loser = state.players[frame.loser]
    got = goods_word(map(min, loser.goods, goods_of(goods)))
    spend(loser, got)
    gain(state.players[seat], got)
    sides = (seat, frame.loser)
    event = Demanded(seat=seat, other=frame.loser, pieces=goods, take=got)
    record_event(recorder, event, DemandedSecretly, sides, secret=True)
    drop_offers_of(state, sides, recorder)


def _leave_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    frame = frame_of(state, Push)
    return None if frame.optional else refuse("must_push", "raid", other=frame.pushed)


def _leave_loser(state: KoggeState, seat: Seat, recorder: EventRecorder) -> None:
    """The winner chooses whether to move the loser's ship (ruling 53)."""
    frame = frame_of(state, Push)
    state.frames.pop()
    recorder.record(PushDeclined(seat=seat, other=frame.pushed))


CHALLENGE: Rule[KoggeState] = rule("challenge", CONFLICTS).word("seat", ships_here).does(_challenge)
DECLINE_CONFLICT: Rule[KoggeState] = rule("pass", CONFLICTS).does(_decline_conflict)
CONFLICT_BID: Rule[KoggeState] = (
    rule("bid", CONFLICTS).word("markers", conflict_bids).does(_bid_in_conflict)
)
DEMAND: Rule[KoggeState] = (
    rule("demand", CONFLICTS).word("goods", lambda *_: THREE_GOODS).does(_demand)
)
LEAVE_LOSER: Rule[KoggeState] = rule("pass", CONFLICTS, _leave_gate).does(_leave_loser)
