"""Exported files: a game, a problem report, a user's own data.

For a running game, the export is built from the observer's events, actions and view. It is not a
record with the secrets removed, so no secret can be left in it by mistake.
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
from bot.game.log import Entry
from bot.store import Status, slices
from bot.tables.core import Record, RecordError, Table, UnitOfWork, errors, from_store, record_of
from bot.tables.core.record import PARTIAL, REPORT, encode, fold
from bot.tables.core.replay import replay
from bot.workers import TimeSlice, in_thread

MAX_BYTES = 7_000_000
"""Bytes of tables and moves in a user's file, below Discord's limit. Older tables are left out."""

LIBRARIES = ("kontor", "discord.py", "msgspec", "aiohttp", "Pillow")


class VisibleEvent(msgspec.Struct, frozen=True):
    """An event that an observer saw, without the list of those who saw it."""

    kind: str
    facts: Mapping[str, str | int | tuple[str | int, ...]]


class PartialEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """The visible part of a log entry; `action` is set if it is the observer's own.

    It has no number, as a gap would reveal a secret entry. Its time is in whole seconds, as a
    computer player's thinking time in milliseconds may depend on its hand.
    """

    at: datetime
    action: str = ""
    events: tuple[VisibleEvent, ...] = ()


class PartialExport(msgspec.Struct, frozen=True, tag_field="format", tag=PARTIAL):
    """A game as `observer` knows it: a seat, or -1 for a spectator. `view` is the game's view."""

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
    """A problem report with public facts only: no names, times, ids, keys or promises.

    `seats` has "person" or the name of the computer player. `lines` are the events that spectators
    saw, by log entry; entries without any are left out. `state` is one that a spectator could not
    tell from the real one. A finished game has no secrets, so its report has the whole `record`
    instead. `problem` is the reason why the log cannot be read to its end. `refused` are the codes
    of recent refusals that the reporting user got here.
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
    """A game as a file. Unless it `is_whole`, it has only what one observer may know."""

    data: bytes
    is_whole: bool


class Exports:
    """Writes exported files.

    All methods raise StoreUnavailable; those with a table raise UnknownTable.
    """

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        # One at a time: threads that work for long starve the event loop and each other.
        self._reporting = asyncio.Lock()
        # One at a time: each reads all logs, which keeps the database busy.
        self._reading = asyncio.Lock()

    async def game(self, table_id: int, observer: Observer) -> ExportedGame:
        """Export the whole game if the observer may know its secrets, else what they may know.

        If this program lacks the game's rules, the whole export is the stored log, and the partial
        one has only the observer's own actions. Raise not_started.
        """
        cache = self._unit_of_work.cache

        async def work() -> ExportedGame:
            loaded = await cache.load(table_id)
            table = loaded.table
            rows = await from_store(self._unit_of_work.store.entries(table_id))
            entries: Sequence[Entry]
            if loaded.problem is not None:
                # Without the rules there are no events, view, draws or result.
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
            record = await in_thread(record_of, table, entries, loaded.key)
            data = await in_thread(encode, replace(record, result=result))
            return ExportedGame(data, is_whole=True)

        # Under the table's lock, so that view and log are from the same moment.
        return await cache.run_locked(table_id, work)

    async def report(
        self, table_id: int, refused: Sequence[str] = (), *, rng: Random | None = None
    ) -> bytes:
        """Return a file that reproduces a problem without revealing secrets.

        It works for any table, even if its log cannot be read. `rng` must be unpredictable, or the
        real state could be inferred.
        """
        async with self._reporting:
            loaded = await self._unit_of_work.cache.read(table_id)
            table = loaded.table
            rows = await from_store(self._unit_of_work.store.entries(table_id))
            report = Report(
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
                    lines, state, problem = await in_thread(_public_part, game, whole)
                except (errors.TableDamaged, errors.RulesUnavailable) as error:
                    record = whole if is_over else None
                    report = replace(report, record=record, problem=error.code)
                else:
                    if is_over:
                        report = replace(report, record=whole, problem=problem)
                    else:
                        deal = partial(game.resample, state, SPECTATOR, rng or SystemRandom())
                        blob = b"" if state is None else game.encode(await in_thread(deal))
                        report = replace(report, problem=problem, lines=lines, state=blob)
            return await in_thread(encode_report, report)

    async def personal_data(self, user: int) -> bytes:
        """Return all data about a user, and about no one else, as JSON, newest tables first."""
        async with self._reading:
            store, time_slice = self._unit_of_work.store, TimeSlice()
            sections: dict[str, list[Any]] = {}
            room = MAX_BYTES
            left_out = 0
            tables = await from_store(store.traces(user, tuple(Status)))
            for part in slices(tables[::-1]):
                if room <= 0:
                    left_out += len(part)
                    continue
                for name, rows in (await from_store(store.table_data(user, part))).items():
                    for each in rows:
                        encoded = msgspec.Raw(msgspec.json.encode(each))
                        sections.setdefault(name, []).append(encoded)
                        room -= len(encoded)
                        await time_slice.take()
            own = await from_store(store.user_data(user))
            (settings,) = own["settings"] or [{"settings": {}}]
            data = {"user": user, **own, **sections, **settings, "tables_left_out": left_out}
            return await in_thread(msgspec.json.encode, data)


def _partial(table: Table, observer: Observer, entries: Sequence[Entry], view: Any) -> bytes:
    """Return the observer's knowledge as JSON, one line for each entry that they know about."""
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
    """Return the versions of the program, its libraries, Python and the system."""
    versions = {"python": platform.python_version(), "system": platform.system()}
    for name in LIBRARIES:
        # The program itself is not installed if it runs from a folder.
        with suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    return versions


def encode_report(report: Report) -> bytes:
    """Return the report as JSON, with one line for each of its `lines`."""
    text = msgspec.json.encode(report)
    return text.replace(b'"lines":[[', b'"lines":[\n[').replace(b'],[{"kind":', b'],\n[{"kind":')


def decode_report(data: bytes) -> Report:
    """Decode the output of `encode_report`. Raise RecordError."""
    try:
        return msgspec.json.decode(data, type=Report)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RecordError(-1, f"This is not a report: {error}") from error


def _nameless(record: Record) -> Record:
    names = tuple(f"Player {number}" for number in range(1, len(record.seats) + 1))
    entries = tuple(replace(entry, at=None) for entry in record.entries)
    return replace(record, seats=names, entries=entries)


def _public_part(
    game: AnyGame, record: Record
) -> tuple[tuple[tuple[VisibleEvent, ...], ...], Any, str]:
    """Return the spectators' events, the state after them, and why replay stopped early, if so."""
    lines: list[tuple[VisibleEvent, ...]] = []
    state: Any = None
    try:
        for entry, now in fold(game, record) if record.entries else ():
            state = now
            events = entry.visible_to(SPECTATOR)
            if events:
                lines.append(tuple(VisibleEvent(event.kind, event.facts) for event in events))
    except RecordError as error:
        # Replay again up to the error, which may have left the state half changed.
        good = record.entries[: max(error.seq, 0)]
        shown, state, _ = _public_part(game, replace(record, entries=good))
        # Not the error's message, which quotes the entry: it may be secret.
        cause = error.__cause__
        return shown, state, "rules_changed" if cause is None else type(cause).__name__
    return tuple(lines), state, ""
