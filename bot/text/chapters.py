"""What data/<game> says of a game's rules in words: topics, and a first turn explained."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import msgspec

from bot.text.contract import Hint

DATA = Path(__file__).parents[2] / "data"


class Topic(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chapter of the rules in a few sentences; both fields are messages."""

    title: str
    text: str


@cache
def topics(game: str) -> dict[str, Topic]:
    """The topics by key, in reading order. Raises msgspec.ValidationError if the file is wrong."""
    return msgspec.convert(_read(game, "rules.toml"), dict[str, Topic])


@cache
def hints(game: str) -> dict[str, Hint]:
    """What a first turn is explained with, by kind of decision or move; texts are messages.

    Raises msgspec.ValidationError if the file is wrong.
    """
    return msgspec.convert(_read(game, "first_turn.toml"), dict[str, Hint])


def _read(game: str, name: str) -> dict[str, object]:
    return tomllib.loads((DATA / game / name).read_text(encoding="utf-8"))
