"""A player of any game that knows only what is legal."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from bot.game.choices import Done, OneOf
from bot.game.contract import ACCEPT, ANSWER, DECLINE, Action, Decision, Move, offer_of
from bot.policy.contract import Legal, Policy

RANDOM = "random"
"""The name by which it plays."""

BLIND = frozenset({RANDOM})
"""Players that look only at what is legal: no view need be made for them."""

FREE_MOVES = 0.02
"""How often a free move is made, such as an offer, before the answer to what is asked; also how
often a turn is given up."""


def random_policy(moves: Mapping[str, Move], free_moves: float = FREE_MOVES) -> Policy:
    """A player that chooses every word of its actions at random, kinds evenly.

    Of its actions the part `free_moves` are free ones or give up a turn, where there are any.
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
        wanted = [kind for kind in kinds if (kind in rare) is wants_rare] or kinds
        return random_action((rng.choice(wanted),), legal, rng)

    return policy


def random_action(prefix: Action, legal: Legal, rng: Random) -> Action:
    """The prefix with random words after it until the action is whole."""
    while True:
        choices = legal(prefix)
        if isinstance(choices, Done):
            return prefix
        prefix = (*prefix, choices.sample(rng))
