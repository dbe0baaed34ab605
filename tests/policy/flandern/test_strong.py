"""The strong player of Flandern 1302 in positions of plain sense, and what it thinks about."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from bot.game.contract import Action, Decision, canonical, in_turn
from bot.game.flandern import GAME
from bot.game.flandern.data import CARDS
from bot.game.flandern.state import FlandernState, TwoActions
from bot.policy.flandern.greedy import greedy
from bot.policy.flandern.strong import MIND, candidates, imagine, value
from bot.policy.search import think
from bot.tools.playing import ComputerPlayer, play
from tests.game.flandern.positions import LINES, table
from tests.game.flandern.random_games import SAMPLED

NODES = 200
NEARLY = (
    "t1 red, t3 red, t2 grey, t4 grey, p1 yellow, p2 green, p3 yellow, p4 green, "
    "r2 grey, r3 blue, r4 blue"
)
"""Brugge but for its bar in the north-east."""


def answer(state: FlandernState, seat: int = 0) -> str:
    """What it does when asked."""
    decision = asked(state, seat)
    return canonical(think(MIND, GAME.view(state, seat), decision, Random(5), NODES)[0].action)


def asked(state: FlandernState, seat: int) -> Decision:
    """What the seat is asked."""
    return next(each for each in GAME.pending(state) if each.seat == seat)


def test_two_players_draw_before_they_play() -> None:
    assert answer(table(seats=2)) == "draw"


def test_the_last_plot_of_all_is_built_on_with_the_quarter_that_decides_the_city() -> None:
    """A leader breaks the tie with grey."""
    scored = "gent ieper leuven utrecht luik"
    state = table(seats=2, cities={"brugge": NEARLY}, scored=scored, deck="blue brugge")
    state.frames = [TwoActions(drawn=True)]
    view, decision = GAME.view(state, 0), asked(state, 0)
    found = [canonical(each.action) for each in think(MIND, view, decision, Random(5), NODES)]
    assert found[0] == "play brugge + build brugge-r1 red-leader"
    assert "play brugge + build brugge-r1 church" in found


def test_what_others_have_laid_out_is_taken_to_be_what_serves_them() -> None:
    """Red, who has no influence cards left, gets first place in Brugge by its last plot."""
    state = table(cities={"brugge": NEARLY}, scored="luik", golden="leader", influence=0)
    for seat in range(3):
        LINES.play(state, seat, "choose take 0")
    view = GAME.view(state, 3)
    chosen = [imagine(view, Random(seed)).players[0].card for seed in range(9)]
    assert {CARDS[card] for card in chosen} == {"brugge"}


def test_no_card_is_left_out_for_what_is_laid_out_with_another() -> None:
    state = table(influence=2, lying=["take"], first=1)
    found = candidates(GAME.view(state, 0), asked(state, 0), partial(GAME.legal, state, 0))
    assert len({card for _, card, _ in found}) >= 5
    assert {laid for _, card, laid in found if card == found[0][1]} == {"0", "1"}


def test_of_plots_that_are_like_one_another_one_is_thought_about() -> None:
    state = table(seats=2)
    state.frames = [TwoActions(drawn=True)]
    found = candidates(GAME.view(state, 0), asked(state, 0), partial(GAME.legal, state, 0))
    built = [(each[1], each[-1]) for each in found if each != ("take",)]
    assert len(built) == len({*built}) >= 8
    assert len({card for card, _ in built}) >= 5


def test_what_the_normal_player_would_do_is_thought_about_first_and_doubted_least() -> None:
    """A turn of two players is thought about with the quarter that is built in it."""
    met = 0
    for seats, options in SAMPLED.few_tables():
        for number, step in enumerate(SAMPLED.steps(seats, options, 7)):
            for decision in GAME.pending(step.state) if number % 3 == 0 else ():
                if decision.kind in ("turn", "choose", "city", "site"):
                    view = GAME.view(step.state, decision.seat)
                    legal = partial(GAME.legal, step.state, decision.seat)
                    first = candidates(view, decision, legal)[0]
                    assert in_turn(first)[0] == normal_answer(step.state, decision)
                    met += 1
    assert met > 100


def normal_answer(state: FlandernState, decision: Decision) -> Action:
    """What the normal player does."""
    seat = decision.seat
    legal = partial(GAME.legal, state, seat)
    return greedy(GAME.view(state, seat), decision, legal, Random(1))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_in_the_end_nothing_is_promised_that_is_not_scored(seats: int) -> None:
    *_, last = play(GAME, [ComputerPlayer(greedy)] * seats, {}, Random(seats))
    outcome = GAME.outcome(last.state)
    assert outcome is not None
    assert value(last.state) == list(outcome.scores)
