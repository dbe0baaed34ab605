"""What an observer gets to see (section 8, and what the pictures and words are made of)."""

from __future__ import annotations

from msgspec.structs import replace

from bot.game.contract import SPECTATOR
from bot.game.guatemala import GAME
from bot.game.guatemala.state import GuatemalaState
from bot.game.guatemala.view import GuatemalaView, PlantationView
from tests.game.guatemala.positions import FULL, harvest, play, points, table


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
