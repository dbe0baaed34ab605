"""The menu of whole actions of a game that has none of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from bot.game.choices import Amount, Choices, Done, OneOf
from bot.game.contract import Action, Decision
from bot.policy.contract import Legal

FEW = 24
"""Where there are more whole actions than this, they are chosen word by word."""


def few_actions(_view: Any, _decision: Decision, legal: Legal) -> Sequence[Action]:
    """Every whole action, in the order of the rules, where there are few."""
    found = list(islice(_whole(legal, (), legal(())), FEW + 1))
    return found if len(found) <= FEW else ()


def _whole(legal: Legal, prefix: Action, choices: Choices) -> Iterator[Action]:
    if isinstance(choices, Done):
        yield prefix
    elif isinstance(choices, OneOf | Amount):
        for word in choices.each():
            action = (*prefix, word)
            yield from _whole(legal, action, legal(action))
    else:
        # Bundles are combined piece by piece.
        yield from [()] * (FEW + 1)
