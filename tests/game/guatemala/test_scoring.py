"""The harvest and the ships that leave with it (sections 6.4 and 6.5, rulings 20 to 27 and 44), the
end of the game, and who wins (section 7, rulings 6, 31a and 35 to 38)."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import pytest
from msgspec.structs import replace

from bot.game.contract import Outcome
from bot.game.guatemala import GAME, plantation
from bot.game.guatemala.data import COLOUR_KEYS
from bot.game.guatemala.plantation import PortKind, board_for, joined_ports
from bot.game.guatemala.state import GuatemalaState
from tests.game.guatemala.positions import (
    asked,
    codes,
    facts,
    harvest,
    money,
    play,
    points,
    ships_in,
    table,
)

JOINED = "f1-g1 f1-f2"
"""Roads from the port of two players to a hut on e2."""
OWN = {"red": "e2"}
THREE = {"red": "f2 f3 f4"}


def red(seats: int = 2, **position: Any) -> GuatemalaState:
    """A seat may take a red sack; nobody can block it. Seat 0 has a hut and three workers."""
    usual = {"hands": ("white brown",) * seats, "huts": (OWN,), "workers": (THREE,)}
    return table(seats=seats, **{"buyer": "t4", "sack": "red", **usual, **position})


def ships(*, port1: str = "", roads: str = JOINED, **position: Any) -> tuple[list[int], list[str]]:
    """What a red harvest of two players brings with these ships, and which are left."""
    state = red(roads=roads, ships={"port1": port1}, **position)
    harvest(state)
    return points(state), ships_in(state)


# Section 6.4: a point a worker


def test_a_plantation_with_a_hut_scores_a_point_a_worker() -> None:
    for count in range(1, 6):
        cells = ["d2", "c2", "f2", "f3", "f4"][:count]
        state = red(workers=({"red": " ".join(cells)},))
        events = harvest(state)
        assert points(state) == [count, 0]
        (told,) = facts(events, "harvested")
        assert list(told.values()) == [0, "red", count, 1, count]
        assert facts(events, "nothing_harvested") == []


def test_workers_alone_and_a_hut_alone_score_nothing() -> None:
    """Rulings 12 and 44: not even with ships. A sack that helps nobody may be taken."""
    for huts, workers in (((), ({"red": "d2 c2 c3"},)), ((OWN,), ()), ((), ())):
        state = red(huts=huts, workers=workers, roads=JOINED, ships={"port1": "red red"})
        events = harvest(state)
        assert points(state) == [0, 0]
        assert facts(events, "nothing_harvested") == [{"colour": "red"}]
        assert ships_in(state) == ["red", "red"]


def test_every_player_with_a_plantation_of_the_colour_scores_from_the_seat_on_turn() -> None:
    """Workers are counted by owner; other colours do not count."""
    for turn in range(4):
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
    huts = dict(zip(COLOUR_KEYS, ("b2", "e2", "h2", "k2", "b8"), strict=True))
    workers = dict(zip(COLOUR_KEYS, ("a2", "e1 e3", "h1 h3", "k1 k3 j2", "b9"), strict=True))
    for colour in COLOUR_KEYS:
        state = red(sack=colour, huts=(huts,), workers=(workers,))
        harvest(state)
        assert points(state) == [len(workers[colour].split()), 0]


# The ships


def test_points_are_multiplied_by_the_ships_of_the_colour_and_one() -> None:
    """Doubled, trebled, quadrupled; the docks do not matter. That at the cheapest dock leaves the
    game (ruling 27), the others move up."""
    for lying, times, left in (
        ("", 1, []),
        ("red", 2, []),
        ("red red", 3, ["red"]),
        ("red red red", 4, ["red", "red"]),
        ("white red black", 2, ["white", "black"]),
        ("white black red", 2, ["white", "black"]),
        ("white red black red", 3, ["white", "black", "red"]),
        ("white black", 1, ["white", "black"]),
    ):
        assert ships(port1=lying) == ([3 * times, 0], left), lying
    state = red(roads=JOINED, ships={"port1": "red"})
    events = harvest(state)
    assert facts(events, "harvested")[0]["times"] == 2
    assert facts(events, "ship_left") == [{"port": "port1", "colour": "red"}]
    assert state.gone[COLOUR_KEYS.index("red")] == 1


def test_without_roads_from_the_port_to_any_corner_of_the_hut_ships_bring_nothing_and_stay() -> (
    None
):
    """Rulings 20 and 21: roads need not touch the workers and do not help there. They may go round
    in a ring."""
    for roads in ("", "f1-g1", "f1-f2", "f1-g1 g1-g2", "f1-f2 f2-g2"):
        assert ships(port1="red red", roads=roads) == ([3, 0], ["red", "red"]), roads
    f2 = "f1-g1 f2-g2 f2-f3"
    ring = f"{JOINED} f2-g2 f2-f3 e2-f2"
    for roads in (JOINED, f2, "f1-g1 f1-f2 e1-e2", f"{f2} e2-e3", ring):
        for laid in permutations(roads.split()):
            assert ships(port1="red", roads=" ".join(laid)) == ([6, 0], []), laid
    workers = ({"red": "e3 e4 f4"},)
    assert ships(port1="red", workers=workers) == ([6, 0], [])
    roads = "f1-g1 f2-g2 f3-g3 f4-g4"
    assert ships(port1="red", workers=workers, roads=roads) == ([3, 0], ["red"])


def test_each_printed_path_joins_the_huts_at_its_branches_by_two_five_or_eight_roads() -> None:
    """Section 3.2."""
    for row, (column, branch) in product((2, 5, 8), (("e", "f"), ("h", "g"))):
        roads = [*(f"f{n}-g{n}" for n in range(1, row)), f"{branch}{row - 1}-{branch}{row}"]
        assert len(roads) == row
        for laid, score in ((roads, 2), (roads[:-1], 1), (roads[1:], 1)):
            state = red(
                seats=4,
                huts=({"red": f"{column}{row}"},),
                workers=({"red": f"{column}{row + 1}"},),
                roads=" ".join(laid),
                ships={"port2": "red"},
            )
            harvest(state)
            assert points(state) == [score, 0, 0, 0], laid


def clear_caches() -> None:
    board_for.cache_clear()
    joined_ports.cache_clear()


def test_a_hut_joined_to_two_ports_counts_the_ships_of_both_and_each_loses_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Rulings 22 and 25. No printed board has one, so one is made up."""
    ports = (PortKind(4, (1, 2, 3)), PortKind(6, (1, 2, 3)))
    side = replace(plantation._SIDES[2], ports=ports)
    with monkeypatch.context() as made_up:
        made_up.setitem(plantation._SIDES, 2, side)
        clear_caches()
        lying = {"port1": "red white", "port2": "black red red"}
        state = red(roads=f"{JOINED} d1-e1", ships=lying)
        harvest(state)
        left = [ships_in(state, port) for port in lying]
    clear_caches()
    assert (points(state), left) == ([3 * 4, 0], [["white"], ["black", "red"]])


def test_ships_and_roads_belong_to_all_whoever_bought_them() -> None:
    """Ruling 23, and section 1."""
    for line, place, position in (
        ("red ship", "port1", {"roads": JOINED}),
        ("road", "f1-f2", {"roads": "f1-g1", "ships": {"port1": "red"}}),
    ):
        state = red(line=line, turn=1, **position)
        play(state, 1, f"buy 24 {place}")
        (plant,) = GAME.view(state, 1).seats[0].plantations
        assert (plant.ports, plant.ships, plant.points) == (("port1",), 1, 6)


# Section 6.5: ships that leave, rulings 25 and 26


def test_several_players_use_one_ship_and_it_leaves_once_after_all_have_scored() -> None:
    for turn in (0, 1):
        state = red(
            huts=(OWN, {"red": "h2"}),
            workers=({"red": "d2"}, {"red": "i2 j2"}),
            roads="f1-g1 f1-f2 g1-g2",
            ships={"port1": "red red"},
            turn=turn,
        )
        events = harvest(state)
        assert points(state) == [3, 6]
        assert facts(events, "ship_left") == [{"port": "port1", "colour": "red"}]
        assert ships_in(state) == ["red"]


def test_each_port_that_raised_a_score_loses_one_ship() -> None:
    """Ruling 25; a port that joined nobody, or a hut without workers alone, keeps its ships."""
    for workers, score, left in (
        (({"red": "e1"}, {"red": "i1 j1"}), [2, 4, 0, 0], [["red"], ["white"], ["black"]]),
        (({}, {"red": "i1"}), [0, 2, 0, 0], [["red"], ["white", "red"], ["black"]]),
    ):
        state = red(
            seats=4,
            huts=({"red": "e2"}, {"red": "i2"}),
            workers=workers,
            roads="f1-g1 f1-f2 j1-k1 j1-j2",
            ships={"port1": "red", "port2": "white red", "port3": "red black"},
        )
        events = harvest(state)
        assert points(state) == score
        assert [ships_in(state, f"port{n}") for n in (1, 2, 3)] == left
        assert facts(events, "ship_left")[-1] == {"port": "port3", "colour": "red"}


def test_points_past_the_sacks_and_past_the_track_count_in_full() -> None:
    """Ruling 36. The lines of the result add up to them."""
    state = red(score=(78, 6), roads=JOINED, ships={"port1": "red red red"})
    harvest(state)
    play(state, 0, "refill white")
    result = outcome(state)
    assert result.scores == (90, 6)
    columns = zip(*(row for _, row in result.lines), strict=True)
    assert [sum(column) for column in columns] == [90, 6]
    assert ("red", (12, 0)) in result.lines


# Section 7: a marker meets the sacks


def outcome(state: GuatemalaState) -> Outcome:
    result = GAME.outcome(state)
    assert result is not None
    return result


def goes_on(state: GuatemalaState) -> bool:
    return GAME.outcome(state) is None


def test_the_game_ends_when_any_marker_reaches_or_passes_the_last_sack() -> None:
    """Checked after the new sack was laid (ruling 35). With a longer track it takes longer (section
    10), the more sacks lie the sooner; also where the sack comes down to another's marker."""
    for score, track, last_space, winner in (
        ((75, 0, 0), "", 79, None),
        ((76, 0, 0), "", 79, 0),
        ((78, 0, 0), "", 79, 0),
        ((95, 0, 0), "", 99, None),
        ((96, 0, 0), "", 99, 0),
        ((73, 0, 0), "white black", 79, None),
        ((74, 0, 0), "white black", 79, 0),
        ((0, 79, 0), "", 79, 1),
        ((0, 0, 79), "", 79, 2),
        ((0, 78, 78), "", 79, None),
    ):
        state = red(seats=3, score=score, track=track, last_space=last_space)
        harvest(state)
        assert points(state)[0] == score[0] + 3
        assert goes_on(state)
        assert asked(state) == [(0, "refill")]
        told = [event.kind for event in play(state, 0, "refill white")]
        if winner is None:
            assert goes_on(state), score
        else:
            assert told == ["refilled", "game_ended"]
            assert (outcome(state).ending, outcome(state).winners) == ("met", (winner,))
            # At once, without equal turns (ruling 37).
            assert asked(state) == []
            for seat in range(3):
                lines = ("move 1", "end", "pass", "block no")
                assert codes(state, seat, *lines) == ["game_over"] * 4


def test_after_buying_nothing_is_checked_but_after_a_block_once_the_placing_is_over() -> None:
    """Section 7, ruling 35: nobody scored, but the sack has come down to a marker."""
    state = red(score=(0, 79), track="white")
    play(state, 0, "end")
    assert goes_on(state)
    for met in (77, 78):
        state = red(
            line="white worker", score=(3, met), track="black", hands=("", "red"), workers=()
        )
        harvest(state, 1)
        play(state, 0, "buy 24 a1")
        assert goes_on(state)
        events = play(state, 0, "end")
        assert facts(events, "roads_filled") == [{"spaces": ("24",)}]
        assert facts(events, "game_ended") == [{"ending": "met"}][: met == 78]
        assert money(state) == [15 + 8 - 3, 15]


# Ruling 31a: no sack on the board


def test_the_game_ends_when_no_sack_is_left_on_the_board_even_if_others_hold_sacks() -> None:
    """A sack elsewhere on it, of the hand, the bag or a blocker keeps it going."""
    for lying, hand, bag, blockers in (
        ("red - - - - -", "", "", ()),
        ("red - - - - white", "", "", ()),
        ("red - - - - -", "white", "", ()),
        ("red - - - - -", "white white", "", ()),
        ("red - - - - -", "", "white", ()),
        ("red - - - - -", "", "", (1,)),
    ):
        state = table(seats=3, buyer="t4", lying=lying, hands=(hand, "red red", "red"), bag=bag)
        events = harvest(state, *blockers)
        if asked(state) == [(0, "refill")]:
            events = play(state, 0, "refill white")
        if (hand, bag, blockers, lying[-1]) == ("", "", (), "-"):
            assert [event.kind for event in events[-2:]] == ["left_empty", "game_ended"]
            assert outcome(state).ending == "no_sacks"
        else:
            assert goes_on(state)


# Ruling 6: the guards against games without an end


def test_the_game_ends_after_as_many_turns_without_a_step_as_there_are_players() -> None:
    """A step begins the count anew."""
    for seats in (2, 3, 4):
        state = table(seats=seats, asked="step", turn=1, still=seats - 1)
        play(state, 1, "move 1")
        play(state, 1, "end")
        for step in range(2, seats + 2):
            assert goes_on(state)
            events = play(state, step % seats, "pass")
        assert facts(events, "game_ended") == [{"ending": "no_steps"}]
        assert outcome(state).ending == "no_steps"


def idle_turns(state: GuatemalaState, count: int) -> None:
    """The game goes on for so many turns, and ends with one more."""
    for _ in range(count + 1):
        assert goes_on(state)
        ((seat, _),) = asked(state)
        play(state, seat, "move 3")
        play(state, seat, "end")
    assert outcome(state).ending == "idle"


def test_the_game_ends_after_twelve_turns_in_which_nothing_was_taken() -> None:
    """Turns given up count; a piece of any kind, or a sack, blocked or not, begins it anew."""
    for seats in (2, 3, 4):
        idle_turns(table(seats=seats, asked="step"), 11)
    state = table(asked="step", idle=10)
    play(state, 0, "pass")
    idle_turns(state, 0)
    for line, place in (
        *(("red worker", "a1"), ("road", "a1-b1")),
        *(("red ship", "port1"), ("red hut", "b2")),
    ):
        state = table(line=line, idle=11)
        play(state, 0, f"buy 11 {place}")
        play(state, 0, "end")
        idle_turns(state, 11)
    for blockers in ((), (1,)):
        state = table(buyer="t4", sack="red", hands=("white", "red"), idle=11)
        harvest(state, *blockers)
        if blockers:
            play(state, 0, "end")
        idle_turns(state, 11)


# Who wins: section 7, ruling 38


def test_most_points_win_then_more_money_then_the_victory_is_shared() -> None:
    """However the game ends, as random games show."""
    for score, amounts, winners in (
        ((12, 30, 29), (40, 9, 15), (1,)),
        ((30, 30, 29), (11, 10, 40), (0,)),
        ((30, 30, 29), (11, 12, 40), (1,)),
        ((30, 29, 30), (11, 99, 11), (0, 2)),
    ):
        state = table(seats=3, score=score, money=amounts, asked="step", still=2)
        play(state, 0, "pass")
        assert outcome(state).scores == score
        assert outcome(state).winners == winners, (score, amounts)
