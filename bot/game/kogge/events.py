"""The kinds of event in a game of Kogge, by the chapters of the rules.

A city is its number, goods and markers a word of pieces, a single good its key, a route ``left``,
``right`` or ``secret``. Kinds that end in `Secretly` are the public twins of events that only those
concerned hear in full.
"""

from __future__ import annotations

from typing import ClassVar

from bot.game.contract import Event, Seat
from bot.game.events import GameEnded, PairEvent, SeatEvent, SeatsEvent, TurnEnded, kinds_of


class InCity(SeatEvent, frozen=True):
    """Something that a seat does in a city."""

    city: int


class OfPieces(SeatEvent, frozen=True):
    """Something that a seat does with pieces."""

    pieces: str


class PairInCity(PairEvent, frozen=True):
    """Something between two seats in a city."""

    city: int


class Bargain(PairEvent, frozen=True):
    """What goes from a seat to another one, and what comes back."""

    give: str
    take: str


class OfficeBargain(PairInCity, frozen=True):
    """The same with an office in the city, which stands for its owner's ship."""

    give: str
    take: str


# Setting up


class FoundingChosen(InCity, frozen=True):
    """The secret choice of a first office."""


class Founded(InCity, frozen=True):
    """A first office stands."""


class Crowded(SeatsEvent, frozen=True):
    """Too many seats have chosen a city; they choose again."""

    city: int


# Auction and supply


class RoundStarted(Event, frozen=True):
    """A new round, by its number."""

    kind: ClassVar[str] = "round_began"
    count: int


class OrderSet(SeatsEvent, frozen=True):
    """The order of play."""


class ExtraMarker(SeatEvent, frozen=True):
    """A marker drawn by a bonus chit."""

    marker: int


class ExtraMarkerSecretly(SeatEvent, frozen=True):
    """Its number is not told."""


class PairsLaidOut(Event, frozen=True):
    """The pairs for sale, as words of two markers."""

    pairs: tuple[str, ...]


class Bid(OfPieces, frozen=True):
    """A bid in the auction."""


class NoBid(SeatEvent, frozen=True):
    """A seat can make no bid."""


class Supplied(Event, frozen=True):
    """New goods in a city; `seats` are the owners whose offices received one each."""

    city: int
    good: str
    count: int
    seats: tuple[Seat, ...]

    @property
    def named(self) -> tuple[Seat, ...]:
        """The owners of the offices."""
        return self.seats


class SupplyShort(Event, frozen=True):
    """A city is due this many goods that the reserve does not have."""

    city: int
    good: str
    count: int


# The guild master, and its taxes


class GuildMasterMoved(InCity, frozen=True):
    """The guild master has moved to a city, this many steps on."""

    count: int


class GuildMasterBrought(Event, frozen=True):
    """The guild master has brought goods to the city."""

    city: int
    good: str
    count: int


class LapCompleted(Event, frozen=True):
    """The number of the lap."""

    count: int


class Confiscated(Event, frozen=True):
    """Foreign goods of a city go to the reserve."""

    city: int
    pieces: str


class TaxChosen(OfPieces, frozen=True):
    """The secret choice of a tax."""


class TaxPaid(OfPieces, frozen=True):
    """A tax; nothing from an empty ship."""


class TaxPaidSecretly(SeatsEvent, frozen=True):
    """Who paid, and what came in altogether."""

    pieces: str


# Movement


class Sailed(InCity, frozen=True):
    """A step from one city to another; `fee` is '' where it was free."""

    to: int
    route: str
    fee: str


class RouteFailed(InCity, frozen=True):
    """A hidden route leads where the ship may not go."""

    marker: int
    route: str
    fee: str


class GoodsLoaded(InCity, frozen=True):
    """Goods are loaded from the seat's own office."""

    kind: ClassVar[str] = "loaded"
    pieces: str


class Stopped(InCity, frozen=True):
    """The ship's movement ends."""


# Actions of a turn


class Built(InCity, frozen=True):
    """A new office; `points` are the development points that its owner has now."""

    pieces: str
    points: int


class RaidMarkerBought(OfPieces, frozen=True):
    """The second Raid."""


class ChitBought(SeatEvent, frozen=True):
    """A bonus chit; `points` are the development points that its owner has now."""

    chit: str
    pieces: str
    points: int


class GoodExchanged(SeatEvent, frozen=True):
    """A good given to the guild master for a marker."""

    good: str
    marker: int


class MarkerExchanged(SeatEvent, frozen=True):
    """A marker given to the guild master for a good."""

    marker: int
    good: str


class PairBought(SeatEvent, frozen=True):
    """A pair of markers bought for a good."""

    pieces: str
    good: str


class Traded(InCity, frozen=True):
    """Goods given to a city for others."""

    give: str
    take: str


# Routes


class Rerouted(InCity, frozen=True):
    """A new route lies face down; `marker` is the old one, which goes to the seat's hand."""

    route: str
    marker: int


class ReroutedSecretly(InCity, frozen=True):
    """What the old one was is not told."""

    route: str


class ReroutedWith(Event, frozen=True):
    """To its owner alone, where a new route leads."""

    city: int
    route: str
    marker: int


class RoutesKept(InCity, frozen=True):
    """No route of the first city is exchanged."""


class Looked(InCity, frozen=True):
    """A look at the routes of a city has been paid for."""

    fee: str


class Saw(Event, frozen=True):
    """Where the two routes of a city lead."""

    city: int
    left: int
    right: int


# Raids


class CityRaided(InCity, frozen=True):
    """A robber takes all goods in a city."""

    pieces: str


class ShipRaided(PairInCity, frozen=True):
    """A robber falls upon another ship."""


class CargoSplit(PairEvent, frozen=True):
    """The victim has divided the cargo into two words of goods."""

    groups: tuple[str, str]


class CargoSplitSecretly(PairEvent, frozen=True):
    """What lies in them is not told."""


class Looted(PairEvent, frozen=True):
    """The robber has taken one of them."""

    pieces: str


class LootedSecretly(PairEvent, frozen=True):
    """What was in it is not told."""


class Pushed(PairInCity, frozen=True):
    """A seat sends another seat's ship away."""

    route: str
    to: int


class PushFailed(PairInCity, frozen=True):
    """A hidden route leads where the pushed ship may not go."""

    route: str
    marker: int


class PushImpossible(Event, frozen=True):
    """No way is open to the ship that must leave."""

    other: Seat
    city: int

    @property
    def named(self) -> tuple[Seat, ...]:
        """Whose ship it is."""
        return (self.other,)


# Conflicts


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


# Deals. Once a deal with an office is made, everybody sees which goods went in and came out.


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


class OfferLapsed(PairEvent, frozen=True):
    """The offer has fallen by itself."""

    kind: ClassVar[str] = "lapsed"


EVENTS = kinds_of(vars(), TurnEnded, GameEnded)
"""Every kind by its word."""

REVEALING: tuple[type[Event], ...] = (
    *(Founded, Crowded, NoBid, Saw, Rerouted, ExtraMarker),
    *(Sailed, RouteFailed, Pushed, PushFailed),
    *(ConflictBids, ConflictWon, ConflictTied, Demanded),
    *(TaxPaid, TaxPaidSecretly, OfficeAccepted, OfficeAcceptedSecretly),
    *(CargoSplit, Looted),
)
"""The kinds that disclose what was secret until then: sealed choices revealed at once, a seat
without a bid, what lay face down and is turned or taken up, a cargo laid open to its robber, what
comes to lie in the reserve or in an office."""
