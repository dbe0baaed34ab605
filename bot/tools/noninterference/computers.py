"""The computer players of a title, as they sit at the tables that are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from bot.game.contract import Decision
from bot.policy.contract import Policy
from bot.policy.levels import STRONG
from bot.policy.search import strong
from bot.titles.title import Title

NODES = 40
"""What it may know does not hang on how long it thinks."""


def computers(title: Title) -> Mapping[str, Policy]:
    """By name; the strong one thinks for a moment only."""
    if title.mind is None:
        return title.quick_players
    return {**title.quick_players, STRONG: strong(title.mind, NODES)}


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
