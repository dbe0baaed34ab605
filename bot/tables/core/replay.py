"""A stored log carried out again: the whole of it, or what is new since an older copy."""

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
from bot.tables.core.log import NO_SEAT, imported_key, standing, undone_to
from bot.tables.core.model import Table
from bot.tables.core.position import RECENT, Position
from bot.tables.core.record import Record, RecordError, fold
from bot.workers import TimeSlice, in_thread

logger = logging.getLogger(__name__)


class Replayed(msgspec.Struct, frozen=True):
    """A log carried out: its `entries`, and the states after them as the game encodes them."""

    game: AnyGame
    entries: Sequence[Entry]
    blobs: Sequence[bytes]

    def standing(self) -> list[int]:
        """The numbers of the entries that have not been taken back."""
        return standing(each.back_to for each in self.entries)

    def position(self, seq: int) -> Position:
        """How things stood after log entry `seq`."""
        entries, blob = self.entries[: seq + 1], self.blobs[seq]
        # What was taken back is drawn again.
        stand = standing(each.back_to for each in entries)
        draws = sum(len(entries[each].drawn) for each in stand)
        is_public = [NO_SEAT, NO_SEAT, *(entries[n].seat for n in stand if entries[n].is_public)]
        now = position.at_entry(self.game, seq, draws, self.game.decode(blob), blob)
        *_, before, acted = is_public
        return replace(now, recent=tuple(entries[-RECENT:]), acted=acted, acted_before=before)

    def end(self) -> Position:
        """How things stand at the end of the log."""
        return self.position(len(self.entries) - 1)


async def replay(
    game: AnyGame, table: Table, rows: Sequence[EntryRow], promised: Sequence[Promise] = ()
) -> Replayed:
    """Carries a whole log out again. Raises TableDamaged."""
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
        # The action itself may be a secret.
        cause = type(error.__cause__).__name__
        logger.error(
            "log does not match the rules table=%d seq=%d error=%s", table.id, error.seq, cause
        )
        raise errors.TableDamaged("table_damaged", table=table.id, seq=max(error.seq, 0)) from error
    return Replayed(game, entries, blobs)


def record_of(table: Table, rows: Sequence[EntryRow], key: bytes = b"") -> Record:
    """The log as a record. Raises TableDamaged where an entry is missing."""
    for seq, row in enumerate(rows):
        if row.seq != seq:
            raise errors.TableDamaged("table_damaged", table=table.id, seq=seq)
    return Record(
        game=table.game,
        version=table.version,
        options=table.options,
        seats=table.names,
        entries=tuple(RecordedEntry(r.seat, r.action, tuple(r.drawn), at=r.at) for r in rows),
        key_hash=table.key_hash,
        key=key.hex(),
    )


def from_snapshot(game: AnyGame, table: Table, stored: StoredTable) -> Position | None:
    """The position of a snapshot; None where it cannot be trusted."""
    found = stored.snapshot
    if found is None or (found.seq, found.version) != (stored.last_seq, table.version):
        return None
    if position.fingerprint(table, found) != found.hash:
        return None
    try:
        state = game.decode(found.blob)
    except (msgspec.MsgspecError, ValueError):
        # Written by a program that laid the state out in another way.
        return None
    return position.at_entry(game, found.seq, found.draws, state, found.blob)


async def caught_up(
    game: AnyGame,
    before: Position,
    end: Position,
    rows: Sequence[EntryRow],
    promised: Sequence[Promise],
) -> Position:
    """The `end`, which was read from a snapshot, with what happened up to it.

    `rows` are those since `before`, an older copy: who has one need not replay the whole log. Where
    they do not lead from there to the end, as after an undo, it is the end as it was read.
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
