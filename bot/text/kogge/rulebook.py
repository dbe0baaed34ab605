"""What data/kogge says of the rules in words, read at first use: topics, and a first turn."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import msgspec

from bot.text.contract import Hint

DATA = Path(__file__).parents[3] / "data" / "kogge"


class Topic(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chapter of the rules in a few sentences; both fields are messages."""

    title: str
    text: str


@cache
def topics(path: Path = DATA / "rules.toml") -> dict[str, Topic]:
    """The topics by key, in reading order. Raises msgspec.ValidationError if the file is wrong."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return msgspec.convert(tables, dict[str, Topic])


@cache
def hints(path: Path = DATA / "first_turn.toml") -> dict[str, Hint]:
    """What a first turn is explained with, by kind of decision or move; texts are messages.

    Raises msgspec.ValidationError if the file is wrong.
    """
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return msgspec.convert(tables, dict[str, Hint])
