"""What people write: names, promises, notes, words they type. It is only shown.

`Written` is no str, so that mypy keeps it out of whatever is translated or formatted; put into a
sentence it comes out escaped. What nobody can see, or what would spill over the words around it,
is taken away; what Discord would turn into a mention, markup, a link or a preview is escaped.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeAlias

from bot.text.words import Words

ELLIPSIS = "…"
MAX_NAME = 32
"""Characters of a name; Discord allows as many."""
MAX_WORD = 40
"""Characters of what somebody typed, where it is quoted."""
MAX_MARKS = 2
"""Accents and the like on one letter."""
MAX_TYPED_MARKS = 30
"""Marks in a row that are read at all. No language writes as many (UAX 15, Stream-Safe Text), and
putting them in order takes time that grows with the square of their number."""

_JOINER, _AS_EMOJI, _KEYCAP = "\u200d", "\ufe0f", "\u20e3"
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks that show nothing, or only a space."""
_UNSEEN = ("Cc", "Cf", "Cn", "Co", "Cs")
_MARKS = ("Mn", "Me")
_SPACES = ("Zs", "Zl", "Zp")
_PICTURES = ("So", "Sk")
_PLAIN = re.compile(r"[ -~]*")

# Discord takes the backslash away before any sign. A point within a word could be an address, and
# the colon comes before the rest of one. The server looks for mentions whatever stands before
# them, so a space of no width parts the at sign from a name.
_SIGNS = re.compile(r"(?P<number>^\d+)(?=[.)])|^[#+-]|[\\*_~`|\[\]<>:]|\.(?=\S)|@", re.MULTILINE)
NO_CALL = "@\u200b"
"""An at sign that calls nobody."""
_NO_ITEM = "\u200b"

# Letters of other alphabets, and signs, that look like Latin ones; as `casefold` leaves them.
_TWINS = str.maketrans(
    "аеорсухіјѕԁһԛԝѵӏвкмнтгьαοντικρυχεη01|i",
    "aeopcyxljsdhqwvlbkmhtrbaovtlkpuxenolll",
)


_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def cleaned(text: str) -> str:
    """Text as it comes in, without what a database cannot hold: zeros and halves of characters."""
    return _UNSTORABLE.sub("", text)


class Written:
    """Text that a person wrote; immutable. As a string or in a sentence it is escaped markdown."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def plain(self) -> str:
        """One line of the visible text, for places without markup: buttons, pictures, logs."""
        return _line(self._text)

    @cached_property
    def markdown(self) -> str:
        """The same line, escaped for Discord."""
        return _escaped(self.plain)

    @property
    def lines(self) -> str:
        """As `markdown`, with its lines and empty lines kept."""
        return _escaped("\n".join(map(_line, self._text.splitlines())))

    def clipped(self, most: int) -> Written:
        """The text, cut with an ellipsis where more than `most` characters of it can be seen."""
        return Written(_clipped(self.plain, most))

    def __str__(self) -> str:
        return self.markdown

    def __format__(self, _spec: str) -> str:
        return self.markdown

    def __bool__(self) -> bool:
        return bool(self.plain)

    def __repr__(self) -> str:
        return f"Written({self._text!a})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Written) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)


def said_again(typed: str) -> str:
    """What somebody typed, quoted in an answer; markdown."""
    return Written(typed).clipped(MAX_WORD).markdown or "-"


@dataclass(frozen=True)
class Mention:
    """A person pinged through Discord; `name` is for where that is not possible."""

    user: int
    name: Written

    @property
    def plain(self) -> str:
        """The name."""
        return self.name.plain

    @property
    def markdown(self) -> str:
        """What Discord shows as a clickable name."""
        return f"<@{self.user}>"

    def __str__(self) -> str:
        return self.markdown

    def __format__(self, _spec: str) -> str:
        return self.markdown


@dataclass(frozen=True)
class InMarkdown:
    """A name for plain words that are then shown as markdown."""

    name: Name

    @property
    def plain(self) -> str:
        """What is safe there."""
        return self.name.markdown

    @property
    def markdown(self) -> str:
        """The same."""
        return self.name.markdown

    def __str__(self) -> str:
        return self.markdown

    def __format__(self, _spec: str) -> str:
        return self.markdown


Name: TypeAlias = Written | Mention | InMarkdown
"""Who somebody is, as people are shown it: `plain`, or as `markdown`."""


def plain(names: Sequence[Name]) -> tuple[str, ...]:
    """The names for where no markdown is read."""
    return tuple(name.plain for name in names)


def shown_names(words: Words, names: Sequence[str]) -> tuple[Written, ...]:
    """Display names by seat: none is empty, and no two look the same."""
    return _told_apart(words, tuple(names))


@lru_cache(maxsize=1024)
def _told_apart(words: Words, names: tuple[str, ...]) -> tuple[Written, ...]:
    seen = [
        _clipped(_line(name), MAX_NAME) or words("Player {number}", number=seat + 1)
        for seat, name in enumerate(names)
    ]
    alike = Counter(map(_skeleton, seen))
    for seat, name in enumerate(tuple(seen)):
        if alike[_skeleton(name)] > 1:
            letters = (chr(ord("A") + (seat + turn) % 26) for turn in range(26))
            marked = (f"{name} ({letter})" for letter in letters)
            seen[seat] = next(each for each in marked if _skeleton(each) not in alike)
            alike[_skeleton(seen[seat])] += 1
    return tuple(map(Written, seen))


def _skeleton(name: str) -> str:
    """A key that is equal for names that look the same."""
    return unicodedata.normalize("NFKC", name).casefold().translate(_TWINS)


def _clipped(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    places = [i for i, sign in enumerate(text) if unicodedata.category(sign) not in _MARKS]
    if len(places) <= most:
        return text
    return text[: places[most - len(ELLIPSIS)]].rstrip(f" {_JOINER}") + ELLIPSIS


@lru_cache(maxsize=1024)
def _line(text: str) -> str:
    """The visible text, in one line."""
    if _PLAIN.fullmatch(text):
        return " ".join(text.split())
    # Few characters have more than two code points where they cannot be one.
    text = unicodedata.normalize("NFC", _with_few_marks(text))
    kept: list[str] = []
    marks = 0
    for place, sign in enumerate(text):
        kind = unicodedata.category(sign)
        before = kept[-1] if kept else " "
        if sign.isspace() or kind in _SPACES:
            sign, marks = " ", 0
        elif sign in (_JOINER, _AS_EMOJI):
            if not _is_picture(before, text[place + 1 : place + 2], sign):
                continue
        elif sign in _BLANK or _is_unseen(sign, kind):
            continue
        elif kind in _MARKS:
            if before == " " or marks == MAX_MARKS or _is_variation(sign):
                continue
            marks += 1
        else:
            marks = 0
        kept.append(sign)
    return " ".join("".join(kept).split()).rstrip(_JOINER)


def _with_few_marks(text: str) -> str:
    kept: list[str] = []
    marks = 0
    for sign in text:
        marks = marks + 1 if unicodedata.combining(sign) else 0
        if marks <= MAX_TYPED_MARKS:
            kept.append(sign)
    return "".join(kept)


def _is_picture(before: str, after: str, sign: str) -> bool:
    """Whether a joiner, or a variation selector for the coloured form, follows an emoji."""
    if sign == _JOINER:
        is_whole = before == _AS_EMOJI or unicodedata.category(before) in _PICTURES
        return is_whole and unicodedata.category(after or " ") in (*_PICTURES, "Cn")
    return unicodedata.category(before) in _PICTURES or after == _KEYCAP or before in "‼⁉↔↕↖↗↘↙"


def _is_unseen(sign: str, kind: str) -> bool:
    # Emoji newer than Python's tables.
    return kind in _UNSEEN and not (kind == "Cn" and "\U0001f300" <= sign <= "\U0001faff")


def _is_variation(sign: str) -> bool:
    return "\ufe00" <= sign <= "\ufe0f" or sign >= "\U000e0100" or "\u180b" <= sign <= "\u180f"


@lru_cache(maxsize=1024)
def _escaped(text: str) -> str:
    return _SIGNS.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    if found["number"]:
        # Digits cannot be escaped, and their point need not be reached by what follows.
        return f"{_NO_ITEM}{found[0]}"
    return NO_CALL if found[0] == "@" else f"\\{found[0]}"
