"""Languages: lookup, plurals, lists, dates, numbers and invalid catalogues."""

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


def test_english_texts_come_from_the_code_and_are_used_for_unknown_languages() -> None:
    # Facts are not templates.
    sail = msg("Sail to {to}")
    assert words_for("en-US")(sail, to="Riga") == "Sail to Riga"
    assert words_for(None)(sail, to="{nowhere}") == "Sail to {nowhere}"
    assert all_words()[0].locale == "en"
    for locale in (None, "", "xx", "../../etc/passwd", "zh-CN"):
        assert words_for(locale).locale == "en"


def test_a_regional_locale_finds_the_catalogue_of_its_language() -> None:
    for locale in ("it", "it-IT", "it_CH"):
        assert words_for(locale).locale == "it"


def test_messages_use_the_plurals_of_their_language_and_are_english_if_not_translated(
    tmp_path: Path,
) -> None:
    words = italian(tmp_path)
    assert words("Sail to {to}", to="Riga") == "Salpa per Riga"
    assert [words.plural("{count} fur", "{count} furs", n) for n in (1, 2)] == [
        "1 pelliccia",
        "2 pellicce",
    ]
    assert words.plural("{count} ox", "{count} oxen", 2) == "2 oxen"
    # Fuzzy and obsolete translations are not used.
    assert [words("Stay"), words("Go")] == ["Stay", "Go"]


def test_numbers_dates_and_lists_follow_the_language() -> None:
    en, it = words_for("en"), words_for("it")
    assert en.listing(["A", "B{x}", "C"]) == "A, B{x} and C"
    assert en.either(["A", "B", "C"]) == "A, B or C"
    assert it.listing(["A", "B", "Igor"]) == "A, B e Igor"
    # "e" is "ed" before a name with E.
    assert it.listing(["A", "Erik"]) == "A ed Erik"
    assert it.either(["A", "B", "C"]) == "A, B o C"
    assert [en.listing(each) for each in ([], ["A"])] == ["", "A"]
    # 0.35 rounds up, although the float is less than that.
    assert [en.number(each) for each in (4.25, 4, -3.75, 0.35)] == ["4.2", "4", "-3.8", "0.4"]
    assert [it.number(each) for each in (4.5, 0.35, 12345)] == ["4,5", "0,4", "12345"]
    assert [each.day(date(2026, 3, 5)) for each in (en, it)] == ["5 March", "5 marzo"]


def test_each_language_has_its_own_name() -> None:
    assert languages() == {"en": "English", "it": "Italiano"}
    assert Words("pt-BR").own_name() == "Português (Brasil)"


def test_an_invalid_catalogue_is_refused(tmp_path: Path) -> None:
    for translation in ("Salpa per {dove}", "Salpa per {to"):
        with pytest.raises(BrokenCatalogue, match=r"it\.po.*Salpa per"):
            italian(tmp_path, f'\nmsgid "Sail to {{to}}"\nmsgstr "{translation}"\n')
    with pytest.raises(BrokenCatalogue, match=r"it\.po.*keyword on 4"):
        italian(tmp_path, '\nmgsid "Stay"\nmsgstr "Resta"\n')
    (tmp_path / "it.po").unlink()
    with pytest.raises(BrokenCatalogue, match=r"klingon\.po"):
        italian(tmp_path, name="klingon")
