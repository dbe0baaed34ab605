"""Setting up, choosing boards and starting castles (sections 7.1, 10 and 11)."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.burgundy import GAME
from bot.game.burgundy.boards import BOARDS, SPACE_NAMES
from bot.game.burgundy.state import BurgundyState
from bot.game.chance import RandomChance
from tests.game.burgundy.positions import asked, facts, lying, play, points, refused, words


def begun(seats: int = 2, seed: int = 1, **options: str) -> BurgundyState:
    state = GAME.setup(seats, options, RandomChance(Random(seed)))
    assert GAME.invariants(state) == []
    return state


def castles(state: BurgundyState) -> list[list[str]]:
    return [
        [SPACE_NAMES[space] for space, tile in enumerate(player.estate) if tile >= 0]
        for player in state.players
    ]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everybody_begins_with_a_silverling_three_goods_and_workers_by_turn_order(
    seats: int,
) -> None:
    state = begun(seats)
    assert [player.silverlings for player in state.players] == [1] * seats
    assert [sum(player.goods) for player in state.players] == [3] * seats
    assert [state.players[seat].workers for seat in state.order] == list(range(1, seats + 1))


def test_the_first_in_turn_order_lies_on_top_of_the_first_space_of_the_track() -> None:
    state = begun(4)
    assert state.track[0] == state.order[::-1]
    assert {tuple(begun(4, seed).order) for seed in range(60)} > {(0, 1, 2, 3), (3, 2, 1, 0)}


def test_beginners_all_have_the_first_board_and_its_centre() -> None:
    state = begun(3)
    assert [player.board for player in state.players] == [1, 1, 1]
    assert castles(state) == [["d4"]] * 3
    assert asked(state) == [(state.order[0], "turn")]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_boards_are_all_different(seats: int) -> None:
    for seed in range(20):
        boards = [player.board for player in begun(seats, seed, boards="random").players]
        assert len(set(boards)) == seats


@pytest.mark.parametrize("board", range(1, 10))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_may_play_the_same_board_with_castles_placed_in_secret(seats: int, board: int) -> None:
    """Section 11; also where there is one copy of it in the box, and not in the centre."""
    state = begun(seats, boards=str(board))
    assert [player.board for player in state.players] == [board] * seats
    assert asked(state) == [(seat, "castle") for seat in range(seats)]
    spaces = words(state, 0, "castle")
    for seat in range(seats - 1):
        events = play(state, seat, f"castle {spaces[seat]}")
        assert [event.kind for event in events if event.heard_by(-1)] == []
    assert castles(state) == [[]] * seats
    play(state, seats - 1, f"castle {spaces[0]}")
    assert castles(state) == [[spaces[seat]] for seat in range(seats - 1)] + [[spaces[0]]]
    assert state.round == 1


def test_the_boards_of_the_option_are_those_that_there_are() -> None:
    (values,) = [option.values for option in GAME.options if option.name == "boards"]
    assert values == ("beginner", "random", "choose", *map(str, BOARDS))


def test_boards_are_chosen_openly_in_turn_order_and_only_the_first_more_than_once() -> None:
    state = begun(3, boards="choose")
    first, second, third = state.order
    assert asked(state) == [(first, "board")]
    assert words(state, first, "board") == tuple("123456789")
    events = play(state, first, "board 7")
    assert facts(events, "board_chosen") == [{"seat": first, "board": 7}]
    assert asked(state) == [(second, "board")]
    assert refused(state, second, "board 7").code == "board_taken"
    assert refused(state, third, "board 1").code == "not_your_turn"
    play(state, second, "board 1")
    play(state, third, "board 1")
    assert [state.players[seat].board for seat in state.order] == [7, 1, 1]
    assert sorted(asked(state)) == [(seat, "castle") for seat in range(3)]


def test_castles_are_placed_in_secret_and_revealed_together() -> None:
    state = begun(2, boards="random")
    state.players[0].board, state.players[1].board = 1, 9
    assert asked(state) == [(0, "castle"), (1, "castle")]
    assert words(state, 0, "castle") == ("a2", "a3", "b3", "d4")
    assert words(state, 1, "castle") == ("a3", "d1", "d6", "g2")
    (event,) = play(state, 0, "castle a2")
    assert (event.kind, event.only) == ("castle_chosen", (0,))
    assert castles(state) == [[], []]
    assert lying(state, "1") == []
    assert asked(state) == [(1, "castle")]
    play(state, 0, "castle b3")
    events = play(state, 1, "castle g2")
    assert castles(state) == [["b3"], ["g2"]]
    assert facts(events, "castle_placed") == [
        {"seat": 0, "space": "b3"},
        {"seat": 1, "space": "g2"},
    ]
    assert facts(events, "phase_began")
    assert asked(state) == [(state.order[0], "turn")]


def test_a_castle_begins_on_a_castle_space() -> None:
    state = begun(2, boards="random")
    state.players[0].board = 1
    assert refused(state, 0, "castle c3").code == "no_castle_space"
    assert refused(state, 0, "castle z9").code == "not_a_choice"
    assert refused(state, 0, "workers any").code == "not_now"


def test_a_starting_castle_scores_nothing_and_gives_no_action() -> None:
    """Also in a region of one space; it counts as covered for its colour (section 10)."""
    state = begun(2, boards="random")
    state.players[0].board, state.players[1].board = 2, 3
    play(state, 0, "castle a4")
    play(state, 1, "castle d4")
    assert points(state, 0) == points(state, 1) == {}
    assert asked(state) == [(state.order[0], "turn")]


@pytest.mark.parametrize(
    ("seats", "options"),
    [(1, {}), (5, {}), (2, {"boards": "pretty"}), (2, {"colour": "red"})],
)
def test_what_is_not_on_offer_is_refused(seats: int, options: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="burgundy"):
        GAME.setup(seats, options, RandomChance(Random(1)))
