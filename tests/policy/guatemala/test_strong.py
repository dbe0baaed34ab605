"""The strong player of Guatemala Café: what it expects of a state, thinks about and does."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import pytest

from bot.game.contract import Decision, canonical, in_turn, joined
from bot.game.guatemala import GAME
from bot.game.guatemala.data import COLOURS
from bot.game.guatemala.scoring import crop
from bot.game.guatemala.state import GuatemalaState, board_of
from bot.policy.guatemala.greedy import greedy, quick
from bot.policy.guatemala.rating import holdings, value
from bot.policy.guatemala.strong import MIND, candidates, spread
from bot.policy.guatemala.weights import HOLDINGS, RATING
from bot.policy.guatemala.worth import GuatemalaWorth
from bot.policy.search import strong
from bot.titles import TITLES
from tests.game.guatemala.positions import play, table
from tests.policy.menus import is_whole
from tests.policy.test_strong import moments

TITLE = TITLES["guatemala"]
NODES = 300
OWN: dict[str, Any] = {"huts": [{"red": "b2"}, {"red": "k2"}], "hands": ["white", "white"]}


def answer(state: GuatemalaState, seat: int = 0) -> str:
    """What it does when asked."""
    decision = next(each for each in GAME.pending(state) if each.seat == seat)
    legal = partial(GAME.legal, state, seat)
    player = strong(MIND, NODES)
    return canonical(player(GAME.view(state, seat), decision, legal, Random(5)))


def lead(**position: Any) -> float:
    """By how much the first of two seats expects to end before the other."""
    mine, theirs = value(table(**OWN | position))
    return mine - theirs


# What it expects


def test_more_workers_ships_and_sacks_promise_more() -> None:
    alike = lead(workers=[{"red": "b1"}, {"red": "k1"}])
    assert lead(workers=[{"red": "b1 b3"}, {"red": "k1"}]) > alike
    assert lead(workers=[{"red": "b1"}, {"red": "k1 k3"}]) < alike
    assert lead(workers=[{"red": "b1"}, {"red": "k1"}], hands=["white red", "white"]) > alike
    assert lead(workers=[{"red": "b1"}, {"red": "k1"}], money=[20, 15]) > alike


def test_ships_promise_something_to_whom_roads_join_to_them_and_less_from_afar() -> None:
    position: dict[str, Any] = {
        "huts": [{"red": "e2"}],
        "workers": [{"red": "e1 e3 d2"}],
    }
    ships = {"port1": "red red"}
    alone = lead(**position)
    near = lead(**position, ships=ships, roads="f1-g1")
    joined = lead(**position, ships=ships, roads="f1-g1 f1-f2")
    assert alone < near < joined


def test_at_the_end_only_points_count() -> None:
    state = table(**OWN, buyer="t4", sack="red", score=(78, 40), workers=[{"red": "b1 b3"}, {}])
    play(state, 0, "take")
    play(state, 1, "block no")
    assert GAME.outcome(state) is not None
    assert value(state) == [80.0, 40.0]


def test_it_has_a_weight_for_each_of_what_seats_hold() -> None:
    for seats in GAME.seats:
        held = holdings(table(seats=seats))
        assert len(held) == seats
        assert {len(each) for each in held} == {len(HOLDINGS)} == {len(RATING[seats])}


def test_points_tell_more_the_nearer_the_end_is() -> None:
    assert spread(table(score=(70, 60))) < spread(table(score=(7, 6)))


def test_harvests_are_foreseen_as_they_are_scored() -> None:
    met = 0
    for state, decision in moments(TITLE, 17):
        networks = board_of(state).networks(state.roads)
        worth = GuatemalaWorth(state, decision.seat)
        for colour in range(COLOURS):
            seats = range(len(state.players))
            scored = [crop(state, networks, seat, colour).points for seat in seats]
            assert worth.gains(colour) == scored
            met += any(scored)
    assert met > 20


# What it thinks about


def test_games_are_played_on_by_legal_actions() -> None:
    kinds = set[str]()
    for number, (state, decision) in enumerate(moments(TITLE, 13)):
        action = quick(state, decision, Random(number))
        assert is_whole(GAME, state, decision.seat, action)
        kinds.add(decision.kind)
    assert kinds == {"place", "step", "act", "block", "refill"}


def test_it_thinks_first_of_what_gains_most_by_its_weights() -> None:
    for state, decision in moments(TITLE, 19):
        if decision.kind != "place":
            view = GAME.view(state, decision.seat)
            legal = GAME.walk(state, decision.seat)
            found = candidates(view, decision, legal)
            usual = greedy(view, decision, legal, Random(1))
            assert in_turn(found[0])[0] == usual


def test_it_thinks_of_each_step_and_of_taking_and_leaving_the_sack_there() -> None:
    """The black sack is two steps ahead, of which the seat has nothing."""
    state = table(**OWN, asked="step", buyer="t2", workers=[{"red": "b1 b3"}, {}])
    found = candidates(GAME.view(state, 0), _asked(state), GAME.walk(state, 0))
    assert {each for each in found if len(each) == 2} == {("move", step) for step in "1234"}
    assert joined(("move", "2"), ("take",)) in found


def _asked(state: GuatemalaState) -> Decision:
    return next(each for each in GAME.pending(state) if not each.optional)


# What it does


@pytest.mark.parametrize("mine", [True, False])
def test_it_goes_for_the_harvest_with_which_it_wins_and_for_none_with_which_it_loses(
    *, mine: bool
) -> None:
    """The black sack is two steps ahead."""
    hut, workers = {"black": "b2"}, {"black": "b1 a2 c2 b3 b4"}
    state = table(
        asked="step",
        buyer="t2",
        hands=["white", "white"],
        score=(75, 75),
        huts=[hut, {}] if mine else [{}, hut],
        workers=[workers, {}] if mine else [{}, workers],
    )
    play(state, 0, answer(state))
    assert (answer(state) == "take") is mine


def test_it_blocks_the_harvest_with_which_another_would_win() -> None:
    state = table(
        buyer="t4",
        sack="red",
        score=(77, 77),
        huts=[{"red": "b2"}, {"red": "k2"}],
        hands=["white", "red"],
        workers=[{"red": "b1 b3"}, {"red": "k1"}],
    )
    play(state, 0, "take")
    assert answer(state, 1) == "block yes"
