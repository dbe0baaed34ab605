"""Setting up (section 2), and where the buyer begins (rulings 41 and 42)."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from bot.game.chance import RandomChance
from bot.game.choices import OneOf
from bot.game.guatemala import GAME
from bot.game.guatemala.data import COLOUR_KEYS, COUNTS, KINDS
from bot.game.guatemala.production import FRAMED, OTHERS, POSITION_NAMES, PRINTED
from bot.game.guatemala.state import GuatemalaState, piece_key
from tests.game.guatemala.positions import (
    LINES,
    asked,
    faced,
    facts,
    hand,
    money,
    play,
    points,
    refused,
    words,
)

every_number = pytest.mark.parametrize("seats", [2, 3, 4])


def begun(seats: int = 2, seed: int = 1, **options: str) -> GuatemalaState:
    state = GAME.setup(seats, options, RandomChance(Random(seed)))
    assert GAME.invariants(state) == []
    return state


def framed(state: GuatemalaState) -> list[str]:
    return [piece_key(state.production[space]) for space in FRAMED]


# Section 2.1: the production board


@every_number
def test_by_default_the_board_is_set_up_as_printed(seats: int) -> None:
    assert begun(seats).production == [*PRINTED]
    assert begun(seats, setup="printed").production == [*PRINTED]


@pytest.mark.parametrize("seed", range(12))
def test_a_random_board_has_sacks_of_every_colour_on_its_framed_spaces_one_of_them_twice(
    seed: int,
) -> None:
    sacks = Counter(framed(begun(seed=seed, setup="random")))
    assert set(sacks) == {f"{key}_sack" for key in COLOUR_KEYS}
    assert sorted(sacks.values()) == [1, 1, 1, 1, 2]


@pytest.mark.parametrize("seed", range(12))
def test_a_random_board_has_all_75_other_pieces_a_space_each(seed: int) -> None:
    state = begun(seed=seed, setup="random")
    lying = Counter(piece_key(state.production[space]) for space in OTHERS)
    assert lying == {
        f"{key}_{kind}": count
        for kind, count in zip(KINDS[:3], COUNTS, strict=False)
        for key in COLOUR_KEYS
    }


def test_any_colour_may_be_doubled_and_lie_on_any_two_framed_spaces() -> None:
    """Ruling 42."""
    boards = [framed(begun(seed=seed, setup="random")) for seed in range(300)]
    twice = [next(sack for sack in board if board.count(sack) == 2) for board in boards]
    assert len(set(twice)) == 5
    places = {
        tuple(n for n, sack in enumerate(board) if sack == doubled)
        for board, doubled in zip(boards, twice, strict=True)
    }
    assert len(places) == 15


def test_random_boards_differ() -> None:
    assert len({tuple(begun(seed=seed, setup="random").production) for seed in range(20)}) == 20


# Sections 2.3 and 2.4: what everybody gets


@every_number
def test_everybody_begins_with_15_centavos_on_space_0_and_without_a_plantation(seats: int) -> None:
    state = begun(seats)
    assert money(state) == [15] * seats
    assert points(state) == [0] * seats
    assert all(not seat.plantations for seat in GAME.view(state, 0).seats)


@pytest.mark.parametrize(("seats", "each"), [(2, 12), (3, 8), (4, 6)])
@pytest.mark.parametrize("setup", ["printed", "random"])
def test_24_sacks_are_dealt_and_five_stay_in_the_bag(seats: int, each: int, setup: str) -> None:
    state = begun(seats, setup=setup)
    assert [sum(player.hand) for player in state.players] == [each] * seats
    assert sum(state.bag) == 5
    assert state.track == []


def test_with_the_sacks_of_the_board_there_are_seven_of_each_colour() -> None:
    for seed in range(8):
        state = begun(3, seed=seed, setup="random")
        stocks = [state.bag, *(player.hand for player in state.players)]
        dealt = [sum(column) for column in zip(*stocks, strict=True)]
        on_board = [framed(state).count(f"{key}_sack") for key in COLOUR_KEYS]
        assert [a + b for a, b in zip(dealt, on_board, strict=True)] == [7] * 5


def test_sacks_are_mixed_before_they_are_dealt() -> None:
    assert len({hand(begun(seed=seed), 0) for seed in range(20)}) == 20


@every_number
def test_all_50_roads_lie_ready_and_no_port_holds_a_ship(seats: int) -> None:
    state = begun(seats)
    assert (state.stock, state.roads) == (50, [])
    assert state.ports == [[]] * {2: 1, 3: 4, 4: 4}[seats]


# Section 2.5: the first player, and the buyer


@every_number
def test_the_first_player_is_drawn_by_lot(seats: int) -> None:
    assert {begun(seats, seed).first for seed in range(40)} == set(range(seats))


@every_number
def test_the_player_to_the_right_of_the_first_puts_the_buyer_on_any_of_36_positions(
    seats: int,
) -> None:
    """Ruling 41."""
    for seed in range(8):
        state = begun(seats, seed)
        right = (state.first - 1) % seats
        assert asked(state) == [(right, "place")]
        assert words(state, right, "place") == POSITION_NAMES
        assert refused(state, state.first, "place t1").code == "not_your_turn"
        assert refused(state, right, "place 11").code == "not_a_choice"
        assert refused(state, right, "place a1").code == "not_a_choice"
        events = play(state, right, "place b7")
        assert facts(events, "buyer_placed") == [{"seat": right, "position": "b7"}]
        assert faced(state) == "b7"
        assert asked(state) == [(state.first, "step")]


@pytest.mark.parametrize("position", POSITION_NAMES)
def test_the_buyer_can_begin_at_each_position(position: str) -> None:
    state = begun()
    play(state, state.turn, f"place {position}")
    assert faced(state) == position


def test_positions_are_chosen_by_the_side_of_the_board() -> None:
    state = begun()
    positions = LINES.domain(state, state.turn, "place")
    assert isinstance(positions, OneOf)
    (grouping,) = positions.groups
    assert grouping.param == "edge"
    assert Counter(map(grouping.of, positions.values)) == dict.fromkeys("trbl", 9)


def test_before_the_buyer_is_placed_nothing_else_can_be_done() -> None:
    state = begun()
    for line in ("move 1", "pass", "take", "end", "buy 11 a1", "block no", "refill red"):
        assert refused(state, state.turn, line).code == "not_now"


def test_the_first_round_begins_with_the_first_player() -> None:
    state = begun(3)
    assert GAME.round(state) == 0
    play(state, state.turn, "place t1")
    assert GAME.round(state) == 1


# Section 10: the options of a table


def test_a_table_chooses_its_set_up_and_the_length_of_its_track() -> None:
    assert [(option.name, option.values) for option in GAME.options] == [
        ("setup", ("printed", "random")),
        ("track", ("79", "99")),
    ]
    assert begun().rules.track == 79
    assert begun(track="99").rules.track == 99


@pytest.mark.parametrize(
    ("seats", "options"),
    [(1, {}), (5, {}), (2, {"setup": "pretty"}), (2, {"track": "89"}), (2, {"colour": "red"})],
)
def test_what_is_not_on_offer_is_refused(seats: int, options: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="guatemala"):
        GAME.setup(seats, options, RandomChance(Random(1)))
