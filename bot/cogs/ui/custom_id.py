"""Custom ids: a component carries its table, its decision and the words chosen so far.

The form is ``verb:table:decision:word,word``. Nothing else is stored about a component, so buttons
still work after a restart. An id can be forged, so only ids that this module could have written are
accepted.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from contextlib import suppress
from typing import NamedTuple

from bot.game.contract import Action

MAX_ID = 100
MAX_NUMBER = 2**31 - 1
"""Highest table number in any of the databases."""
MAX_RUN = 999
"""Longest run of a character that is packed together."""
_PATTERN = re.compile(
    r"(?P<verb>[a-z]{1,20})(?P<page>[0-9]{0,3}):(?P<table>[0-9]{1,10})"
    r"(?::(?P<decision>[^:]*):(?P<words>[^:]*))?"
)
_EMPTY = "-"
_RUN = re.compile(rf"(.)\1{{4,{MAX_RUN - 1}}}")
_PACKED = re.compile(r"(.)\*([0-9]{1,3})\.")
_RESERVED = re.compile(r"[:,*]|\A-\Z")
_NUMBER = re.compile(r"-?[0-9]{1,9}")


class TooLong(ValueError):
    """The choices so far do not fit into a custom id."""


class Forged(Exception):
    """An id, a word or a value that this bot did not write, or no longer knows."""


class CustomId(NamedTuple):
    """A decoded custom id. `page` only makes the ids of one message distinct."""

    verb: str
    table: int
    decision: str | None = None
    words: Action = ()
    page: int = 0

    def encoded(self) -> str:
        """Return the text that Discord stores. Raise TooLong beyond Discord's 100 characters."""
        text = f"{self.verb}{self.page or ''}:{self.table}"
        if self.decision is not None or self.words:
            text += f":{self.decision or ''}:{encode_words(self.words)}"
        if len(text) > MAX_ID:
            raise TooLong(text)
        return text

    def then(self, *words: str) -> CustomId:
        """Return this id with more words chosen."""
        return self._replace(words=self.words + words)


def parse(text: str) -> CustomId:
    """Parse text written by `CustomId.encoded`. Raise Forged for any other text."""
    match = _PATTERN.fullmatch(text) if len(text) <= MAX_ID else None
    if match is None:
        raise Forged
    custom_id = CustomId(
        verb=match["verb"],
        table=int(match["table"]),
        decision=match["decision"] or None,
        words=_decode(match["words"]),
        page=int(match["page"] or 0),
    )
    with suppress(ValueError):
        if custom_id.table <= MAX_NUMBER and custom_id.encoded() == text:
            return custom_id
    raise Forged(custom_id)


def encode_words(words: Action) -> str:
    """Encode words for an id, or for the value of an option that means several words."""
    return ",".join(map(_pack, words))


def decode_words(text: str) -> Action:
    """Decode the text of `encode_words`. Raise Forged."""
    words = _decode(text)
    with suppress(ValueError):
        if encode_words(words) == text:
            return words
    raise Forged(text)


def only(words: Sequence[str], among: Container[str] | None = None) -> str:
    """Return the only word or value. Raise Forged if there are none or several, or it is not
    allowed."""
    if len(words) != 1 or (among is not None and words[0] not in among):
        raise Forged(*words)
    return words[0]


def integer(words: Sequence[str]) -> int:
    """Return the only word or value as an integer. Raise Forged."""
    word = only(words)
    if not _NUMBER.fullmatch(word):
        raise Forged(word)
    return int(word)


def _decode(text: str | None) -> Action:
    return tuple(map(_unpack, text.split(","))) if text else ()


def _pack(word: str) -> str:
    # Words for goods repeat letters: twelve ore become "o*12." instead of twelve characters.
    if _RESERVED.search(word):
        raise ValueError(f"{word!r} cannot be a word of a custom id")
    return _RUN.sub(lambda run: f"{run[1]}*{len(run[0])}.", word) or _EMPTY


def _unpack(word: str) -> str:
    if word == _EMPTY:
        return ""
    return _PACKED.sub(lambda run: run[1] * int(run[2]), word)
