"""Colour belongs to a side: a seat may play for one, for several, or for none that is known."""

from __future__ import annotations

from bot.game.sides import Side, letters_of, looks_of, one_each, own_looks

GUILDS = (Side(0, 0), Side(1, 1), Side(0, 2), Side(None, 3))
"""Two guilds of the first seat, one of the second, and one of which nobody knows whose it is."""


def test_in_most_games_each_seat_is_one_side_in_its_own_colour() -> None:
    assert own_looks(3) == looks_of(one_each("a view", 3), 3) == ((0,), (1,), (2,))


def test_a_seat_has_the_looks_of_all_its_sides() -> None:
    assert looks_of(GUILDS, 3) == ((0, 2), (1,), ())


def test_a_seat_is_called_by_the_letters_of_its_sides() -> None:
    assert [letters_of(looks) for looks in looks_of(GUILDS, 3)] == ["A+C", "B", ""]
