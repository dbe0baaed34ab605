"""Burgundy and going back: nothing is learnt within a turn, so all of it can be reconsidered."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from bot.game.burgundy import GAME
from bot.game.chance import KeyedChance
from bot.tables.undoing import gave_knowledge
from tests.game.burgundy.random_games import next_action

STRIDE = 5


@pytest.mark.parametrize(
    ("seats", "options"), [(2, {"sold_goods": "hidden"}), (3, {"boards": "choose"})]
)
def test_no_step_of_a_turn_tells_anybody_anything_that_cannot_be_taken_back(
    seats: int, options: Mapping[str, str]
) -> None:
    rng, key, draws = Random(seats), bytes(32), 0
    chance = KeyedChance(key)
    state, tried, number = GAME.setup(seats, options, chance), set[str](), 0
    while GAME.outcome(state) is None:
        draws += len(chance.drawn)
        chance = KeyedChance(key, draws)
        before = GAME.decode(GAME.encode(state))
        sealed = any(asked.sealed for asked in GAME.pending(state))
        seat, action = next_action(state, rng)
        GAME.apply(state, seat, action, chance)
        number += 1
        if chance.drawn or sealed or GAME.outcome(state) is not None or number % STRIDE:
            continue
        tried.add(action[0])
        assert not gave_knowledge(GAME, seats, before, state, seat, action, rng), action
    assert tried >= {"take", "place", "sell", "workers", "buy", "load", "end"}
