"""What is promised of `Game.imagine`, at moments of random games of every title."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

from bot.game.chance import RandomChance
from bot.game.choices import Done, OneOf
from bot.game.contract import ANSWER, SPECTATOR, AnyGame, Observer
from bot.titles import NAMES
from tests.game.random_games import RandomGames
from tests.game.sampled import SAMPLED

SEED = 11
CHOSEN = 12
"""Words that are chosen at random, to compare what may follow."""


class Moment(NamedTuple):
    """A state of a random game, who looks, and what they see."""

    state: Any
    observer: Observer
    view: Any


def moments(sampled: RandomGames, *, thin: int = 1) -> Iterator[Moment]:
    """By every observer, for each set of options at one number of seats."""
    game = sampled.game
    for seats, options in sampled.few_tables():
        for number, step in sampled.looked_at(seats, options, SEED):
            if number % thin == 0:
                for observer in (SPECTATOR, *range(seats)):
                    yield Moment(step.state, observer, game.view(step.state, observer))


def asked(game: AnyGame, state: Any) -> list[tuple[int, str, bool, bool]]:
    """What is asked of whom; what it is called may differ."""
    return [(d.seat, d.kind, d.optional, d.sealed) for d in game.pending(state)]


@pytest.mark.parametrize("name", NAMES)
def test_its_observer_would_see_the_very_view_it_was_made_of(name: str) -> None:
    game, rng = SAMPLED[name].game, Random(1)
    for moment in moments(SAMPLED[name]):
        imagined = game.imagine(moment.view, rng)
        assert game.view(imagined, moment.observer) == moment.view
        assert game.invariants(imagined) == []


@pytest.mark.parametrize("name", NAMES)
def test_the_same_is_asked_and_legal_for_its_observer(name: str) -> None:
    game, rng = SAMPLED[name].game, Random(2)
    for moment in moments(SAMPLED[name], thin=2):
        imagined = game.imagine(moment.view, rng)
        assert asked(game, imagined) == asked(game, moment.state)
        if moment.observer == SPECTATOR:
            continue
        real, alike = (game.walk(state, moment.observer) for state in (moment.state, imagined))
        prefix: tuple[str, ...] = ()
        for _ in range(CHOSEN):
            choices = real(prefix)
            assert repr(alike(prefix)) == repr(choices), prefix
            if isinstance(choices, Done) or (isinstance(choices, OneOf) and not choices.values):
                break
            prefix = (*prefix, choices.sample(rng))


@pytest.mark.parametrize("name", NAMES)
def test_it_knows_nothing_but_the_view_and_the_seed(name: str) -> None:
    game = SAMPLED[name].game
    for number, moment in enumerate(moments(SAMPLED[name], thin=5)):
        twin = game.resample(moment.state, moment.observer, Random(number))
        seen = game.view(twin, moment.observer)
        one, other = (game.imagine(view, Random(number)) for view in (moment.view, seen))
        assert game.encode(one) == game.encode(other)


@pytest.mark.parametrize("name", NAMES)
def test_the_real_table_is_left_alone(name: str) -> None:
    game, rng = SAMPLED[name].game, Random(4)
    for moment in moments(SAMPLED[name], thin=9):
        before = game.encode(moment.state)
        imagined = game.imagine(moment.view, rng)
        for _ in range(8):
            if game.outcome(imagined) is None:
                seat, action = SAMPLED[name].next_action(imagined, rng)
                game.apply(imagined, seat, action, RandomChance(rng))
        assert game.encode(moment.state) == before
        assert game.view(moment.state, moment.observer) == moment.view


@pytest.mark.parametrize("name", NAMES)
def test_the_game_can_be_played_on_to_its_end(name: str) -> None:
    sampled, rng = SAMPLED[name], Random(5)
    game = sampled.game
    for number, moment in enumerate(moments(sampled, thin=9)):
        if number % 37:
            continue
        state = game.imagine(moment.view, rng)
        while game.outcome(state) is None:
            seat, action = sampled.next_action(state, rng)
            game.apply(state, seat, action, RandomChance(rng))
            assert game.invariants(state) == []
        assert not [each for each in game.pending(state) if each.kind != ANSWER]
