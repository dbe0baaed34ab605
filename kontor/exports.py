"""Whole games out of the files that `/game export` gives: read, checked, gone through.

docs/record.md describes the files. This is a module of its own because it brings along more
libraries than the rest of `kontor`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from bot.game.contract import Event, Outcome
from bot.tables.core.record import (
    Entry,
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
    """An entry of a record, the state after it, which the next step changes, and its events."""

    entry: Entry
    state: Any
    events: list[Event]


def read(data: bytes) -> Record:
    """A whole game out of a file. Raises RecordError for any other."""
    return decode(data)


def replay(record: Record) -> Iterator[Step]:
    """The game that was recorded, entry by entry, from its set-up on. Raises RecordError."""
    rules = rules_for(TITLES.games, record.game, record.version)
    return (Step(*folded) for folded in fold(rules, record))


def check(record: Record) -> Outcome | None:
    """The result, once every draw is the key's and every action fits the rules.

    None for a game that was given up. Raises RecordError for what is wrong first.
    """
    return verify(rules_for(TITLES.games, record.game, record.version), record)
