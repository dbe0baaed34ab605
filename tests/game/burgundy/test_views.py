"""What an observer gets to see, and what is derived for pictures, words and computer players."""

from __future__ import annotations

from random import Random

from bot.game.burgundy import GAME
from bot.game.burgundy.boards import SPACE_OF_NAME
from bot.game.burgundy.state import BurgundyState
from bot.game.burgundy.view import BurgundyView, EstatePlace, Sale, Take, Use
from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR
from tests.game.burgundy.positions import play, points, table, words


def seen(state: BurgundyState, observer: int = SPECTATOR) -> BurgundyView:
    return GAME.view(state, observer)


def use(state: BurgundyState, die: str) -> Use:
    (found,) = [each for each in seen(state).uses if each.die == die]
    return found


def test_each_die_tells_what_it_can_do_and_for_how_many_workers() -> None:
    state = table(
        dice=(3, 5),
        workers=1,
        stored="bank ship",
        goods_of=("445",),
        depots={"3": "mine", "4": "cow2 cow2 ship", "1": "k1"},
    )
    three, five = use(state, "3"), use(state, "5")
    assert three.takes == (Take("3", ("mine",), 0), Take("4", ("cow2", "ship"), 1))
    assert three.places == (
        EstatePlace("bank", "c3", 0, 11),
        EstatePlace("bank", "e4", 0, 0),
        EstatePlace("ship", "d3", 1, 0),
    )
    assert three.sales == (Sale("4", 2, 1, 4, 1),)
    assert five.takes == (Take("4", ("cow2", "ship"), 1),)
    assert five.places == (EstatePlace("ship", "d5", 0, 0),)
    assert five.gain == (2, 0)


def test_what_a_die_can_do_is_what_is_legal_and_its_points_are_those_it_scores() -> None:
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
            for place in each.places:
                copy = GAME.decode(GAME.encode(state))
                play(copy, 0, f"place {each.die} {place.tile} {place.space}")
                assert sum(points(copy, 0).values()) == place.points


def test_an_effect_has_a_use_of_any_die_for_what_it_allows() -> None:
    state = table(
        stored="church ship", dice=(3, 1), depots={"2": "k3 castle bank", "black": "mine"}
    )
    play(state, 0, "place 3 church e4")
    view = seen(state)
    assert (view.asked, view.left, view.purchases) == ("church", (1,), ())
    assert view.uses == (Use("any", (Take("2", ("k3", "castle"), 0),), (), (), None),)


def test_a_loading_ship_has_no_uses_and_shows_where_it_has_been() -> None:
    state = table(
        stored="ship",
        dice=(5, 1),
        goods_at={"6": "22", "1": "3"},
        estates=({"d4": "castle", "c4": "k5"},),
    )
    play(state, 0, "place 5 ship d5")
    assert (seen(state).asked, seen(state).uses, seen(state).loaded) == ("load", (), None)
    play(state, 0, "load 6 2")
    assert seen(state).loaded == "6"


def test_purchases_are_shown_while_they_are_possible() -> None:
    state = table(silverlings=2, depots={"black": "ship k7 ship"})
    assert seen(state).purchases == (("black", ("ship", "k7")),)
    play(state, 0, "buy black ship -")
    assert (seen(state).purchases, seen(state).bought) == ((), True)


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


def test_the_track_shows_this_rounds_order_and_the_next_and_stacks_how_many_they_have() -> None:
    state = table(
        seats=3,
        stored="ship",
        dice=(5, 5),
        track=[(2, 1, 0)],
        depots={"1": "ship ship", "black": "k7"},
    )
    rows = dict(seen(state).stacks)
    assert (rows["ship"], rows["black"], rows["castle"]) == (17, 39, 11)
    play(state, 0, "place 5 ship d5")
    view = seen(state)
    assert (view.order, view.next_order) == ((0, 1, 2), (0, 1, 2))
    assert view.track[:2] == ((2, 1), (0,))
    assert [seat.track for seat in view.seats] == [2, 1, 1]


def test_before_the_first_round_there_is_no_phase_and_nobody_is_on_turn() -> None:
    state = GAME.setup(2, {"boards": "choose"}, RandomChance(Random(1)))
    view = seen(state)
    assert (view.asked, view.phase, view.round, view.turn) == ("board", "", 0, None)
    assert {seat.board for seat in view.seats} == {0}
    play(state, view.order[0], "board 2")
    play(state, view.order[1], "board 3")
    play(state, 0, "castle a4")
    assert seen(state, 0).chosen == "a4"
    assert seen(state, 1).chosen is None
    assert seen(state).active == (1,)
