"""The strong player on seats of tables."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from bot.game.chance import RandomChance
from bot.game.contract import Action, Decision
from bot.thinking import Considered, NoThinkers, Thinkers
from bot.thinking.seats import StrongSeats
from tests.games.pebbles import GAME
from tests.games.pebbles_titles import AFTER


class Given(Thinkers):
    """Thinkers whose answers are given."""

    def __init__(self, answer: Exception | Sequence[Considered]) -> None:
        super().__init__(1, 20)
        self._answer = answer

    async def think(self, *_: Any, **__: Any) -> Sequence[Considered]:
        """The answer."""
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


async def action(answer: Exception | Sequence[Considered]) -> Action | None:
    """What the strong player does in the first decision of a game."""
    state = GAME.setup(2, {}, RandomChance(Random(1)))
    decision = Decision("c1", 0, "choose", sealed=True)
    seats = StrongSeats(Given(answer), AFTER.minds)
    return await seats.action("pebbles", 1, GAME.view(state, 0), decision, "seed")


async def test_it_does_what_was_thought_best() -> None:
    assert await action([Considered(("choose", "2")), Considered(("choose", "1"))]) == (
        "choose",
        "2",
    )


async def test_of_several_actions_it_does_the_first() -> None:
    assert await action([Considered(("choose", "2", "+", "take", "1"))]) == ("choose", "2")


async def test_where_nobody_can_think_it_says_so() -> None:
    assert await action(NoThinkers()) is None


async def test_however_a_search_fails_the_game_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    assert await action(ZeroDivisionError("the card is 8")) is None
    assert "the strong player failed at pebbles: ZeroDivisionError" in caplog.text
    assert "the card" not in caplog.text


def test_only_the_strong_player_of_a_game_with_a_mind_thinks() -> None:
    seats = StrongSeats(Thinkers(1), AFTER.minds)
    assert seats.thinks("pebbles", 1, "strong")
    assert not StrongSeats(Thinkers(0), AFTER.minds).thinks("pebbles", 1, "strong")
    assert not seats.thinks("pebbles", 1, "normal")
    assert not seats.thinks("pebbles", 2, "strong")
    assert not seats.thinks("chess", 1, "strong")
