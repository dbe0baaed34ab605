"""The position of a game in memory, and its steps from one log entry to the next.

Positions are immutable. An action is tried on a copy of the state, and the new position replaces
the old one only after the commit.
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
"""Number of the last log entries in memory."""


class Position(msgspec.Struct, frozen=True):
    """The state after log entry `seq`. `draws` counts the draws so far; `blob` encodes the state.

    `recent` are the last entries. `acted` and `acted_before` are the seats of the last two public
    entries that have not been undone, or NO_SEAT if unknown.
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
        """The last entry. A position read from a snapshot has none in memory."""
        return self.recent[-1]

    def to_act(self) -> ToAct:
        """Return the seats with a decision they must make, and its kind."""
        return log.to_act(self.pending)

    def since(self, first: int) -> tuple[Entry, ...] | None:
        """Return the entries from `first` on, or None if memory does not reach back that far."""
        if first > self.seq:
            return ()
        if not self.recent or self.recent[0].seq > first:
            return None
        return tuple(each for each in self.recent if each.seq >= first)

    def with_events(self, more: Iterable[Event]) -> Position:
        """Return the position with more events in its entry, from the table and not its game."""
        entry = replace(self.entry, events=(*self.entry.events, *more))
        return replace(self, recent=(*self.recent[:-1], entry))


def begin(
    game: AnyGame, table: Table, key: bytes, at: datetime
) -> tuple[Position, tuple[int, ...]]:
    """Return the position after the set-up, and the players' order by seat: shuffled, except at the
    tables of cups, whose rounds share out the seats."""
    chance = KeyedChance(key)
    order = log.shuffle(len(table.players), chance) if table.cup is None else ()
    state = game.setup(len(table.players), table.options, chance)
    line = canonical((log.SETUP, *map(str, order)))
    seated = order or tuple(range(len(table.players)))
    return _after(game, None, state, NO_SEAT, line, chance.drawn, [], at), seated


def act(
    game: AnyGame, now: Position, key: bytes, seat: Seat, action: Action, at: datetime
) -> Position:
    """Return the position after an action of the game. Raise IllegalAction."""
    state, chance = game.decode(now.blob), KeyedChance(key, now.draws)
    # Not with `log.apply`: user input must never be read as a line of the table.
    events = game.apply(state, seat, action, chance)
    return _after(game, now, state, seat, canonical(action), chance.drawn, events, at)


def enter(
    game: AnyGame, now: Position, seat: Seat, line: str, at: datetime, drawn: Sequence[int] = ()
) -> Position:
    """Return the position after a log line, which must not be an undo.

    Raise IllegalAction, ChanceMismatch, ValueError or LookupError if it does not fit.
    """
    state, chance = game.decode(now.blob), RecordedChance(drawn)
    events = log.apply(game, state, seat, line, chance)
    chance.finish()
    return _after(game, now, state, seat, line, drawn, events, at)


def undo(now: Position, before: Position, seat: Seat, count: int, at: datetime) -> Position:
    """Return the position after going back to `before`, which undoes `count` public actions.

    Later draws are as if the undone ones had never happened.
    """
    line, events = f"{log.UNDO} {before.seq}", (log.Undone(seat=seat, count=count),)
    seq, round_ = now.seq + 1, before.entry.round
    entry = Entry(seat, line, at=at, seq=seq, events=events, round=round_, back_to=before.seq)
    return replace(before, seq=seq, recent=(*now.recent[-RECENT + 1 :], entry))


def at_entry(game: AnyGame, seq: int, draws: int, state: Any, blob: bytes) -> Position:
    return Position(seq, draws, state, blob, game.pending(state), game.outcome(state))


def has_computer_turn(table: Table, pending: Iterable[Decision]) -> bool:
    """Return whether a computer player is to act, or a person's standing orders may. In a lesson
    only its player acts."""
    return (
        table.status is Status.PLAYING
        and table.lesson is None
        and any(
            not table.players[decision.seat].is_human or table.players[decision.seat].orders
            for decision in pending
            if not decision.optional or decision.kind == ANSWER
        )
    )


def snapshot(table: Table, now: Position) -> SnapshotRow:
    """Return the position as a row to store."""
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
    """Return a hash that shows whether a position or snapshot is intact and belongs here."""
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
    entry = log.completed(game, entry, state, events, was, now.to_act())
    if before is None:
        acted, acted_before = seat, NO_SEAT
    elif entry.is_public:
        acted, acted_before = log.actor(seat, line), before.acted
    else:
        acted, acted_before = before.acted, before.acted_before
    recent = (*recent[-RECENT + 1 :], entry)
    return replace(now, recent=recent, acted=acted, acted_before=acted_before)
