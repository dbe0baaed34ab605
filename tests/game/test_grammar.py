"""What is listed is accepted, and what is refused is told why."""

from __future__ import annotations

from typing import Any

import pytest

from bot.game.choices import Amount, Bundle, Done, OneOf
from bot.game.contract import (
    THEN,
    Action,
    IllegalAction,
    Refusal,
    Seat,
    canonical,
    in_turn,
    joined,
    parse_action,
)
from bot.game.grammar import EventRecorder, Rule, check, next_word, refuse, rule
from bot.game.walk import Walk

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


def test_a_prefix_is_answered_with_the_domain_of_its_next_word() -> None:
    assert next_word(TOSS, [2, 1], 0, ("toss",)) == OneOf("coin", ("heads", "tails"))
    assert next_word(TOSS, [2, 1], 0, ("toss", "heads")) == Bundle("stake", "gs", (2, 1), 1, 2)
    assert next_word(TOSS, [2, 1], 0, ("toss", "heads", "gs")) == Done()
    check(TOSS, [2, 1], 0, ("toss", "tails", "gg"))


def test_a_wrong_word_is_refused_for_what_is_wrong_in_plain_words() -> None:
    """Who wanted what, why not, and what can be."""
    coin, stake = "coin must be heads or tails", "stake must be 1..2 of ggs"
    for line, code, said in (
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
        assert str(caught.value) == f'seat 3 may not "{line}": {said}'


def test_a_refusal_names_the_rule_it_comes_from() -> None:
    assert refusal_of([2, 1], "edge").topic == "tossing"
    assert refusal_of([0, 0], "edge").topic == "purse"
    refusal = refusal_of([2, 1], "rim")
    assert refusal.topic == "tossing"
    assert refusal.facts == {"kind": "toss", "param": "coin", "word": "rim"}


def test_an_action_and_its_line_stand_for_each_other() -> None:
    for action, line in (
        (("sail", "left", ""), "sail left -"),
        (("offer", "1", "", "o5"), "offer 1 - o5"),
        (("stop",), "stop"),
    ):
        assert canonical(action) == line
        assert parse_action(line) == parse_action(f"  {line}  ") == action


def test_actions_that_were_joined_come_apart_again() -> None:
    voyage = (("sail", "left", ""), ("sail", "right", "o"), ("stop",))
    assert joined(*voyage)[2:5] == ("", THEN, "sail")
    assert in_turn(joined(*voyage)) == [*voyage]
    assert joined(("stop",)) == ("stop",)
    assert in_turn(("stop",)) == [("stop",)]


def test_a_number_out_of_bounds_is_refused_with_the_bounds() -> None:
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


# Walks


def test_a_walk_asks_for_each_word_of_an_action_once() -> None:
    asked: list[str] = []

    def gate(state: Any, seat: Seat) -> None:
        asked.append("gate")

    def word(state: Any, seat: Seat, *before: str) -> OneOf:
        asked.append(" ".join(("word", *before)))
        return OneOf("word", ("a", "b"))

    say: Rule[Any] = (rule("say", "talk", gate).word("first", word).word("second", word)).does(
        lambda *words: None
    )

    class Turns:
        """One rule is open."""

        def open_rules(self, state: Any, seat: Seat) -> dict[str, Rule[Any]]:
            gate(state, seat)
            return {"say": say}

        def rule_of(self, state: Any, seat: Seat, action: Action) -> Rule[Any]:
            return say

    walk = Walk(Turns(), None, 0)
    for prefix in ("", "say", "say a", "say a b", "say b", "say b a") * 3:
        walk(tuple(prefix.split()))
    assert asked == ["gate", "word", "word a", "word b"]
