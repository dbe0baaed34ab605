"""What an observer gets to see (section 8, and what the pictures and words are made of)."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR
from bot.game.guatemala import GAME
from bot.game.guatemala.production import SPACE_NAMES, SPACE_OF_NAME
from bot.game.guatemala.state import GuatemalaState
from bot.game.guatemala.view import GuatemalaView, PieceView, PlantationView, TakenSack
from tests.game.guatemala.positions import FULL, at, harvest, play, points, table


def seen(state: GuatemalaState, observer: int = SPECTATOR) -> GuatemalaView:
    return GAME.view(state, observer)


# Section 8: secrets


def test_a_hand_is_shown_to_its_owner_and_to_others_only_in_number() -> None:
    state = table(seats=3, hands=("red red white", FULL, ""))
    for observer in (SPECTATOR, 0, 1, 2):
        seats = seen(state, observer).seats
        assert [seat.sacks for seat in seats] == [3, 5, 0]
        hands = [(0, 0, 2, 0, 1), (1, 1, 1, 1, 1), (0, 0, 0, 0, 0)]
        assert [seat.hand for seat in seats] == [
            hands[seat] if seat == observer else None for seat in range(3)
        ]


def test_the_bag_is_shown_to_nobody_but_in_number() -> None:
    state = table(hands=("red", "white"), bag="black black white red")
    for observer in (SPECTATOR, 0, 1):
        assert seen(state, observer).bag == 4


def test_everything_else_is_open_money_too() -> None:
    state = table(
        seats=3,
        money=(3, 14, 9),
        score=(12, 0, 7),
        hands=("red", "white", ""),
        huts=({"red": "e2"},),
        workers=({"red": "f2"}, {"black": "p9"}),
        ships={"port2": "red"},
    )
    views = [seen(state, observer) for observer in (SPECTATOR, 0, 1, 2)]
    for view in views:
        assert [seat.money for seat in view.seats] == [3, 14, 9]
        assert [seat.score for seat in view.seats] == [12, 0, 7]
        assert view.production == views[0].production
        assert (view.ports, view.roads, view.track) == (
            views[0].ports,
            views[0].roads,
            views[0].track,
        )
        assert [seat.plantations for seat in view.seats] == [
            seat.plantations for seat in views[0].seats
        ]


def test_after_the_end_hands_stay_hidden() -> None:
    """Nothing in the rules shows them."""
    state = table(seats=2, asked="step", still=1, hands=("red", "white"))
    play(state, 0, "pass")
    assert seen(state, 0).asked == "over"
    assert seen(state, 0).outcome == GAME.outcome(state)
    assert (seen(state, 0).seats[1].hand, seen(state).seats[0].hand) == (None, None)


# What lies on the boards


def test_every_piece_of_the_production_board_is_shown_by_its_space() -> None:
    state = table(line="red worker, road, -", stock=0, sack="white", buyer="t4")
    view = seen(state)
    for name in SPACE_NAMES:
        piece = view.production[SPACE_OF_NAME[name]]
        word = "" if piece is None else f"{piece.colour}_{piece.kind}".lstrip("_")
        assert word == at(state, name)
    assert view.production[SPACE_OF_NAME["34"]] == PieceView("road", "")
    assert view.production[SPACE_OF_NAME["44"]] is None
    assert (view.stock, view.buyer) == (0, "t4")


def test_ports_show_their_ships_and_which_is_closed() -> None:
    state = table(seats=3, ships={"port2": "red black", "port4": "white"})
    assert [(port.port, port.ships, port.is_open) for port in seen(state).ports] == [
        ("port1", (), False),
        ("port2", ("red", "black"), True),
        ("port3", (), True),
        ("port4", ("white",), True),
    ]
    assert all(port.is_open for port in seen(table(seats=4)).ports)


def test_roads_and_sacks_are_shown_in_the_order_in_which_they_were_laid() -> None:
    state = table(roads="f2-g2 f1-g1", track="white red white", last_space=99)
    view = seen(state)
    assert view.roads == ("f2-g2", "f1-g1")
    assert (view.track, view.last_space) == (("white", "red", "white"), 99)


def test_a_plantation_tells_what_it_would_score_now() -> None:
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


def test_points_are_shown_by_colour() -> None:
    state = table(
        huts=({"red": "e2"},),
        workers=({"red": "f2 d2"},),
        buyer="t4",
        sack="red",
        hands=("white brown", ""),
    )
    harvest(state)
    assert seen(state).seats[0].points == (0, 0, 2, 0, 0)
    assert seen(state).seats[0].score == 2


# What is going on


def test_what_was_bought_in_this_turn_is_shown_until_it_ends() -> None:
    state = table(line="red worker, white worker")
    play(state, 0, "buy 21 a1")
    play(state, 0, "buy 11 c1")
    assert seen(state, 1).emptied == ("21", "11")
    play(state, 0, "end")
    assert seen(state, 1).emptied == ()


def test_the_sack_being_dealt_with_is_shown_until_a_new_one_lies_there() -> None:
    state = table(buyer="t4", sack="red", hands=("white brown", "black"))
    assert seen(state).taken is None
    play(state, 0, "take")
    assert seen(state).taken == TakenSack("red", "14")
    assert (seen(state).asked, seen(state).active) == ("block", (1,))
    play(state, 1, "block no")
    assert seen(state).taken == TakenSack("red", "14")
    assert seen(state).asked == "refill"
    play(state, 0, "refill white")
    assert seen(state).taken is None


def test_whoever_has_answered_is_not_waited_for() -> None:
    state = table(seats=4, buyer="t4", sack="red", hands=("", "red", "", "red"))
    play(state, 0, "take")
    assert seen(state).active == (1, 2, 3)
    play(state, 3, "block yes")
    assert seen(state).active == (1, 2)
    assert [seen(state, observer).answer for observer in (SPECTATOR, 0, 1, 3)] == [
        None, None, None, "yes",
    ]  # fmt: skip


def test_the_two_counts_towards_an_early_end_are_shown() -> None:
    """Ruling 6."""
    state = table(asked="step", idle=4, seats=3)
    play(state, 0, "pass")
    assert (seen(state).idle, seen(state).still) == (5, 1)
    play(state, 1, "move 1")
    assert seen(state).still == 0
    play(state, 1, "end")
    assert seen(state).idle == 6


@pytest.mark.parametrize("first", range(3))
def test_the_order_of_play_goes_round_from_the_first(first: int) -> None:
    state = table(seats=3, first=first, turn=(first + 1) % 3)
    view = seen(state)
    assert view.order == tuple((first + step) % 3 for step in range(3))
    assert (view.first, view.turn, view.active) == (first, (first + 1) % 3, ((first + 1) % 3,))


def test_before_the_first_turn_the_buyer_is_nowhere() -> None:
    state = GAME.setup(3, {}, RandomChance(Random(1)))
    view = seen(state)
    assert (view.asked, view.buyer, view.round) == ("place", None, 0)
    assert view.active == (view.turn,) == ((view.first - 1) % 3,)


def test_nothing_in_a_view_changes_with_the_table() -> None:
    state = table(line="red worker")
    before = seen(state)
    production = before.production
    play(state, 0, "buy 11 a1")
    assert before.production is production
    assert before.production[0] == PieceView("worker", "red")
