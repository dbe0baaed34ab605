"""Languages: lookup, plurals, lists, days and numbers, and what is refused."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from bot.text.personal_settings import languages
from bot.text.words import BrokenCatalogue, Words, all_words, msg, words_for

HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
ITALIAN = (
    '"Language: it\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
    'msgid "Sail to {to}"\nmsgstr "Salpa per {to}"\n\n'
    'msgid "{count} fur"\nmsgid_plural "{count} furs"\n'
    'msgstr[0] "{count} pelliccia"\nmsgstr[1] "{count} pellicce"\n\n'
    '#, fuzzy\nmsgid "Stay"\nmsgstr "Forse"\n\n'
    '#~ msgid "Go"\n#~ msgstr "Va"\n'
)


def italian(folder: Path, text: str = ITALIAN, name: str = "it") -> Words:
    (folder / f"{name}.po").write_text(HEADER + text, encoding="utf-8")
    _english, words = all_words(folder)
    return words


def test_english_is_said_as_it_stands_in_the_code_and_wherever_a_language_is_unknown() -> None:
    # Facts are left alone.
    sail = msg("Sail to {to}")
    assert words_for("en-US")(sail, to="Riga") == "Sail to Riga"
    assert words_for(None)(sail, to="{nowhere}") == "Sail to {nowhere}"
    assert all_words()[0].locale == "en"
    for locale in (None, "", "xx", "../../etc/passwd", "zh-CN"):
        assert words_for(locale).locale == "en"


def test_a_regional_locale_finds_the_catalogue_of_its_language() -> None:
    for locale in ("it", "it-IT", "it_CH"):
        assert words_for(locale).locale == "it"


def test_messages_are_filled_in_their_language_by_its_plurals_and_in_english_where_in_doubt(
    tmp_path: Path,
) -> None:
    words = italian(tmp_path)
    assert words("Sail to {to}", to="Riga") == "Salpa per Riga"
    assert [words.plural("{count} fur", "{count} furs", n) for n in (1, 2)] == [
        "1 pelliccia",
        "2 pellicce",
    ]
    assert words.plural("{count} ox", "{count} oxen", 2) == "2 oxen"
    # A doubtful translation is not used, nor one that is gone.
    assert [words("Stay"), words("Go")] == ["Stay", "Go"]


def test_numbers_days_and_lists_are_said_as_each_language_says_them() -> None:
    en, it = words_for("en"), words_for("it")
    assert en.listing(["A", "B{x}", "C"]) == "A, B{x} and C"
    assert en.either(["A", "B", "C"]) == "A, B or C"
    assert it.listing(["A", "B", "Igor"]) == "A, B e Igor"
    # A name in E- has "ed" before it, as in every sentence.
    assert it.listing(["A", "Erik"]) == "A ed Erik"
    assert it.either(["A", "B", "C"]) == "A, B o C"
    assert [en.listing(each) for each in ([], ["A"])] == ["", "A"]
    # People round 0.35 up, which a computer takes for less than that.
    assert [en.number(each) for each in (4.25, 4, -3.75, 0.35)] == ["4.2", "4", "-3.8", "0.4"]
    assert [it.number(each) for each in (4.5, 0.35, 12345)] == ["4,5", "0,4", "12345"]
    assert [each.day(date(2026, 3, 5)) for each in (en, it)] == ["5 March", "5 marzo"]


def test_each_language_says_its_own_name() -> None:
    assert languages() == {"en": "English", "it": "Italiano"}
    assert Words("pt-BR").own_name() == "Português (Brasil)"


def test_a_catalogue_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    for translation in ("Salpa per {dove}", "Salpa per {to"):
        with pytest.raises(BrokenCatalogue, match=r"it\.po.*Salpa per"):
            italian(tmp_path, f'\nmsgid "Sail to {{to}}"\nmsgstr "{translation}"\n')
    with pytest.raises(BrokenCatalogue, match=r"it\.po.*keyword on 4"):
        italian(tmp_path, '\nmgsid "Stay"\nmsgstr "Resta"\n')
    (tmp_path / "it.po").unlink()
    with pytest.raises(BrokenCatalogue, match=r"klingon\.po"):
        italian(tmp_path, name="klingon")
