"""Buying pieces and placing them at once (rules: buying, workers, huts, ships, roads)."""

from __future__ import annotations

from itertools import product
from typing import Any

from bot.game.bits import members
from bot.game.choices import OneOf
from bot.game.guatemala.data import COLOUR_KEYS, FACED, POSITION_OF_NAME, SPACE_NAMES
from bot.game.guatemala.plantation import board_for
from bot.game.guatemala.state import GuatemalaState
from tests.game.guatemala.positions import (
    LINES,
    asked,
    at,
    cells_of,
    codes,
    empty_spaces,
    facts,
    money,
    play,
    refused,
    road_names,
    ships_in,
    table,
    words,
)

THREE = "red worker, white worker, black worker, beige worker"
WORKERS = "red worker, red worker, red worker"
HUTS = "red hut, red worker, red hut"
ROADS = "road, road, road, road"


def check_refusal(state: GuatemalaState, line: str, code: str, **said: object) -> None:
    """Seat 0 is refused an action for this reason, with these facts among others."""
    refusal = refused(state, 0, line)
    assert refusal.code == code, line
    assert said.items() <= refusal.facts.items(), line


# Up to three pieces, one after the other


def test_none_to_three_pieces_are_taken_placed_and_paid_one_by_one() -> None:
    """Rulings 5 and 7; the turn ends when its seat says so (ruling 47). A road is free, and counts
    among the three; whoever has nothing may lay one too."""
    bought = (
        (THREE, 15, ("buy 11 a1", "buy 21 c1", "buy 31 e1"), (12, 9, 6), "buy 41 g1"),
        (ROADS, 0, ("buy 11 f1-g1", "buy 21 f1-f2", "buy 31 f2-g2"), (0, 0, 0), "buy 41 f3-g3"),
    )
    for (line, begins, lines, left, fourth), count in product(bought, range(4)):
        state = table(line=line, money=begins)
        for each, centavos in zip(lines[:count], left, strict=False):
            (told,) = facts(play(state, 0, each), "piece_bought")
            colour, kind = (" " + line.split(", ")[lines.index(each)]).split(" ")[-2:]
            price = 3 if kind == "worker" else 0
            assert list(told.values()) == [0, kind, colour, *each.split()[1:], price]
            assert (money(state)[0], at(state, each.split()[1])) == (centavos, "")
            assert asked(state) == [(0, "act")]
        assert words(state, 0)[-1] == "end"
        if count == 3:
            assert words(state, 0) == ("end",)
            check_refusal(state, fourth, "enough_pieces", count=3)
            done = cells_of(state, 0, "white") if begins else road_names(state)
            assert done == (["c1"] if begins else ["f1-g1", "f1-f2", "f2-g2"])
        play(state, 0, "end")
        assert asked(state) == [(1, "step")]


def test_all_nine_spaces_of_the_line_can_be_reached_and_nothing_else() -> None:
    """Ruling 1: from either end, a row or a column; never a sack."""
    for buyer in ("t1", "b1", "l3", "r3"):
        state = table(buyer=buyer, money=99, lying="- - - - - -")
        line = [SPACE_NAMES[space] for space in FACED[POSITION_OF_NAME[buyer]]]
        there = [space for space in line if at(state, space)]
        assert len(there) == 9 - (buyer[1] == "3")
        assert list(words(state, 0, "buy")) == there
    check_refusal(table(buyer="t1"), "buy 12 a1", "not_in_line", space="12")
    assert codes(table(buyer="t1"), 0, "buy 10 a1") == ["not_a_choice"]
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


def test_what_cannot_be_paid_or_placed_may_not_be_taken() -> None:
    """Ruling 9: each piece is paid before the next one is taken. Without money only roads can be
    had; no worker shut in by others, no ship where all docks are full, no road where three players
    have covered 39 segments."""
    line = "red worker, red hut, red ship, road"
    state = table(line=line, money=(1, 15), ships={"port1": "white"})
    assert words(state, 0, "buy")[:2] == ("11", "41")
    assert codes(state, 0, "buy 21 b2", "buy 31 port1") == ["cannot_place"] * 2
    state = table(line=THREE, money=(4, 15))
    play(state, 0, "buy 11 a1")
    play(state, 0, "buy 21 a9")
    assert (money(state), words(state, 0)) == ([0, 15], ("end",))
    assert codes(state, 0, "buy 31 a7") == ["nothing_to_buy"]
    assert words(table(line="road, red worker, white hut", money=(0, 15)), 0, "buy") == ("11",)
    state = table(line="red worker", workers=({"red": "a1"}, {"white": "a2", "black": "b1"}))
    check_refusal(state, "buy 11 a3", "cannot_place", piece="worker", colour="red")
    state = table(line="red ship", ships={"port1": "black black black brown brown white"})
    check_refusal(state, "buy 11 port1", "cannot_place", piece="ship")
    whole = " ".join(place for place in board_for(3).road_of_name if place[0] not in "abcd")
    state = table(seats=3, line=ROADS, roads=whole)
    check_refusal(state, "buy 11 f1-g1", "cannot_place", piece="road", colour="")


def test_after_buying_no_sack_can_be_taken_and_only_the_seat_on_turn_buys() -> None:
    """One of the two actions (rules: overview)."""
    state = table(seats=3, buyer="t4", sack="red", line="red worker")
    assert words(state, 0) == ("buy", "take", "end")
    play(state, 0, "buy 24 a1")
    assert words(state, 0) == ("buy", "end")
    assert codes(state, 0, "take") == ["already_bought"]
    for seat in (1, 2):
        assert codes(state, seat, "buy 34 a1", "end") == ["not_your_turn"] * 2


def test_a_piece_stands_on_places_of_its_kind_and_of_its_board_alone() -> None:
    """Those on land are chosen by region, ports by name."""
    state = table(line="red worker, red hut, road, red ship")
    for space, regions in (("11", 12), ("21", 12), ("31", 12), ("41", 0)):
        domain = LINES.domain(state, 0, f"buy {space}")
        assert isinstance(domain, OneOf)
        divided = [set(map(each.of, domain.values)) for each in domain.groups]
        assert [len(each) for each in divided] == [regions][: bool(regions)]
    for space, places in (("11", "port1 a1-b1"), ("31", "a1 b2 port1"), ("41", "a1 b2 a1-b1")):
        for place in places.split():
            assert codes(state, 0, f"buy {space} {place}") == ["wrong_place"], (space, place)
    assert codes(state, 0, "buy 21 port1", "buy 21 a1-b1") == ["wrong_place"] * 2
    # A road is called by its cells in one order, and there is no word for another owner.
    for line in ("buy 11 m1", "buy 11 a0", "buy 41 port2", "buy 31 g1-f1"):
        assert codes(state, 0, line) == ["not_a_choice"]
    assert codes(state, 0, "buy 11 c7 1") == ["too_many_words"]


def test_workers_and_huts_cost_what_their_cell_says_whatever_their_colour() -> None:
    """Three at the coast, two in the middle, one in the mountains; a hut twice that (ruling 11).
    Of the legal places those are listed that can be paid."""
    for seats, (kind, column, price), row in product(
        (2, 4), (("worker", "c", 3), ("hut", "e", 6)), range(1, 10)
    ):
        if kind == "worker" or row in (2, 5, 8):
            for colour in COLOUR_KEYS:
                state = table(seats=seats, line=f"{colour} {kind}")
                (told,) = facts(play(state, 0, f"buy 11 {column}{row}"), "piece_bought")
                paid = price * (3 - (row - 1) // 3) // 3
                assert told["price"] == 15 - money(state)[0] == paid
    state = table(line=HUTS, money=(5, 15))
    assert {place[1] for place in words(state, 0, "buy 11")} == {"5", "8"}
    check_refusal(state, "buy 11 b2", "too_dear", price=6, money=5)
    state = table(line=WORKERS, money=(2, 15), workers=({"red": "a3 a4 a5 a6"},))
    assert words(state, 0, "buy 11") == ("b4", "b6", "a7")
    assert codes(state, 0, "buy 11 a2") == ["too_dear"]


# Workers and huts


def test_workers_stand_on_land_and_huts_on_hut_cells_one_a_cell_whoever_owns_it() -> None:
    """Ruling 12: the first worker anywhere; with three players no hut on the left path."""
    for seats in (2, 3, 4):
        board = board_for(seats)
        state = table(seats=seats, line="red worker, white hut")
        for space, cells, other, code in (
            ("11", board.land, board.hut_cells, "hut_cell"),
            ("21", board.hut_cells, board.land, "no_hut_cell"),
        ):
            places = tuple(board.names[cell] for cell in members(cells))
            assert words(state, 0, f"buy {space}") == places
            wrong = board.names[members(other)[0]]
            assert codes(state, 0, f"buy {space} {wrong}") == [code]
            if seats == 3:
                closed = [f"buy {space} a2", f"buy {space} d8"]
                assert codes(state, 0, *closed) == ["path_closed"] * 2
    state = table(
        line="red worker, white worker, beige hut",
        workers=({"red": "a9", "black": "b9"}, {"beige": "c9"}),
        huts=({}, {"brown": "b8"}),
    )
    assert words(state, 0, "buy 11") == ("a8",)
    assert codes(state, 0, "buy 21 a9", "buy 21 c9", "buy 31 b8") == ["occupied"] * 3


def test_what_is_added_to_a_plantation_joins_its_hut_or_a_worker_orthogonally() -> None:
    """Rulings 13 and 14: at a corner, or at another colour, there is no contact. Ruling 18: roads
    and printed paths do not part cells."""
    for seats, line, own, places, apart in (
        (2, WORKERS, {"workers": ({"red": "d4", "white": "a9"},)}, "d3 c4 e4 d5", "a7"),
        (2, WORKERS, {"workers": ({"red": "d4"},), "roads": "d4-e4 d4-d5"}, "d3 c4 e4 d5", "a7"),
        (2, WORKERS, {"huts": ({"red": "e5"},)}, "e4 d5 f5 e6", "a7"),
        (
            *(2, WORKERS, {"huts": ({"red": "e5"},), "workers": ({"red": "d5 c5"},)}),
            *("c4 d4 e4 f5 c6 d6 e6", "a7"),
        ),
        (4, WORKERS, {"workers": ({"red": "f3"},)}, "f2 e3 g3 f4", "a7"),
        (2, HUTS, {"workers": ({"red": "c5 d5"},)}, "b5 e5", "h5"),
    ):
        position: dict[str, Any] = own
        state = table(seats=seats, line=line, **position)
        assert words(state, 0, "buy 11") == tuple(places.split())
        check_refusal(state, f"buy 11 {apart}", "not_joined", colour="red")
    state = table(line=HUTS, workers=({"red": "d4 c4"},))
    assert codes(state, 0, "buy 11 e5") == ["cannot_place"]


def test_nobody_has_a_second_hut_of_a_colour() -> None:
    """Ruling 8; the first joins also the worker of the same turn (ruling 13)."""
    state = table(line=HUTS, huts=({}, {"red": "k8"}))
    play(state, 0, "buy 21 b1")
    assert words(state, 0, "buy 11") == ("b2",)
    play(state, 0, "buy 11 b2")
    assert cells_of(state, 0, "red") == ["b2", "b1"]
    check_refusal(state, "buy 31 e8", "hut_built", colour="red")


def test_no_piece_joins_a_plantation_of_the_same_colour_of_another() -> None:
    """Ruling 16: neither at its workers nor its hut, nor the own one to it, nor across a road. At
    a corner, or of different colours (ruling 17), they touch."""
    for seats, line, position, places in (
        (2, WORKERS, {"workers": ({}, {"red": "d4"}), "roads": "d4-e4"}, "d3 c4 e4 d5"),
        (2, WORKERS, {"huts": ({}, {"red": "e5"})}, "e4 d5 f5 e6"),
        (2, WORKERS, {"workers": ({"red": "c9"}, {"red": "e9"})}, "d9"),
        (2, HUTS, {"workers": ({}, {"red": "b1"})}, "b2"),
        (2, HUTS, {"workers": ({}, {"red": "c2"})}, "b2"),
        # On the larger board hut cells of two paths adjoin.
        (4, HUTS, {"huts": ({}, {"red": "d5"})}, "e5"),
    ):
        there: dict[str, Any] = position
        state = table(seats=seats, line=line, **there)
        for place in places.split():
            assert place not in words(state, 0, "buy 11")
            check_refusal(state, f"buy 11 {place}", "joins_other", colour="red", other=1)
    state = table(line=HUTS, workers=({"red": "a2"}, {"red": "c2"}))
    assert codes(state, 0, "buy 11 b2") == ["cannot_place"]
    state = table(seats=3, line=WORKERS, workers=({}, {"red": "h9"}, {"red": "j9"}))
    check_refusal(state, "buy 11 g9", "joins_other", other=1)
    check_refusal(state, "buy 11 k9", "joins_other", other=2)
    for line, workers, place in (
        (WORKERS, ({}, {"red": "d4"}), "c3"),
        (HUTS, ({}, {"red": "a1"}), "b2"),
        (WORKERS, ({"black": "d3"}, {"white": "d5", "beige": "e4", "red": "l9"}), "d4"),
        (HUTS, ({"white": "b1", "brown": "a2"}, {"black": "c2", "red": "l9"}), "b2"),
    ):
        play(table(line=line, workers=workers), 0, f"buy 11 {place}")


# Ships and roads


def test_a_ship_takes_the_cheapest_free_dock_of_a_port() -> None:
    """Six docks of one port cost one to six, three of each of four ports two, four and six."""
    lying = ["black", "black", "black", "brown", "brown"]
    for seats, ports, prices in ((2, 1, (1, 2, 3, 4, 5, 6)), (4, 4, (2, 4, 6))):
        for port, (there, price) in product(range(1, ports + 1), enumerate(prices)):
            ships = {f"port{port}": " ".join(lying[:there])}
            state = table(seats=seats, line="red ship", ships=ships, money=price)
            (told,) = facts(play(state, 0, f"buy 11 port{port}"), "piece_bought")
            assert (told["price"], money(state)[0]) == (price, 0)
            assert ships_in(state, f"port{port}") == [*lying[:there], "red"]


def test_the_port_is_chosen_freely_and_may_hold_any_mixture_of_colours() -> None:
    """Ruling 24. A full port takes none, nor the closed one of three."""
    ships = {"port1": "red white white", "port2": "red white", "port3": "black"}
    state = table(seats=4, line="red ship", ships=ships)
    assert words(state, 0, "buy 11") == ("port2", "port3", "port4")
    check_refusal(state, "buy 11 port1", "port_full", place="port1")
    play(state, 0, "buy 11 port2")
    assert ships_in(state, "port2") == ["red", "white", "red"]
    state = table(seats=3, line="red ship")
    assert words(state, 0, "buy 11") == ("port2", "port3", "port4")
    assert codes(state, 0, "buy 11 port1") == ["path_closed"]


def test_a_road_lies_on_a_free_edge_or_printed_segment_and_need_not_touch_another_one() -> None:
    """Ruling 19; with three players not on the left path."""
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


def test_when_the_buying_is_over_each_emptied_space_is_filled_with_a_road() -> None:
    """Ruling 30: when roads run out they lie where pieces were taken first. Roads so laid can be
    bought later, and are replaced too; a space left empty stays so, and that of a sack."""
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
    for buyer, line, sack, bought in (
        ("t1", "-, red worker", "", "21"),
        ("t4", "red worker", "-", "24"),
    ):
        state = table(buyer=buyer, line=line, sack=sack, stock=1)
        play(state, 0, f"buy {bought} a1")
        assert facts(play(state, 0, "end"), "roads_filled") == [{"spaces": (bought,)}]
        assert empty_spaces(state) == ["14" if sack else "11"]
