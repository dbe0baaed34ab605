"""What an observer may know of a table of Flandern 1302, in the words of its notation.

Emblems are keys (``red``, ``green``, ``blue``, ``yellow``, ``grey``, ``church``), and so are cities
and cards (data.py). A place is a plot with its city, ``gent-t1`` (plan.py). A kind of quarter is
``t``, ``p``, ``r``, the same with a leader printed on it (``t-leader``), or ``a`` to ``d``.
"""

from __future__ import annotations

import msgspec

from bot.game.contract import Outcome
from bot.game.flandern.city import FlandernCity
from bot.game.flandern.state import FlandernState
from bot.game.hidden import View

Counts = tuple[int, ...]


class QuarterView(msgspec.Struct, frozen=True):
    """A quarter on the board. `kind` is "" for the centre of a city; `printed` are the leaders that
    it shows, `leaders` those put there. `bar` is the second place that quarter D covers."""

    place: str
    emblem: str
    kind: str
    site: bool
    cathedral: bool
    printed: int
    leaders: int
    bar: str


class StandingView(msgspec.Struct, frozen=True):
    """A guild with completed quarters in a city: how many, leaders on them, its place from 1 (the
    lowest of those that equal guilds share), and the points that this place scores."""

    guild: str
    quarters: int
    leaders: int
    rank: int
    points: int


class FlandernCityView(msgspec.Struct, frozen=True):
    """A city, which is not `in_play` where it is missing with three players; then it has nothing.
    `standings` are by rank and say, as `value` does, what it would score now, or has scored."""

    city: str
    home: str
    """The emblem of its centre."""
    in_play: bool
    scored: bool
    quarters: tuple[QuarterView, ...]
    free: tuple[str, ...]
    covered: tuple[str, ...]
    value: int
    standings: tuple[StandingView, ...]
    plots: FlandernCity | None
    """The same for whoever thinks ahead: a copy, to be copied again before it is built on."""


class GuildView(msgspec.Struct, frozen=True):
    """A guild that scores: points by city, in the order of cities, and who it scores for (`seat` is
    None for the grey one, and before guilds are chosen)."""

    guild: str
    seat: int | None
    points: Counts

    @property
    def score(self) -> int:
        """All its points."""
        return sum(self.points)


class FlandernSeatView(msgspec.Struct, frozen=True):
    """A seat. `guild`, and of two players `controlled`, are "" before they are chosen.

    `cards` is how many cards it holds: those laid out face down are among them until all are
    revealed. `hand` are its action cards and `influence` its influence cards, for its owner alone.
    `open` are the action cards lying before it. `card` and `laid` are what it lays out in this
    round: its owner's at once, everybody's from the reveal on; `chosen` whether it has.
    """

    guild: str
    controlled: str
    score: int
    bonus: int
    cards: int
    hand: tuple[str, ...] | None
    influence: int | None
    open: tuple[str, ...]
    chosen: bool
    card: str | None
    laid: int | None

    @property
    def guilds(self) -> list[str]:
        """Those that score for it, as far as they are chosen."""
        return [guild for guild in (self.guild, self.controlled) if guild]


class ActionView(msgspec.Struct, frozen=True):
    """What the card being carried out allows: in this `city` ("" for any), with quarters of this
    `guild` ("" for none), of the grey one and of the church; `golden` for the golden card, and
    `drawn` for the card of the deck of two players."""

    city: str
    guild: str
    golden: bool
    drawn: bool


class FlandernView(View[FlandernState], frozen=True):
    """The old view. Read `observer` and `known` alone: nothing else will stay.

    `asked` is the kind of what is being asked: guild, control (the second guild of two players),
    choose (cards; of the first player the golden one before, see `golden_waits`), turn (of two
    players), city, site, cathedral, leader (what a card does), over.
    `active` lists the seats everybody waits for.
    """

    asked: str
    active: Counts
    round: int
    first: int
    """The first player of the round; of two, who begins the game."""
    turn: int
    """The seat that acts."""
    order: Counts
    """The order of the round once cards are revealed, before that clockwise from the first."""
    acted: int
    """How many of the order are done."""
    cities: tuple[FlandernCityView, ...]
    """All six, in the order of plan.py: three on the left, three on the right."""
    stock: tuple[Counts, ...]
    """By emblem, the quarters left of each kind in the order of data.TILES."""
    sites: int
    """Site pieces in the supply."""
    cathedrals: int
    leaders: int
    covers: int
    """Cover tiles left; more plots can be covered than there are tiles."""
    action: ActionView | None
    golden_left: Counts
    """Cards in deck A and in deck B; () with two players."""
    golden_deck: str
    """Of the golden card of the round: "a" or "b", "" where there is none, or none yet."""
    golden_card: str | None
    """That card, for the first player alone until it is revealed."""
    revealed: bool
    golden_out: tuple[str, ...]
    """All golden cards that have come out."""
    deck: int
    """Two players: cards in the deck."""
    discards: tuple[tuple[str, str], ...]
    """Those drawn since it was shuffled, each with its guild, sorted."""
    drawn: tuple[str, str] | None
    """The card drawn last: its guild and its kind."""
    played: bool
    """Of the turn of two players: whether the own card has been played."""
    has_drawn: bool
    still: int
    """Two players: turns in a row in which nothing was built or completed."""
    has_built: bool
    """Two players: in this turn something was; it then does not count in `still`."""
    golden_cities: int
    any_bonus: bool
    guilds: tuple[GuildView, ...]
    """The guilds in play, the grey one last."""
    seats: tuple[FlandernSeatView, ...]
    outcome: Outcome | None

    @property
    def golden_waits(self) -> bool:
        """Whether the first player still has to draw the golden card of the round."""
        return self.asked == "choose" and not self.golden_deck and any(self.golden_left)

    def city(self, key: str) -> FlandernCityView:
        """A city by its key."""
        return next(city for city in self.cities if city.city == key)
