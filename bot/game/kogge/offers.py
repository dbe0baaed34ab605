"""What is told of offers between players, and to whom.

Once a deal with an office is made, everybody sees which goods went in and came out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from msgspec.structs import replace

from bot.game.contract import Event, Seat
from bot.game.events import PairEvent
from bot.game.grammar import EventRecorder
from bot.game.kogge.common import Bargain, PairInCity
from bot.game.kogge.notation import cover, split
from bot.game.kogge.partners import SHIPS, is_secret, place_of
from bot.game.kogge.state import KoggeState, Offer


class OfficeBargain(PairInCity, frozen=True):
    """The same with an office in the city, which stands for its owner's ship."""

    give: str
    take: str


class Offered(Bargain, frozen=True):
    """An offer with its number: `give` goes from the seat to the other one, `take` the other
    way."""

    id: int

    @property
    def offer(self) -> str:
        """Its number as a word."""
        return str(self.id)


class OfferedSecretly(PairEvent, frozen=True):
    """What is offered is not told."""


class Accepted(Bargain, frozen=True):
    """A deal is made."""


class AcceptedSecretly(PairEvent, frozen=True):
    """What changed hands is not told."""


class OfficeOffered(OfficeBargain, frozen=True):
    """An offer by an office."""

    id: int

    @property
    def offer(self) -> str:
        """Its number as a word."""
        return str(self.id)


class OfficeOfferedSecretly(PairInCity, frozen=True):
    """What is offered is not told."""


class OfficeAccepted(OfficeBargain, frozen=True):
    """A deal by an office is made."""


class OfficeAcceptedSecretly(OfficeBargain, frozen=True):
    """The goods that all see; which markers changed hands is not told."""


class OfferDeclined(PairEvent, frozen=True):
    """The receiver says no."""

    kind: ClassVar[str] = "declined"


class Withdrawn(PairEvent, frozen=True):
    """The maker takes the offer back."""


def tell_offered(state: KoggeState, offer: Offer, recorder: EventRecorder) -> None:
    seat, other, city, number = offer.seat, offer.other, offer.city, offer.id
    ships = place_of(offer) == SHIPS

    def offered(give: str, take: str) -> Event:
        if ships:
            return Offered(seat=seat, other=other, give=give, take=take, id=number)
        return OfficeOffered(seat=seat, other=other, city=city, give=give, take=take, id=number)

    hidden = OfferedSecretly(seat=seat, other=other)
    by_office = OfficeOfferedSecretly(seat=seat, other=other, city=city)
    _tell(state, offer, offered, hidden if ships else by_office, recorder)


def tell_accepted(state: KoggeState, offer: Offer, recorder: EventRecorder) -> None:
    """In a hidden deal with an office, all see what goes into it and comes out."""
    seat, other, city = offer.seat, offer.other, offer.city
    ships = place_of(offer) == SHIPS

    def accepted(give: str, take: str) -> Event:
        if ships:
            return Accepted(seat=seat, other=other, give=give, take=take)
        return OfficeAccepted(seat=seat, other=other, city=city, give=give, take=take)

    hidden = AcceptedSecretly(seat=seat, other=other)
    by_office = OfficeAcceptedSecretly(
        seat=seat, other=other, city=city, give=split(offer.give)[0], take=split(offer.take)[0]
    )
    _tell(state, offer, accepted, hidden if ships else by_office, recorder)


def _tell(
    state: KoggeState,
    offer: Offer,
    made: Callable[[str, str], Event],
    hidden: Event,
    recorder: EventRecorder,
) -> None:
    """The two concerned hear everything: the event that `made` builds of what is given and taken.

    Where only the numbers of markers are secret, the others hear of the goods and of how many
    markers, which is what they see change hands. Of a hidden deal they hear only that it happened
    (ruling 59), which is `hidden`.
    """
    full = made(offer.give, offer.take)
    if not is_secret(state, offer):
        recorder.tell(full)
        return
    pair = (offer.seat, offer.other)
    recorder.tell(replace(full, only=pair))
    seen = hidden if state.rules.hidden else made(cover(offer.give), cover(offer.take))
    recorder.tell(replace(seen, but=pair))


def close(
    state: KoggeState,
    offer: Offer,
    closed: type[OfferDeclined | Withdrawn],
    by: Seat,
    recorder: EventRecorder,
) -> None:
    state.offers.remove(offer)
    other = offer.other if by == offer.seat else offer.seat
    recorder.tell(closed(seat=by, other=other))
