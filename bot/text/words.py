"""Languages: English is the source in the code, others are gettext catalogues in data/locale.

Messages are looked up by their English text and filled by `str.format` with named facts, which are
already in words. `python -m tools.extract` finds literal arguments of a `Words` named `words`, and
literals marked with `msg` or `forms`. Names have a context (`NameContext`), as an English word may
need several translations.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from functools import cache, partial
from io import BytesIO
from string import Formatter
from typing import Literal, NamedTuple, NewType

from babel.core import Locale, UnknownLocaleError
from babel.dates import format_date
from babel.lists import format_list
from babel.messages.catalog import Message as CatalogueMessage
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po
from babel.numbers import format_decimal

from bot.resources import Traversable, data

ENGLISH = "en"
BRITISH = "en-GB"
"""The locale of English lists: without a comma before "and"."""
SUFFIX = ".po"
PAGE = "bot/local/"
"""The sources whose messages the page of the offline program translates in the browser."""


class NameContext(StrEnum):
    """The use of a name, which is the context of its message in a catalogue."""

    COMMAND = "command"
    OPTION = "option"
    PICTURE = "picture"


Message = NewType("Message", str)
"""A text of the project, to be translated and filled with facts; never a user's text."""


class Forms(NamedTuple):
    """The singular and plural of a message."""

    one: Message
    many: Message


def msg(text: str) -> Message:
    """Mark a message for extraction; `text` is a literal."""
    return Message(text)


def forms(one: str, many: str) -> Forms:
    """Mark a message and its plural for extraction; both are literals."""
    return Forms(Message(one), Message(many))


ITALIAN = "it"
_BEFORE_VOWEL = re.compile(r"\b(?P<word>[aAeE])(?P<between> \*{0,2}\{(?P<fact>\w+)\})")
_SAME_VOWEL = {
    "a": re.compile(r"(?:<a?:\w+:\d+>|[^\w<])*[aàáâãäå]", re.IGNORECASE),
    "e": re.compile(r"(?:<a?:\w+:\d+>|[^\w<])*[eèéêë]", re.IGNORECASE),
}
"""Texts that begin with the sound of a vowel, ignoring emoji and punctuation before it."""
_OWN_EMOJI = re.compile(r"(?P<emoji><a?:\w+:\d+>)(?P<space> ?)")
_PLAIN: dict[str, str] = {}
"""Plain signs by the application emoji shown instead of them."""


class BrokenCatalogue(ValueError):
    """A catalogue is invalid. The message names the file, the message and the reason."""


class Words:
    """One language; immutable."""

    def __init__(
        self,
        locale: str = ENGLISH,
        translations: gettext.NullTranslations | None = None,
        signs: Mapping[str, str] | None = None,
        page: Mapping[str, str] | None = None,
    ) -> None:
        self.locale = locale
        self.page = {} if page is None else page
        """Translations for the offline program's page; empty in English."""
        self._translations = translations or gettext.NullTranslations()
        self._locale = Locale.parse(BRITISH if locale == ENGLISH else locale, sep="-")
        self._signs = {} if signs is None else signs

    def signed(self, signs: Mapping[str, str]) -> Words:
        """Return the language with these signs by name. Signs added to `signs` later work too."""
        return Words(self.locale, self._translations, signs, self.page)

    def sign(self, name: str, plain: str, instead: str | None = None) -> str:
        """Return the sign of a piece for markdown and buttons: its application emoji, or else
        `plain`, a Unicode emoji or "". `plain_signs` later replaces the application emoji by
        `instead`, or by `plain` if that is None.
        """
        emoji = self._signs.get(name)
        if emoji is None:
            return plain
        _PLAIN[emoji] = (plain if instead is None else instead) or _PLAIN.get(emoji, "")
        return emoji

    def own_name(self) -> str:
        """Return the language's own name, with a capital."""
        name = Locale.parse(self.locale, sep="-").display_name or self.locale
        return f"{name[0].upper()}{name[1:]}"

    def language(self, code: str) -> str:
        """Return the name of a language, such as ``it``, in this one."""
        return str(self._locale.languages.get(code, code))

    def day(self, when: date) -> str:
        """Format a date as day and month."""
        return format_date(when, "d MMMM", self._locale)

    def number(self, value: float) -> str:
        """Format a number with at most one decimal place."""
        return format_decimal(value, "0.#", self._locale)

    def __repr__(self) -> str:
        return f"Words({self.locale!r})"

    def __call__(self, message: Message, /, **facts: object) -> str:
        """Return the message in this language. Raise KeyError for a missing fact."""
        return self._filled(self._translations.gettext(message), facts)

    def name(self, place: NameContext, name: str) -> str:
        """Return the translation of a name in a context."""
        return self._translations.pgettext(place, name)

    def drawn(self, label: str) -> str:
        """Return the translation of a label in a picture."""
        return self.name(NameContext.PICTURE, label)

    def plural(self, one: Message, many: Message, count: int, /, **facts: object) -> str:
        """Return the form for `count`, which is also the fact ``count`` unless another is given."""
        chosen = self._translations.ngettext(one, many, count)
        return self._filled(chosen, {"count": count, **facts})

    def phrase(self, message: Message | Forms, count: int = 1, /, **facts: object) -> str:
        """Return a message marked by `msg` or `forms`."""
        if isinstance(message, Forms):
            return self.plural(message.one, message.many, count, **facts)
        return self(message, **facts)

    def listing(self, items: Sequence[str]) -> str:
        """Join items in this language: ``A, B and C``; '' for none."""
        return self._list(items, "standard")

    def either(self, items: Sequence[str]) -> str:
        """Join alternatives in this language: ``A, B or C``; '' for none."""
        return self._list(items, "or")

    def _filled(self, text: str, facts: Mapping[str, object]) -> str:
        if self.locale == ITALIAN and facts:
            text = _BEFORE_VOWEL.sub(partial(_euphonic, facts), text)
        return text.format(**facts)

    def _list(self, items: Sequence[str], style: Literal["standard", "or"]) -> str:
        facts = {f"item{number}": item for number, item in enumerate(items)}
        pattern = format_list([f"{{{name}}}" for name in facts], style, self._locale)
        return self._filled(pattern, facts)


def _euphonic(facts: Mapping[str, object], match: re.Match[str]) -> str:
    """Return "ad {name}" instead of "a {name}" if the name begins with A or Å, and "ed {name}"
    instead of "e {name}" if it begins with E."""
    word, between, fact = match["word"], match["between"], match["fact"]
    is_same = _SAME_VOWEL[word.lower()].match(f"{facts.get(fact, '')}")
    return f"{word}{'d' if is_same else ''}{between}"


@cache
def all_words(folder: Traversable | None = None) -> tuple[Words, ...]:
    """Return English and the languages of the ``<locale>.po`` files in a folder, by default
    data/locale. The files are read once, in about 0.1 seconds. Raise BrokenCatalogue.
    """
    files = sorted((folder or data("locale")).iterdir(), key=lambda file: file.name)
    return (Words(), *(read_catalogue(file) for file in files if file.name.endswith(SUFFIX)))


def words_for(locale: str | None) -> Words:
    """Return the words of a locale (``it-IT``), or else of its language, or else English."""
    available = {words.locale: words for words in all_words()}
    name = (locale or ENGLISH).replace("_", "-")
    return available.get(name) or available.get(name.partition("-")[0]) or available[ENGLISH]


def read_catalogue(path: Traversable) -> Words:
    """Read a ``.po`` file. Raise BrokenCatalogue if it is invalid."""
    locale = path.name.removesuffix(SUFFIX)
    try:
        with path.open("rb") as file:
            catalogue = read_po(
                file, Locale.parse(locale, sep="-"), ignore_obsolete=True, abort_invalid=True
            )
        translated = [each for each in catalogue if each.id and each.string and not each.fuzzy]
        for message in translated:
            _check_placeholders(message)
    except (PoFileError, UnknownLocaleError, ValueError) as error:
        raise BrokenCatalogue(f"{path.name}: {error}") from error
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    page = {
        each.id: each.string
        for each in translated
        if isinstance(each.id, str)
        and isinstance(each.string, str)
        and any(place.startswith(PAGE) for place, _line in each.locations)
    }
    return Words(locale, gettext.GNUTranslations(compiled), page=page)


def plain_signs(text: str) -> str:
    """Replace application emoji by plain signs; emoji without a plain sign are removed."""

    def replaced(match: re.Match[str]) -> str:
        plain = _PLAIN.get(match["emoji"], "")
        return plain + match["space"] if plain else ""

    return _OWN_EMOJI.sub(replaced, text)


def placeholders(text: str) -> frozenset[str]:
    """Return the names of a message's facts. Raise ValueError for unbalanced braces."""
    try:
        return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)
    except ValueError as error:
        raise ValueError(f"{text!r}: {error}") from error


def _check_placeholders(message: CatalogueMessage) -> None:
    # An unknown placeholder in a translation would fail in the middle of a turn.
    allowed = frozenset().union(*map(placeholders, _texts(message.id)))
    if message.pluralizable:
        allowed |= {"count"}
    for text in _texts(message.string):
        if unknown := placeholders(text) - allowed:
            raise ValueError(f"{text!r} names {sorted(unknown)}")


def _texts(texts: str | Sequence[str] | None) -> Sequence[str]:
    return (texts,) if isinstance(texts, str) else texts or ()
