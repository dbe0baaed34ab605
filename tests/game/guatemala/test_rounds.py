"""Setting up (section 2, rulings 41 and 42), and the step with which a turn begins (section 4.1,
rulings 1 to 4)."""

from __future__ import annotations

from collections import Counter
from random import Random

from bot.game.chance import RandomChance
from bot.game.choices import OneOf
from bot.game.guatemala import GAME
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    COUNTS,
    FRAMED,
    KINDS,
    OTHERS,
    POSITION_NAMES,
    PRINTED,
    piece_key,
)
from bot.game.guatemala.state import GuatemalaState
from tests.game.guatemala.positions import (
    LINES,
    asked,
    codes,
    faced,
    facts,
    hand,
    money,
    play,
    points,
    refused,
    table,
    words,
)


def begun(seats: int = 2, seed: int = 1, **options: str) -> GuatemalaState:
    state = GAME.setup(seats, options, RandomChance(Random(seed)))
    assert GAME.invariants(state) == []
    return state


def framed(state: GuatemalaState) -> list[str]:
    return [piece_key(state.production[space]) for space in FRAMED]


# Section 2


def test_by_default_the_board_is_set_up_as_printed_and_the_track_has_79_spaces() -> None:
    """Section 10."""
    assert [(option.name, option.values) for option in GAME.options] == [
        ("setup", ("printed", "random")),
        ("track", ("79", "99")),
    ]
    assert begun().production == begun(setup="printed").production == [*PRINTED]
    assert (begun().rules.track, begun(track="99").rules.track) == (79, 99)


def test_a_random_board_has_all_75_pieces_and_sacks_of_every_colour_one_of_them_twice() -> None:
    """Ruling 42: any colour may be doubled, and lie on any two framed spaces."""
    doubled, places, boards = set(), set(), set()
    for seed in range(300):
        state = begun(seed=seed, setup="random")
        lying = Counter(piece_key(state.production[space]) for space in OTHERS)
        assert lying == {
            f"{key}_{kind}": count
            for kind, count in zip(KINDS[:3], COUNTS, strict=False)
            for key in COLOUR_KEYS
        }
        sacks = Counter(framed(state))
        assert set(sacks) == {f"{key}_sack" for key in COLOUR_KEYS}
        (twice,) = [sack for sack, count in sacks.items() if count == 2]
        doubled.add(twice)
        places.add(tuple(n for n, sack in enumerate(framed(state)) if sack == twice))
        boards.add(tuple(state.production))
    assert (len(doubled), len(places), len(boards)) == (5, 15, 300)


def test_everybody_begins_with_15_centavos_and_24_sacks_are_dealt_and_five_stay_in_the_bag() -> (
    None
):
    """On space 0, and without a plantation; all 50 roads lie ready, no port holds a ship. With
    those of the board there are seven sacks of each colour, mixed before they are dealt."""
    for seats, each, ports in ((2, 12, 1), (3, 8, 4), (4, 6, 4)):
        for setup in ("printed", "random"):
            state = begun(seats, setup=setup)
            assert (money(state), points(state)) == ([15] * seats, [0] * seats)
            assert all(not seat.plantations for seat in GAME.view(state, 0).seats)
            assert [sum(player.hand) for player in state.players] == [each] * seats
            assert (sum(state.bag), state.track) == (5, [])
            assert (state.stock, state.roads, state.ports) == (50, [], [[]] * ports)
            stocks = [state.bag, *(player.hand for player in state.players)]
            for colour, key in enumerate(COLOUR_KEYS):
                dealt = sum(stock[colour] for stock in stocks)
                assert dealt + framed(state).count(f"{key}_sack") == 7
    assert len({hand(begun(seed=seed), 0) for seed in range(20)}) == 20


def test_the_player_to_the_right_of_the_first_puts_the_buyer_on_any_of_36_positions() -> None:
    """Ruling 41; the first is drawn by lot, and begins the first round."""
    for seats in (2, 3, 4):
        assert {begun(seats, seed).first for seed in range(40)} == set(range(seats))
        for seed, position in enumerate(POSITION_NAMES):
            state = begun(seats, seed)
            right = (state.first - 1) % seats
            assert (asked(state), GAME.round(state)) == ([(right, "place")], 0)
            assert words(state, right, "place") == POSITION_NAMES
            events = play(state, right, f"place {position}")
            assert facts(events, "buyer_placed") == [{"seat": right, "position": position}]
            assert faced(state) == position
            assert (asked(state), GAME.round(state)) == ([(state.first, "step")], 1)
    state = begun(3)
    assert codes(state, state.first, "place t1") == ["not_your_turn"]
    assert codes(state, state.turn, "place 11", "place a1") == ["not_a_choice"] * 2
    lines = ("move 1", "pass", "take", "end", "buy 11 a1", "block no", "refill red")
    assert codes(state, state.turn, *lines) == ["not_now"] * 7
    positions = LINES.domain(state, state.turn, "place")
    assert isinstance(positions, OneOf)
    (grouping,) = positions.groups
    assert grouping.param == "edge"
    assert Counter(map(grouping.of, positions.values)) == dict.fromkeys("trbl", 9)


# Section 4.1: the step


def test_the_buyer_moves_one_to_three_positions_free_and_four_for_two_centavos() -> None:
    for steps, position, paid in ((1, "t3", 0), (2, "t4", 0), (3, "t5", 0), (4, "t6", 2)):
        state = table(asked="step", buyer="t2", money=(2, 0))
        (told,) = facts(play(state, 0, f"move {steps}"), "buyer_moved")
        assert list(told.values()) == [0, steps, position, paid]
        assert (faced(state), money(state)) == (position, [2 - paid, 0])
        assert asked(state) == [(0, "act")]
        assert codes(state, 0, "move 1", "pass") == ["not_now"] * 2


def test_who_cannot_pay_moves_three_at_most_and_nobody_five_or_back() -> None:
    """Ruling 4; and a step of none is to pass (ruling 3)."""
    for left in (0, 1):
        state = table(asked="step", money=(left, 15))
        assert words(state, 0, "move") == ("1", "2", "3")
        refusal = refused(state, 0, "move 4")
        assert (refusal.code, refusal.facts["money"]) == ("fourth_step_unpaid", left)
    state = table(asked="step", money=99)
    assert words(state, 0, "move") == ("1", "2", "3", "4")
    lines = [f"move {steps}" for steps in ("0", "5", "-1", "36", "all")]
    assert codes(state, 0, *lines) == ["not_a_choice"] * 5


def test_the_buyer_goes_round_all_positions_clockwise_without_corners() -> None:
    """Ruling 2."""
    for before, after in (("t9", "r1"), ("r9", "b9"), ("b1", "l9"), ("l1", "t1")):
        state = table(asked="step", buyer=before)
        play(state, 0, "move 1")
        assert faced(state) == after


def test_nothing_is_bought_or_taken_before_the_step() -> None:
    """Section 4: first the step, then one of the two actions."""
    state = table(asked="step", buyer="t4", seats=3, turn=1)
    assert asked(state) == [(1, "step")]
    assert codes(state, 1, "buy 11 a2", "take", "end") == ["not_now"] * 3
    for seat in (0, 2):
        assert codes(state, seat, "move 1", "pass") == ["not_your_turn"] * 2


def test_who_does_not_move_the_buyer_gives_up_the_whole_turn() -> None:
    """Ruling 3."""
    state = table(asked="step", buyer="t4", seats=3)
    events = play(state, 0, "pass")
    assert [event.kind for event in events] == ["passed", "turn_ended"]
    assert (faced(state), money(state)) == ("t4", [15, 15, 15])
    assert asked(state) == [(1, "step")]


def test_turns_go_clockwise_and_a_round_begins_with_the_first_player() -> None:
    for seats in (2, 3, 4):
        state = table(asked="step", seats=seats, turn=1, first=1)
        for turn in range(2 * seats + 1):
            seat = (1 + turn) % seats
            assert asked(state) == [(seat, "step")]
            assert GAME.round(state) == 3 + turn // seats
            play(state, seat, "move 1")
            assert facts(play(state, seat, "end"), "turn_ended") == [{"seat": seat}]
