"""The computer players of Guatemala Café in simple positions, and their estimates."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from bot.game.contract import canonical, in_turn
from bot.game.guatemala import GAME
from bot.game.guatemala.data import COLOURS, FACED, POSITION_NAMES, piece_key
from bot.game.guatemala.sacks import crops
from bot.policy.guatemala.judgement import JUDGEMENT
from bot.policy.guatemala.valuation import GuatemalaValuation
from bot.policy.search import strong
from bot.titles import TITLES
from tests.game.guatemala.positions import HUT_E2, play, red_sack_table, table
from tests.policy.menus import answer as answer_of
from tests.policy.menus import asked, is_whole, moments

ROADS = "road, road, road, road, road, road, road"
answer = partial(answer_of, GAME)


# The normal player


def test_the_buyer_starts_where_the_first_seat_reaches_no_hut_with_two_of_its_workers() -> None:
    state = table(asked="place", turn=1)
    _, position = answer(state, 1).split()
    start = POSITION_NAMES.index(position)
    for step in (1, 2, 3):
        line = [piece_key(state.production[at]) for at in FACED[(start + step) % 36]]
        huts = {word.removesuffix("_hut") for word in line if word.endswith("_hut")}
        assert sum(word.removesuffix("_worker") in huts for word in line) <= 1


def test_pieces_go_where_they_gain_most_for_the_lowest_price() -> None:
    """A road connects the seat's hut to its ships, and none is built only for others. A ship goes
    to the connected port, a worker to the cheapest cell."""
    hut, workers = {"red": "e2"}, {"red": "e1 e3 d2"}
    road: dict[str, Any] = {"line": f"{ROADS}, white ship", "ships": {"port1": "red red"}}
    mine = road | {"huts": [hut], "workers": [workers]}
    other = road | {"huts": [{}, hut], "workers": [{}, workers]}
    ship = {"seats": 4, "huts": [{"red": "i2"}], "workers": [{"red": "i1 i3"}]}
    worker = {"huts": [{"red": "b5"}], "workers": [{"red": "b6"}]}
    for position, place in (
        (mine | {"roads": "f1-g1"}, "f1-f2"),
        (mine | {"roads": "f1-f2"}, "f1-g1"),
        (mine | {"roads": "f1-g1 f1-f2"}, "end"),
        (other | {"roads": "f1-g1"}, "end"),
        (ship | {"line": f"red ship, {ROADS}", "roads": "j1-k1 j1-j2"}, "port3"),
        (worker | {"line": f"red worker, {ROADS}"}, "b7"),
    ):
        assert answer(table(buyer="l4", sack="-", **position)).split()[-1] == place


def test_it_takes_the_winning_sack() -> None:
    position: dict[str, Any] = {"huts": [{"red": "b2"}, {"red": "k2"}], "hands": ["white", ""]}
    for score, mine, theirs in (((48, 47), "b1 b3 a2", "k1"), ((47, 48), "b1", "k1 k3 j2")):
        state = red_sack_table(
            **position, bag="", score=score, workers=[{"red": mine}, {"red": theirs}]
        )
        assert (answer(state) == "take") is (score[0] > score[1])


def test_it_refills_with_a_sack_for_itself_and_keeps_those_for_others() -> None:
    state = table(
        buyer="t4",
        sack="white",
        hands=["black red brown", ""],
        huts=[{"black": "b2"}, {"red": "k2"}],
        workers=[{"black": "b1 b3 b4"}, {"red": "k1 k3 k4"}],
    )
    play(state, 0, "take")
    play(state, 1, "block no")
    assert answer(state) == "refill black"


def block_answer(*, mine: int, theirs: int, hand: str, **position: Any) -> str:
    """Return the answer of seat 1 when seat 0, whose plantation is connected to a port, takes a red
    sack; the plantations have `mine` and `theirs` workers."""
    cells = (["e1", "e3", "d2", "d3"][:theirs], ["k1", "k3", "k4", "j2"][:mine])
    position |= {
        "huts": [HUT_E2, {"red": "k2"}],
        "workers": [{"red": " ".join(c)} for c in cells],
    }
    state = red_sack_table(hands=["white", hand], roads="f1-g1 f1-f2", **position)
    play(state, 0, "take")
    return answer(state, 1)


def test_it_blocks_if_others_would_gain_clearly_more_or_would_win() -> None:
    ships = {"port1": "red red"}
    for mine, theirs, hand, blocks in (
        (0, 4, "red red", "yes"),
        (0, 4, "white white", "no"),
        (4, 4, "red red", "no"),
        (4, 0, "red red", "no"),
        (0, 1, "red red", "no"),
    ):
        assert block_answer(mine=mine, theirs=theirs, hand=hand, ships=ships) == f"block {blocks}"
    assert block_answer(mine=1, theirs=2, hand="red", score=(77, 77)) == "block yes"
    assert block_answer(mine=2, theirs=1, hand="red", score=(77, 77)) == "block no"


# The strong player


def test_harvests_quick_actions_and_candidates_are_right_at_all_moments() -> None:
    kinds, scoring = set[str](), 0
    for number, (state, decision) in enumerate(moments(TITLES["guatemala"], 15)):
        seat = decision.seat
        valuation = GuatemalaValuation(state, seat)
        for colour in range(COLOURS):
            scored = [each.points for each in crops(state, colour)]
            assert valuation.gains(colour) == scored
            scoring += any(scored)
        assert is_whole(GAME, state, seat, JUDGEMENT.quick(state, decision, Random(number)))
        kinds.add(decision.kind)
        if decision.kind != "place":
            view, legal = GAME.view(state, seat), GAME.walk(state, seat)
            first = JUDGEMENT.candidates(view, decision, legal)[0]
            assert in_turn(first)[0] == JUDGEMENT.best(view, decision, legal, Random(1))
    assert kinds == {"place", "step", "act", "block", "refill"}
    assert scoring > 20


def test_it_goes_for_a_winning_harvest_and_never_for_a_losing_one() -> None:
    """The black sack is two steps ahead."""
    player = strong(JUDGEMENT, 300)
    position: dict[str, Any] = {"asked": "step", "buyer": "t2", "score": (75, 75)}
    estate = {"huts": {"black": "b2"}, "workers": {"black": "b1 a2 c2 b3 b4"}}
    for mine in (True, False):
        position |= {kind: [on, {}] if mine else [{}, on] for kind, on in estate.items()}
        state, done = table(**position, hands=["white", "white"]), ""
        for _ in range(2):
            legal = partial(GAME.legal, state, 0)
            done = canonical(player(GAME.view(state, 0), asked(GAME, state), legal, Random(5)))
            play(state, 0, done)
        assert (done == "take") is mine
