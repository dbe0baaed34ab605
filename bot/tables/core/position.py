"""Where a game stands in memory, and how it goes from one log entry to the next.

A position never changes: an action is tried on a copy of the state, and the new position takes
the old one's place only after the commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec.structs import replace

from bot.game.chance import KeyedChance, RecordedChance
from bot.game.contract import ANSWER, Action, Decision, Event, Outcome, Seat, canonical
from bot.game.game import AnyGame
from bot.game.log import Entry
from bot.store import SnapshotRow, Status
from bot.tables.core import log
from bot.tables.core.log import NO_SEAT, ToAct
from bot.tables.core.model import Table

RECENT = 24
"""How many of the last log entries are kept in memory."""


class Position(msgspec.Struct, frozen=True):
    """The state after log entry `seq`. `draws` counts the outcomes so far, `blob` encodes it.

    `recent` are the last entries. `acted` is whose action stands as the last that all noticed, and
    `acted_before` whose as the one before that; nobody's where it is not known.
    """

    seq: int
    draws: int
    state: Any
    blob: bytes
    pending: tuple[Decision, ...]
    outcome: Outcome | None
    recent: tuple[Entry, ...] = ()
    acted: Seat = NO_SEAT
    acted_before: Seat = NO_SEAT

    @property
    def entry(self) -> Entry:
        """The entry that led here. There is none in memory where it was read from a snapshot."""
        return self.recent[-1]

    def to_act(self) -> ToAct:
        """Whom everybody waits for, and what for."""
        return log.to_act(self.pending)

    def since(self, first: int) -> tuple[Entry, ...] | None:
        """What happened from entry `first` on; None where memory does not reach back."""
        if first > self.seq:
            return ()
        if not self.recent or self.recent[0].seq > first:
            return None
        return tuple(each for each in self.recent if each.seq >= first)

    def with_events(self, more: Iterable[Event]) -> Position:
        """Its entry has further events, which come from the table and not from its game."""
        entry = replace(self.entry, events=(*self.entry.events, *more))
        return replace(self, recent=(*self.recent[:-1], entry))


def begin(
    game: AnyGame, table: Table, key: bytes, at: datetime
) -> tuple[Position, tuple[int, ...]]:
    """The position after the set-up, and the order of coming by seat."""
    chance = KeyedChance(key)
    order = log.shuffle(len(table.players), chance)
    state = game.setup(len(table.players), table.options, chance)
    line = canonical((log.SETUP, *map(str, order)))
    return _after(game, None, state, NO_SEAT, line, chance.drawn, [], at), order


def act(
    game: AnyGame, now: Position, key: bytes, seat: Seat, action: Action, at: datetime
) -> Position:
    """The position after an action of the game. Raises IllegalAction."""
    state, chance = game.decode(now.blob), KeyedChance(key, now.draws)
    # Not by way of its line: only the game may judge words that came from outside.
    events = game.apply(state, seat, action, chance)
    return _after(game, now, state, seat, canonical(action), chance.drawn, events, at)


def enter(
    game: AnyGame, now: Position, seat: Seat, line: str, at: datetime, drawn: Sequence[int] = ()
) -> Position:
    """The position after a line of the log that is no undo.

    Raises IllegalAction, ChanceMismatch, ValueError or LookupError where it does not fit.
    """
    state, chance = game.decode(now.blob), RecordedChance(drawn)
    events = log.apply(game, state, seat, line, chance)
    chance.finish()
    return _after(game, now, state, seat, line, drawn, events, at)


def undo(now: Position, before: Position, seat: Seat, count: int, at: datetime) -> Position:
    """Back to how things stood `before`; `count` actions that all noticed no longer stand.

    What was drawn since will be drawn again.
    """
    line, events = f"{log.UNDO} {before.seq}", (log.Undone(seat=seat, count=count),)
    seq, round_ = now.seq + 1, before.entry.round
    entry = Entry(seat, line, at=at, seq=seq, events=events, round=round_, back_to=before.seq)
    return replace(before, seq=seq, recent=(*now.recent[-RECENT + 1 :], entry))


def at_entry(game: AnyGame, seq: int, draws: int, state: Any, blob: bytes) -> Position:
    """The position of a state that has been decoded."""
    return Position(seq, draws, state, blob, game.pending(state), game.outcome(state))


def has_computer_turn(table: Table, pending: Iterable[Decision]) -> bool:
    """Whether a computer player is to act, or a person's standing orders may."""
    return table.status is Status.PLAYING and any(
        not table.players[decision.seat].is_human or table.players[decision.seat].orders
        for decision in pending
        if not decision.optional or decision.kind == ANSWER
    )


def snapshot(table: Table, now: Position) -> SnapshotRow:
    """The position as it is stored."""
    return SnapshotRow(
        table=table.id,
        seq=now.seq,
        version=table.version,
        draws=now.draws,
        due=has_computer_turn(table, now.pending),
        hash=fingerprint(table, now),
        blob=now.blob,
    )


def fingerprint(table: Table, now: Position | SnapshotRow) -> bytes:
    """The hash that vouches for a position, or its snapshot, and its place."""
    place = f"{table.id}:{now.seq}:{table.version}:{now.draws}:".encode()
    return blake2b(place + now.blob, digest_size=16).digest()


def _after(
    game: AnyGame,
    before: Position | None,
    state: Any,
    seat: Seat,
    line: str,
    drawn: Sequence[int],
    events: Iterable[Event],
    at: datetime,
) -> Position:
    seq, draws, recent = (before.seq + 1, before.draws, before.recent) if before else (0, 0, ())
    was = before.to_act() if before else frozenset()
    now = at_entry(game, seq, draws + len(drawn), state, game.encode(state))
    entry = Entry(seat, line, tuple(drawn), at=at, seq=seq)
    entry = log.carried_out(game, entry, state, events, was, now.to_act())
    if before is None:
        acted, acted_before = seat, NO_SEAT
    elif entry.is_public:
        acted, acted_before = seat, before.acted
    else:
        acted, acted_before = before.acted, before.acted_before
    recent = (*recent[-RECENT + 1 :], entry)
    return replace(now, recent=recent, acted=acted, acted_before=acted_before)
