"""Games imported from files: a finished game can be replayed, any other continues.

Files are not trusted: the game is replayed, every draw is checked against the file's key, and the
game is stored in one transaction only if all of it fits. Anyone with the file can know its key and
all its secrets, so a game that continues draws from a new key, whose hash is posted.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from bot.game.chance import commitment
from bot.game.contract import Seat, canonical, parse_action
from bot.game.game import AnyGame
from bot.store import WHOLE_TABLE, EntryRow, OutboxKind, Player, Status
from bot.tables.core import (
    NO_SEAT,
    SUBSTITUTE,
    LoadedTable,
    Record,
    RecordError,
    Table,
    TableChange,
    UnitOfWork,
    errors,
    from_store,
    log,
    record,
    seating,
)
from bot.tables.core.replay import replay
from bot.workers import TimeSlice, in_thread

MAX_BYTES = 2 * 1024 * 1024
MAX_ENTRIES = 10_000
"""Entries in a file. A long game has about a thousand, in 200 KB."""
MAX_PARTS = 400_000
"""Values in all entries of a file, estimated by their commas."""
MAX_OTHER = 16 * 1024
"""Bytes of a file without its entries."""
MAX_ACTION = 10_000
"""Characters of an entry's action."""
MAX_NAME = 32
"""Characters of a display name on Discord."""
FIRST = datetime(2015, 1, 1, tzinfo=UTC)
"""The earliest possible time of an entry, the year Discord opened."""
LESSON = "lesson"
"""The kind of task that deletes the table of a lesson."""
LESSON_LIFETIME = timedelta(days=1)


class CheckedImport(NamedTuple):
    """A game from a file or a table whose log fits the rules and whose draws fit the key."""

    record: Record
    game: AnyGame
    options: Mapping[str, str]
    is_over: bool


class Imports:
    """Opens tables from files."""

    def __init__(self, unit_of_work: UnitOfWork, new_key: Callable[[], bytes]) -> None:
        self._unit_of_work = unit_of_work
        self._new_key = new_key
        # One at a time: a check may take a second.
        self._checking = asyncio.Lock()

    async def check(self, data: bytes) -> CheckedImport:
        """Verify the game in a file.

        Raise not_a_game, not_whole, unknown_game, unknown_option, other_rules or does_not_fit.
        """
        unit_of_work = self._unit_of_work
        imported = await in_thread(_read, data)
        newest = unit_of_work.newest_rules(imported.game)
        if imported.version not in unit_of_work.games.versions(imported.game):
            raise errors.Rejected("other_rules", version=imported.version, now=newest.version)
        game = unit_of_work.games.of(imported.game, imported.version)
        seating.check_options(game.options, imported.options)
        options = seating.options_of(game, imported.options)
        async with self._checking:
            try:
                outcome = await in_thread(record.verify, game, imported)
            except RecordError as error:
                raise errors.Rejected("does_not_fit", seq=error.seq) from error
        return CheckedImport(imported, game, options, is_over=outcome is not None)

    async def open(
        self,
        checked: CheckedImport,
        user: int,
        guild: int | None,
        channel: int,
        *,
        people: Mapping[Seat, tuple[int, str]] = MappingProxyType({}),
        policy: str = SUBSTITUTE,
        vacant: bool = True,
        lesson: str | None = None,
        source: int | None = None,
        delivery: str | None = None,
    ) -> Table:
        """Open an unrated table with a game from a file, or from another table.

        If the game is not over, `people` (user and name) have their seats. Computer players have
        the others. If these are `vacant`, the table is paused, and continues when the players who
        take them over agree to resume. A table with a `lesson` is for that lesson, and is deleted
        after `LESSON_LIFETIME`. `source` is the other table.
        """
        unit_of_work = self._unit_of_work
        imported, game, options, is_over = checked
        old_key, now = bytes.fromhex(imported.key), unit_of_work.clock.now()
        key = old_key if is_over else self._new_key()
        table_id = await from_store(unit_of_work.store.new_table_id())

        def player(seat: Seat, name: str) -> Player:
            if seat in people:
                user, name = people[seat]
                return Player(table_id, seat, name, user, None)
            return Player(table_id, seat, name, None, policy, vacant=vacant and not is_over)

        players = tuple(player(*each) for each in enumerate(imported.seats))
        is_paused = any(each.vacant for each in players)
        table = Table(
            id=table_id,
            game=game.name,
            version=game.version,
            status=Status.FINISHED if is_over else (Status.PAUSED if is_paused else Status.PLAYING),
            options=options,
            players=players,
            host=user,
            guild=guild,
            channel=channel,
            key_hash=commitment(key),
            created=now,
            # Do not post the imported events again, only the end of a finished game.
            posted_seq=len(imported.entries) - (2 if is_over else 1),
            lesson=lesson,
            unrated=True,
            source=source,
        )
        rows = await in_thread(_rows, table.id, imported, now)
        now_at = (await replay(game, table, rows)).end()

        async def work() -> Table:
            change = TableChange(unit_of_work, LoadedTable(table, key), is_new=True)
            change.after = LoadedTable(table, key, now_at)
            time_slice = TimeSlice()
            for row in rows:
                change.batch.insert(row)
                await time_slice.take()
            if is_over:
                kinds = (OutboxKind.BOARD, OutboxKind.END, OutboxKind.STORY, OutboxKind.FILM)
                for kind in kinds:
                    change.post(kind)
            else:
                change.note(table, NO_SEAT, user, log.import_line(old_key))
                for seat in people:
                    change.post(OutboxKind.HAND, seat)
            if lesson is not None:
                change.batch.schedule(table.id, WHOLE_TABLE, LESSON, now + LESSON_LIFETIME)
            await change.store(delivery)
            return table

        return await unit_of_work.run_idempotent(
            table.id, delivery, work, unit_of_work.opened_table
        )


class _Shape(msgspec.Struct):
    entries: msgspec.Raw = msgspec.Raw()


def _read(data: bytes) -> Record:
    if len(data) > MAX_BYTES:
        raise errors.Rejected("not_a_game")
    if record.format_of(data) in record.NOT_WHOLE:
        raise errors.Rejected("not_whole")
    try:
        # Count values without decoding them: a million would block the event loop.
        entries = bytes(msgspec.json.decode(data, type=_Shape).entries)
        if (
            len(data) - len(entries) > MAX_OTHER
            or entries.count(b"{") > MAX_ENTRIES
            or entries.count(b",") > MAX_PARTS
        ):
            raise RecordError(-1, "It is longer than any game.")
        imported = record.decode(data)
    except (RecordError, *record.NOT_JSON) as error:
        raise errors.Rejected("not_a_game") from error
    is_short = len(imported.entries) <= MAX_ENTRIES and all(map(_is_name, imported.seats))
    if not is_short or any(len(entry.action) > MAX_ACTION for entry in imported.entries):
        raise errors.Rejected("not_a_game")
    if not imported.key:
        raise errors.Rejected("not_whole")
    return imported


def _is_name(name: str) -> bool:
    controls = any(unicodedata.category(letter) in ("Cc", "Cs") for letter in name)
    return bool(name.strip()) and len(name) <= MAX_NAME and not controls


def _rows(table: int, imported: Record, now: datetime) -> list[EntryRow]:
    return [
        EntryRow(
            table,
            seq,
            entry.seat if seq else NO_SEAT,
            None,
            canonical(parse_action(entry.action)),
            entry.drawn,
            _time(entry.at, now),
        )
        for seq, entry in enumerate(imported.entries)
    ]


def _time(at: datetime | None, now: datetime) -> datetime:
    """Return an entry's time, or `now` if the file gives none that is possible."""
    is_possible = at is not None and at.tzinfo is not None and FIRST <= at <= now
    return at if at is not None and is_possible else now
