"""A walk gives the answers of `legal`, whatever it was asked before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import asdict

from bot.game.choices import Bundle, Choices, OneOf
from bot.game.contract import Action, IllegalAction, Seat
from bot.game.grammar import EventRecorder, Rule, rule
from bot.game.walk import Walk
from tests.game.sampled import SAMPLED
from tests.game.test_every_game import each_once, spoiled

Legal = Callable[[Action], Choices]


def _answer(legal: Legal, prefix: Action) -> object:
    """What is offered, as something to compare; or why nothing is."""
    try:
        return _facts(legal(prefix))
    except IllegalAction as error:
        choices = None if error.choices is None else _facts(error.choices)
        return str(error), error.refusal, error.action, error.seat, choices


def _facts(choices: Choices) -> object:
    # What else a bundle's words must fit is a function made for the occasion.
    facts = {**asdict(choices), "fits": None} if isinstance(choices, Bundle) else choices
    return type(choices), facts


@each_once
def test_a_walk_answers_as_legal_does(name: str, seats: int, options: Mapping[str, str]) -> None:
    sampled = SAMPLED[name]
    game = sampled.game
    for step in islice(sampled.steps(seats, options, seats), 0, None, sampled.stride):
        for seat in range(seats):
            walk = game.walk(step.state, seat)
            wrong = [spoiled(sampled, step.action, step.rng) for _ in range(3)]
            kinds = [(kind,) for kind in game.moves]
            begun = [step.action[:count] for count in range(len(step.action) + 1)]
            prefixes: list[Action] = [*wrong, *kinds, *begun, *wrong]
            step.rng.shuffle(prefixes)
            for prefix in prefixes:
                anew = partial(game.legal, step.state, seat)
                assert _answer(walk, prefix) == _answer(anew, prefix)


# A game of one rule, which counts how often it is asked


class Counting:
    """Offers ``say`` with the words ``a`` and ``b`` while it is open."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.say: Rule[Any] = (
            rule("say", "talk", self._gate).word("first", self._word).word("second", self._word)
        ).does(self._perform)

    def _gate(self, state: Any, seat: Seat) -> None:
        self.asked.append("gate")

    def _word(self, state: Any, seat: Seat, *words: str) -> Any:
        self.asked.append(" ".join(("domain", *words)))
        return OneOf("word", ("a", "b"))

    def _perform(self, state: Any, seat: Seat, recorder: EventRecorder, *words: str) -> None:
        raise AssertionError("a walk performs nothing")

    def open_rules(self, state: Any, seat: Seat) -> dict[str, Rule[Any]]:
        self.say.gate(state, seat)
        return {"say": self.say}

    def rule_of(self, state: Any, seat: Seat, action: Action) -> Rule[Any]:
        return self.say


@pytest.mark.parametrize("times", [1, 3])
def test_an_action_built_word_by_word_has_each_word_asked_for_once(times: int) -> None:
    game = Counting()
    walk = Walk(game, None, 0)
    for _ in range(times):
        for prefix in ("", "say", "say a", "say a b", "say b", "say b a"):
            walk(tuple(prefix.split()))
    assert game.asked == ["gate", "domain", "domain a", "domain b"]


def test_a_prefix_whose_beginning_was_never_asked_for_is_checked_from_its_first_word() -> None:
    game = Counting()
    walk = Walk(game, None, 0)
    with pytest.raises(IllegalAction):
        walk(("say", "x", "b"))
    walk(("say", "a", "b"))
    assert game.asked == ["gate", "domain", "gate", "domain", "domain a"]
