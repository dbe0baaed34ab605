"""Setup, rounds, phases and the end (rules: setup, rounds, order, ending, ties)."""

from __future__ import annotations

from random import Random
from typing import Any

from bot.game.burgundy import GAME
from bot.game.burgundy.data import BOARDS, SPACE_NAMES
from bot.game.burgundy.state import LEFT_GOODS_ROW, POINTS, SILVERLINGS_ROW, BurgundyState
from bot.game.chance import RandomChance
from bot.game.contract import Event, Outcome
from tests.game.burgundy.positions import (
    CENTRE,
    asked,
    facts,
    finish,
    goods_held,
    play,
    points,
    refused,
    table,
    tiles_in,
    words,
)


def new_table(seats: int = 2, seed: int = 1, **options: str) -> BurgundyState:
    state = GAME.setup(seats, options, RandomChance(Random(seed)))
    assert GAME.invariants(state) == []
    return state


def castles(state: BurgundyState) -> list[list[str]]:
    return [
        [SPACE_NAMES[space] for space, tile in enumerate(player.estate) if tile >= 0]
        for player in state.players
    ]


def test_all_start_with_a_silverling_three_goods_and_workers_by_turn_order() -> None:
    """Beginners have board 1 with a castle in its centre; the first in turn order is on top."""
    for seats in GAME.seats:
        state = new_table(seats)
        assert [(p.silverlings, sum(p.goods), p.board) for p in state.players] == [
            (1, 3, 1)
        ] * seats
        assert [state.players[seat].workers for seat in state.order] == [*range(1, seats + 1)]
        assert castles(state) == [["d4"]] * seats
        assert state.track[0] == state.order[::-1]
        assert asked(state) == [(state.order[0], "turn")]
        # The depots are full, and the white die has placed one of the five goods.
        assert [len(tiles) for tiles in state.depots] == [*[seats] * 6, 2 * seats]
        assert (len(state.coming), sum(map(sum, state.goods))) == (4, 1)
    assert {tuple(new_table(4, seed).order) for seed in range(60)} > {(0, 1, 2, 3), (3, 2, 1, 0)}


def test_random_boards_are_all_different() -> None:
    (values,) = [option.values for option in GAME.options if option.name == "boards"]
    assert values == ("beginner", "random", "choose", *map(str, BOARDS))
    for seed in range(20):
        assert len({player.board for player in new_table(4, seed, boards="random").players}) == 4


def test_all_may_play_one_board_with_castles_placed_in_secret() -> None:
    """This works also with boards of which the box has one copy (ruling 4)."""
    for board in BOARDS:
        seats = 2 + board % 3
        state = new_table(seats, boards=str(board))
        assert [player.board for player in state.players] == [board] * seats
        assert asked(state) == [(seat, "castle") for seat in range(seats)]
        spaces = words(state, 0, "castle")
        for seat in range(seats - 1):
            events = play(state, seat, f"castle {spaces[seat]}")
            assert [event.kind for event in events if event.visible_to(-1)] == []
        assert castles(state) == [[]] * seats
        play(state, seats - 1, f"castle {spaces[0]}")
        assert castles(state) == [[space] for space in (*spaces[: seats - 1], spaces[0])]
        assert state.round == 1


def test_boards_are_chosen_openly_in_turn_order_and_only_the_first_more_than_once() -> None:
    state = new_table(3, boards="choose")
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
    """A first castle scores nothing and gives no action, even in a one-space region (ruling 2)."""
    state = new_table(2, boards="random")
    state.players[0].board, state.players[1].board = 1, 9
    assert asked(state) == [(0, "castle"), (1, "castle")]
    assert words(state, 0, "castle") == ("a2", "a3", "b3", "d4")
    assert words(state, 1, "castle") == ("a3", "d1", "d6", "g2")
    for line, code in (
        ("castle c3", "no_castle_space"),
        ("castle z9", "not_a_choice"),
        ("workers any", "not_now"),
    ):
        assert refused(state, 0, line).code == code, line
    (event,) = play(state, 0, "castle a2")
    assert (event.kind, event.only) == ("castle_chosen", (0,))
    assert (castles(state), tiles_in(state, "1")) == ([[], []], [])
    assert asked(state) == [(1, "castle")]
    play(state, 0, "castle b3")
    events = play(state, 1, "castle g2")
    assert castles(state) == [["b3"], ["g2"]]
    assert facts(events, "castle_placed") == [
        {"seat": 0, "space": "b3"},
        {"seat": 1, "space": "g2"},
    ]
    assert facts(events, "phase_began")
    assert points(state, 0) == points(state, 1) == {}
    assert asked(state) == [(state.order[0], "turn")]


# Rounds and turn order


def finish_round(state: BurgundyState) -> list[Event]:
    """Finish the remaining turns of the round; return the events of the last one's end."""
    events: list[Event] = []
    for seat in state.order[state.at :]:
        events = finish(state, seat)
    return events


def test_in_each_round_all_roll_and_the_white_die_places_the_next_goods() -> None:
    state = table(dice=(2, 3), coming="614")
    finish(state, 0)
    events = finish(state, 1, drawn=(0, 5, 2, 3, 4))
    assert facts(events, "round_began") == [{"phase": "A", "round": 2, "seats": (0, 1)}]
    rolled = [{"seat": 0, "dice": (1, 6)}, {"seat": 1, "dice": (3, 4)}]
    assert facts(events, "rolled") == rolled
    assert facts(events, "goods_placed") == [{"depot": "5", "good": "6"}]
    assert state.goods[4] == [0, 0, 0, 0, 0, 1]
    assert (state.white, state.coming) == (5, [0, 3])


def test_turns_follow_the_order_of_the_track() -> None:
    state = table(seats=4, track=[(2,), (1, 3), (0,)])
    for seat in (0, 3, 1, 2):
        assert asked(state) == [(seat, "turn")]
        finish(state, seat)
    assert state.round == 2


def test_a_ship_changes_the_order_from_the_next_round_and_the_last_to_arrive_is_on_top() -> None:
    """Seat 1 moves to seat 0's space later in the round, so it goes first (ruling 8)."""
    state = table(seats=3, stored="ship", others_stored="ship", dice=(5, 5))
    state.players[1].dice = [5, 5]
    events = play(state, 0, "place 5 ship d5")
    assert facts(events, "moved_ahead") == [{"seat": 0, "count": 2}]
    finish(state, 0)
    assert asked(state) == [(1, "turn")]
    play(state, 1, "place 5 ship d5")
    finish_round(state)
    assert state.track[:2] == [[2], [0, 1]]
    assert state.order == [1, 0, 2]


def test_both_dice_must_be_used_before_a_turn_ends() -> None:
    state = table(dice=(2, 5))
    assert refused(state, 0, "end").code == "dice_left"
    play(state, 0, "workers 2")
    assert refused(state, 0, "end").facts == {"count": 1}
    play(state, 0, "workers 5")
    assert words(state, 0) == ("end",)
    play(state, 0, "end")
    assert asked(state) == [(1, "turn")]


def test_a_seat_cannot_act_for_another() -> None:
    state = table()
    assert refused(state, 1, "workers 1").code == "not_your_turn"
    assert refused(state, 1, "workers 1").facts == {"kind": "workers", "other": 0}
    assert refused(state, 0, "dance").code == "unknown_kind"
    assert refused(state, 0, "load 1 -").code == "not_now"
    assert refused(state, 0, ()).code == "unknown_kind"


# Phases


def test_mines_pay_at_the_end_of_each_phase() -> None:
    """They pay also in the phase of their placing, and in the last phase."""
    mined = {"d4": "castle", "e3": "mine", "f2": "mine"}
    state = table(round_=5, coming="", estates=(mined,), silverlings=1)
    events = finish_round(state)
    assert facts(events, "mines_paid") == [{"seat": 0, "silverlings": 2, "workers": 0}]
    assert state.players[0].silverlings == 3
    state = table(round_=25, coming="", stored="mine", dice=(4, 4))
    play(state, 0, "place 4 mine e3")
    events = finish_round(state)
    assert facts(events, "mines_paid") == [{"seat": 0, "silverlings": 1, "workers": 0}]
    assert points(state, 0)["silverlings"] == 1


def test_at_the_end_of_a_phase_tiles_leave_the_depots_but_goods_and_money_stay() -> None:
    state = table(
        round_=5,
        coming="",
        depots={"3": "cow3 ship", "black": "k7"},
        goods_at={"2": "445"},
        goods_of=("112",),
        silverlings=2,
        workers=3,
    )
    events = finish_round(state)
    assert facts(events, "depots_cleared") == [{"count": 3}]
    assert sum(state.removed) == 3
    assert state.goods[1][3:5] >= [2, 1]
    assert facts(events, "phase_began")[0]["phase"] == "B"
    assert facts(events, "round_began") == [{"phase": "B", "round": 1, "seats": (0, 1)}]
    assert [len(tiles) for tiles in state.depots] == [2, 2, 2, 2, 2, 2, 4]
    player = state.players[0]
    assert (goods_held(state, 0), player.silverlings, player.workers) == ("112", 2, 7)


# The end and ties


def finished_game(**position: Any) -> tuple[BurgundyState, Outcome, list[Event]]:
    """Return a table after the last round, its outcome and the events of the end."""
    state = table(round_=25, coming="", left=(), **position)
    events = finish_round(state)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert GAME.pending(state) == ()
    assert refused(state, 0, "workers 1").code == "game_over"
    return state, outcome, events


def test_remaining_pieces_score_at_the_end() -> None:
    """Goods tiles and silverlings score 1 point each, two workers 1 point, stored tiles nothing.
    The outcome and the events have all points."""
    state, outcome, events = finished_game(
        goods_of=("1123", "4"), silverlings=3, workers=5, stored="ship castle"
    )
    assert points(state, 0) == {"left_goods": 4, "silverlings": 3, "workers": 2}
    assert [name for name, _ in outcome.lines] == list(POINTS)
    # Seat 1 has taken four workers for 2 points.
    assert outcome.scores == (9, 1 + 2)
    assert dict(outcome.lines)["left_goods"] == (4, 1)
    assert (outcome.winners, outcome.ending) == ((0,), "points")
    assert {"seat": 0, "item": POINTS[LEFT_GOODS_ROW], "points": 4} in facts(events, "scored")
    assert {"seat": 0, "item": POINTS[SILVERLINGS_ROW], "points": 3} in facts(events, "scored")
    assert facts(events, "game_ended") == [{"ending": "points"}]


def test_knowledge_tiles_score_at_the_end_only_in_the_estate() -> None:
    estate = {"d4": "castle", "c4": "k25", "b4": "k15"}
    state, _, _ = finished_game(estates=(estate,), sold=("11123",), stored="k24")
    assert points(state, 0) == {"knowledge": 5 + 9}


def test_equal_points_are_decided_by_the_estate_and_then_by_the_track() -> None:
    """Both seats have 2 points; seat 1 has one more covered space, or goes first."""
    fuller = (CENTRE, {**CENTRE, "d5": "ship"})
    for ties, winner in (("fullest", 1), ("emptiest", 0)):
        for ending, position in (
            ("estate", {"estates": fuller}),
            ("order", {"track": [(0,), (1,)]}),
        ):
            _, outcome, _ = finished_game(options={"ties": ties}, workers=4, **position)
            assert outcome.scores == (2, 2)
            assert (outcome.winners, outcome.ending) == ((winner,), ending)
