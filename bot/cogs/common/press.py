"""Custom ids: a component carries its table, its decision and the words chosen so far.

The form is ``verb:table:decision:word,word``. Nothing about a component is kept anywhere else,
so that a button works after a restart as it did before.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from bot.game.contract import Action

MAX_ID = 100
TEMPLATE = r"(?P<verb>[a-z]+)(?P<page>\d*):(?P<table>\d+)(?::(?P<decision>[^:]*):(?P<words>[^:]*))?"
_PATTERN = re.compile(TEMPLATE)
_NOTHING = "-"
_RUN = re.compile(r"(.)\1{4,}")
_PACKED = re.compile(r"(.)\*(\d+)\.")
_RESERVED = re.compile(r"[:,*]|\A-\Z")


class TooLong(ValueError):
    """What was chosen so far does not fit into a custom id."""


class Press(NamedTuple):
    """What a component stands for. `page` only keeps the ids of one message apart."""

    verb: str
    table: int
    decision: str | None = None
    words: Action = ()
    page: int = 0

    def custom_id(self) -> str:
        """The press as a custom id. Raises TooLong beyond Discord's 100 characters."""
        text = f"{self.verb}{self.page or ''}:{self.table}"
        if self.decision is not None or self.words:
            words = ",".join(map(_pack, self.words))
            text += f":{self.decision or ''}:{words}"
        if len(text) > MAX_ID:
            raise TooLong(text)
        return text

    def then(self, *words: str) -> Press:
        """The same press with more words chosen."""
        return self._replace(words=self.words + words)


def parse(custom_id: str) -> Press | None:
    """The press that `Press.custom_id` wrote; None where somebody else did."""
    match = _PATTERN.fullmatch(custom_id)
    return None if match is None else parsed(match)


def parsed(match: re.Match[str]) -> Press:
    """The press behind a match of `TEMPLATE`."""
    words = match["words"]
    return Press(
        verb=match["verb"],
        table=int(match["table"]),
        decision=match["decision"] or None,
        words=tuple(map(_unpack, words.split(","))) if words else (),
        page=int(match["page"] or 0),
    )


def _pack(word: str) -> str:
    # Bundles repeat letters: twelve ore are "o*12." and not twelve characters.
    if _RESERVED.search(word):
        raise ValueError(f"{word!r} cannot be a word of a custom id")
    return _RUN.sub(lambda run: f"{run[1]}*{len(run[0])}.", word) or _NOTHING


def _unpack(word: str) -> str:
    if word == _NOTHING:
        return ""
    return _PACKED.sub(lambda run: run[1] * int(run[2]), word)
