"""Matches what people type to one of a few words, by any of its names, if unambiguous."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from bot.game.choices import MAX_FIGURES, Amount, OneOf
from bot.game.contract import Fact, Refusal
from bot.text.contract import Unreadable

MAX_EXAMPLES = 4
MAX_TYPED = 200
"""The most characters read when matching one of a few words."""

_UNMARKED = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "×": "x"})
_TOKEN = re.compile(r"[0-9]+|[^\W\d_]+")
_NUMBER = re.compile(r"-?[0-9]+")

Alias = tuple[str, ...]
"""Folded words and numbers that name a word of the notation."""


def fold(text: str) -> str:
    """The text without case, diacritics and the like."""
    if text.isascii():
        return text.casefold()
    marked = unicodedata.normalize("NFKD", text.casefold().translate(_UNMARKED))
    return "".join(c for c in marked if not unicodedata.category(c).startswith("M"))


def tokens(text: str) -> tuple[str, ...]:
    """Words and numbers of a text, folded; everything between them is dropped."""
    return tuple(_TOKEN.findall(fold(text)))


def one_of(choices: OneOf, typed: str, aliases: Iterable[tuple[str, Alias]], topic: str) -> str:
    """The word that was meant, even one not on offer that the rules can refuse better.

    Raises Unreadable with ``ambiguous`` or ``unreadable``.
    """
    text = typed[:MAX_TYPED].strip()
    if text in choices.values:
        return text
    said, known, offers = tokens(text), tuple(aliases), frozenset(choices.values)
    for fits in (_same, _within, _begins):
        found = tuple(dict.fromkeys(word for word, alias in known if fits(said, alias)))
        # Among words that mean the same, those on offer come first.
        offered = tuple(word for word in found if word in offers) or found
        if len(offered) == 1:
            return offered[0]
        if offered:
            raise Unreadable(misread("ambiguous", topic, choices.param, typed, offered))
    raise Unreadable(misread("unreadable", topic, choices.param, typed, choices.values))


def amount(choices: Amount, typed: str, topic: str) -> str:
    """The number that was typed, ignoring what is beside it; it need not be legal.

    Raises Unreadable with ``unreadable`` where there is none, or several.
    """
    found = _NUMBER.findall(typed[:MAX_TYPED].replace("\N{MINUS SIGN}", "-"))
    if len(found) != 1 or len(found[0]) > MAX_FIGURES:
        bounds = tuple(dict.fromkeys((str(choices.minimum), str(choices.maximum))))
        raise Unreadable(misread("unreadable", topic, choices.param, typed, bounds))
    return str(int(found[0]))


def misread(code: str, topic: str, param: str, typed: str, examples: tuple[str, ...]) -> Refusal:
    """A refusal of what was typed, with examples of what is understood."""
    facts: dict[str, Fact] = {"param": param, "word": typed, "examples": examples[:MAX_EXAMPLES]}
    return Refusal(code, topic, facts)


def _same(said: Alias, alias: Alias) -> bool:
    return bool(said) and said == alias


def _within(said: Alias, alias: Alias) -> bool:
    return bool(said) and set(said) <= set(alias)


def _begins(said: Alias, alias: Alias) -> bool:
    return bool(said) and all(any(have.startswith(word) for have in alias) for word in said)
