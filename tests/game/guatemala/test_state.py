"""How a table of Guatemala Café prints."""

from __future__ import annotations

from tests.game.guatemala.positions import table


def test_a_table_prints_as_a_small_board_in_words_of_the_notation() -> None:
    state = table(
        seats=2,
        buyer="r1",
        money=(7, 0),
        score=(12, 3),
        hands=("red red", "white"),
        bag="black",
        huts=({"red": "e2"},),
        workers=({"red": "f2 g2"}, {"white": "a9"}),
        ships={"port1": "red black"},
        roads="f1-g1 f1-f2",
    )
    lines = str(state).splitlines()
    assert lines[0] == "<Guatemala Café: round 3, act>, seat 0, buyer r1, bag black"
    assert lines[1] == (
        "1: white_worker red_worker white_hut black_sack brown_ship beige_worker brown_hut"
        " white_worker black_worker"
    )
    assert [line[0] for line in lines[1:10]] == list("123456789")
    assert lines[10:12] == ["port1: red black", "roads: f1-g1 f1-f2"]
    assert lines[12].startswith("track: black black ")
    assert lines[13:] == [
        "seat 0: 12 points, 7 centavos, sacks red red; red e2 (f2 g2)",
        "seat 1: 3 points, 0 centavos, sacks white; white - (a9)",
    ]


def test_before_the_buyer_is_placed_it_stands_nowhere() -> None:
    assert "buyer -" in str(table(asked="place"))
