"""Everything that is true at a table of Kogge, secrets included, as plain data.

Goods are lists of four counts (ore, fur, amber, salt), markers lists of nine counts by number. What
is being asked is the top of `State.frames`; a frame is put on top of another where the rules
interrupt (a raid on a ship asks its victim, then the robber, then whoever pushes the robber).
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from bot.game.frames import in_short, listed
from bot.game.kogge.data import (
    CHIT_KEYS,
    CITIES,
    CITY_NAMES,
    GOOD_LETTERS,
    GOODS,
    MARKER_LETTERS,
)

NOBODY = -1
NOWHERE = -1


class KoggeRules(msgspec.Struct, frozen=True):
    """The options of a table, resolved for the rules."""

    either_price: bool = False
    """An office costs goods or markers (Italian text), not both."""
    failed_route_keeps_step: bool = False
    """A hidden route that cannot be used costs its fee but no step (Italian text)."""
    open: bool = False
    """The numbers of the route markers in other hands are public."""
    hidden: bool = False
    """Other seats' goods are secret as well, and so is how many markers they hold."""
    taxes: bool = False
    """The guild master takes taxes where it stops (advanced rule A)."""
    offices: bool = False
    """Ships may deal with the offices of others (advanced rule B)."""
    conflicts: bool = False
    """Ships in one city may fight after a turn (advanced rule C); goods are hidden then."""
    memory: bool = False
    """All route markers lie face down (advanced rule D)."""
    three_fur: bool = False
    """With Memory everybody starts with three fur (Italian text), not two."""

    @property
    def covered(self) -> bool:
        """Whether the numbers of the route markers in other hands are secret."""
        return not self.open


class Route(msgspec.Struct, omit_defaults=True):
    """A route marker on a city's square. `known` is a bit mask of the seats that know it.

    `laid` says that a player laid it, so it does not lead to its own city.
    """

    marker: int
    hidden: bool = False
    known: int = 0
    laid: bool = False


class Sighting(msgspec.Struct):
    """What seats saw of a route marker: `seats` is a bit mask of those for whom it is the newest
    thing they know of this square (`slot` 0 left, 1 right)."""

    city: int
    slot: int
    marker: int
    round: int
    seats: int


class Office(msgspec.Struct):
    """An office and the goods waiting in it."""

    seat: int
    goods: list[int]


class City(msgspec.Struct):
    """A city: goods on the board, two routes (left, right), offices, seats with a Raid here."""

    goods: list[int]
    routes: list[Route]
    offices: list[Office] = []
    raids: list[int] = []


class KoggePlayer(msgspec.Struct):
    """What a seat owns. `raids` are Raid markers in hand, `chits` counts by kind."""

    goods: list[int]
    markers: list[int]
    city: int = NOWHERE
    raids: int = 1
    bought_raid: bool = False
    chits: list[int] = msgspec.field(default_factory=lambda: [0] * len(CHIT_KEYS))


class Offer(msgspec.Struct, frozen=True):
    """A deal proposed: `give` goes from `seat` to `other`, `take` the other way.

    With `office`, the seat of the two whose office in `city` stands for its ship.
    """

    id: int
    seat: int
    other: int
    give: str
    take: str
    office: int = NOBODY
    city: int = NOWHERE


class Founding(msgspec.Struct, tag="found"):
    """The sealed choice of the first office. `chosen` by seat, `barred` the city just refused."""

    chosen: list[int]
    barred: list[int]


class Auction(msgspec.Struct, tag="bid"):
    """Bidding; `at` indexes the order of play."""

    at: int = 0


class GuildMaster(msgspec.Struct, tag="advance"):
    """The first player moves the guild master."""


class Taxing(msgspec.Struct, tag="tax"):
    """Ships pay a tax: `asked` choose it in secret; `chosen` by seat, None for none yet.

    A choice is a word of one good, empty for an empty ship.
    """

    asked: list[int]
    chosen: list[str | None]


class Movement(msgspec.Struct, tag="move"):
    """A ship under way: where it started, and the steps used.

    With Memory: `failed` are the routes of its city that could not be used, `peeked` whether it
    has paid for a look at them.
    """

    start: int
    steps: int = 0
    failed: list[str] = []
    peeked: bool = False


class Exchange(msgspec.Struct, tag="exchange"):
    """With Memory, seats look at their first city's routes in turn and may change one; `at`
    indexes the order of play."""

    at: int = 0


class Acting(msgspec.Struct, tag="act"):
    """The actions of a turn. `used` holds the groups of actions already taken."""

    start: int
    used: list[str] = []


class Split(msgspec.Struct, tag="split"):
    """The victim of a raid divides the cargo."""

    raider: int
    victim: int


class Choosing(msgspec.Struct, tag="choose"):
    """The raider picks one of the two groups; each is a word of goods."""

    raider: int
    victim: int
    groups: tuple[str, str]


class Push(msgspec.Struct, tag="push"):
    """`pusher` moves the ship of `pushed` one space; after a conflict it may stay."""

    pusher: int
    pushed: int
    optional: bool = False
    failed: list[str] = []
    """With Memory, the routes that could not be used."""


class Challenge(msgspec.Struct, tag="challenge"):
    """Ships in one city after a turn: `asked` are the seats still to be asked for a conflict."""

    asked: list[int]


class Conflict(msgspec.Struct, tag="conflict"):
    """Two seats fight with sealed bids; `bids` as words of markers, None for none yet."""

    sides: tuple[int, int]
    bids: list[str | None]


class Demand(msgspec.Struct, tag="demand"):
    """The winner of a conflict names up to three goods of the loser."""

    winner: int
    loser: int


class KoggeOver(msgspec.Struct, tag="over"):
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
    """The whole table. `order` lists seats in order of play, `at` whose turn it is in it."""

    rules: KoggeRules
    players: list[KoggePlayer]
    cities: list[City]
    reserve: list[int]
    bag: list[int]
    guild_city: int
    end_city: int
    chits: list[int]
    frames: list[Frame]
    display: list[str] = []
    """The pairs for sale as words of two markers; a sold pair is empty."""
    order: list[int] = []
    at: int = 0
    round: int = 0
    laps: int = 0
    bids: list[str] = []
    """By seat, a word of markers; empty where there is no bid."""
    offers: list[Offer] = []
    next_offer: int = 1
    decision: int = 0
    """Increases whenever what is asked changes, so that an old answer is recognised."""
    sightings: list[Sighting] = []
    """With Memory, what seats have seen of the route markers."""

    def __repr__(self) -> str:
        return in_short("Kogge", self)

    def __str__(self) -> str:
        """The whole table in words of the notation, secrets included, for debugging."""
        laps = f"guild master in {self.guild_city}, {self.laps} laps done"
        lines = [f"{self!r}, order {listed(self.order)}, {laps}"]
        lines += [f"{number} {_city(self, number)}" for number in range(CITIES)]
        lines += [f"seat {seat}: {_player(player)}" for seat, player in enumerate(self.players)]
        if any(self.bids):
            lines.append(f"bids by seat {listed(self.bids)}")
        lines.append(f"for sale {listed(self.display)}; reserve {_pieces(self.reserve)}")
        lines += [
            f"offer {offer.id}: {offer.give or '-'} of seat {offer.seat}"
            f" for {offer.take or '-'} of seat {offer.other}"
            for offer in self.offers
        ]
        return "\n".join(lines)


def _city(state: KoggeState, number: int) -> str:
    city = state.cities[number]
    left, right = (f"{route.marker}{'?' * route.hidden}" for route in city.routes)
    offices = [f"{office.seat}:{_pieces(office.goods)}" for office in city.offices]
    ships = [seat for seat, player in enumerate(state.players) if player.city == number]
    said: dict[str, Iterable[object]]
    said = {"offices": offices, "ships": ships, "raids": city.raids}
    rest = "".join(f", {name} {listed(each)}" for name, each in said.items() if each)
    return f"{CITY_NAMES[number]}: {_pieces(city.goods)}, left {left}, right {right}{rest}"


def _player(player: KoggePlayer) -> str:
    chits = [key for key, n in zip(CHIT_KEYS, player.chits, strict=True) for _ in range(n)]
    return (
        f"ship in {'-' if player.city == NOWHERE else player.city}, goods {_pieces(player.goods)},"
        f" markers {_pieces(player.markers[::-1], MARKER_LETTERS)}, raids {player.raids},"
        f" chits {listed(chits)}"
    )


def _pieces(counts: Iterable[int], letters: str = GOOD_LETTERS) -> str:
    return "".join(a * n for a, n in zip(letters, counts, strict=True)) or "-"


def no_goods() -> list[int]:
    """Four zero counts."""
    return [0] * GOODS


def no_markers() -> list[int]:
    """Nine zero counts."""
    return [0] * CITIES
