"""The computer players of each title, above all the strong one, at moments of random games with
every option."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import count, islice
from random import Random
from typing import Any

import pytest

from bot.game.contract import ANSWER, Decision, in_turn
from bot.policy.search import strong, think
from bot.titles import NAMES, TITLES
from bot.titles.title import Title
from tests.game.sampled import SAMPLED
from tests.policy.menus import is_whole

SEED = 5
NODES = 25
DECISIONS = 2000
THINKING = [name for name in NAMES if TITLES[name].mind is not None]


def moments(title: Title, every: int) -> Iterator[tuple[Any, Decision]]:
    """What is asked at every so many states of a few random games; each kind at least once a
    game."""
    for seats, options in SAMPLED[title.game.name].few_tables():
        yield from _of_game(title, every, seats, options, SEED)


def many_moments(title: Title, every: int) -> Iterator[tuple[Any, Decision]]:
    """The same of games at all tables, again and again."""
    for seed in count(SEED):
        for seats, options in SAMPLED[title.game.name].tables():
            yield from _of_game(title, every, seats, options, seed)


def _of_game(
    title: Title, every: int, seats: int, options: Mapping[str, str], seed: int
) -> Iterator[tuple[Any, Decision]]:
    seen = set[str]()
    for number, step in enumerate(SAMPLED[title.game.name].steps(seats, options, seed)):
        for decision in title.game.pending(step.state):
            is_new = decision.kind not in seen
            if (number % every == 0 or is_new) and (
                not decision.optional or decision.kind == ANSWER
            ):
                seen.add(decision.kind)
                yield step.state, decision


class Counted:
    """The rules, which count what is carried out."""

    def __init__(self, game: Any) -> None:
        self._game = game
        self.applied = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def apply(self, *words: Any) -> Any:
        """As the rules do."""
        self.applied += 1
        return self._game.apply(*words)


@pytest.mark.parametrize("name", THINKING)
def test_all_it_considers_is_legal_and_within_its_budget(name: str) -> None:
    title, met = TITLES[name], Counter[str]()
    assert title.mind is not None
    for number, (state, decision) in enumerate(islice(many_moments(title, 23), DECISIONS)):
        counted = Counted(title.game)
        mind = replace(title.mind, game=counted)
        view = title.game.view(state, decision.seat)
        found = think(mind, view, decision, Random(number), NODES)
        assert counted.applied <= NODES
        assert found
        for each in found:
            first = in_turn(each.action)[0]
            assert is_whole(title.game, state, decision.seat, first), (decision, first)
            assert 0 <= each.chance <= 1
        met[decision.kind] += 1
    asked = {kind for kind in met if kind != ANSWER}
    assert len(asked) >= 5, met


@pytest.mark.parametrize("name", NAMES)
def test_whatever_the_quick_ones_answer_is_legal(name: str) -> None:
    title = TITLES[name]
    for number, (state, decision) in enumerate(islice(many_moments(title, 23), DECISIONS)):
        seat = decision.seat
        view, legal = title.game.view(state, seat), title.game.walk(state, seat)
        for level in title.quick_levels:
            action = title.players[level](view, decision, legal, Random(number))
            assert is_whole(title.game, state, seat, action), (level, decision, action)


@pytest.mark.parametrize("name", THINKING)
def test_it_plays_by_its_view_the_seed_and_the_budget_alone(name: str) -> None:
    title = TITLES[name]
    assert title.mind is not None
    player, game = strong(title.mind, NODES), title.game
    for number, (state, decision) in enumerate(moments(title, 61)):
        seat = decision.seat
        twin = game.resample(state, seat, Random(number))
        chosen = {
            player(game.view(each, seat), decision, partial(game.legal, each, seat), Random(number))
            for each in (state, state, twin)
        }
        assert len(chosen) == 1, decision


@pytest.mark.parametrize("name", THINKING)
def test_workers_find_its_mind_by_name(name: str) -> None:
    mind = TITLES[name].mind
    assert pickle.loads(pickle.dumps(mind)) is mind


@pytest.mark.parametrize("name", THINKING)
def test_what_it_is_asked_about_goes_to_a_worker_and_back(name: str) -> None:
    title = TITLES[name]
    state, decision = next(moments(title, 1))
    view = title.game.view(state, decision.seat)
    again, asked = pickle.loads(pickle.dumps((view, decision)))
    assert (again, asked) == (view, decision)
