"""A random player for any game."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from bot.game.choices import Done, OneOf
from bot.game.contract import ACCEPT, ANSWER, DECLINE, Action, Decision, Move, offer_of
from bot.policy.contract import Legal, Policy

RANDOM = "random"

BLIND = frozenset({RANDOM})
"""Players that need no view, only the legal choices."""

FREE_MOVES = 0.02
"""The probability of a free move, such as an offer, or of skipping a turn."""


def random_policy(moves: Mapping[str, Move], free_moves: float = FREE_MOVES) -> Policy:
    """Return a player that chooses every word of its actions at random, kinds evenly.

    `free_moves` is the probability of a free move or of skipping a turn, if there is one.
    """
    rare = frozenset(kind for kind, move in moves.items() if move.free or move.skips)

    def policy(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
        choices = legal(())
        assert isinstance(choices, OneOf)
        kinds = choices.values
        if decision.kind == ANSWER:
            offer = offer_of(decision)
            answers = [kind for kind in (ACCEPT, DECLINE) if kind in kinds]
            return rng.choice([kind for kind in answers if legal((kind,)).admits(offer)]), offer
        wants_rare = rng.random() < free_moves
        candidates = [kind for kind in kinds if (kind in rare) is wants_rare] or kinds
        return random_action((rng.choice(candidates),), legal, rng)

    return policy


def random_action(prefix: Action, legal: Legal, rng: Random) -> Action:
    """Complete an action with random words."""
    while True:
        choices = legal(prefix)
        if isinstance(choices, Done):
            return prefix
        prefix = (*prefix, choices.sample(rng))
