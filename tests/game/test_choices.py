"""Domains list, admit and draw the same words; rules accept listed actions and explain refusals."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from bot.game.choices import Amount, Bundle, Done, Grouping, OneOf
from bot.game.contract import (
    THEN,
    Action,
    IllegalAction,
    Refusal,
    Seat,
    in_turn,
    joined,
    parse_action,
)
from bot.game.game import Walk
from bot.game.grammar import EventRecorder, Rule, check, next_word, refuse, rule

ALPHABET = "oaf"


def bundles() -> Iterator[tuple[int, Bundle]]:
    """Yield random bundles with their seeds, half of them with a condition."""
    for seed in range(300):
        rng = Random(seed)
        have = tuple(rng.randint(0, 3) for _ in ALPHABET)
        minimum = rng.randint(0, 4)
        fits = (lambda word: word.count("o") != 1) if seed % 2 else None
        yield seed, Bundle("pieces", ALPHABET, have, minimum, rng.randint(minimum, 6), fits)


WORDS = ["".join(word) for count in range(5) for word in product("oafx-", repeat=count)]


def test_a_bundle_admits_and_draws_exactly_the_words_it_lists() -> None:
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


def test_a_bundle_draws_all_of_its_words() -> None:
    bundle = Bundle("pieces", ALPHABET, (2, 1, 1), 0, 2)
    assert {bundle.sample(Random(seed)) for seed in range(300)} == set(bundle.each())
    rare = Bundle("pieces", ALPHABET, (30, 30, 30), 0, 90, lambda word: word == "o" * 17)
    assert rare.sample(Random(0)) == "o" * 17


def test_a_bundle_sorts_pieces_into_its_order() -> None:
    bundle = Bundle("pieces", ALPHABET, (3, 3, 3), 0, 9)
    assert bundle.sort("fofa") == "oaff"
    assert bundle.admits("oaff")
    assert not bundle.admits("ofaf")


def test_one_of_lists_admits_and_draws_its_values_with_and_without_groups() -> None:
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
    for minimum, maximum in product((-12, -1, 0, 3, 10), (-10, -1, 0, 3, 12)):
        amount = Amount("cubes", minimum, maximum)
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


# Rules

Purse = list[int]


def _gate(purse: Purse, seat: int) -> Refusal | None:
    return None if any(purse) else Refusal("empty", "purse")


def _coin(purse: Purse, seat: int) -> OneOf:
    return OneOf("coin", ("heads", "tails"))


def _stake(purse: Purse, seat: int, coin: str) -> Bundle:
    return Bundle("stake", "gs", tuple(purse), 1, 2)


def _toss(purse: Purse, seat: int, recorder: EventRecorder, coin: str, stake: str) -> None:
    purse[0] -= stake.count("g")


def _why_not(purse: Purse, seat: int, word: str) -> Refusal | None:
    return None if word == "rim" else refuse("coins_have_no_edge")


TOSS: Rule[Purse] = (
    rule("toss", "tossing", _gate)
    .word("coin", _coin, _why_not, ("edge", "rim"))
    .word("stake", _stake)
    .does(_toss)
)


def refusal_of(purse: Purse, *words: str) -> Refusal:
    with pytest.raises(IllegalAction) as caught:
        check(TOSS, purse, 0, ("toss", *words))
    return caught.value.refusal


def test_the_domain_of_the_next_word_follows_a_prefix() -> None:
    assert next_word(TOSS, [2, 1], 0, ("toss",)) == OneOf("coin", ("heads", "tails"))
    assert next_word(TOSS, [2, 1], 0, ("toss", "heads")) == Bundle("stake", "gs", (2, 1), 1, 2)
    assert next_word(TOSS, [2, 1], 0, ("toss", "heads", "gs")) == Done()
    check(TOSS, [2, 1], 0, ("toss", "tails", "gg"))


def test_a_refusal_says_what_is_wrong_and_what_is_legal() -> None:
    coin, stake = "coin must be heads or tails", "stake must be 1..2 of ggs"
    for line, code, reason in (
        ("toss", "incomplete", coin),
        ("toss heads", "incomplete", stake),
        ("toss edge g", "coins_have_no_edge", f"coins have no edge; {coin}"),
        ("toss rim", "not_a_choice", coin),
        ("toss cat g", "not_a_choice", coin),
        ("toss heads x", "not_a_choice", stake),
        ("toss heads sg", "not_a_choice", stake),
        ("toss heads -", "too_few", stake),
        ("toss heads ggs", "too_many", stake),
        ("toss heads ss", "not_in_stock", stake),
        ("toss heads g now", "too_many_words", "too many words"),
    ):
        with pytest.raises(IllegalAction) as caught:
            check(TOSS, [2, 1], 3, parse_action(line))
        assert caught.value.action == parse_action(line)
        assert caught.value.refusal.code == code
        assert str(caught.value) == f'seat 3 may not "{line}": {reason}'


def test_a_refusal_has_the_topic_of_its_rule() -> None:
    assert refusal_of([2, 1], "edge").topic == "tossing"
    assert refusal_of([0, 0], "edge").topic == "purse"
    refusal = refusal_of([2, 1], "rim")
    assert refusal.topic == "tossing"
    assert refusal.facts == {"kind": "toss", "param": "coin", "word": "rim"}


def test_joined_actions_can_be_split_again() -> None:
    voyage = (("sail", "left", ""), ("sail", "right", "o"), ("stop",))
    assert joined(*voyage)[2:5] == ("", THEN, "sail")
    assert in_turn(joined(*voyage)) == [*voyage]
    assert joined(("stop",)) == ("stop",)
    assert in_turn(("stop",)) == [("stop",)]


def test_a_number_out_of_range_is_refused_with_the_range() -> None:
    save: Rule[Purse] = (
        rule("save", "saving", _gate)
        .amount("coins", lambda purse, seat: Amount("coins", 1, purse[0]), 1, 9)
        .does(lambda purse, seat, recorder, coins: None)
    )
    assert save.move.params == ("coins",)
    assert save.move.amounts == {"coins": (1, 9)}
    check(save, [4, 0], 0, ("save", "4"))
    for word in ("0", "5", "04", "many"):
        with pytest.raises(IllegalAction, match=r"coins must be 1\.\.4$") as caught:
            check(save, [4, 0], 0, ("save", word))
        facts = {"kind": "save", "param": "coins", "word": word, "least": 1, "most": 4}
        assert caught.value.refusal == Refusal("out_of_range", "saving", facts)


def test_a_walk_computes_each_domain_once() -> None:
    calls: list[str] = []

    def gate(state: Any, seat: Seat) -> None:
        calls.append("gate")

    def word(state: Any, seat: Seat, *before: str) -> OneOf:
        calls.append(" ".join(("word", *before)))
        return OneOf("word", ("a", "b"))

    say: Rule[Any] = (rule("say", "talk", gate).word("first", word).word("second", word)).does(
        lambda *words: None
    )

    class Game:
        """A game with one open rule."""

        def open_rules(self, state: Any, seat: Seat) -> dict[str, Rule[Any]]:
            gate(state, seat)
            return {"say": say}

        def rule_of(self, state: Any, seat: Seat, action: Action) -> Rule[Any]:
            return say

    game: Any = Game()
    walk: Walk[Any] = Walk(game, None, 0)
    for prefix in ("", "say", "say a", "say a b", "say b", "say b a") * 3:
        walk(tuple(prefix.split()))
    assert calls == ["gate", "word", "word a", "word b"]
