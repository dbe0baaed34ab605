"""The whole actions offered in Guatemala Café."""

from __future__ import annotations

from functools import partial
from typing import Any

from bot.game.contract import canonical
from bot.game.guatemala import GAME
from bot.policy.guatemala.menu import menu
from bot.titles.guatemala import VERSIONS
from tests.game.guatemala.positions import table
from tests.policy.menus import check_menus


def offered(seat: int = 0, **position: Any) -> list[str]:
    """What a seat is offered."""
    state = table(**position)
    decision = next(each for each in GAME.pending(state) if each.seat == seat)
    legal = partial(GAME.legal, state, seat)
    return [canonical(each) for each in menu(GAME.view(state, seat), decision, legal)]


def test_menus_of_recorded_games_hold_what_the_greedy_player_does() -> None:
    kinds = {"step", "act", "block", "refill"}
    check_menus(VERSIONS[-1], 23, kinds)


def test_the_end_of_the_turn_comes_before_what_gains_nothing() -> None:
    line = "white ship, road, road, road, road, road, road, road"
    said = offered(buyer="l4", sack="-", line=line)
    assert said[0] == "end"
    assert all(each.startswith("buy ") for each in said[1:])


def test_a_piece_that_lies_in_the_line_twice_is_offered_once() -> None:
    line = "red worker, red worker, road, road, road, road, road, road"
    said = offered(buyer="l4", sack="-", line=line, huts=[{"red": "b2"}])
    spaces = {each.split()[1] for each in said if each.startswith("buy ")}
    assert len(spaces & {"41", "42"}) == 1


def test_the_sack_is_offered_first_or_second() -> None:
    position: dict[str, Any] = {"buyer": "t4", "sack": "red", "hands": ["white", "white"]}
    assert offered(**position, money=0)[0] == "take"
    assert offered(**position, money=15)[1] == "take"


def test_the_buyer_is_offered_a_dozen_positions_to_begin_at() -> None:
    said = offered(1, asked="place", turn=1)
    assert len(set(said)) == 12
    assert all(each.startswith("place ") for each in said)
