"""Whole games of Kogge at random, step by step, for tests that look at every moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from bot.game.chance import RandomChance
from bot.game.choices import Bundle, Choices, Done, OneOf
from bot.game.contract import Action, Decision, Event
from bot.game.kogge.game import GAME
from bot.game.kogge.state import KoggeState
from bot.game.kogge.view import KoggeView
from tests.text.people import called

NAMES = called("安娜", "波", "克里斯", "朵拉")
"""Names without a Latin letter, so that those left over come from the texts."""


@dataclass
class Moment:
    """One step: what was asked, how the answer was built, and what came of it."""

    state: KoggeState
    decision: Decision
    view: KoggeView
    """The asked seat's view before the action."""
    steps: list[tuple[Action, Choices, str]]
    action: Action
    events: list[Event]


def moments(seats: int, seed: int, options: Mapping[str, str] | None = None) -> Iterator[Moment]:
    """A whole game at random; at each step one of those who may say something does."""
    rng = Random(seed)
    chance = RandomChance(rng)
    state = GAME.setup(seats, options or {}, chance)
    while GAME.outcome(state) is None:
        decision = rng.choice(GAME.pending(state))
        view = GAME.view(state, decision.seat)
        steps: list[tuple[Action, Choices, str]] = []
        prefix: Action = ()
        while not isinstance(choices := GAME.legal(state, decision.seat, prefix), Done):
            word = choices.sample(rng)
            steps.append((prefix, choices, word))
            prefix = (*prefix, word)
        events = GAME.apply(state, decision.seat, prefix, chance)
        yield Moment(state, decision, view, steps, prefix, events)


def words_of(choices: Choices, word: str) -> tuple[str, ...]:
    """The words to look at: all of a few, one of very many."""
    return choices.values if isinstance(choices, OneOf) else (word,)


def is_bundle(choices: Choices) -> bool:
    """Whether pieces are chosen."""
    return isinstance(choices, Bundle)
