"""The levels of computer player: what they are called, and the one that is made of another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from bot.game.contract import ANSWER, Action, Decision, Move, in_turn
from bot.policy.contract import Legal, Menu, Policy

EASY = "easy"
"""Overlooks much: now and then it does the next best thing that came to mind."""
NORMAL = "normal"
"""Takes what seems to gain most."""
STRONG = "strong"
"""Thinks ahead, see `bot.policy.search`."""

LAPSES = 0.5
"""How often the easy player does not do what the normal one would."""
CAME_TO_MIND = 6
"""So many of the whole actions that people are offered come to its mind then."""


def easy_policy(normal: Policy, menu: Menu, moves: Mapping[str, Move]) -> Policy:
    """The normal player with lapses, in which it does any of the first things on the menu."""

    def policy(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
        if decision.kind != ANSWER and rng.random() < LAPSES:
            found = _first_steps(menu(view, decision, legal), moves)
            if found:
                return rng.choice(found)
        return normal(view, decision, legal, rng)

    return policy


def _first_steps(menu: Sequence[Action], moves: Mapping[str, Move]) -> Sequence[Action]:
    steps = dict.fromkeys(in_turn(entry)[0] for entry in menu[:CAME_TO_MIND])
    return [step for step in steps if not moves[step[0]].free]
