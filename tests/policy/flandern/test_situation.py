"""What a seat judges a table by: a state tells it the same as the view, and it plays the same."""

from __future__ import annotations

from functools import partial
from random import Random

from bot.game.flandern import GAME
from bot.policy.flandern.greedy import greedy, playing_on
from bot.policy.flandern.situation import seen, within
from bot.policy.flandern.weights import NORMAL
from tests.game.flandern.random_games import SAMPLED
from tests.policy.menus import is_whole

SEED = 3


def test_a_seat_learns_the_same_from_a_state_as_from_its_view() -> None:
    for seats, options in SAMPLED.few_tables():
        for step in SAMPLED.steps(seats, options, SEED):
            for decision in GAME.pending(step.state):
                known = within(step.state, decision.seat)._asdict()
                view = GAME.view(step.state, decision.seat)
                for name, value in seen(view, decision.seat)._asdict().items():
                    # Only in a turn does it matter what has been drawn.
                    if name != "drawn" or decision.kind == "turn":
                        assert plain(known[name]) == plain(value), (name, decision)


def plain(value: object) -> object:
    """Rows of whatever kind as lists."""
    return [plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def test_imagined_games_are_played_on_as_the_normal_player_plays() -> None:
    quick = playing_on(NORMAL)
    for seats, options in SAMPLED.few_tables():
        for number, step in enumerate(SAMPLED.steps(seats, options, SEED)):
            for decision in GAME.pending(step.state) if number % 5 == 0 else ():
                state, seat = step.state, decision.seat
                view, legal = GAME.view(state, seat), partial(GAME.legal, state, seat)
                action = quick(state, decision, Random(number))
                assert action == greedy(view, decision, legal, Random(number))
                assert is_whole(GAME, state, seat, action)
