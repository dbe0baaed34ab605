"""Whether actions would end the game, as far as the seat that takes them can know.

They are tried in worlds that are imagined from the seat's view alone, so whatever is said of them
reveals nothing that the seat does not see: neither hands nor what others have chosen in secret.
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
    """That the game would end, or only that it could; `outcome` is the result, if it is known."""

    is_certain: bool
    outcome: Outcome | None


class GameEnds:
    """Which actions of the observer of a view would end the game; it remembers its answers."""

    def __init__(self, game: AnyGame, view: Any) -> None:
        self._game = game
        self._view = view
        self._found: dict[tuple[Action, ...], GameEnd | None] = {}

    def of(self, seat: Seat, actions: Sequence[Action]) -> GameEnd | None:
        """How the game would end if the seat took these actions, one after the other; None if it
        goes on in every world.

        If they lead to a choice in secret, everybody makes it: the last answer ends the game, and
        nobody may learn from this whose is the last.
        """
        row = tuple(actions)
        if row not in self._found:
            self._found[row] = self._of(seat, row)
        return self._found[row]

    @cached_property
    def _worlds(self) -> Sequence[bytes]:
        game = self._game
        return [game.encode(game.determinize(self._view, Random(n))) for n in range(WORLDS)]

    def _of(self, seat: Seat, row: tuple[Action, ...]) -> GameEnd | None:
        tried = [self._tried(number, seat, row) for number in range(WORLDS)]
        ends = [outcome for outcome, _ in tried if outcome is not None]
        if not ends:
            return None
        # Worlds prove nothing about what others choose in secret.
        is_certain = len(ends) == WORLDS and not any(secret for _, secret in tried)
        is_known = is_certain and all(each == ends[0] for each in ends)
        return GameEnd(is_certain, ends[0] if is_known else None)

    def _tried(
        self, number: int, seat: Seat, row: tuple[Action, ...]
    ) -> tuple[Outcome | None, bool]:
        """What comes of them in one world, and whether others chose in secret."""
        game, rng = self._game, Random(number)
        state, chance = game.decode(self._worlds[number]), RandomChance(rng)
        secret = any(each.sealed for each in game.pending(state))
        for each in game.pending(state):
            # What others have chosen is no better known than what they will choose. One of them may
            # settle it for all.
            is_open = each in game.pending(state)
            if is_open and number < 2 and each.sealed and each.optional and each.seat != seat:
                game.apply(state, each.seat, self._answer(state, each.seat, number, rng), chance)
        try:
            for action in row:
                game.apply(state, seat, action, chance)
        except IllegalAction:
            # An earlier action came out differently in this world.
            return None, secret
        sealed = {each.id for each in game.pending(state) if each.sealed}
        while choosing := [
            each.seat for each in game.pending(state) if each.id in sealed and not each.optional
        ]:
            answer = self._answer(state, choosing[0], number, rng)
            game.apply(state, choosing[0], answer, chance)
        return game.outcome(state), secret or bool(sealed)

    def _answer(self, state: Any, seat: Seat, number: int, rng: Random) -> Action:
        """The first choice there is in the first world, the last one in the second, any in the
        others: that all choose alike is rare at random."""
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
