"""Phase 3B b: the four deals with the guild master."""

from __future__ import annotations

import pytest

from bot.game.kogge import GAME
from bot.game.kogge.guild_deals import ChitBought, GoodExchanged, MarkerExchanged, RaidMarkerBought
from tests.game.kogge.places import LUBECK, REVAL
from tests.game.kogge.positions import hand, kinds, play, refused, table, told, words

SIX_ORE = "oooooo"


@pytest.mark.parametrize(
    "line", ["buy_raid 5", "sell_six ore three", "swap_good ore 2", "swap_marker 5"]
)
def test_the_guild_master_deals_only_where_he_is(line: str) -> None:
    """Difference 13."""
    state = table(hands=(SIX_ORE + "555",), guild=LUBECK)
    refusal = refused(state, 0, line)
    assert (refusal.code, refusal.facts) == ("no_guild_master", {"city": LUBECK})


def test_there_is_one_deal_a_turn_with_the_guild_master() -> None:
    """Ruling 22."""
    state = table(hands=(SIX_ORE + "f5552",), guild=REVAL)
    play(state, 0, "swap_marker 2")
    for line in ("buy_raid 5", "sell_six ore three", "swap_good ore 2", "swap_marker 5"):
        assert refused(state, 0, line).code == "already_done"


def test_three_equal_markers_buy_the_second_raid_once() -> None:
    state = table(hands=("5555552",), guild=REVAL)
    assert words(state, 0, "buy_raid") == ("5",)
    assert refused(state, 0, "buy_raid 2").code == "needs_three_alike"
    events = play(state, 0, "buy_raid 5")
    assert (state.players[0].raids, hand(state, 0)) == (2, "5552")
    assert told(events, RaidMarkerBought) == [RaidMarkerBought(seat=0, pieces="555")]
    state.frames[-1].used.clear()  # type: ignore[union-attr]
    assert refused(state, 0, "buy_raid 5").code == "raid_already_bought"


def test_a_raid_costs_three_of_one_number() -> None:
    assert refused(table(hands=("5544",), guild=REVAL), 0, "buy_raid 5").code == "needs_three_alike"


@pytest.mark.parametrize(
    ("letter", "good"), [("o", "ore"), ("f", "fur"), ("a", "amber"), ("s", "salt")]
)
def test_six_equal_goods_buy_a_chit_of_choice(letter: str, good: str) -> None:
    state = table(hands=(letter * 7,), guild=REVAL)
    events = play(state, 0, f"sell_six {good} spaces")
    assert hand(state, 0) == letter
    assert GAME.view(state, 1).seats[0].chits == ("spaces",)
    assert GAME.view(state, 1).seats[0].development_points == 1
    assert told(events, ChitBought) == [
        ChitBought(seat=0, chit="spaces", pieces=letter * 6, points=1)
    ]


def test_a_chit_costs_six_of_one_good() -> None:
    state = table(hands=("ooooofffff",), guild=REVAL)
    assert refused(state, 0, "sell_six ore three").code == "needs_six_alike"
    state = table(hands=("oooooof",), guild=REVAL)
    assert refused(state, 0, "sell_six fur three").code == "needs_six_alike"


def test_of_each_chit_there_are_two_and_one_may_own_both() -> None:
    """Ruling 33."""
    state = table(hands=(SIX_ORE,), guild=REVAL, chits={0: ("three",), 1: ("secret", "secret")})
    assert words(state, 0, "sell_six ore") == ("three", "marker", "spaces")
    refusal = refused(state, 0, "sell_six ore secret")
    assert (refusal.code, refusal.facts) == ("chits_gone", {"chit": "secret"})
    play(state, 0, "sell_six ore three")
    assert GAME.view(state, 0).seats[0].chits == ("three", "three")


def test_when_all_chits_are_sold_nobody_can_sell_six() -> None:
    state = table(
        seats=4,
        hands=(SIX_ORE,),
        guild=REVAL,
        chits={
            1: ("three", "three"),
            2: ("marker", "marker", "spaces"),
            3: ("spaces", "secret", "secret"),
        },
    )
    assert "sell_six" not in kinds(state, 0)
    assert refused(state, 0, "sell_six ore three").code == "all_chits_gone"


def test_a_good_is_exchanged_for_a_marker_of_its_colour_of_choice() -> None:
    """Difference 14; ruling 45: the buyer sees the numbers that the bag holds."""
    state = table(hands=("of",), guild=REVAL, bag="2203")
    assert words(state, 0, "swap_good") == ("ore", "fur")
    assert words(state, 0, "swap_good ore") == ("0", "2")
    assert refused(state, 0, "swap_good ore 1").code == "bag_lacks_marker"
    assert refused(state, 0, "swap_good ore 3").code == "wrong_colour"
    for line in ("swap_good ore 9", "swap_good ore x", "swap_good 2 2", "swap_good salt 8"):
        assert refused(state, 0, line).code == "not_a_choice"
    # The others did not know that the bag had one.
    assert GAME.discloses(state, ("swap_good", "ore", "2"))
    events = play(state, 0, "swap_good ore 2")
    assert hand(state, 0) == "f2"
    assert state.bag[2] == 1
    assert told(events, GoodExchanged) == [GoodExchanged(seat=0, good="ore", marker=2)]


@pytest.mark.parametrize("option", ["markers", "open", "hidden"])
def test_whoever_has_seen_numbers_of_the_bag_does_not_take_that_back_alone(option: str) -> None:
    """Ruling 45: the numbers are seen where one may buy, and with each good that one holds."""
    options = {"goods": option}
    moving = table(hands=("f",), guild=REVAL, options=options, asked="move")
    assert GAME.discloses(moving, ("stop",))
    elsewhere = table(hands=("f",), guild=LUBECK, options=options, asked="move")
    assert not GAME.discloses(elsewhere, ("stop",))

    acting = table(hands=("f",), guild=REVAL, city={REVAL: "o"}, bag="2203", options=options)
    assert words(acting, 0, "swap_good") == ("fur",)
    assert GAME.discloses(acting, ("trade", "f", "o"))
    play(acting, 0, "trade f o")
    assert words(acting, 0, "swap_good") == ("ore",)


def test_the_pairs_for_sale_are_not_in_the_bag() -> None:
    """Ruling 45."""
    state = table(hands=("f",), guild=REVAL, bag="3", display=("44",))
    assert words(state, 0, "swap_good fur") == ("3",)


def test_no_good_is_exchanged_where_the_bag_lacks_its_colour() -> None:
    """Difference 15."""
    state = table(hands=("fa",), guild=REVAL, bag="3")
    assert words(state, 0, "swap_good") == ("fur",)
    assert refused(state, 0, "swap_good amber 5").facts == {"good": "amber"}
    state = table(hands=("a",), guild=REVAL, bag="3")
    assert refused(state, 0, "swap_good amber 5").code == "bag_short"
    state = table(guild=REVAL)
    assert refused(state, 0, "swap_good ore 2").code == "nothing_to_pay"


def test_a_marker_is_exchanged_for_a_good_of_its_colour() -> None:
    state = table(hands=("84",), guild=REVAL)
    events = play(state, 0, "swap_marker 8")
    assert hand(state, 0) == "s4"
    assert told(events, MarkerExchanged) == [MarkerExchanged(seat=0, marker=8, good="salt")]


def test_no_marker_is_exchanged_where_the_reserve_lacks_its_good() -> None:
    """Difference 15."""
    state = table(hands=("84",), guild=REVAL, reserve="f")
    assert words(state, 0, "swap_marker") == ("4",)
    assert refused(state, 0, "swap_marker 8").facts == {"good": "salt"}
    assert refused(state, 0, "swap_marker 3").code == "not_a_choice"
    state = table(hands=("8",), guild=REVAL, reserve="f")
    assert refused(state, 0, "swap_marker 8").code == "reserve_short"
    assert refused(table(guild=REVAL), 0, "swap_marker 8").code == "no_markers"
