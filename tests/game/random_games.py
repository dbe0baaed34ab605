"""Random games of any title, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import product
from random import Random
from typing import Any, NamedTuple

from bot.game.chance import RandomChance
from bot.game.choices import Bundle, Done
from bot.game.contract import Action, Event, canonical
from bot.game.game import AnyGame

FREE_RATE = 0.15
"""How often a random seat takes a free action."""
MAX_ACTIONS = 5000


class Step(NamedTuple):
    """A state, and the next action in it. `rng` is the generator of the game."""

    state: Any
    seat: int
    action: Action
    rng: Random


@dataclass(frozen=True)
class RandomGames:
    """How to play a title at random.

    `option_sets` are the tables to play. `likelihood` weights kinds of action (default 1), so that
    rare ones happen too. Kinds in `few_pieces` take few pieces. `words` are words of the notation,
    to make wrong actions with. Slow checks look at only some states: see `sampled_steps`.
    """

    game: AnyGame
    option_sets: Sequence[Mapping[str, str]]
    words: Sequence[str]
    likelihood: Mapping[str, float] = field(default_factory=dict)
    few_pieces: Sequence[str] = ()
    stride: int = 1

    def tables(self) -> list[tuple[int, Mapping[str, str]]]:
        """Return each number of seats with each set of options."""
        return list(product(self.game.seats, self.option_sets))

    def few_tables(self) -> list[tuple[int, Mapping[str, str]]]:
        """Return each set of options with one number of seats."""
        seats = self.game.seats
        return [
            (seats[index % len(seats)], options) for index, options in enumerate(self.option_sets)
        ]

    def complete(self, state: Any, seat: int, prefix: Action, rng: Random) -> Action:
        """Return a random action that begins with the prefix."""
        while not isinstance(choices := self.game.legal(state, seat, prefix), Done):
            word = choices.sample(rng)
            if isinstance(choices, Bundle) and prefix[0] in self.few_pieces:
                word = min([word, *(choices.sample(rng) for _ in range(5))], key=len)
            prefix = (*prefix, word)
        return prefix

    def next_action(self, state: Any, rng: Random) -> tuple[int, Action]:
        """Return a random action of a seat to act, or sometimes a free one of any seat."""
        decisions = self.game.pending(state)
        seat = rng.choice([d.seat for d in decisions if not d.optional])
        if rng.random() < FREE_RATE:
            other = rng.randrange(len(state.players))
            kinds = [kind for kind in self._kinds(state, other) if self.game.moves[kind].free]
            if kinds:
                return other, self.complete(state, other, (self._any(kinds, rng),), rng)
        answers = [kind for kind in self._kinds(state, seat) if not self.game.moves[kind].free]
        return seat, self.complete(state, seat, (self._any(answers, rng),), rng)

    def _any(self, kinds: list[str], rng: Random) -> str:
        return rng.choices(kinds, [self.likelihood.get(kind, 1) for kind in kinds])[0]

    def _kinds(self, state: Any, seat: int) -> tuple[str, ...]:
        return tuple(self.game.legal(state, seat).each())  # type: ignore[union-attr]

    def steps(self, seats: int, options: Mapping[str, str], seed: int) -> Iterator[Step]:
        """Yield each step of a game; it is carried out after the caller has seen it."""
        rng = Random(seed)
        state = self.game.setup(seats, options, RandomChance(rng))
        for _ in range(MAX_ACTIONS):
            if self.game.outcome(state) is not None:
                return
            seat, action = self.next_action(state, rng)
            yield Step(state, seat, action, rng)
            self.game.apply(state, seat, action, RandomChance(rng))
        raise AssertionError(f"no end after {MAX_ACTIONS} actions")

    def sampled_steps(
        self, seats: int, options: Mapping[str, str], seed: int, *, sealed: bool = False
    ) -> Iterator[tuple[int, Step]]:
        """Yield every `stride`-th step of a game with its number.

        So that rare steps are not missed, also yield the first of each kind of action for each
        number of seats to act, and with `sealed`, all steps with sealed decisions.
        """
        seen = set[tuple[str, int]]()
        for number, step in enumerate(self.steps(seats, options, seed)):
            pending = self.game.pending(step.state)
            to_act = sum(not decision.optional for decision in pending)
            is_sealed = sealed and any(decision.sealed for decision in pending)
            if is_sealed or number % self.stride == 0 or (step.action[0], to_act) not in seen:
                seen.add((step.action[0], to_act))
                yield number, step

    def digest(self, seats: int, options: Mapping[str, str], seed: int) -> str:
        """Return a hash of all actions, events and states of a game."""
        game, rng = self.game, Random(seed)
        state = game.setup(seats, options, RandomChance(rng))
        whole = blake2b(game.encode(state))
        while game.outcome(state) is None:
            seat, action = self.next_action(state, rng)
            events: list[Event] = game.apply(state, seat, action, RandomChance(rng))
            whole.update(f"{seat} {canonical(action)} {events}".encode())
            whole.update(game.encode(state))
        return whole.hexdigest()


def named(options: Mapping[str, str]) -> str:
    """Return a table's options as the id of a test."""
    return " ".join(name if value == "on" else value for name, value in options.items())
