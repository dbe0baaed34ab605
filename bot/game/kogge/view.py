"""What an observer may know of a table of Kogge."""

from __future__ import annotations

import msgspec

from bot.game.contract import Outcome
from bot.game.hidden import View
from bot.game.kogge.state import ITALIAN, Frame, KoggeState

Counts = tuple[int, ...]


class RouteView(msgspec.Struct, frozen=True):
    """A route square. `marker` is None where this observer does not know it."""

    marker: int | None
    hidden: bool


class OfficeView(msgspec.Struct, frozen=True):
    """An office on the board: its owner and the goods in it (ore, fur, amber, salt)."""

    seat: int
    goods: Counts


class CityView(msgspec.Struct, frozen=True):
    """A city on the board; `raids` lists the seats whose Raid lies here.

    `price` is what the next office costs, goods and markers as words (both, or either by
    variant); None where there is room for none.
    """

    goods: Counts
    routes: tuple[RouteView, RouteView]
    offices: tuple[OfficeView, ...]
    raids: tuple[int, ...]
    price: tuple[str, str] | None = None


class KoggeSeatView(msgspec.Struct, frozen=True):
    """A seat. `goods` and `markers` are None where they are hidden from this observer, and
    `marker_count` where it is secret even how many markers there are.

    `city` is -1 before the founding. `bid` is a word of markers, highest first, '' for none yet.
    `offices` counts those on the board, `raids` the Raid markers in hand, `chits` lists keys.
    """

    city: int
    goods: Counts | None
    markers: Counts | None
    bid: str
    chits: tuple[str, ...]
    offices: int
    raids: int
    development_points: int
    marker_count: int | None = None
    bought_raid: bool = False
    """Whether a second Raid has been bought."""


class NoteView(msgspec.Struct, frozen=True):
    """With Memory, what the observer last saw of a route square (`route` left or right), and in
    which round (0: before the first). `current` tells whether it is sure to lie there still."""

    city: int
    route: str
    marker: int
    round: int
    current: bool


class OfferView(msgspec.Struct, frozen=True):
    """An open offer. For those it does not concern, a ``?`` in `give` and `take` is a marker whose
    number is secret; both are None where goods are hidden.

    `office` is the one of the two seats whose office in `city` stands for its ship, if one does.
    """

    id: int
    seat: int
    other: int
    give: str | None
    take: str | None
    office: int | None = None
    city: int | None = None


class KoggeView(View[KoggeState], frozen=True):
    """The table as `observer` may know it: `known`, and what will go once nobody reads it.

    `phase` is the tag of what is being asked: found, exchange, bid, advance, tax, move, act,
    split, choose, push, challenge, conflict, demand, over. `active` lists the seats everybody
    waits for. `order` lists seats in order of play. `display` has a word of two markers for each
    pair, '' for a sold one. `groups` are the
    two parts of a raided cargo, for the two concerned (for all, where goods are open).
    `chosen` is the observer's own sealed choice of a city, or None. `variants` lists what
    departs from the default rules, by the names of the fields of `Rules`.
    """

    phase: str
    active: tuple[int, ...]
    round: int
    laps: int
    guild_city: int
    end_city: int
    order: tuple[int, ...]
    display: tuple[str, ...]
    reserve: Counts
    bag: int | None
    """Markers in the bag; None where hands are hidden (it would reveal their size)."""
    chits_left: Counts
    cities: tuple[CityView, ...]
    seats: tuple[KoggeSeatView, ...]
    offers: tuple[OfferView, ...]
    groups: tuple[str, str] | None
    chosen: int | None
    variants: tuple[str, ...]
    outcome: Outcome | None
    start: int | None = None
    """Where the ship on turn began it (no trade there); None outside movement and actions."""
    fees: tuple[int, int] | None = None
    """Pieces the next step costs by a printed and by the secret route, while a ship moves."""
    guild_reach: tuple[tuple[int, int], ...] = ()
    """Where one and two steps bring the guild master, and how many laps that completes."""
    pushed: int | None = None
    """Whose ship is being pushed."""
    sealed: str | None = None
    """The observer's own sealed tax or conflict bid, as a word; None for none yet."""
    conflict: tuple[int, int] | None = None
    """The two sides of a conflict: challenger and challenged, then winner and loser."""
    may_pass: bool = False
    """Whether the pushed ship may be left where it is."""
    at: int = 0
    """Whose turn it is, as a place in the order of play."""
    stack: tuple[Frame, ...] = ()
    """What is being asked, on top of what it interrupts; sealed choices are left out."""
    seen_in_bag: tuple[tuple[int, bool], ...] = ()
    """Numbers of which the observer sees now whether the bag holds one (ruling 45)."""
    notes: tuple[NoteView, ...] = ()
    """With Memory, what the observer has seen of the routes, by city; also what may be out of
    date because somebody has exchanged the marker since."""

    @property
    def edition(self) -> tuple[str, ...]:
        """The edition that is played, ``english`` or ``italian``, then the other `variants`.

        Where only some of the Italian differences apply, the edition is English.
        """
        needed = ITALIAN if "memory" in self.variants else ITALIAN[:2]
        if set(needed) <= set(self.variants):
            return ("italian", *(name for name in self.variants if name not in needed))
        return ("english", *self.variants)
