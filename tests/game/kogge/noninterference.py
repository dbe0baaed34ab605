"""What the rules of Kogge reveal by themselves."""

from __future__ import annotations

from collections.abc import Iterator

from bot.game.contract import SPECTATOR, Observer
from bot.game.kogge.auction import rank
from bot.game.kogge.common import here
from bot.game.kogge.data import GOOD_LETTERS
from bot.game.kogge.routes import SLOT
from bot.game.kogge.setup import choosers
from bot.game.kogge.state import (
    NOBODY,
    NOWHERE,
    Auction,
    Conflict,
    Demand,
    Exchange,
    Founding,
    KoggeState,
    Push,
    Split,
    Taxing,
)
from tests.game.random_games import Step


def revealed(step: Step, after: KoggeState, observer: Observer) -> object:
    """What by the rules the step itself shows the observer: what was sealed or lay face down."""
    frame = step.state.frames[-1]
    return [
        *_of_routes(step, observer),
        *_of_the_auction(step, after),
        *_of_sealed_choices(step, observer),
        *_of_cargo(step, observer),
        *([_routes(after, observer)] if isinstance(frame, Exchange) else ()),
    ]


def _of_routes(step: Step, observer: Observer) -> Iterator[object]:
    """A marker that is turned up, and one that is taken up into a hand that the observer sees."""
    state, (kind, *words) = step.state, step.action
    frame = state.frames[-1]
    if kind in ("sail", "push") and words[0] in SLOT:
        ship = frame.pushed if isinstance(frame, Push) else step.seat
        yield here(state, ship).routes[SLOT[words[0]]].marker
    if kind == "reroute" and (observer == step.seat or state.rules.open):
        yield here(state, step.seat).routes[SLOT[words[0]]].marker
    if kind == "peek" and observer == step.seat:
        yield _routes(state, observer)


def _routes(state: KoggeState, observer: Observer) -> object:
    """With Memory, what a seat that is asked for its exchange sees in its city."""
    frame = state.frames[-1]
    if observer == SPECTATOR or (isinstance(frame, Exchange) and state.order[frame.at] != observer):
        return None
    return [route.marker for route in here(state, observer).routes]


def _of_the_auction(step: Step, after: KoggeState) -> Iterator[object]:
    """Who has no bid to make is passed over for all to see."""
    frame = after.frames[-1]
    if isinstance(frame, Auction) or isinstance(step.state.frames[-1], Auction):
        yield frame.at if isinstance(frame, Auction) else None


def _of_sealed_choices(step: Step, observer: Observer) -> Iterator[object]:
    """The last one reveals all: cities, who wins a conflict (the two also see the bids), and
    taxes, as they come to lie in the reserve, or as they are paid out of open holds."""
    state, frame = step.state, step.state.frames[-1]
    if step.action[0] not in ("found", "bid", "tax"):
        return
    if isinstance(frame, Founding):
        others = [frame.chosen[seat] for seat in choosers(state) if seat != step.seat]
        if NOWHERE not in others:
            yield others
    elif isinstance(frame, Taxing):
        taxes = [frame.chosen[seat] for seat in frame.asked if seat != step.seat]
        if None not in taxes:
            yield sorted(map(str, taxes)) if state.rules.hidden else taxes
    elif isinstance(frame, Conflict):
        theirs = frame.bids[1 - frame.sides.index(step.seat)]
        if theirs is not None:
            mine = step.action[1]
            yield mine == theirs, rank(mine) > rank(theirs)
            yield theirs if observer in frame.sides else None


def _of_cargo(step: Step, observer: Observer) -> Iterator[object]:
    """What the loser has of a demand, what the robber chooses from, and what goes into an office
    or comes out of it."""
    state, frame, (kind, *words) = step.state, step.state.frames[-1], step.action
    if isinstance(frame, Demand) and kind == "demand" and observer == frame.winner:
        have = state.players[frame.loser].goods
        yield [min(n, words[0].count(c)) for n, c in zip(have, GOOD_LETTERS, strict=True)]
    if isinstance(frame, Split) and kind == "split" and observer == frame.raider:
        yield state.players[frame.victim].goods
    if kind == "accept":
        offer = next(offer for offer in state.offers if str(offer.id) == words[0])
        if offer.office != NOBODY:
            yield [[w.count(c) for c in GOOD_LETTERS] for w in (offer.give, offer.take)]
