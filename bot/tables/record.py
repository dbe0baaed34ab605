"""A game as its log: written as JSON, folded back into states and events, and checked.

A record holds the secrets of its game. Entry 0 is the set-up: ``setup``, or ``setup 2 0 1``
where the seats were shuffled first (seat 0 went to who had come third, and so on). A line that
starts with ``@`` is a matter of the table, not of the game: ``@resign`` hands a seat over to
a computer player. All other lines are actions as `bot.game.contract.canonical` writes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from bot.game.chance import ChanceMismatch, KeyedChance, RecordedChance, commitment
from bot.game.contract import (
    AnyGame,
    Chance,
    Event,
    IllegalAction,
    Seat,
    canonical,
    parse_action,
)

SETUP = "setup"
RESIGN = "@resign"
NOBODY: Seat = -1


class RecordError(Exception):
    """A record that does not fit the rules; `seq` is the entry, -1 for the whole."""

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(f"entry {seq}: {reason}" if seq >= 0 else reason)
        self.seq = seq


class Entry(msgspec.Struct, frozen=True):
    """Who did what, and what was drawn. `seat` is -1 for the set-up."""

    seat: int
    action: str
    drawn: tuple[int, ...] = ()


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game from its set-up on. `seats` are the players' names.

    `key_hash` and `key` are in hex; the key is there only when the game is over.
    """

    game: str
    version: int
    options: Mapping[str, str]
    seats: tuple[str, ...]
    entries: tuple[Entry, ...]
    key_hash: str = ""
    key: str = ""


def encode(record: Record) -> bytes:
    """The record as JSON, one entry a line."""
    text = msgspec.json.encode(record)
    return text.replace(b'[{"seat":', b'[\n{"seat":', 1).replace(b',{"seat":', b',\n{"seat":')


def decode(data: bytes) -> Record:
    """The record that `encode` wrote. Raises RecordError."""
    try:
        return msgspec.json.decode(data, type=Record)
    except msgspec.MsgspecError as error:
        raise RecordError(-1, f"This is not the record of a game: {error}") from error


def shuffle(seats: int, chance: Chance) -> tuple[int, ...]:
    """The order of coming for each seat, drawn one by one."""
    left = list(range(seats))
    order = [left.pop(chance.draw("seat", [1] * len(left))) for _ in range(seats - 1)]
    return (*order, *left)


def set_up(game: AnyGame, options: Mapping[str, str], line: str, seats: int, chance: Chance) -> Any:
    """The state after a set-up entry. Raises ValueError where the line is not one."""
    kind, *order = line.split()
    if kind != SETUP:
        raise ValueError(f"A record starts with {SETUP!r}, not with {line!r}")
    if order and tuple(map(int, order)) != shuffle(seats, chance):
        raise ValueError("the seats were drawn in another order")
    return game.setup(seats, options, chance)


def apply(game: AnyGame, state: Any, seat: Seat, line: str, chance: Chance) -> list[Event]:
    """Carries an entry other than the set-up out on `state`, in place. Raises IllegalAction."""
    if line == RESIGN:
        return [Event("resigned", {"seat": seat})]
    return game.apply(state, seat, parse_action(line), chance)


def fold(game: AnyGame, record: Record) -> Iterator[tuple[Entry, Any, list[Event]]]:
    """Every entry with the state after it and its events, as the draws were recorded.

    It is one state that changes in place: encode it to keep it. Raises RecordError.
    """
    _check_title(game, record)
    state: Any = None
    for seq, entry in enumerate(record.entries):
        chance = RecordedChance(entry.drawn)
        state, events = _carry_out(game, record, seq, state, chance)
        try:
            chance.finish()
        except ChanceMismatch as error:
            raise _misfit(seq, entry, error) from error
        yield entry, state, events


def verify(game: AnyGame, record: Record) -> None:
    """Checks that every draw came from the key, and the key from its hash. Raises RecordError."""
    _check_title(game, record)
    if not record.key:
        raise RecordError(-1, "The record has no key: the game is not over yet.")
    key = _key(record)
    state: Any = None
    draws = 0
    for seq, entry in enumerate(record.entries):
        chance = KeyedChance(key, draws)
        state, _ = _carry_out(game, record, seq, state, chance)
        if tuple(chance.drawn) != entry.drawn:
            raise RecordError(seq, f"the key draws {chance.drawn}, the record says {entry.drawn}")
        draws += len(chance.drawn)


def set_up_line(order: Sequence[int]) -> str:
    """The line of a set-up whose seats were shuffled."""
    return canonical((SETUP, *map(str, order)))


def _carry_out(
    game: AnyGame, record: Record, seq: int, state: Any, chance: Chance
) -> tuple[Any, list[Event]]:
    entry = record.entries[seq]
    try:
        if seq == 0:
            return set_up(game, record.options, entry.action, len(record.seats), chance), []
        return state, apply(game, state, entry.seat, entry.action, chance)
    except (IllegalAction, ChanceMismatch, ValueError, LookupError) as error:
        raise _misfit(seq, entry, error) from error


def _misfit(seq: int, entry: Entry, error: Exception) -> RecordError:
    return RecordError(seq, f"{entry.action!r} by seat {entry.seat}: {error}")


def _key(record: Record) -> bytes:
    try:
        key = bytes.fromhex(record.key)
    except ValueError as error:
        raise RecordError(-1, "The key is not in hexadecimal digits.") from error
    if commitment(key) != record.key_hash:
        raise RecordError(-1, "The key is not the one whose hash was posted at the start.")
    return key


def _check_title(game: AnyGame, record: Record) -> None:
    if (record.game, record.version) != (game.name, game.version):
        raise RecordError(
            -1,
            f"The record is of {record.game!r}, rules version {record.version};"
            f" this program plays {game.name!r}, version {game.version}.",
        )
    if not record.entries:
        raise RecordError(-1, "The record is empty.")
