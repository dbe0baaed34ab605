"""Promises: words that go with an offer, kept in a list by the table and never enforced.

They are no part of a game's rules, nor of its log. An offer is an `ANSWER` that an action puts to
somebody; the promises made with it are heard by whom the offer is heard, become open when it is
accepted, and lapse when it goes in any other way.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from bot.game.contract import ACCEPT, ANSWER, Action, Event, Seat, offer_of
from bot.store import Promise, PromiseStanding, WriteBatch
from bot.tables.core import errors
from bot.tables.core.model import Table
from bot.tables.core.position import Position

MOST = 200
"""Characters of a promise."""


class PromiseEvent(Event, frozen=True):
    """A promise in a person's `words`, along with offer number `id` by `seat` to `other`."""

    id: str
    seat: Seat
    other: Seat
    words: str

    @property
    def by(self) -> Seat:
        """Who makes the offer."""
        return self.seat

    @property
    def named(self) -> tuple[Seat, ...]:
        """Both of them."""
        return (self.seat, self.other)

    @property
    def offer(self) -> str:
        """The number of the offer."""
        return self.id


class Promised(PromiseEvent, frozen=True):
    """A promise made with an offer."""


class PromiseAsked(PromiseEvent, frozen=True):
    """A promise that `seat` asks `other` to give, by accepting the offer."""


class Terms(NamedTuple):
    """What is to be promised with an offer: `mine` by who makes it, `yours` by who accepts it."""

    mine: str = ""
    yours: str = ""


NO_TERMS = Terms()


def made(
    terms: Terms,
    table: Table,
    seat: Seat,
    before: Position,
    after: Position,
    events: Iterable[Event],
) -> tuple[Promise, ...]:
    """The promises that go with the offer just made by `seat`.

    Raises nothing_offered, promise_too_long, or promise_with_computer where nobody could mark it.
    """
    mine, yours = (" ".join(words.split()) for words in terms)
    if not mine and not yours:
        return ()
    fresh = [each for each in _offers(after).items() if each[0] not in _offers(before)]
    if not fresh:
        raise errors.Rejected("nothing_offered")
    offer, other = fresh[0]
    if not table.players[other].is_human:
        raise errors.Rejected("promise_with_computer", name=table.names[other])
    if max(len(mine), len(yours)) > MOST:
        raise errors.Rejected("promise_too_long", most=MOST)
    # An offer told to the two of them alone keeps its promises between them.
    secret = any(event.only for event in events)
    return tuple(
        Promise(table.id, offer, giver, receiver, words, secret, PromiseStanding.OFFERED, after.seq)
        for giver, receiver, words in sorted(((seat, other, mine), (other, seat, yours)))
        if words
    )


def settled(
    promises: Iterable[Promise], action: Action, before: Position, after: Position
) -> list[Promise]:
    """The promises whose offers have just been accepted or have otherwise gone, as they are now."""
    gone = _offers(before).keys() - _offers(after).keys()
    offered = [p for p in promises if p.status is PromiseStanding.OFFERED and p.offer in gone]
    lapsed = {"status": PromiseStanding.LAPSED, "closed": after.seq}
    accepted = {"status": PromiseStanding.OPEN}
    return [replace(p, **(accepted if action == (ACCEPT, p.offer) else lapsed)) for p in offered]


def events(promises: Iterable[Promise], seq: int, seat: Seat) -> tuple[Event, ...]:
    """What was promised along with log entry `seq`, by which `seat` made an offer."""
    return tuple(
        (Promised if promise.giver == seat else PromiseAsked)(
            id=promise.offer,
            seat=seat,
            other=promise.receiver if promise.giver == seat else promise.giver,
            words=promise.words,
            only=(promise.giver, promise.receiver) if promise.secret else (),
        )
        for promise in promises
        if promise.made == seq
    )


def write(
    batch: WriteBatch, promises: Iterable[Promise], changed: Iterable[Promise]
) -> tuple[Promise, ...]:
    """Adds new and changed promises to the batch; returns all of the table's."""
    known = {(promise.offer, promise.giver): promise for promise in promises}
    for promise in changed:
        batch.save(promise)
        known[promise.offer, promise.giver] = promise
    return tuple(known.values())


def taken_back(
    batch: WriteBatch, promises: Iterable[Promise], before: Position
) -> tuple[Promise, ...]:
    """The promises after going back to how things stood `before`: those that had been made then,
    offered again where their offers stand again."""
    stand = []
    for promise in promises:
        if promise.made <= before.seq:
            stand.append(promise)
        else:
            batch.delete_row(promise)
    offers = _offers(before)
    again = [p for p in stand if p.offer in offers]
    offered = (replace(p, status=PromiseStanding.OFFERED, closed=None) for p in again)
    return write(batch, stand, offered)


def _offers(position: Position) -> dict[str, Seat]:
    """The offers that stand, by number, and to whom each is made."""
    return {offer_of(asked): asked.seat for asked in position.pending if asked.kind == ANSWER}
