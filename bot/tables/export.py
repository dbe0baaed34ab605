"""A file that reproduces a problem without anyone's secrets: see `Report`."""

from __future__ import annotations

import asyncio
import platform
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from importlib import metadata
from random import Random, SystemRandom
from typing import Any

import msgspec
from msgspec.structs import replace

from bot.game.contract import SPECTATOR, AnyGame, Fact, Observer
from bot.store import EntryRow, slices
from bot.tables.core import errors
from bot.tables.core.cache import from_store, record_of
from bot.tables.core.model import Happened, Status, Table
from bot.tables.core.record import PARTIAL, REPORT, Record, RecordError, fold
from bot.tables.core.unit_of_work import UnitOfWork
from bot.workers import TimeSlice, in_thread


class HeardEvent(msgspec.Struct, frozen=True):
    """An event as one observer heard it, without who else did."""

    kind: str
    facts: Mapping[str, Fact]


class PartialEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was heard of one log entry; `action` is there where it is the observer's own.

    It has no number: a gap would tell of something done in secret. Its time is in whole seconds:
    how many milliseconds a computer player took may depend on its hand.
    """

    at: datetime
    action: str = ""
    events: tuple[HeardEvent, ...] = ()


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


def known_to(
    table: Table,
    observer: Observer,
    happened: Sequence[Happened],
    entries: Sequence[EntryRow],
    view: Any,
) -> PartialExport:
    """What the observer knows. `happened` and `entries` are the whole log, the view is theirs."""
    lines = []
    for each, entry in zip(happened, entries, strict=True):
        is_own = observer != SPECTATOR and entry.seat == observer
        events = tuple(HeardEvent(event.kind, event.facts) for event in each.heard_by(observer))
        if is_own or events:
            lines.append(
                PartialEntry(each.at.replace(microsecond=0), entry.action if is_own else "", events)
            )
    return PartialExport(
        game=table.game,
        version=table.version,
        options=table.options,
        seats=table.names,
        key_hash=table.key_hash,
        observer=observer,
        lines=tuple(lines),
        view=view,
    )


def encode_partial(known: PartialExport) -> bytes:
    """The file as JSON, one line for each of its lines."""
    text = msgspec.json.encode(known)
    return text.replace(b'[{"at":', b'[\n{"at":', 1).replace(b',{"at":', b',\n{"at":')


MOST_BYTES = 7_000_000
"""Bytes of tables and moves in a file, which Discord takes; older tables are left out then."""


class PersonalData:
    """Puts such files together. Raises StoreUnavailable."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        # It reads all logs: however many ask, one at a time keeps the database busy.
        self._reading = asyncio.Lock()

    async def export(self, user: int) -> bytes:
        """All that is stored about the user, as JSON, the newest tables first."""
        async with self._reading:
            store, time_slice = self._unit_of_work.store, TimeSlice()
            sections: dict[str, list[Any]] = {}
            room = MOST_BYTES
            left_out = 0
            found = await from_store(store.traces(user, tuple(Status)))
            for some in slices(found[::-1]):
                if room <= 0:
                    left_out += len(some)
                    continue
                for name, rows in (await from_store(store.own_at(user, some))).items():
                    for each in rows:
                        encoded = msgspec.Raw(msgspec.json.encode(each))
                        sections.setdefault(name, []).append(encoded)
                        room -= len(encoded)
                        await time_slice.take()
            own = await from_store(store.own(user))
            return await in_thread(_file, user, own, sections, left_out)


def _file(user: int, own: Mapping[str, Any], sections: Mapping[str, Any], left_out: int) -> bytes:
    (settings,) = own["settings"] or [{"settings": {}}]
    whole = {"user": user, **own, **sections, **settings, "tables_left_out": left_out}
    return msgspec.json.encode(whole)


TIMES = 400
"""How often secrets are exchanged. Once leaves traces: most pieces stay where they are."""

LIBRARIES = ("kontor", "discord.py", "msgspec", "aiohttp", "Pillow")


class ReportedEvent(msgspec.Struct, frozen=True):
    """An event that spectators heard."""

    kind: str
    facts: Mapping[str, str | int | tuple[str | int, ...]]


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
    lines: tuple[tuple[ReportedEvent, ...], ...] = ()
    state: bytes = b""
    record: Record | None = None


class Reporting:
    """Writes reports."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        # One at a time: threads that work for long leave the event loop no time, nor each other.
        self._writing = asyncio.Lock()

    async def report(
        self, table_id: int, refused: Sequence[str] = (), *, rng: Random | None = None
    ) -> bytes:
        """The report on a table in any state, even one whose log cannot be read.

        `rng` must be unpredictable, or the real state could be inferred from the mixed one. Raises
        UnknownTable or StoreUnavailable.
        """
        async with self._writing:
            return await self._report(table_id, refused, rng)

    async def _report(self, table_id: int, refused: Sequence[str], rng: Random | None) -> bytes:
        loaded = await self._unit_of_work.cache.read(table_id)
        table = loaded.table
        entries = await from_store(self._unit_of_work.store.entries(table_id))
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
        if entries:
            key = loaded.key if table.tells_all(SPECTATOR) else b""
            try:
                whole = await in_thread(lambda: _nameless(record_of(table, entries, key)))
            except errors.TableDamaged as damage:
                known = replace(known, problem=damage.code)
            else:
                known = await self._filled(table, whole, known, rng)
        return await in_thread(encode_report, known)

    async def _filled(
        self, table: Table, whole: Record, known: Report, rng: Random | None
    ) -> Report:
        try:
            game = self._unit_of_work.rules(table)
        except errors.NotHere as missing:
            record = whole if table.tells_all(SPECTATOR) else None
            return replace(known, record=record, problem=missing.code)
        return await in_thread(_filled, game, table, whole, known, rng)


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


def _filled(
    game: AnyGame, table: Table, record: Record, known: Report, rng: Random | None
) -> Report:
    if table.tells_all(SPECTATOR):
        problem = _problem(game, record)[0]
        return replace(known, record=record, problem=problem)
    problem, good = _problem(game, record)
    lines, state = _heard(game, replace(record, entries=record.entries[:good]))
    mixed_state = b"" if state is None else game.encode(mixed(game, state, rng or SystemRandom()))
    return replace(known, problem=problem, lines=tuple(lines), state=mixed_state)


def _problem(game: AnyGame, record: Record) -> tuple[str, int]:
    """Why the log cannot be read, and how many of its entries can."""
    try:
        for _ in fold(game, record):
            pass
    except RecordError as error:
        # Its words quote the entry, which may be somebody's secret.
        cause = error.__cause__
        return "rules_changed" if cause is None else type(cause).__name__, max(error.seq, 0)
    return "", len(record.entries)


def _heard(game: AnyGame, record: Record) -> tuple[list[tuple[ReportedEvent, ...]], Any]:
    lines: list[tuple[ReportedEvent, ...]] = []
    state: Any = None
    if record.entries:
        for folded in fold(game, record):
            state = folded.state
            heard = [event for event in folded.events if event.heard_by(SPECTATOR)]
            if heard:
                lines.append(tuple(ReportedEvent(event.kind, event.facts) for event in heard))
    return lines, state


def mixed(game: AnyGame, state: Any, rng: Random) -> Any:
    """A state that no spectator can tell from this one, and that reveals nothing about it."""
    for _ in range(TIMES):
        state = game.resample(state, SPECTATOR, rng)
    return state
