"""The menu of whole actions of a game that has none of its own, and what a menu lacks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Any

from bot.game.choices import Amount, Choices, Done
from bot.game.contract import Action, Decision
from bot.policy.contract import Legal

FEW = 24
"""Where there are more whole actions than this, they are chosen word by word."""


def few_actions(_view: Any, _decision: Decision, legal: Legal) -> Sequence[Action]:
    """Every whole action where there are few, in the order of the rules, large amounts first.

    None where only one word is to be chosen anyway.
    """
    found = list(islice(whole(legal, (), legal(())), FEW + 1))
    is_one_word = len(set(map(len, found))) == 1 and (
        sum(len(set(words)) > 1 for words in zip(*found, strict=True)) <= 1
    )
    return () if len(found) > FEW or is_one_word else found


def has_all(menu: Collection[Action], legal: Legal, kind: str) -> bool:
    """Whether every whole action of a kind is in a menu."""
    return all(action in menu for action in whole(legal, (kind,), legal((kind,))))


def whole(legal: Legal, prefix: Action, choices: Choices) -> Iterator[Action]:
    """Every whole action that begins so, as long as somebody asks for more."""
    if isinstance(choices, Done):
        yield prefix
        return
    words = choices.each()
    if isinstance(choices, Amount):
        words = map(str, range(choices.maximum, choices.minimum - 1, -1))
    for word in words:
        action = (*prefix, word)
        yield from whole(legal, action, legal(action))
