"""Draws can be recomputed from the key, repeated from the record, and are fair."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from bot.game.chance import ChanceMismatch, KeyedChance, RandomChance, RecordedChance, commitment

KEY = bytes(range(32))


def some_weights(rng: Random) -> list[int]:
    """Some of them nothing, but not all."""
    return [*(rng.randrange(10) for _ in range(rng.randrange(8))), 0, rng.randint(1, 9)]


def test_the_same_key_draws_the_same_and_a_record_gives_it_back() -> None:
    """Only what has weight is drawn, whoever draws."""
    for seed in range(100):
        rng = Random(seed)
        draws = [(rng.choice(["pair", "lot", "ü"]), some_weights(rng)) for _ in range(6)]
        one, other = KeyedChance(KEY, seed), KeyedChance(KEY, seed)
        for chance in (one, RandomChance(rng)):
            drawn = [chance.draw(*draw) for draw in draws]
            assert all(some[place] for (_, some), place in zip(draws, drawn, strict=True))
            recorded = RecordedChance(chance.drawn)
            assert [recorded.draw(*draw) for draw in draws] == drawn
            recorded.finish()
        assert [other.draw(*draw) for draw in draws] == one.drawn == other.drawn


def test_draws_follow_their_weights() -> None:
    chance = KeyedChance(KEY)
    counts = Counter(chance.draw("x", (1, 0, 3)) for _ in range(4000))
    assert counts[1] == 0
    assert 0.2 < counts[0] / 4000 < 0.3


def test_a_record_that_does_not_fit_is_refused() -> None:
    for outcomes in ([], [-1], [3], [1]):
        with pytest.raises(ChanceMismatch):
            RecordedChance(outcomes).draw("x", (1, 0, 1))
    with pytest.raises(ChanceMismatch):
        RecordedChance([0]).finish()


def test_nothing_cannot_be_drawn_from() -> None:
    for chance in (KeyedChance(KEY), RandomChance(Random(0))):
        with pytest.raises(ValueError, match="pair"):
            chance.draw("pair", (0, 0))


def test_the_commitment_binds_the_key() -> None:
    assert commitment(KEY) == commitment(bytes(range(32))) != commitment(bytes(32))
