"""The complete state of Flandern 1302, secrets included, as plain data.

Cities, plots, emblems, kinds of quarter and cards are numbers (see data.py). Decks have no order:
they are counts by card. The current question is the top of `FlandernState.frames`.
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
"""A value of `FlandernState.idle` that becomes 0 at the end of the turn."""


class FlandernRules(msgspec.Struct, frozen=True):
    """The options that matter after setup."""

    golden_cities: Public[int]
    """How often each city is in the golden decks."""
    any_bonus: Public[bool] = False
    """Whether the bonus for the most influence cards is scored even if no player has any (ruling
    33)."""


def _card_revealed(field: Field) -> bool:
    """Return whether the observer may see a choice: its own, and all after everyone has chosen."""
    is_secret = field.holder.card != NONE and isinstance(field.state.frames[-1], CardChoice)
    return owner(field) or not is_secret


class FlandernPlayer(msgspec.Struct):
    """A seat's guild, in a two-player game its second guild, and its cards.

    `hand` and `open` are action cards: not played yet, and played. `card` and `laid` are the card
    chosen this round and the number of influence cards with it; they stay in hand until they are
    revealed. A hand follows from the open cards, so it is public.
    """

    guild: Public[int] = NONE
    controlled: Public[int] = NONE
    hand: Public[list[int]] = []
    open: Public[list[int]] = []
    influence: Public[int] = 0
    card: Annotated[int, Hide(face_down, _card_revealed)] = NONE
    laid: Annotated[int, Hide(face_down, _card_revealed)] = 0

    @property
    def guilds(self) -> list[int]:
        """The guilds that score for this seat, as far as they are chosen."""
        return [guild for guild in (self.guild, self.controlled) if guild != NONE]

    @property
    def cards(self) -> int:
        """The number of cards in hand, including those face down."""
        return len(self.hand) + self.influence

    def move_to_open(self, card: int) -> None:
        """Move a card from the hand to the open cards."""
        self.hand.remove(card)
        self.open.append(card)


class GuildChoice(PublicStruct, tag="guild"):
    """The active seat chooses a guild."""


class ControlChoice(PublicStruct, tag="control"):
    """In a two-player game, the second player chooses a second guild."""


class CardChoice(PublicStruct, tag="choose"):
    """All players choose cards face down, after the first player has drawn a golden card."""


class TwoActions(PublicStruct, tag="turn"):
    """A two-player turn: a card from the hand and a card from the deck, in either order."""

    played: bool = False
    drawn: bool = False


class CityAction(PublicStruct, tag="city"):
    """The active seat builds or completes in a city: quarters of its guild, if the card allows one,
    of the grey guild or of the church. `golden` marks a golden card."""

    city: int
    guild: int
    golden: bool = False


class SiteAction(PublicStruct, tag="site"):
    """The active seat places a site in any city."""

    guild: int
    golden: bool = False


class CathedralAction(PublicStruct, tag="cathedral"):
    """The active seat places a cathedral on a quarter of the church."""


class LeaderAction(PublicStruct, tag="leader"):
    """The active seat places a leader on a quarter of its own or of the grey guild."""


class FlandernOver(PublicStruct, tag="over"):
    """The game has ended: `full`, `deck`, or in a two-player game `controlled` or `standstill`."""

    ending: str


CardAction = CityAction | SiteAction | CathedralAction | LeaderAction
"""The questions of cards. Take and influence have none."""
Frame = GuildChoice | ControlChoice | CardChoice | TwoActions | CardAction | FlandernOver


def _golden_known(field: Field) -> bool:
    """Return whether the observer may see the golden card: the first player, and all after it is
    revealed."""
    state: FlandernState = field.state
    return state.revealed or state.golden_card == NONE or field.observer == state.first


def _totals(decks: list[list[int]]) -> list[list[int]]:
    return [total(deck) for deck in decks]


class FlandernState(msgspec.Struct):
    """The state of a table.

    `cities` has None for the city missing in a three-player game. `stock` counts quarters by emblem
    and kind, `points` are by guild and city.

    Three and four players: `golden` counts the cards of decks A and B. `golden_card` is the card of
    the round (NONE if there is none or it isn't drawn yet), from deck `golden_deck`, public once
    `revealed`; `golden_out` counts used cards. `order` is the turn order, empty while cards are
    chosen; `acted` is how many seats have acted.

    Two players: `deck` and `discards` count cards by controlled guild (in seat order) and card.
    `drawn` is the last drawn card, as its guild and its card.
    """

    rules: Public[FlandernRules]
    players: Public[list[FlandernPlayer]]
    cities: Public[list[FlandernCity | None]]
    stock: Public[list[list[int]]]
    site_pieces: Public[int] = msgspec.field(name="sites")
    """Site pieces in the supply."""
    first: Public[int]
    """The first player of the round, or the starting player of a two-player game."""
    turn: Public[int]
    """The seat that acts or chooses a guild."""
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
    """Two-player turns in a row without building or completing; `BUILDING` during a turn with
    either."""
    points: Public[list[list[int]]] = msgspec.field(
        default_factory=lambda: [[0] * len(CITIES) for _ in range(GUILDS)]
    )
    bonus: Public[list[int]] = []
    """By seat, once the game has ended."""
    round: Public[int] = 0
    decision: Public[int] = 0
    """Increases with each new question, so that an old answer is recognised."""

    def __repr__(self) -> str:
        return state_repr("Flandern 1302", self)


FlandernView = View[FlandernState]
"""A view of the table."""


def two_players(state: FlandernState) -> bool:
    """Return whether the two-player rules apply (rules: two_players)."""
    return len(state.players) == 2


def must_draw_golden(state: FlandernState) -> bool:
    """Return whether the first player still has to draw the golden card of the round."""
    chooses = isinstance(state.frames[-1], CardChoice)
    return chooses and state.golden_card == NONE and any(map(any, state.golden))


def cities_in_play(state: FlandernState) -> list[FlandernCity]:
    """Return all cities in play: in a three-player game one is missing."""
    return [city for city in state.cities if city is not None]


def open_cities(state: FlandernState) -> list[FlandernCity]:
    """Return the cities that aren't scored yet."""
    return [city for city in state.cities if city is not None and not city.scored]


def sides(view: FlandernView, seats: int) -> tuple[Side, ...]:
    """Return the guilds of the seats, as far as they are chosen."""
    players = enumerate(view.known.players)
    return tuple([Side(seat, guild) for seat, player in players for guild in player.guilds])


def turn_order(state: FlandernState) -> tuple[Seat, ...]:
    """Return the turn order of the round, or clockwise from the first player until cards are
    revealed."""
    return tuple(state.order) or clockwise(state.first, len(state.players))


def card_in_play(state: FlandernState) -> CityAction | SiteAction | None:
    """Return the card that the active seat is using to build or complete, if any."""
    frame = state.frames[-1]
    return frame if isinstance(frame, (CityAction, SiteAction)) else None


def city_in_play(state: FlandernState) -> int:
    """Return the city of `card_in_play`, or NONE."""
    frame = state.frames[-1]
    return frame.city if isinstance(frame, CityAction) else NONE


def is_drawn(state: FlandernState, card: CityAction | SiteAction) -> bool:
    """Return whether the card in play was drawn from the two-player deck."""
    return card.guild not in (NONE, state.players[state.turn].guild)


def two_player_turn(state: FlandernState) -> TwoActions:
    """Return the progress of the two-player turn."""
    return next((each for each in state.frames if isinstance(each, TwoActions)), TwoActions())


def city_at(state: FlandernState, number: int) -> FlandernCity:
    """Return a city that is in play."""
    city = state.cities[number]
    assert city is not None
    return city


def why_closed(state: FlandernState, city: int) -> Refusal | None:
    """Return why a city is missing or already scored, if it is."""
    closed_city, key = state.cities[city], CITIES[city]
    if closed_city is None:
        return refuse("missing_city", "setup", city=key)
    return refuse("city_scored", "scoring", city=key) if closed_city.scored else None
