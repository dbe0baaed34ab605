"""A game as its log: written as JSON, folded back into states and events, and checked.

A record holds the secrets of its game. Entry 0 is the set-up: ``setup``, or ``setup 2 0 1``
where the seats were shuffled first (seat 0 went to who had come third, and so on). A line that
starts with ``@`` is a matter of the table, not of the game: ``@resign`` hands a seat over to
a computer player (see `MATTERS` for all that change nothing of the game), ``@undo 12`` goes back
to how things stood after entry 12, and what is drawn after it is drawn as if nothing had been
taken back. ``@import`` and a key in hex says that the
game was brought here in a file: all draws before came from that key, and come from the table's
own one after it. All other lines are actions as
`bot.game.contract.canonical` writes them.
docs/record.md tells other programs how to read and to check one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from bot.game.chance import Asked, ChanceMismatch, CheckedChance, RecordedChance, commitment
from bot.game.contract import (
    AnyGame,
    Chance,
    Event,
    IllegalAction,
    Outcome,
    Seat,
    parse_action,
)
from bot.game.versions import Games
from bot.tables.core.table_lines import (
    KEY_BYTES,
    MATTERS,
    NOBODY,
    SETUP,
    Awaited,
    Imported,
    awaited,
    imported_key,
    is_noticed,
    undone,
    undone_to,
)

WHOLE = "game 1"
PARTIAL = "seen 1"
REPORT = "report 1"
"""The formats of the files that tables write: a record, a `PartialExport`, a `Report`."""
NOT_WHOLE = (PARTIAL, REPORT)
"""The formats from which no game can go on."""


class RecordError(Exception):
    """A record that does not fit the rules; `seq` is the entry, -1 for the whole."""

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(f"entry {seq}: {reason}" if seq >= 0 else reason)
        self.seq = seq


class Entry(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Who did what, what was drawn, and when. `seat` is -1 for the set-up.

    `asked` has what each outcome in `drawn` was drawn from; a record may leave it out.
    """

    seat: int
    action: str
    drawn: tuple[int, ...] = ()
    asked: tuple[Asked, ...] = ()
    at: datetime | None = None


class Record(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="format", tag=WHOLE):
    """A game from its set-up on. `seats` are the players' names.

    `key_hash` and `key` are in hex. Key and result are there only when the game is over; one
    that was given up has no result.
    """

    game: str
    version: int
    options: Mapping[str, str]
    seats: tuple[str, ...]
    entries: tuple[Entry, ...]
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
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""


def decode(data: bytes) -> Record:
    """The record that `encode` wrote. Raises RecordError."""
    try:
        found = msgspec.json.decode(data, type=_Head).format
        if found == REPORT:
            raise RecordError(-1, "This is a report of a problem, not the record of a game.")
        if found == PARTIAL:
            raise RecordError(
                -1,
                "This is what one person may know of a game that is not over. It can be checked"
                " when the game has ended and is exported again.",
            )
        if found != WHOLE:
            raise RecordError(
                -1, f"Its format is {found!r}, and this program reads {WHOLE!r}: try a newer one."
            )
        return msgspec.json.decode(data, type=Record)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError(-1, f"This is not the record of a game: {error}") from error


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


def shuffle(seats: int, chance: Chance) -> tuple[int, ...]:
    """The order of coming for each seat, drawn one by one."""
    left = list(range(seats))
    order = [left.pop(chance.draw("seat", [1] * len(left))) for _ in range(seats - 1)]
    return (*order, *left)


def set_up(game: AnyGame, options: Mapping[str, str], line: str, seats: int, chance: Chance) -> Any:
    """The state after a set-up entry. Raises ValueError where the line is no set-up."""
    kind, *order = line.split()
    if kind != SETUP:
        raise ValueError(f"A record starts with {SETUP!r}, not with {line!r}")
    if order and tuple(map(int, order)) != shuffle(seats, chance):
        raise ValueError("the seats were drawn in another order")
    return game.setup(seats, options, chance)


def apply(game: AnyGame, state: Any, seat: Seat, line: str, chance: Chance) -> list[Event]:
    """Carries out an entry other than the set-up on `state`, in place. Raises IllegalAction."""
    if imported_key(line) is not None:
        return [Imported()]
    if line in MATTERS:
        return [MATTERS[line](seat=seat)]
    return game.apply(state, seat, parse_action(line), chance)


class Folded(NamedTuple):
    """An entry carried out: with what was `asked`, the state after it, and its events.

    It is `noticed` where all noticed that something was done (`table_lines.is_noticed`).
    """

    entry: Entry
    state: Any
    events: list[Event]
    noticed: bool


def fold(game: AnyGame, record: Record) -> Iterator[Folded]:
    """Carries every entry out, as the draws were recorded.

    It is one state that changes in place: encode it to keep it. Raises RecordError.
    """
    return _fold(game, record, lambda seq, _: RecordedChance(record.entries[seq].drawn))


def verify(game: AnyGame, record: Record) -> Outcome | None:
    """Checks that the key has the posted hash, that every draw is the key's, and the result the
    rules'.

    Returns the outcome, None for a game that was given up. Raises RecordError.
    """
    if not record.key:
        raise RecordError(-1, "The record has no key: the game is not over yet.")
    keys = _keys(record)
    state: Any = None
    checked = _fold(
        game,
        record,
        lambda seq, before: CheckedChance(record.entries[seq].drawn, keys[seq], before),
    )
    for seq, folded in enumerate(checked):
        state = folded.state
        said, asked = record.entries[seq].asked, folded.entry.asked
        if said and said != asked:
            raise RecordError(seq, f"it says that it drew from {said}, not from {asked}")
    outcome = game.outcome(state)
    _check_result(record, outcome)
    return outcome


def prints(record: Record) -> tuple[str, ...]:
    """The hashes of the keys behind the draws, in the order in which they were posted."""
    earlier = (imported_key(entry.action) for entry in record.entries)
    return (*(commitment(key) for key in earlier if key is not None), record.key_hash)


def _fold(
    game: AnyGame, record: Record, chance_of: Callable[[int, int], RecordedChance]
) -> Iterator[Folded]:
    # `chance_of` gets the number of the entry, and how many draws there were before.
    _check_title(game, record)
    state: Any = None
    draws = 0
    marks = _marks(record)
    stand: list[int] = []
    noticed: set[int] = set()
    asked: Awaited = frozenset()
    for seq, entry in enumerate(record.entries):
        chance = chance_of(seq, draws)
        try:
            to = undone_to(entry.action)
            if to is None:
                state, events = _carry_out(game, record, seq, state, chance)
                stand.append(seq)
            else:
                keep = bisect_right(stand, to)
                if stand[keep - 1 : keep] != [to]:
                    raise ValueError("that entry has been taken back itself")
                blob, draws = marks[to]
                state = game.decode(blob)
                events = [undone(entry.seat, len(noticed.intersection(stand[keep:])))]
                del stand[keep:]
            chance.finish()
        except IllegalAction as error:
            reason = f"{error.refusal.code} ({error.refusal.topic})"
            raise _misfit(seq, entry, reason) from error
        except (ChanceMismatch, ValueError, LookupError) as error:
            raise _misfit(seq, entry, str(error)) from error
        draws += len(entry.drawn)
        was, asked = asked, awaited(game.pending(state))
        is_seen = is_noticed(events, was, asked)
        if is_seen:
            noticed.add(seq)
        if seq in marks:
            marks[seq] = game.encode(state), draws
        yield Folded(replace(entry, asked=tuple(chance.asked)), state, events, is_seen)


def _carry_out(
    game: AnyGame, record: Record, seq: int, state: Any, chance: Chance
) -> tuple[Any, list[Event]]:
    entry, seats = record.entries[seq], len(record.seats)
    if seq == 0:
        return set_up(game, record.options, entry.action, seats, chance), []
    of_nobody = entry.seat == NOBODY and (
        entry.action in MATTERS or imported_key(entry.action) is not None
    )
    if not (0 <= entry.seat < seats or of_nobody):
        raise ValueError("there is no such seat")
    return state, apply(game, state, entry.seat, entry.action, chance)


def _marks(record: Record) -> dict[int, tuple[bytes, int]]:
    # The entries that are gone back to: to be filled with the state and the draws after them.
    marks: dict[int, tuple[bytes, int]] = {}
    for seq, entry in enumerate(record.entries):
        try:
            to = undone_to(entry.action)
        except ValueError as error:
            raise _misfit(seq, entry, "it does not say to which entry") from error
        if to is not None:
            if not 0 <= to < seq:
                raise _misfit(seq, entry, "there is no such entry before it")
            marks[to] = b"", 0
    return marks


def _misfit(seq: int, entry: Entry, reason: str) -> RecordError:
    return RecordError(seq, f"{entry.action!r} by seat {entry.seat}: {reason}")


def _keys(record: Record) -> list[bytes]:
    # The key behind the draws of each entry: that of the next import, else the table's own.
    key = _key(record)
    keys: list[bytes] = []
    for seq, entry in reversed(list(enumerate(record.entries))):
        try:
            key = imported_key(entry.action) or key
        except ValueError as error:
            raise _misfit(seq, entry, "it names no key") from error
        keys.append(key)
    return keys[::-1]


def _key(record: Record) -> bytes:
    try:
        key = bytes.fromhex(record.key)
    except ValueError as error:
        raise RecordError(-1, "The key is not in hexadecimal digits.") from error
    if len(key) != KEY_BYTES or commitment(key) != record.key_hash:
        raise RecordError(-1, "The key is not the one whose hash was posted at the start.")
    return key


def _check_result(record: Record, outcome: Outcome | None) -> None:
    if record.result is None:
        return
    if outcome is None:
        raise RecordError(-1, "The record has a result, and by the rules its game is not over.")
    for name in Outcome.__struct_fields__:
        said, true = getattr(record.result, name), getattr(outcome, name)
        if said != true:
            raise RecordError(-1, f"The result has {name} {said!r}; by the rules it is {true!r}.")


def _check_title(game: AnyGame, record: Record) -> None:
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
