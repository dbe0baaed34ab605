"""What is asked, as a stack of frames: the top one asks."""

from __future__ import annotations

import msgspec
import pytest

from bot.game.frames import frame_of, in_short, listed, tag_of


class Rest(msgspec.Struct, tag="rest"):
    """Nothing happens."""


class Storm(msgspec.Struct, tag="storm"):
    """Everything does."""

    force: int


class Weather(msgspec.Struct):
    """A state of frames alone."""

    frames: list[Rest | Storm]
    round: int = 3


def test_the_top_frame_is_the_one_that_asks() -> None:
    weather = Weather([Rest(), Storm(9)])
    assert frame_of(weather, Storm).force == 9
    with pytest.raises(AssertionError):
        frame_of(weather, Rest)


def test_a_frame_has_a_word_for_what_it_asks() -> None:
    assert (tag_of(Rest), tag_of(Storm)) == ("rest", "storm")


def test_a_state_in_short_names_what_is_asked_from_the_top() -> None:
    assert (
        in_short("Weather", Weather([Rest(), Storm(9)])) == "<Weather: round 3, storm, then rest>"
    )


def test_a_list_in_one_line_shows_what_is_empty() -> None:
    assert (listed(["oof", "", 3]), listed([])) == ("oof - 3", "-")
