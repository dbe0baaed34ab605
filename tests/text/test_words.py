"""Languages: files read as Babel reads them, lookup, plurals, lists, and what is refused."""

from __future__ import annotations

from datetime import date
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from babel.core import Locale
from babel.dates import format_date
from babel.lists import format_list
from babel.messages.pofile import read_po, write_po
from babel.numbers import format_decimal

from bot.resources import CHECKOUT
from bot.text import words as speaking
from bot.text.catalogue import BadCatalogue, Translation, messages, translations
from bot.text.personal_settings import languages
from bot.text.words import BrokenCatalogue, Catalogues, Words, all_words, words_for

THREE_FORMS = 'msgid ""\nmsgstr "Plural-Forms: nplurals=3; plural=(n > 2 ? 2 : n > 1);\\n"\n\n'
SAID = """#. What somebody wrote.
#: bot/a.py bot/b.py
#, fuzzy, python-brace-format
msgctxt "option"
msgid "first\\n"
"second \\"line\\" \\\\ \\t"
msgstr ""
#| msgid "before"
msgid "{count} fur"
msgid_plural "{count} furs"
msgstr[0] "uno"
msgstr[1] "due"
msgstr[2] ""

#~ msgid "gone"
#~ msgstr "via"
"""
ODD = 'first\nsecond "line" \\ \t'


def read_by_babel(po: bytes) -> list[Translation]:
    found = []
    for message in read_po(BytesIO(po), abort_invalid=True):
        one, many = (message.id, None) if isinstance(message.id, str) else message.id
        forms = (message.string,) if isinstance(message.string, str) else tuple(message.string)
        places = tuple(place for place, _ in message.locations)
        found.append(Translation(message.context, one, many, forms, places, message.fuzzy))
    # What Babel says of the header are guesses.
    return found[1:]


def test_every_language_is_read_as_babel_reads_it() -> None:
    paths = sorted((CHECKOUT / "data" / "locale").glob("*.po*"))
    assert len(paths) > 1
    for path in paths:
        po = path.read_bytes()
        ours = list(messages(po.decode()))
        assert ours[1:] == read_by_babel(po), path
        assert len(ours) > 1000


def test_what_is_long_or_odd_is_read_as_babel_reads_it() -> None:
    written = BytesIO()
    write_po(written, read_po(BytesIO((THREE_FORMS + SAID).encode())), width=30, omit_header=True)
    po = THREE_FORMS.encode() + written.getvalue()
    ours = list(messages(po.decode()))
    assert ours[1:] == read_by_babel(po)
    assert ours[1].one == ODD
    assert list(messages(SAID.replace("\n", "\r\n"))) == list(messages(SAID))


def test_a_number_has_the_form_that_the_header_says_and_english_where_it_is_missing() -> None:
    said = translations(list(messages(THREE_FORMS + SAID)))
    forms = [said.ngettext("{count} fur", "{count} furs", count) for count in (1, 2, 3)]
    assert forms == ["uno", "due", "{count} furs"]
    assert [said.ngettext("an ox", "oxen", count) for count in (1, 2)] == ["an ox", "oxen"]
    # What is doubtful or gone is said in English as well.
    assert said.pgettext("option", ODD) == ODD
    assert said.gettext("gone") == "gone"


def test_a_line_that_is_none_of_a_catalogue_is_quoted() -> None:
    no_lines = ('msgstr "a" b', "msgid a", 'mgsid "a"', '"a"', 'msgid "a"b"')
    for line in (*no_lines, 'msgid "a"\nmsgid "b"'):
        with pytest.raises(BadCatalogue, match=r"line \d: " + line.split("\n")[-1].split()[0]):
            list(messages(line))


HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
ITALIAN = (
    '"Language: it\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
    'msgid "Sail to {to}"\nmsgstr "Salpa per {to}"\n\n'
    'msgid "{count} fur"\nmsgid_plural "{count} fur"\n'
    'msgstr[0] "{count} pelliccia"\nmsgstr[1] "{count} pellicce"\n\n'
    'msgid "{items} and {last}"\nmsgstr "{items} e {last}"\n\n'
    '#, fuzzy\nmsgid "Stay"\nmsgstr "Forse"\n'
)


def italian(folder: Path, text: str = ITALIAN) -> Words:
    (folder / "it.po").write_text(HEADER + text, encoding="utf-8")
    return Catalogues(folder).words_for("it-IT")


def test_english_is_said_as_it_stands_in_the_code_and_wherever_a_language_is_unknown() -> None:
    # Facts are left alone.
    assert words_for("en-US")("Sail to {to}", to="Riga") == "Sail to Riga"
    assert words_for(None)("Sail to {to}", to="{nowhere}") == "Sail to {nowhere}"
    assert all_words()[0].locale == "en"
    for locale in (None, "", "xx", "../../etc/passwd", "zh-CN"):
        assert words_for(locale).locale == "en"


def test_a_regional_locale_finds_the_catalogue_of_its_language(tmp_path: Path) -> None:
    words = italian(tmp_path)
    assert words.locale == "it"
    assert words("Sail to {to}", to="Riga") == "Salpa per Riga"
    counted = [words.plural("{count} fur", "{count} fur", n) for n in (1, 2)]
    assert counted == ["1 pelliccia", "2 pellicce"]
    # A doubtful translation is not used.
    assert words("Stay") == "Stay"
    assert words.listing(["A", "B{x}", "C"]) == "A, B{x} e C"


def test_lists_and_numbers_are_said_as_each_language_says_them() -> None:
    en, it = words_for("en"), words_for("it")
    assert en.listing(["A", "B{x}", "C"]) == "A, B{x} and C"
    assert en.either(["A", "B"]) == "A or B"
    assert it.either(["A", "B", "C"]) == "A, B o C"
    assert [en.listing(each) for each in ([], ["A"])] == ["", "A"]
    assert [en.number(each) for each in (4.25, 4)] == ["4.2", "4"]
    assert [it.number(each) for each in (4.5, 0.35, 12345)] == ["4,5", "0,4", "12345"]


def test_what_each_language_says_otherwise_is_as_babel_knows_it() -> None:
    for locale in ("en-GB", "it"):
        words, known = words_for(locale), Locale.parse(locale, sep="-")
        for month in range(1, 13):
            day = date(2026, month, 9)
            assert words.day(day) == format_date(day, "d MMMM", locale=known)
        for number in (0, 0.04, 1.25, 2.5, -3.75, 99.95):
            assert words.number(number) == format_decimal(number, "0.#", locale=known)
        for items in (["A", "B"], ["A", "B", "C", "D"]):
            assert words.listing(items) == format_list(items, "standard", known)
            assert words.either(items) == format_list(items, "or", known)


def test_each_language_says_its_own_name_and_one_that_does_not_goes_by_its_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert languages() == {"en": "English", "it": "Italiano"}
    italian(tmp_path)
    monkeypatch.setattr(speaking, "_default", cache(lambda: Catalogues(tmp_path)))
    assert languages() == {"en": "English", "it": "it"}


def test_a_translation_that_cannot_be_filled_is_refused(tmp_path: Path) -> None:
    for translation in ("Salpa per {dove}", "Salpa per {to"):
        with pytest.raises(BrokenCatalogue, match=r"it\.po"):
            italian(tmp_path, f'\nmsgid "Sail to {{to}}"\nmsgstr "{translation}"\n')


def test_nobody_waits_for_a_language_to_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speaking, "_default", cache(Catalogues))
    speaking.read_all()
    monkeypatch.setattr(speaking, "read_catalogue", lambda _: pytest.fail("it was read"))
    assert words_for("it").locale == "it"
