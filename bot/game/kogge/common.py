"""What several chapters use: payments, refusals, and the shapes of events.

In events a city is its number, goods and markers a word of pieces, a single good its key, a route
``left``, ``right`` or ``secret``. Kinds that end in `Secretly` are the public twins of events that
only those concerned hear in full.
"""

from __future__ import annotations

from collections.abc import Callable

from bot.game.contract import Refusal, Seat
from bot.game.events import PairEvent, SeatEvent
from bot.game.frames import frame_of
from bot.game.grammar import refuse
from bot.game.kogge.data import CITIES, CITY_GOOD, MARKER_LETTERS
from bot.game.kogge.notation import GOOD_OF_LETTER
from bot.game.kogge.state import Acting, City, KoggePlayer, KoggeState


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


def always(state: KoggeState, seat: Seat) -> Refusal | None:
    """The gate of actions that can be done whenever they are asked for."""
    return None


def pieces(player: KoggePlayer) -> tuple[int, ...]:
    """Counts of all a player may pay with, in the order of PIECE_LETTERS."""
    return (*player.goods, *reversed(player.markers))


def highest_first(markers: list[int]) -> tuple[int, ...]:
    """Counts of markers in the order of MARKER_LETTERS."""
    return tuple(reversed(markers))


def held(markers: list[int]) -> tuple[str, ...]:
    """The numbers with at least one marker, as words, highest first."""
    return tuple([letter for letter in MARKER_LETTERS if markers[int(letter)]])


def spend(player: KoggePlayer, word: str) -> None:
    """Take pieces away from a player."""
    _move(player, word, -1)


def gain(player: KoggePlayer, word: str) -> None:
    """Give pieces to a player."""
    _move(player, word, 1)


def _move(player: KoggePlayer, word: str, by: int) -> None:
    for letter in word:
        good = GOOD_OF_LETTER.get(letter)
        if good is None:
            player.markers[int(letter)] += by
        else:
            player.goods[good] += by


def pay(state: KoggeState, seat: Seat, word: str) -> None:
    """Move pieces from a player back to the reserve and the bag, as every payment except a city
    trade does (general note under 3d)."""
    player = state.players[seat]
    spend(player, word)
    for letter in word:
        good = GOOD_OF_LETTER.get(letter)
        if good is None:
            state.bag[int(letter)] += 1
        else:
            state.reserve[good] += 1


def here(state: KoggeState, seat: Seat) -> City:
    """The city where the seat's ship lies."""
    return state.cities[state.players[seat].city]


def markers_of(good: int, counts: list[int]) -> tuple[str, ...]:
    """The numbers of a good's colour of which `counts` has any, lowest first."""
    return tuple(
        str(number) for number in range(CITIES) if CITY_GOOD[number] == good and counts[number]
    )


def development_points(state: KoggeState, seat: Seat) -> int:
    """One point for each office and each bonus chit."""
    return offices_of(state, seat) + sum(state.players[seat].chits)


def offices_of(state: KoggeState, seat: Seat) -> int:
    """How many offices the seat has on the board."""
    return [office.seat for city in state.cities for office in city.offices].count(seat)


def once(group: str) -> Callable[[KoggeState, Seat], Refusal | None]:
    """The gate of an action of a group of which only one is taken in a turn (3B)."""

    def gate(state: KoggeState, seat: Seat) -> Refusal | None:
        acting = state.frames[-1]
        if isinstance(acting, Acting) and group in acting.used:
            return refuse("already_done", kind=group)
        return None

    return gate


def use(state: KoggeState, group: str) -> None:
    """Record that an action of this group was taken this turn."""
    acting = frame_of(state, Acting)
    acting.used.append(group)
