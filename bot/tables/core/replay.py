"""Replays of stored logs: a whole log, or its new entries on top of an older copy."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from bot.game.chance import ChanceMismatch
from bot.game.contract import IllegalAction
from bot.game.game import AnyGame
from bot.game.log import Entry, RecordedEntry
from bot.store import EntryRow, Promise, StoredTable
from bot.tables.core import errors, position, promises
from bot.tables.core.log import NO_SEAT, actor, entries_in_effect, imported_key, undone_to
from bot.tables.core.model import Table
from bot.tables.core.position import RECENT, Position
from bot.tables.core.record import Record, RecordError, fold
from bot.workers import TimeSlice, in_thread

logger = logging.getLogger(__name__)


class Replayed(msgspec.Struct, frozen=True):
    """A replayed log: its `entries`, and the game's encoded state after each."""

    game: AnyGame
    entries: Sequence[Entry]
    blobs: Sequence[bytes]

    def in_effect(self) -> list[int]:
        """Return the numbers of the entries that have not been undone."""
        return entries_in_effect(each.back_to for each in self.entries)

    def position(self, seq: int) -> Position:
        """Return the position after log entry `seq`."""
        entries, blob = self.entries[: seq + 1], self.blobs[seq]
        # Undone draws do not count: they are drawn again.
        in_effect = entries_in_effect(each.back_to for each in entries)
        draws = sum(len(entries[each].drawn) for each in in_effect)
        shown = [entries[n] for n in in_effect if entries[n].is_public]
        public = [NO_SEAT, NO_SEAT, *(actor(each.seat, each.action) for each in shown)]
        now = position.at_entry(self.game, seq, draws, self.game.decode(blob), blob)
        *_, before, acted = public
        return replace(now, recent=tuple(entries[-RECENT:]), acted=acted, acted_before=before)

    def end(self) -> Position:
        """Return the position at the end of the log."""
        return self.position(len(self.entries) - 1)


async def replay(
    game: AnyGame, table: Table, rows: Sequence[EntryRow], promised: Sequence[Promise] = ()
) -> Replayed:
    """Replay a whole log. Raise TableDamaged if it does not fit the rules."""
    entries: list[Entry] = []
    blobs: list[bytes] = []
    time_slice = TimeSlice()
    try:
        for entry, state in fold(game, await in_thread(record_of, table, rows)):
            more = promises.events(promised, entry.seq, entry.seat)
            entries.append(replace(entry, events=(*entry.events, *more)))
            blobs.append(game.encode(state))
            await time_slice.take()
    except RecordError as error:
        # Not the action itself, which may be secret.
        cause = type(error.__cause__).__name__
        logger.error(
            "log does not match the rules table=%d seq=%d error=%s", table.id, error.seq, cause
        )
        raise errors.TableDamaged("table_damaged", table=table.id, seq=max(error.seq, 0)) from error
    return Replayed(game, entries, blobs)


def record_of(table: Table, log: Sequence[EntryRow | Entry], key: bytes = b"") -> Record:
    """Return the log as a record. Raise TableDamaged if an entry is missing."""
    lines = list[RecordedEntry]()
    for seq, each in enumerate(log):
        if each.seq != seq:
            raise errors.TableDamaged("table_damaged", table=table.id, seq=seq)
        asked = each.asked if isinstance(each, Entry) else ()
        lines.append(RecordedEntry(each.seat, each.action, tuple(each.drawn), asked, each.at))
    return Record(
        game=table.game,
        version=table.version,
        options=table.options,
        seats=table.names,
        entries=tuple(lines),
        key_hash=table.key_hash,
        key=key.hex(),
    )


def from_snapshot(game: AnyGame, table: Table, stored: StoredTable) -> Position | None:
    """Return the position of the table's snapshot, or None if it is missing, old or damaged."""
    snapshot = stored.snapshot
    if snapshot is None or (snapshot.seq, snapshot.version) != (stored.last_seq, table.version):
        return None
    if position.fingerprint(table, snapshot) != snapshot.hash:
        return None
    try:
        state = game.decode(snapshot.blob)
    except (msgspec.MsgspecError, ValueError):
        # Another version of the program may have written it with a different layout.
        return None
    return position.at_entry(game, snapshot.seq, snapshot.draws, state, snapshot.blob)


async def with_recent(
    game: AnyGame,
    before: Position,
    end: Position,
    rows: Sequence[EntryRow],
    promised: Sequence[Promise],
) -> Position:
    """Return the position `end`, read from a snapshot, with the recent entries it lacks.

    They come from `before`, an older copy, and from the `rows` since then, which saves a replay of
    the whole log. Return `end` unchanged if these rows do not lead to it, as after an undo.
    """
    if [row.seq for row in rows] != list(range(before.seq + 1, end.seq + 1)):
        return end
    now, time_slice = before, TimeSlice()
    for row in rows:
        try:
            if undone_to(row.action) is not None or imported_key(row.action) is not None:
                return end
            now = position.enter(game, now, row.seat, row.action, row.at, row.drawn)
        except (IllegalAction, ChanceMismatch, ValueError, LookupError):
            return end
        now = now.with_events(promises.events(promised, row.seq, row.seat))
        await time_slice.take()
    if now.blob != end.blob:
        return end
    return replace(end, recent=now.recent, acted=now.acted, acted_before=now.acted_before)
