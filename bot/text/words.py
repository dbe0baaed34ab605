"""Languages: English is the source in the code, others are gettext catalogues in data/locale.

Messages are looked up by their English text and filled by `str.format` with named facts that are
words already. One used directly is a literal argument of a `Words` that is called `words`; any
other is marked with `msg` or `forms`, so that `python -m tools.extract` finds it. Names have a
context (`NameContext`), as one English word may need several translations.
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
"""The English whose lists have no comma before "and"."""
SUFFIX = ".po"
"""What follows the locale in the name of a catalogue's file."""
PAGE = "bot/local/"
"""Where the messages stand that the page of the offline program looks up by itself."""


class NameContext(StrEnum):
    """Where a name is used that is not a sentence: the context of its message in a catalogue."""

    COMMAND = "command"
    OPTION = "option"
    PICTURE = "picture"


Message = NewType("Message", str)
"""What may be translated and filled with facts: the project's own text, never a person's."""


class Forms(NamedTuple):
    """A message with its plural."""

    one: Message
    many: Message


def msg(text: str) -> Message:
    """The message itself, marked for extraction; `text` is a literal."""
    return Message(text)


def forms(one: str, many: str) -> Forms:
    """A message and its plural, marked for extraction; both are literals."""
    return Forms(Message(one), Message(many))


ITALIAN = "it"
_BEFORE_VOWEL = re.compile(r"\b(?P<word>[aAeE])(?P<between> \*{0,2}\{(?P<fact>\w+)\})")
_SAME_VOWEL = {
    "a": re.compile(r"(?:<a?:\w+:\d+>|[^\w<])*[aàáâãäå]", re.IGNORECASE),
    "e": re.compile(r"(?:<a?:\w+:\d+>|[^\w<])*[eèéêë]", re.IGNORECASE),
}
"""How a text begins that is said with that vowel first; signs and emoji before it do not count."""
_OWN_EMOJI = re.compile(r"(?P<emoji><a?:\w+:\d+>)(?P<space> ?)")
_PLAIN: dict[str, str] = {}
"""The plain signs in whose place emoji have been shown."""


class BrokenCatalogue(ValueError):
    """A catalogue that cannot be used: which file, which message, and why."""


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
        """What the page of the offline program says, by its English; nothing in English."""
        self._translations = translations or gettext.NullTranslations()
        self._locale = Locale.parse(BRITISH if locale == ENGLISH else locale, sep="-")
        self._signs = {} if signs is None else signs

    def signed(self, signs: Mapping[str, str]) -> Words:
        """The same language with these signs, by name; what is added to them later counts too."""
        return Words(self.locale, self._translations, signs, self.page)

    def sign(self, name: str, plain: str, instead: str | None = None) -> str:
        """The sign of a piece for markdown and buttons; `plain`, one unicode emoji or nothing,
        where it has none of its own. `instead` is shown where Discord refuses its own, if `plain`
        would not do for that.
        """
        found = self._signs.get(name)
        if found is None:
            return plain
        _PLAIN[found] = (plain if instead is None else instead) or _PLAIN.get(found, "")
        return found

    def own_name(self) -> str:
        """What the language calls itself, with a capital."""
        name = Locale.parse(self.locale, sep="-").display_name or self.locale
        return f"{name[0].upper()}{name[1:]}"

    def day(self, when: date) -> str:
        """A day with its month."""
        return format_date(when, "d MMMM", self._locale)

    def number(self, value: float) -> str:
        """A number, with one decimal place if it has any."""
        return format_decimal(value, "0.#", self._locale)

    def __repr__(self) -> str:
        return f"Words({self.locale!r})"

    def __call__(self, message: Message, /, **facts: object) -> str:
        """The message in this language. Raises KeyError if it needs a fact that is not given."""
        return self._filled(self._translations.gettext(message), facts)

    def name(self, place: NameContext, name: str) -> str:
        """A name: of a command, an option of one, a label in a picture."""
        return self._translations.pgettext(place, name)

    def drawn(self, label: str) -> str:
        """A label in a picture."""
        return self.name(NameContext.PICTURE, label)

    def plural(self, one: Message, many: Message, count: int, /, **facts: object) -> str:
        """The form for `count`, which is itself a fact named ``count`` unless one is given."""
        chosen = self._translations.ngettext(one, many, count)
        return self._filled(chosen, {"count": count, **facts})

    def phrase(self, message: Message | Forms, count: int = 1, /, **facts: object) -> str:
        """A message from a table, made by `msg` or `forms`."""
        if isinstance(message, Forms):
            return self.plural(message.one, message.many, count, **facts)
        return self(message, **facts)

    def listing(self, items: Sequence[str]) -> str:
        """The items as a list in the language: ``A, B and C``; '' for none."""
        return self._list(items, "standard")

    def either(self, items: Sequence[str]) -> str:
        """The items as alternatives: ``A, B or C``; '' for none."""
        return self._list(items, "or")

    def _filled(self, text: str, facts: Mapping[str, object]) -> str:
        if self.locale == ITALIAN and facts:
            text = _BEFORE_VOWEL.sub(partial(_euphonic, facts), text)
        return text.format(**facts)

    def _list(self, items: Sequence[str], style: Literal["standard", "or"]) -> str:
        facts = {f"item{number}": item for number, item in enumerate(items)}
        pattern = format_list([f"{{{name}}}" for name in facts], style, self._locale)
        return self._filled(pattern, facts)


def _euphonic(facts: Mapping[str, object], found: re.Match[str]) -> str:
    """In Italian "a {name}" is "ad" before a name in A- and Å-, "e {name}" is "ed" before one in
    E-. Done where a message is filled, as only there the name is known.
    """
    word, between, fact = found["word"], found["between"], found["fact"]
    begins = _SAME_VOWEL[word.lower()].match(f"{facts.get(fact, '')}")
    return f"{word}{'d' if begins else ''}{between}"


@cache
def all_words(folder: Traversable | None = None) -> tuple[Words, ...]:
    """English, then the languages of the ``<locale>.po`` files of a folder, by default those
    installed. They are read once, in a tenth of a second. Raises BrokenCatalogue.
    """
    files = sorted((folder or data("locale")).iterdir(), key=lambda file: file.name)
    return (Words(), *(read_catalogue(file) for file in files if file.name.endswith(SUFFIX)))


def words_for(locale: str | None) -> Words:
    """The words of a locale such as ``it`` or ``it-IT``; of its language; or English."""
    known = {words.locale: words for words in all_words()}
    name = (locale or ENGLISH).replace("_", "-")
    return known.get(name) or known.get(name.partition("-")[0]) or known[ENGLISH]


def read_catalogue(path: Traversable) -> Words:
    """The words of one ``.po`` file. Raises BrokenCatalogue where it cannot be used."""
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
    """The text with plain signs in place of the bot's own emoji; nothing where there is none."""

    def replaced(found: re.Match[str]) -> str:
        plain = _PLAIN.get(found["emoji"], "")
        return plain + found["space"] if plain else ""

    return _OWN_EMOJI.sub(replaced, text)


def placeholders(text: str) -> frozenset[str]:
    """The names of the facts that a message asks for. Raises ValueError for broken braces."""
    try:
        return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)
    except ValueError as error:
        raise ValueError(f"{text!r}: {error}") from error


def _check_placeholders(message: CatalogueMessage) -> None:
    # A translation that needs a fact nobody gives would fail in the middle of somebody's turn.
    allowed = frozenset().union(*map(placeholders, _texts(message.id)))
    if message.pluralizable:
        allowed |= {"count"}
    for text in _texts(message.string):
        if strange := placeholders(text) - allowed:
            raise ValueError(f"{text!r} names {sorted(strange)}")


def _texts(said: str | Sequence[str] | None) -> Sequence[str]:
    return (said,) if isinstance(said, str) else said or ()
