"""Game records: logs written to JSON files, replayed and verified.

A record contains the secrets of its game. `bot.tables.core.log` explains the lines; docs/record.md
explains to authors of other programs how to read and verify a record.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from bot.game.chance import (
    ChanceMismatch,
    CheckedChance,
    KeyedChance,
    RecordedChance,
    commitment,
)
from bot.game.contract import Event, IllegalAction, Outcome, Seat, parse_action
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
    completed,
    entries_in_effect,
    imported_key,
    shuffle,
    to_act,
    undone_to,
)

WHOLE = "game 1"
PARTIAL = "seen 1"
REPORT = "report 1"
CUP = "cup 1"
"""The formats of exported files: a record, a `PartialExport`, a `Report`, a `CupRecord`."""
NOT_WHOLE = {
    CUP: "This is the file of a cup, not the record of a game.",
    REPORT: "This is a report of a problem, not the record of a game.",
    PARTIAL: "This is what one person may know of a game that is not over. It can be checked"
    " when the game has ended and is exported again.",
}
"""The formats that cannot be imported, and why."""
UNTIMED = datetime(1970, 1, 1, tzinfo=UTC)
"""The time of an entry whose file gives none."""
NOT_JSON = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class RecordError(Exception):
    """The record does not fit the rules. `seq` is the entry, or -1 for the record as a whole."""

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(f"entry {seq}: {reason}" if seq >= 0 else reason)
        self.seq = seq


class Record(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="format", tag=WHOLE):
    """A game from its set-up on. `seats` are the players' names.

    `key_hash` and `key` are in hex. Key and result are set once the game is over; an abandoned
    game has no result.
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
        # Leaves out the key, which is secret, and hundreds of lines.
        title = f"{self.game}, rules version {self.version}"
        return f"<Record: {title}, {len(self.seats)} seats, {len(self.entries)} entries>"


class _Head(msgspec.Struct):
    format: str = WHOLE


def encode(record: Record) -> bytes:
    """Return the record as JSON, with one line for each entry."""
    text = msgspec.json.encode(record)
    return text.replace(b'[{"seat":', b'[\n{"seat":', 1).replace(b',{"seat":', b',\n{"seat":')


def format_of(data: bytes) -> str:
    """Return the format of a file, or "" if it cannot be read."""
    try:
        return msgspec.json.decode(data, type=_Head).format
    except NOT_JSON:
        return ""


def decode(data: bytes) -> Record:
    """Decode the output of `encode`. Raise RecordError."""
    try:
        format_ = msgspec.json.decode(data, type=_Head).format
        if format_ == WHOLE:
            return msgspec.json.decode(data, type=Record)
    except NOT_JSON as error:
        raise RecordError(-1, f"This is not the record of a game: {error}") from error
    other = f"Its format is {format_!r}, and this program reads {WHOLE!r}: try a newer one."
    raise RecordError(-1, NOT_WHOLE.get(format_, other))


def rules_for(games: Games, name: str, version: int) -> AnyGame:
    """Return the rules for a record of this title and version. Raise RecordError."""
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
    """Replay every entry and yield it with the state after it. Raise RecordError.

    The state changes in place: encode it to keep a copy. `chance_of` returns the chance for an
    entry, given its number and the number of draws before it; the default is the recorded draws.
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
    targets = _undo_targets(record)
    saved: dict[int, tuple[bytes, int]] = {}
    in_effect: list[int] = []
    public: set[int] = set()
    now: ToAct = frozenset()
    for seq, line in enumerate(record.entries):
        chance = chance_of(seq, draws) if chance_of else RecordedChance(line.drawn)
        try:
            back_to = undone_to(line.action)
            if back_to is None:
                state, events = _apply_entry(game, record, seq, state, chance)
                in_effect.append(seq)
            else:
                end = bisect_right(in_effect, back_to)
                if not 0 <= back_to < seq:
                    raise ValueError("there is no such entry before it")
                if in_effect[end - 1 : end] != [back_to]:
                    raise ValueError("that entry has been undone itself")
                blob, draws = saved[back_to]
                state = game.decode(blob)
                events = [Undone(seat=line.seat, count=len(public.intersection(in_effect[end:])))]
                del in_effect[end:]
            chance.finish()
        except IllegalAction as error:
            raise _entry_error(
                seq, line, f"{error.refusal.code} ({error.refusal.topic})"
            ) from error
        except (ChanceMismatch, ValueError, LookupError) as error:
            raise _entry_error(seq, line, str(error)) from error
        draws += len(line.drawn)
        before, now = now, to_act(game.pending(state))
        entry = Entry(
            line.seat,
            line.action,
            line.drawn,
            tuple(chance.asked),
            at=line.at or UNTIMED,
            seq=seq,
            back_to=back_to,
        )
        entry = completed(game, entry, state, events, before, now)
        if entry.is_public:
            public.add(seq)
        if seq in targets:
            saved[seq] = game.encode(state), draws
        yield entry, state


def played(
    game: AnyGame,
    seats: Sequence[str],
    options: Mapping[str, str],
    key: bytes,
    moves: Iterable[tuple[Seat, str]],
) -> Record:
    """Play the moves of a game with this key and return its record. Raise IllegalAction."""
    chance = KeyedChance(key)
    state = game.setup(len(seats), options, chance)
    entries = [RecordedEntry(NO_SEAT, SETUP, tuple(chance.drawn))]
    for seat, line in moves:
        before = len(chance.drawn)
        game.apply(state, seat, parse_action(line), chance)
        entries.append(RecordedEntry(seat, line, tuple(chance.drawn[before:])))
    return Record(
        game=game.name,
        version=game.version,
        options=options,
        seats=tuple(seats),
        entries=tuple(entries),
        key_hash=commitment(key),
        key=key.hex(),
    )


def until(record: Record, seq: int) -> Record:
    """Return the record up to entry `seq` only, without undone entries, `TABLE_EVENTS` and times.

    `seq` must be in effect. The part can be verified and imported like any other game.
    """
    lines = record.entries[: seq + 1]
    keys = [imported_key(each.action) for each in record.entries]
    # An import counts even if it was undone: earlier draws used its key.
    kept = {*entries_in_effect(undone_to(each.action) for each in lines)}
    kept = {number for number in kept if lines[number].action not in TABLE_EVENTS}
    kept |= {number for number in range(len(lines)) if keys[number] is not None}
    key = next((each.hex() for each in keys[seq + 1 :] if each is not None), record.key)
    return replace(
        record,
        entries=tuple(replace(lines[each], at=None) for each in sorted(kept)),
        key=key,
        key_hash=commitment(bytes.fromhex(key)),
        result=None,
    )


def verify(game: AnyGame, record: Record) -> Outcome | None:
    """Check the key against the posted hash, every draw against the key, and the result.

    Return the outcome, or None for an abandoned game. Raise RecordError.
    """
    if not record.key:
        raise RecordError(-1, "The record has no key: the game is not over yet.")
    try:
        key = bytes.fromhex(record.key)
    except ValueError as error:
        raise RecordError(-1, "The key is not in hexadecimal digits.") from error
    if len(key) != KEY_BYTES or commitment(key) != record.key_hash:
        raise RecordError(-1, "The key is not the one whose hash was posted at the start.")
    # An entry's draws use the key of the next import, or else the table's own.
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
        stated, true = getattr(record.result, name), getattr(outcome, name)
        if stated != true:
            raise RecordError(-1, f"The result has {name} {stated!r}; by the rules it is {true!r}.")
    return outcome


def key_hashes(record: Record) -> tuple[str, ...]:
    """Return the hashes of all keys the draws used, in the order in which they were posted."""
    earlier = (imported_key(entry.action) for entry in record.entries)
    return (*(commitment(key) for key in earlier if key is not None), record.key_hash)


def _apply_entry(
    game: AnyGame, record: Record, seq: int, state: Any, chance: RecordedChance
) -> tuple[Any, Sequence[Event]]:
    entry, seats = record.entries[seq], len(record.seats)
    if seq == 0:
        kind, *order = entry.action.split()
        if kind != SETUP:
            raise ValueError(f"a record starts with {SETUP!r}, not with {entry.action!r}")
        if order and tuple(map(int, order)) != shuffle(seats, chance):
            raise ValueError("the seats were drawn in another order")
        return game.setup(seats, record.options, chance), []
    has_no_seat = entry.seat == NO_SEAT and (
        entry.action in TABLE_EVENTS or imported_key(entry.action) is not None
    )
    if not (0 <= entry.seat < seats or has_no_seat):
        raise ValueError("there is no such seat")
    return state, apply(game, state, entry.seat, entry.action, chance)


def _undo_targets(record: Record) -> set[int | None]:
    """Return the entries that undo lines go back to."""
    targets: set[int | None] = set()
    for line in record.entries:
        with suppress(ValueError):
            targets.add(undone_to(line.action))
    return targets


def _entry_error(seq: int, entry: RecordedEntry, reason: str) -> RecordError:
    return RecordError(seq, f"{entry.action!r} by seat {entry.seat}: {reason}")
