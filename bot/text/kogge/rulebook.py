"""The rules topics: titles and plain texts, read from data/kogge/rules.toml at first use."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import msgspec

RULES = Path(__file__).parents[3] / "data" / "kogge" / "rules.toml"


class Topic(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chapter of the rules in a few sentences; both fields are messages."""

    title: str
    text: str


@cache
def topics(path: Path = RULES) -> dict[str, Topic]:
    """The topics by key, in reading order. Raises msgspec.ValidationError if the file is wrong."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return msgspec.convert(tables, dict[str, Topic])
