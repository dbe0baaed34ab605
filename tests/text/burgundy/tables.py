"""Whole games of Burgundy, step by step, for tests that look at every moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from bot.game.burgundy import GAME
from bot.game.burgundy.state import BurgundyState
from bot.game.burgundy.view import BurgundyView
from bot.game.chance import RandomChance
from bot.game.choices import Domain, Done, OneOf
from bot.game.contract import Action, Decision, Event
from tests.text.people import called

NAMES = called("安娜", "波", "克里斯", "朵拉")
"""Names without a Latin letter, so that those left over come from the texts."""

EAGER = ("place", "take", "sell", "load")
"""Kinds that are chosen more often, so that estates fill and effects nest."""


@dataclass
class Moment:
    """One step: what was asked, how the answer was built, and what came of it."""

    state: BurgundyState
    decision: Decision
    view: BurgundyView
    """The asked seat's view before the action."""
    steps: list[tuple[Action, Domain, str]]
    action: Action
    events: list[Event]


def moments(seats: int, seed: int, options: Mapping[str, str] | None = None) -> Iterator[Moment]:
    """A whole game; at each step one of those who may say something does."""
    rng = Random(seed)
    chance = RandomChance(rng)
    state = GAME.setup(seats, options or {}, chance)
    while GAME.outcome(state) is None:
        decision = rng.choice(GAME.pending(state))
        view = GAME.view(state, decision.seat)
        kinds = GAME.legal(state, decision.seat)
        assert isinstance(kinds, OneOf)
        prefix: Action = (_kind(kinds.values, rng),)
        steps: list[tuple[Action, Domain, str]] = [((), kinds, prefix[0])]
        while not isinstance(choices := GAME.legal(state, decision.seat, prefix), Done):
            word = choices.sample(rng)
            steps.append((prefix, choices, word))
            prefix = (*prefix, word)
        events = GAME.apply(state, decision.seat, prefix, chance)
        yield Moment(state, decision, view, steps, prefix, events)


def _kind(kinds: tuple[str, ...], rng: Random) -> str:
    wanted = [kind for kind in EAGER if kind in kinds]
    if wanted and rng.random() < 0.7:
        return wanted[0]
    return rng.choice(kinds)
