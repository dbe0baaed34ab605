"""The kinds of event in a game of Burgundy.

`tile`, `colour`, `depot`, `space`, `good` and `die` are words of the notation (a die used freely
is ``any``). `spent` are workers paid for a die.
"""

from __future__ import annotations

from bot.game.contract import Event
from bot.game.events import GameEnded, SeatEvent, TurnEnded, kinds_of

# Set-up


class BoardChosen(SeatEvent, frozen=True):
    """A seat has taken the estate board of this number."""

    board: int


class CastleChosen(SeatEvent, frozen=True):
    """The secret choice of a castle's space, heard by its owner alone."""

    space: str


class CastlePlaced(SeatEvent, frozen=True):
    """All castles are revealed and placed; this is one of them."""

    space: str


# Phases and rounds


class PhaseBegan(Event, frozen=True):
    """A phase, ``A`` to ``E``, with the goods of its rounds in order."""

    phase: str
    goods: tuple[str, ...]


class DepotFilled(Event, frozen=True):
    """New tiles in a depot."""

    depot: str
    tiles: tuple[str, ...]


class RoundBegan(Event, frozen=True):
    """A round of a phase, with the seats in the order of play."""

    phase: str
    round: int
    seats: tuple[int, ...]

    @property
    def named(self) -> tuple[int, ...]:
        """The seats."""
        return self.seats


class Rolled(SeatEvent, frozen=True):
    """A seat's two dice."""

    dice: tuple[int, ...]


class GoodsPlaced(Event, frozen=True):
    """The round's good was placed on the depot of the white die."""

    depot: str
    good: str


class MinesPaid(SeatEvent, frozen=True):
    """What mines pay at the end of a phase."""

    silverlings: int
    workers: int


class DepotsCleared(Event, frozen=True):
    """This many tiles that nobody took have left the game."""

    count: int


# Actions


class Taken(SeatEvent, frozen=True):
    """A tile has come into storage with a die."""

    tile: str
    depot: str
    die: str
    spent: int


class Bought(SeatEvent, frozen=True):
    """A tile was bought into storage for silverlings."""

    tile: str
    depot: str
    price: int


class Discarded(SeatEvent, frozen=True):
    """A stored tile has left the game."""

    tile: str


class Placed(SeatEvent, frozen=True):
    """A tile was placed from storage into the estate."""

    tile: str
    space: str
    die: str
    spent: int


class Sold(SeatEvent, frozen=True):
    """All goods of a type, and what they brought."""

    good: str
    count: int
    points: int
    silverlings: int
    workers: int
    die: str
    spent: int


class WorkersTaken(SeatEvent, frozen=True):
    """A die was given for workers."""

    die: str
    workers: int
    silverlings: int


# What placing a tile brings


class RegionCompleted(SeatEvent, frozen=True):
    """A region of this many spaces is complete; `bonus` is the points for the phase."""

    colour: str
    count: int
    points: int
    bonus: int


class ColourCompleted(SeatEvent, frozen=True):
    """All spaces of a colour are covered; places 1 and 2 get a bonus tile."""

    colour: str
    rank: int
    points: int


class AnimalsScored(SeatEvent, frozen=True):
    """Points for animals of a kind in a pasture."""

    tile: str
    space: str
    points: int


class WatchtowerScored(SeatEvent, frozen=True):
    """Points of a Watchtower."""

    points: int


class WorkersGiven(SeatEvent, frozen=True):
    """Workers of a Boarding house."""

    workers: int


class SilverlingsGiven(SeatEvent, frozen=True):
    """Silverlings of a Bank."""

    silverlings: int


class MovedAhead(SeatEvent, frozen=True):
    """A ship has moved its owner to a space of the turn track, counted from 1."""

    count: int


class Loaded(SeatEvent, frozen=True):
    """The goods a ship loads from a depot, as a word."""

    depot: str
    goods: str


class Declined(SeatEvent, frozen=True):
    """An effect its owner declined: of a building, or a ship's second load."""

    tile: str


class Lapsed(SeatEvent, frozen=True):
    """An effect that could not be used."""

    tile: str


# The end


class Scored(SeatEvent, frozen=True):
    """Points at the end; `item` is one of POINTS in state.py, from the seventh on."""

    item: str
    points: int


EVENTS = kinds_of(vars(), TurnEnded, GameEnded)
"""Every kind by its word."""
