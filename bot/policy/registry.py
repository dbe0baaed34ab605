"""The computer players there are, by game and name."""

from __future__ import annotations

from bot.game.registry import GAMES
from bot.policy.burgundy.greedy import greedy as burgundy_greedy
from bot.policy.contract import Policy
from bot.policy.kogge.greedy import greedy as kogge_greedy
from bot.policy.random import random_policy

POLICIES: dict[str, dict[str, Policy]] = {
    name: {"random": random_policy(game.moves)} for name, game in GAMES.items()
}
POLICIES["kogge"]["greedy"] = kogge_greedy
POLICIES["burgundy"]["greedy"] = burgundy_greedy

BLIND = frozenset({"random"})
"""Those that look at nothing but what is allowed: no view need be made for them."""
