"""Domains list, admit and draw the same words."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.game.choices import Amount, Bundle, Grouping, OneOf

ALPHABET = "oaf"


@st.composite
def bundles(draw: st.DrawFn) -> Bundle:
    have = draw(st.tuples(*[st.integers(0, 3)] * len(ALPHABET)))
    least = draw(st.integers(0, 4))
    most = draw(st.integers(least, 6))
    odd = draw(st.booleans())
    fits = (lambda word: word.count("o") != 1) if odd else None
    return Bundle("pieces", ALPHABET, have, least, most, fits)


@given(bundles(), st.text(ALPHABET + "x5-", max_size=7))
def test_a_bundle_admits_exactly_the_words_it_lists(bundle: Bundle, word: str) -> None:
    assert bundle.admits(word) == (word in set(bundle.each()))


@given(bundles())
def test_a_bundle_lists_no_word_twice_and_admits_each(bundle: Bundle) -> None:
    listed = list(bundle.each())
    assert len(listed) == len(set(listed))
    assert all(bundle.admits(word) for word in listed)


@given(bundles(), st.integers())
def test_a_bundle_draws_only_words_it_lists(bundle: Bundle, seed: int) -> None:
    listed = set(bundle.each())
    if listed:
        assert bundle.sample(Random(seed)) in listed
    else:
        with pytest.raises(IndexError):
            bundle.sample(Random(seed))


def test_every_word_of_a_bundle_is_drawn_sooner_or_later() -> None:
    bundle = Bundle("pieces", ALPHABET, (2, 1, 1), 0, 2)
    assert {bundle.sample(Random(seed)) for seed in range(300)} == set(bundle.each())


@given(bundles())
def test_the_only_word_of_a_bundle_is_the_one_it_lists(bundle: Bundle) -> None:
    only = bundle.only()
    if only is not None:
        assert list(bundle.each()) == [only]


@pytest.mark.parametrize(
    ("have", "least", "most", "only"),
    [
        ((3, 0, 0), 1, 1, "o"),
        ((1, 0, 1), 2, 2, "of"),
        ((2, 0, 0), 2, 9, "oo"),
        ((2, 1, 0), 0, 0, ""),
        ((0, 0, 0), 0, 3, ""),
        ((2, 1, 0), 1, 1, None),
        ((2, 0, 0), 1, 2, None),
        ((1, 0, 0), 2, 2, None),
    ],
)
def test_a_bundle_tells_when_there_is_no_choice(
    have: tuple[int, ...], least: int, most: int, only: str | None
) -> None:
    assert Bundle("fee", ALPHABET, have, least, most).only() == only


def test_a_bundle_with_one_rare_fitting_word_still_draws_it() -> None:
    bundle = Bundle("pieces", ALPHABET, (30, 30, 30), 0, 90, lambda word: word == "o" * 17)
    assert bundle.sample(Random(0)) == "o" * 17


def test_a_bundle_sorts_pieces_into_its_order() -> None:
    bundle = Bundle("pieces", ALPHABET, (3, 3, 3), 0, 9)
    assert bundle.sort("fofa") == "oaff"
    assert bundle.admits("oaff")
    assert not bundle.admits("ofaf")


def test_one_of_lists_admits_and_draws_its_values() -> None:
    choice = OneOf("route", ("left", "right"))
    assert list(choice.each()) == ["left", "right"]
    assert choice.admits("left")
    assert not choice.admits("secret")
    assert {choice.sample(Random(seed)) for seed in range(20)} == {"left", "right"}
    assert choice.only() is None
    assert OneOf("route", ("left",)).only() == "left"


def test_a_domain_prints_in_short() -> None:
    cities = tuple(map(str, range(9)))
    assert repr(OneOf("city", cities)) == "OneOf(city: 0..8)"
    assert repr(OneOf("city", cities[::-1])) == "OneOf(city: 0..8)"
    assert repr(OneOf("city", ("8", "7", "3"))) == "OneOf(city: 8, 7 or 3)"
    assert repr(OneOf("route", ("left", ""))) == "OneOf(route: left or -)"
    assert repr(OneOf("space", ())) == "OneOf(space: nothing)"
    spaces = tuple(f"s{number}" for number in range(200))
    assert repr(OneOf("space", spaces)).endswith("s10, s11 or others (200 in all))")
    assert repr(Bundle("bid", "of", (2, 1), 0, 3)) == "Bundle(bid: 0..3 of oof)"
    assert repr(Bundle("bid", "of", (12, 0), 2, 2)) == "Bundle(bid: 2 of oooooooooooo)"
    assert repr(Bundle("bid", "of", (12, 9), 2, 2)) == "Bundle(bid: 2 of o*12 f*9)"
    assert repr(Bundle("bid", "of", (0, 0), 0, 2)) == "Bundle(bid: 0..2 of nothing)"
    assert repr(Amount("cubes", 0, 8)) == "Amount(cubes: 0..8)"
    assert str(Amount("cubes", 3, 3)) == "3"
    assert str(Amount("cubes", 1, 0)) == "nothing"


@given(least=st.integers(-12, 12), most=st.integers(-12, 12), word=st.text("-0129٣ ", max_size=3))
def test_an_amount_admits_lists_and_draws_the_same_numbers(
    least: int, most: int, word: str
) -> None:
    amount = Amount("cubes", least, most)
    listed = list(amount.each())
    assert len(listed) == amount.size
    assert amount.admits(word) == (word in listed)
    assert all(map(amount.admits, listed))
    assert amount.only() == (listed[0] if len(listed) == 1 else None)
    if listed:
        assert {amount.sample(Random(seed)) for seed in range(300)} == set(listed)
    else:
        with pytest.raises(IndexError):
            amount.sample(Random(1))


def test_an_amount_does_not_read_numbers_without_end() -> None:
    assert not Amount("cubes", 0, 10**30).admits("9" * 5000)


def test_groups_do_not_change_what_may_be_said() -> None:
    spaces = ("a1", "a2", "b1")
    divided = OneOf("space", spaces, (Grouping("zone", lambda space: space[0]),))
    assert tuple(divided.each()) == spaces
    assert divided.admits("b1")
    assert str(divided) == str(OneOf("space", spaces))
