"""Languages: English is the source in the code, others are gettext catalogues in data/locale.

Messages are looked up by their English text and filled by `str.format` with named facts that are
words already. A message in a table is marked with `msg` or `forms`, so that `python -m
bot.text.extract` finds it; one used directly is an argument of a `Words`. Names have a context
(`NameContext`), as one English word may need several translations.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from enum import StrEnum
from functools import cache, cached_property, partial, reduce
from string import Formatter
from typing import NamedTuple, NewType

from bot.resources import Traversable, data
from bot.text.catalogue import BadCatalogue, Translation, messages, translations

ENGLISH = "en"
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


# How a language says what others say otherwise: its own name, a day, a number, a list.
ITSELF = msg("English")
MONTHS = (
    msg("January"),
    msg("February"),
    msg("March"),
    msg("April"),
    msg("May"),
    msg("June"),
    msg("July"),
    msg("August"),
    msg("September"),
    msg("October"),
    msg("November"),
    msg("December"),
)
"""As they are said after a day."""
DAY = msg("{day} {month}")
NUMBER = msg("{whole}.{tenth}")
NEXT = msg("{items}, {next}")
AND = msg("{items} and {last}")
OR = msg("{items} or {last}")
_TENTH = Decimal("0.1")
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

    def day(self, when: date) -> str:
        """A day with its month."""
        return self(DAY, day=when.day, month=self(MONTHS[when.month - 1]))

    def number(self, value: float) -> str:
        """A number, with one decimal place if it has any."""
        # As people write it: 0.35 is less than that for a computer, which would round it down.
        whole, _, tenth = f"{Decimal(str(value)).quantize(_TENTH)}".partition(".")
        return whole if tenth == "0" else self(NUMBER, whole=whole, tenth=tenth)

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
        return self._list(items, AND)

    def either(self, items: Sequence[str]) -> str:
        """The items as alternatives: ``A, B or C``; '' for none."""
        return self._list(items, OR)

    def _filled(self, text: str, facts: Mapping[str, object]) -> str:
        if self.locale == ITALIAN and facts:
            text = _BEFORE_VOWEL.sub(partial(_euphonic, facts), text)
        return text.format(**facts)

    def _list(self, items: Sequence[str], end: Message) -> str:
        if len(items) <= 1:
            return "".join(items)
        first = reduce(lambda before, each: self(NEXT, items=before, next=each), items[:-1])
        return self(end, items=first, last=items[-1])


def _euphonic(facts: Mapping[str, object], found: re.Match[str]) -> str:
    """In Italian "a {name}" is "ad" before a name in A- and Å-, "e {name}" is "ed" before one in
    E-. Done where a message is filled, as only there the name is known.
    """
    word, between, fact = found["word"], found["between"], found["fact"]
    begins = _SAME_VOWEL[word.lower()].match(f"{facts.get(fact, '')}")
    return f"{word}{'d' if begins else ''}{between}"


class Catalogues:
    """The languages of a folder of ``<locale>.po`` files, each read at its first use."""

    def __init__(self, folder: Traversable | None = None) -> None:
        self._folder = folder or data("locale")
        self._words: dict[str, Words] = {ENGLISH: Words()}

    @cached_property
    def _files(self) -> dict[str, Traversable]:
        # Looked up once: the commands alone ask for a language some ten thousand times.
        files = {each.name: each for each in self._folder.iterdir()}
        names = sorted(name.removesuffix(SUFFIX) for name in files if name.endswith(SUFFIX))
        return {name: files[name + SUFFIX] for name in names}

    def words_for(self, locale: str | None) -> Words:
        """The words of a locale such as ``it`` or ``it-IT``; of its language; or English.

        Raises BrokenCatalogue where the file cannot be used.
        """
        for name in _candidates(locale):
            if name in self._words:
                return self._words[name]
            if name in self._files:
                self._words[name] = read_catalogue(self._files[name])
                return self._words[name]
        return self._words[ENGLISH]

    def all(self) -> tuple[Words, ...]:
        """Every language there is, English first."""
        return (self._words[ENGLISH], *map(self.words_for, self._files))


def read_catalogue(path: Traversable) -> Words:
    """The words of one ``.po`` file. Raises BrokenCatalogue where it cannot be used."""
    try:
        read = list(messages(path.read_text(encoding="utf-8")))
    except (BadCatalogue, UnicodeDecodeError) as error:
        raise BrokenCatalogue(f"{path.name}: {error}") from error
    for each in read:
        _check_placeholders(path, each)
    page = {
        each.one: each.forms[0]
        for each in read
        if each.one
        and each.many is None
        and each.forms[0]
        and not each.is_fuzzy
        and any(place.startswith(PAGE) for place in each.places)
    }
    return Words(path.name.removesuffix(SUFFIX), translations(read), page=page)


@cache
def _default() -> Catalogues:
    return Catalogues()


def words_for(locale: str | None) -> Words:
    """The words of the installed catalogue for a locale; English where there is none."""
    return _default().words_for(locale)


def all_words() -> tuple[Words, ...]:
    """Every installed language, English first."""
    return _default().all()


def read_all() -> None:
    """Read all languages beforehand, so that nobody has to wait for it."""
    all_words()


def plain_signs(text: str) -> str:
    """The text with plain signs in place of the bot's own emoji; nothing where there is none."""

    def replaced(found: re.Match[str]) -> str:
        plain = _PLAIN.get(found["emoji"], "")
        return plain + found["space"] if plain else ""

    return _OWN_EMOJI.sub(replaced, text)


def placeholders(text: str) -> frozenset[str]:
    """The names of the facts that a message asks for. Raises ValueError for broken braces."""
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def _candidates(locale: str | None) -> tuple[str, ...]:
    if not locale:
        return ()
    # A locale comes from outside and becomes a file name.
    name = "".join(c for c in locale.replace("_", "-") if c.isalnum() or c == "-")
    return (name, name.partition("-")[0])


def _check_placeholders(path: Traversable, message: Translation) -> None:
    # A translation that needs a fact nobody gives would fail in the middle of somebody's turn.
    if not message.one or message.is_fuzzy:
        return
    for text in message.forms:
        if "{" not in text and "}" not in text:
            continue
        allowed = placeholders(message.one)
        if message.many is not None:
            allowed |= placeholders(message.many) | {"count"}
        try:
            strange = placeholders(text) - allowed
        except ValueError as error:
            raise BrokenCatalogue(f"{path.name}: {text!r}: {error}") from error
        if strange:
            raise BrokenCatalogue(f"{path.name}: {text!r} names {sorted(strange)}")
