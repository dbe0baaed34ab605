"""Whole games of Burgundy, step by step, for tests that look at every moment."""

from __future__ import annotations

from functools import partial
from random import Random

from bot.game.burgundy import GAME
from bot.game.choices import Domain, OneOf
from bot.game.contract import Action
from tests.text.moments import moments_of, sampled

EAGER = ("place", "take", "sell", "load")
"""Kinds that are chosen more often, so that estates fill and effects nest."""


def eager(domain: Domain, prefix: Action, rng: Random) -> str:
    """Any word, but often one of those kinds."""
    if prefix:
        return sampled(domain, prefix, rng)
    assert isinstance(domain, OneOf)
    wanted = [kind for kind in EAGER if kind in domain.values]
    return wanted[0] if wanted and rng.random() < 0.7 else rng.choice(domain.values)


moments = partial(moments_of, GAME, choose=eager)
