"""A language's file, read without Babel's own reader: that and its compiler take longer than all
else at a start. Babel writes the files (`bot.text.extract`), and a test holds that both read the
same.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

PLURALS = re.compile(r"^Plural-Forms:.*plural=(?P<rule>[^;\n]+)", re.MULTILINE)
"""How a header says which form is for which number, as an expression in C."""
GERMANIC = "n != 1"
"""The rule where a header names none."""
FUZZY = "fuzzy"
_LINE = re.compile(
    r'(?:(?P<field>msg(?:ctxt|id|id_plural|str|str\[\d\])) *)?"(?P<text>(?:[^"\\]|\\.)*)"'
)
_ESCAPED = re.compile(r"\\(.)")
_MEANT = {"n": "\n", "t": "\t", "r": "\r"}


class BadCatalogue(ValueError):
    """A line that is none of a catalogue: the message quotes it, with its number."""


class Translation(NamedTuple):
    """A message of a catalogue. `one` is its English, `many` the English of its plural, or None;
    `forms` what is said instead, one text for each number that the language knows, each empty
    where nobody has translated it; `places` the files in which the English stands.
    """

    context: str | None
    one: str
    many: str | None
    forms: tuple[str, ...]
    places: tuple[str, ...]
    is_fuzzy: bool


class Translations(gettext.NullTranslations):
    """The translated messages of one language; English for the others."""

    def __init__(
        self, texts: Mapping[tuple[str | None, str], tuple[str, ...]], form: Callable[[int], int]
    ) -> None:
        super().__init__()
        self._texts = texts
        self._form = form

    def gettext(self, message: str) -> str:
        """The message in this language."""
        found = self._texts.get((None, message))
        return found[0] if found else message

    def pgettext(self, context: str, message: str) -> str:
        """The same, of a message that means something else elsewhere."""
        found = self._texts.get((context, message))
        return found[0] if found else message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The form for a number."""
        found = self._texts.get((None, msgid1))
        if not found:
            return msgid1 if n == 1 else msgid2
        return found[self._form(n)]


def translations(read: list[Translation]) -> Translations:
    """What a catalogue says: neither what is doubtful nor what is not translated."""
    texts = {
        (each.context, each.one): tuple(
            form or (each.many if number and each.many is not None else each.one)
            for number, form in enumerate(each.forms)
        )
        for each in read
        if each.one and any(each.forms) and not each.is_fuzzy
    }
    header = next((each.forms[0] for each in read if not each.one), "")
    rule = PLURALS.search(header)
    return Translations(texts, gettext.c2py(rule["rule"] if rule else GERMANIC))


def messages(text: str) -> Iterator[Translation]:
    """The messages of a ``.po`` file in its order, the header first. Raises BadCatalogue."""
    fields: dict[str, str] = {}
    notes: list[str] = []
    last = ""
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        found = _LINE.fullmatch(line)
        # A message ends where the next one, or what is noted of it, begins.
        if last.startswith("msgstr") and (not found or found["field"] in ("msgctxt", "msgid")):
            yield _message(fields, notes)
            fields, notes, last = {}, [], ""
        if found:
            last = found["field"] or last
            if not last or (found["field"] and found["field"] in fields):
                raise BadCatalogue(f"line {number}: {line}")
            fields[last] = fields.get(last, "") + _unescaped(found["text"])
        elif line.startswith("#"):
            notes.append(line)
        elif line:
            raise BadCatalogue(f"line {number}: {line}")
    if last:
        yield _message(fields, notes)


def _message(fields: Mapping[str, str], notes: list[str]) -> Translation:
    return Translation(
        fields.get("msgctxt"),
        fields.get("msgid", ""),
        fields.get("msgid_plural"),
        tuple(text for field, text in fields.items() if field.startswith("msgstr")),
        tuple(place for note in notes if note.startswith("#:") for place in note[2:].split()),
        any(FUZZY in note for note in notes if note.startswith("#,")),
    )


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return _ESCAPED.sub(lambda found: _MEANT.get(found[1], found[1]), text)
