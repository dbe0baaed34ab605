"""Everything that is true at a table of Flandern 1302, secrets included, as plain data.

Cities, plots, emblems, kinds of quarter and cards are numbers (see data.py). Decks have
no order: they are counts by card. What is being asked is the top of `FlandernState.frames`.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from bot.game.contract import Refusal, Seat
from bot.game.flandern.city import NONE, FlandernCity
from bot.game.flandern.data import CARDS, CITIES, GUILDS
from bot.game.frames import state_repr
from bot.game.grammar import refuse
from bot.game.hidden import Field, Hide, Public, PublicStruct, View, face_down, owner, total
from bot.game.sides import Side, clockwise

BUILDING = -1
"""So that the end of the turn makes no idle turn."""


class FlandernRules(msgspec.Struct, frozen=True):
    """The options of a table that still matter after the set-up."""

    golden_cities: Public[int]
    """How often each city is in the golden decks."""
    any_bonus: Public[bool] = False
    """Whether players without influence cards can have the most of them (ruling 33)."""


def _laid_open(field: Field) -> bool:
    """Until all have chosen, cards lie face down."""
    chosen = field.holder.card != NONE and isinstance(field.state.frames[-1], CardChoice)
    return owner(field) or not chosen


class FlandernPlayer(msgspec.Struct):
    """What a seat owns: its guild and, of two players, the one under its influence. `hand` and
    `open` are action cards, in the hand until they are revealed; `card` and `laid` are what it has
    laid out in this round and how many influence cards with it, from the choice on.

    A hand follows from the cards that lie open, so everybody knows it.
    """

    guild: Public[int] = NONE
    controlled: Public[int] = NONE
    hand: Public[list[int]] = []
    open: Public[list[int]] = []
    influence: Public[int] = 0
    card: Annotated[int, Hide(face_down, _laid_open)] = NONE
    laid: Annotated[int, Hide(face_down, _laid_open)] = 0

    @property
    def guilds(self) -> list[int]:
        """Those that score for it, as far as they are chosen."""
        return [guild for guild in (self.guild, self.controlled) if guild != NONE]

    @property
    def cards(self) -> int:
        """How many cards it holds, those laid out face down among them."""
        return len(self.hand) + self.influence

    def lay_open(self, card: int) -> None:
        """Put a card of the hand before the seat."""
        self.hand.remove(card)
        self.open.append(card)


class GuildChoice(PublicStruct, tag="guild"):
    """The seat on turn takes a guild."""


class ControlChoice(PublicStruct, tag="control"):
    """Of two players, the one who does not begin takes a second guild."""


class CardChoice(PublicStruct, tag="choose"):
    """All lay out cards, face down; the first player draws a golden card before."""


class TwoActions(PublicStruct, tag="turn"):
    """A turn of two players: a card of one's own, and one of the deck, in either order."""

    played: bool = False
    drawn: bool = False


class CityAction(PublicStruct, tag="city"):
    """The seat on turn builds or completes in a city: quarters of a guild, if one is its own here,
    of the grey one and of the church. So it does for a golden card (`golden`)."""

    city: int
    guild: int
    golden: bool = False


class SiteAction(PublicStruct, tag="site"):
    """It puts up a site, in any city."""

    guild: int
    golden: bool = False


class CathedralAction(PublicStruct, tag="cathedral"):
    """It puts a cathedral on a quarter of the church."""


class LeaderAction(PublicStruct, tag="leader"):
    """It puts a leader on a quarter of its own or of the grey guild."""


class FlandernOver(PublicStruct, tag="over"):
    """The game has ended: `full`, `deck`, and of two players `controlled` or `standstill`."""

    ending: str


CardAction = CityAction | SiteAction | CathedralAction | LeaderAction
"""What cards ask, but for a take and for influence, which ask nothing."""
Frame = GuildChoice | ControlChoice | CardChoice | TwoActions | CardAction | FlandernOver


def _golden_known(field: Field) -> bool:
    """The golden card lies face down before the first player, who alone knows it."""
    state: FlandernState = field.state
    return state.revealed or state.golden_card == NONE or field.observer == state.first


def _totals(decks: list[list[int]]) -> list[list[int]]:
    return [total(deck) for deck in decks]


class FlandernState(msgspec.Struct):
    """The whole table. `cities` has None for the city that is missing with three players; `stock`
    counts quarters by emblem and kind, `points` those scored by guild and city.

    Three and four players: `golden` counts the cards of deck A and of deck B, `golden_card` is the
    one of the round (NONE without one, and until it is drawn), from deck `golden_deck`, `revealed`
    once all know it, and `golden_out` counts what has come out. `order` are the seats in the order
    of the round, empty while cards are chosen, and `acted` says how many of them are done.

    Two players: `deck` and `discards` count cards by controlled guild (in the order of seats) and
    card; `drawn` is the last card drawn, as its guild and its card.
    """

    rules: Public[FlandernRules]
    players: Public[list[FlandernPlayer]]
    cities: Public[list[FlandernCity | None]]
    stock: Public[list[list[int]]]
    site_pieces: Public[int] = msgspec.field(name="sites")
    """In the supply."""
    first: Public[int]
    """The first player of the round; of two players, who begins the game."""
    turn: Public[int]
    """The seat that acts, or chooses a guild."""
    frames: Public[list[Frame]]
    cathedral_pieces: Public[int] = msgspec.field(default=0, name="cathedrals")
    leader_pieces: Public[int] = msgspec.field(default=0, name="leaders")
    golden: Annotated[list[list[int]], Hide(_totals, _golden_known)] = []
    golden_out: Public[list[int]] = msgspec.field(default_factory=lambda: [0] * len(CARDS))
    golden_card: Annotated[int, Hide(face_down, _golden_known)] = NONE
    golden_deck: Public[int] = NONE
    revealed: Public[bool] = False
    order: Public[list[int]] = []
    acted: Public[int] = 0
    deck: Public[list[list[int]]] = []
    discards: Public[list[list[int]]] = []
    drawn: Public[tuple[int, int]] = (NONE, NONE)
    idle: Public[int] = msgspec.field(default=0, name="still")
    """Turns of two players in a row in which nothing was built or completed; `BUILDING` in a turn
    in which something was."""
    points: Public[list[list[int]]] = msgspec.field(
        default_factory=lambda: [[0] * len(CITIES) for _ in range(GUILDS)]
    )
    bonus: Public[list[int]] = []
    """By seat, once the game has ended."""
    round: Public[int] = 0
    decision: Public[int] = 0
    """Increases whenever what is asked changes, so that an old answer is recognised."""

    def __repr__(self) -> str:
        return state_repr("Flandern 1302", self)


FlandernView = View[FlandernState]
"""What an observer knows of the table."""


def two_players(state: FlandernState) -> bool:
    """Whether the rules for two apply (rules: two_players)."""
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


def sides(view: FlandernView, seats: int) -> tuple[Side, ...]:
    """The guilds that seats play for, as far as they are chosen."""
    players = enumerate(view.known.players)
    return tuple([Side(seat, guild) for seat, player in players for guild in player.guilds])


def turn_order(state: FlandernState) -> tuple[Seat, ...]:
    """The order of the round once cards are revealed, before that clockwise from the first."""
    return tuple(state.order) or clockwise(state.first, len(state.players))


def card_in_play(state: FlandernState) -> CityAction | SiteAction | None:
    """The card with which the seat on turn builds or completes now."""
    frame = state.frames[-1]
    return frame if isinstance(frame, (CityAction, SiteAction)) else None


def city_in_play(state: FlandernState) -> int:
    """The city of that card, or NONE."""
    frame = state.frames[-1]
    return frame.city if isinstance(frame, CityAction) else NONE


def is_drawn(state: FlandernState, card: CityAction | SiteAction) -> bool:
    """Whether the card in play is that of the deck of two players."""
    return card.guild not in (NONE, state.players[state.turn].guild)


def turn_of_two(state: FlandernState) -> TwoActions:
    """What has been done in the turn of two players."""
    return next((each for each in state.frames if isinstance(each, TwoActions)), TwoActions())


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
