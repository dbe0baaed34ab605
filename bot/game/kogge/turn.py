"""The course of a turn: who is asked what, and what follows once nothing is left to ask."""

from __future__ import annotations

from bot.game.contract import ANSWER, Action, Decision, Seat
from bot.game.events import TurnEnded
from bot.game.frames import tag_of
from bot.game.grammar import EventRecorder, Rule, rule
from bot.game.kogge.actions import BUILD, BUY, TRADE
from bot.game.kogge.auction import BID, begin_round, settle_auction
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
from bot.game.kogge.offers import Stocks, drop_fallen_offers, stocks_offered
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
    KoggeOver,
    KoggeState,
    Movement,
    Push,
    Split,
    Taxing,
)
from bot.game.turns import TurnLoop


def _end(state: KoggeState, seat: Seat, recorder: EventRecorder) -> None:
    """A turn ends when its player says so; then ships in one city may fight (rule C)."""
    state.frames.pop()
    if state.rules.conflicts:
        begin_challenge(state, seat)


END: Rule[KoggeState] = rule("end", "overview", always).does(_end)

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

    def question(self, state: KoggeState) -> str:
        """The kind of the frame."""
        return tag_of(type(state.frames[-1]))

    def asked_seat(self, state: KoggeState) -> Seat | None:
        """The one seat that is asked; None where several choose in secret and at the end."""
        frame = state.frames[-1]
        if isinstance(frame, (Acting, Movement)):
            return state.order[state.at]
        if isinstance(frame, (Auction, Exchange)):
            return state.order[frame.at]
        if isinstance(frame, GuildMaster):
            return state.order[0]
        if isinstance(frame, Push):
            return frame.pusher
        if isinstance(frame, Split):
            return frame.victim
        if isinstance(frame, Choosing):
            return frame.raider
        if isinstance(frame, Challenge):
            return frame.asked[0]
        if isinstance(frame, Demand):
            return frame.winner
        return None

    def choosing(self, state: KoggeState) -> list[tuple[Seat, bool]]:
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

    def free(self, state: KoggeState) -> tuple[Rule[KoggeState], ...]:
        """Deals; without an offer there is only one to make."""
        return FREE if state.offers else FREE_WITHOUT_OFFERS

    def offers(self, state: KoggeState) -> tuple[Decision, ...]:
        """Each asks its receiver."""
        if not state.offers:
            return ()
        return tuple(
            Decision(f"o{offer.id}", offer.other, ANSWER, optional=True) for offer in state.offers
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
