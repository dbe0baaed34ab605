"""Whole games of Guatemala Café, step by step, for tests that look at every moment."""

from __future__ import annotations

from functools import partial
from random import Random

from bot.game.choices import Domain, OneOf
from bot.game.contract import Action
from bot.game.guatemala import GAME
from bot.game.guatemala.view import PlantationView
from tests.text.moments import moments_of, sampled

EAGER = ("move", "buy", "take")
"""Kinds that are chosen more often, so that plantations grow and sacks are taken."""


def eager(domain: Domain, prefix: Action, rng: Random) -> str:
    """Any word, but often one of those kinds."""
    if prefix:
        return sampled(domain, prefix, rng)
    assert isinstance(domain, OneOf)
    wanted = [kind for kind in EAGER if kind in domain.values]
    return rng.choice(wanted) if wanted and rng.random() < 0.9 else rng.choice(domain.values)


moments = partial(moments_of, GAME, choose=eager)


def built(
    colour: str,
    hut: str | None = None,
    workers: str = "",
    ports: str = "",
    ships: int = 0,
) -> PlantationView:
    """A plantation, its cells and ports with spaces between, with what it scores."""
    cells = tuple(workers.split())
    points = len(cells) * (ships + 1) if hut else 0
    return PlantationView(colour, hut, cells, tuple(ports.split()), ships, points)
