"""Languages: lookup, plurals, lists, and catalogues that are refused."""

from __future__ import annotations

from datetime import date
from functools import cache
from pathlib import Path

import pytest
from babel.core import Locale
from babel.dates import format_date
from babel.lists import format_list
from babel.numbers import format_decimal

from bot.text import words as speaking
from bot.text.personal_settings import languages
from bot.text.words import BrokenCatalogue, Catalogues, Words, all_words, words_for

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


def test_english_is_said_as_it_stands_in_the_code() -> None:
    assert words_for("en-US")("Sail to {to}", to="Riga") == "Sail to Riga"


def test_braces_in_a_fact_are_left_alone() -> None:
    assert words_for(None)("Sail to {to}", to="{nowhere}") == "Sail to {nowhere}"


def test_a_regional_locale_finds_the_catalogue_of_its_language(folder: Path) -> None:
    words = italian(folder)
    assert words.locale == "it"
    assert words("Sail to {to}", to="Riga") == "Salpa per Riga"


def test_plurals_follow_the_language(folder: Path) -> None:
    words = italian(folder)
    assert [words.plural("{count} fur", "{count} fur", n) for n in (1, 2)] == [
        "1 pelliccia",
        "2 pellicce",
    ]


def test_a_doubtful_translation_is_not_used(folder: Path) -> None:
    assert italian(folder)("Stay") == "Stay"


@pytest.mark.parametrize("locale", [None, "", "xx", "../../etc/passwd", "zh-CN"])
def test_an_unknown_locale_falls_back_to_english(folder: Path, locale: str | None) -> None:
    assert Catalogues(folder).words_for(locale).locale == "en"


def test_lists_are_said_as_each_language_says_them(folder: Path) -> None:
    items = ["A", "B{x}", "C"]
    assert words_for("en").listing(items) == "A, B{x} and C"
    assert italian(folder).listing(items) == "A, B{x} e C"
    assert words_for("en").either(["A", "B"]) == "A or B"
    assert words_for("it").either(["A", "B", "C"]) == "A, B o C"
    assert [words_for("en").listing(each) for each in ([], ["A"])] == ["", "A"]


def test_numbers_are_written_as_each_language_writes_them() -> None:
    assert [words_for("en").number(each) for each in (4.25, 4)] == ["4.2", "4"]
    assert [words_for("it").number(each) for each in (4.5, 0.35, 12345)] == ["4,5", "0,4", "12345"]


@pytest.mark.parametrize("locale", ["en-GB", "it"])
def test_what_each_language_says_otherwise_is_as_babel_knows_it(locale: str) -> None:
    words, known = words_for(locale), Locale.parse(locale, sep="-")
    for month in range(1, 13):
        assert words.day(date(2026, month, 9)) == format_date(
            date(2026, month, 9), "d MMMM", locale=known
        )
    for number in (0, 0.04, 1.25, 2.5, -3.75, 99.95):
        assert words.number(number) == format_decimal(number, "0.#", locale=known)
    for items in (["A", "B"], ["A", "B", "C", "D"]):
        assert words.listing(items) == format_list(items, "standard", known)
        assert words.either(items) == format_list(items, "or", known)


def test_each_language_says_its_own_name_and_one_that_does_not_goes_by_its_code(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert languages() == {"en": "English", "it": "Italiano"}
    italian(folder)
    monkeypatch.setattr(speaking, "_default", cache(lambda: Catalogues(folder)))
    assert languages() == {"en": "English", "it": "it"}


@pytest.mark.parametrize("translation", ["Salpa per {dove}", "Salpa per {to"])
def test_a_translation_that_cannot_be_filled_is_refused(folder: Path, translation: str) -> None:
    with pytest.raises(BrokenCatalogue, match=r"it\.po"):
        italian(folder, f'\nmsgid "Sail to {{to}}"\nmsgstr "{translation}"\n')


def test_every_installed_catalogue_can_be_used() -> None:
    assert all_words()[0].locale == "en"


def test_nobody_waits_for_a_language_to_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speaking, "_default", cache(Catalogues))
    speaking.read_all()
    monkeypatch.setattr(speaking, "read_catalogue", lambda _: pytest.fail("it was read"))
    assert words_for("it").locale == "it"
