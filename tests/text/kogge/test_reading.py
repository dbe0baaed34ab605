"""Typed text is parsed into words of the notation."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from bot.game.choices import Bundle, Choices, Done, OneOf
from bot.game.kogge.data import CITIES, GOOD_KEYS, GOOD_LETTERS, MARKER_LETTERS, PIECE_LETTERS
from bot.text.contract import Unreadable
from bot.text.words import words_for
from bot.titles import TITLES
from tests.text.people import called

TEXT, EN = TITLES.texts["kogge"], words_for("en")
NAMES = called("Anna", "Bob", "Cleo", "Dora")
MARKERS = Bundle("markers", MARKER_LETTERS, (9,) * CITIES, 1, 20)
GOODS = Bundle("pieces", GOOD_LETTERS, (9,) * 4, 0, 30)
PIECES = Bundle("give", PIECE_LETTERS, (9,) * len(PIECE_LETTERS), 0, 99)
MARKER = OneOf("marker", tuple(str(n) for n in range(CITIES)))
GOOD = OneOf("good", GOOD_KEYS)


def read(choices: Choices, typed: str) -> str:
    return TEXT(EN).read(choices, typed, ("offer",))


def check(choices: Choices, word: str, typed: Iterable[str]) -> None:
    wrong = [each for each in typed if read(choices, each) != word]
    assert not wrong, word


def test_markers_can_be_written_in_many_ways() -> None:
    marked = ("m5 m3", "markers 5, 3", "marker 5 3", "5️⃣ 3️⃣", " 5/3 ")
    named = ("Danzig, Reval", "danzig (5) reval 3", "danz + rev")
    check(MARKERS, "53", ("5 3", "5,3", "5+3", "53", "35", "3 and 5", *marked, *named))
    for typed, word in {"2x5": "55", "5 5": "55", "3×0, 8": "8000"}.items():
        assert read(MARKERS, typed) == word, typed


def test_goods_can_be_written_in_many_ways() -> None:
    counted = ("2 ore, 1 fur", "2x ore, 1 fur", "2o1f", "fur, 2 o", "ORE 2, FUR", "ore 2 fur 1")
    joined = ("2 ore fur", "ore ore fur", "oof", "2 ores and 1 fur", "2 ore and fur")
    check(GOODS, "oof", (*counted, *joined, "🪨🪨🦊", "2 🪨, 🦊"))


def test_a_number_before_a_good_is_its_count_unless_they_are_separated() -> None:
    check(PIECES, "oo", ["2 ore"])
    apart = ("2, ore", "m2 ore", "marker 2 ore", "2+ore", "ore, 2", "ore 2")
    check(PIECES, "o2", apart)
    check(PIECES, "oo5", ["2 ore 5"])
    check(PIECES, "oof5", ["2 ore, 1 fur and marker 5"])
    check(PIECES, "s4", ["riga, salt"])
    check(PIECES, "ss53", ["5 3 2 salt"])


def test_nothing_is_an_empty_word_and_all_is_the_whole_stock() -> None:
    check(PIECES, "", ("", " ", "-", "nothing", "Nothing", "none"))
    assert read(Bundle("pieces", GOOD_LETTERS, (2, 0, 1, 0), 1, 3), "all") == "ooa"


def test_nonsense_is_refused_with_examples() -> None:
    for typed in ("gold", "9", "5 gold", "2 2 ore?", "🐙", "1000000 ore", "x" * 999):
        with pytest.raises(Unreadable) as caught:
            read(PIECES, typed)
        assert caught.value.refusal.code == "unreadable"
        assert "for example" in TEXT(EN, NAMES).refusal(caught.value.refusal)


def test_a_marker_or_a_good_can_be_written_by_name_prefix_or_symbol() -> None:
    check(MARKER, "4", ("4", "riga", "Riga (4)", "riga 4", "RIGA", "m4", "marker 4", "rig"))
    for typed, word in {"abo": "2", "LUBECK": "7", "tonsberg": "0"}.items():
        assert read(MARKER, typed) == word
    # The rules refuse words that are not on offer.
    assert read(OneOf("marker", ("1", "2")), "riga") == "4"
    check(GOOD, "amber", ("amber", "Amber", "am", "a", " amb "))


def test_ambiguous_and_superfluous_words_are_refused() -> None:
    for choices, typed, code in ((MARKER, "r", "ambiguous"), (Done(), "more", "too_many_words")):
        with pytest.raises(Unreadable) as caught:
            read(choices, typed)
        assert caught.value.refusal.code == code


def test_words_of_all_languages_can_be_read() -> None:
    check(PIECES, "oof", ("2 minerali e fur", "minerale e ore, 1 pelliccia"))
    check(PIECES, "o53", ("segnalini 5, 3 and ore", "Danzica e Reval, 1 minerale"))
    check(PIECES, "", ("niente", "nothing"))
