"""Everything that is true at a table of Flandern 1302, secrets included, as plain data.

Cities, plots, emblems, kinds of quarter and cards are numbers (see plan.py and data.py). Decks have
no order: they are counts by card. What is being asked is the top of `FlandernState.frames`.
"""

from __future__ import annotations

import msgspec

from bot.game.contract import Refusal, Seat
from bot.game.flandern.city import NONE, FlandernCity, emblem_key
from bot.game.flandern.data import CARDS, EMBLEM_KEYS, GUILDS
from bot.game.flandern.plan import CITIES, PLOT_NAMES, members
from bot.game.frames import in_short, listed
from bot.game.grammar import refuse


class FlandernRules(msgspec.Struct, frozen=True):
    """The options of a table that still matter after the set-up."""

    golden_cities: int
    """How often each city is in the golden decks."""
    any_bonus: bool = False
    """Whether players without influence cards can have the most of them (ruling 33)."""


class FlandernPlayer(msgspec.Struct):
    """What a seat owns: its guild and, of two players, the one under its influence. `hand` and
    `open` are action cards, in the hand until they are revealed; `card` and `laid` are what it has
    laid out in this round and how many influence cards with it, from the choice on."""

    guild: int = NONE
    controlled: int = NONE
    hand: list[int] = []
    open: list[int] = []
    influence: int = 0
    card: int = NONE
    laid: int = 0

    @property
    def guilds(self) -> list[int]:
        """Those that score for it, as far as they are chosen."""
        return [guild for guild in (self.guild, self.controlled) if guild != NONE]

    def lay_open(self, card: int) -> None:
        """Put a card of the hand before the seat."""
        self.hand.remove(card)
        self.open.append(card)


class GuildChoice(msgspec.Struct, tag="guild"):
    """The seat on turn takes a guild."""


class ControlChoice(msgspec.Struct, tag="control"):
    """Of two players, the one who does not begin takes a second guild."""


class CardChoice(msgspec.Struct, tag="choose"):
    """All lay out cards, face down; the first player draws a golden card before."""


class TwoActions(msgspec.Struct, tag="turn"):
    """A turn of two players: a card of one's own, and one of the deck, in either order."""

    played: bool = False
    drawn: bool = False


class CityAction(msgspec.Struct, tag="city"):
    """The seat on turn builds or completes in a city: quarters of a guild, if one is its own here,
    of the grey one and of the church. So it does for a golden card (`golden`)."""

    city: int
    guild: int
    golden: bool = False


class SiteAction(msgspec.Struct, tag="site"):
    """It puts up a site, in any city."""

    guild: int
    golden: bool = False


class CathedralAction(msgspec.Struct, tag="cathedral"):
    """It puts a cathedral on a quarter of the church."""


class LeaderAction(msgspec.Struct, tag="leader"):
    """It puts a leader on a quarter of its own or of the grey guild."""


class FlandernOver(msgspec.Struct, tag="over"):
    """The game has ended: `full`, `deck`, and of two players `controlled` or `standstill`."""

    ending: str


CardAction = CityAction | SiteAction | CathedralAction | LeaderAction
"""What cards ask, but for a take and for influence, which ask nothing."""
Frame = GuildChoice | ControlChoice | CardChoice | TwoActions | CardAction | FlandernOver


class FlandernState(msgspec.Struct):
    """The whole table. `cities` has None for the city that is missing with three players; `stock`
    counts quarters by emblem and kind, `points` those scored by guild and city.

    Three and four players: `golden` counts the cards of deck A and of deck B, `golden_card` is the
    one of the round (NONE without one, and until it is drawn), from deck `golden_deck`, `revealed`
    once all know it, and `golden_out` counts what has come out. `order` are the seats in the order
    of the round, empty while cards are chosen, and `acted` says how many of them are done.

    Two players: `deck` and `discards` count cards by controlled guild (in the order of seats) and
    card; `drawn` is the last card drawn, as its guild and its card. `still` counts turns in a row
    in which nothing was built or completed.
    """

    rules: FlandernRules
    players: list[FlandernPlayer]
    cities: list[FlandernCity | None]
    stock: list[list[int]]
    sites: int
    """Site pieces in the supply."""
    first: int
    """The first player of the round; of two players, who begins the game."""
    turn: int
    """The seat that acts, or chooses a guild."""
    frames: list[Frame]
    cathedrals: int = 0
    """In the supply."""
    leaders: int = 0
    golden: list[list[int]] = []
    golden_out: list[int] = msgspec.field(default_factory=lambda: [0] * len(CARDS))
    golden_card: int = NONE
    golden_deck: int = NONE
    revealed: bool = False
    order: list[int] = []
    acted: int = 0
    deck: list[list[int]] = []
    discards: list[list[int]] = []
    drawn: tuple[int, int] = (NONE, NONE)
    still: int = 0
    points: list[list[int]] = msgspec.field(
        default_factory=lambda: [[0] * len(CITIES) for _ in range(GUILDS)]
    )
    bonus: list[int] = []
    """By seat, once the game has ended."""
    round: int = 0
    decision: int = 0
    """Increases whenever what is asked changes, so that an old answer is recognised."""

    def __repr__(self) -> str:
        return in_short("Flandern 1302", self)

    def __str__(self) -> str:
        """The whole table in words of the notation, secrets included, for debugging."""
        golden = CARDS[self.golden_card] if self.golden_card != NONE else "-"
        lines = [f"{self!r}, seat {self.turn}, golden card {golden}, {self.sites} site pieces"]
        lines += map(_city, cities_in_play(self))
        lines += [f"seat {n}: {_player(self, each)}" for n, each in enumerate(self.players)]
        return "\n".join(lines)


def _city(city: FlandernCity) -> str:
    def words(bits: int) -> str:
        return listed(PLOT_NAMES[plot] for plot in members(bits))

    parts = [f"{EMBLEM_KEYS[e]} {words(bits)}" for e, bits in enumerate(city.emblems) if bits]
    parts += [f"sites {words(city.sites)}", f"free {words(city.free)}"]
    scored = " (scored)" if city.scored else ""
    return f"{CITIES[city.number]}{scored}: {'; '.join(parts)}; covered {words(city.covered)}"


def _player(state: FlandernState, player: FlandernPlayer) -> str:
    guild = emblem_key(player.guild) or "-"
    hand, shown = (listed(CARDS[card] for card in cards) for cards in (player.hand, player.open))
    return f"{guild}, {player.influence} influence, hand {hand}; open {shown}"


def two_players(state: FlandernState) -> bool:
    """Whether the rules for two apply (section 9)."""
    return len(state.players) == 2


def golden_waits(state: FlandernState) -> bool:
    """Whether the first player still has to draw the golden card of the round."""
    chooses = isinstance(state.frames[-1], CardChoice)
    return chooses and state.golden_card == NONE and any(map(any, state.golden))


def cities_in_play(state: FlandernState) -> list[FlandernCity]:
    """All but the one that is missing with three players."""
    return [city for city in state.cities if city is not None]


def open_cities(state: FlandernState) -> list[FlandernCity]:
    """The cities that are not scored yet."""
    return [city for city in state.cities if city is not None and not city.scored]


def city_at(state: FlandernState, number: int) -> FlandernCity:
    """A city that is in play."""
    city = state.cities[number]
    assert city is not None
    return city


def why_closed(state: FlandernState, city: int) -> Refusal | None:
    """Whether nothing can be done in a city, or not any more."""
    there, key = state.cities[city], CITIES[city]
    if there is None:
        return refuse("missing_city", "setup", city=key)
    return refuse("city_scored", "scoring", city=key) if there.scored else None


def any_time(state: FlandernState, seat: Seat) -> Refusal | None:
    """The gate of an action that can always be taken where it is asked for."""
    return None
