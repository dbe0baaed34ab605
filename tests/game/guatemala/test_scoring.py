"""The harvest, and the ships that leave with it (sections 6.4 and 6.5, rulings 20 to 27 and 44)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.game.guatemala import GAME, plantation
from bot.game.guatemala.data import COLOUR_KEYS
from bot.game.guatemala.plantation import BoardSide, PortKind, board_for
from bot.game.guatemala.state import GuatemalaState
from tests.game.guatemala.positions import (
    facts,
    harvest,
    play,
    points,
    road_names,
    ships_in,
    table,
)

JOINED = "f1-g1 f1-f2"
"""Roads from the port of two players to a hut on e2."""
OWN = {"red": "e2"}
THREE = {"red": "d2 c2 f2"}


def red(
    *,
    seats: int = 2,
    huts: tuple[dict[str, str], ...] = (OWN,),
    workers: tuple[dict[str, str], ...] = (THREE,),
    roads: str = "",
    ships: dict[str, str] | None = None,
    turn: int = 0,
) -> GuatemalaState:
    """A seat may take a red sack; nobody can block it."""
    return table(
        seats=seats,
        turn=turn,
        buyer="t4",
        sack="red",
        hands=("white brown",) * seats,
        huts=huts,
        workers=workers,
        roads=roads,
        ships=ships or {},
    )


# Section 6.4: a point a worker


@pytest.mark.parametrize("count", range(1, 6))
def test_a_plantation_with_a_hut_scores_a_point_a_worker(count: int) -> None:
    cells = ["d2", "c2", "f2", "f3", "f4"][:count]
    state = red(workers=({"red": " ".join(cells)},))
    events = harvest(state)
    assert points(state) == [count, 0]
    assert facts(events, "harvested") == [
        {"seat": 0, "colour": "red", "workers": count, "times": 1, "points": count}
    ]
    assert facts(events, "nothing_harvested") == []


def test_workers_alone_score_nothing() -> None:
    """Ruling 44, and 12."""
    state = red(huts=(), workers=({"red": "d2 c2 c3"},))
    events = harvest(state)
    assert points(state) == [0, 0]
    assert facts(events, "nothing_harvested") == [{"colour": "red"}]


def test_a_hut_alone_scores_nothing() -> None:
    """Ruling 44: not even with ships."""
    state = red(workers=(), roads=JOINED, ships={"port1": "red red"})
    events = harvest(state)
    assert points(state) == [0, 0]
    assert facts(events, "nothing_harvested") == [{"colour": "red"}]


def test_a_sack_that_helps_nobody_may_be_taken() -> None:
    state = red(huts=(), workers=())
    assert facts(harvest(state), "nothing_harvested") == [{"colour": "red"}]
    assert points(state) == [0, 0]


@pytest.mark.parametrize("turn", range(4))
def test_every_player_with_a_plantation_of_the_colour_scores(turn: int) -> None:
    state = red(
        seats=4,
        huts=({"red": "a2"}, {"red": "h2"}, {"red": "m5"}, {"white": "i8"}),
        workers=({"red": "b2"}, {"red": "g2 g3"}, {"red": "n5 n4 n6"}, {"white": "i9"}),
        turn=turn,
    )
    events = harvest(state)
    assert points(state) == [1, 2, 3, 0]
    scoring = [seat for seat in ((turn + step) % 4 for step in range(4)) if seat < 3]
    assert [told["seat"] for told in facts(events, "harvested")] == scoring


@pytest.mark.parametrize("colour", COLOUR_KEYS)
def test_only_plantations_of_the_colour_of_the_sack_score(colour: str) -> None:
    huts = dict(zip(COLOUR_KEYS, ("b2", "e2", "h2", "k2", "b8"), strict=True))
    workers = dict(zip(COLOUR_KEYS, ("a2", "e1 e3", "h1 h3", "k1 k3 j2", "b9"), strict=True))
    state = table(
        buyer="t4", sack=colour, hands=("white brown",) * 2, huts=(huts,), workers=(workers,)
    )
    harvest(state)
    assert points(state) == [len(workers[colour].split()), 0]


def test_workers_of_a_colour_are_counted_by_owner() -> None:
    state = red(huts=(OWN, {"red": "b8"}), workers=({"red": "f2"}, {"red": "a8 a9"}))
    harvest(state)
    assert points(state) == [1, 2]


# The ships


@pytest.mark.parametrize("ships", range(4))
def test_points_are_multiplied_by_the_ships_and_one(ships: int) -> None:
    """Doubled, trebled, quadrupled."""
    state = red(roads=JOINED, ships={"port1": " ".join(["red"] * ships)})
    events = harvest(state)
    assert points(state) == [3 * (ships + 1), 0]
    assert facts(events, "harvested")[0]["times"] == ships + 1


def test_ships_of_other_colours_do_not_count() -> None:
    state = red(roads=JOINED, ships={"port1": "white red black"})
    harvest(state)
    assert points(state) == [6, 0]


@pytest.mark.parametrize("lying", ["red white black", "white red black", "white black red"])
def test_the_dock_of_a_ship_does_not_matter(lying: str) -> None:
    state = red(roads=JOINED, ships={"port1": lying})
    harvest(state)
    assert points(state) == [6, 0]


@pytest.mark.parametrize("roads", ["", "f1-g1", "f1-f2", "f1-g1 g1-g2", "f1-f2 f2-g2"])
def test_without_roads_all_the_way_ships_bring_nothing_and_stay(roads: str) -> None:
    """Ruling 20."""
    state = red(roads=roads, ships={"port1": "red red"})
    events = harvest(state)
    assert points(state) == [3, 0]
    assert facts(events, "ship_left") == []
    assert ships_in(state) == ["red", "red"]


def test_any_corner_of_the_hut_cell_will_do() -> None:
    """Ruling 20: the four corners of e2 are those of f2, d2, f3 and d3 that touch it."""
    ways = ("f1-g1 f1-f2", "f1-g1 f2-g2 f2-f3", "f1-g1 f1-f2 e1-e2", "f1-g1 f2-g2 f2-f3 e2-e3")
    for roads in ways:
        state = red(roads=roads, ships={"port1": "red"})
        harvest(state)
        assert points(state) == [6, 0], roads


def test_roads_need_not_touch_the_workers_and_do_not_help_there() -> None:
    """Ruling 21: only the hut counts."""
    hut, worker = {"red": "e2"}, {"red": "e3 e4 f4"}
    state = red(huts=(hut,), workers=(worker,), roads=JOINED, ships={"port1": "red"})
    harvest(state)
    assert points(state) == [6, 0]
    roads = "f1-g1 f2-g2 f3-g3 f4-g4"
    state = red(huts=(hut,), workers=(worker,), roads=roads, ships={"port1": "red"})
    harvest(state)
    assert points(state) == [3, 0]


@pytest.mark.parametrize(("row", "length"), [(2, 1), (5, 4), (8, 7)])
@pytest.mark.parametrize(("column", "branch"), [("e", "f"), ("h", "g")])
def test_each_printed_path_joins_the_huts_at_its_branches(
    row: int, length: int, column: str, branch: str
) -> None:
    """Section 3.2: 2, 5 or 8 roads."""
    roads = [f"f{n}-g{n}" for n in range(1, length + 1)] + [f"{branch}{length}-{branch}{row}"]
    assert len(roads) == row
    for given, times in ((roads, 2), (roads[:-1], 1), (roads[1:], 1)):
        state = red(
            seats=4,
            huts=({"red": f"{column}{row}"},),
            workers=({"red": f"{column}{row + 1}"},),
            roads=" ".join(given),
            ships={"port2": "red"},
        )
        harvest(state)
        assert points(state) == [times, 0, 0, 0]


def test_ships_of_a_port_that_is_not_joined_do_not_count() -> None:
    state = red(
        seats=4,
        huts=({"red": "e2"},),
        workers=({"red": "e1"},),
        roads="f1-g1 f1-f2",
        ships={"port1": "red", "port3": "red"},
    )
    harvest(state)
    assert points(state) == [1, 0, 0, 0]
    assert (ships_in(state, "port1"), ships_in(state, "port3")) == (["red"], ["red"])


def test_whose_turn_it_was_when_a_ship_came_does_not_matter() -> None:
    """Ruling 23: ships belong to all."""
    state = table(
        buyer="t4",
        line="red ship",
        turn=1,
        sack="red",
        hands=("white brown",) * 2,
        huts=(OWN,),
        workers=(THREE,),
        roads=JOINED,
    )
    play(state, 1, "buy 24 port1")
    play(state, 1, "end")
    state.buyer -= 1
    play(state, 0, "move 1")
    harvest(state)
    assert points(state) == [6, 0]


def test_a_road_of_anybody_joins_the_huts_of_all() -> None:
    """Section 1: roads belong to nobody."""
    state = table(
        buyer="t4",
        line="road",
        turn=1,
        sack="red",
        hands=("white brown",) * 2,
        huts=(OWN,),
        workers=(THREE,),
        roads="f1-g1",
        ships={"port1": "red"},
    )
    play(state, 1, "buy 24 f1-f2")
    assert road_names(state) == ["f1-g1", "f1-f2"]
    (plant,) = GAME.view(state, 1).seats[0].plantations
    assert (plant.ports, plant.ships, plant.points) == (("port1",), 1, 6)


# Section 6.5: ships that leave, rulings 25 to 27


def test_a_ship_that_raised_a_score_leaves_the_game() -> None:
    """Ruling 27."""
    state = red(roads=JOINED, ships={"port1": "red"})
    events = harvest(state)
    assert facts(events, "ship_left") == [{"port": "port1", "colour": "red"}]
    assert ships_in(state) == []
    assert state.gone[COLOUR_KEYS.index("red")] == 1


@pytest.mark.parametrize("ships", [2, 3])
def test_of_several_ships_only_that_at_the_cheapest_dock_leaves(ships: int) -> None:
    state = red(roads=JOINED, ships={"port1": " ".join(["red"] * ships)})
    harvest(state)
    assert points(state) == [3 * (ships + 1), 0]
    assert ships_in(state) == ["red"] * (ships - 1)


def test_the_others_in_the_port_move_up_to_cheaper_docks() -> None:
    state = red(roads=JOINED, ships={"port1": "white red black red"})
    harvest(state)
    assert ships_in(state) == ["white", "black", "red"]


def test_the_next_ship_pays_for_the_dock_that_was_freed() -> None:
    state = table(
        buyer="t4",
        line="black ship",
        sack="red",
        hands=("white brown",) * 2,
        huts=(OWN,),
        workers=(THREE,),
        roads=JOINED,
        ships={"port1": "red white brown"},
    )
    harvest(state)
    play(state, 0, "refill white")
    state.buyer -= 1
    play(state, 1, "move 1")
    assert facts(play(state, 1, "buy 24 port1"), "piece_bought")[0]["price"] == 3


def test_several_players_use_one_ship_and_it_leaves_once() -> None:
    """Ruling 26."""
    state = red(
        huts=(OWN, {"red": "h2"}),
        workers=({"red": "d2"}, {"red": "i2 j2"}),
        roads="f1-g1 f1-f2 g1-g2",
        ships={"port1": "red red"},
    )
    events = harvest(state)
    assert points(state) == [3, 6]
    assert facts(events, "ship_left") == [{"port": "port1", "colour": "red"}]
    assert ships_in(state) == ["red"]


def test_all_score_before_any_ship_leaves() -> None:
    """Ruling 25: whoever is last in order multiplies by as many ships as the first."""
    for turn in (0, 1):
        state = red(
            huts=(OWN, {"red": "h2"}),
            workers=({"red": "d2"}, {"red": "i2"}),
            roads="f1-g1 f1-f2 g1-g2",
            ships={"port1": "red"},
            turn=turn,
        )
        harvest(state)
        assert points(state) == [2, 2]


def two_ports(workers: tuple[dict[str, str], ...]) -> GuatemalaState:
    return red(
        seats=4,
        huts=({"red": "e2"}, {"red": "i2"}),
        workers=workers,
        roads="f1-g1 f1-f2 j1-k1 j1-j2",
        ships={"port1": "red", "port2": "white red", "port3": "red black"},
    )


def test_each_port_that_raised_a_score_loses_one_ship() -> None:
    """Ruling 25; the ship in a port that joined nobody stays."""
    state = two_ports(({"red": "e1"}, {"red": "i1 j1"}))
    events = harvest(state)
    assert points(state) == [2, 4, 0, 0]
    assert [told["port"] for told in facts(events, "ship_left")] == ["port2", "port3"]
    assert [ships_in(state, f"port{n}") for n in (1, 2, 3)] == [["red"], ["white"], ["black"]]


def test_a_port_that_joins_a_hut_without_workers_alone_keeps_its_ships() -> None:
    """It raised no score."""
    state = two_ports(({}, {"red": "i1"}))
    harvest(state)
    assert points(state) == [0, 2, 0, 0]
    assert [ships_in(state, f"port{n}") for n in (1, 2, 3)] == [
        ["red"],
        ["white", "red"],
        ["black"],
    ]


def test_a_ship_of_another_colour_never_leaves() -> None:
    state = red(roads=JOINED, ships={"port1": "white black"})
    assert facts(harvest(state), "ship_left") == []
    assert ships_in(state) == ["white", "black"]


# Ruling 22: a hut joined to two ports. No printed board has one, so one is made up


@pytest.fixture
def two_ports_in_one_bay(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    side = BoardSide(
        players=(2,),
        columns=12,
        strips=4,
        hut_columns=(1, 4, 7, 10),
        hut_rows=(1, 4, 7),
        ports=(PortKind(4, (1, 2, 3)), PortKind(6, (1, 2, 3))),
    )
    monkeypatch.setitem(plantation._SIDES, 2, side)
    board_for.cache_clear()
    yield
    board_for.cache_clear()


@pytest.mark.usefixtures("two_ports_in_one_bay")
def test_a_hut_joined_to_two_ports_counts_the_ships_of_both_and_each_loses_one() -> None:
    """Rulings 22 and 25."""
    state = red(roads="f1-g1 f1-f2 d1-e1", ships={"port1": "red white", "port2": "black red red"})
    events = harvest(state)
    assert points(state) == [3 * 4, 0]
    assert [told["port"] for told in facts(events, "ship_left")] == ["port1", "port2"]
    assert (ships_in(state, "port1"), ships_in(state, "port2")) == (["white"], ["black", "red"])


def test_the_made_up_board_is_gone_again() -> None:
    assert len(board_for(2).ports) == 1


# Ruling 36


def test_points_past_the_sacks_and_past_the_track_count_in_full() -> None:
    state = red(roads=JOINED, ships={"port1": "red red red"})
    state.players[0].points[0] = 78
    harvest(state)
    play(state, 0, "refill white")
    assert points(state) == [90, 0]
    result = GAME.outcome(state)
    assert result is not None
    assert result.scores == (90, 0)
