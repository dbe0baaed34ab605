"""What people type, read as words of the notation."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.game.choices import Bundle, Choices, Done, OneOf
from bot.game.kogge.data import CITIES, GOOD_KEYS, GOOD_LETTERS, MARKER_LETTERS, PIECE_LETTERS
from bot.text.contract import Unreadable
from bot.text.kogge.parsing import Vocabulary
from bot.text.kogge.parsing import read_pieces as read_with
from bot.text.words import Words, all_words, words_for
from bot.titles import TITLES
from tests.text.kogge.tables import is_bundle, moments
from tests.text.people import called

TEXT, EN = TITLES.texts["kogge"], words_for("en")
NAMES = called("Anna", "Bob", "Cleo", "Dora")
MARKERS = Bundle("markers", MARKER_LETTERS, (9,) * CITIES, 1, 20)
GOODS = Bundle("pieces", GOOD_LETTERS, (9,) * 4, 0, 30)
PIECES = Bundle("give", PIECE_LETTERS, (9,) * len(PIECE_LETTERS), 0, 99)
MARKER = OneOf("marker", tuple(str(n) for n in range(CITIES)))


def read(choices: Choices, typed: str) -> str:
    return TEXT.read(choices, typed, ("offer",))


@pytest.mark.parametrize(
    "typed",
    [
        "5 3",
        "5,3",
        "5+3",
        "53",
        "35",
        "3 and 5",
        "m5 m3",
        "markers 5, 3",
        "marker 5 3",
        "Danzig, Reval",
        "danzig (5) reval 3",
        "5️⃣ 3️⃣",
        " 5/3 ",
        "danz + rev",
    ],
)
def test_markers_are_read_however_they_are_written(typed: str) -> None:
    assert read(MARKERS, typed) == "53"


@pytest.mark.parametrize(("typed", "word"), [("2x5", "55"), ("5 5", "55"), ("3×0, 8", "8000")])
def test_markers_can_be_counted(typed: str, word: str) -> None:
    assert read(MARKERS, typed) == word


@pytest.mark.parametrize(
    "typed",
    [
        "2 ore, 1 fur",
        "2 ore fur",
        "2x ore, 1 fur",
        "ore ore fur",
        "oof",
        "2o1f",
        "fur, 2 o",
        "2 ores and 1 fur",
        "ORE 2, FUR",
        "ore 2 fur 1",
        "2 ore and fur",
        "🪨🪨🦊",
        "2 🪨, 🦊",
    ],
)
def test_goods_are_read_however_they_are_written(typed: str) -> None:
    assert read(GOODS, typed) == "oof"


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("2 ore", "oo"),
        ("2, ore", "o2"),
        ("m2 ore", "o2"),
        ("marker 2 ore", "o2"),
        ("2+ore", "o2"),
        ("ore, 2", "o2"),
        ("ore 2", "o2"),
        ("2 ore 5", "oo5"),
        ("2 ore, 1 fur and marker 5", "oof5"),
        ("riga, salt", "s4"),
        ("5 3 2 salt", "ss53"),
    ],
)
def test_a_number_before_a_good_counts_it_unless_they_are_kept_apart(typed: str, word: str) -> None:
    assert read(PIECES, typed) == word


@pytest.mark.parametrize("typed", ["", " ", "-", "nothing", "Nothing", "none"])
def test_nothing_can_be_said(typed: str) -> None:
    assert read(PIECES, typed) == ""


def test_all_means_the_whole_stock() -> None:
    assert read(Bundle("pieces", GOOD_LETTERS, (2, 0, 1, 0), 1, 3), "all") == "ooa"


@pytest.mark.parametrize(
    "typed", ["gold", "9", "5 gold", "2 2 ore?", "🐙", "1000000 ore", "x" * 999]
)
def test_what_makes_no_sense_is_unreadable_and_examples_are_given(typed: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read(PIECES, typed)
    refusal = caught.value.refusal
    assert refusal.code == "unreadable"
    assert "for example" in TEXT.refusal(EN, refusal, NAMES)


@pytest.mark.parametrize(
    "typed", ["4", "riga", "Riga (4)", "riga 4", "RIGA", "m4", "marker 4", "rig"]
)
def test_a_marker_is_read_by_number_or_city(typed: str) -> None:
    assert read(MARKER, typed) == "4"


@pytest.mark.parametrize(("typed", "word"), [("abo", "2"), ("LUBECK", "7"), ("tonsberg", "0")])
def test_diacritics_do_not_matter(typed: str, word: str) -> None:
    assert read(MARKER, typed) == word


def test_a_city_that_is_not_on_offer_is_left_for_the_rules_to_refuse() -> None:
    assert read(OneOf("marker", ("1", "2")), "riga") == "4"


@pytest.mark.parametrize("typed", ["amber", "Amber", "am", "a", " amb "])
def test_a_good_is_read_by_name_beginning_or_letter(typed: str) -> None:
    assert read(OneOf("good", GOOD_KEYS), typed) == "amber"


def test_what_can_mean_two_things_is_asked_again() -> None:
    with pytest.raises(Unreadable) as caught:
        read(MARKER, "r")
    assert caught.value.refusal.code == "ambiguous"


def test_a_whole_action_takes_no_further_word() -> None:
    with pytest.raises(Unreadable):
        read(Done(), "more")


def test_every_language_is_understood(pseudo: Words) -> None:
    vocabulary = Vocabulary.of((EN, pseudo))
    _, joint, _ = pseudo.listing(["1", "2"]).split()
    mixed = f"2 {pseudo('ore')} {joint} fur"
    assert read_with(GOOD_LETTERS, "", mixed, vocabulary) == "oof"
    assert read_with(GOOD_LETTERS, "", mixed, Vocabulary.of((EN,))) is None


@pytest.mark.parametrize("words", all_words(), ids=repr)
def test_labels_can_be_typed_back_all_through_a_game(words: Words) -> None:
    for moment in moments(3, 11):
        for prefix, choices, word in moment.steps:
            assert TEXT.read(choices, word, prefix, moment.view, NAMES) == word
            if is_bundle(choices):
                said = TEXT.pieces(words, word)
            else:
                said = TEXT.label(words, prefix, choices, word, moment.view, NAMES).text
            again = TEXT.read(choices, said, prefix, moment.view, NAMES)
            assert again == word


@given(st.text(max_size=60))
def test_any_text_is_a_word_of_pieces_or_unreadable(typed: str) -> None:
    for choices in (MARKERS, GOODS, PIECES, MARKER, OneOf("good", GOOD_KEYS)):
        try:
            word = read(choices, typed)
        except Unreadable:
            continue
        if isinstance(choices, Bundle):
            assert choices.sort(word) == word


_TALK = st.lists(
    st.sampled_from(
        [
            "2",
            "5",
            "12",
            "ore",
            "o",
            "fur",
            ",",
            " ",
            "and",
            "m",
            "marker",
            "x",
            "riga",
            "(4)",
            "oof",
            "53",
            "nothing",
            "all",
            "🦊",
            "times",
        ]
    ),
    max_size=12,
)


@given(_TALK, st.sampled_from(["", " "]))
def test_any_talk_of_pieces_is_a_word_of_pieces_or_unreadable(talk: list[str], gap: str) -> None:
    for choices in (MARKERS, GOODS, PIECES):
        try:
            word = read(choices, gap.join(talk))
        except Unreadable:
            continue
        assert choices.sort(word) == word


@given(st.integers(0, 10_000))
def test_pieces_said_in_words_are_read_back(seed: int) -> None:
    rng = Random(seed)
    for choices in (MARKERS, GOODS, PIECES):
        word = choices.sample(rng)
        assert read(choices, TEXT.pieces(EN, word)) == word
        assert read(choices, word) == word
