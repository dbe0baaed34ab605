"""Lines kept within a length."""

from __future__ import annotations

import pytest

from bot.text.markup import clip, newest, whole_sentences

LINES = ["one", "two", "three"]


def test_lines_that_fit_stay_as_they_are() -> None:
    assert newest(LINES, len("one\ntwo\nthree")) == "one\ntwo\nthree"


@pytest.mark.parametrize(
    ("most", "kept"), [(12, "…\ntwo\nthree"), (11, "…\ntwo\nthree"), (10, "…\nthree"), (4, "thr…")]
)
def test_the_last_lines_stay_where_not_all_fit(most: int, kept: str) -> None:
    assert newest(LINES, most) == kept
    assert len(kept) <= most


@pytest.mark.parametrize(
    ("most", "kept"),
    [(24, "One. Two 2.5 of 3? Four."), (23, "One. Two 2.5 of 3? …"), (19, "One. …"), (5, "One.…")],
)
def test_of_sentences_with_too_little_room_only_whole_ones_stay(most: int, kept: str) -> None:
    assert whole_sentences("One. Two 2.5 of 3? Four.", most) == kept
    assert len(kept) <= most


@pytest.mark.parametrize("most", range(10, 30))
def test_a_cut_leaves_no_half_of_a_sign(most: int) -> None:
    cut = clip("2 of <:salt_01:123> salt, and more", most)
    assert len(cut) <= most
    assert cut.count("<") == cut.count(">")
