"""What an observer is given of a state includes the groups in which words are shown to them."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.choices import Grouping
from bot.tools.noninterference.shown import Kind, shown
from tests.games import archipelago
from tests.games.archipelago import SPACES, State


def told(seat: int) -> str:
    given = shown(archipelago.TITLE, State(), seat, (), Random(1), seats=2, with_image=False)
    text = given[Kind.TEXT]
    assert isinstance(text, str)
    return text


def test_a_group_that_would_give_a_secret_away_is_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = told(0)
    assert "The north" in before
    other = dict(zip(SPACES, SPACES[::-1], strict=True))
    by_other = Grouping("zone", lambda space: archipelago.zone_of(other[space]))
    monkeypatch.setattr(archipelago, "BY_PLACE", (by_other,))
    assert told(0) != before


def test_who_is_not_asked_is_told_of_no_group() -> None:
    assert "The north" not in told(1)
