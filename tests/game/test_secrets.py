"""Nothing in Burgundy and Guatemala Café depends on what an observer cannot know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from bot.game.burgundy.state import Castles
from bot.game.contract import Observer
from bot.game.guatemala.state import Blocking
from tests.game.noninterference import Revealed, found_in
from tests.game.random_games import Step
from tests.game.sampled import SAMPLED

STRIDE = 8
"""Every so many states are compared, and all in which somebody is asked in secret."""


def castles(step: Step, after: Any, observer: Observer) -> object:
    """The last castle reveals all of them."""
    frame = step.state.frames[-1]
    return frame.chosen if isinstance(frame, Castles) and after.round else None


def block(step: Step, after: Any, observer: Observer) -> object:
    """Who blocks once the answers allow it, and the last sack of a hand, which is laid unasked."""
    before, frame = step.state, step.state.frames[-1]
    if not isinstance(frame, Blocking) or isinstance(after.frames[-1], Blocking):
        return None
    gave = [
        seat
        for seat, (now, was) in enumerate(zip(after.players, before.players, strict=True))
        if sum(now.hand) < sum(was.hand)
    ]
    last = gave == [before.turn] and sum(before.players[before.turn].hand) == 1
    blocker = [seat for seat in gave if seat != before.turn]
    return blocker, last and after.production[frame.space]


REVEALED: dict[str, Revealed] = {"burgundy": castles, "guatemala": block}


def found(name: str, seats: int, options: Mapping[str, str], seed: int) -> list[str]:
    """All differences in a game, each observer against one twin of each state looked at."""
    game = SAMPLED[name].game
    looked_at = (
        (number, step)
        for number, step in enumerate(SAMPLED[name].steps(seats, options, seed))
        if number % STRIDE == 0 or any(each.sealed for each in game.pending(step.state))
    )
    return list(found_in(game, game, looked_at, REVEALED[name]))


@pytest.mark.parametrize(
    ("name", "seats", "options"),
    [(name, *table) for name in REVEALED for table in SAMPLED[name].few_tables()],
)
def test_nobody_can_tell_what_they_cannot_know(
    name: str, seats: int, options: Mapping[str, str]
) -> None:
    assert found(name, seats, options, seed=seats) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", REVEALED)
def test_nobody_can_tell_what_they_cannot_know_at_any_table(name: str) -> None:
    for seats, options in SAMPLED[name].tables():
        assert found(name, seats, options, seed=seats + 10) == []
