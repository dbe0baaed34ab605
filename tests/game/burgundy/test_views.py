"""What an observer gets to see, and what is derived for pictures, words and computer players."""

from __future__ import annotations

from bot.game.burgundy import GAME
from bot.game.burgundy.boards import SPACE_OF_NAME
from bot.game.burgundy.state import BurgundyState
from bot.game.burgundy.view import BurgundyView
from bot.game.contract import SPECTATOR
from tests.game.burgundy.positions import play, points, table, words


def seen(state: BurgundyState, observer: int = SPECTATOR) -> BurgundyView:
    return GAME.view(state, observer)


def test_what_a_die_can_do_is_what_is_legal_and_its_points_and_workers_are_what_it_brings() -> None:
    estate = {"d4": "castle", "c3": "bank", "c2": "pig3", "b2": "pig2", "c1": "cow2", "b1": "cow2"}
    for state in (
        table(dice=(2, 6), workers=2, stored="bank ship", goods_of=("114",), depots={"2": "mine"}),
        table(stored="pig4 watchtower", dice=(6, 3), estates=(estate,)),
    ):
        for each in seen(state).uses:
            kinds = words(state, 0)
            takes = words(state, 0, f"take {each.die}") if "take" in kinds else ()
            assert {take.depot for take in each.takes} == set(takes)
            sales = words(state, 0, f"sell {each.die}") if "sell" in kinds else ()
            assert tuple(sale.good for sale in each.sales) == sales
            for tile in {place.tile for place in each.places}:
                there = [place.space for place in each.places if place.tile == tile]
                assert tuple(there) == words(state, 0, f"place {each.die} {tile}")
            placed = ((f"place {each.die} {to.tile} {to.space}", to) for to in each.places)
            sold = ((f"sell {each.die} {sale.good}", sale) for sale in each.sales)
            for line, told in (*placed, *sold):
                copy = GAME.decode(GAME.encode(state))
                play(copy, 0, line)
                assert sum(points(copy, 0).values()) == told.points, line
                assert copy.players[0].workers == state.players[0].workers - told.workers, line


def test_regions_spaces_and_colours_tell_what_they_would_bring_now() -> None:
    state = table(
        estates=({"d4": "castle", "e3": "mine", "f2": "mine"},),
        round_=6,
        coming="",
        completed={"mine": (1,)},
    )
    seat = seen(state).seats[0]
    (mines,) = [region for region in seat.regions if region.colour == "mine"]
    assert (mines.spaces, mines.empty, mines.points) == (("e3", "f2", "g1"), ("g1",), 6 + 8)
    assert seat.worth[SPACE_OF_NAME["g1"]] == 6 + 8 + 2
    assert seat.worth[SPACE_OF_NAME["c3"]] == 1 + 8
    assert seat.worth[SPACE_OF_NAME["e3"]] == seat.worth[SPACE_OF_NAME["d5"]] == 0
    assert dict(seat.empty)["mine"] == 1
    assert (seen(state).colours[4].seats, seen(state).colours[4].left) == ((1,), (2,))
    assert seen(state).seats[1].bonuses == (("mine", 5),)


def test_prospects_are_what_the_end_would_add_now_without_what_is_hidden() -> None:
    """Hidden sold goods are shown to their owner, and to others only in number."""
    estate = {"d4": "castle", "c4": "k15", "b4": "k25"}
    state = table(
        estates=(estate,),
        sold=("1123",),
        goods_of=("44",),
        silverlings=3,
        workers=5,
        options={"sold_goods": "hidden"},
    )
    assert seen(state).variants == ("hidden",)
    left = {"left_goods": 2, "silverlings": 3, "workers": 2}
    for observer, sold, knowledge in ((0, (2, 1, 1, 0, 0, 0), 9 + 4), (1, None, 4)):
        seat = seen(state, observer).seats[0]
        assert (seat.sold, seat.sold_count) == (sold, 4)
        assert dict(seat.prospects) == {**left, "knowledge": knowledge}
