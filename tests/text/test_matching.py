"""Numbers as people type them, and what groups of words are called."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.chance import RandomChance
from bot.game.choices import Amount, OneOf
from bot.game.contract import Fact, Refusal
from bot.game.kogge.game import GAME
from bot.game.kogge.view import KoggeView
from bot.text.chapter_text import ChapterText
from bot.text.contract import Label, Unreadable
from bot.text.kogge.game_text import CHAPTERS
from bot.text.kogge.speech import NAMES, KoggeSpeech
from bot.text.matching import amount
from bot.text.words import Words

CUBES = Amount("cubes", 1, 60)


@pytest.mark.parametrize(
    ("typed", "word"),
    [("12", "12"), (" 007 ", "7"), ("12 cubes", "12"), ("\N{MINUS SIGN}3", "-3"), ("99", "99")],
)
def test_a_number_is_read_whatever_stands_beside_it(typed: str, word: str) -> None:
    """Whether it is possible the rules say."""
    assert amount(CUBES, typed, "stock") == word


@pytest.mark.parametrize("typed", ["", "many", "1 or 2", "9" * 50])
def test_what_is_no_number_or_several_is_refused_with_the_bounds(typed: str) -> None:
    with pytest.raises(Unreadable) as caught:
        amount(CUBES, typed, "stock")
    assert caught.value.refusal.code == "unreadable"
    assert caught.value.refusal.facts["examples"] == ("1", "60")


class Divided(ChapterText[KoggeSpeech, KoggeView]):
    """Kogge's words, and some for what it does not have: groups, and amounts."""

    def __init__(self) -> None:
        groups = {"coast": lambda asked, word: Label(f"The {word} coast".upper() * 9)}
        super().__init__(GAME, KoggeSpeech, NAMES, CHAPTERS, groups)


def test_a_group_has_a_label_as_a_word_has() -> None:
    coasts = OneOf("coast", ("east", "west"))
    view = GAME.view(GAME.setup(2, {}, RandomChance(Random(0))), 0)
    label = Divided().label(Words(), ("found",), coasts, "east", view, ())
    assert label.text.startswith("THE EAST COAST")
    assert len(label.text) <= 80


def test_every_game_reads_an_amount_and_says_its_bounds() -> None:
    assert Divided().read(CUBES, "12 cubes", ("found",)) == "12"
    facts: dict[str, Fact] = {
        "kind": "found",
        "param": "pieces",
        "word": "99",
        "least": 1,
        "most": 60,
    }
    said = Divided().refusal(Words(), Refusal("out_of_range", "setup", facts), ())
    assert said.startswith("“99” is not possible here.")
    assert "from 1 to 60" in said
