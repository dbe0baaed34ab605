"""What holds in random games: tiles, goods and money are counted after every action."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.game.burgundy import GAME
from bot.game.burgundy.data import TILES
from bot.game.burgundy.state import BurgundyOver, BurgundyState
from bot.game.chance import RandomChance
from bot.game.contract import Event
from tests.game.burgundy.random_games import OPTION_SETS, SAMPLED, next_action


def tiles_are_all_there(state: BurgundyState) -> None:
    """The box, written here once more and apart from the engine's own check."""
    lying = sum(state.stacks) + sum(state.black) + sum(state.removed) + sum(map(len, state.depots))
    placed = [sum(tile >= 0 for tile in player.estate) for player in state.players]
    lying += sum(placed) + placed.count(0) + sum(len(p.storage) for p in state.players)
    assert lying == 164
    goods = sum(state.bag) + len(state.coming) + sum(map(sum, state.goods))
    goods += sum(sum(player.goods) + sum(player.sold) for player in state.players)
    assert goods == 42


class Money:
    """What every seat has by what the events told: silverlings, workers and points."""

    def __init__(self, state: BurgundyState) -> None:
        self._state = state
        self.silverlings = Counter({seat: p.silverlings for seat, p in enumerate(state.players)})
        self.workers = Counter({seat: p.workers for seat, p in enumerate(state.players)})
        self.points = Counter[int]()

    def hear(self, event: Event) -> None:
        """Add what an event tells of."""
        facts, seat = event.facts, event.by
        if seat is None:
            return

        def amount(name: str) -> int:
            told = facts.get(name, 0)
            assert isinstance(told, int)
            return told

        self.silverlings[seat] += amount("silverlings") - amount("price")
        self.workers[seat] += amount("workers") - amount("spent")
        self.points[seat] += amount("points") + amount("bonus")

    def fits(self) -> None:
        """All that the seats have was told, and nothing else."""
        for seat, player in enumerate(self._state.players):
            assert player.silverlings == self.silverlings[seat] >= 0
            assert player.workers == self.workers[seat] >= 0
            assert sum(player.points) == self.points[seat]


@settings(max_examples=30)
@given(st.sampled_from(GAME.seats), st.sampled_from(OPTION_SETS), st.integers())
def test_tiles_goods_and_money_are_right_after_every_action_and_every_game_ends(
    seats: int, options: Mapping[str, str], seed: int
) -> None:
    rng = Random(seed)
    state = GAME.setup(seats, options, RandomChance(rng))
    money = Money(state)
    while GAME.outcome(state) is None:
        seat, action = next_action(state, rng)
        for event in GAME.apply(state, seat, action, RandomChance(rng)):
            money.hear(event)
        tiles_are_all_there(state)
        money.fits()
    assert GAME.invariants(state) == []
    result = GAME.outcome(state)
    assert result is not None
    assert len(result.winners) == 1
    assert result.scores[result.winners[0]] == max(result.scores)
    assert sum(result.scores) == sum(sum(points) for _, points in result.lines)
    assert state.round == 25


def test_a_game_of_four_uses_up_every_tile() -> None:
    """Section 1.3: nothing is left in any stack."""
    *_, last = SAMPLED.steps(4, {}, seed=4)
    state: BurgundyState = last.state
    assert isinstance(state.frames[-1], BurgundyOver)
    assert sum(state.stacks) == sum(state.black) == 0
    assert sum(state.bag) == 42 - 25 - 12


@pytest.mark.parametrize(("seats", "coloured", "black"), [(2, 62, 20), (3, 93, 30)])
def test_a_game_of_fewer_leaves_tiles_in_the_stacks(seats: int, coloured: int, black: int) -> None:
    *_, last = SAMPLED.steps(seats, {}, seed=seats)
    used = [sum(kind.coloured for kind in TILES), sum(kind.black for kind in TILES)]
    used = [used[0] - sum(last.state.stacks), used[1] - sum(last.state.black)]
    assert used == [coloured, black]


def test_every_kind_of_action_and_event_happens_in_random_games() -> None:
    actions, events = set[str](), set[str]()
    for seed, options in enumerate(OPTION_SETS * 2):
        rng = Random(seed)
        state = GAME.setup(2 + seed % 3, options, RandomChance(rng))
        while GAME.outcome(state) is None:
            seat, action = next_action(state, rng)
            actions.add(action[0])
            events.update(e.kind for e in GAME.apply(state, seat, action, RandomChance(rng)))
    assert actions == set(GAME.moves)
    assert events == set(GAME.events)
