"""The menu of a game that has none of its own."""

from __future__ import annotations

from functools import partial

from bot.game.choices import Amount, Bundle, Choices, Done, OneOf
from bot.game.contract import Action, Decision
from bot.policy.menu import FEW, few_actions, has_all

DECISION = Decision("d1", 0, "turn")


def menu(grammar: dict[Action, Choices]) -> list[Action]:
    return [*few_actions(None, DECISION, partial(_legal, grammar))]


def test_each_whole_action_is_an_entry() -> None:
    grammar: dict[Action, Choices] = {
        (): OneOf("kind", ("take", "end")),
        ("take",): OneOf("pile", ("1", "2")),
    }
    assert menu(grammar) == [("take", "1"), ("take", "2"), ("end",)]


def test_the_largest_amount_comes_first() -> None:
    grammar: dict[Action, Choices] = {
        (): OneOf("kind", ("bid", "pass")),
        ("bid",): Amount("coins", 1, 3),
    }
    assert menu(grammar) == [("bid", "3"), ("bid", "2"), ("bid", "1"), ("pass",)]


def test_a_choice_of_one_word_needs_no_menu() -> None:
    grammar: dict[Action, Choices] = {
        (): OneOf("kind", ("take",)),
        ("take",): OneOf("pile", ("1", "2")),
    }
    assert menu(grammar) == []
    assert menu({(): OneOf("kind", ("take", "end"))}) == []


def test_many_actions_are_chosen_word_by_word() -> None:
    grammar: dict[Action, Choices] = {(): OneOf("kind", ("bid", "pass"))}
    assert len(menu({**grammar, ("bid",): Amount("coins", 1, FEW - 1)})) == FEW
    assert menu({**grammar, ("bid",): Amount("coins", 1, FEW)}) == []


def test_pieces_to_pay_are_listed_where_they_are_few() -> None:
    grammar: dict[Action, Choices] = {(): OneOf("kind", ("pay", "pass"))}
    assert menu({**grammar, ("pay",): Bundle("fee", "of", (1, 1), 1, 1)}) == [
        ("pay", "f"),
        ("pay", "o"),
        ("pass",),
    ]
    assert menu({**grammar, ("pay",): Bundle("fee", "of", (9, 9), 1, 9)}) == []


def test_a_menu_has_all_of_a_kind_or_lacks_some() -> None:
    grammar: dict[Action, Choices] = {
        (): OneOf("kind", ("take", "end")),
        ("take",): OneOf("pile", ("1", "2")),
    }
    legal = partial(_legal, grammar)
    assert has_all({("take", "1"), ("take", "2")}, legal, "take")
    assert not has_all({("take", "1"), ("end",)}, legal, "take")
    assert has_all({("end",)}, legal, "end")


def _legal(grammar: dict[Action, Choices], prefix: Action) -> Choices:
    return grammar.get(prefix, Done())
