"""Ships: docks and their prices (sections 5.3 and 5.7, rulings 23 and 24)."""

from __future__ import annotations

import pytest

from tests.game.guatemala.positions import facts, money, play, refused, ships_in, table, words

SHIPS = "red ship, white ship, black ship"


def test_with_two_players_six_docks_of_one_port_cost_one_to_six() -> None:
    for there in range(6):
        lying = " ".join(["black", "black", "black", "brown", "brown"][:there])
        state = table(line="red ship", ships={"port1": lying})
        assert words(state, 0, "buy 11") == ("port1",)
        events = play(state, 0, "buy 11 port1")
        assert facts(events, "piece_bought")[0]["price"] == there + 1
        assert money(state)[0] == 15 - there - 1


@pytest.mark.parametrize("port", ["port1", "port2", "port3", "port4"])
def test_three_docks_of_each_of_four_ports_cost_two_four_and_six(port: str) -> None:
    for there, price in enumerate((2, 4, 6)):
        state = table(seats=4, line="red ship", ships={port: " ".join(["black", "white"][:there])})
        events = play(state, 0, f"buy 11 {port}")
        assert facts(events, "piece_bought")[0]["price"] == price
        assert ships_in(state, port)[-1] == "red"


def test_the_cheapest_free_dock_of_a_port_is_taken_first() -> None:
    """Ruling 24."""
    state = table(line=SHIPS)
    for line in ("buy 11 port1", "buy 21 port1", "buy 31 port1"):
        play(state, 0, line)
    assert ships_in(state) == ["red", "white", "black"]
    assert money(state) == [15 - 1 - 2 - 3, 15]


def test_the_port_is_chosen_freely_and_may_hold_any_mixture_of_colours() -> None:
    state = table(seats=4, line="red ship", ships={"port2": "red white", "port3": "black"})
    assert words(state, 0, "buy 11") == ("port1", "port2", "port3", "port4")
    play(state, 0, "buy 11 port3")
    assert ships_in(state, "port3") == ["black", "red"]


def test_a_full_port_takes_no_ship() -> None:
    state = table(seats=4, line="red ship", ships={"port2": "red white white"})
    assert words(state, 0, "buy 11") == ("port1", "port3", "port4")
    refusal = refused(state, 0, "buy 11 port2")
    assert (refusal.code, refusal.facts["place"]) == ("port_full", "port2")


def test_when_all_docks_are_full_no_ship_may_be_taken() -> None:
    state = table(line="red ship", ships={"port1": "black black black brown brown white"})
    assert "11" not in words(state, 0, "buy")
    refusal = refused(state, 0, "buy 11 port1")
    assert (refusal.code, refusal.facts["piece"]) == ("cannot_place", "ship")


def test_with_three_players_the_left_port_is_closed() -> None:
    """Section 2.2."""
    state = table(seats=3, line="red ship")
    assert words(state, 0, "buy 11") == ("port2", "port3", "port4")
    assert refused(state, 0, "buy 11 port1").code == "path_closed"


def test_a_port_that_cannot_be_paid_is_not_offered() -> None:
    state = table(
        seats=4, line="red ship", money=(3, 9, 9, 9), ships={"port1": "black", "port2": "white"}
    )
    assert words(state, 0, "buy 11") == ("port3", "port4")
    refusal = refused(state, 0, "buy 11 port1")
    assert (refusal.code, refusal.facts["price"], refusal.facts["money"]) == ("too_dear", 4, 3)


def test_the_last_centavo_pays_for_a_dock() -> None:
    state = table(seats=4, line="red ship", money=(4, 9, 9, 9), ships={"port1": "black"})
    play(state, 0, "buy 11 port1")
    assert money(state)[0] == 0


def test_ships_belong_to_all_so_a_second_one_of_a_colour_may_be_anybodys() -> None:
    """Ruling 23: nothing of a ship tells who has bought it, nor need they have a plantation."""
    state = table(line="red ship", ships={"port1": "red"}, turn=1)
    play(state, 1, "buy 11 port1")
    assert ships_in(state) == ["red", "red"]


@pytest.mark.parametrize("place", ["a1", "b2", "a1-b1"])
def test_a_ship_goes_to_a_port_and_nowhere_else(place: str) -> None:
    assert refused(table(line="red ship"), 0, f"buy 11 {place}").code == "wrong_place"


def test_there_is_no_port_of_another_board() -> None:
    assert refused(table(line="red ship"), 0, "buy 11 port2").code == "not_a_choice"
