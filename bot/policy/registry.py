"""The computer players there are, by game and name."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.contract import AnyGame
from bot.game.registry import GAMES
from bot.policy.burgundy.greedy import greedy as burgundy_greedy
from bot.policy.contract import Policy
from bot.policy.kogge.greedy import greedy as kogge_greedy
from bot.policy.random import random_policy

_OWN: Mapping[str, Mapping[str, Policy]] = {
    "burgundy": {"greedy": burgundy_greedy},
    "kogge": {"greedy": kogge_greedy},
}


def _players(game: AnyGame) -> Mapping[str, Policy]:
    return {"random": random_policy(game.moves), **_OWN.get(game.name, {})}


POLICIES = GAMES.each(_players)

BLIND = frozenset({"random"})
"""Those that look at nothing but what is allowed: no view need be made for them."""
