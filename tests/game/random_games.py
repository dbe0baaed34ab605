"""Whole games of any title by random decisions, step by step."""

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

DEALS = 0.15
"""How often somebody makes a free action although others are asked."""
MAX_ACTIONS = 5000


class Step(NamedTuple):
    """A state, and what is done next in it. `rng` is the game's own generator."""

    state: Any
    seat: int
    action: Action
    rng: Random


@dataclass(frozen=True)
class RandomGames:
    """How the tests play a title at random.

    `option_sets` are tables that differ in what the rules ask, `likelihood` says how likely a
    kind of action is, so that all that is rare happens too (1 where it is not named). Kinds that
    are `modest` take few pieces. `words` are those of the notation, to spoil actions with.
    Checks that look at everything that can be done in a state do so in some (`looked_at`).
    """

    game: AnyGame
    option_sets: Sequence[Mapping[str, str]]
    words: Sequence[str]
    likelihood: Mapping[str, float] = field(default_factory=dict)
    modest: Sequence[str] = ()
    stride: int = 1

    def tables(self) -> list[tuple[int, Mapping[str, str]]]:
        """Every number of seats with every set of options."""
        return list(product(self.game.seats, self.option_sets))

    def few_tables(self) -> list[tuple[int, Mapping[str, str]]]:
        """Every set of options, each at one number of seats."""
        seats = self.game.seats
        return [
            (seats[place % len(seats)], options) for place, options in enumerate(self.option_sets)
        ]

    def completed(self, state: Any, seat: int, prefix: Action, rng: Random) -> Action:
        """A random action that begins with the prefix."""
        while not isinstance(choices := self.game.legal(state, seat, prefix), Done):
            word = choices.sample(rng)
            if isinstance(choices, Bundle) and prefix[0] in self.modest:
                word = min([word, *(choices.sample(rng) for _ in range(5))], key=len)
            prefix = (*prefix, word)
        return prefix

    def next_action(self, state: Any, rng: Random) -> tuple[int, Action]:
        """A random action of somebody who is asked, or now and then a free one of anybody."""
        decisions = self.game.pending(state)
        seat = rng.choice([d.seat for d in decisions if not d.optional])
        if rng.random() < DEALS:
            dealer = rng.randrange(len(state.players))
            kinds = [kind for kind in self._kinds(state, dealer) if self.game.moves[kind].free]
            if kinds:
                return dealer, self.completed(state, dealer, (self._any(kinds, rng),), rng)
        asked = [kind for kind in self._kinds(state, seat) if not self.game.moves[kind].free]
        return seat, self.completed(state, seat, (self._any(asked, rng),), rng)

    def _any(self, kinds: list[str], rng: Random) -> str:
        return rng.choices(kinds, [self.likelihood.get(kind, 1) for kind in kinds])[0]

    def _kinds(self, state: Any, seat: int) -> tuple[str, ...]:
        return tuple(self.game.legal(state, seat).each())  # type: ignore[union-attr]

    def steps(self, seats: int, options: Mapping[str, str], seed: int) -> Iterator[Step]:
        """A game from its first question to its end; each step is carried out after it was
        looked at."""
        rng = Random(seed)
        state = self.game.setup(seats, options, RandomChance(rng))
        for _ in range(MAX_ACTIONS):
            if self.game.outcome(state) is not None:
                return
            seat, action = self.next_action(state, rng)
            yield Step(state, seat, action, rng)
            self.game.apply(state, seat, action, RandomChance(rng))
        raise AssertionError(f"no end after {MAX_ACTIONS} actions")

    def looked_at(
        self, seats: int, options: Mapping[str, str], seed: int, *, sealed: bool = False
    ) -> Iterator[tuple[int, Step]]:
        """The numbered steps of such a game at every `stride`-th state, and so that nothing rare is
        passed over, the first of each kind of action for each number of seats that must answer;
        also, if wanted, all in which somebody is asked in secret (`sealed`)."""
        seen = set[tuple[str, int]]()
        for number, step in enumerate(self.steps(seats, options, seed)):
            pending = self.game.pending(step.state)
            must = sum(not asked.optional for asked in pending)
            wanted = sealed and any(asked.sealed for asked in pending)
            if wanted or number % self.stride == 0 or (step.action[0], must) not in seen:
                seen.add((step.action[0], must))
                yield number, step

    def digest(self, seats: int, options: Mapping[str, str], seed: int) -> str:
        """A hash over all actions, events and states of a game."""
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
    """A table's options as the id of a test."""
    return " ".join(name if value == "on" else value for name, value in options.items())
