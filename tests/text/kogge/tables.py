"""Whole games of Kogge at random, step by step, for tests that look at every moment."""

from __future__ import annotations

from functools import partial

from bot.game.choices import Bundle, Choices, OneOf
from bot.game.kogge.game import GAME
from tests.text.moments import moments_of

moments = partial(moments_of, GAME)


def words_of(choices: Choices, word: str) -> tuple[str, ...]:
    """The words to look at: all of a few, one of very many."""
    return choices.values if isinstance(choices, OneOf) else (word,)


def is_bundle(choices: Choices) -> bool:
    """Whether pieces are chosen."""
    return isinstance(choices, Bundle)
