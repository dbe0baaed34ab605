"""The search of the strong player: it tries actions in determinized worlds and simulates the game.

It knows only its view. The result depends only on view, seed and budget, not on the process or the
machine, whose speed only matters for choosing the budget.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import sqrt
from random import Random
from typing import Any, Generic, TypeVar

import msgspec

from bot.game.chance import RandomChance
from bot.game.contract import Action, Decision, IllegalAction, Seat, in_turn
from bot.game.frames import TurnState
from bot.policy.contract import Judgement, Legal, Policy

S = TypeVar("S", bound=TurnState)

Stop = Callable[[], bool]
"""Called before each simulated action; True ends the search as if the budget were used up."""


def never() -> bool:
    """Return False: only the budget ends the search."""
    return False


class Considered(msgspec.Struct, frozen=True):
    """A whole action that was searched, or several `joined` ones.

    `chance` is the seat's chance to win after it, from 0 to 1. `lead` is its final lead over the
    best other seat, in points. Both are averages over `worlds`, or 0 if there are none.
    """

    action: Action
    chance: float = 0.0
    lead: float = 0.0
    worlds: int = 0


def weigh(
    judgement: Judgement[S],
    view: Any,
    decision: Decision,
    rng: Random,
    nodes: int,
    also: Sequence[Action] = (),
    stop: Stop = never,
    *,
    talks: bool = False,
) -> list[Considered]:
    """Return the seat's candidate actions, the best first, or with `talks` a free move, if any.

    All candidates are tried in the same worlds with the same random numbers. The budget of `nodes`
    is the number of simulated actions. Each time a share of it is used up, the worse half of the
    candidates is dropped, except for actions in `also`. Actions dropped later rank higher.
    """
    legal = judgement.game.walk(judgement.game.determinize(view, rng), decision.seat)
    if talks and (free_move := judgement.talk(view, decision, legal, rng)):
        return [Considered(free_move)]
    candidates = list(dict.fromkeys((*judgement.candidates(view, decision, legal), *also)))
    assert candidates, decision.kind
    if len(candidates) == 1:
        return [Considered(candidates[0])]
    search = Search(judgement, decision.seat, nodes, stop)
    tried = [
        _Candidate(action, judgement.doubt if place else 0.0)
        for place, action in enumerate(candidates)
    ]
    dropped: list[_Candidate] = []
    stages = max(1, (len(tried) - 1).bit_length())
    for stage in range(stages):
        until = nodes * (stage + 1) // stages
        while search.spent < until:
            world = judgement.determinize(view, rng)
            if not search.sweep(world, tried, rng.getrandbits(64)):
                break
        tried.sort(key=_Candidate.rank, reverse=True)
        if stage < stages - 1:
            half = max(2, (len(tried) + 1) // 2)
            out = [each for each in tried[half:] if each.action not in also]
            dropped = out + dropped
            tried = [each for each in tried if each not in out]
    return [each.considered() for each in tried + dropped]


think = partial(weigh, talks=True)
"""`weigh`, with free moves first."""


def forecast(judgement: Judgement[S], state: S, rng: Random, nodes: int) -> Sequence[float]:
    """Return each seat's chance to win, from simulations within the budget. They add up to 1."""
    search, encoded = Search(judgement, 0, nodes), judgement.game.encode(state)
    last = search.last_round(state)
    samples = [judgement.chances(state)] if judgement.game.outcome(state) is not None else []
    while not samples or (search.spent < nodes and judgement.game.outcome(state) is None):
        ahead = judgement.game.decode(encoded)
        if not search.play_on(ahead, Random(rng.getrandbits(64)), last) and samples:
            break
        samples.append(judgement.chances(ahead))
    return [sum(each) / len(samples) for each in zip(*samples, strict=True)]


def strong(judgement: Judgement[Any], nodes: int | None = None) -> Policy:
    """Return the policy of the strong player, with a budget of `nodes`, by default the
    judgement's."""

    def policy(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
        return in_turn(think(judgement, view, decision, rng, nodes or judgement.nodes)[0].action)[0]

    return policy


class _Candidate:
    """An action with its results so far, as sums over the worlds."""

    __slots__ = ("action", "chance", "doubt", "lead", "worlds")

    def __init__(self, action: Action, doubt: float) -> None:
        self.action = action
        self.doubt = doubt
        self.chance = self.lead = 0.0
        self.worlds = 0

    def rank(self) -> tuple[float, float]:
        worlds = max(self.worlds, 1)
        return self.chance / worlds - self.doubt / sqrt(worlds), self.lead / worlds

    def considered(self) -> Considered:
        worlds = max(self.worlds, 1)
        return Considered(self.action, self.chance / worlds, self.lead / worlds, self.worlds)


class Search(Generic[S]):
    """A search with its budget."""

    def __init__(self, judgement: Judgement[S], seat: Seat, nodes: int, stop: Stop = never) -> None:
        self._judgement = judgement
        self._seat = seat
        self._nodes = nodes
        self._stop = stop
        self.spent = 0

    def last_round(self, state: S) -> int:
        """Return the last round to simulate from a state."""
        return self._judgement.game.round(state) + self._judgement.rounds

    def sweep(self, world: S, tried: Sequence[_Candidate], seed: int) -> bool:
        """Try every action in a world. Return False, with no result, if the budget ran out."""
        game, seat = self._judgement.game, self._seat
        encoded, last = game.encode(world), self.last_round(world)
        results: list[tuple[float, float]] = []
        for each in tried:
            state = game.decode(encoded)
            rng = Random(seed)
            if not (self.begin(state, each.action, rng) and self.play_on(state, rng, last)):
                return False
            values = self._judgement.value(state)
            lead = values[seat] - max(v for other, v in enumerate(values) if other != seat)
            results.append((self._judgement.chances(state, values)[seat], lead))
        for each, (chance, lead) in zip(tried, results, strict=True):
            each.chance += chance
            each.lead += lead
            each.worlds += 1
        return True

    def begin(self, state: S, action: Action, rng: Random) -> bool:
        """Apply the seat's action. Return False if the budget ran out."""
        chance = RandomChance(rng)
        for number, step in enumerate(in_turn(action)):
            if not self._may_spend():
                return False
            self.spent += 1
            try:
                self._judgement.game.apply(state, self._seat, step, chance)
            except IllegalAction:
                # A later step may be illegal in this world.
                if not number:
                    raise
                break
        return True

    def play_on(self, state: S, rng: Random, last: int) -> bool:
        """Simulate up to the end of the `last` round. Return False if the budget ran out."""
        judgement, game, chance = self._judgement, self._judgement.game, RandomChance(rng)
        while game.round(state) <= last:
            # Offers stay unanswered.
            decision = next((each for each in game.pending(state) if not each.optional), None)
            if decision is None:
                break
            if not self._may_spend():
                return False
            game.apply(state, decision.seat, judgement.quick(state, decision, rng), chance)
            self.spent += 1
        return True

    def _may_spend(self) -> bool:
        if self._stop():
            self.spent = self._nodes
        return self.spent < self._nodes
