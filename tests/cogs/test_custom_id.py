"""Custom ids: encoding and parsing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.cogs.ui.custom_id import (
    MAX_ID,
    CustomId,
    Forged,
    TooLong,
    integer,
    only,
    parse,
)

WORDS = st.text("ofas876543210rtz_", max_size=30)


@given(
    st.sampled_from(["act", "pick", "do"]),
    st.integers(1, 10**9),
    st.none() | st.text("o0123456789", min_size=1, max_size=6),
    st.lists(WORDS, max_size=4),
    st.integers(0, 3),
)
def test_a_custom_id_round_trips(
    verb: str, table: int, decision: str | None, words: list[str], page: int
) -> None:
    press = CustomId(verb, table, decision, tuple(words), page)
    try:
        text = press.encoded()
    except TooLong:
        return
    assert len(text) <= MAX_ID
    assert parse(text) == press


def test_repeated_pieces_are_encoded_briefly() -> None:
    press = CustomId("act", 1, "12", ("offer", "1", "o" * 25 + "f" * 18, "a" * 13 + "8" * 6))
    assert press.encoded() == "act:1:12:offer,1,o*25.f*18.,a*13.8*6."
    assert parse(press.encoded()) == press


def test_an_id_the_bot_never_wrote_is_rejected() -> None:
    for custom_id in (
        "some other component",
        "",
        "act:1:x:o*1000000000.",
        "act:1:x:o*2.",
        "act:1:x:*5.",
        "act:1:x:a*b",
        "act:01",
        "act:1:",
        "act:1::",
        "act:-1",
        "act:2147483648",
        "act:99999999999999999999",
        "act:1:2:3:4",
        "act:١",
        "act0:1",
        "act1234:1",
        "act:1\n",
        "ACT:1",
        "act:1::" + "x" * 200,
        "act:1::" + ",".join(["o*999."] * 20),
    ):
        with pytest.raises(Forged):
            parse(custom_id)


def test_decoded_words_have_a_maximum_length() -> None:
    longest = parse("act:1:x:" + "o*999." * 15)
    assert sum(map(len, longest.words)) == 15 * 999
    assert parse(CustomId("act", 1, None, ("o" * 2500,)).encoded()).words == ("o" * 2500,)


@settings(max_examples=25)
@given(st.text(max_size=40) | st.from_regex(r"[a-z]+[0-9]*:[0-9]+(:[^:]*:[^:]*)?", fullmatch=True))
def test_only_canonical_ids_are_parsed(custom_id: str) -> None:
    try:
        press = parse(custom_id)
    except Forged:
        return
    assert press.encoded() == custom_id


def test_words_are_parsed_strictly() -> None:
    assert only(["a"]) == only(["a"], among="ab") == "a"
    assert integer(["-1"]) == -1
    words: list[list[str]] = [[], ["a", "b"]]
    for wrong in words:
        with pytest.raises(Forged):
            only(wrong)
    for word in ("", "x", "1.5", "٣", "9" * 10, "+1", " 1", "1\n"):
        with pytest.raises(Forged):
            integer([word])
    with pytest.raises(Forged):
        only(["c"], among=("a", "b"))


def test_ambiguous_words_and_too_long_ids_are_rejected() -> None:
    for word in ("a,b", "a:b", "a*b", "-"):
        with pytest.raises(ValueError, match="custom id"):
            CustomId("act", 1, None, (word,)).encoded()
    with pytest.raises(TooLong):
        CustomId("act", 1, "1", ("abcdefghij" * 10,)).encoded()
