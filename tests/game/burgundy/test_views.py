"""Hidden information, computed values and invariants."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from bot.game.burgundy import GAME
from bot.game.burgundy.data import (
    BLACK,
    CASTLE,
    DEPOT_WORDS,
    GOODS_LETTERS,
    MINE,
    SPACE_NAMES,
    SPACE_OF_NAME,
    TILE_KEYS,
    TILE_OF_KEY,
)
from bot.game.burgundy.data import SHIP as SHIP_COLOUR
from bot.game.burgundy.dice import ANY, dice, gain, purchases, ways_to_take
from bot.game.burgundy.goods import sale, track_space, ways_to_sell
from bot.game.burgundy.placing import (
    bonuses_left,
    completed,
    scores,
    total,
    ways_to_place,
)
from bot.game.burgundy.rounds import bonus_tiles, castle_chosen, last_points
from bot.game.burgundy.state import (
    NONE,
    BurgundyState,
    Castles,
    knows_sold,
    on_turn,
    phase_letter,
    round_of_phase,
    turn_of,
)
from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR, Observer
from tests.game.burgundy.positions import LINES, play, points, table, words
from tests.game.burgundy.random_games import SAMPLED

# Resampling varies all secrets

HIDDEN = {"sold_goods": "hidden"}


def twins(state: BurgundyState, observer: Observer) -> list[BurgundyState]:
    """Return many states that look alike to the observer."""
    return [GAME.resample(state, observer, Random(seed)) for seed in range(60)]


def test_hidden_sold_goods_vary_by_kind_not_number_and_open_ones_do_not_vary() -> None:
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


def test_the_black_backs_of_unseen_tiles_vary() -> None:
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


def test_sold_goods_are_open_after_the_end() -> None:
    *_, last = SAMPLED.steps(2, HIDDEN, seed=1)
    assert all(GAME.view(twin, 0) == GAME.view(last.state, 0) for twin in twins(last.state, 0))
    assert knows_sold(GAME.view(last.state, SPECTATOR).known.players[0])


# Values computed from a view


def view_of(state: BurgundyState, observer: int = SPECTATOR) -> BurgundyState:
    return GAME.view(state, observer).known


def test_the_computed_points_of_a_placement_are_those_it_scores() -> None:
    estate = {"d4": "castle", "c3": "bank", "c2": "pig3", "b2": "pig2", "c1": "cow2", "b1": "cow2"}
    state = table(stored="pig4 watchtower", dice=(6, 3), estates=(estate,))
    placed = set[int]()
    for die in (6, 3):
        for tile, space, _ in ways_to_place(state.players[0], die):
            copy, placed = GAME.decode(GAME.encode(state)), placed | {tile}
            play(copy, 0, f"place {die} {TILE_KEYS[tile]} {SPACE_NAMES[space]}")
            expected = total(scores(state, 0, tile, space))
            assert sum(points(copy, 0).values()) == expected, (tile, space)
    assert len(placed) == 2


def ways(state: BurgundyState, die: int) -> dict[str, list[str]]:
    """Return the actions of the first seat with a die, with the workers needed."""
    known = view_of(state)
    player = known.players[0]
    return {
        "take": [
            f"{DEPOT_WORDS[depot]} {TILE_KEYS[tile]} {workers}"
            for depot, tile, workers in ways_to_take(known, player, die)
        ],
        "place": [
            f"{TILE_KEYS[tile]} {SPACE_NAMES[space]} {workers}"
            for tile, space, workers in ways_to_place(player, die)
        ],
        "sell": [
            f"{GOODS_LETTERS[good]} {workers} {sale(known, player, good)}"
            for good, workers in ways_to_sell(player, die)
        ],
    }


def test_the_uses_of_each_die_or_effect_and_the_purchases_are_listed() -> None:
    state = table(
        dice=(3, 5),
        workers=1,
        silverlings=2,
        stored="bank ship",
        goods_of=("445",),
        depots={"3": "mine", "4": "cow2 cow2 ship", "1": "k1", "black": "ship k7 ship"},
    )
    assert dice(view_of(state)) == (3, 5)
    assert ways(state, 3) == {
        "take": ["3 mine 0", "4 cow2 1", "4 ship 1"],
        "place": ["bank c3 0", "bank e4 0", "ship d3 1"],
        "sell": ["4 1 (4, 1, 0)"],
    }
    assert ways(state, 5)["place"] == ["ship d5 0"]
    assert gain(view_of(state).players[0]) == (2, 0)
    assert purchases(view_of(state)) == [BLACK]
    play(state, 0, "buy black ship -")
    assert purchases(view_of(state)) == []
    state = table(stored="church", dice=(3, 1), depots={"2": "k3 castle bank"})
    play(state, 0, "place 3 church e4")
    turn = turn_of(view_of(state))
    assert turn is not None
    assert (GAME.question(view_of(state)), turn.left) == ("church", [1])
    assert dice(view_of(state)) == (ANY,)
    assert ways(state, ANY)["take"] == ["2 k3 0", "2 castle 0"]


def test_the_setup_and_the_rounds_are_distinguished() -> None:
    state = GAME.setup(2, {"boards": "choose"}, RandomChance(Random(1)))
    assert (phase_letter(state), round_of_phase(state), on_turn(state)) == ("", 0, None)
    for seat, board in zip(state.order, ("2", "3"), strict=True):
        play(state, seat, f"board {board}")
    space = words(state, 0, "castle")[1]
    play(state, 0, f"castle {space}")
    chosen = [castle_chosen(view_of(state, observer), observer) for observer in (SPECTATOR, 0, 1)]
    assert chosen == [NONE, SPACE_OF_NAME[space], NONE]
    state = table(seats=3, track=[(2, 1, 0)], round_=7, stored="ship", dice=(5, 5))
    play(state, 0, "place 5 ship d5")
    assert (phase_letter(state), round_of_phase(state), on_turn(state)) == ("B", 2, 0)
    assert [track_space(state, seat) for seat in range(3)] == [1, 0, 0]


def test_observers_know_only_the_numbers_of_pieces_in_stacks_and_bag() -> None:
    state = table(stored="ship bank", depots={"1": "ship ship", "black": "k7"})
    for observer in (SPECTATOR, 0, 1):
        known = view_of(state, observer)
        assert (known.stacks[SHIP_COLOUR], known.stacks[CASTLE], known.black) == (17, 12, [39])
        assert known.bag == [sum(state.bag)]


def test_the_points_for_completing_a_region_now_are_computed() -> None:
    state = table(
        estates=({"d4": "castle", "e3": "mine", "f2": "mine"},),
        round_=6,
        coming="",
        completed={"mine": (1,)},
    )
    for space, expected in {"g1": 6 + 8 + 2, "c3": 1 + 8, "e3": 0, "d5": 0}.items():
        assert total(completed(state, 0, SPACE_OF_NAME[space])) == expected, space
    assert bonuses_left(state, MINE) == (2,)
    assert bonus_tiles(state, 1) == [(MINE, 5)]


def test_the_points_of_the_end_leave_out_hidden_goods() -> None:
    """The owner sees hidden sold goods; others see only their number."""
    estate = {"d4": "castle", "c4": "k15", "b4": "k25"}
    state = table(
        estates=(estate,),
        sold=("1123",),
        goods_of=("44",),
        silverlings=3,
        workers=5,
        options={"sold_goods": "hidden"},
    )
    for observer, sold, knowledge in ((0, [2, 1, 1, 0, 0, 0], 9 + 4), (1, [4], 4)):
        known = view_of(state, observer)
        assert known.players[0].sold == sold
        assert [*last_points(known, 0).values()] == [2, 3, 2, knowledge]


# The invariants notice every piece that appears, is lost or misplaced

SHIP, BANK = TILE_OF_KEY["ship"], TILE_OF_KEY["bank"]


SPOILERS: dict[str, Callable[[BurgundyState], object]] = {
    "bank: 8": lambda state: state.players[0].storage.append(BANK),
    "a negative count": lambda state: state.removed.__setitem__(0, -1),
    "goods 1": lambda state: state.players[0].goods.__setitem__(0, 2),
    "the track": lambda state: state.track[0].clear(),
    "the order": lambda state: state.order.append(1),
    "stores": lambda state: state.players[0].storage.extend([SHIP] * 4),
    "has goods": lambda state: state.players[0].goods.__setitem__(slice(0, 4), [1] * 4),
    "silverlings": lambda state: setattr(state.players[0], "silverlings", -1),
    "animal has": lambda state: state.players[0].estate.__setitem__(0, SHIP),
    "does not match": lambda state: setattr(state.players[0], "knowledge", 2),
    "not connected": lambda state: state.players[0].estate.__setitem__(0, SHIP),
    "a city has": lambda state: state.players[0].estate.__setitem__(slice(0, 37), [BANK] * 37),
}


def test_spoiled_states_are_reported() -> None:
    LINES.check_spoiled(table, SPOILERS)
    assert GAME.invariants(table(seats=4, stored="ship bank", goods_of=("112", "3"))) == []
