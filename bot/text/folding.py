"""Folds texts so that they can be compared whatever their case, accents and punctuation."""

from __future__ import annotations

import re
import unicodedata

_UNMARKED = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "×": "x"})
_TOKEN = re.compile(r"[0-9]+|[^\W\d_]+")


def fold(text: str) -> str:
    """The text without case, diacritics and the like."""
    if text.isascii():
        return text.casefold()
    marked = unicodedata.normalize("NFKD", text.casefold().translate(_UNMARKED))
    return "".join(c for c in marked if not unicodedata.category(c).startswith("M"))


def tokens(text: str) -> tuple[str, ...]:
    """Words and numbers of a text, folded; everything between them is dropped."""
    return tuple(_TOKEN.findall(fold(text)))
