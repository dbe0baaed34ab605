"""The end of the game, and who wins (section 7, rulings 6, 31a and 35 to 38)."""

from __future__ import annotations

import pytest

from bot.game.contract import Outcome
from bot.game.guatemala import GAME
from bot.game.guatemala.state import GuatemalaState
from tests.game.guatemala.positions import (
    asked,
    facts,
    harvest,
    money,
    play,
    points,
    refused,
    table,
)

PLANT = ({"red": "e2"},)
FIVE = ({"red": "f2 g2 f1 e1 e3"},)


def outcome(state: GuatemalaState) -> Outcome:
    result = GAME.outcome(state)
    assert result is not None
    return result


def goes_on(state: GuatemalaState) -> bool:
    return GAME.outcome(state) is None


# Section 7: a marker meets the sacks


def before_the_last_harvest(
    score: tuple[int, ...], *, seats: int = 2, track: str = "", last_space: int = 79, turn: int = 0
) -> GuatemalaState:
    """Seat 0 will score five for red; the next sack lies as far down as `track` is long."""
    return table(
        seats=seats,
        turn=turn,
        buyer="t4",
        sack="red",
        score=score,
        hands=("white brown",) * seats,
        huts=PLANT,
        workers=FIVE,
        track=track,
        last_space=last_space,
    )


@pytest.mark.parametrize(("before", "over"), [(73, False), (74, True), (75, True), (78, True)])
def test_the_game_ends_when_a_marker_reaches_or_passes_the_last_sack(
    before: int, over: bool
) -> None:
    state = before_the_last_harvest((before, 0))
    harvest(state)
    events = play(state, 0, "refill white")
    assert goes_on(state) != over
    assert facts(events, "game_ended") == ([{"ending": "met"}] if over else [])


@pytest.mark.parametrize("before", [93, 94])
def test_with_a_longer_track_it_takes_longer(before: int) -> None:
    """Section 10."""
    state = before_the_last_harvest((before, 0), last_space=99)
    harvest(state)
    play(state, 0, "refill white")
    assert goes_on(state) == (before == 93)


@pytest.mark.parametrize("before", [71, 72])
def test_the_more_sacks_lie_the_sooner_they_are_met(before: int) -> None:
    """With two before it the sack just taken lies on 77."""
    state = before_the_last_harvest((before, 0), track="white black")
    harvest(state)
    play(state, 0, "refill white")
    assert goes_on(state) == (before == 71)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_marker_of_any_player_will_do(seat: int) -> None:
    """Also where the seat on turn scores nothing: the sack may come down to a marker."""
    score = [0, 0, 0]
    score[seat] = 79 if seat else 74
    state = before_the_last_harvest((score[0], score[1], score[2]), seats=3)
    harvest(state)
    play(state, 0, "refill white")
    assert outcome(state).ending == "met"
    assert outcome(state).winners == (seat,)


def test_the_check_comes_after_the_new_sack_was_laid() -> None:
    """Ruling 35: at the end of action b."""
    state = before_the_last_harvest((74, 0))
    harvest(state)
    assert points(state) == [79, 0]
    assert goes_on(state)
    assert asked(state) == [(0, "refill")]
    assert [event.kind for event in play(state, 0, "refill white")] == ["refilled", "game_ended"]


def test_after_buying_nothing_is_checked() -> None:
    """Section 7: only at the end of an action b."""
    state = before_the_last_harvest((0, 79), track="white")
    play(state, 0, "end")
    assert goes_on(state)


def test_after_a_block_it_is_checked_once_the_pieces_bought_instead_are_placed() -> None:
    """Ruling 35: nobody scored, but the sack has come down to a marker."""
    state = table(
        buyer="t4", sack="red", line="white worker", score=(3, 78), track="black", hands=("", "red")
    )
    harvest(state, 1)
    assert goes_on(state)
    play(state, 0, "buy 24 a1")
    assert goes_on(state)
    events = play(state, 0, "end")
    assert facts(events, "roads_filled") == [{"spaces": ("24",)}]
    assert facts(events, "game_ended") == [{"ending": "met"}]
    assert money(state) == [15 + 8 - 3, 15]


def test_after_a_block_the_game_goes_on_where_no_marker_is_met() -> None:
    state = table(buyer="t4", sack="red", score=(3, 77), track="black", hands=("", "red"))
    harvest(state, 1)
    play(state, 0, "end")
    assert goes_on(state)


@pytest.mark.parametrize("turn", range(4))
def test_the_game_ends_at_once_without_equal_turns(turn: int) -> None:
    """Ruling 37."""
    state = before_the_last_harvest((74, 0, 0, 0), seats=4, turn=turn)
    harvest(state)
    play(state, turn, "refill white")
    assert asked(state) == []
    for seat in range(4):
        for line in ("move 1", "end", "pass", "block no"):
            assert refused(state, seat, line).code == "game_over"


# Ruling 31a: no sack on the board


def test_the_game_ends_when_no_sack_is_left_on_the_board() -> None:
    state = table(buyer="t4", lying="red - - - - -", hands=("", "red"), bag="")
    events = harvest(state)
    assert [event.kind for event in events[-2:]] == ["left_empty", "game_ended"]
    assert outcome(state).ending == "no_sacks"


def test_it_ends_so_even_if_others_hold_sacks() -> None:
    state = table(seats=3, buyer="t4", lying="red - - - - -", hands=("", "red red", "red"), bag="")
    harvest(state)
    assert outcome(state).ending == "no_sacks"


def test_a_sack_elsewhere_on_the_board_keeps_the_game_going() -> None:
    state = table(buyer="t4", lying="red - - - - white", hands=("", "red"), bag="")
    harvest(state)
    assert goes_on(state)


@pytest.mark.parametrize(("hand", "bag"), [("white", ""), ("", "white"), ("white white", "")])
def test_a_new_sack_keeps_the_game_going(hand: str, bag: str) -> None:
    state = table(buyer="t4", lying="red - - - - -", hands=(hand, "red"), bag=bag)
    harvest(state)
    if asked(state) == [(0, "refill")]:
        play(state, 0, "refill white")
    assert goes_on(state)


def test_the_sack_of_a_blocker_keeps_the_game_going() -> None:
    state = table(buyer="t4", lying="red - - - - -", hands=("", "red"), bag="")
    harvest(state, 1)
    play(state, 0, "end")
    assert goes_on(state)


# Ruling 6: the guards against games without an end


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("turn", [0, 1])
def test_the_game_ends_after_as_many_turns_without_a_step_as_there_are_players(
    seats: int, turn: int
) -> None:
    state = table(seats=seats, asked="step", turn=turn)
    for step in range(seats):
        assert goes_on(state)
        events = play(state, (turn + step) % seats, "pass")
    assert facts(events, "game_ended") == [{"ending": "no_steps"}]
    assert outcome(state).ending == "no_steps"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_step_begins_the_count_anew(seats: int) -> None:
    state = table(seats=seats, asked="step", still=seats - 1)
    play(state, 0, "move 1")
    play(state, 0, "end")
    for step in range(1, seats):
        play(state, step, "pass")
    assert goes_on(state)
    play(state, 0, "pass")
    assert outcome(state).ending == "no_steps"


def idle_turn(state: GuatemalaState) -> None:
    ((seat, _),) = asked(state)
    play(state, seat, "move 3")
    play(state, seat, "end")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_game_ends_after_twelve_turns_in_which_nothing_was_taken(seats: int) -> None:
    state = table(seats=seats, asked="step")
    for _ in range(11):
        idle_turn(state)
    assert goes_on(state)
    idle_turn(state)
    assert outcome(state).ending == "idle"


def test_a_turn_given_up_is_one_in_which_nothing_was_taken() -> None:
    state = table(asked="step", idle=10)
    play(state, 0, "pass")
    assert goes_on(state)
    idle_turn(state)
    assert outcome(state).ending == "idle"


@pytest.mark.parametrize("line", ["red worker", "road", "red ship", "red hut"])
def test_a_piece_of_any_kind_begins_the_count_anew(line: str) -> None:
    place = {"red worker": "a1", "road": "a1-b1", "red ship": "port1", "red hut": "b2"}[line]
    state = table(line=line, idle=11)
    play(state, 0, f"buy 11 {place}")
    play(state, 0, "end")
    for _ in range(11):
        idle_turn(state)
    assert goes_on(state)
    idle_turn(state)
    assert outcome(state).ending == "idle"


@pytest.mark.parametrize("blockers", [(), (1,)])
def test_a_sack_begins_the_count_anew_blocked_or_not(blockers: tuple[int, ...]) -> None:
    """It was taken all the same."""
    state = table(buyer="t4", sack="red", hands=("white", "red"), idle=11)
    harvest(state, *blockers)
    if blockers:
        play(state, 0, "end")
    for _ in range(11):
        idle_turn(state)
    assert goes_on(state)
    idle_turn(state)
    assert outcome(state).ending == "idle"


# Who wins: section 7, ruling 38

ENDINGS = ("met", "no_sacks", "no_steps", "idle")


def ended(ending: str, score: tuple[int, ...], amounts: tuple[int, ...]) -> Outcome:
    """The result of a game that ends in some way with these points and centavos."""
    seats = len(score)
    more = {"met": {"sack": "red"}, "no_sacks": {"lying": "red - - - - -", "bag": ""}}
    first = {"met": 8, "no_sacks": 8, "no_steps": 0, "idle": 0}[ending]
    left = (amounts[0] - first, *amounts[1:])
    if first:
        state = table(
            seats=seats,
            buyer="t4",
            score=score,
            money=left,
            track="" if ending == "no_sacks" else "white white black black white",
            last_space=79,
            **more[ending],  # type: ignore[arg-type]
        )
        if ending == "met":
            state.rules = type(state.rules)(max(score))
        harvest(state)
    else:
        state = table(seats=seats, score=score, money=left, asked="step", idle=11, still=0)
        if ending == "no_steps":
            state.still, state.idle = seats - 1, 0
        play(state, 0, "pass")
    result = outcome(state)
    assert result.ending == ending
    assert tuple(money(state)) == amounts
    return result


@pytest.mark.parametrize("ending", ENDINGS)
def test_most_points_win_however_the_game_ends(ending: str) -> None:
    result = ended(ending, (12, 30, 29), (40, 9, 15))
    assert result.winners == (1,)
    assert result.scores == (12, 30, 29)


@pytest.mark.parametrize("ending", ENDINGS)
def test_of_those_with_most_points_more_money_wins(ending: str) -> None:
    result = ended(ending, (30, 30, 29), (11, 10, 40))
    assert result.winners == (0,)
    assert ended(ending, (30, 30, 29), (11, 12, 40)).winners == (1,)


@pytest.mark.parametrize("ending", ENDINGS)
def test_with_equal_money_too_the_victory_is_shared(ending: str) -> None:
    assert ended(ending, (30, 29, 30), (11, 99, 11)).winners == (0, 2)
    assert ended(ending, (30, 30), (11, 11)).winners == (0, 1)


def test_the_lines_of_the_result_add_up_to_the_points_of_each_seat() -> None:
    state = before_the_last_harvest((74, 6))
    harvest(state)
    play(state, 0, "refill white")
    result = outcome(state)
    assert [sum(column) for column in zip(*(row for _, row in result.lines), strict=True)] == [
        79,
        6,
    ]
    assert ("red", (5, 0)) in result.lines
