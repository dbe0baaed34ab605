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

from bot.game.chance import KeyedChance
from bot.game.contract import ANSWER, Action, AnyGame, Decision, Event, Outcome, Seat, canonical
from bot.store import SnapshotRow
from bot.tables.core import record, table_lines
from bot.tables.core.model import Happened, Status, Table
from bot.tables.core.table_lines import NOBODY, Awaited

RECENT = 24
"""How many of the last log entries keep their events in memory."""


class Position(msgspec.Struct, frozen=True):
    """The state after log entry `seq`. `draws` counts the outcomes so far, `blob` encodes it.

    `acted` is whose action stands as the last that all noticed; nobody's where it is not known.
    """

    seq: int
    draws: int
    state: Any
    blob: bytes
    pending: tuple[Decision, ...]
    outcome: Outcome | None
    recent: tuple[Happened, ...] = ()
    acted: Seat = NOBODY

    def awaited(self) -> Awaited:
        """Whom everybody waits for, and what for."""
        return table_lines.awaited(self.pending)

    def since(self, first: int) -> tuple[Happened, ...] | None:
        """What happened from entry `first` on; None where memory does not reach back."""
        if first > self.seq:
            return ()
        if not self.recent or self.recent[0].seq > first:
            return None
        return tuple(each for each in self.recent if each.seq >= first)


class Step(msgspec.Struct, frozen=True):
    """A log entry to be: the position it leads to, its line, its draws, what happened."""

    position: Position
    line: str
    drawn: tuple[int, ...]
    happened: Happened


def begin(game: AnyGame, table: Table, key: bytes, at: datetime) -> tuple[Step, tuple[int, ...]]:
    """The step of the set-up, and the order of coming by seat."""
    chance = KeyedChance(key)
    order = record.shuffle(len(table.players), chance)
    state = game.setup(len(table.players), table.options, chance)
    return _step(game, None, state, NOBODY, table_lines.set_up_line(order), chance, [], at), order


def act(game: AnyGame, now: Position, key: bytes, seat: Seat, action: Action, at: datetime) -> Step:
    """The step of an action of the game. Raises IllegalAction."""
    state = game.decode(now.blob)
    chance = KeyedChance(key, now.draws)
    # Not by way of its line: only the game may judge words that came from outside.
    events = game.apply(state, seat, action, chance)
    return _step(game, now, state, seat, canonical(action), chance, events, at)


def with_events(step: Step, more: tuple[Event, ...]) -> Step:
    """The step with further events, which come from the table and not from its game."""
    if not more:
        return step
    happened = replace(step.happened, events=(*step.happened.events, *more))
    recent = (*step.position.recent[:-1], happened)
    return replace(step, happened=happened, position=replace(step.position, recent=recent))


def matter(game: AnyGame, now: Position, key: bytes, seat: Seat, line: str, at: datetime) -> Step:
    """The step of one of `table_lines.MATTERS`, which are the table's own."""
    chance = KeyedChance(key, now.draws)
    events = record.apply(game, now.state, seat, line, chance)
    return _step(game, now, now.state, seat, line, chance, events, at)


def undo(now: Position, before: Position, seat: Seat, count: int, at: datetime) -> Step:
    """The step back to how things stood `before`; `count` actions that all noticed no longer stand.

    What was drawn since will be drawn again.
    """
    events = (table_lines.undone(seat, count),)
    round_, kind = before.recent[-1].round, table_lines.UNDO
    happened = Happened(now.seq + 1, at, seat, events, round_, before.seq, kind=kind)
    after = replace(before, seq=happened.seq, recent=(*now.recent[-RECENT + 1 :], happened))
    return Step(after, table_lines.undo_line(before.seq), (), happened)


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
        hash=print_of(table, now),
        blob=now.blob,
    )


def print_of(table: Table, now: Position) -> bytes:
    """The hash of a position."""
    return fingerprint(table.id, now.seq, table.version, now.draws, now.blob)


def fingerprint(table: int, seq: int, version: int, draws: int, blob: bytes) -> bytes:
    """The hash that vouches for a snapshot and its place."""
    place = f"{table}:{seq}:{version}:{draws}:".encode()
    return blake2b(place + blob, digest_size=16).digest()


def _step(
    game: AnyGame,
    before: Position | None,
    state: Any,
    seat: Seat,
    line: str,
    chance: KeyedChance,
    events: Sequence[Event],
    at: datetime,
) -> Step:
    seq, draws, recent = (before.seq + 1, before.draws, before.recent) if before else (0, 0, ())
    pending = game.pending(state)
    was = before.awaited() if before else frozenset()
    noticed = table_lines.is_noticed(events, was, table_lines.awaited(pending))
    round_, kind = game.round(state), table_lines.kind_of(line)
    happened = Happened(seq, at, seat, tuple(events), round_, noticed=noticed, kind=kind)
    position = Position(
        seq=seq,
        draws=draws + len(chance.drawn),
        state=state,
        blob=game.encode(state),
        pending=pending,
        outcome=game.outcome(state),
        recent=(*recent[-RECENT + 1 :], happened),
        acted=seat if noticed or before is None else before.acted,
    )
    return Step(position, line, tuple(chance.drawn), happened)
