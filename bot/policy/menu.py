"""The default menu of whole actions, and a check for complete menus."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import Any

from bot.game.choices import Amount, Choices, Done
from bot.game.contract import Action, Decision
from bot.policy.contract import Legal

MAX_ACTIONS = 24
"""With more whole actions than this, players choose word by word."""


def few_actions(_view: Any, _decision: Decision, legal: Legal) -> Sequence[Action]:
    """Return all whole actions, in the order of the rules, large amounts first.

    Empty if there are too many, or if they differ in only one word.
    """
    actions = list(islice(whole_actions(legal, (), legal(())), MAX_ACTIONS + 1))
    is_one_word = len(set(map(len, actions))) == 1 and (
        sum(len(set(words)) > 1 for words in zip(*actions, strict=True)) <= 1
    )
    return () if len(actions) > MAX_ACTIONS or is_one_word else actions


def has_all(menu: Collection[Action], legal: Legal, kind: str) -> bool:
    """Return whether a menu has every whole action of a kind."""
    return all(action in menu for action in whole_actions(legal, (kind,), legal((kind,))))


def whole_actions(legal: Legal, prefix: Action, choices: Choices) -> Iterator[Action]:
    """Yield every whole action that begins with a prefix."""
    if isinstance(choices, Done):
        yield prefix
        return
    words = choices.each()
    if isinstance(choices, Amount):
        words = map(str, range(choices.maximum, choices.minimum - 1, -1))
    for word in words:
        action = (*prefix, word)
        yield from whole_actions(legal, action, legal(action))
