"""Phases 1 and 2: bids and their ranking, the pairs for sale, supply and the order of play; the
guild master's way, its goods, and the laps; and advanced rule A: taxes."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.game.kogge import GAME
from bot.game.kogge.auction import rank
from bot.game.kogge.state import SECRET
from tests.game.kogge.places import ABO, DANZIG, HIDDEN, KOPENHAGEN, LUBECK, REVAL, RIGA, STOCKHOLM
from tests.game.kogge.positions import asked, case, follow, known, play, run, table

bids = st.lists(st.integers(0, 8), min_size=1, max_size=6).map(
    lambda numbers: "".join(str(n) for n in sorted(numbers, reverse=True))
)


@given(bids, bids, st.integers(0, 8))
def test_the_ranking_is_a_strict_order_and_of_mixed_bids_the_greater_sum_is_better(
    one: str, other: str, number: int
) -> None:
    """Ruling 5."""
    assert (rank(one) == rank(other)) == (one == other)
    longer = "".join(sorted(one + str(number), reverse=True))
    if len(set(longer)) > 1 and (len(one) == 1 or len(set(one)) > 1):
        assert rank(longer) > rank(one)


def test_one_bid_is_better_than_another() -> None:
    """Ruling 5 over the examples of both texts; differences 10 and 11."""
    for better, worse in (
        *(("22", "8"), ("11", "87654321"), ("5", "4"), ("00", "8"), ("00", "75")),
        *(("33", "22"), ("000", "88"), ("7", "43"), ("43", "6")),
        *(("533", "8"), ("33", "533")),  # ruling 6: only identical markers make a set
        ("62", "53"),  # same sum: the highest marker
        ("531", "522"),  # then the next highest
        ("40", "4"),  # then more markers
    ):
        assert rank(better) > rank(worse), (better, worse)


bidding = partial(case, asked="bid")
moving = partial(case, asked="advance", guild=ABO)
"""The guild master is about to move, from the city before Reval."""
EIGHT_RAIDED: dict[str, Any] = {
    "seats": 4,
    "guild": KOPENHAGEN,
    "raids": {number: (number // 2,) for number in range(8)},
    "second_raid": range(4),
}

CASES = [
    bidding(
        "ruling 3: in order of play, of own markers",
        """seats=3 hands=5,6,7 order=2,0,1 | asked 2 bid; 2 bid 6 ! not_in_stock
        2 bid 77 ! not_in_stock; 2 bid - ! too_few; 2 bid 7; asked 0 bid
        1 bid 6 ! not_your_turn other=0""",
    ),
    bidding(
        "ruling 4: a duplicate is the same markers",
        """hands=530,530 | 0 bid 53; 1 bid 53 ! bid_taken seat=0; 1 bid 530; order 1 0
        asked 1 advance""",
    ),
    *(
        bidding(
            f"who holds {second or 'nothing'} is passed over",
            "seats=3 | 0 bid 5; told no_bid seat=1; asked 2 bid",
            hands=("5", second, "6"),
        )
        for second in ("", "5")
    ),
    bidding("two of it are another bid", "hands=5,55 | 0 bid 5; asked 1 bid; 1 bid 55"),
    bidding(
        "ruling 7: those without a bid come last as they stood",
        "seats=4 hands=-,3,-,8 order=2,1,0,3 at=1 | 1 bid 3; 3 bid 8; order 3 1 2 0",
    ),
    case(
        "nobody can bid",
        """order=1,0 at=1 hands=o,o | 0 end; told no_bid seat=1; told no_bid seat=0
        asked 1 advance; untold supplied""",
    ),
    bidding(
        "ruling 47: a bidder deals her last marker away",
        "hands=5,o6 ships=3,3 | 0 offer 1 5 o; 1 accept 1; told no_bid seat=0; asked 1 bid",
    ),
    bidding(
        "ruling 8: each office gets one good, and pairs for sale bring none",
        """hands=33,3330 offices=3:0+1 display=66 | 0 bid 33; 1 bid 333; offices 3 f f
        city 3 ffffffff; told supplied count=10 seats=0,1""",
    ),
    bidding(
        "ruling 9: higher cities are served first, and the last takes what is left",
        "hands=87,0 reserve=sssoo | 0 bid 87; 1 bid 0; city 8 ss; city 7 s",
    ),
    *(
        bidding(
            f"ruling 10: {reserve or 'no'} amber for {offices} offices",
            f"0 bid 6; 1 bid 0; {'un' * (len(reserve) > 1)}told supply_short city=6;"
            f"offices 6 {there}; city 6 {rest}",
            hands=("6", "0"),
            offices={6: [(seat, "") for seat in range(offices)]},
            reserve=reserve + "ooff",
        )
        for offices, reserve, there, rest in (
            *((1, "", "-", "-"), (1, "a", "a", "-"), (2, "a", "- -", "a")),
            *((2, "aa", "a a", "-"), (1, "aa", "a", "a"), (0, "a", "", "a")),
        )
    ),
    case(
        "rulings 33, 36 and 44: chits draw after leftovers return and before pairs are laid out",
        """seats=3 at=2 order=2,0,1 chits=0:marker,2:marker display=55 bag=- | 1 end
        told extra_marker seat=2 marker=5; told extra_marker seat=0; hand 1 -""",
    ),
    case("an empty bag", "at=1 chits=0:marker bag=- | 1 end; untold extra_marker"),
    moving(
        "the first player alone moves him",
        """order=1,0 | asked 1 advance; 1 advance ? 1 2; 0 advance 1 ! not_your_turn
        1 advance 3 ! not_a_choice""",
    ),
    *(
        case(
            f"he walks {steps} from {start} with Raids in {sorted(raids)}",
            f"0 advance {steps}; guild {end}",
            asked="advance",
            guild=start,
            raids=raids,
        )
        for start, steps, raids, end in (
            *((KOPENHAGEN, 1, {}, 0), (LUBECK, 2, {}, 0)),
            # Ruling 11: cities with any Raid are skipped; the city he is in never counts.
            *((ABO, 1, {REVAL: (0,)}, 4), (ABO, 1, {REVAL: (0,), RIGA: (1,)}, 5)),
            *((ABO, 2, {RIGA: (0,)}, 5), (ABO, 2, {REVAL: (0,), DANZIG: (1,)}, 6)),
            (ABO, 1, {ABO: (0,)}, 3),
        )
    ),
    moving(
        "he brings two goods to the city and none to its offices",
        """offices=3:0 | 0 advance 1; city 3 ff; offices 3 -; told guild_master_brought count=2
        asked 0 move""",
    ),
    moving("ruling 14: what the reserve has", "reserve=f | 0 advance 1; city 3 f"),
    moving("ruling 14: nothing", "reserve=- | 0 advance 1; city 3 -"),
    moving("a lap", "end=3 | 0 advance 1; told lap_completed count=1; asked 0 move"),
    moving("ruling 15: not from where he stands", "end=2 | 0 advance 1; untold lap_completed"),
    *(
        case(
            f"rulings 12 and 13: the second lap ends the game by {steps} with Raids in {[*raids]}",
            f"""0 advance {steps}; guild {end}; told game_ended ending=laps
            untold guild_master_brought; city 2 -; asked""",
            asked="advance",
            guild=STOCKHOLM,
            end=ABO,
            laps=1,
            raids=raids,
        )
        for steps, raids, end in ((1, {}, 2), (2, {}, 3), (1, {ABO: (1,)}, 3))
    ),
    moving(
        "ruling 58: a step leads around to his own city",
        "0 advance 1; guild 8; told lap_completed count=1; city 8 ss",
        **EIGHT_RAIDED,
    ),
    moving("and another ends it", "0 advance 2; told game_ended ending=laps", **EIGHT_RAIDED),
]


@pytest.mark.parametrize(("position", "script"), CASES)
def test_rounds(position: dict[str, Any], script: str) -> None:
    follow(table(**position), script)


def test_a_round_returns_what_was_not_sold_and_lays_out_four_pairs() -> None:
    """Difference 3: first return, then draw. Ruling 44: a short bag gives whole pairs only."""
    state = table(hands=("o5", "o6"), display=("87", "", "55", "10"), at=1)
    before = sum(state.bag)
    play(state, 1, "end")
    assert (sum(state.bag), len(state.display)) == (before + 6 - 8, 4)
    for bag, pairs in (("", 0), ("5", 0), ("55", 1), ("5554444", 3), ("55554444", 4)):
        state = table(at=1, bag=bag)
        play(state, 1, "end")
        assert len(state.display) == pairs, bag


TAXES = {"taxes": "on"}
HIDDEN_TAXES = {**TAXES, **HIDDEN}

taxing = partial(moving, options=TAXES)


@pytest.mark.parametrize(
    ("position", "script"),
    [
        taxing(
            "ruling 48: one good of its owner's choice; meanwhile nobody deals",
            """seats=3 ships=3,3,4 hands=oa,fss,as | 0 advance 1; asked 0 tax 1 tax
            0 tax ? a o; 0 tax f ! not_in_stock; 2 tax a ! nothing_asked
            0 offer 1 o f ! deals_closed; 0 tax a; 1 tax f; told tax_paid seat=0 pieces=a
            told tax_paid seat=1 pieces=f; hand 0 o; hand 1 ss; hand 2 as; asked 0 move""",
        ),
        moving(
            "not without the rule", "ships=3,3 hands=oa,f | 0 advance 1; asked 0 move; hand 1 f"
        ),
        taxing(
            "ships that come later owe nothing",
            """ships=4,5 hands=oa,oa routes=4:3/5 | 0 advance 1; 0 sail left -; at 0 3
            hand 0 oa""",
        ),
        taxing(
            "nor does anybody after the end",
            "ships=3,3 hands=oa,oa end=3 laps=1 | 0 advance 1; asked; hand 0 oa",
        ),
        taxing(
            "ruling 38: with open goods those are asked who have a choice",
            """seats=4 ships=3,3,3,3 hands=-,oo,oa,s | 0 advance 1; asked 2 tax; 2 tax o
            hand 0 -; hand 1 o; hand 2 a; told tax_paid seat=3""",
        ),
        taxing(
            "nobody is asked",
            "ships=3,4 hands=oo,oa | 0 advance 1; told tax_paid seat=0 pieces=o; asked 0 move",
        ),
        taxing("nobody is there", "hands=oa,oa | 0 advance 2; asked 0 move"),
        taxing(
            "foreign goods go to the reserve, but not those in offices",
            """ships=4,5 city=3:ooffs offices=3:1oof | 0 advance 1; city 3 ffff; offices 3 oof
            told confiscated pieces=oos""",
        ),
        taxing("none is foreign", "city=3:ff | 0 advance 1; untold confiscated"),
        taxing(
            "ruling 65: his goods are laid before taxes are paid",
            """ships=3,3 hands=f,f reserve=f | 0 advance 1; told guild_master_brought count=1
            city 3 f""",
        ),
        taxing(
            "ruling 65: a fur paid is not brought at once",
            "ships=3,2 hands=f reserve=o | 0 advance 1; city 3 -",
        ),
        taxing(
            "ruling 60: with hidden goods every ship there is asked",
            """seats=4 ships=3,3,3,4 hands=-,oo,oa,oa options=taxes:on,goods:hidden | 0 advance 1
            asked 0 tax 1 tax 2 tax; 0 tax ? -; 1 tax ? o; 0 tax -; 2 tax a; 1 tax o
            told tax_paid_secretly seats=0,1,2 pieces=oa; heard 3 tax_paid_secretly
            heard 1 tax_paid tax_paid_secretly; hand 0 -; hand 1 o; hand 2 o""",
        ),
        taxing(
            "a good on offer may be paid, and the offer falls",
            "ships=3,3 hands=oa,o | 0 offer 1 a o; 0 advance 1; 0 tax a; told lapsed seat=0",
        ),
    ],
)
def test_taxes(position: dict[str, Any], script: str) -> None:
    follow(table(**position), script)


def test_a_tax_is_sealed_and_may_be_changed_until_the_last_one() -> None:
    for options in (TAXES, HIDDEN_TAXES):
        position: dict[str, Any] = {"asked": "advance", "guild": ABO, "options": options}
        state = table(ships=(REVAL, REVAL), hands=("oa", "oa"), **position)
        play(state, 0, "advance 1")
        question = {d.id for d in GAME.pending(state)}
        assert [event.only for event in play(state, 0, "tax a")] == [(0,)]
        for seat, word in ((0, "a"), (1, SECRET)):
            frame = known(state, seat).frames[-1]
            assert getattr(frame, "chosen")[0] == word  # noqa: B009
        assert asked(state) == [(1, "tax")]
        assert {d.id for d in GAME.pending(state)} == question
        run(state, "0 tax o", "1 tax a")
        follow(state, "hand 0 a")
        assert {d.id for d in GAME.pending(state)} != question
