"""What observers know, and the engine's own checks."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from msgspec.structs import replace

from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR, Observer
from bot.game.guatemala import GAME
from bot.game.guatemala.buying import occupy
from bot.game.guatemala.data import EMPTY, SPACE_NAMES
from bot.game.guatemala.plantation import board_for
from bot.game.guatemala.state import (
    BLOCKS,
    LETS,
    UNANSWERED,
    Blocking,
    Buying,
    GuatemalaState,
)
from bot.game.guatemala.view import GuatemalaView, PieceView, PlantationView
from tests.game.guatemala.positions import FULL, LINES, at, harvest, play, points, table

# All that is secret really varies


def twins(state: GuatemalaState, observer: Observer) -> list[GuatemalaState]:
    """Many states that the observer cannot tell from this one."""
    return [GAME.resample(state, observer, Random(seed)) for seed in range(60)]


def test_hands_of_others_and_the_bag_vary_in_colours_but_not_in_number() -> None:
    state = GAME.setup(3, {}, RandomChance(Random(1)))
    for observer in (SPECTATOR, 0, 2):
        there = twins(state, observer)
        bags = {tuple(twin.bag) for twin in there}
        assert len(bags) > 10
        assert {sum(bag) for bag in bags} == {5}
        for seat in range(3):
            hands = {tuple(twin.players[seat].hand) for twin in there}
            assert {sum(hand) for hand in hands} == {8}
            if seat == observer:
                assert hands == {tuple(state.players[seat].hand)}
            else:
                assert len(hands) > 20


def test_a_seat_that_knows_its_hand_and_the_board_knows_how_many_are_left_of_a_colour() -> None:
    """The last two red sacks are anywhere but in its own hand."""
    state = table(seats=3, hands=("red red red red", "white", "black"), bag="red white")
    for twin in twins(state, 0):
        reds = [player.hand[2] for player in twin.players[1:]]
        assert sum(reds) + twin.bag[2] == 1


def test_early_answers_of_others_vary_and_whoever_let_it_score_first_is_known() -> None:
    """Where the first in order has answered and the table waits, they have not blocked."""
    state = table(seats=4, buyer="t4", sack="red", hands=("", "red", "red white", "red black"))
    play(state, 0, "take")
    for seat, answer in ((3, "yes"), (1, "no")):
        play(state, seat, f"block {answer}")
    frames = [twin.frames[-1] for twin in twins(state, 2)]
    answers = [frame.answers for frame in frames if isinstance(frame, Blocking)]
    assert len(answers) == len(frames)
    assert {answer[1] for answer in answers} == {LETS}
    assert {answer[2] for answer in answers} == {UNANSWERED}
    assert {answer[3] for answer in answers} == {LETS, BLOCKS}


def test_in_no_twin_blocks_somebody_without_such_a_sack_and_what_lies_open_does_not_vary() -> None:
    state = table(seats=3, buyer="t4", sack="red", hands=("", "white", "red white black"))
    play(state, 0, "take")
    play(state, 2, "block yes")
    for twin in twins(state, 0):
        frame = twin.frames[-1]
        assert isinstance(frame, Blocking)
        if frame.answers[2] == BLOCKS:
            assert twin.players[2].hand[frame.colour]
        for observer in (0, SPECTATOR):
            assert GAME.view(twin, observer) == GAME.view(state, observer)


def test_only_a_sack_out_of_a_hand_discloses_something() -> None:
    """Answers about a block are sealed, and tell by themselves."""
    state = table(buyer="t4", sack="red", hands=("white brown", "red"))
    for line in ("buy 24 a1", "take", "end", "move 1", "pass", "place t1"):
        assert not GAME.discloses(state, tuple(line.split()))
    harvest(state)
    assert GAME.discloses(state, ("refill", "white"))


# What an observer gets to see


def seen(state: GuatemalaState, observer: int = SPECTATOR) -> GuatemalaView:
    return GAME.view(state, observer)


def test_hands_and_bag_are_shown_to_others_only_in_number_and_all_else_is_open() -> None:
    """Section 8; money too."""
    state = table(
        seats=3,
        money=(3, 14, 9),
        score=(12, 0, 7),
        hands=("red red white", FULL, ""),
        bag="black black white red",
        workers=({"red": "f2"}, {"black": "p9"}),
    )
    hands = [(0, 0, 2, 0, 1), (1, 1, 1, 1, 1), (0, 0, 0, 0, 0)]
    for observer in (SPECTATOR, 0, 1, 2):
        view = seen(state, observer)
        assert view.bag == 4
        assert [(seat.sacks, seat.money, seat.score) for seat in view.seats] == [
            *((3, 3, 12), (5, 14, 0), (0, 9, 7))
        ]
        for number, seat in enumerate(view.seats):
            assert seat.hand == (hands[number] if number == observer else None)
        open_seats = tuple(replace(seat, hand=None) for seat in view.seats)
        assert replace(view, observer=SPECTATOR, known=seen(state).known, seats=open_seats) == seen(
            state
        )


def test_what_lies_on_the_boards_and_is_going_on_is_shown_to_all() -> None:
    state = table(
        seats=3,
        buyer="t4",
        line="red worker, road, -",
        first=2,
        ships={"port2": "red black", "port4": "white"},
        roads="f2-g2 f1-g1",
        track="white red",
        last_space=99,
        idle=4,
        still=1,
    )
    for observer in (SPECTATOR, 0, 1):
        view = seen(state, observer)
        for name, piece in zip(SPACE_NAMES, view.production, strict=True):
            word = "" if piece is None else f"{piece.colour}_{piece.kind}".lstrip("_")
            assert word == at(state, name)
        assert [(port.port, port.ships, port.is_open) for port in view.ports] == [
            ("port1", (), False),
            ("port2", ("red", "black"), True),
            ("port3", (), True),
            ("port4", ("white",), True),
        ]
        stock = 50 - 2 - view.production.count(PieceView("road", ""))
        assert (view.roads, view.stock, view.buyer) == (("f2-g2", "f1-g1"), stock, "t4")
        assert (view.track, view.last_space) == (("white", "red"), 99)
        assert (view.first, view.turn, view.order, view.round) == (2, 0, (2, 0, 1), 3)
        assert (view.idle, view.still, view.taken, view.emptied) == (4, 1, None, ())
    play(state, 0, "buy 34 f1-f2")
    play(state, 0, "buy 24 a1")
    assert seen(state, 1).emptied == ("34", "24")
    view = seen(GAME.setup(3, {}, RandomChance(Random(1))))
    assert (view.buyer, view.round, view.turn) == (None, 0, (view.first - 1) % 3)


def test_after_the_end_hands_stay_hidden() -> None:
    """Nothing in the rules shows them."""
    state = table(seats=2, asked="step", still=1, hands=("red", "white"))
    play(state, 0, "pass")
    view = seen(state, 0)
    assert (view.asked, view.outcome) == ("over", GAME.outcome(state))
    assert (view.seats[1].hand, seen(state).seats[0].hand) == (None, None)


def test_a_plantation_tells_what_it_would_score_now_and_points_are_shown_by_colour() -> None:
    state = table(
        huts=({"red": "e2", "white": "b8"}, {"red": "h2"}),
        workers=({"red": "f2 d2", "black": "a1"}, {"red": "i2"}),
        ships={"port1": "red white red"},
        roads="f1-g1 f1-f2",
        buyer="t4",
        sack="red",
        hands=("white brown", ""),
    )
    mine, others = (seat.plantations for seat in seen(state).seats)
    assert mine == (
        PlantationView("black", None, ("a1",), (), 0, 0),
        PlantationView("red", "e2", ("f2", "d2"), ("port1",), 2, 6),
        PlantationView("white", "b8", (), (), 0, 0),
    )
    assert others == (PlantationView("red", "h2", ("i2",), (), 0, 1),)
    harvest(state)
    assert points(state) == [6, 1]
    assert (seen(state).seats[0].points, seen(state).seats[0].score) == ((0, 0, 6, 0, 0), 6)


# The engine's own checks notice every piece that is made, lost or misplaced

BOARD = board_for(3)
Spoiler = Callable[[GuatemalaState], None]


def _stand(seat: int, colour: int, name: str) -> Spoiler:
    def spoil(state: GuatemalaState) -> None:
        state.players[seat].workers[colour].append(BOARD.cell_of_name[name])
        occupy(state, BOARD.cell_of_name[name])

    return spoil


SPOILERS: dict[str, Spoiler] = {
    "white workers: 8": lambda state: state.production.__setitem__(0, EMPTY),
    "black sacks: 8": lambda state: state.track.append(0),
    "fewer sacks than none": lambda state: state.bag.__setitem__(0, -1),
    "roads: 49": lambda state: state.roads.clear(),
    "roads lie on": lambda state: state.roads.append(state.roads[0]),
    "port1 holds": lambda state: state.ports.insert(0, state.ports.pop(1)),
    "centavos": lambda state: setattr(state.players[1], "money", -1),
    "one cell": _stand(1, 4, "f2"),
    "a piece stands": _stand(0, 0, "e5"),
    "stands where it may not": lambda state: state.players[0].huts.__setitem__(0, 0),
    "occupied cells": lambda state: state.taken.__setitem__(0, 0),
    "red plantations are joined": _stand(1, 2, "f1"),
    "the red plantation of seat 0 falls apart": _stand(0, 2, "p9"),
    "lies on space 3": lambda state: state.production.sort(),
    "piece 15 lies on space": lambda state: state.production.sort(),
    "4 pieces bought": lambda state: setattr(state, "frames", [Buying([0, 9, 18, 27])]),
}


def sound() -> GuatemalaState:
    return table(
        seats=3,
        hands=(FULL, "red white", ""),
        huts=({"red": "e2"},),
        workers=({"red": "f2"},),
        ships={"port2": "red"},
        roads="f1-g1",
    )


def test_what_is_wrong_is_told_and_a_sound_table_has_nothing_to_tell() -> None:
    LINES.check_spoiled(sound, SPOILERS)
