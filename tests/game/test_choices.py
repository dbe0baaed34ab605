"""Domains list, admit and draw the same words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from bot.game.choices import Amount, Bundle, Grouping, OneOf

ALPHABET = "oaf"


def bundles() -> Iterator[tuple[int, Bundle]]:
    """Many of them, each with a seed; some with a condition that not every word fits."""
    for seed in range(300):
        rng = Random(seed)
        have = tuple(rng.randint(0, 3) for _ in ALPHABET)
        least = rng.randint(0, 4)
        fits = (lambda word: word.count("o") != 1) if seed % 2 else None
        yield seed, Bundle("pieces", ALPHABET, have, least, rng.randint(least, 6), fits)


WORDS = ["".join(word) for count in range(5) for word in product("oafx-", repeat=count)]


def test_a_bundle_admits_and_draws_exactly_the_words_it_lists() -> None:
    """And knows when there is only one."""
    for seed, bundle in bundles():
        listed = list(bundle.each())
        assert len(listed) == len(set(listed))
        assert all(map(bundle.admits, listed))
        assert set(filter(bundle.admits, WORDS)) == {word for word in listed if len(word) < 5}
        if listed:
            assert bundle.sample(Random(seed)) in listed
        else:
            with pytest.raises(IndexError):
                bundle.sample(Random(seed))
        only = listed[0] if len(listed) == 1 else None
        assert bundle.only() in ((only,) if bundle.fits is None else (only, None))


def test_every_word_of_a_bundle_is_drawn_sooner_or_later() -> None:
    bundle = Bundle("pieces", ALPHABET, (2, 1, 1), 0, 2)
    assert {bundle.sample(Random(seed)) for seed in range(300)} == set(bundle.each())
    rare = Bundle("pieces", ALPHABET, (30, 30, 30), 0, 90, lambda word: word == "o" * 17)
    assert rare.sample(Random(0)) == "o" * 17


def test_a_bundle_sorts_pieces_into_its_order() -> None:
    bundle = Bundle("pieces", ALPHABET, (3, 3, 3), 0, 9)
    assert bundle.sort("fofa") == "oaff"
    assert bundle.admits("oaff")
    assert not bundle.admits("ofaf")


def test_one_of_lists_admits_and_draws_its_values_in_groups_or_not() -> None:
    for groups in ((), (Grouping("side", lambda route: route[0]),)):
        choice = OneOf("route", ("left", "right"), groups)
        assert list(choice.each()) == ["left", "right"]
        assert choice.admits("left")
        assert not choice.admits("secret")
        assert {choice.sample(Random(seed)) for seed in range(20)} == {"left", "right"}
        assert choice.only() is None
        assert str(choice) == "left or right"
    assert OneOf("route", ("left",)).only() == "left"


def test_a_domain_prints_in_short() -> None:
    cities = tuple(map(str, range(9)))
    assert repr(OneOf("city", cities)) == "OneOf(city: 0..8)"
    assert repr(OneOf("city", ("8", "7", "3"))) == "OneOf(city: 8, 7 or 3)"
    assert repr(OneOf("route", ("left", ""))) == "OneOf(route: left or -)"
    assert repr(OneOf("space", ())) == "OneOf(space: nothing)"
    spaces = tuple(f"s{number}" for number in range(200))
    assert repr(OneOf("space", spaces)).endswith("s10, s11 or others (200 in all))")
    assert repr(Bundle("bid", "of", (2, 1), 0, 3)) == "Bundle(bid: 0..3 of oof)"
    assert repr(Bundle("bid", "of", (12, 9), 2, 2)) == "Bundle(bid: 2 of o*12 f*9)"
    assert repr(Amount("cubes", 0, 8)) == "Amount(cubes: 0..8)"
    assert str(Amount("cubes", 1, 0)) == "nothing"


def test_an_amount_admits_lists_and_draws_the_same_numbers() -> None:
    words = [*map(str, range(-12, 13)), "", "-", "-0", "01", "1 ", "٣", "9" * 5000]
    for least, most in product((-12, -1, 0, 3, 10), (-10, -1, 0, 3, 12)):
        amount = Amount("cubes", least, most)
        listed = list(amount.each())
        assert len(listed) == amount.size
        assert [word for word in words if amount.admits(word)] == listed
        assert amount.only() == (listed[0] if len(listed) == 1 else None)
        if listed:
            assert {amount.sample(Random(seed)) for seed in range(300)} == set(listed)
        else:
            with pytest.raises(IndexError):
                amount.sample(Random(1))
    assert not Amount("cubes", 0, 10**30).admits("9" * 5000)
