"""The words about a game in data/<game>: rules by topic, the first turn explained, names."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import TypeVar

import msgspec

from bot.resources import data
from bot.text.words import Message

T = TypeVar("T", bound=msgspec.Struct)


class Topic(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chapter of the rules in a few sentences; both fields are messages."""

    title: Message
    text: Message


class Explanation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message for a newcomer to a question, and the topic that says more."""

    text: Message
    topic: str


@cache
def topics(game: str) -> dict[str, Topic]:
    """The topics by key, in reading order. Raises msgspec.ValidationError if the file is
    invalid."""
    return msgspec.convert(_read(game, "rules.toml"), dict[str, Topic])


@cache
def explanations(game: str) -> dict[str, Explanation]:
    """The explanations of a first turn, by kind of decision or move.

    Raises msgspec.ValidationError if the file is wrong.
    """
    return msgspec.convert(_read(game, "first_turn.toml"), dict[str, Explanation])


def names(game: str, kind: type[T]) -> T:
    """What things are called, by the notation's words: tables of messages, a pair for a plural.

    Raises msgspec.ValidationError if the file is wrong.
    """
    return msgspec.convert(_read(game, "names.toml"), kind)


def _read(game: str, name: str) -> dict[str, object]:
    return tomllib.loads(data(game, name).read_text(encoding="utf-8"))
