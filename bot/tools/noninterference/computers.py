"""The computer players of a title, as they sit at the tables that are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from bot.game.contract import Action, Decision
from bot.policy.contract import Legal, Policy
from bot.policy.levels import STRONG
from bot.policy.search import strong
from bot.titles.title import Title

ACTIONS, NODES = 2, 60
"""Enough to try so many actions in a world or two, to the end of the round. What the strong player
may know does not hang on how much it thinks."""


def computers(title: Title) -> Mapping[str, Policy]:
    """By name; the strong one thinks for a moment only."""
    if title.mind is None:
        return title.quick_players
    mind = title.mind

    def few(view: Any, decision: Decision, legal: Legal) -> Sequence[Action]:
        return mind.candidates(view, decision, legal)[:ACTIONS]

    brief = replace(mind, candidates=few, rounds=0)
    return {**title.quick_players, STRONG: strong(brief, NODES)}


def answers(
    title: Title, state: Any, asked: Sequence[Decision], view: Any, seed: int
) -> Sequence[str]:
    """What each of them would do in the seat that is asked."""
    found = []
    for decision in asked:
        legal = partial(title.game.legal, state, decision.seat)
        for name, policy in computers(title).items():
            action = policy(view, decision, legal, Random(seed))
            found.append(f"{name} on {decision.id}: {' '.join(action)}")
    return found
