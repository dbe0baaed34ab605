"""What a game says of whole actions, where it has nothing better to say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from bot.game.contract import Action, in_turn
from bot.text.contract import Label, Names
from bot.text.labels import fitting
from bot.text.markup import capital
from bot.text.words import Words

V_contra = TypeVar("V_contra", contravariant=True)


class WholeActions(Generic[V_contra]):
    """Two parts of `bot.text.contract.GameText`."""

    def action(self, words: Words, action: Action, view: V_contra, names: Names) -> str:
        """An action in words."""
        raise NotImplementedError

    def whole(self, words: Words, action: Action, view: V_contra, names: Names) -> Label:
        """A whole action as one entry of a menu of them, or several, joined: all in words."""
        first, *rest = (self.action(words, each, view, names) for each in in_turn(action))
        for each in rest:
            first = words("{first}, then {then}", first=first, then=each)
        return fitting(Label(capital(first)))

    def what_if(
        self, words: Words, before: V_contra, after: V_contra, names: Names
    ) -> Sequence[str]:
        """What changes for the observer from one view to a later one: nothing is worked out."""
        return ()
