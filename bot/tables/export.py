"""What is written to files: a game, a report of a problem, a person's own data.

What one observer may know of a game that is not over is put together from what that observer has
been told and shown: the events they heard, their own actions, their view. Nothing is taken out of a
record, so nothing can be forgotten in it.
"""

from __future__ import annotations

import asyncio
import platform
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from importlib import metadata
from random import Random, SystemRandom
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from bot.game.contract import SPECTATOR, Observer
from bot.game.game import AnyGame
from bot.game.log import Entry, RecordedEntry
from bot.store import Status, slices
from bot.tables.core import Record, RecordError, Table, UnitOfWork, errors, from_store, record_of
from bot.tables.core.record import PARTIAL, REPORT, encode, fold
from bot.tables.core.replay import replay
from bot.workers import TimeSlice, in_thread

MAX_BYTES = 7_000_000
"""Bytes of tables and moves in a person's file, which Discord takes; older tables are left out
then."""

LIBRARIES = ("kontor", "discord.py", "msgspec", "aiohttp", "Pillow")


class VisibleEvent(msgspec.Struct, frozen=True):
    """An event as somebody heard it, without who else did."""

    kind: str
    facts: Mapping[str, str | int | tuple[str | int, ...]]


class PartialEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was heard of one log entry; `action` is there where it is the observer's own.

    It has no number: a gap would tell of something done in secret. Its time is in whole seconds:
    how many milliseconds a computer player took may depend on its hand.
    """

    at: datetime
    action: str = ""
    events: tuple[VisibleEvent, ...] = ()


class PartialExport(msgspec.Struct, frozen=True, tag_field="format", tag=PARTIAL):
    """A game as `observer` knows it: a seat, or -1 for a spectator. `view` is its game's."""

    game: str
    version: int
    options: Mapping[str, str]
    seats: tuple[str, ...]
    key_hash: str
    observer: Observer
    lines: tuple[PartialEntry, ...]
    view: Any


class Report(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    tag_field="format",
    tag=REPORT,
    rename={"problem": "trouble"},
):
    """What anybody at the table could tell of it: no names, times, ids, keys or promises.

    `seats` says of each whether a person or which computer player is on it; `lines` are the
    events that spectators heard, entry by entry, but for entries of which they heard nothing.
    `state` is one that no spectator could tell from the real one. Of a game that is over, in
    which nothing is a secret any more, there is the whole `record` instead. `problem` says why
    the log cannot be read to its end; `refused`, which refusals the asker got here lately.
    """

    program: Mapping[str, str]
    game: str
    version: int
    options: Mapping[str, str]
    terms: Mapping[str, str]
    status: str
    seats: tuple[str, ...]
    refused: tuple[str, ...] = ()
    problem: str = ""
    lines: tuple[tuple[VisibleEvent, ...], ...] = ()
    state: bytes = b""
    record: Record | None = None


class ExportedGame(NamedTuple):
    """A game as a file. Unless it `is_whole`, it holds what one observer may know."""

    data: bytes
    is_whole: bool


class Exports:
    """Writes files. All methods raise StoreUnavailable, and UnknownTable of a table."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        # One at a time: threads that work for long leave the event loop no time, nor each other.
        self._reporting = asyncio.Lock()
        # It reads all logs: however many ask, one at a time keeps the database busy.
        self._reading = asyncio.Lock()

    async def game(self, table_id: int, observer: Observer) -> ExportedGame:
        """The whole game once it is over, if it was given up for its players alone; else what the
        observer may know.

        Of a game that cannot be read here, the log as it is stored or, before its end, the
        observer's own actions. Raises not_started.
        """
        cache = self._unit_of_work.cache

        async def work() -> ExportedGame:
            loaded = await cache.load(table_id)
            table = loaded.table
            rows = await from_store(self._unit_of_work.store.entries(table_id))
            entries: Sequence[Entry]
            if loaded.problem is not None:
                # Without its rules there are no events, view, draws or result.
                view = result = None
                entries = [
                    Entry(row.seat, row.action, tuple(row.drawn), at=row.at, seq=row.seq)
                    for row in rows
                ]
            else:
                now, game = loaded.position(), self._unit_of_work.rules(table)
                view, result = game.view(now.state, observer), now.outcome
                entries = (await replay(game, table, rows, loaded.promises)).entries
            if not table.reveals_secrets_to(observer):
                data = await in_thread(_partial, table, observer, entries, view)
                return ExportedGame(data, is_whole=False)
            whole = await in_thread(record_of, table, rows, loaded.key)
            lines = (RecordedEntry(e.seat, e.action, e.drawn, e.asked, e.at) for e in entries)
            whole = replace(whole, entries=tuple(lines), result=result)
            return ExportedGame(await in_thread(encode, whole), is_whole=True)

        # Alone, so that view and log are of the same moment.
        return await cache.run_locked(table_id, work)

    async def report(
        self, table_id: int, refused: Sequence[str] = (), *, rng: Random | None = None
    ) -> bytes:
        """A file that reproduces a problem without anyone's secrets, of a table in any state, even
        one whose log cannot be read.

        `rng` must be unpredictable, or the real state could be inferred from it.
        """
        async with self._reporting:
            loaded = await self._unit_of_work.cache.read(table_id)
            table = loaded.table
            rows = await from_store(self._unit_of_work.store.entries(table_id))
            known = Report(
                program=program(),
                game=table.game,
                version=table.version,
                options=table.options,
                terms=table.terms,
                status=table.status.value,
                seats=tuple(player.policy or "person" for player in table.players),
                refused=tuple(refused),
            )
            if rows:
                is_over = table.reveals_secrets_to(SPECTATOR)
                whole = None
                try:
                    key = loaded.key if is_over else b""
                    whole = await in_thread(lambda: _nameless(record_of(table, rows, key)))
                    game = self._unit_of_work.rules(table)
                    lines, state, problem = await in_thread(_heard, game, whole)
                except (errors.TableDamaged, errors.NotHere) as missing:
                    record = whole if is_over else None
                    known = replace(known, record=record, problem=missing.code)
                else:
                    if is_over:
                        known = replace(known, record=whole, problem=problem)
                    else:
                        deal = partial(game.resample, state, SPECTATOR, rng or SystemRandom())
                        blob = b"" if state is None else game.encode(await in_thread(deal))
                        known = replace(known, problem=problem, lines=lines, state=blob)
            return await in_thread(encode_report, known)

    async def personal_data(self, user: int) -> bytes:
        """All that is stored about a person, and nothing of anybody else, as JSON, the newest
        tables first."""
        async with self._reading:
            store, time_slice = self._unit_of_work.store, TimeSlice()
            sections: dict[str, list[Any]] = {}
            room = MAX_BYTES
            left_out = 0
            found = await from_store(store.traces(user, tuple(Status)))
            for some in slices(found[::-1]):
                if room <= 0:
                    left_out += len(some)
                    continue
                for name, rows in (await from_store(store.table_data(user, some))).items():
                    for each in rows:
                        encoded = msgspec.Raw(msgspec.json.encode(each))
                        sections.setdefault(name, []).append(encoded)
                        room -= len(encoded)
                        await time_slice.take()
            own = await from_store(store.user_data(user))
            (settings,) = own["settings"] or [{"settings": {}}]
            whole = {"user": user, **own, **sections, **settings, "tables_left_out": left_out}
            return await in_thread(msgspec.json.encode, whole)


def _partial(table: Table, observer: Observer, entries: Sequence[Entry], view: Any) -> bytes:
    """What the observer knows, one line for each entry of which they know anything."""
    lines = []
    for each in entries:
        seen = each.seen_by(observer)
        is_own = observer == seen.seat != SPECTATOR
        events = tuple(VisibleEvent(event.kind, event.facts) for event in seen.events)
        if is_own or events:
            at = seen.at.replace(microsecond=0)
            lines.append(PartialEntry(at, seen.action if is_own else "", events))
    known = PartialExport(
        game=table.game,
        version=table.version,
        options=table.options,
        seats=table.names,
        key_hash=table.key_hash,
        observer=observer,
        lines=tuple(lines),
        view=view,
    )
    text = msgspec.json.encode(known)
    return text.replace(b'[{"at":', b'[\n{"at":', 1).replace(b',{"at":', b',\n{"at":')


def program() -> dict[str, str]:
    """What runs here, each with its version."""
    found = {"python": platform.python_version(), "system": platform.system()}
    for name in LIBRARIES:
        # Run from a folder, this program itself is not installed.
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def encode_report(report: Report) -> bytes:
    """The report as JSON, one line for each line of the game."""
    text = msgspec.json.encode(report)
    return text.replace(b'"lines":[[', b'"lines":[\n[').replace(b'],[{"kind":', b'],\n[{"kind":')


def decode_report(data: bytes) -> Report:
    """The report that `encode_report` wrote. Raises RecordError."""
    try:
        return msgspec.json.decode(data, type=Report)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError(-1, f"This is not a report: {error}") from error


def _nameless(record: Record) -> Record:
    names = tuple(f"Player {number}" for number in range(1, len(record.seats) + 1))
    entries = tuple(replace(entry, at=None) for entry in record.entries)
    return replace(record, seats=names, entries=entries)


def _heard(game: AnyGame, record: Record) -> tuple[tuple[tuple[VisibleEvent, ...], ...], Any, str]:
    """What spectators heard, the state after it, and why the log cannot be read further."""
    lines: list[tuple[VisibleEvent, ...]] = []
    state: Any = None
    try:
        for entry, now in fold(game, record) if record.entries else ():
            state = now
            heard = entry.visible_to(SPECTATOR)
            if heard:
                lines.append(tuple(VisibleEvent(event.kind, event.facts) for event in heard))
    except RecordError as error:
        # The state may have been changed in part.
        good = record.entries[: max(error.seq, 0)]
        told, state, _ = _heard(game, replace(record, entries=good))
        # Its words quote the entry, which may be somebody's secret.
        cause = error.__cause__
        return told, state, "rules_changed" if cause is None else type(cause).__name__
    return tuple(lines), state, ""
