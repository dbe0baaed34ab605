"""Setting up, the step with which a turn begins, and the end (rules: setup, moving, ending)."""

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
    faced,
    facts,
    harvest,
    money,
    play,
    points,
    red,
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


# Setting up


def test_a_random_board_has_all_75_pieces_and_sacks_of_every_colour_one_of_them_twice() -> None:
    """Ruling 42: any colour may be doubled, and lie on any two framed spaces."""
    doubled, spaces, boards = set(), set(), set()
    for seed in range(300):
        state = begun(seed=seed, setup="random")
        sacks = Counter(framed(state))
        assert set(sacks) == {f"{key}_sack" for key in COLOUR_KEYS}
        (twice,) = [sack for sack, count in sacks.items() if count == 2]
        doubled.add(twice)
        spaces.add(tuple(n for n, sack in enumerate(framed(state)) if sack == twice))
        boards.add(tuple(state.production))
    assert (len(doubled), len(spaces), len(boards)) == (5, 15, 300)


def test_everybody_begins_with_15_centavos_and_24_sacks_are_dealt_and_five_stay_in_the_bag() -> (
    None
):
    """Without points and plantations; all 50 roads lie ready, no port holds a ship. The sacks are
    mixed before they are dealt. By default the board is as printed, and the track has 79 spaces."""
    assert (begun().production, begun().rules.track) == ([*PRINTED], 79)
    assert begun(track="99").rules.track == 99
    for (seats, each, ports), setup in product(
        ((2, 12, 1), (3, 8, 4), (4, 6, 4)), ("printed", "random")
    ):
        state = begun(seats, setup=setup)
        assert (state.production == [*PRINTED]) is (setup == "printed")
        assert (money(state), points(state)) == ([15] * seats, [0] * seats)
        assert not any(p.cells(colour) for p in state.players for colour in range(5))
        assert [sum(player.hand) for player in state.players] == [each] * seats
        assert (sum(state.bag), state.track) == (5, [])
        assert (state.stock, state.roads, state.ports) == (50, [], [[]] * ports)
    assert len({tuple(begun(seed=seed).players[0].hand) for seed in range(20)}) == 20


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


# The step


def test_the_buyer_moves_one_to_three_positions_free_and_four_for_two_centavos() -> None:
    """Clockwise, without corners (ruling 2)."""
    for before, steps, position, paid in (
        *(("t2", 1, "t3", 0), ("t2", 2, "t4", 0), ("t2", 3, "t5", 0), ("t2", 4, "t6", 2)),
        *(("t9", 1, "r1", 0), ("r9", 1, "b9", 0), ("b1", 1, "l9", 0), ("l1", 1, "t1", 0)),
    ):
        state = table(asked="step", buyer=before, money=(2, 0))
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


def test_nothing_is_bought_or_taken_before_the_step_and_without_one_the_turn_is_given_up() -> None:
    """Ruling 3."""
    state = table(asked="step", buyer="t4", seats=3, turn=1)
    assert asked(state) == [(1, "step")]
    assert codes(state, 1, "buy 11 a2", "take", "end") == ["not_now"] * 3
    for seat in (0, 2):
        assert codes(state, seat, "move 1", "pass") == ["not_your_turn"] * 2
    events = play(state, 1, "pass")
    assert [event.kind for event in events] == ["passed", "turn_ended"]
    assert (faced(state), money(state)) == ("t4", [15, 15, 15])
    assert asked(state) == [(2, "step")]


# The end


def outcome(state: GuatemalaState) -> Outcome:
    result = GAME.outcome(state)
    assert result is not None
    return result


def goes_on(state: GuatemalaState) -> bool:
    return GAME.outcome(state) is None


def test_the_game_ends_when_any_marker_reaches_or_passes_the_last_sack() -> None:
    """Checked after the new sack was laid (ruling 35). With a longer track it takes longer, the
    more sacks lie the sooner; also where the sack comes down to another's marker."""
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
        state = red(seats=3, score=score, track=track, last_space=last_space)
        harvest(state)
        assert points(state)[0] == score[0] + 3
        assert goes_on(state)
        assert asked(state) == [(0, "refill")]
        told = [event.kind for event in play(state, 0, "refill white")]
        if winner is None:
            assert goes_on(state), score
        else:
            assert told == ["refilled", "game_ended"]
            assert (outcome(state).ending, outcome(state).winners) == ("met", (winner,))
            # At once, without equal turns (ruling 37).
            assert asked(state) == []
            for seat in range(3):
                lines = ("move 1", "end", "pass", "block no")
                assert codes(state, seat, *lines) == ["game_over"] * 4


def test_after_buying_nothing_is_checked_but_after_a_block_once_the_buying_is_over() -> None:
    """Ruling 35: nobody scored, but the sack has come down to a marker."""
    state = red(score=(0, 79), track="white")
    play(state, 0, "end")
    assert goes_on(state)
    for met in (77, 78):
        more: dict[str, Any] = {"score": (3, met), "hands": ("", "red"), "workers": ()}
        state = red(line="white worker", track="black", **more)
        harvest(state, 1)
        play(state, 0, "buy 24 a1")
        assert goes_on(state)
        events = play(state, 0, "end")
        assert facts(events, "roads_filled") == [{"spaces": ("24",)}]
        assert facts(events, "game_ended") == [{"ending": "met"}][: met == 78]
        assert money(state) == [15 + 8 - 3, 15]


def test_the_game_ends_when_no_sack_is_left_on_the_board_even_if_others_hold_sacks() -> None:
    """Ruling 43. A sack elsewhere on it, of the hand, the bag or a blocker keeps it going."""
    for lying, hand, bag, blockers in (
        ("red - - - - -", "", "", ()),
        ("red - - - - white", "", "", ()),
        ("red - - - - -", "white", "", ()),
        ("red - - - - -", "white white", "", ()),
        ("red - - - - -", "", "white", ()),
        ("red - - - - -", "", "", (1,)),
    ):
        state = table(seats=3, buyer="t4", lying=lying, hands=(hand, "red red", "red"), bag=bag)
        events = harvest(state, *blockers)
        if asked(state) == [(0, "refill")]:
            events = play(state, 0, "refill white")
        if (hand, bag, blockers, lying[-1]) == ("", "", (), "-"):
            assert [event.kind for event in events[-2:]] == ["left_empty", "game_ended"]
            assert outcome(state).ending == "no_sacks"
        else:
            assert goes_on(state)


def test_the_game_ends_after_as_many_turns_without_a_step_as_there_are_players() -> None:
    """Ruling 6. A step begins the count anew."""
    for seats in (2, 3, 4):
        state = table(seats=seats, asked="step", turn=1, still=seats - 1)
        play(state, 1, "move 1")
        play(state, 1, "end")
        for step in range(2, seats + 2):
            assert goes_on(state)
            events = play(state, step % seats, "pass")
        assert facts(events, "game_ended") == [{"ending": "no_steps"}]
        assert outcome(state).ending == "no_steps"


def idle_turns(state: GuatemalaState, count: int) -> None:
    """The game goes on for so many turns, and ends with one more."""
    for _ in range(count + 1):
        assert goes_on(state)
        ((seat, _),) = asked(state)
        play(state, seat, "move 3")
        play(state, seat, "end")
    assert outcome(state).ending == "idle"


def test_the_game_ends_after_twelve_turns_in_which_nothing_was_taken() -> None:
    """Ruling 6. Turns given up count; a piece of any kind, or a sack, blocked or not, begins it
    anew."""
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
    """Ruling 38. Points past the sacks and past the track count in full (ruling 36)."""
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
    state = red(score=(78, 6), roads="f1-g1 f1-f2", ships={"port1": "red red red"})
    harvest(state)
    play(state, 0, "refill white")
    assert outcome(state).scores == (90, 6)
    assert ("red", (12, 0)) in outcome(state).lines
