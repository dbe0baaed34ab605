"""The search of the strong player, in a game small enough to know the right move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.game.chance import RandomChance
from bot.game.contract import Action, Decision
from bot.policy.search import Considered, forecast, think, weigh
from tests.games.pebbles import GAME, State, Take
from tests.games.pebbles_player import JUDGEMENT, PebblesJudgement
from tests.policy.menus import Counted

NODES = 300


def asked(state: State) -> Decision:
    """Return the first pending decision."""
    return next(each for each in GAME.pending(state) if not each.optional)


def to_take(*pebbles: int) -> State:
    """Return a state in which the first seat takes 1 or 2 pebbles; six pebbles win."""
    return State(6, list(pebbles), [[1] for _ in pebbles], [0] * len(pebbles), frames=[Take(0)])


def considered(state: State, nodes: int = NODES, also: Sequence[Action] = ()) -> list[Considered]:
    decision = asked(state)
    view = GAME.view(state, decision.seat)
    return think(JUDGEMENT, view, decision, Random("seed"), nodes, also)


def test_it_takes_an_immediate_win() -> None:
    best, other = considered(to_take(4, 5))
    assert best.action == ("take", "2")
    assert best.chance == 1.0
    assert best.lead == 1.0
    assert other.chance < 0.9


def test_more_pebbles_are_better_than_fewer() -> None:
    best, other = considered(to_take(0, 0))
    assert best.action == ("take", "2")
    assert best.lead > other.lead
    assert best.worlds > 3


def test_it_never_spends_more_than_its_budget() -> None:
    for nodes in (1, 7, 40, 333):
        counted: Any = Counted(GAME)
        state = GAME.setup(3, {}, RandomChance(Random(1)))
        for _ in range(5):
            decision = asked(state)
            view, legal = GAME.view(state, decision.seat), GAME.walk(state, decision.seat)
            before = counted.applied
            results = think(replace(JUDGEMENT, game=counted), view, decision, Random(2), nodes)
            assert counted.applied - before <= nodes
            actions = sorted(each.action for each in results)
            assert actions == sorted(JUDGEMENT.candidates(view, decision, legal))
            GAME.apply(state, decision.seat, results[-1].action, RandomChance(Random(4)))


class Few(PebblesJudgement):
    """A judgement with few candidates, and a gift as a free move."""

    def candidates(self, *asked: Any) -> Sequence[Action]:
        return super().candidates(*asked)[: self.max_candidates]

    def talk(self, *asked: Any) -> Action:
        return "gift", "1"


FEW = Few(game=GAME, weights={}, nodes=200, rounds=2, max_candidates=2)


def test_without_a_budget_or_a_choice_nothing_is_searched() -> None:
    state = to_take(0, 0)
    first, second = ("take", "1"), ("take", "2")
    # The best-rated comes first.
    assert [each.action for each in considered(state, nodes=0)] == [first, second]
    found = weigh(
        replace(FEW, max_candidates=1), GAME.view(state, 0), asked(state), Random(1), NODES
    )
    assert found == [Considered(first)]


def test_an_additional_action_is_tried_in_as_many_worlds_as_the_best() -> None:
    state = GAME.setup(2, {}, RandomChance(Random(3)))
    view = GAME.view(state, 0)
    found = weigh(FEW, view, asked(state), Random(1), NODES, [("choose", "3")])
    worlds = {each.action: each.worlds for each in found}
    assert worlds["choose", "3"] == max(worlds.values()) > 0


def test_weighing_ignores_free_moves() -> None:
    state = to_take(4, 5)
    view, decision = GAME.view(state, 0), asked(state)
    assert think(FEW, view, decision, Random("seed"), NODES) == [Considered(("gift", "1"))]
    assert weigh(FEW, view, decision, Random("seed"), NODES) == considered(state)


def test_chances_add_up_to_one() -> None:
    found = forecast(JUDGEMENT, to_take(3, 1, 1), Random(1), NODES)
    assert sum(found) == pytest.approx(1)
    assert found[0] == max(found)
    assert found[1] == pytest.approx(found[2], abs=0.15)


def test_the_forecast_of_a_finished_game_is_its_result() -> None:
    assert forecast(JUDGEMENT, to_take(7, 7, 1), Random(1), NODES) == [0.5, 0.5, 0.0]
