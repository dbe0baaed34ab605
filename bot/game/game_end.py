"""Predicts whether actions would end the game, as far as the seat can know.

The actions are tried in worlds made from the seat's view (`Game.determinize`), so the answer
reveals nothing hidden from the seat, neither hands nor secret choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from random import Random
from typing import Any

import msgspec

from bot.game.chance import RandomChance
from bot.game.choices import Done, OneOf
from bot.game.contract import Action, IllegalAction, Outcome, Seat
from bot.game.game import AnyGame

WORLDS = 6


class GameEnd(msgspec.Struct, frozen=True):
    """The game would end, or only might; `outcome` is the result, if it is known."""

    is_certain: bool
    outcome: Outcome | None


class GameEnds:
    """Predictions for the actions of a view's observer, with a cache."""

    def __init__(self, game: AnyGame, view: Any) -> None:
        self._game = game
        self._view = view
        self._cache: dict[tuple[Action, ...], GameEnd | None] = {}

    def of(self, seat: Seat, actions: Sequence[Action]) -> GameEnd | None:
        """Return how the game would end if the seat took these actions, one after the other.

        None if it continues in every world. If the actions lead to a secret choice, all seats make
        it: the last answer ends the game, and no one may learn whose answer is the last.
        """
        key = tuple(actions)
        if key not in self._cache:
            self._cache[key] = self._of(seat, key)
        return self._cache[key]

    @cached_property
    def _worlds(self) -> Sequence[bytes]:
        game = self._game
        return [game.encode(game.determinize(self._view, Random(n))) for n in range(WORLDS)]

    def _of(self, seat: Seat, actions: Sequence[Action]) -> GameEnd | None:
        results = [self._try_in(number, seat, actions) for number in range(WORLDS)]
        ends = [outcome for outcome, _ in results if outcome is not None]
        if not ends:
            return None
        # Worlds prove nothing about the secret choices of others.
        is_certain = len(ends) == WORLDS and not any(secret for _, secret in results)
        is_known = is_certain and all(each == ends[0] for each in ends)
        return GameEnd(is_certain, ends[0] if is_known else None)

    def _try_in(
        self, number: int, seat: Seat, actions: Sequence[Action]
    ) -> tuple[Outcome | None, bool]:
        """Return the outcome in one world, and whether others chose in secret."""
        game, rng = self._game, Random(number)
        state, chance = game.decode(self._worlds[number]), RandomChance(rng)
        secret = any(each.sealed for each in game.pending(state))
        for each in game.pending(state):
            # Replace the choices that others have made: the seat can't know them. The first
            # replacement may already settle the choice for all.
            is_open = each in game.pending(state)
            if is_open and number < 2 and each.sealed and each.optional and each.seat != seat:
                game.apply(state, each.seat, self._answer(state, each.seat, number, rng), chance)
        try:
            for action in actions:
                game.apply(state, seat, action, chance)
        except IllegalAction:
            # An earlier action had a different effect in this world.
            return None, secret
        sealed = {each.id for each in game.pending(state) if each.sealed}
        while choosing := [
            each.seat for each in game.pending(state) if each.id in sealed and not each.optional
        ]:
            answer = self._answer(state, choosing[0], number, rng)
            game.apply(state, choosing[0], answer, chance)
        return game.outcome(state), secret or bool(sealed)

    def _answer(self, state: Any, seat: Seat, number: int, rng: Random) -> Action:
        """Return the first legal action in the first world, the last in the second, a random one in
        others.

        Random choices would rarely be the same for all seats.
        """
        moves, action = self._game.moves, Action()
        while not isinstance(choices := self._game.legal(state, seat, action), Done):
            if isinstance(choices, OneOf) and not action:
                kinds = [kind for kind in choices.values if not moves[kind].free]
                choices = OneOf(choices.param, tuple(kinds))
            if isinstance(choices, OneOf) and number < 2:
                word = choices.values[-number]
            else:
                word = choices.sample(rng)
            action = (*action, word)
        return action
