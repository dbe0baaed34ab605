"""Buying pieces out of the line and placing them at once (section 5).

Where a piece may be placed, `rulebook.py` says as well, at many states of random games; here each
paragraph and ruling has its example, and each refusal its reason.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from bot.game.choices import OneOf
from bot.game.guatemala.data import COLOUR_KEYS
from bot.game.guatemala.plantation import board_for, members
from bot.game.guatemala.production import POSITION_OF_NAME, SPACE_NAMES, line_of
from tests.game.guatemala.positions import (
    LINES,
    asked,
    at,
    codes,
    empty_spaces,
    facts,
    hut_of,
    money,
    play,
    refused,
    road_names,
    ships_in,
    table,
    words,
    workers_of,
)

THREE = "red worker, white worker, black worker, beige worker"
WORKERS = "red worker, red worker, red worker"
HUTS = "red hut, red worker, red hut"
ROADS = "road, road, road, road"


def check_refusal(state: Any, line: str, code: str, **said: object) -> None:
    """Seat 0 is refused an action for this reason, with these facts among others."""
    refusal = refused(state, 0, line)
    assert refusal.code == code, line
    assert said.items() <= refusal.facts.items(), line


# 5.1 and 5.2: up to three pieces, one after the other


def test_a_piece_is_taken_from_its_space_placed_and_paid_at_once() -> None:
    state = table(line=THREE)
    (told,) = facts(play(state, 0, "buy 21 a1"), "piece_bought")
    assert list(told.values()) == [0, "worker", "white", "21", "a1", 3]
    assert (workers_of(state, 0, "white"), at(state, "21")) == (["a1"], "")
    assert (money(state), asked(state)) == ([12, 15], [(0, "act")])
    assert words(state, 0, "buy")[0] == "11"
    assert codes(state, 0, "buy 21 c1") == ["no_piece"]


def test_none_to_three_pieces_are_bought_and_the_turn_ends_when_its_seat_says_so() -> None:
    """Rulings 5 and 47."""
    for count in range(4):
        state = table(line=THREE)
        for line in ("buy 11 a1", "buy 21 c1", "buy 31 e1")[:count]:
            play(state, 0, line)
        assert asked(state) == [(0, "act")]
        assert words(state, 0)[-1] == "end"
        if count == 3:
            assert words(state, 0) == ("end",)
            check_refusal(state, "buy 41 g1", "enough_pieces", count=3)
        play(state, 0, "end")
        assert asked(state) == [(1, "step")]


def test_pieces_of_any_kind_and_colour_are_bought_in_one_turn() -> None:
    state = table(line="red hut, road, white ship, red worker")
    for line in ("buy 11 b8", "buy 21 f1-g1", "buy 31 port1"):
        play(state, 0, line)
    assert money(state) == [15 - 2 - 0 - 1, 15]


def test_all_nine_spaces_of_the_line_can_be_reached_and_nothing_else() -> None:
    """Ruling 1: from either end, a row or a column; of these lines all but a sack."""
    for buyer in ("t1", "b1", "l3", "r3"):
        state = table(buyer=buyer, money=99, lying="- - - - - -")
        line = [SPACE_NAMES[space] for space in line_of(POSITION_OF_NAME[buyer])]
        there = [space for space in line if at(state, space)]
        assert len(there) == 9 - (buyer[1] == "3")
        assert list(words(state, 0, "buy")) == there
    state = table(buyer="t1")
    check_refusal(state, "buy 12 a1", "not_in_line", space="12")
    assert codes(state, 0, "buy 10 a1") == ["not_a_choice"]


def test_sacks_are_never_bought_and_an_empty_space_holds_nothing_to_buy() -> None:
    state = table(buyer="t4", sack="red")
    assert "14" not in words(state, 0, "buy")
    assert codes(state, 0, "buy 14 a1", "buy 14 port1") == ["sacks_not_bought"] * 2
    state = table(line="-, red worker", stock=0)
    assert "11" not in words(state, 0, "buy")
    assert codes(state, 0, "buy 11 a1") == ["no_piece"]


def test_later_pieces_build_on_earlier_ones() -> None:
    """Ruling 10."""
    state = table(line="red worker, red hut, red worker, white hut", money=20)
    assert "b1" in words(state, 0, "buy 11")
    play(state, 0, "buy 21 b2")
    assert words(state, 0, "buy 11") == ("b1", "a2", "c2", "b3")
    play(state, 0, "buy 11 c2")
    assert words(state, 0, "buy 31") == ("b1", "c1", "a2", "d2", "b3", "c3")


def test_what_cannot_be_paid_may_not_be_taken() -> None:
    """Ruling 9: of a worker only the places that can be paid, of a dearer piece none; each piece
    is paid before the next one is taken. Without money only roads can be had."""
    line = "red worker, red hut, red ship, road"
    state = table(line=line, money=(1, 15), ships={"port1": "white"})
    assert words(state, 0, "buy")[:2] == ("11", "41")
    assert {place[1] for place in words(state, 0, "buy 11")} == {"7", "8", "9"}
    check_refusal(state, "buy 11 a1", "too_dear", price=3, money=1)
    assert codes(state, 0, "buy 21 b2", "buy 31 port1") == ["cannot_place"] * 2
    state = table(line=THREE, money=(4, 15))
    play(state, 0, "buy 11 a1")
    play(state, 0, "buy 21 a9")
    assert (money(state), words(state, 0)) == ([0, 15], ("end",))
    assert codes(state, 0, "buy 31 a7") == ["nothing_to_buy"]
    assert words(table(line="road, red worker, white hut", money=(0, 15)), 0, "buy") == ("11",)


def test_after_buying_no_sack_can_be_taken_and_only_the_seat_on_turn_buys() -> None:
    """Section 4.2: one of the two actions."""
    state = table(seats=3, buyer="t4", sack="red", line="red worker")
    assert words(state, 0) == ("buy", "take", "end")
    play(state, 0, "buy 24 a1")
    assert words(state, 0) == ("buy", "end")
    assert codes(state, 0, "take") == ["already_bought"]
    for seat in (1, 2):
        assert codes(state, seat, "buy 34 a1", "end") == ["not_your_turn"] * 2


def test_places_on_land_are_chosen_by_region_and_ports_by_name() -> None:
    """A piece, a region and a place: three presses."""
    for seats in (2, 3, 4):
        state = table(seats=seats, line="red worker, red hut, road, red ship")
        for space in ("11", "21", "31"):
            places = LINES.domain(state, 0, f"buy {space}")
            assert isinstance(places, OneOf)
            (grouping,) = places.groups
            assert grouping.param == "region"
            divided = Counter(map(grouping.of, places.values))
            assert len(divided) <= 12
            assert "" not in divided
            assert max(divided.values()) <= 25
        ports = LINES.domain(state, 0, "buy 41")
        assert isinstance(ports, OneOf)
        assert ports.groups == ()


def test_a_piece_stands_on_places_of_its_kind_and_of_its_board_alone() -> None:
    for line, places in (
        ("red worker", ("port1", "a1-b1")),
        ("red hut", ("port1", "a1-b1")),
        ("red ship", ("a1", "b2", "a1-b1")),
        ("road", ("a1", "b2", "port1")),
    ):
        state = table(line=line)
        for place in places:
            assert codes(state, 0, f"buy 11 {place}") == ["wrong_place"], (line, place)
    for line, place in (("red worker", "m1"), ("red worker", "a0"), ("red ship", "port2")):
        assert codes(table(line=line), 0, f"buy 11 {place}") == ["not_a_choice"]
    # A road is called by its cells in one order, and there is no word for another owner.
    assert codes(table(line=ROADS), 0, "buy 11 g1-f1") == ["not_a_choice"]
    assert codes(table(line=WORKERS), 0, "buy 11 c7 1") == ["too_many_words"]


# Workers: 5.3 and 5.5


def test_a_worker_costs_three_at_the_coast_two_in_the_middle_one_in_the_mountains() -> None:
    for seats in (2, 4):
        for row in range(1, 10):
            state = table(seats=seats, line=WORKERS)
            (told,) = facts(play(state, 0, f"buy 11 c{row}"), "piece_bought")
            assert told["price"] == 15 - money(state)[0] == 3 - (row - 1) // 3


def test_the_first_worker_of_a_colour_stands_anywhere_but_on_hut_cells() -> None:
    """Ruling 12. With three also in the closed strip, but on no covered cell (section 2.2)."""
    for seats in (2, 3, 4):
        board, state = board_for(seats), table(seats=seats, line=WORKERS)
        assert words(state, 0, "buy 11") == tuple(board.names[n] for n in members(board.land))
        hut = board.names[members(board.hut_cells)[0]]
        assert codes(state, 0, f"buy 11 {hut}") == ["hut_cell"]
    state = table(seats=3, line=WORKERS)
    play(state, 0, "buy 11 b1")
    play(state, 0, "buy 21 b2")
    assert codes(state, 0, "buy 31 a2", "buy 31 d8") == ["path_closed"] * 2


def test_there_is_one_worker_and_one_hut_a_cell_whoever_owns_it() -> None:
    state = table(
        line="red worker, white worker, beige hut",
        workers=({"red": "a9", "black": "b9"}, {"beige": "c9"}),
        huts=({}, {"brown": "b8"}),
    )
    assert words(state, 0, "buy 11") == ("a8",)
    assert codes(state, 0, "buy 21 a9", "buy 21 c9", "buy 31 b8") == ["occupied"] * 3


def test_further_workers_join_the_hut_or_a_worker_of_the_same_own_plantation_orthogonally() -> None:
    """Ruling 14: at a corner, or at another colour, there is no contact. Section 5.4: no second
    plantation of a colour is begun."""
    state = table(line=WORKERS, workers=({"red": "d4", "white": "a9"},))
    assert words(state, 0, "buy 11") == ("d3", "c4", "e4", "d5")
    for place in ("c3", "e3", "c5", "f4", "d6", "a8"):
        check_refusal(state, f"buy 11 {place}", "not_joined", colour="red")
    state = table(line=WORKERS, huts=({"red": "e5"},))
    assert words(state, 0, "buy 11") == ("e4", "d5", "f5", "e6")
    state = table(line=WORKERS, huts=({"red": "e5"},), workers=({"red": "d5 c5"},))
    assert words(state, 0, "buy 11") == ("c4", "d4", "e4", "f5", "c6", "d6", "e6")
    assert codes(state, 0, "buy 11 b5") == ["hut_cell"]


# 5.6, rulings 16 to 18: what joins whom


def test_no_piece_joins_a_plantation_of_the_same_colour_of_another() -> None:
    """Neither at its workers nor at its hut, nor the own one to it; touching at a corner is
    allowed."""
    for others in ({"workers": ({}, {"red": "d4"})}, {"huts": ({}, {"red": "e5"})}):
        beside = ("d3", "c4", "e4", "d5") if "workers" in others else ("e4", "d5", "f5", "e6")
        state = table(line=WORKERS, **others)  # type: ignore[arg-type]
        for place in beside:
            check_refusal(state, f"buy 11 {place}", "joins_other", colour="red", other=1)
    state = table(line=WORKERS, workers=({"red": "c9"}, {"red": "e9"}))
    assert words(state, 0, "buy 11") == ("c8", "b9")
    assert codes(state, 0, "buy 11 d9") == ["joins_other"]
    for place in ("c3", "e3", "c5"):
        play(table(line=WORKERS, workers=({}, {"red": "d4"})), 0, f"buy 11 {place}")
    for worker in ("b1", "a2", "c2", "b3"):
        state = table(line=HUTS, workers=({}, {"red": worker}))
        check_refusal(state, "buy 11 b2", "joins_other", other=1)
    play(table(line=HUTS, workers=({}, {"red": "a1"})), 0, "buy 11 b2")
    state = table(line=HUTS, workers=({"red": "a2"}, {"red": "c2"}))
    assert codes(state, 0, "buy 11 b2") == ["cannot_place"]
    # On the larger board hut cells of two paths adjoin.
    state = table(seats=4, line=HUTS, huts=({}, {"red": "d5"}))
    assert codes(state, 0, "buy 11 e5") == ["joins_other"]
    assert "e2" in words(state, 0, "buy 11")
    state = table(seats=3, line=WORKERS, workers=({}, {"red": "h9"}, {"red": "j9"}))
    check_refusal(state, "buy 11 g9", "joins_other", other=1)
    check_refusal(state, "buy 11 k9", "joins_other", other=2)


def test_plantations_of_different_colours_lie_side_by_side() -> None:
    """Ruling 17: whoever owns them. Nor do others' of the same colour matter elsewhere."""
    workers = ({"black": "d3"}, {"white": "d5", "beige": "e4", "red": "l9"})
    play(table(line=WORKERS, workers=workers), 0, "buy 11 d4")
    workers = ({"white": "b1", "brown": "a2"}, {"black": "c2", "beige": "b3", "red": "l9"})
    play(table(line=HUTS, workers=workers), 0, "buy 11 b2")


def test_roads_and_printed_paths_do_not_part_cells() -> None:
    """Ruling 18; nor do they keep two owners apart. A road takes no cell."""
    state = table(line=WORKERS, roads="d4-e4 d4-d5", workers=({"red": "d4"},))
    assert words(state, 0, "buy 11") == ("d3", "c4", "e4", "d5")
    state = table(line=WORKERS, roads="d4-e4", workers=({}, {"red": "d4"}))
    assert codes(state, 0, "buy 11 e4") == ["joins_other"]
    state = table(seats=4, line=WORKERS, workers=({"red": "f3"}, {"white": "b7"}))
    assert "g3" in words(state, 0, "buy 11")
    play(table(line=ROADS, workers=({"red": "f1"}, {"white": "g1"})), 0, "buy 11 f1-g1")


def test_a_piece_that_has_no_place_may_not_be_taken() -> None:
    """Ruling 9: a worker shut in by others, a ship where all docks are full, a road where three
    players have covered 39 segments."""
    shut_in = ({"red": "a1"}, {"white": "a2", "black": "b1"})
    state = table(line="red worker", workers=shut_in)
    assert "11" not in words(state, 0, "buy")
    check_refusal(state, "buy 11 a3", "cannot_place", piece="worker", colour="red")
    state = table(line="red ship", ships={"port1": "black black black brown brown white"})
    check_refusal(state, "buy 11 port1", "cannot_place", piece="ship")
    whole = " ".join(place for place in board_for(3).road_of_name if place[0] not in "abcd")
    state = table(seats=3, line=ROADS, roads=whole)
    check_refusal(state, "buy 11 f1-g1", "cannot_place", piece="road", colour="")


# Huts: 5.3 and 5.4


def test_a_hut_costs_what_its_cell_says_whatever_its_colour() -> None:
    """Ruling 11."""
    for seats, column in ((2, "e"), (4, "m")):
        for colour in COLOUR_KEYS:
            for row, price in ((2, 6), (5, 4), (8, 2)):
                state = table(seats=seats, line=f"{colour} hut")
                (told,) = facts(play(state, 0, f"buy 11 {column}{row}"), "piece_bought")
                assert told["price"] == 15 - money(state)[0] == price
                assert hut_of(state, 0, colour) == f"{column}{row}"


def test_huts_stand_on_hut_cells_alone_with_three_players_on_no_covered_one() -> None:
    for seats, count in ((2, 12), (3, 18), (4, 24)):
        board, state = board_for(seats), table(seats=seats, line=HUTS)
        cells = words(state, 0, "buy 11")
        assert cells == tuple(board.names[cell] for cell in members(board.hut_cells))
        assert len(cells) == count
        assert codes(state, 0, "buy 11 c3") == ["no_hut_cell"]
    state = table(seats=3, line=HUTS)
    assert codes(state, 0, "buy 11 a2", "buy 11 d8") == ["path_closed"] * 2


def test_nobody_ever_builds_a_second_hut_of_a_colour() -> None:
    """Section 5.1 and ruling 8; of other colours three in one turn."""
    state = table(line=HUTS)
    play(state, 0, "buy 11 b8")
    assert "31" not in words(state, 0, "buy")
    check_refusal(state, "buy 31 e8", "hut_built", colour="red")
    state = table(line=HUTS, huts=({"red": "b8"}, {"white": "k8"}), workers=({"red": "c8 d8"},))
    assert codes(state, 0, "buy 11 e8") == ["hut_built"]
    state = table(line="red hut, white hut, black hut", huts=({}, {"red": "k8"}))
    for line in ("buy 11 b8", "buy 21 e8", "buy 31 h8"):
        play(state, 0, line)


def test_a_hut_added_later_joins_its_plantation_orthogonally() -> None:
    """Ruling 13; also in the turn of its first worker."""
    state = table(line=HUTS, workers=({"red": "c5 d5"},))
    assert words(state, 0, "buy 11") == ("b5", "e5")
    check_refusal(state, "buy 11 h5", "not_joined", colour="red")
    state = table(line=HUTS, workers=({"red": "d4 c4"},))
    assert codes(state, 0, "buy 11 e5") == ["cannot_place"]
    state = table(line=HUTS)
    play(state, 0, "buy 21 b1")
    assert words(state, 0, "buy 11") == ("b2",)


def test_of_the_legal_places_those_are_listed_that_can_be_paid() -> None:
    state = table(line=HUTS, money=(5, 15))
    assert {place[1] for place in words(state, 0, "buy 11")} == {"5", "8"}
    check_refusal(state, "buy 11 b2", "too_dear", price=6, money=5)
    state = table(line=WORKERS, money=(2, 15), workers=({"red": "a3 a4 a5 a6"},))
    assert words(state, 0, "buy 11") == ("b4", "b6", "a7")
    assert codes(state, 0, "buy 11 a2") == ["too_dear"]
    ships = {"port1": "black", "port2": "white"}
    state = table(seats=4, line="red ship", money=(3, 9, 9, 9), ships=ships)
    assert words(state, 0, "buy 11") == ("port3", "port4")
    check_refusal(state, "buy 11 port1", "too_dear", price=4, money=3)


# Ships: 5.3 and 5.7, rulings 23 and 24


def test_a_ship_takes_the_cheapest_free_dock_of_a_port() -> None:
    """Six docks of one port cost one to six, three of each of four ports two, four and six."""
    lying = ["black", "black", "black", "brown", "brown"]
    for seats, ports, prices in ((2, 1, (1, 2, 3, 4, 5, 6)), (4, 4, (2, 4, 6))):
        for number in range(ports):
            port = f"port{number + 1}"
            for there, price in enumerate(prices):
                ships = {port: " ".join(lying[:there])}
                state = table(seats=seats, line="red ship", ships=ships, money=price)
                (told,) = facts(play(state, 0, f"buy 11 {port}"), "piece_bought")
                assert told["price"] == price
                assert money(state)[0] == 0
                assert ships_in(state, port) == [*lying[:there], "red"]


def test_the_port_is_chosen_freely_and_may_hold_any_mixture_of_colours() -> None:
    """Ruling 23: ships belong to all. A full port takes none, nor the closed one of three."""
    ships = {"port1": "red white white", "port2": "red white", "port3": "black"}
    state = table(seats=4, line="red ship", ships=ships)
    assert words(state, 0, "buy 11") == ("port2", "port3", "port4")
    check_refusal(state, "buy 11 port1", "port_full", place="port1")
    play(state, 0, "buy 11 port2")
    assert ships_in(state, "port2") == ["red", "white", "red"]
    state = table(seats=3, line="red ship")
    assert words(state, 0, "buy 11") == ("port2", "port3", "port4")
    assert codes(state, 0, "buy 11 port1") == ["path_closed"]


# Roads: 5.8 and 5.9, rulings 7, 19 and 30


def test_a_road_is_free_and_counts_among_the_three_pieces() -> None:
    """Ruling 7. Whoever has nothing may lay one too."""
    state = table(line=ROADS, money=(0, 15))
    for line in ("buy 11 f1-g1", "buy 21 f1-f2", "buy 31 f2-g2"):
        (told,) = facts(play(state, 0, line), "piece_bought")
        assert (told["price"], told["colour"]) == (0, "")
    assert road_names(state) == ["f1-g1", "f1-f2", "f2-g2"]
    assert codes(state, 0, "buy 41 f3-g3") == ["enough_pieces"]


def test_a_road_lies_on_a_free_edge_or_printed_segment_and_need_not_touch_another_one() -> None:
    """Ruling 19; with three players not on the left path (section 2.2)."""
    state = table(line=ROADS, roads="f1-g1")
    assert set(words(state, 0, "buy 11")) == set(board_for(2).road_of_name) - {"f1-g1"}
    check_refusal(state, "buy 11 f1-g1", "road_there", place="f1-g1")
    play(state, 0, "buy 11 a2-b2")
    play(state, 0, "buy 21 a8-a9")
    for seats in (3, 4):
        state = table(seats=seats, line=ROADS)
        assert len(words(state, 0, "buy 11")) == 13 * seats
        for place in ("e1-f1", "f2-f3", "f8-g8", "d2-e2"):
            assert codes(state, 0, f"buy 11 {place}") == ["not_a_choice"]
    state = table(seats=3, line=ROADS)
    assert codes(state, 0, "buy 11 b1-c1", "buy 11 b7-b8") == ["path_closed"] * 2


def test_when_the_placing_is_over_each_emptied_space_is_filled_with_a_road() -> None:
    """Ruling 30: when roads run out they lie where pieces were taken first. Roads so laid can be
    bought later, and are replaced too."""
    for stock in (0, 1, 2, 3, 50):
        state = table(line=THREE, stock=stock)
        for line in ("buy 31 a1", "buy 11 c1", "buy 21 e1"):
            play(state, 0, line)
        assert set(empty_spaces(state)) == {"31", "11", "21"}
        events = play(state, 0, "end")
        filled = ("31", "11", "21")[:stock]
        assert facts(events, "roads_filled") == ([{"spaces": filled}] if filled else [])
        assert set(empty_spaces(state)) == {"31", "11", "21"} - set(filled)
        assert state.stock == stock - len(filled)
    state.buyer -= 1
    play(state, 1, "move 1")
    play(state, 1, "buy 11 f1-g1")
    assert at(state, "11") == ""
    play(state, 1, "end")
    assert at(state, "11") == "road"


def test_a_space_left_empty_stays_so_and_that_of_a_sack_is_never_filled() -> None:
    state = table(line="-, red worker", stock=1)
    play(state, 0, "buy 21 a1")
    play(state, 0, "end")
    assert (at(state, "11"), at(state, "21")) == ("", "road")
    state = table(buyer="t4", sack="-", line="red worker")
    play(state, 0, "buy 24 a1")
    assert facts(play(state, 0, "end"), "roads_filled") == [{"spaces": ("24",)}]
    assert at(state, "14") == ""
    assert facts(play(table(line=THREE), 0, "end"), "roads_filled") == []
