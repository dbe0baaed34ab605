"""What people type, read as words of the notation."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.choices import Choices, OneOf
from bot.game.flandern import GAME
from bot.game.flandern.data import ACTION_CARDS
from bot.text.contract import Unreadable
from bot.text.flandern.speech import FlandernSpeech
from bot.text.words import Words, all_words, words_for
from tests.game.flandern.positions import one_plays, table
from tests.text.flandern.tables import EN, NAMES, TEXT, moments

PLACE = OneOf("place", ("gent-t1", "gent-p1", "gent-r2", "gent-r5"))
PLACES = OneOf("place", ("gent-t1", "gent-t2", "luik-t1", "luik-c"))
TILE = OneOf("tile", ("red", "red-leader", "grey", "church", "church-a", "church-d-r1"))
CARD = OneOf("card", ACTION_CARDS)


@pytest.mark.parametrize(
    ("choices", "typed", "word"),
    [
        (PLACE, "gent-t1", "gent-t1"),
        (PLACE, "Gent T1", "gent-t1"),
        (PLACE, "P1", "gent-p1"),
        (PLACE, "r 2", "gent-r2"),
        (PLACE, "luik t1", "luik-t1"),
        (PLACES, "luik t1", "luik-t1"),
        (PLACES, "t2", "gent-t2"),
        (PLACES, "Luik centre", "luik-c"),
        (PLACES, "centre", "luik-c"),
        (TILE, "Red", "red"),
        (TILE, "red with leader", "red-leader"),
        (TILE, "red leader", "red-leader"),
        (TILE, "church", "church"),
        (TILE, "church a", "church-a"),
        (TILE, "A", "church-a"),
        (TILE, "leader", "red-leader"),
        (TILE, "d r1", "church-d-r1"),
        (TILE, "D with r1", "church-d-r1"),
        (TILE, "church d r1", "church-d-r1"),
        (TILE, "blue", "blue"),
        (CARD, "gent", "gent"),
        (CARD, "site", "site"),
        (CARD, "Take", "take"),
        (OneOf("card", ("gent", "take")), "luik", "luik"),
        (OneOf("influence", ("0", "1", "2")), "2", "2"),
        (OneOf("guild", ("red", "blue")), "Blue", "blue"),
        (OneOf("guild", ("red", "blue")), "yellow", "yellow"),
    ],
)
def test_what_is_typed_is_understood(choices: Choices, typed: str, word: str) -> None:
    assert TEXT.read(choices, typed, ("build", "gent-p1")) == word


def test_a_plot_can_be_typed_by_its_shape_where_there_is_one_of_it() -> None:
    state = table(cities={"gent": "t1 yellow, t2 blue, p1 church, p2 grey, r1 red, r2 red"})
    one_plays(state, "gent")
    choices, view = GAME.legal(state, 0, ("build",)), GAME.view(state, 0)
    for typed, word in {"trapezoid": "gent-p3", "bar": "gent-r4", "t3": "gent-t3"}.items():
        assert TEXT.read(choices, typed, ("build",), view, NAMES) == word


def test_quarters_can_be_typed_in_each_language() -> None:
    for words in all_words():
        for tile in TILE.values:
            for said in (FlandernSpeech(words).kind(tile), FlandernSpeech(words).tile(tile)):
                assert TEXT.read(TILE, said, ("build", "gent-p1")) == tile
    assert FlandernSpeech(words_for("it")).kind("red") != FlandernSpeech(EN).kind("red")


@pytest.mark.parametrize(
    ("choices", "typed", "code"),
    [
        (PLACE, "zeppelin", "unreadable"),
        (PLACES, "t1", "ambiguous"),
        (TILE, "leader or not", "unreadable"),
    ],
)
def test_what_is_not_clear_is_refused_with_examples(
    choices: Choices, typed: str, code: str
) -> None:
    with pytest.raises(Unreadable) as caught:
        TEXT.read(choices, typed, ("build", "gent-p1"))
    assert caught.value.refusal.code == code
    text = TEXT.refusal(EN, caught.value.refusal, NAMES)
    assert "{" not in text


@pytest.mark.parametrize("words", all_words(), ids=repr)
@pytest.mark.parametrize("seats", [2, 4])
def test_every_label_can_be_typed(words: Words, seats: int) -> None:
    """What an autocomplete shows is understood if somebody copies it by hand."""
    rng = Random(3)
    for moment in moments(seats, 4):
        if rng.random() > 0.1:
            continue
        for prefix, choices, _ in moment.steps[1:]:
            for word in choices.each():
                label = TEXT.label(words, prefix, choices, word, moment.view, NAMES)
                assert TEXT.read(choices, label.text, prefix, moment.view, NAMES) == word
                assert TEXT.read(choices, word, prefix, moment.view, NAMES) == word
