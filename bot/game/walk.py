"""What is legal for one seat as long as a state stays as it is, each word checked once."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from bot.game.choices import Choices, OneOf
from bot.game.contract import Action, Seat
from bot.game.grammar import Rule, next_word, word_after

S = TypeVar("S")


class Rules(Protocol[S]):
    """What knows which rule an action follows, see `TurnLoop`."""

    def open_rules(self, state: S, seat: Seat) -> dict[str, Rule[S]]:
        """The rules open to the seat by kind."""
        ...

    def rule_of(self, state: S, seat: Seat, action: Action) -> Rule[S]:
        """The rule of an action. Raises IllegalAction where the seat may not begin one."""
        ...


class Walk(Generic[S]):
    """`Game.legal` of a seat, which remembers every prefix that it has answered.

    It holds what it found for one state, so whoever made it lets it go before the state changes;
    `Game.apply` checks an action itself and knows nothing of walks.
    """

    __slots__ = ("_found", "_rules", "_seat", "_state", "_turns")

    def __init__(self, turns: Rules[S], state: S, seat: Seat) -> None:
        self._turns = turns
        self._state = state
        self._seat = seat
        self._found: dict[Action, Choices] = {}
        self._rules: dict[str, Rule[S]] = {}
        """The rules of the kinds whose gates have been passed."""

    def __call__(self, prefix: Action = ()) -> Choices:
        """The domain of the next word after `prefix`. Raises IllegalAction as `legal` does."""
        found = self._found.get(prefix)
        if found is not None:
            return found
        state, seat = self._state, self._seat
        if not prefix:
            self._rules = self._turns.open_rules(state, seat)
            found = OneOf("kind", tuple(self._rules))
        else:
            known, before = self._rules.get(prefix[0]), self._found.get(prefix[:-1])
            if known is None or before is None or not before.admits(prefix[-1]):
                known = self._turns.rule_of(state, seat, prefix)
                found = next_word(known, state, seat, prefix)
                self._rules[prefix[0]] = known
            else:
                found = word_after(known, state, seat, prefix)
        self._found[prefix] = found
        return found
