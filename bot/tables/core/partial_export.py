"""What one observer may know of a game that is not over, as a file.

It is put together from what that observer has been told and shown: the events they heard, their own
actions, their view. Nothing is taken out of a record, so nothing can be forgotten in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from bot.game.contract import SPECTATOR, Fact, Observer
from bot.store import EntryRow
from bot.tables.core.model import Happened, Table
from bot.tables.core.record import PARTIAL


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


def encode(known: PartialExport) -> bytes:
    """The file as JSON, one line for each of its lines."""
    text = msgspec.json.encode(known)
    return text.replace(b'[{"at":', b'[\n{"at":', 1).replace(b',{"at":', b',\n{"at":')
