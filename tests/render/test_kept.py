"""Things kept by their keys."""

from __future__ import annotations

from bot.render.kept import Kept


def test_what_was_asked_for_last_is_kept_longest_and_never_too_much() -> None:
    kept: Kept[str] = Kept(most=30)
    for key in "abc":
        kept.keep(key, key.upper(), 10)
    assert kept.get("a") == "A"
    kept.keep("d", "D", 10)
    assert [kept.get(key) for key in "abcd"] == ["A", None, "C", "D"]


def test_a_thing_that_is_kept_again_counts_once() -> None:
    kept: Kept[str] = Kept(most=30)
    for _ in range(9):
        kept.keep("a", "A", 10)
    kept.keep("b", "B", 20)
    assert (kept.get("a"), kept.get("b")) == ("A", "B")


def test_nothing_is_kept_once_everything_is_let_go() -> None:
    kept: Kept[str] = Kept(most=30)
    kept.keep("a", "A", 30)
    kept.clear()
    assert kept.get("a") is None
    kept.keep("b", "B", 30)
    assert kept.get("b") == "B"
