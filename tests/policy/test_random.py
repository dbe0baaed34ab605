"""The player that knows nothing but what is allowed."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from bot.game.chance import RandomChance
from bot.game.contract import Action, AnyGame, Decision
from bot.policy.contract import Policy
from bot.policy.random import random_policy
from bot.titles import TITLES
from bot.tools.playing import ComputerPlayer, play

EVERY_GAME = sorted(TITLES.games)


@pytest.mark.parametrize("name", EVERY_GAME)
def test_it_plays_every_game_to_its_end_at_every_number_of_seats(name: str) -> None:
    game, player = TITLES.games[name], ComputerPlayer(TITLES.players[name]["random"])
    for seats in game.seats:
        *_, last = play(game, [player] * seats, {}, Random(seats))
        assert game.outcome(last.state) is not None


@pytest.mark.parametrize("name", EVERY_GAME)
def test_the_same_chance_gives_the_same_game(name: str) -> None:
    def actions(seed: int) -> list[Action]:
        game = TITLES.games[name]
        seated = [ComputerPlayer(TITLES.players[name]["random"])] * max(game.seats)
        return [played.action for played in play(game, seated, {}, Random(seed))]

    assert actions(4) == actions(4)
    assert actions(4) != actions(5)


def test_free_moves_are_rare_unless_asked_for() -> None:
    game = TITLES.games["kogge"]

    def free(policy: Policy) -> int:
        games = (play(game, [ComputerPlayer(policy)] * 2, {}, Random(seed)) for seed in range(10))
        kinds = [played.action[0] for steps in games for played in steps]
        return sum(kind in game.moves and game.moves[kind].free for kind in kinds)

    assert free(random_policy(game.moves, 0.0)) == 0
    assert 0 < free(random_policy(game.moves)) < free(random_policy(game.moves, 0.5))


def test_an_offer_is_accepted_or_declined() -> None:
    game: AnyGame = TITLES.games["kogge"]
    answers = {_answer_to_an_offer(game, seed, take="")[0] for seed in range(20)}
    assert answers == {"accept", "decline"}


def test_an_offer_that_cannot_be_met_is_declined() -> None:
    game: AnyGame = TITLES.games["kogge"]
    answers = {_answer_to_an_offer(game, seed, take="s") for seed in range(20)}
    assert answers == {("decline", "1")}


def _answer_to_an_offer(game: AnyGame, seed: int, take: str) -> Action:
    """Two ships in one city; one offers an ore."""
    rng, options = Random(seed), {"goods": "hidden"}
    chance = RandomChance(rng)
    state = game.setup(2, options, chance)
    for seat in (0, 1):
        game.apply(state, seat, ("found", "3"), chance)
    game.apply(state, 0, ("offer", "1", "o", take), chance)
    decision = Decision("o1", 1, "answer", optional=True)
    assert decision in game.pending(state)
    legal = partial(game.legal, state, 1)
    action = TITLES.players["kogge"]["random"](game.view(state, 1), decision, legal, rng)
    game.apply(state, 1, action, chance)
    return action
