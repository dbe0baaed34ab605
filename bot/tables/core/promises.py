"""Promises: free text that goes with an offer, stored with the table and never enforced.

They belong neither to the rules of a game nor to its log. An offer is an `ANSWER` decision that an
action creates for another player. The players who see the offer see its promises. These become open
when the offer is accepted and lapse if it ends in any other way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from bot.game.contract import ACCEPT, ANSWER, Action, Event, Seat, offer_of
from bot.store import Promise, PromiseStatus, WriteBatch
from bot.tables.core import errors
from bot.tables.core.model import Table
from bot.tables.core.position import Position

MAX_LENGTH = 200
"""Characters of a promise."""


class PromiseEvent(Event, frozen=True):
    """A promise in a player's own `words`, part of offer `id` from `seat` to `other`."""

    id: str
    seat: Seat
    other: Seat
    words: str

    @property
    def by(self) -> Seat:
        """The seat that makes the offer."""
        return self.seat

    @property
    def named(self) -> tuple[Seat, ...]:
        """Both seats."""
        return (self.seat, self.other)

    @property
    def offer(self) -> str:
        return self.id


class Promised(PromiseEvent, frozen=True):
    """A promise that `seat` makes."""


class PromiseAsked(PromiseEvent, frozen=True):
    """A promise that `other` makes by accepting the offer."""


class Terms(NamedTuple):
    """The promises of an offer: `mine` by the player who makes it, `yours` by the other."""

    mine: str = ""
    yours: str = ""


NO_TERMS = Terms()


def create(
    terms: Terms,
    table: Table,
    seat: Seat,
    before: Position,
    after: Position,
    events: Iterable[Event],
) -> tuple[Promise, ...]:
    """Return the promises of the offer that `seat` has just made.

    Raise nothing_offered, promise_too_long, or promise_with_computer, as a computer player could
    not mark a promise as kept or broken.
    """
    mine, yours = (" ".join(words.split()) for words in terms)
    if not mine and not yours:
        return ()
    new = [each for each in _offers(after).items() if each[0] not in _offers(before)]
    if not new:
        raise errors.Rejected("nothing_offered")
    offer, other = new[0]
    if not table.players[other].is_human:
        raise errors.Rejected("promise_with_computer", name=table.names[other])
    if max(len(mine), len(yours)) > MAX_LENGTH:
        raise errors.Rejected("promise_too_long", most=MAX_LENGTH)
    # The promises of a secret offer are secret too.
    secret = any(event.only for event in events)
    return tuple(
        Promise(table.id, offer, giver, receiver, words, secret, PromiseStatus.OFFERED, after.seq)
        for giver, receiver, words in sorted(((seat, other, mine), (other, seat, yours)))
        if words
    )


def settle(
    promises: Iterable[Promise], action: Action, before: Position, after: Position
) -> list[Promise]:
    """Return the promises whose offers have just ended, with their new status."""
    ended = _offers(before).keys() - _offers(after).keys()
    offered = [p for p in promises if p.status is PromiseStatus.OFFERED and p.offer in ended]
    lapsed = {"status": PromiseStatus.LAPSED, "closed": after.seq}
    accepted = {"status": PromiseStatus.OPEN}
    return [replace(p, **(accepted if action == (ACCEPT, p.offer) else lapsed)) for p in offered]


def events(promises: Iterable[Promise], seq: int, seat: Seat) -> tuple[Event, ...]:
    """Return the events of the promises that `seat` made with its offer in log entry `seq`."""
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
    """Add new and changed promises to the batch, and return all of the table's promises."""
    by_key = {(promise.offer, promise.giver): promise for promise in promises}
    for promise in changed:
        batch.save(promise)
        by_key[promise.offer, promise.giver] = promise
    return tuple(by_key.values())


def undo(batch: WriteBatch, promises: Sequence[Promise], before: Position) -> tuple[Promise, ...]:
    """Delete the promises made after the position `before`, and return the others.

    Promises whose offers are open again are offered again.
    """
    remaining = [promise for promise in promises if promise.made <= before.seq]
    for promise in promises:
        if promise.made > before.seq:
            batch.delete_row(promise)
    offers = _offers(before)
    reopened = [p for p in remaining if p.offer in offers]
    offered = (replace(p, status=PromiseStatus.OFFERED, closed=None) for p in reopened)
    return write(batch, remaining, offered)


def _offers(position: Position) -> dict[str, Seat]:
    """Return the open offers by number, with the seat each is made to."""
    return {offer_of(each): each.seat for each in position.pending if each.kind == ANSWER}
