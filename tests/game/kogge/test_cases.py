"""The rules chapter by chapter: the scripts of cases.txt, and tests beyond these."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement, product

import pytest

from bot.game.chance import RecordedChance
from bot.game.kogge import GAME
from bot.game.kogge.data import CITY_NAMES, CONTENT, GOOD_LETTERS
from bot.game.kogge.rounds import rank
from tests.game.kogge.places import REVAL, RIGA
from tests.game.kogge.positions import at, cases, follow, goods, known, play, refused, words

NEW_TABLE = [0, *range(1, 9), 0, *((number + 2) % 9 for number in range(9))]
"""The guild master in city 0, left routes 1..8 and 0, right routes two further on."""


@pytest.mark.parametrize("scripts", cases())
def test_the_rules(scripts: Sequence[str]) -> None:
    for script in scripts:
        follow(script)


def test_reval_is_number_three_and_produces_fur_and_riga_starts_with_three_fur() -> None:
    """EN and IT, board and set-up."""
    assert (CITY_NAMES[REVAL], CONTENT.cities[REVAL].good) == ("Reval", "fur")
    state = GAME.setup(2, {}, RecordedChance(NEW_TABLE))
    assert (CITY_NAMES[RIGA], state.cities[RIGA].goods) == ("Riga", goods("fff"))


def test_three_equal_choices_at_the_founding_are_taken_back() -> None:
    """EN and IT, start position: the lowest city plays first; all have eight markers left."""
    follow(
        """0 found 4; 1 found 4; 2 found 4; hand 0 oof876543210; hand 2 oof876543210;
        1 found 4 ! city_barred; 0 found 7; 1 found 1; 2 found 3; order 1 2 0;
        hand 0 oof86543210""",
        GAME.setup(3, {}, RecordedChance(NEW_TABLE)),
    )


def test_bids_have_a_rank() -> None:
    """Ruling 5 and the examples of both texts; differences 10 and 11."""
    for better, worse in (
        *(("22", "8"), ("11", "87654321"), ("5", "4"), ("00", "8"), ("00", "75")),
        *(("33", "22"), ("000", "88"), ("7", "43"), ("43", "6")),
        *(("533", "8"), ("33", "533")),  # ruling 6: only identical markers make a set
        ("62", "53"),  # same sum: the highest marker
        ("531", "522"),  # then the next highest
        ("40", "4"),  # then more markers
    ):
        assert rank(better) > rank(worse), (better, worse)


@pytest.mark.parametrize(
    ("begin", "first", "rest"),
    [
        (
            "asked=found ships=-1,-1 hands=54,41 | asked 0 found 1 found",
            "5",
            "0 found 4; 1 found 1",
        ),
        ("taxing together hands=oa,oa | 0 advance 1", "a", "0 tax o; 1 tax a; hand 0 a"),
        (
            "conflicts ships=6,6 hands=oo84,fa55 | 0 end; 0 challenge 1",
            "4",
            "0 bid 84; 1 bid 5; hand 1 fa854",
        ),
    ],
)
def test_a_sealed_choice_can_be_changed_until_the_last_one(
    begin: str, first: str, rest: str
) -> None:
    state = follow(begin)
    asked = {decision.id for decision in GAME.pending(state)}
    events = play(state, 0, f"{rest.split()[1]} {first}")
    assert [event.only for event in events] == [(0,)]
    assert [decision.optional for decision in GAME.pending(state)] == [False, True]
    assert {decision.id for decision in GAME.pending(state)} == asked
    assert known(state, 0).frames == state.frames != known(state, 1).frames
    follow(rest, state)
    assert not asked & {decision.id for decision in GAME.pending(state)}


def test_a_refusal_has_the_topic_of_its_rule() -> None:
    """Bids in the auction and in a conflict have different topics."""
    for line, topic in (
        *(("reroute left 5", "reroute"), ("buy 1 ore", "buying"), ("build both", "office")),
        *(("trade o f", "trade"), ("swap_marker 5", "guild_deals"), ("bid 5", "auction")),
    ):
        assert refused(at(""), 0, line).topic == GAME.moves[line.split()[0]].topic == topic
    state = follow("meeting | 0 end; 0 challenge 1")
    assert refused(state, 0, "bid x").topic == "conflicts"


def is_assignable(give: str, take: str, ratio: int) -> bool:
    """Return whether each given good can buy 1 to `ratio` goods of other kinds, by brute force."""
    return any(
        all(give[payer] != got for payer, got in zip(payers, take, strict=True))
        and all(1 <= payers.count(payer) <= ratio for payer in range(len(give)))
        for payers in product(range(len(give)), repeat=len(take))
    )


def bundles(kinds: str, maximum: int, have: str) -> set[str]:
    """Return all words of up to `maximum` goods of these kinds from a stock."""
    sizes = range(1, maximum + 1)
    found = ("".join(each) for n in sizes for each in combinations_with_replacement(kinds, n))
    return {word for word in found if all(word.count(x) <= have.count(x) for x in word)}


def test_a_trade_lists_exactly_the_assignable_goods() -> None:
    """Rulings 21, 37 and 46, for all words of up to three goods given and six received."""
    payable = bundles("ofs", 3, "oooffss")
    stocks = ("-", "o", "s", "ooo", "of", "oof", "oos", "ooss", "ofas", "ooffaass", "ssssss")
    for stock, (chits, ratio) in product(stocks, (("", 2), ("chits=0:three", 3))):
        state = at(f"hands=oooffss city=3:{stock} {chits}")
        ways = product(payable, bundles(GOOD_LETTERS, 6, stock))
        expected = {way for way in ways if is_assignable(*way, ratio)}
        given = payable & set(words(state, 0, "trade") if "trade" in words(state, 0) else ())
        # Goods that cannot buy anything must not be listed.
        assert given == {give for give, _ in expected}
        offered = {(g, t) for g in given for t in words(state, 0, f"trade {g}") if len(t) <= 6}
        assert offered == expected, (stock, chits)
