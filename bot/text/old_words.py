"""Until all games are `GameWords`: the words of those that are not yet, called as these are."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import signature
from typing import Any

from bot.text.whole_actions import said_in_turn
from bot.text.words import Words

FIXED = ("tagline", "effort", "scored")


class OldWords:
    """Makes words bound to a reader of a `ChapterText`."""

    def __init__(self, text: Any) -> None:
        self.text = text
        self.title, self.public_hand = text.title, text.public_hand
        self.weight, self.game = text.weight, text._game

    def __call__(
        self, words: Words, names: Sequence[Any] = (), view: Any = None, rich: bool = True
    ) -> Any:
        return _Bound(self, words, names, view)


class _Bound:
    def __init__(self, of: OldWords, words: Words, names: Sequence[Any], view: Any) -> None:
        self.of, self.words, self.names, self.view = of, words, names, view

    def named(self, names: Sequence[Any]) -> _Bound:
        return _Bound(self.of, self.words, names, self.view)

    def at(self, view: Any) -> _Bound:
        return _Bound(self.of, self.words, self.names, view)

    def what_if(self, before: Any) -> Any:
        return self.of.text.what_if(self.words, before, self.view, self.names)

    def called(self, kind: str, names: Sequence[Any]) -> Any:
        return self.of.text.called(self.words, kind, names)

    def whole(self, action: Any, views: Sequence[Any] = ()) -> Any:
        return self.of.text.whole(self.words, action, views or [self.view], self.names)

    def each_whole(self, action: Any, views: Sequence[Any]) -> Any:
        return said_in_turn(action, views, lambda each, view: self.whole(each, [view]).text)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.of.text, name)
        if not callable(found):
            return found

        def forward(*given: Any) -> Any:
            own = {"words": self.words, "names": self.names, "view": self.view}
            left = iter(given)
            values = [
                own[each] if each in own else next(left) for each in signature(found).parameters
            ]
            return found(*values)

        return forward() if name in FIXED else forward
