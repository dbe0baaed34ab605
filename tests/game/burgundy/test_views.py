"""What observers know, and the engine's own checks."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from bot.game.burgundy import GAME
from bot.game.burgundy.data import SPACE_OF_NAME, TILE_OF_KEY
from bot.game.burgundy.state import BurgundyState, Castles
from bot.game.burgundy.view import BurgundyView, EstatePlace, Sale, Take, Use
from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR, Observer
from tests.game.burgundy.positions import LINES, play, points, table, words
from tests.game.burgundy.random_games import SAMPLED

# All that is secret really varies

HIDDEN = {"sold_goods": "hidden"}


def twins(state: BurgundyState, observer: Observer) -> list[BurgundyState]:
    """Many states that the observer cannot tell from this one."""
    return [GAME.resample(state, observer, Random(seed)) for seed in range(60)]


def test_hidden_sold_goods_vary_in_what_but_not_in_how_many_they_are_and_open_ones_do_not() -> None:
    state = table(seats=3, sold=("1123", "455", "6"), options=HIDDEN)
    for observer, others in ((SPECTATOR, (0, 1, 2)), (0, (1, 2))):
        for seat in others:
            piles = {tuple(twin.players[seat].sold) for twin in twins(state, observer)}
            assert len(piles) > 4
            assert {sum(pile) for pile in piles} == {sum(state.players[seat].sold)}
    assert {tuple(twin.players[0].sold) for twin in twins(state, 0)} == {(2, 1, 1, 0, 0, 0)}
    state = table(seats=3, sold=("1123", "455", "6"))
    for twin in twins(state, SPECTATOR):
        assert (twin.players, twin.bag) == (state.players, state.bag)
        assert GAME.view(twin, SPECTATOR) == GAME.view(state, SPECTATOR)
        assert GAME.invariants(twin) == []


def test_which_of_the_unseen_tiles_have_black_backs_varies() -> None:
    state = table(depots={"1": "ship", "black": "k7"})
    assert len({tuple(twin.black) for twin in twins(state, 0)}) > 4


def test_sealed_castles_of_others_vary() -> None:
    state = GAME.setup(3, {"boards": "random"}, RandomChance(Random(1)))
    for seat in (0, 1):
        play(state, seat, f"castle {words(state, seat, 'castle')[1]}")
    frame = state.frames[0]
    assert isinstance(frame, Castles)
    chosen = [twin.frames[0].chosen for twin in twins(state, 0)]  # type: ignore[union-attr]
    assert {choice[0] for choice in chosen} == {frame.chosen[0]}
    assert len({choice[1] for choice in chosen}) == 4
    assert {choice[2] for choice in chosen} == {-1}


def test_after_the_end_sold_goods_are_no_secret_any_more() -> None:
    *_, last = SAMPLED.steps(2, HIDDEN, seed=1)
    assert all(GAME.view(twin, 0) == GAME.view(last.state, 0) for twin in twins(last.state, 0))
    assert GAME.view(last.state, SPECTATOR).seats[0].sold is not None


# What an observer gets to see


def seen(state: BurgundyState, observer: int = SPECTATOR) -> BurgundyView:
    return GAME.view(state, observer)


def test_the_points_of_a_placement_are_those_it_scores() -> None:
    estate = {"d4": "castle", "c3": "bank", "c2": "pig3", "b2": "pig2", "c1": "cow2", "b1": "cow2"}
    state = table(stored="pig4 watchtower", dice=(6, 3), estates=(estate,))
    for each in seen(state).uses:
        for place in each.places:
            copy = GAME.decode(GAME.encode(state))
            play(copy, 0, f"place {each.die} {place.tile} {place.space}")
            assert sum(points(copy, 0).values()) == place.points, place


def test_each_die_or_effect_tells_what_it_can_do_for_how_many_workers_and_what_can_be_bought() -> (
    None
):
    state = table(
        dice=(3, 5),
        workers=1,
        silverlings=2,
        stored="bank ship",
        goods_of=("445",),
        depots={"3": "mine", "4": "cow2 cow2 ship", "1": "k1", "black": "ship k7 ship"},
    )
    view = seen(state)
    three, five = view.uses
    assert three.takes == (Take("3", ("mine",), 0), Take("4", ("cow2", "ship"), 1))
    assert three.places == (
        EstatePlace("bank", "c3", 0, 11),
        EstatePlace("bank", "e4", 0, 0),
        EstatePlace("ship", "d3", 1, 0),
    )
    assert (three.sales, three.gain) == ((Sale("4", 2, 1, 4, 1),), (2, 0))
    assert five.places == (EstatePlace("ship", "d5", 0, 0),)
    assert (view.left, view.purchases, view.bought) == ((3, 5), (("black", ("ship", "k7")),), False)
    play(state, 0, "buy black ship -")
    assert (seen(state).purchases, seen(state).bought) == ((), True)
    state = table(stored="church", dice=(3, 1), depots={"2": "k3 castle bank"})
    play(state, 0, "place 3 church e4")
    assert (seen(state).asked, seen(state).left) == ("church", (1,))
    assert seen(state).uses == (Use("any", (Take("2", ("k3", "castle"), 0),), (), (), None),)


def test_what_lies_on_the_table_is_shown_to_all() -> None:
    state = table(
        seats=3,
        stored="ship bank",
        dice=(5, 5),
        track=[(2, 1, 0)],
        round_=7,
        coming="614",
        depots={"1": "ship ship", "black": "k7"},
        goods_at={"2": "445"},
        goods_of=("1", "23"),
    )
    play(state, 0, "place 5 ship d5")
    play(state, 0, "load 2 45")
    for observer in (SPECTATOR, 0, 1):
        view = seen(state, observer)
        assert (view.phase, view.round, view.turn, view.left) == ("B", 2, 0, (5,))
        assert (view.order, view.next_order, view.track[:2]) == ((0, 1, 2),) * 2 + (((2, 1), (0,)),)
        assert [seat.track for seat in view.seats] == [2, 1, 1]
        assert (view.white, view.coming) == (1, ("6", "1", "4"))
        assert (view.depots[0].tiles, view.depots[6].tiles) == (("ship", "ship"), ("k7",))
        rows = dict(view.stacks)
        assert (rows["ship"], rows["black"], rows["castle"]) == (17, 39, 11)
        assert [(seat.storage, seat.goods) for seat in view.seats[:2]] == [
            (("bank",), (1, 0, 0, 2, 1, 0)),
            ((), (0, 1, 1, 0, 0, 0)),
        ]
    state = GAME.setup(2, {"boards": "choose"}, RandomChance(Random(1)))
    view = seen(state)
    assert (view.asked, view.phase, view.round, view.turn) == ("board", "", 0, None)
    assert {seat.board for seat in view.seats} == {0}
    for seat, board in zip(view.order, ("2", "3"), strict=True):
        play(state, seat, f"board {board}")
    play(state, 0, f"castle {words(state, 0, 'castle')[1]}")
    chosen = [seen(state, observer).chosen for observer in (SPECTATOR, 0, 1)]
    assert chosen == [None, words(state, 0, "castle")[1], None]


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


# The engine's own checks notice every piece that is made, lost or misplaced

SHIP, BANK = TILE_OF_KEY["ship"], TILE_OF_KEY["bank"]


SPOILERS: dict[str, Callable[[BurgundyState], object]] = {
    "bank: 8": lambda state: state.players[0].storage.append(BANK),
    "a negative count": lambda state: state.removed.__setitem__(0, -1),
    "goods 1": lambda state: state.players[0].goods.__setitem__(0, 2),
    "on the track": lambda state: state.track[0].clear(),
    "the order": lambda state: state.order.append(1),
    "stores": lambda state: state.players[0].storage.extend([SHIP] * 4),
    "has goods": lambda state: state.players[0].goods.__setitem__(slice(0, 4), [1] * 4),
    "silverlings": lambda state: setattr(state.players[0], "silverlings", -1),
    "on animal lies": lambda state: state.players[0].estate.__setitem__(0, SHIP),
    "does not fit": lambda state: setattr(state.players[0], "knowledge", 2),
    "falls apart": lambda state: state.players[0].estate.__setitem__(0, SHIP),
    "a city has": lambda state: state.players[0].estate.__setitem__(slice(0, 37), [BANK] * 37),
}


def test_what_is_wrong_is_told() -> None:
    LINES.check_spoiled(table, SPOILERS)
    assert GAME.invariants(table(seats=4, stored="ship bank", goods_of=("112", "3"))) == []
