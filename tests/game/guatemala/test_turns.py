"""Setup, moving the buyer, and the end (rules: setup, moving, ending)."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random
from typing import Any

from bot.game.chance import RandomChance
from bot.game.contract import Outcome
from bot.game.guatemala import GAME
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    FRAMED,
    POSITION_NAMES,
    PRINTED,
    piece_key,
)
from bot.game.guatemala.state import GuatemalaState
from tests.game.guatemala.positions import (
    asked,
    codes,
    facts,
    harvest,
    money,
    play,
    points,
    position_of_buyer,
    red_sack_table,
    refused,
    table,
    words,
)


def new_table(seats: int = 2, seed: int = 1, **options: str) -> GuatemalaState:
    state = GAME.setup(seats, options, RandomChance(Random(seed)))
    assert GAME.invariants(state) == []
    return state


def framed(state: GuatemalaState) -> list[str]:
    return [piece_key(state.production[space]) for space in FRAMED]


# Setup


def test_a_random_board_has_75_pieces_and_sacks_of_each_colour_one_twice() -> None:
    """Ruling 42: any colour may be the double one, on any two framed spaces."""
    doubled, spaces, boards = set(), set(), set()
    for seed in range(300):
        state = new_table(seed=seed, setup="random")
        sacks = Counter(framed(state))
        assert set(sacks) == {f"{key}_sack" for key in COLOUR_KEYS}
        (double,) = [sack for sack, count in sacks.items() if count == 2]
        doubled.add(double)
        spaces.add(tuple(n for n, sack in enumerate(framed(state)) if sack == double))
        boards.add(tuple(state.production))
    assert (len(doubled), len(spaces), len(boards)) == (5, 15, 300)


def test_all_start_with_15_centavos_and_24_sacks_are_dealt() -> None:
    """The bag has five sacks, the stock 50 roads; the boards have no plantations or ships. By
    default the board is as printed and the track has 79 spaces."""
    assert (new_table().production, new_table().rules.track) == ([*PRINTED], 79)
    assert new_table(track="99").rules.track == 99
    for (seats, hand_size, ports), setup in product(
        ((2, 12, 1), (3, 8, 4), (4, 6, 4)), ("printed", "random")
    ):
        state = new_table(seats, setup=setup)
        assert (state.production == [*PRINTED]) is (setup == "printed")
        assert (money(state), points(state)) == ([15] * seats, [0] * seats)
        assert not any(p.cells(colour) for p in state.players for colour in range(5))
        assert [sum(player.hand) for player in state.players] == [hand_size] * seats
        assert (sum(state.bag), state.track) == (5, [])
        assert (state.stock, state.roads, state.ports) == (50, [], [[]] * ports)
    assert len({tuple(new_table(seed=seed).players[0].hand) for seed in range(20)}) == 20


def test_the_player_to_the_right_of_the_first_places_the_buyer() -> None:
    """Any of the 36 positions is legal (ruling 41); the first player is random."""
    for seats in (2, 3, 4):
        assert {new_table(seats, seed).first for seed in range(40)} == set(range(seats))
        for seed, position in enumerate(POSITION_NAMES):
            state = new_table(seats, seed)
            right = (state.first - 1) % seats
            assert (asked(state), GAME.round(state)) == ([(right, "place")], 0)
            assert words(state, right, "place") == POSITION_NAMES
            events = play(state, right, f"place {position}")
            assert facts(events, "buyer_placed") == [{"seat": right, "position": position}]
            assert position_of_buyer(state) == position
            assert (asked(state), GAME.round(state)) == ([(state.first, "step")], 1)
    state = new_table(3)
    assert codes(state, state.first, "place t1") == ["not_your_turn"]
    assert codes(state, state.turn, "place 11", "place a1") == ["not_a_choice"] * 2
    lines = ("move 1", "pass", "take", "end", "buy 11 a1", "block no", "refill red")
    assert codes(state, state.turn, *lines) == ["not_now"] * 7


# The step


def test_the_buyer_moves_one_to_three_positions_free_and_four_for_two_centavos() -> None:
    """The buyer moves clockwise; corners are no positions (ruling 2)."""
    for before, steps, position, paid in (
        *(("t2", 1, "t3", 0), ("t2", 2, "t4", 0), ("t2", 3, "t5", 0), ("t2", 4, "t6", 2)),
        *(("t9", 1, "r1", 0), ("r9", 1, "b9", 0), ("b1", 1, "l9", 0), ("l1", 1, "t1", 0)),
    ):
        state = table(asked="step", buyer=before, money=(2, 0))
        (event,) = facts(play(state, 0, f"move {steps}"), "buyer_moved")
        assert list(event.values()) == [0, steps, position, paid]
        assert (position_of_buyer(state), money(state)) == (position, [2 - paid, 0])
        assert asked(state) == [(0, "act")]
        assert codes(state, 0, "move 1", "pass") == ["not_now"] * 2


def test_without_money_the_maximum_is_three_steps_and_it_is_never_five_or_back() -> None:
    """Ruling 4; no step means to pass (ruling 3)."""
    for left in (0, 1):
        state = table(asked="step", money=(left, 15))
        assert words(state, 0, "move") == ("1", "2", "3")
        refusal = refused(state, 0, "move 4")
        assert (refusal.code, refusal.facts["money"]) == ("fourth_step_unpaid", left)
    state = table(asked="step", money=99)
    assert words(state, 0, "move") == ("1", "2", "3", "4")
    lines = [f"move {steps}" for steps in ("0", "5", "-1", "36", "all")]
    assert codes(state, 0, *lines) == ["not_a_choice"] * 5


def test_nothing_is_bought_or_taken_before_the_step_and_a_pass_skips_the_turn() -> None:
    """Ruling 3."""
    state = table(asked="step", buyer="t4", seats=3, turn=1)
    assert asked(state) == [(1, "step")]
    assert codes(state, 1, "buy 11 a2", "take", "end") == ["not_now"] * 3
    for seat in (0, 2):
        assert codes(state, seat, "move 1", "pass") == ["not_your_turn"] * 2
    events = play(state, 1, "pass")
    assert [event.kind for event in events] == ["passed", "turn_ended"]
    assert (position_of_buyer(state), money(state)) == ("t4", [15, 15, 15])
    assert asked(state) == [(2, "step")]


# The end


def outcome(state: GuatemalaState) -> Outcome:
    result = GAME.outcome(state)
    assert result is not None
    return result


def is_running(state: GuatemalaState) -> bool:
    return GAME.outcome(state) is None


def test_the_game_ends_when_any_marker_reaches_or_passes_the_last_sack() -> None:
    """The check is after the refill (ruling 35), for the markers of all players."""
    for score, track, last_space, winner in (
        ((75, 0, 0), "", 79, None),
        ((76, 0, 0), "", 79, 0),
        ((78, 0, 0), "", 79, 0),
        ((95, 0, 0), "", 99, None),
        ((96, 0, 0), "", 99, 0),
        ((73, 0, 0), "white black", 79, None),
        ((74, 0, 0), "white black", 79, 0),
        ((0, 79, 0), "", 79, 1),
        ((0, 0, 79), "", 79, 2),
        ((0, 78, 78), "", 79, None),
    ):
        state = red_sack_table(seats=3, score=score, track=track, last_space=last_space)
        harvest(state)
        assert points(state)[0] == score[0] + 3
        assert is_running(state)
        assert asked(state) == [(0, "refill")]
        kinds = [event.kind for event in play(state, 0, "refill white")]
        if winner is None:
            assert is_running(state), score
        else:
            assert kinds == ["refilled", "game_ended"]
            assert (outcome(state).ending, outcome(state).winners) == ("met", (winner,))
            # The end is immediate, even if players have had different numbers of turns (ruling 37).
            assert asked(state) == []
            for seat in range(3):
                lines = ("move 1", "end", "pass", "block no")
                assert codes(state, seat, *lines) == ["game_over"] * 4


def test_the_end_is_checked_after_the_purchases_that_follow_a_block() -> None:
    """Ruling 35: no one scored, but the sack has reached a marker."""
    state = red_sack_table(score=(0, 79), track="white")
    play(state, 0, "end")
    assert is_running(state)
    for met in (77, 78):
        more: dict[str, Any] = {"score": (3, met), "hands": ("", "red"), "workers": ()}
        state = red_sack_table(line="white worker", track="black", **more)
        harvest(state, 1)
        play(state, 0, "buy 24 a1")
        assert is_running(state)
        events = play(state, 0, "end")
        assert facts(events, "roads_filled") == [{"spaces": ("24",)}]
        assert facts(events, "game_ended") == [{"ending": "met"}][: met == 78]
        assert money(state) == [15 + 8 - 3, 15]


def test_the_game_ends_when_the_board_has_no_sack_even_if_other_hands_have_sacks() -> None:
    """Ruling 43. Another sack on the board, in the hand or bag, or of a blocker prevents it."""
    for board_sacks, hand, bag, blockers in (
        ("red - - - - -", "", "", ()),
        ("red - - - - white", "", "", ()),
        ("red - - - - -", "white", "", ()),
        ("red - - - - -", "white white", "", ()),
        ("red - - - - -", "", "white", ()),
        ("red - - - - -", "", "", (1,)),
    ):
        state = table(
            seats=3, buyer="t4", board_sacks=board_sacks, hands=(hand, "red red", "red"), bag=bag
        )
        events = harvest(state, *blockers)
        if asked(state) == [(0, "refill")]:
            events = play(state, 0, "refill white")
        if (hand, bag, blockers, board_sacks[-1]) == ("", "", (), "-"):
            assert [event.kind for event in events[-2:]] == ["left_empty", "game_ended"]
            assert outcome(state).ending == "no_sacks"
        else:
            assert is_running(state)


def test_the_game_ends_when_all_players_in_a_row_pass() -> None:
    """Ruling 6. A step resets the count."""
    for seats in (2, 3, 4):
        state = table(seats=seats, asked="step", turn=1, still=seats - 1)
        play(state, 1, "move 1")
        play(state, 1, "end")
        for step in range(2, seats + 2):
            assert is_running(state)
            events = play(state, step % seats, "pass")
        assert facts(events, "game_ended") == [{"ending": "no_steps"}]
        assert outcome(state).ending == "no_steps"


def idle_turns(state: GuatemalaState, count: int) -> None:
    """Check that the game continues for `count` idle turns and ends with one more."""
    for _ in range(count + 1):
        assert is_running(state)
        ((seat, _),) = asked(state)
        play(state, seat, "move 3")
        play(state, seat, "end")
    assert outcome(state).ending == "idle"


def test_the_game_ends_after_twelve_turns_without_a_piece_or_a_sack() -> None:
    """Ruling 6. Skipped turns count; any piece or sack, blocked or not, resets the count."""
    for seats in (2, 3, 4):
        idle_turns(table(seats=seats, asked="step"), 11)
    state = table(asked="step", idle=10)
    play(state, 0, "pass")
    idle_turns(state, 0)
    for line, place in (
        *(("red worker", "a1"), ("road", "a1-b1")),
        *(("red ship", "port1"), ("red hut", "b2")),
    ):
        state = table(line=line, idle=11)
        play(state, 0, f"buy 11 {place}")
        play(state, 0, "end")
        idle_turns(state, 11)
    for blockers in ((), (1,)):
        state = table(buyer="t4", sack="red", hands=("white", "red"), idle=11)
        harvest(state, *blockers)
        if blockers:
            play(state, 0, "end")
        idle_turns(state, 11)


def test_most_points_win_then_more_money_then_the_victory_is_shared() -> None:
    """Ruling 38. Points beyond the sacks or the track count too (ruling 36)."""
    for score, amounts, winners in (
        ((12, 30, 29), (40, 9, 15), (1,)),
        ((30, 30, 29), (11, 10, 40), (0,)),
        ((30, 30, 29), (11, 12, 40), (1,)),
        ((30, 29, 30), (11, 99, 11), (0, 2)),
    ):
        state = table(seats=3, score=score, money=amounts, asked="step", still=2)
        play(state, 0, "pass")
        assert outcome(state).scores == score
        assert outcome(state).winners == winners, (score, amounts)
    state = red_sack_table(score=(78, 6), roads="f1-g1 f1-f2", ships={"port1": "red red red"})
    harvest(state)
    play(state, 0, "refill white")
    assert outcome(state).scores == (90, 6)
    assert ("red", (12, 0)) in outcome(state).lines
