"""What people type, read as words of the notation."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.burgundy.boards import SPACE_NAMES
from bot.game.burgundy.data import DEPOT_WORDS, TILE_KEYS
from bot.game.choices import Bundle, Choices, Done, OneOf
from bot.text.contract import Unreadable
from bot.text.words import Words, all_words, words_for
from bot.titles import TITLES
from tests.text.burgundy.tables import moments
from tests.text.people import called

TEXT, EN = TITLES.texts["burgundy"], words_for("en")
NAMES = called("Anna", "Bob", "Cleo", "Dora")
TILE = OneOf("tile", TILE_KEYS)
DEPOT = OneOf("depot", DEPOT_WORDS)
DIE = OneOf("die", ("3", "4"))
TYPES = Bundle("goods", "123456", (0, 1, 0, 1, 1, 0), 2, 2)


@pytest.mark.parametrize(
    ("choices", "typed", "word"),
    [
        (TILE, "Market", "market"),
        (TILE, " 3 COWS ", "cow3"),
        (TILE, "cows 3", "cow3"),
        (TILE, "cow3", "cow3"),
        (TILE, "knowledge 12", "k12"),
        (TILE, "k7", "k7"),
        (TILE, "boarding", "boarding_house"),
        (TILE, "city_hall", "city_hall"),
        (DEPOT, "depot 4", "4"),
        (DEPOT, "4", "4"),
        (DEPOT, "black", "black"),
        (DIE, "⚃", "4"),
        (DIE, "⚃ 4", "4"),
        (DIE, "5", "5"),
        (OneOf("space", SPACE_NAMES[:4]), "C3", "c3"),
        (OneOf("good", ("2", "5")), "type 5", "5"),
        (OneOf("board", ("1", "9")), "9", "9"),
        (TYPES, "2 5", "25"),
        (TYPES, "types 5 and 2", "25"),
        (TYPES, "52", "25"),
        (TYPES, "nothing", ""),
    ],
)
def test_what_is_typed_is_understood(choices: Choices, typed: str, word: str) -> None:
    assert TEXT.read(choices, typed, ("take", "4")) == word


@pytest.mark.parametrize(
    ("choices", "typed", "code"),
    [
        (TILE, "zeppelin", "unreadable"),
        (TILE, "cows", "ambiguous"),
        (TYPES, "9", "unreadable"),
        (TYPES, "cows", "unreadable"),
        (Done(), "more", "too_many_words"),
    ],
)
def test_what_is_not_clear_is_refused_with_examples(
    choices: Choices, typed: str, code: str
) -> None:
    with pytest.raises(Unreadable) as caught:
        TEXT.read(choices, typed, ("take", "4"))
    assert caught.value.refusal.code == code
    text = TEXT.refusal(EN, caught.value.refusal, NAMES)
    assert "{" not in text


@pytest.mark.parametrize("words", all_words(), ids=repr)
def test_every_label_can_be_typed(words: Words) -> None:
    """What an autocomplete shows is understood if somebody copies it by hand."""
    rng = Random(3)
    for moment in moments(4, 4, {"boards": "choose"}):
        if rng.random() > 0.15:
            continue
        for prefix, choices, _ in moment.steps[1:]:
            for word in choices.each():
                label = TEXT.label(words, prefix, choices, word, moment.view, NAMES)
                if isinstance(choices, OneOf):
                    assert TEXT.read(choices, label.text, prefix, moment.view, NAMES) == word
                assert TEXT.read(choices, word, prefix, moment.view, NAMES) == word
