"""The course of a turn: who is asked what, and what follows once nothing is left to ask."""

from __future__ import annotations

from bot.game.contract import Decision, Refusal, Seat, TurnEnded
from bot.game.grammar import EventRecorder, Rule, rule
from bot.game.kogge.auction import BID, begin_round, settle_auction
from bot.game.kogge.building import BUILD
from bot.game.kogge.common import always
from bot.game.kogge.conflicts import (
    CHALLENGE,
    CONFLICT_BID,
    DECLINE_CONFLICT,
    DEMAND,
    LEAVE_LOSER,
    begin_challenge,
)
from bot.game.kogge.deals import ACCEPT, COUNTER, DECLINE, OFFER, WITHDRAW
from bot.game.kogge.guild_deals import BUY_RAID, SELL_SIX, SWAP_GOOD, SWAP_MARKER
from bot.game.kogge.guild_master import ADVANCE, TAX
from bot.game.kogge.movement import LOAD, SAIL, STOP
from bot.game.kogge.partners import Stocks, drop_fallen_offers
from bot.game.kogge.raid import CHOOSE, PUSH, RAID_CITY, RAID_SHIP, SPLIT, settle_push
from bot.game.kogge.routes import EXCHANGE, KEEP, PEEK, REROUTE
from bot.game.kogge.setup import FOUND, choosers
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
    Movement,
    Over,
    Push,
    Split,
    State,
    Taxing,
)
from bot.game.kogge.trade import BUY, TRADE


def _end(state: State, seat: Seat, recorder: EventRecorder) -> None:
    """A turn ends when its player says so; then ships that lie together may fight (rule C)."""
    state.frames.pop()
    if state.rules.conflicts:
        begin_challenge(state, seat)


END: Rule[State] = rule("end", "overview", always).does(_end)

ASKED: dict[type[Frame], tuple[Rule[State], ...]] = {
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
    Over: (),
}
"""The kinds of action that answer each frame, in the order they are shown.

Where two frames are answered by one kind, the first of them is what the kind is known for.
"""

FREE: tuple[Rule[State], ...] = (ACCEPT, COUNTER, DECLINE, OFFER, WITHDRAW)
FREE_WITHOUT_OFFERS = (OFFER,)
"""Those of FREE that do not need an open offer."""

RULES: dict[str, Rule[State]] = {}
"""A rule of each kind: the one it is known for."""
for _known in (known for group in (*ASKED.values(), FREE) for known in group):
    RULES.setdefault(_known.move.kind, _known)

ANSWERS: dict[type[Frame], dict[str, Rule[State]]] = {
    frame: {known.move.kind: known for known in group} for frame, group in ASKED.items()
}
"""The rules of each frame by kind: what is asked decides which rule a kind follows."""

SEALED = (Founding, Taxing, Conflict)
"""Frames that ask several seats at once, each for a choice in secret."""


def rule_for(state: State, kind: str) -> Rule[State]:
    """The rule that an action of this kind follows now. Raises KeyError for an unknown kind."""
    return ANSWERS[type(state.frames[-1])].get(kind) or RULES[kind]


def asked_seat(state: State) -> Seat | None:
    """The one seat that is asked; None where several choose in secret and at the end."""
    frame = state.frames[-1]
    if isinstance(frame, (Acting, Movement)):
        return state.order[state.at]
    if isinstance(frame, Auction):
        return state.order[frame.at]
    if isinstance(frame, GuildMaster):
        return state.order[0]
    if isinstance(frame, Push):
        return frame.pusher
    if isinstance(frame, Split):
        return frame.victim
    if isinstance(frame, Choosing):
        return frame.raider
    if isinstance(frame, Exchange):
        return state.order[frame.at]
    if isinstance(frame, Challenge):
        return frame.asked[0]
    if isinstance(frame, Demand):
        return frame.winner
    return None


def choosing(state: State) -> list[tuple[Seat, bool]]:
    """Who chooses in secret now, and whether they have chosen."""
    frame = state.frames[-1]
    if isinstance(frame, Founding):
        return [(seat, frame.chosen[seat] != NOWHERE) for seat in choosers(state)]
    if isinstance(frame, Taxing):
        return [(seat, frame.chosen[seat] is not None) for seat in frame.asked]
    if isinstance(frame, Conflict):
        bids = zip(frame.sides, frame.bids, strict=True)
        return [(seat, bid is not None) for seat, bid in bids]
    return []


def kinds(state: State, seat: Seat) -> tuple[str, ...]:
    """The kinds of action open to the seat: answers to what it is asked, then free ones."""
    frame = state.frames[-1]
    if isinstance(frame, Over):
        return ()
    asked = ASKED[type(frame)] if is_asked(state, seat) else ()
    free = FREE if state.offers else FREE_WITHOUT_OFFERS
    return tuple([known.move.kind for known in (*asked, *free) if known.gate(state, seat) is None])


def is_asked(state: State, seat: Seat) -> bool:
    """Whether the seat may answer what is being asked."""
    asked = asked_seat(state)
    if asked is None:
        return any(seat == chooser for chooser, _ in choosing(state))
    return seat == asked


def pending(state: State) -> tuple[Decision, ...]:
    """What is asked of whom; a sealed choice already made and open offers are optional."""
    frame = state.frames[-1]
    asked: tuple[Decision, ...] = ()
    name = str(state.decision)
    kind: str = frame.__struct_config__.tag  # type: ignore[assignment]
    seat = asked_seat(state)
    if seat is not None:
        asked = (Decision(name, seat, kind),)
    else:
        by_need = sorted(choosing(state), key=lambda choice: choice[1])
        asked = tuple(Decision(name, seat, kind, chose, sealed=True) for seat, chose in by_need)
    if not state.offers:
        return asked
    answers = (
        Decision(f"o{offer.id}", offer.other, "answer", optional=True) for offer in state.offers
    )
    return (*asked, *answers)


def refusal_of_kind(state: State, seat: Seat, kind: str) -> Refusal | None:
    """Why the seat may not begin an action of this kind now, before any gate of its own."""
    frame = state.frames[-1]
    if kind not in RULES:
        return Refusal("unknown_kind", "overview", {"kind": kind})
    known = rule_for(state, kind)
    if isinstance(frame, Over):
        return Refusal("game_over", "ending")
    if known.move.free:
        return None
    if is_asked(state, seat):
        if kind in ANSWERS[type(frame)]:
            return None
        return Refusal("not_now", known.move.topic, {"kind": kind})
    asked = asked_seat(state)
    if asked is None:
        return Refusal("nothing_asked", known.move.topic, {"kind": kind})
    return Refusal("not_your_turn", known.move.topic, {"kind": kind, "other": asked})


def settle(state: State, before: Stocks, recorder: EventRecorder) -> None:
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


def _next_turn(state: State, recorder: EventRecorder) -> None:
    recorder.tell(TurnEnded(seat=state.order[state.at]))
    state.at += 1
    if state.at == len(state.order):
        begin_round(state, recorder)
    else:
        state.frames = [Movement(state.players[state.order[state.at]].city)]
