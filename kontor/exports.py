"""Read, check and replay the files of `/game export`.

docs/record.md describes the files. This is a separate module because it needs more libraries than
the rest of `kontor`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from bot.game.contract import Event, Outcome
from bot.game.log import RecordedEntry as Entry
from bot.tables.core.record import (
    Record,
    RecordError,
    decode,
    fold,
    rules_for,
    verify,
)
from bot.titles import TITLES

__all__ = ["Entry", "Record", "RecordError", "Step", "check", "read", "replay"]


class Step(NamedTuple):
    """An entry of a record, the state after it, and its events. The next step changes the state."""

    entry: Entry
    state: Any
    events: list[Event]


def read(data: bytes) -> Record:
    """Return the game in a file. Raise RecordError for any other file."""
    return decode(data)


def replay(record: Record) -> Iterator[Step]:
    """Yield a recorded game entry by entry, from the set-up on. Raise RecordError."""
    rules = rules_for(TITLES.games, record.game, record.version)
    return (
        Step(
            Entry(line.seat, line.action, line.drawn, entry.asked, line.at),
            state,
            list(entry.events),
        )
        for line, (entry, state) in zip(record.entries, fold(rules, record), strict=True)
    )


def check(record: Record) -> Outcome | None:
    """Check every draw against the key and every action against the rules; return the result.

    The result is None for an abandoned game. Raise RecordError for the first error.
    """
    return verify(rules_for(TITLES.games, record.game, record.version), record)
