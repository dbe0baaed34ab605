"""Buying pairs, and trading with the city (phase 3B c and d)."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.game.kogge.data import GOOD_LETTERS
from bot.game.kogge.trade import PairBought
from tests.game.kogge.places import ABO, LUBECK, REVAL
from tests.game.kogge.positions import goods, hand, kinds, play, refused, table, told, words


def test_one_good_of_any_kind_buys_one_pair_of_choice() -> None:
    """Difference 39."""
    state = table(hands=("os",), display=("87", "55", "40", "21"))
    events = play(state, 0, "buy 3 salt")
    assert hand(state, 0) == "o40"
    assert state.display == ["87", "55", "", "21"]
    assert told(events, PairBought) == [PairBought(seat=0, pieces="40", good="salt")]


def test_later_players_find_fewer_pairs() -> None:
    state = table(hands=("o",), display=("", "87", "40", ""))
    assert words(state, 0, "buy") == ("2", "3")
    for pair in (1, 4):
        refusal = refused(state, 0, f"buy {pair} ore")
        assert (refusal.code, refusal.facts) == ("pair_sold", {"count": pair})
    assert refused(state, 0, "buy 0 ore").code == "not_a_choice"
    assert refused(state, 0, "buy 5 ore").code == "not_a_choice"
    assert refused(state, 0, "buy 2 fur").code == "not_a_choice"
    assert refused(table(hands=("o",), display=("", "")), 0, "buy 1 ore").code == "pairs_gone"


def test_a_pair_is_paid_with_a_good_and_no_marker() -> None:
    assert refused(table(hands=("5",), display=("87",)), 0, "buy 1 ore").code == "nothing_to_pay"


def can_be_assigned(give: str, take: str, ratio: int) -> bool:
    """Whether each good received is paid by one of another kind, which brings 1 to `ratio`."""
    if not take:
        return not give
    # Each way to name a payer for every received good, by brute force.
    for payers in product(range(len(give)), repeat=len(take)):
        if any(give[payer] == got for payer, got in zip(payers, take, strict=True)):
            continue
        if all(1 <= payers.count(payer) <= ratio for payer in range(len(give))):
            return True
    return False


def bundles(kinds: str, most: int) -> list[str]:
    """Every word of up to `most` goods of these kinds."""
    return [
        "".join(word)
        for size in range(1, most + 1)
        for word in combinations_with_replacement(kinds, size)
    ]


@pytest.mark.parametrize("chits", [(), ("three",)])
@pytest.mark.parametrize(
    "stock",
    ["", "o", "s", "ooo", "of", "oof", "oos", "ooss", "ofas", "ooffaass", "ooooff", "ssssss"],
)
def test_trade_offers_exactly_what_can_be_assigned(stock: str, chits: tuple[str, ...]) -> None:
    """Rulings 21, 37 and 46, for all words of up to three goods given and six received."""
    ratio = 3 if chits else 2
    hold = "oooffss"
    state = table(hands=(hold,), city={REVAL: stock}, chits={0: chits})
    payable = {
        word for word in bundles("ofs", 3) if all(word.count(x) <= hold.count(x) for x in word)
    }
    takeable = [
        word
        for word in bundles(GOOD_LETTERS, 6)
        if all(word.count(x) <= stock.count(x) for x in word)
    ]
    expected = {
        (give, take) for give in payable for take in takeable if can_be_assigned(give, take, ratio)
    }
    offered = set()
    if "trade" in kinds(state, 0):
        offered = {
            (give, take)
            for give in words(state, 0, "trade")
            if give in payable
            for take in words(state, 0, f"trade {give}")
            if len(take) <= 6
        }
        # No word to give is listed that nothing could be had for.
        assert payable & set(words(state, 0, "trade")) == {give for give, _ in expected}
    assert offered == expected


@settings(max_examples=200)
@given(
    st.text("oofas", min_size=1, max_size=3),
    st.text(GOOD_LETTERS, max_size=3),
    st.text(GOOD_LETTERS, min_size=1, max_size=8),
    st.integers(1, 6),
    st.sampled_from(((), ("three",))),
)
def test_any_trade_is_allowed_just_when_it_can_be_assigned(
    give: str, rest: str, stock: str, size: int, chits: tuple[str, ...]
) -> None:
    """Ruling 21, with any stock and hand."""
    give, take = (sorted_goods(word) for word in (give, stock[:size]))
    state = table(hands=(give + rest,), city={REVAL: stock}, chits={0: chits})
    if can_be_assigned(give, take, 3 if chits else 2):
        play(state, 0, f"trade {give} {take}")
        assert hand(state, 0) == sorted_goods(rest + take)
    else:
        refused(state, 0, f"trade {give} {take}")


def sorted_goods(word: str) -> str:
    """The word in canonical order."""
    return "".join(sorted(word, key=GOOD_LETTERS.index))


def test_goods_come_to_the_ship_and_payment_to_the_city() -> None:
    """Difference 17: the only payment that stays in the city."""
    state = table(hands=("s",), city={REVAL: "fff"}, offices={REVAL: [(0, "f"), (1, "")]})
    reserve = state.reserve[:]
    play(state, 0, "trade s ff")
    assert hand(state, 0) == "ff"
    assert state.cities[REVAL].goods == goods("fs")
    assert state.reserve == reserve
    assert [office.goods for office in state.cities[REVAL].offices] == [goods("f"), goods("")]


def test_goods_in_offices_are_not_traded() -> None:
    state = table(hands=("s",), offices={REVAL: [(0, "f"), (1, "f")]})
    assert refused(state, 0, "trade s f").code == "city_empty"


@pytest.mark.parametrize("take", ["f", "ff"])
def test_each_good_brings_one_or_two(take: str) -> None:
    state = table(hands=("s",), city={REVAL: "ffff"})
    play(state, 0, f"trade s {take}")
    assert hand(state, 0) == take


def test_three_for_one_by_chit() -> None:
    """Ruling 37: up to three for each good paid."""
    state = table(hands=("ss",), city={REVAL: "ffffff"}, chits={0: ("three",)})
    play(state, 0, "trade ss ffffff")
    assert hand(state, 0) == "ffffff"
    state = table(hands=("s",), city={REVAL: "ffffff"}, chits={0: ("three", "three")})
    assert refused(state, 0, "trade s ffff").facts == {"param": "take", "count": 3}


def test_what_was_just_received_cannot_pay() -> None:
    """Ruling 21: there is one exchange, from the stock before it."""
    state = table(hands=("s",), city={REVAL: "fo"})
    assert refused(state, 0, "trade fs oo").code == "not_in_stock"
    play(state, 0, "trade s o")
    assert refused(state, 0, "trade o f").code == "already_done"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("trade o oo", "trade_for_itself"),
        ("trade s aa", "not_in_city"),
        ("trade s offo", "not_a_choice"),  # letters out of order are no word
        ("trade s oof", "too_many"),
        ("trade ss o", "trade_too_little"),
        ("trade sss o", "not_in_stock"),
        ("trade ooo fff", "trade_too_much"),
        ("trade s o5", "not_a_choice"),
        ("trade - o", "too_few"),
        ("trade s", "incomplete"),
        ("trade", "incomplete"),
    ],
)
def test_a_wrong_trade_is_refused_for_what_is_wrong(line: str, code: str) -> None:
    state = table(hands=("oooss",), city={REVAL: "ooff"})
    refusal = refused(state, 0, line)
    assert (refusal.code, refusal.topic) == (code, "trade")


def test_a_ship_that_did_not_leave_may_not_trade() -> None:
    state = table(hands=("s",), city={REVAL: "ff"}, start=REVAL)
    refusal = refused(state, 0, "trade s f")
    assert (refusal.code, refusal.facts) == ("trade_needs_move", {"city": REVAL})


def test_trade_needs_goods_on_both_sides_and_of_different_kinds() -> None:
    assert refused(table(city={REVAL: "f"}), 0, "trade s f").code == "nothing_to_trade"
    assert refused(table(hands=("s",)), 0, "trade s f").code == "city_empty"
    state = table(hands=("ff",), city={REVAL: "fff"})
    assert refused(state, 0, "trade f f").code == "trade_same_good"


def test_a_mixed_payment_may_bring_kinds_that_are_in_it() -> None:
    """Ruling 21: only the single good must not pay for its own kind."""
    state = table(ships=(ABO, LUBECK), hands=("of",), city={ABO: "of"})
    play(state, 0, "trade of of")
    assert hand(state, 0) == "of"
