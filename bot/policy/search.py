"""How the strong player thinks: actions are tried in imagined worlds, and the games played on.

Whatever it knows is in the view it is given. The same view, seed and budget give the same answer
in every process and on every machine; how fast the machine is says only what budget to give.
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
"""Asked before each action is tried; once it says True, the search ends as if its budget were
used up."""


def never() -> bool:
    """Leaves it to the budget."""
    return False


class Considered(msgspec.Struct, frozen=True):
    """A whole action that was thought about, several `joined` where they are one decision.

    `chance` is how likely its seat then wins, 0 to 1; `lead` by how many points it then ends before
    the best of the others. Both are means over `worlds`; with none of them they are unknown, and 0.
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
    """What the seat can answer, the best first; before that what it proposes, where it `talks`.
    What is `also` asked about is judged to the end.

    In each world every action that is still in question is tried with the same luck. As the budget
    of `nodes`, actions carried out in imagined worlds, is used up, the worse half is dropped again
    and again. What was dropped later stands before what was dropped earlier.
    """
    legal = judgement.game.walk(judgement.game.determinize(view, rng), decision.seat)
    if talks and (said := judgement.talk(view, decision, legal, rng)):
        return [Considered(said)]
    found = judgement.candidates(view, decision, legal)
    candidates = list(dict.fromkeys((*found, *also)))
    assert candidates, decision.kind
    if len(candidates) == 1:
        return [Considered(candidates[0])]
    search = Search(judgement, decision.seat, nodes, stop)
    tried = [
        _Tried(action, judgement.doubt if place else 0.0) for place, action in enumerate(candidates)
    ]
    dropped: list[_Tried] = []
    stages = max(1, (len(tried) - 1).bit_length())
    for stage in range(stages):
        until = nodes * (stage + 1) // stages
        while search.spent < until:
            world = judgement.determinize(view, rng)
            if not search.sweep(world, tried, rng.getrandbits(64)):
                break
        tried.sort(key=_Tried.rank, reverse=True)
        if stage < stages - 1:
            half = max(2, (len(tried) + 1) // 2)
            out = [each for each in tried[half:] if each.action not in also]
            dropped = out + dropped
            tried = [each for each in tried if each not in out]
    return [each.considered() for each in tried + dropped]


think = partial(weigh, talks=True)
"""What the seat does: what it proposes first, else what `weigh` says."""


def forecast(judgement: Judgement[S], state: S, rng: Random, nodes: int) -> Sequence[float]:
    """How likely each seat is to win, 1 in all: the game is played on from the state, with other
    luck each time, until the budget is used up."""
    search, encoded = Search(judgement, 0, nodes), judgement.game.encode(state)
    last = search.last_round(state)
    found = [judgement.chances(state)] if judgement.game.outcome(state) is not None else []
    while not found or (search.spent < nodes and judgement.game.outcome(state) is None):
        ahead = judgement.game.decode(encoded)
        if not search.play_on(ahead, Random(rng.getrandbits(64)), last) and found:
            break
        found.append(judgement.chances(ahead))
    return [sum(each) / len(found) for each in zip(*found, strict=True)]


def strong(judgement: Judgement[Any], nodes: int | None = None) -> Policy:
    """The policy that does what seems best after thinking for so many nodes; by default as many as
    the judgement is measured by."""

    def policy(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
        return in_turn(think(judgement, view, decision, rng, nodes or judgement.nodes)[0].action)[0]

    return policy


class _Tried:
    """An action and what came of it so far."""

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
    """A search with what it has spent of its budget."""

    def __init__(self, judgement: Judgement[S], seat: Seat, nodes: int, stop: Stop = never) -> None:
        self._judgement = judgement
        self._seat = seat
        self._nodes = nodes
        self._stop = stop
        self.spent = 0

    def last_round(self, state: S) -> int:
        """The round to whose end games are played on from a state."""
        return self._judgement.game.round(state) + self._judgement.rounds

    def sweep(self, world: S, tried: Sequence[_Tried], seed: int) -> bool:
        """Tries every action in a world; where the budget does not last, none counts there."""
        game, seat = self._judgement.game, self._seat
        encoded, last = game.encode(world), self.last_round(world)
        found: list[tuple[float, float]] = []
        for each in tried:
            state = game.decode(encoded)
            rng = Random(seed)
            if not (self.begin(state, each.action, rng) and self.play_on(state, rng, last)):
                return False
            values = self._judgement.value(state)
            lead = values[seat] - max(v for other, v in enumerate(values) if other != seat)
            found.append((self._judgement.chances(state, values)[seat], lead))
        for each, (chance, lead) in zip(tried, found, strict=True):
            each.chance += chance
            each.lead += lead
            each.worlds += 1
        return True

    def begin(self, state: S, action: Action, rng: Random) -> bool:
        """Carries the seat's action out; False where the budget was used up before."""
        chance = RandomChance(rng)
        for number, step in enumerate(in_turn(action)):
            if not self._may_spend():
                return False
            self.spent += 1
            try:
                self._judgement.game.apply(state, self._seat, step, chance)
            except IllegalAction:
                # What was to follow is not to be had in this world.
                if not number:
                    raise
                break
        return True

    def play_on(self, state: S, rng: Random, last: int) -> bool:
        """Plays on to the end of the `last` round; False where the budget was used up before."""
        judgement, game, chance = self._judgement, self._judgement.game, RandomChance(rng)
        while game.round(state) <= last:
            # Offers lie unanswered.
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
