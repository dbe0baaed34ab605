"""What is offered while a command is being typed, and of a stock of many pieces."""

from __future__ import annotations

from bot.cogs.ui.action_builder import piece_values, usual
from bot.cogs.ui.autocomplete import matching
from bot.game.choices import Bundle


def test_a_word_that_discord_would_not_take_is_not_offered() -> None:
    """One choice of more than 100 characters would take all the others with it."""
    offered = matching([("o", "1 ore"), ("o" * 101, "101 ore"), ("o" * 100, "100 ore")], "ore")
    assert [choice.name for choice in offered] == ["1 ore", "100 ore"]


def test_the_usual_words_of_a_stock_are_nothing_one_piece_and_several_of_a_kind() -> None:
    goods = Bundle("give", "ofas", (3, 2, 0, 1), 0, 6)
    assert usual(goods, 25) == ["", "o", "f", "s", "ooo", "oo", "ff", "of", "os", "fs"]
    # As many sizes as have room, and none that is not allowed.
    hidden = Bundle("take", "ofas", (12, 12, 12, 12), 1, 48)
    assert usual(hidden, 9) == ["o", "f", "a", "s", "oo", "ff", "aa", "ss"]
    pairs = Bundle("fee", "ofas", (2, 2, 1, 0), 2, 2, lambda word: word != "ff")
    assert usual(pairs, 25) == ["oo", "of", "oa", "fa"]


def test_a_stock_larger_than_a_select_is_offered_with_fewer_of_each_kind_or_not_at_all() -> None:
    hidden = Bundle("take", "ofas", (12, 12, 1, 0), 1, 25)
    dozen = [f"{kind}{number}" for kind in "of" for number in range(1, 13)]
    assert piece_values(hidden, 6) == ["o1", "o2", "f1", "f2", "a1"]
    assert piece_values(hidden, 25) == [*dozen, "a1"]
    assert piece_values(Bundle("take", "ofas", (1, 1, 1, 1), 1, 4), 3) == []
