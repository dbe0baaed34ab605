"""Draws can be recomputed from the key, repeated from the record, and are fair."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.game.chance import (
    ChanceMismatch,
    KeyedChance,
    RandomChance,
    RecordedChance,
    commitment,
)

KEY = bytes(range(32))
weights = st.lists(st.integers(0, 9), min_size=1, max_size=9).filter(any)


@given(st.lists(st.tuples(st.text(max_size=5), weights), max_size=6), st.integers(0, 50))
def test_the_same_key_draws_the_same(draws: list[tuple[str, list[int]]], counter: int) -> None:
    one, other = KeyedChance(KEY, counter), KeyedChance(KEY, counter)
    assert [one.draw(*draw) for draw in draws] == [other.draw(*draw) for draw in draws]
    assert one.drawn == other.drawn


@given(weights, st.integers(0, 99))
def test_only_what_has_weight_is_drawn(some: list[int], counter: int) -> None:
    assert some[KeyedChance(KEY, counter).draw("x", some)] > 0
    assert some[RandomChance(Random(counter)).draw("x", some)] > 0


@given(st.lists(weights, max_size=6), st.integers())
def test_a_record_gives_back_what_was_drawn(lists: list[list[int]], seed: int) -> None:
    chance = RandomChance(Random(seed))
    drawn = [chance.draw("x", some) for some in lists]
    recorded = RecordedChance(chance.drawn)
    assert [recorded.draw("x", some) for some in lists] == drawn
    recorded.finish()


def test_a_later_instance_goes_on_where_an_earlier_one_stopped() -> None:
    whole = KeyedChance(KEY)
    draws = [whole.draw("pair", [1] * 9) for _ in range(8)]
    first, second = KeyedChance(KEY), KeyedChance(KEY, 3)
    parts = [first.draw("pair", [1] * 9) for _ in range(3)]
    parts += [second.draw("pair", [1] * 9) for _ in range(5)]
    assert parts == draws


def test_key_counter_and_label_each_change_the_draws() -> None:
    def draws(key: bytes, counter: int, label: str) -> list[int]:
        chance = KeyedChance(key, counter)
        return [chance.draw(label, [1] * 1000) for _ in range(4)]

    base = draws(KEY, 0, "pair")
    assert draws(bytes(32), 0, "pair") != base
    assert draws(KEY, 9, "pair") != base
    assert draws(KEY, 0, "lot") != base


def test_draws_follow_their_weights() -> None:
    chance = KeyedChance(KEY)
    counts = Counter(chance.draw("x", (1, 0, 3)) for _ in range(4000))
    assert counts[1] == 0
    assert 0.2 < counts[0] / 4000 < 0.3


@pytest.mark.parametrize("outcomes", [[], [-1], [3], [1]])
def test_a_record_that_does_not_fit_is_refused(outcomes: list[int]) -> None:
    with pytest.raises(ChanceMismatch):
        RecordedChance(outcomes).draw("x", (1, 0, 1))


def test_a_record_with_draws_to_spare_is_refused() -> None:
    with pytest.raises(ChanceMismatch):
        RecordedChance([0]).finish()


@pytest.mark.parametrize("chance", [KeyedChance(KEY), RandomChance(Random(0))])
def test_nothing_cannot_be_drawn_from(chance: KeyedChance | RandomChance) -> None:
    with pytest.raises(ValueError, match="pair"):
        chance.draw("pair", (0, 0))


def test_the_commitment_binds_the_key() -> None:
    assert commitment(KEY) == commitment(bytes(range(32)))
    assert commitment(KEY) != commitment(bytes(32))
