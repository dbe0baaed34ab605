"""Phase 3B: the actions of a turn: offices, the guild master's deals, pairs and trade."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

from bot.game.events import TurnEnded
from bot.game.kogge import GAME
from bot.game.kogge.actions import Built, PairBought
from bot.game.kogge.common import development_points
from bot.game.kogge.data import GOOD_LETTERS
from bot.game.kogge.guild_master import ChitBought, GoodExchanged, MarkerExchanged, RaidMarkerBought
from tests.game.kogge.places import ABO, ITALIAN, LUBECK, REVAL, RIGA, STRALSUND
from tests.game.kogge.positions import (
    asked,
    check_refused,
    goods,
    hand,
    kinds,
    known,
    play,
    refused,
    run,
    table,
    told,
    words,
)


def test_each_action_may_be_taken_once_a_turn_in_any_order() -> None:
    """Difference 2."""
    state = table(
        ships=(REVAL, LUBECK),
        hands=("ooooass33355",),
        guild=REVAL,
        display=("44", "66"),
        city={REVAL: "ff"},
        start=LUBECK,
    )
    for line, topic in (
        ("reroute left 5", "reroute"),
        ("buy 1 ore", "buying"),
        ("build both", "office"),
        ("trade o f", "trade"),
        ("swap_marker 5", "guild_deals"),
    ):
        play(state, 0, line)
        refusal = refused(state, 0, line)
        assert (refusal.code, refusal.topic) == ("already_done", topic)
    assert kinds(state, 0) == ("raid_city", "end")


def test_a_turn_may_end_without_any_action_and_actions_happen_where_the_movement_ended() -> None:
    state = table()
    assert told(play(state, 0, "end"), TurnEnded) == [TurnEnded(seat=0)]
    assert asked(state) == [(1, "move")]
    # Difference 40: actions happen where the ship ended its movement.
    state = table(asked="move", hands=("oas",), offices={STRALSUND: [(0, "")], ABO: [(0, "")]})
    run(state, "0 sail left -", "0 stop")
    assert refused(state, 0, "build both").facts["city"] == RIGA


def test_an_office_costs_one_of_each_other_good_and_the_citys_marker() -> None:
    """Difference 1, ruling 1: goods and marker."""
    state = table(hands=("oass3",))
    reserve, bag = state.reserve[:], state.bag[REVAL]
    events = play(state, 0, "build both")
    assert hand(state, 0) == "s"
    assert [office.seat for office in state.cities[REVAL].offices] == [0]
    assert [now - then for now, then in zip(state.reserve, reserve, strict=True)] == goods("oas")
    assert state.bag[REVAL] == bag + 1
    assert told(events, Built) == [Built(seat=0, city=REVAL, pieces="oas3", points=1)]
    for held, code, facts in (
        ("oafs", "needs_markers", {"city": REVAL, "count": 1, "marker": REVAL}),
        ("oa3", "needs_goods", {"city": REVAL, "pieces": "s"}),
        ("f3", "needs_goods", {"city": REVAL, "pieces": "oas"}),
    ):
        refusal = refused(table(hands=(held,)), 0, "build both")
        assert (refusal.code, refusal.topic, refusal.facts) == (code, "office", facts)


def test_the_second_office_costs_two_markers_whoever_owns_the_first_and_there_is_no_third() -> None:
    """Ruling 2: it may be one's own."""
    for owner in (0, 1):
        offices = {REVAL: [(owner, "")]}
        refusal = refused(table(hands=("oas3",), offices=offices), 0, "build both")
        assert refusal.facts == {"city": REVAL, "count": 2, "marker": REVAL}
        state = table(hands=("oas33",), offices=offices)
        play(state, 0, "build both")
        assert [office.seat for office in state.cities[REVAL].offices] == [owner, 0]
        assert hand(state, 0) == ""
    state = table(hands=("oas33333",), offices={REVAL: [(0, ""), (1, "")]})
    assert refused(state, 0, "build both").code == "city_full"


def test_by_the_italian_text_an_office_costs_goods_or_markers_and_only_what_one_can_pay() -> None:
    """Difference 1; who has neither is told both prices."""
    either = {"office_price": "either"}
    state = table(hands=("oa33",), offices={REVAL: [(1, "")]}, options=either)
    assert words(state, 0, "build") == ("markers",)
    assert refused(state, 0, "build goods").code == "needs_goods"
    assert refused(state, 0, "build both").code == "not_a_choice"
    state = table(hands=("oas3",), offices={REVAL: [(1, "")]}, options=either)
    assert words(state, 0, "build") == ("goods",)
    assert refused(state, 0, "build markers").facts["count"] == 2
    refusal = refused(table(hands=("oa",), options=ITALIAN), 0, "build goods")
    assert refusal.code == "needs_either"
    assert refusal.facts == {"city": REVAL, "pieces": "s", "count": 1, "marker": REVAL}


SIX_ORE = "oooooo"
ALL_DEALS = ("0 buy_raid 5", "0 sell_six ore three", "0 swap_good ore 2", "0 swap_marker 5")


def test_there_is_one_deal_a_turn_with_the_guild_master_and_only_where_he_is() -> None:
    """Difference 13 and ruling 22."""
    state = table(hands=(SIX_ORE + "555",), guild=LUBECK)
    check_refused(state, "no_guild_master", *ALL_DEALS)
    assert refused(state, 0, "buy_raid 5").facts == {"city": LUBECK}
    state = table(hands=(SIX_ORE + "f5552",), guild=REVAL)
    play(state, 0, "swap_marker 2")
    check_refused(state, "already_done", *ALL_DEALS)


def test_three_equal_markers_buy_the_second_raid_once() -> None:
    state = table(hands=("5555552",), guild=REVAL)
    assert words(state, 0, "buy_raid") == ("5",)
    check_refused(state, "needs_three_alike", "0 buy_raid 2")
    events = play(state, 0, "buy_raid 5")
    assert (state.players[0].raids, hand(state, 0)) == (2, "5552")
    assert told(events, RaidMarkerBought) == [RaidMarkerBought(seat=0, pieces="555")]
    state.frames[-1].used.clear()  # type: ignore[union-attr]
    check_refused(state, "raid_already_bought", "0 buy_raid 5")
    check_refused(table(hands=("5544",), guild=REVAL), "needs_three_alike", "0 buy_raid 5")


def test_six_equal_goods_buy_a_chit_of_choice() -> None:
    for letter, good in (("o", "ore"), ("f", "fur"), ("a", "amber"), ("s", "salt")):
        state = table(hands=(letter * 7,), guild=REVAL)
        events = play(state, 0, f"sell_six {good} spaces")
        assert hand(state, 0) == letter
        assert state.players[0].chits == [0, 0, 1, 0]
        assert development_points(known(state, 1), 0) == 1
        bought = ChitBought(seat=0, chit="spaces", pieces=letter * 6, points=1)
        assert told(events, ChitBought) == [bought]
    for held, good in (("ooooofffff", "ore"), ("oooooof", "fur")):
        state = table(hands=(held,), guild=REVAL)
        check_refused(state, "needs_six_alike", f"0 sell_six {good} three")


def test_of_each_chit_there_are_two_and_one_may_own_both() -> None:
    """Ruling 33."""
    state = table(hands=(SIX_ORE,), guild=REVAL, chits={0: ("three",), 1: ("secret", "secret")})
    assert words(state, 0, "sell_six ore") == ("three", "marker", "spaces")
    refusal = refused(state, 0, "sell_six ore secret")
    assert (refusal.code, refusal.facts) == ("chits_gone", {"chit": "secret"})
    play(state, 0, "sell_six ore three")
    assert (state.players[0].chits, state.chits) == ([2, 0, 0, 0], [0, 2, 2, 0])
    sold = {
        1: ("three", "three"),
        2: ("marker", "marker", "spaces"),
        3: ("spaces", "secret", "secret"),
    }
    state = table(seats=4, hands=(SIX_ORE,), guild=REVAL, chits=sold)
    assert "sell_six" not in kinds(state, 0)
    check_refused(state, "all_chits_gone", "0 sell_six ore three")


def test_a_good_is_exchanged_for_a_marker_of_its_colour_of_choice() -> None:
    """Difference 14; ruling 45: the buyer sees the numbers that the bag holds."""
    state = table(hands=("of",), guild=REVAL, bag="2203")
    assert words(state, 0, "swap_good") == ("ore", "fur")
    assert words(state, 0, "swap_good ore") == ("0", "2")
    check_refused(state, "bag_lacks_marker", "0 swap_good ore 1")
    check_refused(state, "wrong_colour", "0 swap_good ore 3")
    check_refused(state, "not_a_choice", "0 swap_good ore 9", "0 swap_good ore x")
    check_refused(state, "not_a_choice", "0 swap_good 2 2", "0 swap_good salt 8")
    # The others did not know that the bag had one.
    assert GAME.discloses(state, ("swap_good", "ore", "2"))
    # So whoever comes to see its numbers does not take that back alone.
    for guild in (REVAL, LUBECK):
        moving = table(hands=("f",), guild=guild, asked="move")
        assert GAME.discloses(moving, ("stop",)) == (guild == REVAL)
        acting = table(hands=("f",), guild=guild, city={REVAL: "o"})
        assert GAME.discloses(acting, ("trade", "f", "o")) == (guild == REVAL)
    events = play(state, 0, "swap_good ore 2")
    assert hand(state, 0) == "f2"
    assert state.bag[2] == 1
    assert told(events, GoodExchanged) == [GoodExchanged(seat=0, good="ore", marker=2)]
    # The pairs for sale are not in the bag.
    state = table(hands=("f",), guild=REVAL, bag="3", display=("44",))
    assert words(state, 0, "swap_good fur") == ("3",)
    # Difference 15: not where the bag lacks the colour.
    state = table(hands=("fa",), guild=REVAL, bag="3")
    assert words(state, 0, "swap_good") == ("fur",)
    assert refused(state, 0, "swap_good amber 5").facts == {"good": "amber"}
    check_refused(table(hands=("a",), guild=REVAL, bag="3"), "bag_short", "0 swap_good amber 5")
    check_refused(table(guild=REVAL), "nothing_to_pay", "0 swap_good ore 2")


def test_a_marker_is_exchanged_for_a_good_of_its_colour_that_the_reserve_has() -> None:
    """Difference 15."""
    state = table(hands=("84",), guild=REVAL)
    events = play(state, 0, "swap_marker 8")
    assert hand(state, 0) == "s4"
    assert told(events, MarkerExchanged) == [MarkerExchanged(seat=0, marker=8, good="salt")]
    state = table(hands=("84",), guild=REVAL, reserve="f")
    assert words(state, 0, "swap_marker") == ("4",)
    assert refused(state, 0, "swap_marker 8").facts == {"good": "salt"}
    check_refused(state, "not_a_choice", "0 swap_marker 3")
    state = table(hands=("8",), guild=REVAL, reserve="f")
    check_refused(state, "reserve_short", "0 swap_marker 8")
    check_refused(table(guild=REVAL), "no_markers", "0 swap_marker 8")


def test_one_good_of_any_kind_buys_one_pair_of_choice_and_later_players_find_fewer() -> None:
    """Difference 39."""
    state = table(hands=("os",), display=("87", "55", "40", "21"))
    events = play(state, 0, "buy 3 salt")
    assert hand(state, 0) == "o40"
    assert state.display == ["87", "55", "", "21"]
    assert told(events, PairBought) == [PairBought(seat=0, pieces="40", good="salt")]
    state = table(hands=("o",), display=("", "87", "40", ""))
    assert words(state, 0, "buy") == ("2", "3")
    for pair in (1, 4):
        refusal = refused(state, 0, f"buy {pair} ore")
        assert (refusal.code, refusal.facts) == ("pair_sold", {"count": pair})
    check_refused(state, "not_a_choice", "0 buy 0 ore", "0 buy 5 ore", "0 buy 2 fur")
    check_refused(table(hands=("o",), display=("", "")), "pairs_gone", "0 buy 1 ore")
    check_refused(table(hands=("5",), display=("87",)), "nothing_to_pay", "0 buy 1 ore")


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


def bundles(kinds: str, most: int, have: str) -> list[str]:
    """Every word of up to `most` goods of these kinds, of those that there are."""
    found = (
        "".join(word)
        for size in range(1, most + 1)
        for word in combinations_with_replacement(kinds, size)
    )
    return [word for word in found if all(word.count(x) <= have.count(x) for x in word)]


def test_trade_offers_exactly_what_can_be_assigned() -> None:
    """Rulings 21, 37 and 46, for all words of up to three goods given and six received."""
    hold = "oooffss"
    payable = set(bundles("ofs", 3, hold))
    stocks = (
        "",
        *["o", "s", "ooo", "of", "oof", "oos", "ooss", "ofas", "ooffaass", "ooooff", "ssssss"],
    )
    for stock, chits in product(stocks, ((), ("three",))):
        state = table(hands=(hold,), city={REVAL: stock}, chits={0: chits})
        takeable = bundles(GOOD_LETTERS, 6, stock)
        ways = product(payable, takeable)
        expected = {way for way in ways if can_be_assigned(*way, 3 if chits else 2)}
        offered = set()
        if "trade" in kinds(state, 0):
            given = payable & set(words(state, 0, "trade"))
            # No word to give is listed that nothing could be had for.
            assert given == {give for give, _ in expected}
            for give in given:
                taken = words(state, 0, f"trade {give}")
                offered |= {(give, take) for take in taken if len(take) <= 6}
        assert offered == expected, (stock, chits)


def test_a_wrong_trade_is_refused_for_what_is_wrong() -> None:
    """Ruling 21: there is one exchange, from the stock before it. Ruling 37: the chit's limit."""
    state = table(hands=("oooss",), city={REVAL: "ooff"})
    for line, code in (
        ("trade o oo", "trade_for_itself"),
        ("trade s aa", "not_in_city"),
        ("trade s offo", "not_a_choice"),  # letters out of order are no word
        ("trade s oof", "too_many"),
        ("trade ss o", "trade_too_little"),
        ("trade sss o", "not_in_stock"),
        ("trade fs oo", "not_in_stock"),  # what is received cannot pay
        ("trade ooo fff", "trade_too_much"),
        ("trade s o5", "not_a_choice"),
        ("trade - o", "too_few"),
        ("trade s", "incomplete"),
        ("trade", "incomplete"),
    ):
        refusal = refused(state, 0, line)
        assert (refusal.code, refusal.topic) == (code, "trade"), line
    state = table(hands=("s",), city={REVAL: "ffffff"}, chits={0: ("three", "three")})
    assert refused(state, 0, "trade s ffff").facts == {"param": "take", "count": 3}


def test_trade_needs_a_ship_that_has_moved_and_goods_of_different_kinds_on_both_sides() -> None:
    """Difference 17: offices do not trade."""
    refusal = refused(table(hands=("s",), city={REVAL: "ff"}, start=REVAL), 0, "trade s f")
    assert (refusal.code, refusal.facts) == ("trade_needs_move", {"city": REVAL})
    check_refused(table(city={REVAL: "f"}), "nothing_to_trade", "0 trade s f")
    check_refused(table(hands=("s",)), "city_empty", "0 trade s f")
    offices = {REVAL: [(0, "f"), (1, "f")]}
    check_refused(table(hands=("s",), offices=offices), "city_empty", "0 trade s f")
    check_refused(table(hands=("ff",), city={REVAL: "fff"}), "trade_same_good", "0 trade f f")
    # Ruling 21: only the single good must not pay for its own kind.
    state = table(ships=(ABO, LUBECK), hands=("of",), city={ABO: "of"})
    play(state, 0, "trade of of")
    assert hand(state, 0) == "of"
