"""Custom ids, there and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cogs.common.press import MAX_ID, Press, TooLong, parse

WORDS = st.text("ofas876543210rtz_", max_size=30)


@given(
    st.sampled_from(["act", "pick", "do"]),
    st.integers(1, 10**9),
    st.none() | st.text("o0123456789", min_size=1, max_size=6),
    st.lists(WORDS, max_size=4),
    st.integers(0, 3),
)
def test_a_press_survives_its_custom_id(
    verb: str, table: int, decision: str | None, words: list[str], page: int
) -> None:
    press = Press(verb, table, decision, tuple(words), page)
    try:
        text = press.custom_id()
    except TooLong:
        return
    assert len(text) <= MAX_ID
    if words == []:
        assert parse(text) == press
    else:
        found = parse(text)
        assert found == press


def test_many_equal_pieces_take_little_room() -> None:
    press = Press("act", 1, "12", ("offer", "1", "o" * 25 + "f" * 18, "a" * 13 + "8" * 6))
    assert press.custom_id() == "act:1:12:offer,1,o*25.f*18.,a*13.8*6."
    assert parse(press.custom_id()) == press


def test_a_press_without_words_is_short() -> None:
    assert Press("play", 7).custom_id() == "play:7"


def test_an_id_of_somebody_else_is_none_of_ours() -> None:
    assert parse("some other component") is None


@pytest.mark.parametrize("word", ["a,b", "a:b", "a*b", "-"])
def test_a_word_that_would_be_misread_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="custom id"):
        Press("act", 1, None, (word,)).custom_id()


def test_too_much_for_an_id_is_said_so() -> None:
    with pytest.raises(TooLong):
        Press("act", 1, "1", ("abcdefghij" * 10,)).custom_id()
