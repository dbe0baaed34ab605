"""The state of a table of Kogge, secrets included, as plain data.

Goods are lists of four counts (ore, fur, amber, salt), markers lists of nine counts by number. The
top of `frames` is the current question. A raid on a ship, for example, pushes frames that ask the
victim, then the raider, then the seat that moves the raider's ship.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from bot.game.contract import SPECTATOR, Observer
from bot.game.frames import listed, state_repr
from bot.game.game import active_variants
from bot.game.hidden import (
    Field,
    Hide,
    Public,
    PublicStruct,
    View,
    face_down,
    no_one,
    owner,
    total,
)
from bot.game.kogge.data import (
    CHIT_KEYS,
    CITIES,
    CITY_GOOD,
    CITY_NAMES,
    GOOD_LETTERS,
    MARKER_LETTERS,
    cover,
)

NO_SEAT = -1
NOWHERE = -1

SECRET = "*"
"""The blank for a word of pieces."""

ITALIAN = ("either_price", "failed_route_keeps_step", "three_fur")
"""The variants of the Italian edition; the last one matters only with Memory."""


class KoggeRules(msgspec.Struct, frozen=True):
    """The variants in use at a table."""

    either_price: Public[bool] = False
    """An office costs goods or markers (Italian text), not both."""
    failed_route_keeps_step: Public[bool] = False
    """A hidden route that cannot be used costs its fee but no step (Italian text)."""
    open: Public[bool] = False
    """The numbers of the route markers in hands are public."""
    hidden: Public[bool] = False
    """The goods of other seats are secret too, and the count of their markers."""
    taxes: Public[bool] = False
    """The guild master takes taxes where it stops (advanced rule A)."""
    offices: Public[bool] = False
    """Ships may deal with the offices of others (advanced rule B)."""
    conflicts: Public[bool] = False
    """Ships in one city may fight after a turn (advanced rule C); goods are hidden then."""
    memory: Public[bool] = False
    """All routes are face down (advanced rule D)."""
    three_fur: Public[bool] = False
    """With Memory, all players start with three fur (Italian text), not two."""

    @property
    def covered(self) -> bool:
        """Whether the numbers of the route markers in hands are secret."""
        return not self.open

    @property
    def edition(self) -> tuple[str, ...]:
        """The edition, ``english`` or ``italian``, then the fields of variants that differ from it.

        With only some of the Italian variants, the edition is English.
        """
        variants, italian = active_variants(self), ITALIAN if self.memory else ITALIAN[:2]
        if set(italian) <= set(variants):
            return ("italian", *(name for name in variants if name not in italian))
        return ("english", *variants)


def goods_are_hidden(state: KoggeState) -> bool:
    """Return whether goods and counts of markers are secret. After the end everything is shown."""
    return state.rules.hidden and not isinstance(state.frames[-1], KoggeOver)


def markers_in_the_bag(state: KoggeState) -> int | None:
    """Return the count of markers in the bag; None if it would reveal the size of hidden hands."""
    return None if goods_are_hidden(state) else sum(state.bag)


def _sees_goods(field: Field) -> bool:
    return owner(field) or not goods_are_hidden(field.state)


def _sees_markers(field: Field) -> bool:
    state = field.state
    return owner(field) or state.rules.open or isinstance(state.frames[-1], KoggeOver)


def knows_route(route: Route, observer: Observer) -> bool:
    """Return whether the observer knows where a route leads."""
    return not route.hidden or (observer != SPECTATOR and bool(route.known >> observer & 1))


def _sees_route(field: Field) -> bool:
    return knows_route(field.holder, field.observer)


def _has_seen(field: Field) -> bool:
    return field.observer != SPECTATOR and field.holder.seats >> field.observer & 1


def _sees_offer(field: Field) -> bool:
    return field.state.rules.open or field.observer in (field.holder.seat, field.holder.other)


def _sees_groups(field: Field) -> bool:
    sides = (field.holder.raider, field.holder.victim)
    return not field.state.rules.hidden or field.observer in sides


def _no_counts(counts: list[int]) -> list[int]:
    return []


def _both_secret(groups: tuple[str, str]) -> tuple[str, str]:
    return SECRET, SECRET


def _sealed(word: str | None) -> str | None:
    return None if word is None else SECRET


@dataclass(frozen=True)
class HideCounted(Hide):
    """Hides pieces but not their count; with hidden goods, the count too.

    The blank is `nothing()` then.
    """

    nothing: Callable[[], object] = list

    def seen(self, value: Any, field: Field) -> Any:
        if goods_are_hidden(field.state) and not self.shown(field):
            return self.nothing()
        return super().seen(value, field)


class HideBag(HideCounted):
    """Hides the bag, except the numbers that the observer sees in it.

    The blank has, by number, 1 for a number that the observer sees there; then the count of all
    other markers, unless goods are hidden.
    """

    def seen(self, value: Any, field: Field) -> Any:
        numbers = numbers_seen_in_the_bag(field.state, field.observer)
        if not numbers:
            return super().seen(value, field)
        visible = [int(number in numbers and value[number] > 0) for number in range(CITIES)]
        return visible if field.state.rules.hidden else [*visible, sum(value) - sum(visible)]


class HideBids(Hide):
    """Hides the sealed bids of the `sides` of a conflict."""

    def seen(self, value: Any, field: Field) -> Any:
        return [
            bid if side == field.observer else self.blank(bid)
            for side, bid in zip(field.holder.sides, value, strict=True)
        ]


def numbers_seen_in_the_bag(state: KoggeState, observer: Observer) -> tuple[int, ...]:
    """Return the numbers that an observer sees in the bag.

    A seat that may swap a good with the guild master sees the bag's numbers of its colour (ruling
    45).
    """
    frame = state.frames[-1]
    if (
        not isinstance(frame, Acting)
        or state.order[state.at] != observer
        or "guild" in frame.used
        or state.players[observer].city != state.guild_city
    ):
        return ()
    goods = state.players[observer].goods
    return tuple(number for number in range(CITIES) if goods[CITY_GOOD[number]])


class Route(msgspec.Struct, omit_defaults=True):
    """A route marker on a square of a city. `known` is a bit mask of the seats that know it.

    `laid` means that a player has laid it, so it cannot lead to its own city.
    """

    marker: Annotated[int, Hide(face_down, _sees_route)]
    hidden: Public[bool] = False
    known: Public[int] = 0
    laid: Public[bool] = False


class Sighting(msgspec.Struct):
    """A route marker that seats have seen. `slot` is 0 for left, 1 for right.

    `seats` is a bit mask of the seats that have seen nothing newer on this square.
    """

    city: Public[int]
    slot: Public[int]
    marker: Annotated[int, Hide(face_down, _has_seen)]
    round: Public[int]
    seats: Public[int]


class Office(PublicStruct):
    seat: int
    goods: list[int]


class City(msgspec.Struct):
    """A city: goods on the board, two routes (left, right), offices, seats with a Raid there."""

    goods: Public[list[int]]
    routes: Public[list[Route]]
    offices: Public[list[Office]] = []
    raids: Public[list[int]] = []


class KoggePlayer(msgspec.Struct):
    """The possessions of a seat. `raids` are Raid markers in hand, `chits` counts by kind.

    The blank for `goods` is an empty list. That for `markers` is a list with their count, or an
    empty list if goods are hidden.
    """

    goods: Annotated[list[int], Hide(_no_counts, _sees_goods)]
    markers: Annotated[list[int], HideCounted(total, _sees_markers)]
    city: Public[int] = NOWHERE
    raids: Public[int] = 1
    bought_raid: Public[bool] = False
    chits: Public[list[int]] = msgspec.field(default_factory=lambda: [0] * len(CHIT_KEYS))


HIDE_OFFER = HideCounted(cover, _sees_offer, nothing=lambda: SECRET)


class Offer(msgspec.Struct, frozen=True):
    """A proposed deal: `give` goes from `seat` to `other`, `take` the other way.

    `office` is the one of the two seats whose office in `city` deals in place of its ship. Other
    seats see ``?`` for a marker, and `SECRET` for both words if goods are hidden.
    """

    id: Public[int]
    seat: Public[int]
    other: Public[int]
    give: Annotated[str, HIDE_OFFER]
    take: Annotated[str, HIDE_OFFER]
    office: Public[int] = NO_SEAT
    city: Public[int] = NOWHERE


class Founding(msgspec.Struct, tag="found"):
    """The sealed choice of the first offices: by seat, the `chosen` and the `barred` city."""

    chosen: Annotated[list[int], Hide(face_down, by_seat=True)]
    barred: Public[list[int]]


class Auction(PublicStruct, tag="bid"):
    """The auction; `at` is an index into the turn order."""

    at: int = 0


class GuildMaster(PublicStruct, tag="advance"):
    """The first player moves the guild master."""


class Taxing(msgspec.Struct, tag="tax"):
    """The seats in `asked` choose their tax in secret. `chosen` is None for no choice yet.

    A choice is a word of one good, or empty for an empty ship.
    """

    asked: Public[list[int]]
    chosen: Annotated[list[str | None], Hide(_sealed, by_seat=True)]


class Movement(msgspec.Struct, tag="move"):
    """The movement of a ship: the city where it started, and the steps used.

    With Memory, `failed` are routes of the present city that could not be used, and `peeked` means
    that the seat has paid to look at the routes.
    """

    start: Public[int]
    steps: Public[int] = 0
    failed: Public[list[str]] = []
    peeked: Public[bool] = False


class Exchange(PublicStruct, tag="exchange"):
    """With Memory, seats look at the routes of their first city and may exchange one.

    `at` is an index into the turn order.
    """

    at: int = 0


class Acting(msgspec.Struct, tag="act"):
    """The actions of a turn. `used` are the groups of actions already taken."""

    start: Public[int]
    used: Public[list[str]] = []


class Split(PublicStruct, tag="split"):
    """The victim of a raid divides the cargo."""

    raider: int
    victim: int


class Choosing(msgspec.Struct, tag="choose"):
    """The raider picks one of the two groups; each is a word of goods."""

    raider: Public[int]
    victim: Public[int]
    groups: Annotated[tuple[str, str], Hide(_both_secret, _sees_groups)]


class Push(msgspec.Struct, tag="push"):
    """`pusher` moves the ship of `pushed` one space; after a conflict it may stay."""

    pusher: Public[int]
    pushed: Public[int]
    optional: Public[bool] = False
    failed: Public[list[str]] = []
    """With Memory, the routes that could not be used."""


class Challenge(PublicStruct, tag="challenge"):
    """Ships are in one city after a turn; the seats in `asked` can still begin a conflict."""

    asked: list[int]


class Conflict(msgspec.Struct, tag="conflict"):
    """Two seats fight with sealed bids, words of markers; None for no bid yet."""

    sides: Public[tuple[int, int]]
    bids: Annotated[list[str | None], HideBids(_sealed)]


class Demand(PublicStruct, tag="demand"):
    """The winner of a conflict names up to three goods of the loser."""

    winner: int
    loser: int


class KoggeOver(PublicStruct, tag="over"):
    """The game has ended: `development` or `laps`."""

    ending: str


Frame = (
    Founding
    | Auction
    | GuildMaster
    | Taxing
    | Exchange
    | Movement
    | Acting
    | Split
    | Choosing
    | Push
    | Challenge
    | Conflict
    | Demand
    | KoggeOver
)


class KoggeState(msgspec.Struct):
    """The whole table. `order` is the turn order, and `at` the index of the seat to act."""

    rules: Public[KoggeRules]
    players: Public[list[KoggePlayer]]
    cities: Public[list[City]]
    reserve: Public[list[int]]
    bag: Annotated[list[int], HideBag(total, no_one)]
    guild_city: Public[int]
    end_city: Public[int]
    chits: Public[list[int]]
    frames: Public[list[Frame]]
    display: Public[list[str]] = []
    """The pairs for sale as words of two markers; a sold pair is empty."""
    order: Public[list[int]] = []
    at: Public[int] = 0
    round: Public[int] = 0
    laps: Public[int] = 0
    bids: Public[list[str]] = []
    """By seat, a word of markers; empty for no bid."""
    offers: Public[list[Offer]] = []
    next_offer: Public[int] = 1
    decision: Public[int] = 0
    sightings: Public[list[Sighting]] = []
    """With Memory, the route markers that seats have seen."""

    def __repr__(self) -> str:
        return state_repr("Kogge", self)

    def __str__(self) -> str:
        """Return the whole table in the notation of actions, secrets included, for debugging."""
        lines = [
            f"{self!r}, order {listed(self.order)}, guild master in {self.guild_city},"
            f" {self.laps} laps done",
            *(f"{number} {_city(self, number)}" for number in range(CITIES)),
            *(f"seat {seat}: {_player(player)}" for seat, player in enumerate(self.players)),
            *([f"bids by seat {listed(self.bids)}"] if any(self.bids) else []),
            f"for sale {listed(self.display)}; reserve {_pieces(self.reserve)}",
            *(
                f"offer {offer.id}: {offer.give or '-'} of seat {offer.seat}"
                f" for {offer.take or '-'} of seat {offer.other}"
                for offer in self.offers
            ),
        ]
        return "\n".join(lines)


KoggeView = View[KoggeState]


def _city(state: KoggeState, number: int) -> str:
    city = state.cities[number]
    left, right = (f"{route.marker}{'?' * route.hidden}" for route in city.routes)
    offices = listed(f"{office.seat}:{_pieces(office.goods)}" for office in city.offices)
    return (
        f"{CITY_NAMES[number]}: {_pieces(city.goods)}, left {left}, right {right},"
        f" offices {offices}, raids {listed(city.raids)}"
    )


def _player(player: KoggePlayer) -> str:
    chits = [key for key, n in zip(CHIT_KEYS, player.chits, strict=True) for _ in range(n)]
    return (
        f"ship in {'-' if player.city == NOWHERE else player.city}, goods {_pieces(player.goods)},"
        f" markers {_pieces(player.markers[::-1], MARKER_LETTERS)}, raids {player.raids},"
        f" chits {listed(chits)}"
    )


def _pieces(counts: Sequence[int], letters: str = GOOD_LETTERS) -> str:
    if len(counts) != len(letters):
        return f"{sum(counts)} of unknown kind" if counts else "unknown"
    return "".join(a * n for a, n in zip(letters, counts, strict=True)) or "-"
