"""What computer players are, and what a game says of them: its `Judgement`.

A game writes one class in bot/policy/<game>, with three methods over its state:

- `rated` lists the whole actions that are worth doing for a seat, with what each seems to be worth
  by some weights, the best first. It looks at a `View` alone, and at no more of its state than the
  seat may know: when imagined games are played on, nothing is blanked in it.
- `value` says what each seat can expect to have scored at the end, `spread` how far a point goes.

An instance of it is the module's ``JUDGEMENT``, and the title's. All players are made of it: normal
does what is rated best, easy does so with lapses, people are offered the best as a menu, and strong
tries the best few in imagined worlds, in which every seat goes on as normal would.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

from bot.game.choices import Choices
from bot.game.contract import ANSWER, DECLINE, END, Action, Decision, in_turn
from bot.game.frames import TurnState
from bot.game.game import Game
from bot.game.hidden import View

S = TypeVar("S", bound=TurnState)

Legal = Callable[[Action], Choices]
"""`Game.legal` bound to a state and a seat: the domain of the next word after a prefix."""

Policy = Callable[[Any, Decision, Legal, Random], Action]
"""Called with (view, decision, legal, rng); returns a whole, legal action of the decision's seat.

It is asked once for each decision that holds the table up, and once for each open offer.
"""

Rated = tuple[float, Action]
"""What a whole action seems to be worth, and the action. Where several actions are one decision, as
the steps of a voyage, it is all of them, `joined`: the first is legal now, and each of the others
is carried out where it is then asked for and legal."""

EASY = "easy"
"""The player that overlooks much: now and then it does the next best thing that came to mind."""
NORMAL = "normal"
"""The player that does what is rated best, and its weights; those for three are ``normal-3``."""
STRONG = "strong"
"""The player that thinks ahead, see `bot.policy.search`."""

MENU = 25
"""Entries of a menu."""
LAPSES = 0.5
"""How often the easy player does not do what the normal one would."""
CAME_TO_MIND = 6
"""So many of the whole actions that people are offered come to its mind then."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Judgement(ABC, Generic[S]):
    """What the computer players of a game go by."""

    game: Game[S]
    weights: Mapping[str, Any]
    """By name: structs of numbers, tuples and mappings of them, see `tools.tune`."""
    nodes: int
    """The budget by which the strong player is measured: actions carried out in imagined worlds."""
    rounds: int = 1
    """Imagined games are played on to the end of the round and of so many after it."""
    most: int = 8
    """So many of the actions that are offered are thought about."""
    doubt: float = 0.0
    """What another action must be better by than the most promising one, after one world; after
    four, half of it. Of many actions that chance has tried, one always looks good."""
    in_points: bool = True
    """Whether `value` is in points as players count them, so that a lead tells them something."""

    by_chance: ClassVar[Collection[str]] = ()
    """Kinds of decisions in which chance chooses among what is rated equally, or the same would be
    done in every game."""
    always: ClassVar[Collection[str]] = (END, DECLINE)
    """Kinds of actions that are offered however much else there is."""
    counted: ClassVar[Sequence[str]] = ()
    """Where `value` is a weighted sum: what is counted of each seat, by name, see `tools.fit`."""

    # What a game says

    @abstractmethod
    def rated(
        self, view: View[S], decision: Decision, legal: Legal, weights: Any
    ) -> Sequence[Rated]:
        """Whole, legal actions for a decision, the best first; at least one. The same view gives
        the same, and it must be quick: it is asked within a person's turn."""

    @abstractmethod
    def value(self, state: S) -> Sequence[float]:
        """What each seat can expect to have scored at the end, in points."""

    @abstractmethod
    def spread(self, state: S) -> float:
        """How far a point goes: a lead of as much makes a seat 2.7 times as likely to win as the
        other."""

    def holdings(self, state: S) -> Sequence[Sequence[float]]:
        """By seat, how much there is of each of what is `counted`."""
        raise NotImplementedError

    def talk(self, view: View[S], decision: Decision, legal: Legal, rng: Random) -> Action | None:
        """In a game with offers: a free move to make before what is asked, or None."""
        return None

    def determinize(self, view: View[S], rng: Random) -> S:
        """A world to try actions in. A game may make likelier ones than those of the rules, as
        others have chosen in secret what they may well have chosen."""
        return self.game.determinize(view, rng)

    def refrains(self, view: View[S], worth: float, action: Action) -> bool:
        """Whether the normal player leaves an action that people are offered all the same."""
        return False

    def aim(self, action: Action) -> Action:
        """What an action is about: of several with one aim only the best is offered."""
        return action

    def arranged(
        self, view: View[S], decision: Decision, actions: Sequence[Action]
    ) -> Sequence[Action]:
        """The menu of these, the best of each aim: with the end of the turn `joined` to whatever
        leaves nothing else to do, for example."""
        return actions

    # What players do by it

    def best(
        self, view: View[S], decision: Decision, legal: Legal, rng: Random, weights: Any = None
    ) -> Action:
        """What the normal player answers, or the one that judges by other weights."""
        found = self.rated(view, decision, legal, weights or self._usual(view))
        if decision.kind in self.by_chance:
            action = rng.choice([action for worth, action in found if worth == found[0][0]])
        else:
            action = next(each for worth, each in found if not self.refrains(view, worth, each))
        return in_turn(action)[0]

    def player(self, weights: Any = None) -> Policy:
        """The normal player, or the one that judges by other weights."""

        def policy(view: View[S], decision: Decision, legal: Legal, rng: Random) -> Action:
            said = self.talk(view, decision, legal, rng)
            return said or self.best(view, decision, legal, rng, weights)

        return policy

    def easy_player(self) -> Policy:
        """The normal player with lapses, in which it does any of the first things on the menu."""
        normal, moves = self.player(), self.game.moves

        def policy(view: View[S], decision: Decision, legal: Legal, rng: Random) -> Action:
            if decision.kind != ANSWER and rng.random() < LAPSES:
                menu = self.menu(view, decision, legal)[:CAME_TO_MIND]
                steps = dict.fromkeys(in_turn(entry)[0] for entry in menu)
                found = [step for step in steps if not moves[step[0]].free]
                if found:
                    return rng.choice(found)
            return normal(view, decision, legal, rng)

        return policy

    def quick(self, state: S, decision: Decision, rng: Random) -> Action:
        """How imagined games are played on: as the normal player would, without free moves."""
        seat = decision.seat
        return self.best(View(seat, state), decision, self.game.walk(state, seat), rng)

    def menu(self, view: View[S], decision: Decision, legal: Legal) -> Sequence[Action]:
        """The whole actions that a person is offered as one press each, the best first. None where
        a choice is better made word by word."""
        once: dict[Action, Action] = {}
        for _, action in self.rated(view, decision, legal, self._usual(view)):
            once.setdefault(self.aim(action), action)
        room = MENU - sum(action[0] in self.always for action in once.values())
        others = [action for action in once.values() if action[0] not in self.always][:room]
        kept = {*others}
        return self.arranged(
            view,
            decision,
            [each for each in once.values() if each in kept or each[0] in self.always],
        )

    def candidates(self, view: View[S], decision: Decision, legal: Legal) -> Sequence[Action]:
        """What is worth thinking about, the most promising first; at least one."""
        return self.menu(view, decision, legal)[: self.most]

    def chances(self, state: S, values: Sequence[float] | None = None) -> Sequence[float]:
        """How likely each seat is to win, as the state stands, 1 in all; by its `values` where they
        are known already."""
        outcome = self.game.outcome(state)
        values = self.value(state) if values is None else values
        if outcome is not None:
            won = 1 / len(outcome.winners)
            return [won if seat in outcome.winners else 0.0 for seat in range(len(values))]
        spread, best = self.spread(state), max(values)
        weights = [exp((value - best) / spread) for value in values]
        total = sum(weights)
        return [weight / total for weight in weights]

    def weights_name(self, players: int) -> str:
        """What the normal player's weights for so many are called."""
        return NORMAL if NORMAL in self.weights else f"{NORMAL}-{players}"

    def _usual(self, view: View[S]) -> Any:
        state: Any = view.known
        return self.weights[self.weights_name(len(state.players))]

    @property
    def module(self) -> str:
        """Where it is `JUDGEMENT`, by which workers find it."""
        return type(self).__module__

    def __reduce__(self) -> str:
        # Not everything in it can be pickled, but every process has the same.
        return "JUDGEMENT"
