"""Taking a sack, the block, the harvest and a new sack (rules: sacks, block, scoring, refill)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product
from typing import Any

import pytest
from msgspec.structs import replace

from bot.game.contract import SPECTATOR, Event
from bot.game.game_end import GameEnds
from bot.game.guatemala import GAME, plantation
from bot.game.guatemala.data import COLOUR_KEYS, COLOUR_OF_KEY, SPACE_OF_NAME
from bot.game.guatemala.plantation import Port, board_for, joined_ports
from bot.game.guatemala.sacks import crops
from bot.game.guatemala.state import Blocking, GuatemalaState, emptied_spaces
from tests.game.guatemala.positions import (
    FULL,
    HUT_E2,
    asked,
    cells_of,
    codes,
    colours_of,
    facts,
    hand,
    harvest,
    money,
    piece_at,
    play,
    points,
    position_of_buyer,
    red_sack_table,
    refused,
    road_names,
    ships_in,
    table,
    words,
)

HANDS = ("black brown red", "red white")
OBSERVERS = (SPECTATOR, 0, 1, 2, 3)


# Taking


def test_a_taken_sack_goes_to_the_last_free_space_of_the_score_track() -> None:
    """A score marker does not occupy a space. The money comes before the answers, and the bank's
    money is unlimited (ruling 40)."""
    for last_space, count in product((79, 99), range(4)):
        track = " ".join(["white", "black", "white"][:count])
        state = table(
            buyer="t4", sack="red", track=track, last_space=last_space, score=(0, 78), money=200
        )
        (event,) = facts(play(state, 0, "take"), "sack_taken")
        assert list(event.values()) == [0, "red", "14", last_space - count, 8]
        assert [COLOUR_KEYS[sack] for sack in state.track] == [*track.split(), "red"]
        assert emptied_spaces(state) == [SPACE_OF_NAME["14"]]
        assert piece_at(state, "14") == ""
        assert money(state) == [208, 200]
        assert asked(state) == [(1, "block")]


def test_a_line_without_a_sack_gives_none_and_all_four_sides_reach_a_sack() -> None:
    """Ruling 29."""
    for buyer in ("t4", "b4", "l1", "r1"):
        (event,) = facts(play(table(buyer=buyer, sack="white"), 0, "take"), "sack_taken")
        assert event["space"] == "14"
    for buyer in ("t1", "t5", "r2", "r8", "b1", "l2"):
        assert "take" not in words(table(buyer=buyer), 0)
        assert codes(table(buyer=buyer), 0, "take") == ["no_sack"]
    state = table(buyer="t4", sack="-")
    assert words(state, 0) == ("buy", "end")
    assert codes(state, 0, "take") == ["no_sack"]


def test_a_sack_of_a_colour_may_be_taken_without_a_plantation_of_it() -> None:
    """Ruling 28: the seat gets money, others score. It may not buy pieces after it."""
    state = red_sack_table(huts=({}, {"red": "b2"}), workers=({}, {"red": "a2 c2"}), hands=HANDS)
    harvest(state)
    assert (money(state), points(state)) == ([23, 15], [0, 2])
    assert asked(state) == [(0, "refill")]
    assert codes(state, 0, "buy 24 a1") == ["not_now"]


# Answers about a block

JOINED = "f1-g1 f1-f2"
"""Roads from the port of two players to a hut on e2."""
ALL_CAN = ("white white", "red black", "red brown", "red beige")


def block_question(
    seats: int = 4, turn: int = 0, hands: tuple[str, ...] = ALL_CAN, money: int = 15
) -> GuatemalaState:
    """Return a table where a seat has taken a red sack and seat 0 would score."""
    more: dict[str, Any] = {"workers": ({"red": "f2"},), "money": money, "hands": hands}
    more |= {"roads": JOINED, "ships": {"port1": "red"}} if seats == 2 else {}
    state = red_sack_table(
        seats, turn=turn, line="red worker, white worker, road, white hut", **more
    )
    play(state, turn, "take")
    return state


def test_every_other_seat_is_asked_even_without_such_a_sack() -> None:
    """Ruling 32: the question reveals nothing about hands."""
    for seats in (2, 3, 4):
        for turn in range(seats):
            state = block_question(seats, turn)
            others = [(turn + step) % seats for step in range(1, seats)]
            assert asked(state) == [(seat, "block") for seat in others]
            assert all(decision.sealed for decision in GAME.pending(state))
            assert codes(state, turn, "block no", "end", "take") == ["nothing_asked"] * 3
    state = block_question(hands=("", "black brown beige white", "red", ""))
    assert GAME.pending(state) == GAME.pending(block_question())
    assert (words(state, 1, "block"), words(state, 2, "block")) == (("no",), ("yes", "no"))
    refusal = refused(state, 1, "block yes")
    assert (refusal.code, refusal.facts["colour"]) == ("no_sack_to_block", "red")
    assert codes(state, 2, "block maybe") == ["not_a_choice"]


def test_the_first_clockwise_block_counts_in_any_order_of_answers() -> None:
    """Ruling 46. The game continues as soon as all seats before a blocker have answered no."""
    for turn, order, answers in product(
        range(4), permutations((1, 2, 3)), product(("yes", "no"), repeat=3)
    ):
        state = block_question(turn=turn, hands=("red white",) * 4)
        answer_of = dict(zip((1, 2, 3), answers, strict=True))
        blockers = [step for step in (1, 2, 3) if answer_of[step] == "yes"]
        needed = set(range(1, blockers[0] + 1)) if blockers else {1, 2, 3}
        events: list[Event] = []
        for step in order:
            if not needed:
                break
            events = play(state, (turn + step) % 4, f"block {answer_of[step]}")
            needed.discard(step)
            assert isinstance(state.frames[-1], Blocking) == bool(needed)
        blocked = [{"seat": (turn + step) % 4, "colour": "red", "space": "14"} for step in blockers]
        assert facts(events, "blocked") == blocked[:1]
        assert len(facts(events, "not_blocked")) == (not blockers)
        assert points(state) == [0 if blockers else 1, 0, 0, 0]
        assert asked(state) == [(turn, "act" if blockers else "refill")]
        for step in (1, 2, 3):
            has_blocked = blockers[:1] == [step]
            assert hand(state, (turn + step) % 4) == ("white" if has_blocked else "red white")


def test_an_answer_stays_hidden_and_can_be_changed_until_it_counts() -> None:
    state = block_question()
    before = {decision.seat: decision.id for decision in GAME.pending(state)}
    (event,) = play(state, 2, "block yes")
    assert [observer for observer in OBSERVERS if event.visible_to(observer)] == [2]
    pending = [(decision.seat, decision.optional) for decision in GAME.pending(state)]
    assert pending == [(1, False), (3, False), (2, True)]
    # The others' question keeps its id, and repeating an answer changes nothing.
    assert {decision.seat: decision.id for decision in GAME.pending(state)} == before
    encoded = GAME.encode(state)
    play(state, 2, "block yes")
    assert GAME.encode(state) == encoded
    play(state, 2, "block no")
    play(state, 1, "block no")
    # The first in order can still change its answer.
    events = play(state, 1, "block yes")
    assert facts(events, "blocked")[0]["seat"] == 1
    assert GAME.pending(state)[0].id not in before.values()
    assert codes(state, 3, "block yes") == ["not_your_turn"]


def test_the_last_answer_can_be_known_not_to_end_the_game() -> None:
    """If an earlier seat blocks in a determinized state, the last one is not asked there."""
    state = block_question(hands=("black", "red", "red", "red"))
    play(state, 1, "block no")
    play(state, 2, "block no")
    assert GameEnds(GAME, GAME.view(state, 3)).of(3, [("block", "no")]) is None


# After a block (rulings 33 and 34)


def test_after_a_block_no_one_scores_no_ship_leaves_and_no_sack_is_drawn() -> None:
    """The blocker's sack is on the space. The taken sack and the eight centavos stay."""
    state = block_question(2, money=1)
    bag = [*state.bag]
    events = play(state, 1, "block yes", drawn=())
    events += play(state, 0, "end", drawn=())
    for kind in ("ship_left", "harvested", "not_blocked"):
        assert facts(events, kind) == [], kind
    assert (points(state), money(state), ships_in(state)) == ([0, 0], [9, 1], ["red"])
    assert (hand(state, 0), hand(state, 1), state.bag) == ("white white", "black", bag)
    assert (piece_at(state, "14"), state.track) == ("red_sack", [COLOUR_OF_KEY["red"]])
    assert asked(state) == [(1, "step")]


def test_a_blocked_player_buys_up_to_three_pieces_in_the_line() -> None:
    """The eight new centavos can be spent; no second sack can be taken."""
    for count in range(4):
        state = block_question(2, money=0)
        play(state, 1, "block yes")
        assert position_of_buyer(state) == "t4"
        assert words(state, 0) == ("buy", "end")
        assert codes(state, 0, "move 1", "take") == ["not_now", "blocked_no_sack"]
        for line in ("buy 44 f2-g2", "buy 24 e1", "buy 34 b9")[:count]:
            play(state, 0, line)
        assert codes(state, 0, "take") == ["blocked_no_sack"]
        if count == 3:
            assert codes(state, 0, "buy 54 b8") == ["enough_pieces"]
        filled = ("44", "24", "34")[:count]
        events = play(state, 0, "end")
        assert facts(events, "roads_filled") == ([{"spaces": filled}] if count else [])
        assert road_names(state)[2:] == ["f2-g2"][:count]
        assert len(cells_of(state, 0, "red")) == 2 + (count > 1)
        assert money(state)[0] == 8 - (0, 0, 3, 4)[count]


# The harvest

SHARED: dict[str, Any] = {
    "huts": (HUT_E2, {"red": "h2"}),
    "roads": f"{JOINED} g1-g2",
    "ships": {"port1": "red red"},
}
"""Two players at one port."""
APART: dict[str, Any] = {
    "seats": 4,
    "huts": (HUT_E2, {"red": "i2"}),
    "roads": f"{JOINED} j1-k1 j1-j2",
}
APART |= {"ships": {"port1": "red", "port2": "white red", "port3": "red black"}}

Harvest = tuple[dict[str, Any], list[int], dict[str, str]]
HARVESTS: dict[str, Sequence[Harvest]] = {
    "one point per worker of the seat and colour": [
        *(
            ({"workers": ({"red": " ".join(["d2", "c2", "f2", "f3", "f4"][:n])},)}, [n, 0], {})
            for n in range(1, 6)
        ),
        (
            {
                "seats": 4,
                "huts": ({"red": "a2"}, {"red": "h2"}, {"red": "m5"}, {"white": "i8"}),
                "workers": ({"red": "b2"}, {"red": "g2 g3"}, {"red": "n5 n4 n6"}, {"white": "i9"}),
                "turn": 2,
            },
            [1, 2, 3, 0],
            {},
        ),
    ],
    "nothing for only workers or only a hut, even with ships (rulings 12 and 44)": [
        ({"roads": JOINED, "ships": {"port1": "red red"}, **none}, [0, 0], {"port1": "red red"})
        for none in ({"huts": ()}, {"workers": ()}, {"huts": (), "workers": ()})
    ],
    "multiplied by the ships of the colour plus one; one ship leaves (ruling 27)": [
        ({"roads": JOINED, "ships": {"port1": ships}}, [3 * times, 0], {"port1": left})
        for ships, times, left in (
            ("red", 2, ""),
            ("red red", 3, "red"),
            ("red red red", 4, "red red"),
            ("white red black", 2, "white black"),
            ("white black red", 2, "white black"),
            ("white red black red", 3, "white black red"),
            ("white black", 1, "white black"),
        )
    ],
    "no ships without roads from the port to the hut (rulings 20 and 21)": [
        ({"roads": roads, "ships": {"port1": "red red"}, **more}, [3, 0], {"port1": "red red"})
        for roads, more in (
            *((each, {}) for each in ("", "f1-g1", "f1-f2", "f1-g1 g1-g2", "f1-f2 f2-g2")),
            ("f1-g1 f2-g2 f3-g3 f4-g4", {"workers": ({"red": "e3 e4 f4"},)}),
        )
    ],
    "ships over roads to any corner of the hut, built in any order": [
        ({"roads": " ".join(built), "ships": {"port1": "red"}}, [6, 0], {"port1": ""})
        for roads in (
            *(JOINED, "f1-g1 f2-g2 f2-f3", "f1-g1 f1-f2 e1-e2"),
            *("f1-g1 f2-g2 f2-f3 e2-e3", f"{JOINED} f2-g2 f2-f3 e2-f2"),
        )
        for built in permutations(roads.split())
    ],
    "one ship for several players; it leaves once (ruling 26)": [
        (
            SHARED | {"workers": ({"red": "d2"}, {"red": "i2 j2"}), "turn": turn},
            [3, 6],
            {"port1": "red"},
        )
        for turn in (0, 1)
    ],
    "a ship leaves each port that raised a score (ruling 25)": [
        (
            APART | {"workers": workers},
            [*scored, 0, 0],
            dict(zip(APART["ships"], left, strict=True)),
        )
        for workers, scored, left in (
            (({"red": "e1"}, {"red": "i1 j1"}), (2, 4), ("red", "white", "black")),
            (({}, {"red": "i1"}), (0, 2), ("red", "white red", "black")),
        )
    ],
}


@pytest.mark.parametrize("name", HARVESTS)
def test_a_harvest_scores(name: str) -> None:
    for position, scored, left in HARVESTS[name]:
        state = red_sack_table(**position)
        before = {port: ships_in(state, port) for port in left}
        events = harvest(state)
        assert points(state) == scored, position
        assert {port: " ".join(ships_in(state, port)) for port in left} == left, position
        harvests = facts(events, "harvested")
        order = [(state.turn + step) % len(scored) for step in range(len(scored))]
        assert [each["seat"] for each in harvests] == [seat for seat in order if scored[seat]]
        for _, colour, workers, times, gained in (each.values() for each in harvests):
            assert (colour, gained) == ("red", int(str(workers)) * int(str(times)))
        assert facts(events, "nothing_harvested") == ([] if harvests else [{"colour": "red"}])
        used = [port for port, ships in left.items() if len(before[port]) > len(ships.split())]
        assert facts(events, "ship_left") == [{"port": port, "colour": "red"} for port in used]
        assert state.gone[COLOUR_OF_KEY["red"]] == len(used)


def test_a_printed_path_connects_the_huts_at_its_branches_with_two_five_or_eight_roads() -> None:
    """See rules: huts."""
    for row, (column, branch) in product((2, 5, 8), (("e", "f"), ("h", "g"))):
        roads = [*(f"f{n}-g{n}" for n in range(1, row)), f"{branch}{row - 1}-{branch}{row}"]
        assert len(roads) == row
        for built, score in ((roads, 2), (roads[:-1], 1), (roads[1:], 1)):
            position: dict[str, Any] = {"roads": " ".join(built), "ships": {"port2": "red"}}
            huts, workers = ({"red": f"{column}{each}"} for each in (row, row + 1))
            state = red_sack_table(seats=4, huts=(huts,), workers=(workers,), **position)
            harvest(state)
            assert points(state) == [score, 0, 0, 0], built


def clear_caches() -> None:
    board_for.cache_clear()
    joined_ports.cache_clear()


def test_a_hut_connected_to_two_ports_counts_the_ships_of_both_and_each_loses_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Rulings 22 and 25. No printed board has such a hut, so the test invents a board."""
    ports = (Port("port1", (4, 0), (1, 2, 3)), Port("port2", (6, 0), (1, 2, 3)))
    side = replace(plantation._SIDES[2], ports=ports)
    with monkeypatch.context() as patch:
        patch.setitem(plantation._SIDES, 2, side)
        clear_caches()
        ships = {"port1": "red white", "port2": "black red red"}
        state = red_sack_table(roads=f"{JOINED} d1-e1", ships=ships)
        harvest(state)
        left = [ships_in(state, port) for port in ships]
    clear_caches()
    assert (points(state), left) == ([3 * 4, 0], [["white"], ["black", "red"]])


def test_ships_and_roads_belong_to_all_players() -> None:
    """Ruling 23."""
    for line, place, position in (
        ("red ship", "port1", {"roads": JOINED}),
        ("road", "f1-f2", {"roads": "f1-g1", "ships": {"port1": "red"}}),
    ):
        state = red_sack_table(line=line, turn=1, **position)
        play(state, 1, f"buy 24 {place}")
        assert crops(state, COLOUR_OF_KEY["red"])[0] == ((0,), 1, 6)


# A new sack


def test_the_active_seat_puts_any_sack_of_its_hand_on_the_emptied_space() -> None:
    for colour in COLOUR_KEYS:
        state = table(buyer="t4", sack="red", hands=(FULL, "red"))
        harvest(state)
        assert emptied_spaces(state) == [SPACE_OF_NAME["14"]]
        assert words(state, 0, "refill") == COLOUR_KEYS
        assert codes(state, 1, "refill red") == ["not_your_turn"]
        events = play(state, 0, f"refill {colour}")
        assert facts(events, "refilled") == [{"seat": 0, "colour": colour, "space": "14"}]
        assert facts(events, "turn_ended") == [{"seat": 0}]
        assert piece_at(state, "14") == f"{colour}_sack"
        assert colour not in hand(state, 0)
        assert asked(state) == [(1, "step")]
    state = table(buyer="t4", sack="red", hands=HANDS)
    harvest(state)
    refusal = refused(state, 0, "refill white")
    assert (refusal.code, refusal.facts["colour"]) == ("no_such_sack", "white")


def test_two_sacks_of_one_colour_are_asked_about_and_the_last_sack_is_not() -> None:
    """Without the question the others would know the hand (ruling 45)."""
    state = table(buyer="t4", sack="red", hands=("white white", ""))
    harvest(state)
    assert asked(state) == [(0, "refill")]
    assert words(state, 0, "refill") == ("white",)
    state = table(buyer="t4", sack="red", hands=("white", "red red"), bag="black black")
    events = harvest(state, drawn=())
    assert facts(events, "refilled") == [{"seat": 0, "colour": "white", "space": "14"}]
    assert (piece_at(state, "14"), hand(state, 0)) == ("white_sack", "")
    assert colours_of(state.bag) == "black black"
    assert asked(state) == [(1, "step")]


def test_with_an_empty_hand_a_sack_is_drawn_from_the_bag() -> None:
    """All are equally likely; without sacks in the bag the space stays empty."""
    for bag, drawn, colour, left in (
        ("white white beige", [3], "beige", "white white"),
        ("white white beige", [4], "white", "beige white"),
        ("", [], "", ""),
    ):
        state = table(buyer="t4", sack="red", hands=("", "red"), bag=bag)
        events = harvest(state, drawn=drawn)
        refilled = {"seat": 0, "colour": colour, "space": "14"}
        assert facts(events, "refilled_blindly") == [refilled][: bool(colour)]
        assert facts(events, "left_empty") == [{"seat": 0, "space": "14"}][bool(colour) :]
        assert (piece_at(state, "14"), colours_of(state.bag)) == (colour and f"{colour}_sack", left)
        assert asked(state) == [(1, "step")]
