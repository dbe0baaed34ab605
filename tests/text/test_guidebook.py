"""The rules as a person reads and searches them, the same for every game."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from bot.text import guidebook
from bot.text.folding import tokens
from bot.text.guidebook import AROUND, Guidebook
from bot.text.words import Words, all_words, words_for
from bot.titles import TITLES

BOOK = Guidebook(TITLES.texts["kogge"], words_for("en"))


def found(typed: str) -> list[str]:
    return [each.topic for each in BOOK.search(typed)]


def test_a_chapter_is_known_by_its_key_and_by_its_title() -> None:
    assert BOOK.named("guild_deals") == "guild_deals"
    assert BOOK.named("  building AN office ") == "office"
    assert BOOK.named("cattle") is None


def test_a_title_that_fits_comes_first() -> None:
    assert found("raid")[0] == "raid"
    assert found("Conflicts")[0] == "conflicts"
    assert "ending" in found("raid")


def test_every_word_must_be_there_by_its_beginning_whatever_its_case_and_accents() -> None:
    for typed in ("Tønsberg", "tonsberg", "TONSBERG", "tøns", "åbo stockholm"):
        assert "cities" in found(typed), typed
    assert "taxes" in found("empty ship pays")
    assert found("empty ship zeppelin") == []
    assert found("...") == []
    assert "conflicts" in found("challen")
    assert "conflicts" not in found("hallenge")


def test_the_line_that_fits_best_is_shown_without_its_markup() -> None:
    lines = {each.topic: each.line for each in BOOK.search("secret route costs otherwise")}
    assert lines["chits"].startswith("Secret route: from any city")


def test_every_game_tells_of_itself_first_and_of_tables_last() -> None:
    for text, words in product(TITLES.texts.values(), all_words()):
        book = Guidebook(text, words)
        assert book.topics[-1] == AROUND
        assert len(set(book.topics)) == len(book.topics)
        for topic in book.topics:
            assert 1 <= len(book.title(topic)) <= 80
            assert 100 <= len(book.chapter(topic)) <= 1800


def test_other_languages_are_searched_in_their_own_words(pseudo: Words) -> None:
    book = Guidebook(TITLES.texts["kogge"], pseudo)
    title = book.title("raid")
    assert book.search(title)[0].topic == "raid"
    assert book.search("raid") == []


def begins(text: str, wanted: set[str]) -> int:
    """How many of the words that begin so are in a text."""
    return sum(any(each.startswith(word) for each in tokens(text)) for word in wanted)


def looked_through(book: Guidebook, typed: str) -> list[tuple[str, int]]:
    """What a search has to find, by looking at every word of every line: topics and hits."""
    wanted, found = set(tokens(typed)), []
    for place, topic in enumerate(book.topics):
        text = f"{book.title(topic)}\n{book.chapter(topic)}"
        if wanted and begins(text, wanted) == len(wanted):
            lines = filter(None, book.chapter(topic).splitlines())
            best = max(begins(line, wanted) for line in lines)
            found.append((-begins(book.title(topic), wanted), place, topic, best))
    return [(topic, best) for _rank, _place, topic, best in sorted(found)]


@pytest.mark.parametrize("game", TITLES.texts)
def test_the_index_finds_what_looking_through_all_the_text_finds(game: str) -> None:
    for words in all_words():
        book, rng = Guidebook(TITLES.texts[game], words), Random(3)
        # The number of a list is no part of the line that is shown.
        known = {each for topic in book.topics for each in tokens(book.chapter(topic))}
        there = sorted(token for token in known if token.isalpha())
        for _ in range(8):
            typed = " ".join(
                word[: rng.randint(1, len(word))] for word in rng.sample(there, rng.randint(1, 3))
            )
            wanted = set(tokens(typed))
            said = [(each.topic, begins(each.line, wanted)) for each in book.search(typed)]
            assert said == looked_through(book, typed), typed


def test_a_search_reads_the_book_once_and_never_more_of_what_is_typed_than_its_beginning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[int] = []

    def counted(text: str) -> tuple[str, ...]:
        read.append(len(text))
        return tokens(text)

    monkeypatch.setattr(guidebook, "tokens", counted)
    book = Guidebook(TITLES.texts["kogge"], words_for("en"))
    book.search("raid")
    assert sum(read) > 10_000

    for typed in ("raid", "1x" * 3000, "a b c d e f g h i j", "ﷺ" * 6000):
        read.clear()
        book.search(typed)
        book.named(typed)
        assert sum(read) <= 2 * guidebook.MOST_TYPED
