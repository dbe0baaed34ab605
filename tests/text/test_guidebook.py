"""The rules as a person reads and searches them, the same for every game."""

from __future__ import annotations

import pytest

from bot.text.guidebook import AROUND, Guidebook
from bot.text.registry import TEXTS
from bot.text.words import Words, all_words, words_for

BOOK = Guidebook(TEXTS["kogge"], words_for("en"))


def found(typed: str) -> list[str]:
    """The topics that a search finds, best first."""
    return [each.topic for each in BOOK.search(typed)]


def test_a_chapter_is_known_by_its_key_and_by_its_title() -> None:
    assert BOOK.named("guild_deals") == "guild_deals"
    assert BOOK.named("  building AN office ") == "office"
    assert BOOK.named("cattle") is None


def test_a_title_that_fits_comes_first() -> None:
    assert found("raid")[0] == "raid"
    assert found("Conflicts")[0] == "conflicts"
    assert "ending" in found("raid")


@pytest.mark.parametrize("typed", ["Tønsberg", "tonsberg", "TONSBERG", "tøns", "åbo stockholm"])
def test_neither_case_nor_accents_matter(typed: str) -> None:
    assert "cities" in found(typed)


def test_every_word_must_be_there() -> None:
    assert "taxes" in found("empty ship pays")
    assert found("empty ship zeppelin") == []
    assert found("...") == []


def test_a_word_is_found_by_its_beginning_and_not_by_its_middle() -> None:
    assert "conflicts" in found("challen")
    assert "conflicts" not in found("hallenge")


def test_the_line_that_fits_best_is_shown_without_its_markup() -> None:
    lines = {each.topic: each.line for each in BOOK.search("secret route costs otherwise")}
    assert lines["chits"].startswith("Secret route: from any city")


@pytest.mark.parametrize("words", all_words(), ids=repr)
def test_every_game_tells_of_itself_first_and_of_tables_last(words: Words) -> None:
    for text in TEXTS.values():
        book = Guidebook(text, words)
        assert book.topics[-1] == AROUND
        assert len(set(book.topics)) == len(book.topics)
        for topic in book.topics:
            assert 1 <= len(book.title(topic)) <= 80
            assert 100 <= len(book.chapter(topic)) <= 1800


def test_other_languages_are_searched_in_their_own_words(pseudo: Words) -> None:
    book = Guidebook(TEXTS["kogge"], pseudo)
    title = book.title("raid")
    assert book.search(title)[0].topic == "raid"
    assert book.search("raid") == []
