"""The meaning and execution of the lines in a table's log.

Entry 0 is the set-up: ``setup``, or ``setup 2 0 1`` if the seats were shuffled (the third player to
join got seat 0, and so on). Lines that start with ``@`` concern the table, not the game:

- ``@resign`` and the other `TABLE_EVENTS` do not change the game's state.
- ``@undo 12`` goes back to the position after entry 12. Undone draws do not count: later draws come
  out as if they had never happened.
- ``@import`` with a key in hex marks a game imported from a file or another table: earlier draws
  came from that key, later ones come from the table's own.

All other lines are actions as `bot.game.contract.canonical` writes them.
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
ACT = "@act"
EXTEND = "@extend"
HOST = "@host"
PAUSE = "@pause"
RESUME = "@resume"
SLEEP = "@sleep"
REST = "@rest"
WAKE = "@wake"
DECIDED = "@decided"
UNDO = "@undo"
IMPORT = "@import"
NO_SEAT: Seat = -1

TABLE_PREFIX = "@"
"""The prefix of lines that concern the table."""


class Resigned(SeatEvent, frozen=True):
    """A player resigned; a computer player has their seat for good."""


class Autopiloted(SeatEvent, frozen=True):
    """A computer player now acts for the seat's owner."""


class PlaysAgain(SeatEvent, frozen=True):
    """A player has taken control of their seat again."""


class Claimed(SeatEvent, frozen=True):
    """A new player has taken over a seat."""


class PlayedFor(SeatEvent, frozen=True):
    """A computer player acts for the seat's owner in this turn only, as the others agreed."""


class Extended(SeatEvent, frozen=True):
    """The host or a moderator gave a player more time."""


class HostChanged(SeatEvent, frozen=True):
    """A player is the table's host now."""


class Paused(SeatEvent, frozen=True):
    """The game is paused and its clocks are stopped, as a seat proposed."""


class Resumed(SeatEvent, frozen=True):
    """The game continues after a pause."""


class FellAsleep(SeatEvent, frozen=True):
    """The table fell asleep because no one had acted for a long time."""


class CameToRest(SeatEvent, frozen=True):
    """The table fell asleep because computer players act for all people."""


class Woke(SeatEvent, frozen=True):
    """A player has woken the table."""


class Decided(SeatEvent, frozen=True):
    """A game of a cup was closed before its end, as its places are decided or it is void."""


class Undone(SeatEvent, frozen=True):
    """A number of public actions have been undone."""

    count: int


class Imported(Event, frozen=True):
    """The game was imported from a file or another table; later draws use another key."""

    round: int


TABLE_EVENTS: Mapping[str, type[SeatEvent]] = {
    RESIGN: Resigned,
    AUTO: Autopiloted,
    MANUAL: PlaysAgain,
    CLAIM: Claimed,
    ACT: PlayedFor,
    EXTEND: Extended,
    HOST: HostChanged,
    PAUSE: Paused,
    RESUME: Resumed,
    SLEEP: FellAsleep,
    REST: CameToRest,
    WAKE: Woke,
    DECIDED: Decided,
}
"""Lines that do not change the game's state, with the event of each."""
_TABLE_EVENTS: tuple[type[Event], ...] = (*TABLE_EVENTS.values(), Undone, Imported)

TABLE_EVENT_KINDS = frozenset(event.kind for event in _TABLE_EVENTS)
"""The kinds of events that come from the table, not from its game."""
KEY_BYTES = 32

ToAct = frozenset[tuple[Seat, str]]
"""The seats to act, each with the kind of its decision."""


def actor(seat: Seat, line: str) -> Seat:
    """Return the seat that made an entry, or NO_SEAT if others made it about that seat."""
    return NO_SEAT if line in (EXTEND, HOST) else seat


def undone_to(line: str) -> int | None:
    """Return the entry that an undo line goes back to, or None for any other line.

    Raise ValueError if the line is malformed.
    """
    # A quick test first: whole logs are searched for these lines.
    if not line.startswith(UNDO):
        return None
    kind, _, to = line.partition(" ")
    if kind != UNDO:
        return None
    if not to.isdecimal():
        raise ValueError("it does not say to which entry")
    return int(to)


def import_line(key: bytes) -> str:
    """Return the line that marks all earlier draws as drawn from `key`."""
    return f"{IMPORT} {key.hex()}"


def imported_key(line: str) -> bytes | None:
    """Return the key in an import line, or None for any other line.

    Raise ValueError if the line is malformed.
    """
    kind, _, digits = line.partition(" ")
    if kind != IMPORT:
        return None
    key = bytes.fromhex(digits)
    if len(key) != KEY_BYTES:
        raise ValueError("it names no key")
    return key


def entries_in_effect(backs: Iterable[int | None]) -> list[int]:
    """Return the numbers of the entries that have not been undone, in order.

    `backs` has an item for each entry: the entry it goes back to, or None if it is no undo.
    """
    in_effect: list[int] = []
    for seq, to in enumerate(backs):
        if to is None:
            in_effect.append(seq)
        else:
            del in_effect[bisect_right(in_effect, to) :]
    return in_effect


def to_act(pending: Iterable[Decision]) -> ToAct:
    """Return the seats with a decision they must make, and its kind."""
    return frozenset((each.seat, each.kind) for each in pending if not each.optional)


def has_acted(game: AnyGame, seat: Seat, entry: Entry) -> bool:
    """Return whether the seat chose an action of the game, or undid one.

    An action `on_opening` is none, as it is taken automatically.
    """
    move = game.moves.get(entry.kind)
    is_automatic = move is not None and move.on_opening
    return entry.seat == seat and entry.kind not in TABLE_EVENTS and not is_automatic


def shuffle(seats: int, chance: Chance, label: str = "seat") -> tuple[int, ...]:
    """Draw the seating: for each seat, the index of the player in the order they joined."""
    left = list(range(seats))
    order = [left.pop(chance.draw(label, [1] * len(left))) for _ in range(seats - 1)]
    return (*order, *left)


def apply(game: AnyGame, state: Any, seat: Seat, line: str, chance: Chance) -> Sequence[Event]:
    """Apply a line to `state` in place and return its events. Raise IllegalAction.

    The line must not be a set-up or an undo.
    """
    if imported_key(line) is not None:
        return [Imported(round=game.round(state))]
    if line in TABLE_EVENTS:
        return [TABLE_EVENTS[line](seat=seat)]
    return game.apply(state, seat, parse_action(line), chance)


def completed(
    game: AnyGame,
    entry: Entry,
    state: Any,
    events: Iterable[Event],
    before: ToAct,
    after: ToAct,
) -> Entry:
    """Return the entry with its events, its round and whether it is public.

    An entry is public if spectators see one of its events or if it changes who is to act. A changed
    sealed choice is not public, nor is a deal between two players. Players must not learn how many
    such entries a log has, so numbers shown to all players leave them out.

    `state` is the state after the entry.
    """
    events = tuple(events)
    is_public = before != after or any(event.visible_to(SPECTATOR) for event in events)
    return replace(entry, events=events, round=game.round(state), is_public=is_public)
