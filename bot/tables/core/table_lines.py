"""Lines of the log that concern the table and not its game: their notation and events.

Such a line begins with ``@``; `bot.tables.core.record` says what each means.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from sys import intern

from bot.game.contract import SPECTATOR, Decision, Event, Seat, canonical
from bot.game.events import SeatEvent

SETUP = "setup"
RESIGN = "@resign"
AUTO = "@auto"
MANUAL = "@manual"
CLAIM = "@claim"
PAUSE = "@pause"
RESUME = "@resume"
SLEEP = "@sleep"
REST = "@rest"
WAKE = "@wake"
UNDO = "@undo"
IMPORT = "@import"
NOBODY: Seat = -1

OF_THE_TABLE = "@"
"""What a line that concerns the table begins with."""


class Resigned(SeatEvent, frozen=True):
    """A player has left their seat to a computer player for good."""


class Autopiloted(SeatEvent, frozen=True):
    """A computer player plays for a seat from now on."""


class PlaysAgain(SeatEvent, frozen=True):
    """The player of a seat plays for it again."""


class Claimed(SeatEvent, frozen=True):
    """A seat has a new player."""


class Paused(SeatEvent, frozen=True):
    """The clocks stand still, as a seat asked for."""


class Resumed(SeatEvent, frozen=True):
    """The clocks run again."""


class FellAsleep(SeatEvent, frozen=True):
    """The table fell asleep: nobody had played for a long time."""


class CameToRest(SeatEvent, frozen=True):
    """The table fell asleep: no person played for themselves any more."""


class Woke(SeatEvent, frozen=True):
    """Somebody has woken the table."""


class Undone(SeatEvent, frozen=True):
    """So many actions that all had noticed have been taken back."""

    count: int


class Imported(Event, frozen=True):
    """The game came from a file; draws from here on have another key."""


MATTERS: Mapping[str, type[SeatEvent]] = {
    RESIGN: Resigned,
    AUTO: Autopiloted,
    MANUAL: PlaysAgain,
    CLAIM: Claimed,
    PAUSE: Paused,
    RESUME: Resumed,
    SLEEP: FellAsleep,
    REST: CameToRest,
    WAKE: Woke,
}
"""The lines that change nothing of the game, and the event of each."""
_OF_TABLE: tuple[type[Event], ...] = (*MATTERS.values(), Undone, Imported)

OF_TABLE = frozenset(event.kind for event in _OF_TABLE)
"""The kinds of events that come from the table and not from its game."""
KEY_BYTES = 32

Awaited = frozenset[tuple[Seat, str]]
"""Seats, and the kind of decision that each is awaited for."""


def undo_line(to: int) -> str:
    """The line that goes back to how things stood after entry `to`."""
    return f"{UNDO} {to}"


def kind_of(line: str) -> str:
    """The kind of what was done: the first word, which is for everybody."""
    return intern(line.partition(" ")[0])


def undone_to(line: str) -> int | None:
    """The entry that an undo line goes back to; None for any other line."""
    # The log of a long game is searched for these in one go.
    if not line.startswith(UNDO):
        return None
    kind, _, to = line.partition(" ")
    return int(to) if kind == UNDO else None


def import_line(key: bytes) -> str:
    """The line that says that all draws before it came from `key`."""
    return f"{IMPORT} {key.hex()}"


def imported_key(line: str) -> bytes | None:
    """The key that an importing line names, None for any other line. Raises ValueError."""
    kind, _, named = line.partition(" ")
    if kind != IMPORT:
        return None
    key = bytes.fromhex(named)
    if len(key) != KEY_BYTES:
        raise ValueError("that is no key")
    return key


def standing(backs: Iterable[int | None]) -> list[int]:
    """The numbers of the entries that have not been taken back, in order.

    `backs` says of each entry which one it goes back to; None where it goes back to none.
    """
    stand: list[int] = []
    for seq, to in enumerate(backs):
        if to is None:
            stand.append(seq)
        else:
            del stand[bisect_right(stand, to) :]
    return stand


def undone(seat: Seat, count: int) -> Event:
    """The event of an undo line: how many actions that all noticed were taken back."""
    return Undone(seat=seat, count=count)


def awaited(pending: Iterable[Decision]) -> Awaited:
    """Whom everybody waits for, and what for."""
    return frozenset((asked.seat, asked.kind) for asked in pending if not asked.optional)


def is_noticed(events: Iterable[Event], before: Awaited, after: Awaited) -> bool:
    """Whether everybody noticed that something was done: all heard of it, or others are awaited.

    A sealed choice made anew is not noticed, nor is what two do between them. Nobody may know how
    many such entries a log has, so they do not count where all can read the number.
    """
    return before != after or any(event.heard_by(SPECTATOR) for event in events)


def set_up_line(order: Sequence[int]) -> str:
    """The line of a set-up whose seats were shuffled."""
    return canonical((SETUP, *map(str, order)))
