"""Moments of games for tests of computer players and menus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from bot.game.chance import RandomChance
from bot.game.choices import Done
from bot.game.contract import ANSWER, Action, Decision, Seat, canonical, in_turn
from bot.game.game import AnyGame
from bot.tables.core.record import fold
from bot.titles import TITLES
from bot.titles.title import Title
from tests.game.sampled import SAMPLED
from tests.recorded.results import names, read_record


class Offered(NamedTuple):
    """A decision of a recorded game, its menu, and the action of the normal player."""

    state: Any
    decision: Decision
    view: Any
    menu: list[Action]
    normal: Action


def offered(title: Title, every: int) -> Iterator[Offered]:
    """Yield the decisions at every n-th moment of all recorded games."""
    game, normal, moment = title.game, title.quick_players["normal"], 0
    for name in names(game):
        for _, state in fold(game, read_record(game, name)):
            moment += 1
            if moment % every:
                continue
            for decision in game.pending(state):
                view = game.view(state, decision.seat)
                legal = partial(game.legal, state, decision.seat)
                menu = [*title.menu(view, decision, legal)]
                choice = normal(view, decision, legal, Random(moment))
                yield Offered(state, decision, view, menu, choice)


def asked(game: AnyGame, state: Any, seat: Seat = 0) -> Decision:
    return next(each for each in game.pending(state) if each.seat == seat)


def answer(game: AnyGame, state: Any, seat: Seat = 0) -> str:
    """Return the action of the normal player."""
    player, legal = TITLES.players[game.name]["normal"], partial(game.legal, state, seat)
    return canonical(player(game.view(state, seat), asked(game, state, seat), legal, Random(5)))


def can_be_carried_out(game: AnyGame, state: Any, seat: Seat, entry: Action) -> bool:
    """Return whether each of the joined actions is legal and whole after those before it, up to the
    end of the game."""
    first, *rest = in_turn(entry)
    if not is_whole(game, state, seat, first):
        return False
    ahead = deepcopy(state) if rest else state
    for before, action in pairwise((first, *rest)):
        game.apply(ahead, seat, before, RandomChance(Random(1)))
        if game.outcome(ahead) is not None:
            return True
        if not is_whole(game, ahead, seat, action):
            return False
    return True


def is_whole(game: AnyGame, state: Any, seat: Seat, action: Action) -> bool:
    """Return whether an action is legal and complete."""
    for place, word in enumerate(action):
        choices = game.legal(state, seat, action[:place])
        if isinstance(choices, Done) or not choices.admits(word):
            return False
    return isinstance(game.legal(state, seat, action), Done)


class Counted:
    """A game that counts the applied actions."""

    def __init__(self, game: Any) -> None:
        self._game = game
        self.applied = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def apply(self, *words: Any) -> Any:
        self.applied += 1
        return self._game.apply(*words)


def moments(
    title: Title,
    every: int,
    tables: Sequence[tuple[int, Mapping[str, str]]] | None = None,
    seed: int = 5,
) -> Iterator[tuple[Any, Decision]]:
    """Yield decisions at every n-th state of random games, and each kind at least once a game.
    Without `tables` only a few games are played."""
    sampled = SAMPLED[title.game.name]
    for seats, options in sampled.few_tables() if tables is None else tables:
        seen = set[str]()
        for number, step in enumerate(sampled.steps(seats, options, seed)):
            for decision in title.game.pending(step.state):
                is_new = decision.kind not in seen
                asked = not decision.optional or decision.kind == ANSWER
                if asked and (is_new or number % every == 0):
                    seen.add(decision.kind)
                    yield step.state, decision
