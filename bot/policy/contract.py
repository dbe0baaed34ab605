"""Computer players, and the `Judgement` that a game provides for them.

A game writes one class in bot/policy/<game>, with three methods:

- `rated` lists the useful whole actions of a seat, the best first, each with an estimate of its
  value by given weights. It may use only the parts of a `View` that the seat may know: in simulated
  games nothing is blanked.
- `value` estimates each seat's final score, and `spread` how much a point changes the chances.

The module's ``JUDGEMENT`` is an instance of it. All players use it: normal takes the best-rated
action, easy does so with lapses, and strong tries the best few in determinized worlds, in which
every seat plays like normal. The menu offers people the best-rated actions.
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

It is called once for each pending decision, and once for each open offer.
"""

Rated = tuple[float, Action]
"""The estimated value of a whole action, and the action. If several actions are one decision, like
the steps of a voyage, they are `joined`: the first is legal now, and each of the others is applied
if it is still legal then."""

EASY = "easy"
"""The player with lapses: it often picks any of a few good actions."""
NORMAL = "normal"
"""The player that takes the best-rated action, and its weights; ``normal-3`` is for 3 players."""
STRONG = "strong"
"""The player that searches, see `bot.policy.search`."""

MENU = 25
"""Maximum entries of a menu."""
LAPSES = 0.5
"""The probability that the easy player has a lapse in a decision."""
LAPSE_CHOICES = 6
"""In a lapse, the easy player picks from the first entries of the menu, up to this number."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Judgement(ABC, Generic[S]):
    """A game's evaluation of actions and states, for computer players and menus."""

    game: Game[S]
    weights: Mapping[str, Any]
    """By name: structs of numbers, tuples and mappings, see `tools.tune`."""
    nodes: int
    """The strong player's budget in measurements: the number of simulated actions."""
    rounds: int = 1
    """Simulated games end after the current round and this number of further rounds."""
    max_candidates: int = 8
    """Maximum menu entries that the strong player tries."""
    doubt: float = 0.0
    """The advantage that another action needs over the best-rated one after one world; after four
    worlds, half of it. Among many actions, one always looks good by chance."""
    in_points: bool = True
    """Whether `value` is in the game's points, so that a lead can be shown to players."""

    by_chance: ClassVar[Collection[str]] = ()
    """Kinds of decisions with a random choice among equally rated actions. Otherwise every game
    would have the same action."""
    always: ClassVar[Collection[str]] = (END, DECLINE)
    """Kinds of actions that are always in the menu."""
    counted: ClassVar[Sequence[str]] = ()
    """If `value` is a weighted sum: the names of the terms, see `tools.fit`."""

    # To be written by a game

    @abstractmethod
    def rated(
        self, view: View[S], decision: Decision, legal: Legal, weights: Any
    ) -> Sequence[Rated]:
        """Return whole, legal actions for a decision, the best first; at least one.

        It must be deterministic and quick, as it is called during a person's turn.
        """

    @abstractmethod
    def value(self, state: S) -> Sequence[float]:
        """Return each seat's expected final score, in points."""

    @abstractmethod
    def spread(self, state: S) -> float:
        """Return the lead, in points, that makes a seat e times as likely to win as another."""

    def holdings(self, state: S) -> Sequence[Sequence[float]]:
        """Return the terms named in `counted`, by seat."""
        raise NotImplementedError

    def talk(self, view: View[S], decision: Decision, legal: Legal, rng: Random) -> Action | None:
        """Return a free move, such as an offer, to make before the decision, or None."""
        return None

    def determinize(self, view: View[S], rng: Random) -> S:
        """Return a determinized state for the search. A game can override it to make likely secret
        choices of others more frequent."""
        return self.game.determinize(view, rng)

    def refrains(self, view: View[S], worth: float, action: Action) -> bool:
        """Return whether the normal player skips an action that is still in the menu."""
        return False

    def aim(self, action: Action) -> Action:
        """Return the aim of an action. The menu has only the best action for each aim."""
        return action

    def arranged(
        self, view: View[S], decision: Decision, actions: Sequence[Action]
    ) -> Sequence[Action]:
        """Return the menu for these actions, the best of each aim. A game can join the end of the
        turn to an action after which nothing else is possible, for example."""
        return actions

    # For players and menus

    def best(
        self, view: View[S], decision: Decision, legal: Legal, rng: Random, weights: Any = None
    ) -> Action:
        """Return the normal player's action, by other weights if given."""
        rated = self.rated(view, decision, legal, weights or self._default_weights(view))
        if decision.kind in self.by_chance:
            action = rng.choice([action for worth, action in rated if worth == rated[0][0]])
        else:
            action = next(each for worth, each in rated if not self.refrains(view, worth, each))
        return in_turn(action)[0]

    def player(self, weights: Any = None) -> Policy:
        """Return the normal player, with other weights if given."""

        def policy(view: View[S], decision: Decision, legal: Legal, rng: Random) -> Action:
            free_move = self.talk(view, decision, legal, rng)
            return free_move or self.best(view, decision, legal, rng, weights)

        return policy

    def easy_player(self) -> Policy:
        """Return the easy player: normal with lapses."""
        normal, moves = self.player(), self.game.moves

        def policy(view: View[S], decision: Decision, legal: Legal, rng: Random) -> Action:
            if decision.kind != ANSWER and rng.random() < LAPSES:
                menu = self.menu(view, decision, legal)[:LAPSE_CHOICES]
                steps = dict.fromkeys(in_turn(entry)[0] for entry in menu)
                choices = [step for step in steps if not moves[step[0]].free]
                if choices:
                    return rng.choice(choices)
            return normal(view, decision, legal, rng)

        return policy

    def quick(self, state: S, decision: Decision, rng: Random) -> Action:
        """Return an action for simulated games: the normal player's, but no free move."""
        seat = decision.seat
        return self.best(View(seat, state), decision, self.game.walk(state, seat), rng)

    def menu(self, view: View[S], decision: Decision, legal: Legal) -> Sequence[Action]:
        """Return the whole actions that a person can choose with one button, the best first. Empty
        if it is better to choose word by word."""
        best: dict[Action, Action] = {}
        for _, action in self.rated(view, decision, legal, self._default_weights(view)):
            best.setdefault(self.aim(action), action)
        room = MENU - sum(action[0] in self.always for action in best.values())
        others = {*[action for action in best.values() if action[0] not in self.always][:room]}
        entries = [each for each in best.values() if each in others or each[0] in self.always]
        return self.arranged(view, decision, entries)

    def candidates(self, view: View[S], decision: Decision, legal: Legal) -> Sequence[Action]:
        """Return the actions for the strong player to try, the best-rated first; at least one."""
        return self.menu(view, decision, legal)[: self.max_candidates]

    def chances(self, state: S, values: Sequence[float] | None = None) -> Sequence[float]:
        """Return each seat's chance to win; they add up to 1. `values` saves computing `value`."""
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
        """Return the name of the normal player's weights for a number of players."""
        return NORMAL if NORMAL in self.weights else f"{NORMAL}-{players}"

    def _default_weights(self, view: View[S]) -> Any:
        state: Any = view.known
        return self.weights[self.weights_name(len(state.players))]

    @property
    def module(self) -> str:
        """The module with this `JUDGEMENT`, for import by workers."""
        return type(self).__module__

    def __reduce__(self) -> str:
        # Not all of it can be pickled, but every process has the same object.
        return "JUDGEMENT"
