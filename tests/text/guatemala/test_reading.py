"""What people type, read as words of the notation."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.choices import Choices, OneOf
from bot.game.guatemala import GAME
from bot.game.guatemala.production import POSITION_NAMES
from bot.text.contract import Unreadable
from bot.text.guatemala.speech import GuatemalaSpeech
from bot.text.words import Words, all_words, words_for
from tests.game.guatemala.positions import table
from tests.text.guatemala.tables import EN, NAMES, TEXT, moments

PLACE = OneOf("place", ("c3", "b1", "b1-c1", "b1-b2", "port2"))
POSITION = OneOf("position", POSITION_NAMES)


@pytest.mark.parametrize(
    ("choices", "typed", "word"),
    [
        (PLACE, "C3", "c3"),
        (PLACE, "b1", "b1"),
        (PLACE, "b1 c1", "b1-c1"),
        (PLACE, "b1-c1", "b1-c1"),
        (PLACE, "c1 b1", "b1-c1"),
        (PLACE, "port 2", "port2"),
        (PLACE, "2", "port2"),
        (PLACE, "a5", "a5"),
        (POSITION, "t3", "t3"),
        (POSITION, "row 5 right", "r5"),
        (POSITION, "top 3", "t3"),
        (OneOf("steps", ("1", "2")), "4", "4"),
        (OneOf("colour", ("red", "white")), "Red", "red"),
        (OneOf("colour", ("red", "white")), "black", "black"),
        (OneOf("answer", ("yes", "no")), "block", "yes"),
        (OneOf("answer", ("yes", "no")), "let it be", "no"),
        (OneOf("answer", ("no",)), "yes", "yes"),
    ],
)
def test_what_is_typed_is_understood(choices: Choices, typed: str, word: str) -> None:
    assert TEXT.read(choices, typed, ("buy", "53")) == word


def test_a_piece_can_be_typed_by_name_or_by_space() -> None:
    state = table(buyer="r5", line="red worker, road, red worker, white ship")
    choices, view = GAME.legal(state, 0, ("buy",)), GAME.view(state, 0)
    for typed, word in {
        "red worker": "51",
        "53": "53",
        "Red worker · 53": "53",
        "worker red 53": "53",
        GuatemalaSpeech(words_for("it")).piece("worker", "red"): "51",
        "white ship": "54",
        "road": "52",
    }.items():
        assert TEXT.read(choices, typed, ("buy",), view, NAMES) == word, typed


def test_numbers_in_what_is_said_of_other_choices_do_not_confuse() -> None:
    state = table(asked="place")
    choices, view = GAME.legal(state, 0, ("place",)), GAME.view(state, 0)
    for typed, word in {
        "row 4 right": "r4",
        "column 1 (top)": "t1",
        "riga 2 sx": "l2",
    }.items():
        assert TEXT.read(choices, typed, ("place",), view, NAMES) == word
    state = table(buyer="r5", line="road", huts=({"red": "e2"},))
    choices, view = GAME.legal(state, 0, ("buy", "51")), GAME.view(state, 0)
    for typed, word in {"b1 c1": "b1-c1", "c1 b1": "b1-c1", "d2-d1": "d1-d2"}.items():
        assert TEXT.read(choices, typed, ("buy", "51"), view, NAMES) == word


@pytest.mark.parametrize(
    ("choices", "typed", "code"),
    [
        (PLACE, "zeppelin", "unreadable"),
        (OneOf("place", ("port1", "port2")), "port", "ambiguous"),
        (POSITION, "row 5", "ambiguous"),
        (POSITION, "middle", "unreadable"),
    ],
)
def test_what_is_not_clear_is_refused_with_examples(
    choices: Choices, typed: str, code: str
) -> None:
    with pytest.raises(Unreadable) as caught:
        TEXT.read(choices, typed, ("buy", "53"))
    assert caught.value.refusal.code == code
    text = TEXT.refusal(EN, caught.value.refusal, NAMES)
    assert "{" not in text


@pytest.mark.parametrize("words", all_words(), ids=repr)
def test_every_label_can_be_typed(words: Words) -> None:
    """What an autocomplete shows is understood if somebody copies it by hand."""
    rng = Random(3)
    for moment in moments(4, 4):
        if rng.random() > 0.03:
            continue
        for prefix, choices, _ in moment.steps[1:]:
            for word in choices.each():
                label = TEXT.label(words, prefix, choices, word, moment.view, NAMES)
                assert TEXT.read(choices, label.text, prefix, moment.view, NAMES) == word
                assert TEXT.read(choices, word, prefix, moment.view, NAMES) == word
