"""Advanced rule C: after a turn, two ships in one city may fight for goods."""

from __future__ import annotations

from bot.game.choices import Bundle
from bot.game.contract import Refusal, Seat
from bot.game.events import PairEvent, SeatEvent
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse, rule
from bot.game.kogge.auction import rank
from bot.game.kogge.common import (
    Bargain,
    OfPieces,
    PairInCity,
    gain,
    ships_with,
    spend,
    tell,
)
from bot.game.kogge.data import GOOD_LETTERS, GOODS, MARKER_LETTERS, goods_of, goods_word
from bot.game.kogge.deals import drop_offers_of
from bot.game.kogge.raid import ships_here
from bot.game.kogge.state import Challenge, Conflict, Demand, KoggeState, Push

TOPIC = "conflicts"
DEMANDED = 3
THREE_GOODS = Bundle("goods", GOOD_LETTERS, (DEMANDED,) * GOODS, 0, DEMANDED)
"""Up to three goods of any kinds (ruling 64): what the loser has is secret."""


class Challenged(PairInCity, frozen=True):
    """A conflict begins."""


class ConflictDeclined(SeatEvent, frozen=True):
    """A seat begins none."""


class ConflictBid(OfPieces, frozen=True):
    """A sealed bid."""


class ConflictBids(Bargain, frozen=True):
    """To both sides: what the seat bid (`give`) and what the other one bid (`take`)."""


class ConflictWon(PairEvent, frozen=True):
    """The seat has won against the other."""


class ConflictTied(PairEvent, frozen=True):
    """Both bids are equal."""


class Demanded(PairEvent, frozen=True):
    """The goods that a winner named, and those that were there."""

    pieces: str
    take: str


class DemandedSecretly(PairEvent, frozen=True):
    """Which they were is not told."""


class PushDeclined(PairEvent, frozen=True):
    """The ship of the loser stays."""


def begin_challenge(state: KoggeState, seat: Seat) -> None:
    """After the seat's actions, where other ships lie with its own, a conflict may begin.

    The active seat is asked first, then the others there in order of play, each for any other
    ship there (rulings 24 and 51). Who is asked depends on the ships alone. A raid ends the
    turn before it comes to this (ruling 50).
    """
    there = ships_with(state, seat)
    if there:
        others = [other for other in state.order if other in there]
        state.frames = [Challenge([seat, *others])]


def _challenge(state: KoggeState, seat: Seat, recorder: EventRecorder, opponent: str) -> None:
    """At most one conflict a turn: nobody else is asked."""
    other = int(opponent)
    state.frames = [Conflict((seat, other), [None, None])]
    recorder.tell(Challenged(seat=seat, other=other, city=state.players[seat].city))


def _decline(state: KoggeState, seat: Seat, recorder: EventRecorder) -> None:
    frame = frame_of(state, Challenge)
    frame.asked.pop(0)
    recorder.tell(ConflictDeclined(seat=seat))
    if not frame.asked:
        state.frames.pop()


def conflict_bids(state: KoggeState, seat: Seat) -> Bundle:
    """Any own markers, at least one; none only from an empty hand (ruling 42)."""
    markers = state.players[seat].markers
    total = sum(markers)
    return Bundle("markers", MARKER_LETTERS, tuple(reversed(markers)), min(1, total), total)


def _bid(state: KoggeState, seat: Seat, recorder: EventRecorder, markers: str) -> None:
    """A sealed bid; when both are made they rank as in the auction and change hands for good.

    Only who won is public. Equal bids change hands as well, and nobody wins (ruling 52).
    """
    frame = frame_of(state, Conflict)
    one, other = frame.sides
    frame.bids[frame.sides.index(seat)] = markers
    first, second = frame.bids
    if first is None or second is None:
        recorder.tell(ConflictBid(seat=seat, pieces=markers, only=(seat,)))
        return
    state.decision += 1
    state.frames.pop()
    for giver, taker, word in ((one, other, first), (other, one, second)):
        spend(state.players[giver], word)
        gain(state.players[taker], word)
    recorder.tell(ConflictBids(seat=one, other=other, give=first, take=second, only=frame.sides))
    drop_offers_of(state, frame.sides, recorder)
    if first == second:
        recorder.tell(ConflictTied(seat=one, other=other))
        return
    winner, loser = (one, other) if rank(first) > rank(second) else (other, one)
    recorder.tell(ConflictWon(seat=winner, other=loser))
    state.frames = [Push(winner, loser, optional=True), Demand(winner, loser)]


def _demand(state: KoggeState, seat: Seat, recorder: EventRecorder, goods: str) -> None:
    """The winner gets those of the named goods that are there, and no others instead."""
    frame = frame_of(state, Demand)
    state.frames.pop()
    loser = state.players[frame.loser]
    got = goods_word(map(min, loser.goods, goods_of(goods)))
    spend(loser, got)
    gain(state.players[seat], got)
    sides = (seat, frame.loser)
    event = Demanded(seat=seat, other=frame.loser, pieces=goods, take=got)
    tell(recorder, event, DemandedSecretly, sides, secret=True)
    drop_offers_of(state, sides, recorder)


def _leave_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    frame = frame_of(state, Push)
    return None if frame.optional else refuse("must_push", "raid", other=frame.pushed)


def _leave(state: KoggeState, seat: Seat, recorder: EventRecorder) -> None:
    """Whether the loser is moved is the winner's choice (ruling 53)."""
    frame = frame_of(state, Push)
    state.frames.pop()
    recorder.tell(PushDeclined(seat=seat, other=frame.pushed))


CHALLENGE: Rule[KoggeState] = rule("challenge", TOPIC).word("seat", ships_here).does(_challenge)
DECLINE_CONFLICT: Rule[KoggeState] = rule("pass", TOPIC).does(_decline)
CONFLICT_BID: Rule[KoggeState] = rule("bid", TOPIC).word("markers", conflict_bids).does(_bid)
DEMAND: Rule[KoggeState] = rule("demand", TOPIC).word("goods", lambda *_: THREE_GOODS).does(_demand)
LEAVE_LOSER: Rule[KoggeState] = rule("pass", TOPIC, _leave_gate).does(_leave)
