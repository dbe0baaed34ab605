"""Matching of typed text with the names of words; it must be unambiguous."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from bot.game.choices import MAX_FIGURES, Amount, OneOf
from bot.game.contract import Fact, Refusal
from bot.text.contract import Unreadable

MAX_EXAMPLES = 4
MAX_TYPED = 200
"""Maximum characters of typed text; the rest is ignored."""

_UNMARKED = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "×": "x"})
_TOKEN = re.compile(r"[0-9]+|[^\W\d_]+")
_NUMBER = re.compile(r"-?[0-9]+")

Alias = tuple[str, ...]
"""A name of a word of the notation: folded words and numbers."""


def fold(text: str) -> str:
    """Return the text without case, diacritics and the like."""
    if text.isascii():
        return text.casefold()
    marked = unicodedata.normalize("NFKD", text.casefold().translate(_UNMARKED))
    return "".join(c for c in marked if not unicodedata.category(c).startswith("M"))


def tokens(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text, folded, without anything between them."""
    return tuple(_TOKEN.findall(fold(text)))


def one_of(choices: OneOf, typed: str, aliases: Iterable[tuple[str, Alias]], topic: str) -> str:
    """Return the word for typed text. It may be no legal choice: the rules refuse that better.

    Raise Unreadable with ``ambiguous`` or ``unreadable``.
    """
    text = typed[:MAX_TYPED].strip()
    if text in choices.values:
        return text
    given, known, legal = tokens(text), tuple(aliases), frozenset(choices.values)
    for fits in (_is_same, _is_within, _begins):
        found = tuple(dict.fromkeys(word for word, alias in known if fits(given, alias)))
        matches = tuple(word for word in found if word in legal) or found
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise Unreadable(misread("ambiguous", topic, choices.param, typed, matches))
    raise Unreadable(misread("unreadable", topic, choices.param, typed, choices.values))


def amount(choices: Amount, typed: str, topic: str) -> str:
    """Return the number in typed text, ignoring other words; it may be illegal.

    Raise Unreadable with ``unreadable`` if there is not exactly one number.
    """
    numbers = _NUMBER.findall(typed[:MAX_TYPED].replace("\N{MINUS SIGN}", "-"))
    if len(numbers) != 1 or len(numbers[0]) > MAX_FIGURES:
        bounds = tuple(dict.fromkeys((str(choices.minimum), str(choices.maximum))))
        raise Unreadable(misread("unreadable", topic, choices.param, typed, bounds))
    return str(int(numbers[0]))


def misread(code: str, topic: str, param: str, typed: str, examples: tuple[str, ...]) -> Refusal:
    """Return a refusal of typed text, with a few examples."""
    facts: dict[str, Fact] = {"param": param, "word": typed, "examples": examples[:MAX_EXAMPLES]}
    return Refusal(code, topic, facts)


def _is_same(given: Alias, alias: Alias) -> bool:
    return bool(given) and given == alias


def _is_within(given: Alias, alias: Alias) -> bool:
    return bool(given) and set(given) <= set(alias)


def _begins(given: Alias, alias: Alias) -> bool:
    return bool(given) and all(any(each.startswith(word) for each in alias) for word in given)
