"""What a table agrees on has words, and names of its own."""

from __future__ import annotations

from datetime import date

import pytest

from bot.tables.core.terms import TERMS
from bot.text import absence, terms
from bot.text.words import words_for
from bot.titles import TITLES

EN = words_for("en")


def test_every_term_and_value_has_words() -> None:
    assert {each.name: each.values for each in TERMS} == {
        name: tuple(values) for name, values in terms.VALUES.items()
    }
    assert set(terms.NAMES) == set(terms.VALUES)


@pytest.mark.parametrize("game", sorted(TITLES.games))
def test_no_option_of_a_game_is_called_like_a_term(game: str) -> None:
    assert not {each.name for each in TITLES.games[game].options} & set(terms.NAMES)


def test_only_a_table_with_a_clock_says_what_happens_at_its_end() -> None:
    assert terms.summary(EN, {"weekend": "frozen"}) == "No time limit."
    said = terms.summary(EN, {"clock": "d1", "at_zero": "vote"})
    assert "1 day a turn" in said
    assert "vote" in said


def test_hints_are_told_of_where_there_are_any() -> None:
    assert terms.summary(EN, {"hints": "off"}) == "No time limit. 💡 Hints: off."
    with_clock = terms.summary(EN, {"clock": "d1", "hints": "own"})
    assert with_clock.startswith("⏳ 1 day a turn")
    assert with_clock.endswith(" 💡 Hints: by /game hint alone.")


@pytest.mark.parametrize("game", sorted(TITLES.games))
def test_every_standing_order_has_words(game: str) -> None:
    for name, order in TITLES.orders[game].items():
        for value in order.values:
            assert name in absence.ORDER or TITLES.texts[game].order(EN, name, value), name


@pytest.mark.parametrize(
    ("typed", "day"),
    [
        ("2030-12-24", date(2030, 12, 24)),
        ("24.12.2030", date(2030, 12, 24)),
        ("24.12.", date(2030, 12, 24)),
        ("3/1", date(2031, 1, 3)),
        ("31.2.", None),
        ("29.2.", None),
        ("soon", None),
        ("", None),
    ],
)
def test_days_are_read_as_people_write_them(typed: str, day: date | None) -> None:
    assert absence.read_day(typed, date(2030, 5, 1)) == day
