"""What a game says of whole actions, where it has nothing better to say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

from bot.game.contract import END, Action, Event, in_turn
from bot.text.contract import Label, Names
from bot.text.labels import fitting
from bot.text.markup import capital, uncapital
from bot.text.user_text import ELLIPSIS
from bot.text.words import Words

V = TypeVar("V")
V_contra = TypeVar("V_contra", contravariant=True)


def with_views(action: Action, views: Sequence[V]) -> Iterator[tuple[Action, V]]:
    """The actions that are joined, each with the view before it, or else the last that is known."""
    for place, each in enumerate(in_turn(action)):
        yield each, views[min(place, len(views) - 1)]


def said_in_turn(
    action: Action, views: Sequence[V], say: Callable[[Action, V], str]
) -> Sequence[str]:
    """Each of the actions that are joined as `say` has it; an ellipsis for those before which the
    view is not known, without which there may be nothing to say of them."""
    said: list[str] = []
    for place, (each, view) in enumerate(with_views(action, views)):
        if place < len(views) or each == (END,):
            said.append(say(each, view))
        elif said[-1] != ELLIPSIS:
            said.append(ELLIPSIS)
    return said


class WholeActions(Generic[V_contra]):
    """Three parts of `bot.text.contract.GameText`."""

    def action(self, words: Words, action: Action, view: V_contra, names: Names) -> str:
        """An action in words."""
        raise NotImplementedError

    def whole(self, words: Words, action: Action, views: Sequence[V_contra], names: Names) -> Label:
        """A whole action as one entry of a menu of them, or several, joined: all in words."""
        first, *rest = said_in_turn(
            action, views, lambda each, view: self.action(words, each, view, names)
        )
        for each in rest:
            first = words("{first}, then {then}", first=first, then=uncapital(each))
        return fitting(Label(capital(first)))

    def what_if(
        self, words: Words, before: V_contra, after: V_contra, names: Names
    ) -> Sequence[str]:
        """What changes for the observer from one view to a later one: nothing is worked out."""
        return ()

    def reasons(self, words: Words, events: Sequence[Event], names: Names) -> Sequence[str]:
        """What is worth naming of the events of an action: nothing."""
        return ()
