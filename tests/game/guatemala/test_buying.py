"""Buying and placing pieces (rules: buying, workers, huts, ships, roads)."""

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
    cells_of,
    codes,
    empty_spaces,
    facts,
    money,
    piece_at,
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


def check_refusal(state: GuatemalaState, line: str, code: str, **included: object) -> None:
    """Check that an action of seat 0 is refused with this code and at least these facts."""
    refusal = refused(state, 0, line)
    assert refusal.code == code, line
    assert included.items() <= refusal.facts.items(), line


# Up to three pieces, one after the other


def test_up_to_three_pieces_are_bought_one_after_the_other() -> None:
    """Rulings 5 and 7; the seat ends its turn itself (ruling 47). Roads are free, also without
    money, and count among the three pieces."""
    purchases = (
        (THREE, 15, ("buy 11 a1", "buy 21 c1", "buy 31 e1"), (12, 9, 6), "buy 41 g1"),
        (ROADS, 0, ("buy 11 f1-g1", "buy 21 f1-f2", "buy 31 f2-g2"), (0, 0, 0), "buy 41 f3-g3"),
    )
    for (line, amount, lines, left, fourth), count in product(purchases, range(4)):
        state = table(line=line, money=amount)
        for each, centavos in zip(lines[:count], left, strict=False):
            (event,) = facts(play(state, 0, each), "piece_bought")
            colour, kind = (" " + line.split(", ")[lines.index(each)]).split(" ")[-2:]
            price = 3 if kind == "worker" else 0
            assert list(event.values()) == [0, kind, colour, *each.split()[1:], price]
            assert (money(state)[0], piece_at(state, each.split()[1])) == (centavos, "")
            assert asked(state) == [(0, "act")]
        assert words(state, 0)[-1] == "end"
        if count == 3:
            assert words(state, 0) == ("end",)
            check_refusal(state, fourth, "enough_pieces", count=3)
            built = cells_of(state, 0, "white") if amount else road_names(state)
            assert built == (["c1"] if amount else ["f1-g1", "f1-f2", "f2-g2"])
        play(state, 0, "end")
        assert asked(state) == [(1, "step")]


def test_all_nine_spaces_of_the_line_are_in_reach_and_no_others() -> None:
    """Ruling 1. A sack can't be bought."""
    for buyer in ("t1", "b1", "l3", "r3"):
        state = table(buyer=buyer, money=99, board_sacks="- - - - - -")
        line = [SPACE_NAMES[space] for space in FACED[POSITION_OF_NAME[buyer]]]
        filled = [space for space in line if piece_at(state, space)]
        assert len(filled) == 9 - (buyer[1] == "3")
        assert list(words(state, 0, "buy")) == filled
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


def test_a_piece_that_cannot_be_paid_or_placed_may_not_be_bought() -> None:
    """Ruling 9: each piece is paid for before the next one. Without money only roads can be taken.
    A worker can't be shut in, a ship needs a free dock, a road a free segment."""
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
    roads = " ".join(place for place in board_for(3).road_of_name if place[0] not in "abcd")
    state = table(seats=3, line=ROADS, roads=roads)
    check_refusal(state, "buy 11 f1-g1", "cannot_place", piece="road", colour="")


def test_after_buying_no_sack_can_be_taken_and_only_the_active_seat_buys() -> None:
    """A turn has one of the two actions (rules: overview)."""
    state = table(seats=3, buyer="t4", sack="red", line="red worker")
    assert words(state, 0) == ("buy", "take", "end")
    play(state, 0, "buy 24 a1")
    assert words(state, 0) == ("buy", "end")
    assert codes(state, 0, "take") == ["already_bought"]
    for seat in (1, 2):
        assert codes(state, seat, "buy 34 a1", "end") == ["not_your_turn"] * 2


def test_a_piece_goes_only_on_places_for_its_kind_on_its_board() -> None:
    """Places on land are chosen by region, ports by name."""
    state = table(line="red worker, red hut, road, red ship")
    for space, regions in (("11", 12), ("21", 12), ("31", 12), ("41", 0)):
        domain = LINES.domain(state, 0, f"buy {space}")
        assert isinstance(domain, OneOf)
        groups = [set(map(each.of, domain.values)) for each in domain.groups]
        assert [len(each) for each in groups] == [regions][: bool(regions)]
    for space, places in (("11", "port1 a1-b1"), ("31", "a1 b2 port1"), ("41", "a1 b2 a1-b1")):
        for place in places.split():
            assert codes(state, 0, f"buy {space} {place}") == ["wrong_place"], (space, place)
    assert codes(state, 0, "buy 21 port1", "buy 21 a1-b1") == ["wrong_place"] * 2
    # The cells in a road's name have one order, and no word names another owner.
    for line in ("buy 11 m1", "buy 11 a0", "buy 41 port2", "buy 31 g1-f1"):
        assert codes(state, 0, line) == ["not_a_choice"]
    assert codes(state, 0, "buy 11 c7 1") == ["too_many_words"]


def test_the_cell_decides_the_price_of_workers_and_huts() -> None:
    """Workers cost 3 at the coast, 2 in the middle, 1 in the mountains; huts twice that (ruling
    11). Only places that the seat can pay for are listed."""
    for seats, (kind, column, price), row in product(
        (2, 4), (("worker", "c", 3), ("hut", "e", 6)), range(1, 10)
    ):
        if kind == "worker" or row in (2, 5, 8):
            for colour in COLOUR_KEYS:
                state = table(seats=seats, line=f"{colour} {kind}")
                (event,) = facts(play(state, 0, f"buy 11 {column}{row}"), "piece_bought")
                paid = price * (3 - (row - 1) // 3) // 3
                assert event["price"] == 15 - money(state)[0] == paid
    state = table(line=HUTS, money=(5, 15))
    assert {place[1] for place in words(state, 0, "buy 11")} == {"5", "8"}
    check_refusal(state, "buy 11 b2", "too_dear", price=6, money=5)
    state = table(line=WORKERS, money=(2, 15), workers=({"red": "a3 a4 a5 a6"},))
    assert words(state, 0, "buy 11") == ("b4", "b6", "a7")
    assert codes(state, 0, "buy 11 a2") == ["too_dear"]


# Workers and huts


def test_workers_go_on_land_and_huts_on_hut_cells_one_per_cell() -> None:
    """The first worker goes anywhere (ruling 12); with three players the left path has no huts."""
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


def test_a_new_piece_of_a_plantation_is_orthogonally_adjacent_to_it() -> None:
    """Corners and other colours do not connect (rulings 13 and 14); roads and printed paths do not
    separate cells (ruling 18)."""
    for seats, line, owned, places, apart in (
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
        position: dict[str, Any] = owned
        state = table(seats=seats, line=line, **position)
        assert words(state, 0, "buy 11") == tuple(places.split())
        check_refusal(state, f"buy 11 {apart}", "not_joined", colour="red")
    state = table(line=HUTS, workers=({"red": "d4 c4"},))
    assert codes(state, 0, "buy 11 e5") == ["cannot_place"]


def test_a_player_has_only_one_hut_of_a_colour() -> None:
    """Ruling 8; the hut also joins the worker bought in this turn (ruling 13)."""
    state = table(line=HUTS, huts=({}, {"red": "k8"}))
    play(state, 0, "buy 21 b1")
    assert words(state, 0, "buy 11") == ("b2",)
    play(state, 0, "buy 11 b2")
    assert cells_of(state, 0, "red") == ["b2", "b1"]
    check_refusal(state, "buy 31 e8", "hut_built", colour="red")


def test_no_piece_joins_another_players_plantation_of_its_colour() -> None:
    """Ruling 16: this includes connecting the seat's own plantation to it, and across a road.
    Corners and different colours may touch (ruling 17)."""
    for seats, line, position, places in (
        (2, WORKERS, {"workers": ({}, {"red": "d4"}), "roads": "d4-e4"}, "d3 c4 e4 d5"),
        (2, WORKERS, {"huts": ({}, {"red": "e5"})}, "e4 d5 f5 e6"),
        (2, WORKERS, {"workers": ({"red": "c9"}, {"red": "e9"})}, "d9"),
        (2, HUTS, {"workers": ({}, {"red": "b1"})}, "b2"),
        (2, HUTS, {"workers": ({}, {"red": "c2"})}, "b2"),
        # On the larger board hut cells of two paths are adjacent.
        (4, HUTS, {"huts": ({}, {"red": "d5"})}, "e5"),
    ):
        state = table(seats=seats, line=line, **position)
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
    """The six docks for two players cost 1 to 6, the three docks of other ports 2, 4 and 6."""
    colours = ["black", "black", "black", "brown", "brown"]
    for seats, ports, prices in ((2, 1, (1, 2, 3, 4, 5, 6)), (4, 4, (2, 4, 6))):
        for port, (count, price) in product(range(1, ports + 1), enumerate(prices)):
            ships = {f"port{port}": " ".join(colours[:count])}
            state = table(seats=seats, line="red ship", ships=ships, money=price)
            (event,) = facts(play(state, 0, f"buy 11 port{port}"), "piece_bought")
            assert (event["price"], money(state)[0]) == (price, 0)
            assert ships_in(state, f"port{port}") == [*colours[:count], "red"]


def test_any_port_may_be_chosen_and_have_ships_of_any_colours() -> None:
    """Ruling 24. Only a full port, or the closed one with three players, takes no ship."""
    ships = {"port1": "red white white", "port2": "red white", "port3": "black"}
    state = table(seats=4, line="red ship", ships=ships)
    assert words(state, 0, "buy 11") == ("port2", "port3", "port4")
    check_refusal(state, "buy 11 port1", "port_full", place="port1")
    play(state, 0, "buy 11 port2")
    assert ships_in(state, "port2") == ["red", "white", "red"]
    state = table(seats=3, line="red ship")
    assert words(state, 0, "buy 11") == ("port2", "port3", "port4")
    assert codes(state, 0, "buy 11 port1") == ["path_closed"]


def test_a_road_goes_on_a_free_edge_or_printed_segment_and_need_not_touch_another() -> None:
    """Ruling 19; with three players the left path is closed."""
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


def test_at_the_end_of_the_turn_each_emptied_space_is_filled_with_a_road() -> None:
    """If roads run out, the spaces emptied first are filled (ruling 30). These roads can be bought
    later and are replaced too. Spaces left empty stay empty, also that of a sack."""
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
    assert piece_at(state, "11") == ""
    play(state, 1, "end")
    assert piece_at(state, "11") == "road"
    for buyer, line, sack, bought in (
        ("t1", "-, red worker", "", "21"),
        ("t4", "red worker", "-", "24"),
    ):
        state = table(buyer=buyer, line=line, sack=sack, stock=1)
        play(state, 0, f"buy {bought} a1")
        assert facts(play(state, 0, "end"), "roads_filled") == [{"spaces": (bought,)}]
        assert empty_spaces(state) == ["14" if sack else "11"]
