"""Text written by users: names, promises, notes and typed words.

`Written` is not a str, so mypy rejects it as a message or a template. In a sentence it is escaped.
Invisible characters and stacked accents are removed. Anything that Discord would turn into a
mention, markup, a link or a preview is escaped.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, count
from typing import TypeAlias

from bot.text.words import Words

ELLIPSIS = "…"
MAX_NAME = 32
"""Maximum characters of a name; Discord's limit."""
MAX_WORD = 40
"""Maximum characters of quoted typed text."""
MAX_MARKS = 2
"""Maximum accents and other marks on one letter."""
MAX_TYPED_MARKS = 30
"""Maximum adjacent marks to normalize. No language needs more (UAX 15, Stream-Safe Text), and
normalization takes quadratic time."""

_JOINER, _AS_EMOJI, _KEYCAP = "\u200d", "\ufe0f", "\u20e3"
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks that are blank."""
_UNSEEN = ("Cc", "Cf", "Cn", "Co", "Cs")
_MARKS = ("Mn", "Me")
_SPACES = ("Zs", "Zl", "Zp")
_PICTURES = ("So", "Sk")
_PLAIN = re.compile(r"[ -~]*")

# Discord removes a backslash before any punctuation. A full stop or a colon within a word can make
# an address. Discord pings escaped mentions too, so a zero-width space follows the at sign.
_SIGNS = re.compile(r"(?P<number>^\d+)(?=[.)])|^[#+-]|[\\*_~`|\[\]<>:]|\.(?=\S)|@", re.MULTILINE)
NO_PING = "@\u200b"
"""An at sign that pings no one."""
_NO_LIST = "\u200b"

# Casefolded letters of other alphabets, and symbols, that look like Latin letters.
_TWINS = str.maketrans(
    "аеорсухіјѕԁһԛԝѵӏвкмнтгьαοντικρυχεη01|i",
    "aeopcyxljsdhqwvlbkmhtrbaovtlkpuxenolll",
)


_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def cleaned(text: str) -> str:
    """Remove characters that a database cannot store: NUL and surrogates."""
    return _UNSTORABLE.sub("", text)


class Written:
    """Text written by a user; immutable. `str` and `format` return escaped markdown."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def plain(self) -> str:
        """The visible text in one line, for places without markup: buttons, pictures, logs."""
        return _line(self._text)

    @cached_property
    def markdown(self) -> str:
        """The visible text in one line, escaped for Discord."""
        return _escaped(self.plain)

    @property
    def lines(self) -> str:
        """The visible text with its line breaks, escaped for Discord."""
        return _escaped("\n".join(map(_line, self._text.splitlines())))

    def clipped(self, limit: int) -> Written:
        """Return the text, cut with an ellipsis if it has more than `limit` visible characters."""
        return Written(_clipped(self.plain, limit))

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


def escape_typed(typed: str) -> str:
    """Return typed text as markdown for a reply, clipped; "-" if it is empty."""
    return Written(typed).clipped(MAX_WORD).markdown or "-"


@dataclass(frozen=True)
class Mention:
    """A ping of a user; `name` is for places without markdown."""

    user: int
    name: Written

    @property
    def plain(self) -> str:
        return self.name.plain

    @property
    def markdown(self) -> str:
        return f"<@{self.user}>"

    def __str__(self) -> str:
        return self.markdown

    def __format__(self, _spec: str) -> str:
        return self.markdown


@dataclass(frozen=True)
class InMarkdown:
    """A name that is escaped even in plain text, because the text is shown as markdown."""

    name: Name

    @property
    def plain(self) -> str:
        return self.name.markdown

    @property
    def markdown(self) -> str:
        return self.name.markdown

    def __str__(self) -> str:
        return self.markdown

    def __format__(self, _spec: str) -> str:
        return self.markdown


Name: TypeAlias = Written | Mention | InMarkdown
"""A player's name as shown: `plain`, or as `markdown`."""


def plain(names: Sequence[Name]) -> tuple[str, ...]:
    return tuple(name.plain for name in names)


def shown_names(words: Words, names: Sequence[str]) -> tuple[Written, ...]:
    """Return display names by seat: none is empty, and no two look alike."""
    return _distinct(words, tuple(names))


@lru_cache(maxsize=1024)
def _distinct(words: Words, names: tuple[str, ...]) -> tuple[Written, ...]:
    shown = [
        _clipped(_line(name), MAX_NAME) or words("Player {number}", number=seat + 1)
        for seat, name in enumerate(names)
    ]
    alike = Counter(map(_skeleton, shown))
    for seat, name in enumerate(tuple(shown)):
        if alike[_skeleton(name)] > 1:
            letters = (chr(ord("A") + (seat + offset) % 26) for offset in range(26))
            # A cup may have more people than there are letters.
            marked = (f"{name} ({mark})" for mark in chain(letters, map(str, count(1))))
            shown[seat] = next(each for each in marked if _skeleton(each) not in alike)
            alike[_skeleton(shown[seat])] += 1
    return tuple(map(Written, shown))


def _skeleton(name: str) -> str:
    """Return a key that is equal for names that look alike."""
    return unicodedata.normalize("NFKC", name).casefold().translate(_TWINS)


def _clipped(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    places = [i for i, sign in enumerate(text) if unicodedata.category(sign) not in _MARKS]
    if len(places) <= limit:
        return text
    return text[: places[limit - len(ELLIPSIS)]].rstrip(f" {_JOINER}") + ELLIPSIS


@lru_cache(maxsize=1024)
def _line(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return " ".join(text.split())
    # Composed, few characters have more than two code points.
    text = unicodedata.normalize("NFC", _with_few_marks(text))
    visible: list[str] = []
    marks = 0
    for place, sign in enumerate(text):
        kind = unicodedata.category(sign)
        before = visible[-1] if visible else " "
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
        visible.append(sign)
    return " ".join("".join(visible).split()).rstrip(_JOINER)


def _with_few_marks(text: str) -> str:
    signs: list[str] = []
    marks = 0
    for sign in text:
        marks = marks + 1 if unicodedata.combining(sign) else 0
        if marks <= MAX_TYPED_MARKS:
            signs.append(sign)
    return "".join(signs)


def _is_picture(before: str, after: str, sign: str) -> bool:
    """Return whether a joiner or an emoji variation selector belongs to an emoji."""
    if sign == _JOINER:
        is_whole = before == _AS_EMOJI or unicodedata.category(before) in _PICTURES
        return is_whole and unicodedata.category(after or " ") in (*_PICTURES, "Cn")
    return unicodedata.category(before) in _PICTURES or after == _KEYCAP or before in "‼⁉↔↕↖↗↘↙"


def _is_unseen(sign: str, kind: str) -> bool:
    # Emoji newer than Python's tables are unassigned.
    return kind in _UNSEEN and not (kind == "Cn" and "\U0001f300" <= sign <= "\U0001faff")


def _is_variation(sign: str) -> bool:
    return "\ufe00" <= sign <= "\ufe0f" or sign >= "\U000e0100" or "\u180b" <= sign <= "\u180f"


@lru_cache(maxsize=1024)
def _escaped(text: str) -> str:
    return _SIGNS.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    if match["number"]:
        # A digit cannot be escaped; a zero-width space before it prevents a numbered list.
        return f"{_NO_LIST}{match[0]}"
    return NO_PING if match[0] == "@" else f"\\{match[0]}"
