"""What an observer gets to see (section 8, and what the pictures and words are made of)."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR
from bot.game.guatemala import GAME
from bot.game.guatemala.production import SPACE_NAMES, SPACE_OF_NAME
from bot.game.guatemala.state import GuatemalaState
from bot.game.guatemala.view import GuatemalaView, PieceView, PlantationView, TakenSack
from tests.game.guatemala.positions import FULL, at, harvest, play, points, table


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
        assert replace(view, observer=SPECTATOR, seats=open_seats) == seen(state)


def test_after_the_end_hands_stay_hidden() -> None:
    """Nothing in the rules shows them."""
    state = table(seats=2, asked="step", still=1, hands=("red", "white"))
    play(state, 0, "pass")
    view = seen(state, 0)
    assert (view.asked, view.outcome) == ("over", GAME.outcome(state))
    assert (view.seats[1].hand, seen(state).seats[0].hand) == (None, None)


# What lies on the boards


def test_every_piece_of_the_boards_is_shown_where_it_lies() -> None:
    """Roads and sacks in the order in which they were laid."""
    state = table(line="red worker, road, -", sack="white", buyer="t4", stock=0)
    view = seen(state)
    for name in SPACE_NAMES:
        piece = view.production[SPACE_OF_NAME[name]]
        word = "" if piece is None else f"{piece.colour}_{piece.kind}".lstrip("_")
        assert word == at(state, name)
    assert view.production[SPACE_OF_NAME["34"]] == PieceView("road", "")
    assert view.production[SPACE_OF_NAME["44"]] is None
    assert (view.stock, view.buyer) == (0, "t4")
    view = seen(table(roads="f2-g2 f1-g1", track="white red white", last_space=99))
    assert view.roads == ("f2-g2", "f1-g1")
    assert (view.track, view.last_space) == (("white", "red", "white"), 99)


def test_ports_show_their_ships_and_which_is_closed() -> None:
    state = table(seats=3, ships={"port2": "red black", "port4": "white"})
    assert [(port.port, port.ships, port.is_open) for port in seen(state).ports] == [
        ("port1", (), False),
        ("port2", ("red", "black"), True),
        ("port3", (), True),
        ("port4", ("white",), True),
    ]
    assert all(port.is_open for port in seen(table(seats=4)).ports)


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


# What is going on


def test_what_was_bought_in_this_turn_is_shown_until_it_ends() -> None:
    """An earlier view stays as it was."""
    state = table(line="red worker, white worker")
    before = seen(state)
    play(state, 0, "buy 21 a1")
    play(state, 0, "buy 11 c1")
    assert seen(state, 1).emptied == ("21", "11")
    assert before.production[0] == PieceView("worker", "red")
    play(state, 0, "end")
    assert seen(state, 1).emptied == ()


def test_the_sack_being_dealt_with_and_who_has_not_answered_are_shown() -> None:
    state = table(seats=4, buyer="t4", sack="red", hands=("white brown", "red", "", "red"))
    assert seen(state).taken is None
    play(state, 0, "take")
    assert (seen(state).asked, seen(state).active) == ("block", (1, 2, 3))
    play(state, 3, "block no")
    assert (seen(state).taken, seen(state).active) == (TakenSack("red", "14"), (1, 2))
    play(state, 1, "block no")
    play(state, 2, "block no")
    assert (seen(state).taken, seen(state).asked) == (TakenSack("red", "14"), "refill")
    play(state, 0, "refill white")
    assert seen(state).taken is None


def test_the_two_counts_towards_an_early_end_are_shown() -> None:
    """Ruling 6."""
    state = table(asked="step", idle=4, seats=3)
    play(state, 0, "pass")
    assert (seen(state).idle, seen(state).still) == (5, 1)
    play(state, 1, "move 1")
    assert seen(state).still == 0
    play(state, 1, "end")
    assert seen(state).idle == 6


def test_the_order_of_play_goes_round_from_the_first() -> None:
    for first in range(3):
        turn = (first + 1) % 3
        view = seen(table(seats=3, first=first, turn=turn))
        assert view.order == tuple((first + step) % 3 for step in range(3))
        assert (view.first, view.turn, view.active) == (first, turn, (turn,))
    view = seen(GAME.setup(3, {}, RandomChance(Random(1))))
    assert (view.asked, view.buyer, view.round) == ("place", None, 0)
    assert view.active == (view.turn,) == ((view.first - 1) % 3,)
