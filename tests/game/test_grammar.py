"""What is listed is accepted, and what is refused is told why."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.chance import RandomChance
from bot.game.choices import Amount, Bundle, Done, OneOf
from bot.game.contract import Action, Event, IllegalAction, Refusal, canonical, parse_action
from bot.game.events import SeatsEvent
from bot.game.grammar import EventRecorder, Rule, check, moves_of, next_word, refuse, rule

Purse = list[int]


class Noon(Event, frozen=True):
    """All hear it."""


class Secret(SeatsEvent, frozen=True):
    """Some hear it."""

    count: int


class Whisper(Event, frozen=True):
    """The others hear it."""


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
    assert caught.value.action == ("toss", *words)
    return caught.value.refusal


def test_a_prefix_is_answered_with_the_domain_of_its_next_word() -> None:
    assert next_word(TOSS, [2, 1], 0, ("toss",)) == OneOf("coin", ("heads", "tails"))
    assert next_word(TOSS, [2, 1], 0, ("toss", "heads")) == Bundle("stake", "gs", (2, 1), 1, 2)
    assert next_word(TOSS, [2, 1], 0, ("toss", "heads", "gs")) == Done()


def test_a_whole_action_passes() -> None:
    check(TOSS, [2, 1], 0, ("toss", "tails", "gg"))


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((), "incomplete"),
        (("heads",), "incomplete"),
        (("edge", "g"), "coins_have_no_edge"),
        (("rim", "g"), "not_a_choice"),
        (("cat", "g"), "not_a_choice"),
        (("heads", "x"), "not_a_choice"),
        (("heads", "sg"), "not_a_choice"),
        (("heads", ""), "too_few"),
        (("heads", "ggs"), "too_many"),
        (("heads", "ss"), "not_in_stock"),
        (("heads", "g", "now"), "too_many_words"),
    ],
)
def test_a_wrong_word_is_refused_for_what_is_wrong(words: Action, code: str) -> None:
    assert refusal_of([2, 1], *words).code == code


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("rim",), 'seat 3 may not "toss rim": coin must be heads or tails'),
        (
            ("edge", "g"),
            'seat 3 may not "toss edge g": coins have no edge; coin must be heads or tails',
        ),
        (("heads", "ss"), 'seat 3 may not "toss heads ss": stake must be 1..2 of ggs'),
        (("heads", ""), 'seat 3 may not "toss heads -": stake must be 1..2 of ggs'),
        (("heads",), 'seat 3 may not "toss heads": stake must be 1..2 of ggs'),
        (("heads", "g", "now"), 'seat 3 may not "toss heads g now": too many words'),
    ],
)
def test_who_wanted_what_and_what_can_be_is_told_in_plain_words(words: Action, said: str) -> None:
    with pytest.raises(IllegalAction) as caught:
        check(TOSS, [2, 1], 3, ("toss", *words))
    assert str(caught.value) == said


def test_the_gate_comes_before_every_word() -> None:
    assert refusal_of([0, 0], "edge").code == "empty"


def test_of_several_gates_the_first_that_refuses_tells_why() -> None:
    def closed(purse: Purse, seat: int) -> Refusal | None:
        return refuse("closed") if seat else None

    pay: Rule[Purse] = rule("pay", "paying", closed, _gate).does(lambda purse, seat, recorder: None)
    for purse, seat, code in (([0], 1, "closed"), ([1], 1, "closed"), ([0], 0, "empty")):
        with pytest.raises(IllegalAction) as caught:
            check(pay, purse, seat, ("pay",))
        assert caught.value.refusal.code == code
    check(pay, [1], 0, ("pay",))


def test_a_refusal_names_the_rule_it_comes_from() -> None:
    assert refusal_of([2, 1], "edge").topic == "tossing"
    assert refusal_of([0, 0], "edge").topic == "purse"
    refusal = refusal_of([2, 1], "rim")
    assert refusal.topic == "tossing"
    assert refusal.facts == {"kind": "toss", "param": "coin", "word": "rim"}


def test_moves_list_kinds_with_their_parameters() -> None:
    move = moves_of({"toss": TOSS})["toss"]
    assert (move.kind, move.params, move.topic, move.free) == (
        "toss", ("coin", "stake"), "tossing", False,
    )  # fmt: skip


def test_a_secret_and_its_public_twin_reach_different_ears() -> None:
    recorder = EventRecorder(RandomChance(Random(0)))
    recorder.tell(Noon())
    recorder.tell(Secret(seats=(1, 2), count=3, only=(1, 2)))
    recorder.tell(Whisper(but=(1, 2)))
    heard = {
        observer: [event.kind for event in recorder.events if event.heard_by(observer)]
        for observer in (-1, 0, 1, 2)
    }
    assert heard == {
        -1: ["noon", "whisper"],
        0: ["noon", "whisper"],
        1: ["noon", "secret"],
        2: ["noon", "secret"],
    }


@pytest.mark.parametrize(
    ("action", "line"),
    [
        (("sail", "left", ""), "sail left -"),
        (("offer", "1", "", "o5"), "offer 1 - o5"),
        (("stop",), "stop"),
    ],
)
def test_an_action_and_its_line_stand_for_each_other(action: Action, line: str) -> None:
    assert canonical(action) == line
    assert parse_action(line) == action
    assert parse_action(f"  {line}  ") == action


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
