"""The whole actions offered in Flandern 1302."""

from __future__ import annotations

from functools import partial

from bot.game.contract import canonical
from bot.game.flandern import GAME
from bot.game.flandern.state import FlandernState
from bot.policy.flandern.menu import menu
from bot.titles.flandern import VERSIONS
from tests.game.flandern.positions import one_plays, table
from tests.policy.menus import check_menus


def offered(state: FlandernState, seat: int = 0) -> list[str]:
    """What a seat is offered."""
    decision = next(each for each in GAME.pending(state) if each.seat == seat)
    legal = partial(GAME.legal, state, seat)
    return [canonical(each) for each in menu(GAME.view(state, seat), decision, legal)]


def test_menus_of_recorded_games_hold_what_the_greedy_player_does() -> None:
    kinds = {"look", "choose", "turn", "city", "site", "leader", "cathedral"}
    check_menus(VERSIONS[-1], 23, kinds)


def test_every_card_is_offered_once_before_more_influence_cards() -> None:
    said = offered(table(cities={"gent": "t1 yellow"}))
    assert sorted(each.split()[1] for each in said[:8]) == sorted(
        ["brugge", "gent", "ieper", "leuven", "utrecht", "luik", "site", "take"]
    )
    assert len(said) == 24
    assert not any(each.startswith("choose take") for each in said[8:])


def test_to_take_back_nothing_is_offered_last() -> None:
    assert offered(table())[:8][-1] == "choose take 0"
    assert offered(table(seats=2))[8] == "take"


def test_of_two_players_a_card_is_drawn_first_or_one_played_or_all_taken_back() -> None:
    said = offered(table(seats=2, lying=("gent",)))
    assert said[0] == "draw"
    assert "take" in said
    assert "play gent" not in said


def test_the_best_of_each_emblem_comes_before_a_plot_that_is_like_another() -> None:
    state = table(cities={"gent": "t1 yellow, p1 church site, t3 grey"})
    one_plays(state, "gent")
    said = [each.split() for each in offered(state)]
    first = [words[-1].partition("-")[0] if words[0] == "build" else words[0] for words in said]
    assert sorted(first[:4]) == ["church", "complete", "grey", "red"]
    assert len({*map(tuple, said)}) == len(said)


def test_building_and_completing_stand_in_one_menu() -> None:
    state = table(cities={"gent": "t1 yellow, t2 blue, p1 church, p2 grey, t3 grey site"})
    one_plays(state, "gent")
    assert {each.split()[0] for each in offered(state)} == {"build", "complete"}
