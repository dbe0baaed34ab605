"""How a table of Kogge prints."""

from __future__ import annotations

from tests.game.kogge.places import DANZIG, REVAL
from tests.game.kogge.positions import play, table


def test_a_table_prints_as_a_small_board_in_words_of_the_notation() -> None:
    state = table(
        hands=("oof53", "ss8"),
        ships=(REVAL, REVAL),
        city={REVAL: "ff"},
        routes={REVAL: ("7", "2?")},
        offices={REVAL: [(1, "oa")], DANZIG: [(0, "")]},
        raids={DANZIG: [0]},
        chits={1: ("three", "spaces")},
        display=("43", "", "88"),
        reserve="ooa",
    )
    play(state, 0, "offer 1 f ss")
    assert str(state).splitlines() == [
        "<Kogge: round 1, act>, order 0 1, guild master in 8, 0 laps done",
        "0 Tønsberg: oooooooooooooooooooofffffffffffffffaaaaaaaaaaassssssss, left 1, right 2",
        "1 Stockholm: -, left 2, right 3",
        "2 Åbo: -, left 3, right 4",
        "3 Reval: ff, left 7, right 2?, offices 1:oa, ships 0 1",
        "4 Riga: -, left 5, right 6",
        "5 Danzig: -, left 6, right 7, offices 0:-, raids 0",
        "6 Stralsund: -, left 7, right 8",
        "7 Lübeck: -, left 8, right 0",
        "8 Kopenhagen: -, left 0, right 1",
        "seat 0: ship in 3, goods oof, markers 53, raids 0, chits -",
        "seat 1: ship in 3, goods ss, markers 8, raids 1, chits three spaces",
        "for sale 43 - 88; reserve ooa",
        "offer 1: f of seat 0 for ss of seat 1",
    ]
