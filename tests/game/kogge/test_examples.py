"""Every worked example of the English (EN) and the Italian (IT) rule text; those of how bids rank
and of a conflict stand with their chapters."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from bot.game.chance import RecordedChance
from bot.game.kogge import GAME
from bot.game.kogge.data import CITY_NAMES, CONTENT
from tests.game.kogge.places import ABO, ITALIAN, LUBECK, REVAL, RIGA, STOCKHOLM, STRALSUND
from tests.game.kogge.positions import case, follow, goods, refused, table

NEW_TABLE = [0, *range(1, 9), 0, *((number + 2) % 9 for number in range(9))]
"""The guild master at 0, first routes 1..8 and 0, second routes two further on."""

bidding = partial(case, asked="bid")
trading = partial(case, hands=("ffassss",), city={REVAL: "oooooo" + "ss"})
red = partial(
    case,
    ships=(STRALSUND, LUBECK),
    hands=("oo",),
    routes={STRALSUND: ("3", "7"), REVAL: ("4", "6?")},
    offices={REVAL: [(0, "ff")]},
    raids={RIGA: (0,)},
    asked="move",
)
TO_REVAL_AND_BACK = """0 sail ? left right; 0 sail left -; at 0 3; 0 load ff; hand 0 ooff
    0 sail ? right; 0 sail right - ! wrong_fee count=1; 0 sail right o; at 0 6; routes 3 4 6"""

CASES = [
    *(
        bidding(
            f"EN and IT, the auction: a single 5 bars another 5 but not {bid}",
            f"0 bid 5; 1 bid 5 ! bid_taken; 1 bid {bid}",
            hands=("5", "5032"),
        )
        for bid in ("50", "32")
    ),
    bidding(
        "EN and IT, supplies: two 3s, three 4s and a 6",
        """seats=3 hands=33,444,6 offices=3:0,6:1+2 | 0 bid 33; 1 bid 444; 2 bid 6; city 6 -
        offices 6 a a; city 4 ffffff; city 3 fff""",
    ),
    bidding(
        "EN and IT, supplies: one good for two offices goes to the city",
        "hands=6,0 offices=6:0+1 reserve=aoo | 0 bid 6; 1 bid 0; city 6 a; offices 6 - -",
    ),
    bidding("a 0 is better than no bid", "hands=-,0 at=1 | 1 bid 0; order 1 0"),
    bidding(
        "EN and IT: D is first, then A, B and C, and four cities are supplied",
        """seats=4 hands=7,43,4,22 | 0 bid 7; 1 bid 43; 2 bid 4; 3 bid 22; order 3 0 1 2
        city 7 ss; city 4 ffff; city 3 ff; city 2 oooo""",
    ),
    *(
        case(
            f"EN and IT: the guild master walks {steps} from Stockholm",
            f"0 advance {steps}; guild {end}",
            guild=STOCKHOLM,
            asked="advance",
        )
        for steps, end in ((1, ABO), (2, REVAL))
    ),
    *(
        case(
            f"EN and IT, movement: {way} to {end}",
            f"0 sail {way} -; at 0 {end}",
            ships=(LUBECK, REVAL),
            routes={LUBECK: ("2", "5")},
            asked="move",
        )
        for way, end in (("left", 2), ("right", 5))
    ),
    red(
        "EN: a second payment takes Red on",
        f"{TO_REVAL_AND_BACK}; 0 sail right f; hand 0 of; at 0 7",
    ),
    red("IT, difference 6: Red need not pay on", f"{TO_REVAL_AND_BACK}; 0 stop; asked 0 act"),
    *(
        case(
            f"EN and IT, difference 1: an office in Riga, {line}",
            f"0 {line}; hand 0 {left}",
            ships=(RIGA, LUBECK),
            hands=("oas4",),
            options=options,
        )
        for line, options, left in (
            ("build both", {}, "-"),
            ("build goods", ITALIAN, "4"),
            ("build markers", ITALIAN, "oas"),
        )
    ),
    *(
        case(f"EN and IT, the guild master: {line}", f"0 {line}", hands=(held,), guild=REVAL)
        for held, line in (
            *(("o", "swap_good ore 2"), ("a", "swap_good amber 6")),
            *(("444", "buy_raid 4"), ("oooooo", "sell_six ore three")),
        )
    ),
    trading("EN and IT: what Green may not trade", "0 trade s ss ! trade_for_itself"),
    *(
        trading(
            f"EN and IT, difference 18: Green trades {give} for {take}",
            f"0 trade {give} {take}; hand 0 {cargo}; city 3 {lying}",
        )
        for give, take, cargo, lying in (
            ("ffs", "oooooo", "ooooooasss", "ffsss"),
            ("ff", "ooos", "oooasssss", "oooffs"),
            ("a", "os", "offsssss", "oooooas"),
            ("as", "oooo", "ooooffsss", "ooasss"),
            ("ss", "oooo", "ooooffass", "oossss"),
        )
    ),
    case("one for one", "hands=ss city=3:f | 0 trade s f; hand 0 fs"),
    *(
        case(
            f"EN and IT, the 3:1 chit: {give} for {take}",
            f"0 trade {give} {take}; hand 0 {take}",
            hands=(give,),
            city={REVAL: take},
            chits={0: ("three",)},
        )
        for give, take in (("a", "off"), ("oa", "ffffff"))
    ),
    case(
        "EN, difference 19: Yellow lays a hidden 5 over the 7 of Reval",
        "hands=5 routes=3:7/4 | 0 reroute left 5; hand 0 7; routes 3 5? 4",
    ),
    case(
        "EN, ruling 39: a promise may be paid for, and is not enforced",
        """ships=3,3 hands=o,- asked=advance order=1,0 | 0 offer 1 o -; 1 accept 1; hand 1 o
        asked 1 advance""",
    ),
]


@pytest.mark.parametrize(("position", "script"), CASES)
def test_worked_examples(position: dict[str, Any], script: str) -> None:
    follow(table(**position), script)


def test_reval_is_number_three_and_produces_fur_and_riga_begins_with_three_fur() -> None:
    """EN and IT, the board and set-up."""
    assert (CITY_NAMES[REVAL], CONTENT.cities[REVAL].good) == ("Reval", "fur")
    state = GAME.setup(2, {}, RecordedChance(NEW_TABLE))
    assert (CITY_NAMES[RIGA], state.cities[RIGA].goods) == ("Riga", goods("fff"))


def test_founding_three_of_one_choice_take_back_their_markers_and_choose_another() -> None:
    """EN and IT, start position: the lowest city moves first; each has eight markers left."""
    state = GAME.setup(3, {}, RecordedChance(NEW_TABLE))
    follow(state, "0 found 4; 1 found 4; 2 found 4; hand 0 oof876543210; hand 2 oof876543210")
    assert refused(state, 1, "found 4").code == "city_barred"
    follow(state, "0 found 7; 1 found 1; 2 found 3; order 1 2 0; hand 0 oof86543210")
