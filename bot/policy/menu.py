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
    """Every whole action where there are few, in the order of the rules, large amounts first.

    None where only one word is to be chosen anyway.
    """
    found = list(islice(_whole(legal, (), legal(())), FEW + 1))
    is_one_word = len(set(map(len, found))) == 1 and (
        sum(len(set(words)) > 1 for words in zip(*found, strict=True)) <= 1
    )
    return () if len(found) > FEW or is_one_word else found


def _whole(legal: Legal, prefix: Action, choices: Choices) -> Iterator[Action]:
    if isinstance(choices, Done):
        yield prefix
    elif isinstance(choices, OneOf | Amount):
        words = choices.values if isinstance(choices, OneOf) else _falling(choices)
        for word in words:
            action = (*prefix, word)
            yield from _whole(legal, action, legal(action))
    else:
        # Bundles are combined piece by piece.
        yield from [()] * (FEW + 1)


def _falling(amount: Amount) -> Iterator[str]:
    return map(str, range(amount.most, amount.least - 1, -1))
