"""A table's log: what its lines mean, and how they are carried out.

Entry 0 is the set-up: ``setup``, or ``setup 2 0 1`` where the seats were shuffled first (seat 0
went to who had come third, and so on). A line that starts with ``@`` is a matter of the table, not
of the game: ``@resign`` hands a seat over to a computer player (`TABLE_EVENTS` lists all that leave
the game as it is), ``@undo 12`` goes back to how things stood after entry 12, and what is drawn
after it is drawn as if nothing had been taken back. ``@import`` and a key in hex says that the game
was brought here in a file: all draws before came from that key, and come from the table's own one
after it. All other lines are actions as `bot.game.contract.canonical` writes them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from bot.game.contract import SPECTATOR, Chance, Decision, Event, Seat, parse_action
from bot.game.events import SeatEvent
from bot.game.game import AnyGame
from bot.game.log import Entry

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
NO_SEAT: Seat = -1

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


TABLE_EVENTS: Mapping[str, type[SeatEvent]] = {
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
_OF_TABLE: tuple[type[Event], ...] = (*TABLE_EVENTS.values(), Undone, Imported)

OF_TABLE = frozenset(event.kind for event in _OF_TABLE)
"""The kinds of events that come from the table and not from its game."""
KEY_BYTES = 32

ToAct = frozenset[tuple[Seat, str]]
"""Seats, and the kind of decision that each is awaited for."""


def undone_to(line: str) -> int | None:
    """The entry that an undo line goes back to; None for any other line. Raises ValueError."""
    # The log of a long game is searched for these in one go.
    if not line.startswith(UNDO):
        return None
    kind, _, to = line.partition(" ")
    if kind != UNDO:
        return None
    if not to.isdecimal():
        raise ValueError("it does not say to which entry")
    return int(to)


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
        raise ValueError("it names no key")
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


def to_act(pending: Iterable[Decision]) -> ToAct:
    """Whom everybody waits for, and what for."""
    return frozenset((asked.seat, asked.kind) for asked in pending if not asked.optional)


def shuffle(seats: int, chance: Chance) -> tuple[int, ...]:
    """The order of coming for each seat, drawn one by one."""
    left = list(range(seats))
    order = [left.pop(chance.draw("seat", [1] * len(left))) for _ in range(seats - 1)]
    return (*order, *left)


def apply(game: AnyGame, state: Any, seat: Seat, line: str, chance: Chance) -> Sequence[Event]:
    """Carries out a line on `state`, in place; no set-up and no undo. Raises IllegalAction."""
    if imported_key(line) is not None:
        return [Imported()]
    if line in TABLE_EVENTS:
        return [TABLE_EVENTS[line](seat=seat)]
    return game.apply(state, seat, parse_action(line), chance)


def carried_out(
    game: AnyGame,
    entry: Entry,
    state: Any,
    events: Iterable[Event],
    before: ToAct,
    after: ToAct,
) -> Entry:
    """The entry with what its game made of it; `state` is the one after it.

    Everybody notices that something was done where all heard of it, or others are awaited. A sealed
    choice made anew is not noticed, nor is what two do between them. Nobody may know how many such
    entries a log has, so they do not count where all can read the number.
    """
    events = tuple(events)
    is_public = before != after or any(event.visible_to(SPECTATOR) for event in events)
    return replace(entry, events=events, round=game.round(state), is_public=is_public)
