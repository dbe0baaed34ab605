"""A game as a file: its log written as JSON, carried out again, and checked.

A record holds the secrets of its game; `bot.tables.core.log` says what its lines mean, and
docs/record.md tells other programs how to read and to check one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import msgspec

from bot.game.chance import ChanceMismatch, CheckedChance, RecordedChance, commitment
from bot.game.contract import Event, IllegalAction, Outcome
from bot.game.game import AnyGame
from bot.game.log import Entry, RecordedEntry
from bot.game.versions import Games
from bot.tables.core.log import (
    KEY_BYTES,
    NO_SEAT,
    SETUP,
    TABLE_EVENTS,
    ToAct,
    Undone,
    apply,
    carried_out,
    imported_key,
    shuffle,
    to_act,
    undone_to,
)

WHOLE = "game 1"
PARTIAL = "seen 1"
REPORT = "report 1"
"""The formats of the files that tables write: a record, a `PartialExport`, a `Report`."""
NOT_WHOLE = {
    REPORT: "This is a report of a problem, not the record of a game.",
    PARTIAL: "This is what one person may know of a game that is not over. It can be checked"
    " when the game has ended and is exported again.",
}
"""The formats from which no game can go on, and why."""
UNTIMED = datetime(1970, 1, 1, tzinfo=UTC)
"""The time of an entry of which a file does not tell it."""
NOT_JSON = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class RecordError(Exception):
    """A record that does not fit the rules; `seq` is the entry, -1 for the whole."""

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(f"entry {seq}: {reason}" if seq >= 0 else reason)
        self.seq = seq


class Record(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="format", tag=WHOLE):
    """A game from its set-up on. `seats` are the players' names.

    `key_hash` and `key` are in hex. Key and result are there only when the game is over; one
    that was given up has no result.
    """

    game: str
    version: int
    options: Mapping[str, str]
    seats: tuple[str, ...]
    entries: tuple[RecordedEntry, ...]
    key_hash: str = ""
    key: str = ""
    result: Outcome | None = None

    def __repr__(self) -> str:
        # Neither the key nor hundreds of lines belong on a screen.
        title = f"{self.game}, rules version {self.version}"
        return f"<Record: {title}, {len(self.seats)} seats, {len(self.entries)} entries>"


class _Head(msgspec.Struct):
    format: str = WHOLE


def encode(record: Record) -> bytes:
    """The record as JSON, with a line for each entry."""
    text = msgspec.json.encode(record)
    return text.replace(b'[{"seat":', b'[\n{"seat":', 1).replace(b',{"seat":', b',\n{"seat":')


def format_of(data: bytes) -> str:
    """Which kind of file it is; empty where tables write no such file."""
    try:
        return msgspec.json.decode(data, type=_Head).format
    except NOT_JSON:
        return ""


def decode(data: bytes) -> Record:
    """The record that `encode` wrote. Raises RecordError."""
    try:
        found = msgspec.json.decode(data, type=_Head).format
        if found == WHOLE:
            return msgspec.json.decode(data, type=Record)
    except NOT_JSON as error:
        raise RecordError(-1, f"This is not the record of a game: {error}") from error
    other = f"Its format is {found!r}, and this program reads {WHOLE!r}: try a newer one."
    raise RecordError(-1, NOT_WHOLE.get(found, other))


def rules_for(games: Games, name: str, version: int) -> AnyGame:
    """The rules by which a record of that version of a title is read. Raises RecordError."""
    if name not in games:
        raise RecordError(-1, f"This program does not play {name!r}.")
    versions = games.versions(name)
    if version not in versions:
        known = ", ".join(map(str, versions))
        raise RecordError(
            -1, f"It is of {name!r}, rules version {version}; this program has version {known}."
        )
    return games.of(name, version)


def fold(
    game: AnyGame,
    record: Record,
    chance_of: Callable[[int, int], RecordedChance] | None = None,
) -> Iterator[tuple[Entry, Any]]:
    """Carries every entry out, and gives it with the state after it. Raises RecordError.

    It is one state that changes in place: encode it to keep it. `chance_of` gives the chance of an
    entry by its number and how many draws there were before; without it the draws are as recorded.
    """
    if (record.game, record.version) != (game.name, game.version):
        raise RecordError(
            -1,
            f"The record is of {record.game!r}, rules version {record.version};"
            f" this program plays {game.name!r}, version {game.version}.",
        )
    if len(record.seats) not in game.seats:
        raise RecordError(-1, f"{game.name!r} is not played by {len(record.seats)}.")
    if not record.entries:
        raise RecordError(-1, "The record is empty.")
    state: Any = None
    draws = 0
    goals = _goals(record)
    marks: dict[int, tuple[bytes, int]] = {}
    stand: list[int] = []
    is_public: set[int] = set()
    asked: ToAct = frozenset()
    for seq, line in enumerate(record.entries):
        chance = chance_of(seq, draws) if chance_of else RecordedChance(line.drawn)
        try:
            back_to = undone_to(line.action)
            if back_to is None:
                state, events = _carry_out(game, record, seq, state, chance)
                stand.append(seq)
            else:
                keep = bisect_right(stand, back_to)
                if not 0 <= back_to < seq:
                    raise ValueError("there is no such entry before it")
                if stand[keep - 1 : keep] != [back_to]:
                    raise ValueError("that entry has been taken back itself")
                blob, draws = marks[back_to]
                state = game.decode(blob)
                events = [Undone(seat=line.seat, count=len(is_public.intersection(stand[keep:])))]
                del stand[keep:]
            chance.finish()
        except IllegalAction as error:
            raise _misfit(seq, line, f"{error.refusal.code} ({error.refusal.topic})") from error
        except (ChanceMismatch, ValueError, LookupError) as error:
            raise _misfit(seq, line, str(error)) from error
        draws += len(line.drawn)
        was, asked = asked, to_act(game.pending(state))
        entry = Entry(
            line.seat,
            line.action,
            line.drawn,
            tuple(chance.asked),
            at=line.at or UNTIMED,
            seq=seq,
            back_to=back_to,
        )
        entry = carried_out(game, entry, state, events, was, asked)
        if entry.is_public:
            is_public.add(seq)
        if seq in goals:
            marks[seq] = game.encode(state), draws
        yield entry, state


def verify(game: AnyGame, record: Record) -> Outcome | None:
    """Checks that the key has the posted hash, that every draw is the key's, and the result the
    rules'.

    Returns the outcome, None for a game that was given up. Raises RecordError.
    """
    if not record.key:
        raise RecordError(-1, "The record has no key: the game is not over yet.")
    try:
        key = bytes.fromhex(record.key)
    except ValueError as error:
        raise RecordError(-1, "The key is not in hexadecimal digits.") from error
    if len(key) != KEY_BYTES or commitment(key) != record.key_hash:
        raise RecordError(-1, "The key is not the one whose hash was posted at the start.")
    # The key behind the draws of each entry is that of the next import, else the table's own.
    keys: list[bytes] = []
    for line in reversed(record.entries):
        with suppress(ValueError):
            key = imported_key(line.action) or key
        keys.append(key)
    state: Any = None

    def chance_of(seq: int, before: int) -> RecordedChance:
        return CheckedChance(record.entries[seq].drawn, keys[-1 - seq], before)

    for entry, now in fold(game, record, chance_of):
        state = now
        drew = record.entries[entry.seq].asked
        if drew and drew != entry.asked:
            raise RecordError(
                entry.seq, f"it says that it drew from {drew}, not from {entry.asked}"
            )
    outcome = game.outcome(state)
    if record.result is None:
        return outcome
    if outcome is None:
        raise RecordError(-1, "The record has a result, and by the rules its game is not over.")
    for name in Outcome.__struct_fields__:
        said, true = getattr(record.result, name), getattr(outcome, name)
        if said != true:
            raise RecordError(-1, f"The result has {name} {said!r}; by the rules it is {true!r}.")
    return outcome


def prints(record: Record) -> tuple[str, ...]:
    """The hashes of the keys behind the draws, in the order in which they were posted."""
    earlier = (imported_key(entry.action) for entry in record.entries)
    return (*(commitment(key) for key in earlier if key is not None), record.key_hash)


def _carry_out(
    game: AnyGame, record: Record, seq: int, state: Any, chance: RecordedChance
) -> tuple[Any, Sequence[Event]]:
    entry, seats = record.entries[seq], len(record.seats)
    if seq == 0:
        kind, *order = entry.action.split()
        if kind != SETUP:
            raise ValueError(f"A record starts with {SETUP!r}, not with {entry.action!r}")
        if order and tuple(map(int, order)) != shuffle(seats, chance):
            raise ValueError("the seats were drawn in another order")
        return game.setup(seats, record.options, chance), []
    is_of_no_seat = entry.seat == NO_SEAT and (
        entry.action in TABLE_EVENTS or imported_key(entry.action) is not None
    )
    if not (0 <= entry.seat < seats or is_of_no_seat):
        raise ValueError("there is no such seat")
    return state, apply(game, state, entry.seat, entry.action, chance)


def _goals(record: Record) -> set[int | None]:
    """The entries that are gone back to."""
    goals: set[int | None] = set()
    for line in record.entries:
        with suppress(ValueError):
            goals.add(undone_to(line.action))
    return goals


def _misfit(seq: int, entry: RecordedEntry, reason: str) -> RecordError:
    return RecordError(seq, f"{entry.action!r} by seat {entry.seat}: {reason}")
