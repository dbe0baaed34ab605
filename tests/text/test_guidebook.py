"""Reading and searching the rules of any game."""

from __future__ import annotations

from itertools import product

import pytest

from bot.text import guidebook
from bot.text.game_data import Ruling
from bot.text.guidebook import AROUND, RULINGS, Guidebook
from bot.text.matching import tokens
from bot.text.words import Words, all_words, msg, words_for
from bot.titles import TITLES

BOOK = Guidebook(TITLES.texts["kogge"](words_for("en")))


def found(typed: str) -> list[str]:
    return [each.topic for each in BOOK.search(typed)]


def test_a_chapter_is_found_by_its_key_or_its_title() -> None:
    assert BOOK.named("guild_deals") == "guild_deals"
    assert BOOK.named("  building AN office ") == "office"
    assert BOOK.named("cattle") is None


def test_a_matching_title_comes_first() -> None:
    assert found("raid")[0] == "raid"
    assert found("Conflicts")[0] == "conflicts"
    # The others are in the order of the book.
    assert len(found("raid")) > 3
    assert found("raid")[1:] == [each for each in BOOK.topics if each in found("raid")[1:]]
    assert "ending" in found("raid")


def test_every_typed_word_must_be_a_prefix_ignoring_case_and_accents() -> None:
    for typed in ("Tønsberg", "tonsberg", "TONSBERG", "tøns", "åbo stockholm"):
        assert "cities" in found(typed), typed
    assert "taxes" in found("empty ship pays")
    assert found("empty ship zeppelin") == []
    assert found("...") == []
    assert "conflicts" in found("challen")
    assert "conflicts" not in found("hallenge")


def test_the_best_matching_line_is_shown_without_markup() -> None:
    lines = {each.topic: each.line for each in BOOK.search("secret route step would cost")}
    assert lines["chits"].startswith("Secret route: from any city")


def test_the_chapter_about_tables_is_the_last_in_every_game() -> None:
    for text, words in product(TITLES.texts.values(), all_words()):
        book = Guidebook(text(words))
        assert book.topics[-1] == AROUND
        assert len(set(book.topics)) == len(book.topics)
        for topic in book.topics:
            assert 1 <= len(book.title(topic)) <= 80
            assert 100 <= len(book.chapter(topic)) <= 1800


def test_pages_of_rulings_come_before_the_chapter_about_tables() -> None:
    rulings = [Ruling(n, "raid", msg("Some rather long ruling. " * 6)) for n in range(1, 25)]
    book = Guidebook(TITLES.texts["kogge"](words_for("en")), rulings)
    pages = [topic for topic in book.topics if topic.startswith(RULINGS)]
    assert book.topics[-len(pages) - 1 :] == (*pages, AROUND)
    assert book.named("rulings") == pages[0] == RULINGS
    assert book.title(RULINGS).startswith("Rulings 1–")
    text = "\n".join(map(book.chapter, pages))
    assert [f"**{each.number}** · *Raids:* Some" in text for each in rulings] == [True] * 24
    assert book.search("24")[0].topic == pages[-1]


def test_a_search_works_in_other_languages(pseudo: Words) -> None:
    book = Guidebook(TITLES.texts["kogge"](pseudo))
    title = book.title("raid")
    assert book.search(title)[0].topic == "raid"
    assert book.search("raid") == []


def test_the_book_is_indexed_once_and_long_queries_are_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[int] = []

    def counted(text: str) -> tuple[str, ...]:
        read.append(len(text))
        return tokens(text)

    monkeypatch.setattr(guidebook, "tokens", counted)
    book = Guidebook(TITLES.texts["kogge"](words_for("en")))
    book.search("raid")
    assert sum(read) > 10_000

    for typed in ("raid", "1x" * 3000, "a b c d e f g h i j", "ﷺ" * 6000):
        read.clear()
        book.search(typed)
        book.named(typed)
        assert sum(read) <= 2 * guidebook.MAX_TYPED
