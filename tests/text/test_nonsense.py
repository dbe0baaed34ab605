"""What nobody could mean, said at random moments of games: refused in words, in every language."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from bot.game.choices import Done
from bot.game.contract import Action, AnyGame, IllegalAction
from bot.text.contract import Unreadable
from bot.text.words import all_words
from bot.titles import TITLES
from tests.game.sampled import SAMPLED
from tests.text.people import called

NONSENSE = (
    "",
    "-",
    "x",
    "99",
    "c3",
    "port1",
    "gent-c",
    "luik-t1",
    "church-a",
    "-1",
    "05",
    "٣",
    "²",
    "ﷺ" * 100,
    "8" * 999,
    "office9",
    "{a}",
    "\n",
)
NAMES = called("Anna", "Bert", "Clara", "Dirk")
STEPS = 400
EVERY = 40


def spoiled(game: AnyGame, state: Any, seat: int, kind: str, rng: Random) -> Iterator[Action]:
    """The beginnings of actions of a kind, each with nonsense in the place of its last word."""
    action: Action = (kind,)
    while True:
        yield from ((*action, word) for word in NONSENSE)
        try:
            choices = game.legal(state, seat, action)
        except IllegalAction:
            return
        if isinstance(choices, Done):
            return
        action = (*action, choices.sample(rng))


@pytest.mark.parametrize("name", SAMPLED)
def test_nonsense_is_refused_in_words(name: str) -> None:
    sampled, text, rng = SAMPLED[name], TITLES.texts[name], Random(4)
    game, languages = sampled.game, all_words()
    codes: set[str] = set()
    said: set[str] = set()
    for seats, options in sampled.few_tables():
        for step in islice(sampled.steps(seats, options, 1), 0, STEPS, EVERY):
            for kind in game.moves:
                for action in spoiled(game, step.state, step.seat, kind, rng):
                    try:
                        game.legal(step.state, step.seat, action)
                    except IllegalAction as error:
                        codes.add(error.refusal.code)
                        said |= {
                            text.refusal(words, error.refusal, NAMES[:seats]) for words in languages
                        }
    assert len(codes) > 10
    assert all(said)


@pytest.mark.parametrize("name", SAMPLED)
def test_nonsense_that_is_typed_is_read_or_refused_in_words(name: str) -> None:
    sampled, text = SAMPLED[name], TITLES.texts[name]
    game, words = sampled.game, all_words()[-1]
    said: set[str] = set()
    for seats, options in sampled.few_tables():
        names = NAMES[:seats]
        for step in islice(sampled.steps(seats, options, 2), 0, STEPS, EVERY):
            view, action = game.view(step.state, step.seat), step.action
            for length in range(len(action)):
                choices = game.legal(step.state, step.seat, action[:length])
                for typed in NONSENSE:
                    try:
                        word = text.read(choices, typed, action[:length], view, names)
                        game.legal(step.state, step.seat, (*action[:length], word))
                    except (Unreadable, IllegalAction) as error:
                        said.add(text.refusal(words, error.refusal, names))
    assert said
    assert all(said)
