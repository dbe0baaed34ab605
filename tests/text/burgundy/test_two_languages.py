"""What whole games say in English and in Italian."""

from __future__ import annotations

import re

import pytest

from bot.game.contract import in_turn
from bot.game.trial import views_before
from bot.text.words import Words, words_for
from bot.titles import TITLES
from tests.policy.menus import offered
from tests.text.moments import moments_of
from tests.text.people import called

TITLE = TITLES["burgundy"]
GAME, TEXT = TITLE.game, TITLE.text
EN, IT = words_for("en"), words_for("it")
NAMES = called("Anna", "Elena", "Åbo", "Bert")
TABLES: tuple[tuple[int, dict[str, str]], ...] = (
    (4, {"boards": "random"}),
    (2, {"sold_goods": "hidden"}),
)
EMPTY = re.compile(r": ?[.,;)]|\(\)|  |: $|[Hh]ai niente")
ONE_AS_MANY = re.compile(
    r"\b1 (?:workers|silverlings|tiles|spaces|points|types)\b|"
    r"\b1 (?:lavoratori|monete|tessere|caselle|punti|tipi)\b|\b(?:types|tipi) \d\.?$"
)


def faults(said: str) -> list[str]:
    """What is wrong with a text."""
    return [*EMPTY.findall(said), *ONE_AS_MANY.findall(said)]


@pytest.mark.parametrize("words", [EN, IT], ids=["en", "it"])
def test_no_list_is_empty_and_one_is_never_several(words: Words) -> None:
    for seats, options in TABLES:
        for moment in moments_of(GAME, seats, 3, options):
            seat = moment.decision.seat
            view = GAME.view(moment.state, seat)
            for said in (
                *TEXT(words, NAMES).story(moment.events),
                TEXT(words, NAMES, moment.view).question(moment.decision),
                TEXT(words, NAMES, view).board(),
                TEXT(words, NAMES, view).hand(),
                TEXT(words, NAMES, view).alt(moment.events),
                TEXT(words, NAMES, moment.view).action(moment.action),
            ):
                assert faults(said) == [], said


@pytest.mark.parametrize("words", [EN, IT], ids=["en", "it"])
def test_no_label_is_cut(words: Words) -> None:
    """The entries of menus, and each choice of each step."""
    for each in offered(TITLE, 41):
        for action in each.menu:
            views = views_before(GAME, each.view, in_turn(action))
            label = TEXT(words, NAMES).whole(action, views)
            for text in (label.text, label.description or ""):
                assert "…" not in text, text
                assert faults(text) == [], text
