"""The block (section 6.3, rulings 32 to 34 and 46)."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from bot.game.contract import SPECTATOR, Event
from bot.game.game_end import GameEnds
from bot.game.guatemala import GAME
from bot.game.guatemala.state import GuatemalaState
from tests.game.guatemala.positions import (
    asked,
    at,
    bag,
    faced,
    facts,
    hand,
    harvest,
    hut_of,
    money,
    play,
    points,
    refused,
    road_names,
    ships_in,
    table,
    words,
    workers_of,
)

ALL_CAN = ("white white", "red black", "red brown", "red beige")
each_table = pytest.mark.parametrize(
    ("seats", "turn"), [(seats, turn) for seats in (2, 3, 4) for turn in range(seats)]
)
each_blocker = pytest.mark.parametrize(
    ("seats", "turn", "place"),
    [
        (seats, turn, place)
        for seats in (2, 3, 4)
        for turn in range(seats)
        for place in range(1, seats)
    ],
)
"""Every seat on turn, and how far to its left the blocker sits."""


def red_taken(
    seats: int = 4, turn: int = 0, hands: tuple[str, ...] = ALL_CAN, money: int = 15
) -> GuatemalaState:
    """A seat has taken a red sack; it and the others would score."""
    corner = ("a9", "l9", "h9", "d9")
    state = table(
        seats=seats,
        turn=turn,
        buyer="t4",
        sack="red",
        hands=hands,
        line="red worker, white worker, road, white hut",
        huts=({"red": "e2"},),
        workers=({"red": "f2"}, *({"red": corner[seat]} for seat in range(1, seats))),
        money=money,
    )
    play(state, turn, "take")
    return state


def heard(events: list[Event], observer: int) -> list[str]:
    return [event.kind for event in events if event.heard_by(observer)]


# Who is asked


@each_table
def test_every_other_seat_is_asked_from_the_left_of_the_seat_on_turn(seats: int, turn: int) -> None:
    """In order, though answers may come in any."""
    state = red_taken(seats, turn)
    others = [(turn + step) % seats for step in range(1, seats)]
    assert asked(state) == [(seat, "block") for seat in others]
    assert all(decision.sealed for decision in GAME.pending(state))


@pytest.mark.parametrize("hands", [("", "", "", ""), ("red", "white", "", "red red"), ALL_CAN])
def test_those_are_asked_too_who_have_no_such_sack(hands: tuple[str, ...]) -> None:
    """Ruling 32: to be asked or passed over tells nothing."""
    state = red_taken(hands=hands)
    assert asked(state) == [(1, "block"), (2, "block"), (3, "block")]
    assert GAME.pending(state) == GAME.pending(red_taken())


def test_the_seat_that_took_the_sack_answers_nothing() -> None:
    state = red_taken(hands=("red red", "red", "red", "red"))
    for answer in ("yes", "no"):
        assert refused(state, 0, f"block {answer}").code == "nothing_asked"
    assert refused(state, 0, "end").code == "nothing_asked"
    assert refused(state, 0, "take").code == "nothing_asked"


def test_only_who_has_a_sack_of_the_same_colour_can_block() -> None:
    state = red_taken(hands=("", "black brown beige white", "red", ""))
    assert words(state, 1, "block") == ("no",)
    assert words(state, 2, "block") == ("yes", "no")
    refusal = refused(state, 1, "block yes")
    assert (refusal.code, refusal.facts["colour"]) == ("no_sack_to_block", "red")
    assert refused(state, 3, "block yes").code == "no_sack_to_block"
    assert refused(state, 2, "block maybe").code == "not_a_choice"


# What a block does (ruling 33)


@each_blocker
def test_a_blocker_puts_a_sack_of_the_same_colour_on_the_emptied_space(
    seats: int, turn: int, place: int
) -> None:
    state = red_taken(seats, turn, hands=("red white",) * seats)
    blocker = (turn + place) % seats
    for step in range(1, place):
        play(state, (turn + step) % seats, "block no")
    events = play(state, blocker, "block yes")
    assert facts(events, "blocked") == [{"seat": blocker, "colour": "red", "space": "14"}]
    assert at(state, "14") == "red_sack"
    assert hand(state, blocker) == "white"
    assert asked(state) == [(turn, "act")]


@each_blocker
def test_after_a_block_nobody_scores(seats: int, turn: int, place: int) -> None:
    state = red_taken(seats, turn, hands=("red white",) * seats)
    for step in range(1, place + 1):
        answer = "yes" if step == place else "no"
        play(state, (turn + step) % seats, f"block {answer}")
    play(state, turn, "end")
    assert points(state) == [0] * seats
    assert asked(state) == [((turn + 1) % seats, "step")]


def test_the_sack_that_was_taken_stays_on_the_score_track() -> None:
    state = red_taken(2)
    play(state, 1, "block yes")
    assert GAME.view(state, 0).track == ("red",)


def test_after_a_block_no_ship_leaves() -> None:
    state = table(
        buyer="t4",
        sack="red",
        hands=("white", "red"),
        huts=({"red": "e2"},),
        workers=({"red": "f2"},),
        roads="f1-g1 f1-f2",
        ships={"port1": "red"},
    )
    events = harvest(state, 1)
    assert facts(events, "ship_left") == facts(events, "harvested") == []
    assert ships_in(state) == ["red"]


def test_the_seat_that_was_blocked_keeps_its_eight_centavos_and_its_sacks() -> None:
    """Ruling 34."""
    state = red_taken(2, money=1)
    play(state, 1, "block yes")
    play(state, 0, "end")
    assert money(state) == [9, 1]
    assert hand(state, 0) == "white white"
    assert at(state, "14") == "red_sack"


def test_a_blocker_draws_nothing() -> None:
    state = red_taken(2)
    before = bag(state)
    play(state, 1, "block yes", drawn=())
    play(state, 0, "end", drawn=())
    assert hand(state, 1) == "black"
    assert bag(state) == before


# Buying instead


def test_whoever_was_blocked_buys_from_the_same_line_without_a_step() -> None:
    """Also for the eight centavos just got."""
    state = red_taken(2, money=0)
    assert money(state)[0] == 8
    play(state, 1, "block yes")
    assert faced(state) == "t4"
    assert words(state, 0) == ("buy", "end")
    assert refused(state, 0, "move 1").code == "not_now"
    play(state, 0, "buy 54 b5")
    play(state, 0, "buy 34 b4")
    assert hut_of(state, 0, "white") == "b5"
    assert money(state)[0] == 2
    assert refused(state, 0, "buy 24 e1").code == "cannot_place"


@pytest.mark.parametrize("count", range(4))
def test_none_to_three_pieces_are_bought_instead(count: int) -> None:
    state = red_taken(2)
    play(state, 1, "block yes")
    for line in ("buy 44 f1-g1", "buy 24 e1", "buy 34 b9")[:count]:
        play(state, 0, line)
    if count == 3:
        assert refused(state, 0, "buy 54 b8").code == "enough_pieces"
    events = play(state, 0, "end")
    filled = ("44", "24", "34")[:count]
    assert facts(events, "roads_filled") == ([{"spaces": filled}] if count else [])
    assert road_names(state) == ["f1-g1"][:count]
    assert len(workers_of(state, 0, "red")) == 1 + (count > 1)
    assert asked(state) == [(1, "step")]


def test_no_second_sack_is_taken_after_a_block() -> None:
    """The blocker's own sack lies there now."""
    state = red_taken(2)
    play(state, 1, "block yes")
    assert "take" not in words(state, 0)
    assert refused(state, 0, "take").code == "blocked_no_sack"
    play(state, 0, "buy 24 e1")
    assert refused(state, 0, "take").code == "blocked_no_sack"


def test_the_next_seat_may_take_the_sack_of_the_blocker() -> None:
    state = red_taken(2, hands=("red", "red"))
    play(state, 1, "block yes")
    play(state, 0, "end")
    state.buyer -= 1
    play(state, 1, "move 1")
    play(state, 1, "take")
    events = play(state, 0, "block yes")
    assert facts(events, "blocked") == [{"seat": 0, "colour": "red", "space": "14"}]
    assert GAME.view(state, 0).track == ("red", "red")


def test_everybody_sees_that_the_seat_on_turn_was_blocked() -> None:
    state = red_taken(3)
    play(state, 1, "block yes")
    assert [GAME.view(state, seer).blocked for seer in (SPECTATOR, 0, 1, 2)] == [True] * 4
    play(state, 0, "end")
    assert not GAME.view(state, 0).blocked


# When nobody blocks


@each_table
def test_when_nobody_blocks_all_score(seats: int, turn: int) -> None:
    state = red_taken(seats, turn, hands=("white brown",) * seats)
    events = []
    for step in range(1, seats):
        assert points(state) == [0] * seats
        events = play(state, (turn + step) % seats, "block no")
    assert heard(events, SPECTATOR)[0] == "not_blocked"
    assert points(state) == [1] + [0] * (seats - 1)
    assert asked(state) == [(turn, "refill")]


def test_who_could_block_need_not() -> None:
    state = red_taken(2)
    events = play(state, 1, "block no")
    assert "not_blocked" in heard(events, 0)
    assert hand(state, 1) == "black red"


# Answers in any order (ruling 46)


def test_an_answer_given_early_waits_for_those_before_it() -> None:
    state = red_taken()
    events = play(state, 2, "block yes")
    assert heard(events, 2) == ["block_answered"]
    assert heard(events, 1) == heard(events, 0) == heard(events, SPECTATOR) == []
    assert asked(state) == [(1, "block"), (3, "block")]
    assert points(state) == [0, 0, 0, 0]


def test_the_second_in_order_blocks_once_the_first_has_let_it_score() -> None:
    state = red_taken()
    play(state, 2, "block yes")
    events = play(state, 1, "block no")
    assert facts(events, "blocked") == [{"seat": 2, "colour": "red", "space": "14"}]
    assert hand(state, 2) == "brown"
    assert asked(state) == [(0, "act")]


def test_the_first_in_order_blocks_though_the_second_would_have() -> None:
    state = red_taken()
    play(state, 2, "block yes")
    events = play(state, 1, "block yes")
    assert facts(events, "blocked") == [{"seat": 1, "colour": "red", "space": "14"}]
    assert (hand(state, 1), hand(state, 2)) == ("black", "brown red")


def test_an_answer_that_came_to_nothing_is_never_shown() -> None:
    """Neither to the others nor in the views afterwards."""
    said, silent = red_taken(), red_taken()
    play(said, 3, "block yes")
    events, fewer = play(said, 1, "block yes"), play(silent, 1, "block yes")
    assert events == fewer
    for observer in (SPECTATOR, 0, 1, 2, 3):
        assert GAME.view(said, observer) == GAME.view(silent, observer)
    assert GAME.pending(said)[0].kind == GAME.pending(silent)[0].kind == "act"


def test_a_block_further_back_waits_for_everybody_before_it() -> None:
    state = red_taken()
    play(state, 3, "block yes")
    play(state, 1, "block no")
    assert asked(state) == [(2, "block")]
    events = play(state, 2, "block no")
    assert facts(events, "blocked")[0]["seat"] == 3


def test_the_first_in_order_settles_it_alone_by_blocking() -> None:
    state = red_taken()
    play(state, 1, "block yes")
    assert asked(state) == [(0, "act")]
    for seat in (2, 3):
        assert refused(state, seat, "block yes").code == "not_your_turn"


@pytest.mark.parametrize("turn", range(4))
def test_the_order_goes_round_the_table(turn: int) -> None:
    state = red_taken(turn=turn, hands=("red white",) * 4)
    last, first = (turn + 3) % 4, (turn + 1) % 4
    play(state, last, "block yes")
    play(state, (turn + 2) % 4, "block yes")
    events = play(state, first, "block no")
    assert facts(events, "blocked")[0]["seat"] == (turn + 2) % 4


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("order", [*permutations((1, 2, 3))])
def test_in_whatever_order_answers_come_the_first_to_block_clockwise_counts(
    turn: int, order: tuple[int, ...]
) -> None:
    """All eight ways to answer; the table goes on as soon as those before a blocker have let it
    score."""
    for answers in product(("yes", "no"), repeat=3):
        state = red_taken(turn=turn, hands=("red white",) * 4)
        said = dict(zip((1, 2, 3), answers, strict=True))
        blockers = [step for step in (1, 2, 3) if said[step] == "yes"]
        needed = set(range(1, blockers[0] + 1)) if blockers else {1, 2, 3}
        events: list[Event] = []
        for step in order:
            if not needed:
                break
            events = play(state, (turn + step) % 4, f"block {said[step]}")
            needed.discard(step)
            assert (GAME.view(state, SPECTATOR).asked == "block") == bool(needed)
        blocked = [{"seat": (turn + step) % 4, "colour": "red", "space": "14"} for step in blockers]
        assert facts(events, "blocked") == blocked[:1]
        assert points(state) == [0 if blockers else 1, 0, 0, 0]


# Answers changed


def test_an_answer_can_be_changed_until_it_counts() -> None:
    state = red_taken()
    play(state, 2, "block yes")
    assert [(d.seat, d.optional) for d in GAME.pending(state)] == [
        (1, False), (3, False), (2, True),
    ]  # fmt: skip
    play(state, 2, "block no")
    play(state, 1, "block no")
    assert asked(state) == [(3, "block")]
    events = play(state, 3, "block no")
    assert "not_blocked" in heard(events, 0)
    assert hand(state, 2) == "brown red"


def test_whoever_let_it_score_first_in_order_may_still_block() -> None:
    state = red_taken()
    play(state, 1, "block no")
    play(state, 3, "block yes")
    events = play(state, 1, "block yes")
    assert facts(events, "blocked")[0]["seat"] == 1
    assert hand(state, 3) == "red beige"


def test_an_answer_given_again_changes_nothing() -> None:
    state = red_taken()
    play(state, 2, "block yes")
    before = GAME.encode(state)
    play(state, 2, "block yes")
    assert GAME.encode(state) == before


def test_the_last_to_answer_can_be_told_that_the_game_goes_on() -> None:
    """In a world in which the first in order would block, the others are asked no more."""
    state = red_taken(hands=("black", "red", "red", "red"))
    play(state, 1, "block no")
    play(state, 2, "block no")
    ends = GameEnds(GAME, GAME.view(state, 3))
    assert ends.of(3, [("block", "no")]) is None


def test_only_its_owner_sees_an_answer() -> None:
    state = red_taken()
    play(state, 2, "block yes")
    play(state, 3, "block no")
    answers = [GAME.view(state, seer).answer for seer in (SPECTATOR, 0, 1, 2, 3)]
    assert answers == [None, None, None, "yes", "no"]


def test_an_answer_does_not_make_the_question_of_the_others_a_new_one() -> None:
    state = red_taken()
    before = {decision.seat: decision.id for decision in GAME.pending(state)}
    play(state, 3, "block yes")
    assert {decision.seat: decision.id for decision in GAME.pending(state)} == before
    play(state, 1, "block no")
    play(state, 2, "block no")
    assert GAME.pending(state)[0].id not in before.values()


@pytest.mark.parametrize("hands", [("white brown", "red"), ("white", "red"), ("", "red")])
def test_once_nobody_has_blocked_whatever_is_asked_next_is_a_new_question(
    hands: tuple[str, ...],
) -> None:
    """Also where the sack is laid unasked and the seat that has answered moves next."""
    state = red_taken(2, hands=hands)
    (before,) = GAME.pending(state)
    play(state, 1, "block no")
    (after,) = GAME.pending(state)
    assert after.id != before.id
