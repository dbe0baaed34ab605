"""Play and query a game by the canonical lines of its actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, TypeVar

import pytest
from msgspec.structs import replace

from bot.game.chance import RandomChance, RecordedChance
from bot.game.choices import Bundle, Choices, OneOf
from bot.game.contract import Action, Event, IllegalAction, Refusal, parse_action
from bot.game.game import AnyGame

E = TypeVar("E", bound=Event)


class Lines:
    """Helpers for the tests of one game."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def play(
        self, state: Any, seat: int, line: str, *, drawn: Sequence[int] | None = None
    ) -> list[Event]:
        """Carry out the action of a canonical line, with random draws or those in `drawn`."""
        chance = RandomChance(Random(1)) if drawn is None else RecordedChance(drawn)
        events = self._game.apply(state, seat, parse_action(line), chance)
        if isinstance(chance, RecordedChance):
            chance.finish()
        assert self._game.invariants(state) == []
        return events

    def refused(self, state: Any, seat: int, line: str | Action) -> Refusal:
        """Return why an action is not allowed. Nothing may have changed."""
        before = self._game.encode(state)
        action = parse_action(line) if isinstance(line, str) else line
        with pytest.raises(IllegalAction) as caught:
            self._game.apply(state, seat, action, RandomChance(Random(1)))
        assert self._game.encode(state) == before
        return caught.value.refusal

    def run(self, state: Any, *lines: str) -> list[Event]:
        """Carry out lines that begin with their seat, ``1 accept 1``, and return their events."""
        return [event for line in lines for event in self.play(state, int(line[0]), line[2:])]

    def check_refused(self, state: Any, code: str, *lines: str) -> None:
        """Check that each of the lines, which begin with their seat, is refused with this code."""
        codes = {line: self.refused(state, int(line[0]), line[2:]).code for line in lines}
        assert set(codes.values()) == {code}, codes

    def check_spoiled(
        self, table: Callable[[], Any], spoilers: Mapping[str, Callable[[Any], object]]
    ) -> None:
        """Check that a good table has no errors, and one changed by a spoiler has its error."""
        assert self._game.invariants(table()) == []
        for error, spoil in spoilers.items():
            state = table()
            spoil(state)
            errors = self._game.invariants(state)
            assert any(error in line for line in errors), (error, errors)

    def codes(self, state: Any, seat: int, *lines: str) -> list[str]:
        """Return the codes with which the actions are refused."""
        return [self.refused(state, seat, line).code for line in lines]

    def domain(self, state: Any, seat: int, line: str = "") -> Choices:
        """Return the domain of the next word after a line."""
        return self._game.legal(state, seat, parse_action(line))

    def words(self, state: Any, seat: int, line: str = "") -> tuple[str, ...]:
        """Return the words that may follow a line; without a line, the kinds of action."""
        choices = self.domain(state, seat, line)
        assert isinstance(choices, (OneOf, Bundle))
        return tuple(choices.each())

    def asked(self, state: Any) -> list[tuple[int, str]]:
        """Return the seats to act, each with its question."""
        return [(d.seat, d.kind) for d in self._game.pending(state) if not d.optional]

    @staticmethod
    def of_kind(events: Sequence[Event], kind: type[E]) -> list[E]:
        """Return all events of a class, in order, without `only` and `but`."""
        return [replace(each, only=(), but=()) for each in events if isinstance(each, kind)]

    @staticmethod
    def facts(events: Sequence[Event], kind: str) -> list[dict[str, object]]:
        """Return the facts of all events of a kind, in order."""
        return [dict(event.facts) for event in events if event.kind == kind]
