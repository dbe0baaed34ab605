"""The levels of computer player."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from bot.game.chance import RandomChance
from bot.game.contract import ANSWER
from bot.titles import NAMES, TITLES
from bot.titles.title import Title
from tests.policy.menus import is_whole


@pytest.mark.parametrize("name", NAMES)
def test_the_easy_player_does_what_is_legal_and_often_what_the_normal_one_does(name: str) -> None:
    title: Title = TITLES[name]
    game, easy, normal = title.game, title.players["easy"], title.players["normal"]
    state, rng = game.setup(2, {}, RandomChance(Random(3))), Random(4)
    same = taken = 0
    while taken < 80 and (pending := game.pending(state)):
        decision = next(each for each in pending if not each.optional)
        seat, legal = decision.seat, partial(game.legal, state, decision.seat)
        view = game.view(state, seat)
        action = easy(view, decision, legal, rng)
        assert is_whole(game, state, seat, action)
        assert (
            decision.kind == ANSWER
            or not game.moves[action[0]].free
            or action == normal(view, decision, legal, Random(1))
        )
        same += action == normal(view, decision, legal, Random(1))
        game.apply(state, seat, action, RandomChance(rng))
        taken += 1
    assert 0.5 * taken < same < taken


@pytest.mark.parametrize("name", NAMES)
def test_a_table_is_offered_the_strong_player_where_there_is_one(name: str) -> None:
    title = TITLES[name]
    thinks = () if title.mind is None else ("strong",)
    assert title.levels == ("easy", "normal", *thinks)
    assert title.usual == "normal"


@pytest.mark.parametrize("name", NAMES)
def test_where_nobody_can_think_the_normal_player_sits_in_for_the_strong_one(name: str) -> None:
    players = TITLES[name].quick_players
    assert players["strong"] is players["normal"]
