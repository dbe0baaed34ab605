"""How a table of Burgundy prints."""

from __future__ import annotations

from tests.game.burgundy.positions import CENTRE, table


def test_a_table_prints_as_a_small_board_in_words_of_the_notation() -> None:
    state = table(
        estates=(CENTRE, {**CENTRE, "d3": "ship"}),
        stored="bank k7",
        goods_of=("112", ""),
        sold=("", "66"),
        depots={"1": "ship mine", "black": "cow3"},
        goods_at={"2": "35"},
        dice=(2, 6),
        workers=3,
    )
    assert str(state).splitlines() == [
        "<Burgundy: round 1, turn>, order 0 1, white die 1",
        "depot 1: ship mine, goods -",
        "depot 2: -, goods 35",
        "depot 3: -, goods -",
        "depot 4: -, goods -",
        "depot 5: -, goods -",
        "depot 6: -, goods -",
        "depot black: cow3, goods -",
        "seat 0: 0 points, dice 2 6, workers 3, silverlings 0, storage bank k7, goods 112, sold -",
        "  estate gcck ggckb ggbkbb sssCsss bbmbbg bmkbb mkkb",
        "seat 1: 0 points, dice 1 1, workers 0, silverlings 0, storage -, goods -, sold 66",
        "  estate gcck ggckb ggbkbb ssSCsss bbmbbg bmkbb mkkb",
    ]
