"""Advanced rule A: taxes."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from bot.game.kogge import GAME
from bot.game.kogge.guild_master import Confiscated, GuildMasterBrought, TaxPaid, TaxPaidSecretly
from bot.game.kogge.partners import OfferLapsed
from tests.game.kogge.places import ABO, DANZIG, HIDDEN, REVAL, RIGA, STOCKHOLM
from tests.game.kogge.positions import asked, goods, hand, kinds, play, refused, table, told, words
from tests.game.kogge.random_games import steps

TAXES = {"taxes": "on"}
HIDDEN_TAXES = {**TAXES, **HIDDEN}

before_taxes = partial(table, asked="advance", guild=ABO, options=TAXES)
"""The guild master is about to move, from the city before Reval."""


def test_without_the_option_nobody_pays() -> None:
    state = table(ships=(REVAL, REVAL), hands=("oa", "f"), asked="advance", guild=ABO)
    play(state, 0, "advance 1")
    assert asked(state) == [(0, "move")]
    assert hand(state, 1) == "f"


def test_each_ship_in_his_city_pays_one_good_of_its_owners_choice() -> None:
    state = before_taxes(seats=3, ships=(REVAL, REVAL, RIGA), hands=("oa", "fss", "as"))
    reserve = state.reserve[:]
    play(state, 0, "advance 1")
    assert asked(state) == [(0, "tax"), (1, "tax")]
    assert words(state, 0, "tax") == ("a", "o")
    assert refused(state, 0, "tax f").code == "not_in_stock"
    assert refused(state, 2, "tax a").code == "nothing_asked"
    play(state, 0, "tax a")
    events = play(state, 1, "tax f")
    assert [hand(state, seat) for seat in range(3)] == ["o", "ss", "as"]
    paid = {"f": -1, "a": 1}  # two fur were brought, one came back
    assert [n - m for n, m in zip(state.reserve, reserve, strict=True)] == [
        0,
        paid["f"],
        paid["a"],
        0,
    ]
    assert told(events, TaxPaid) == [
        TaxPaid(seat=0, pieces="a"),
        TaxPaid(seat=1, pieces="f"),
    ]
    assert asked(state) == [(0, "move")]


def test_with_open_goods_only_those_who_have_a_choice_are_asked() -> None:
    """One kind pays by itself, and an empty ship pays nothing (ruling 38)."""
    state = before_taxes(seats=4, ships=(REVAL,) * 4, hands=("", "oo", "oa", "s"))
    play(state, 0, "advance 1")
    assert asked(state) == [(2, "tax")]
    events = play(state, 2, "tax o")
    assert [hand(state, seat) for seat in range(3)] == ["", "o", "a"]
    assert len(told(events, TaxPaid)) == 4


def test_nobody_is_asked_where_nobody_has_a_choice() -> None:
    state = before_taxes(ships=(REVAL, RIGA), hands=("oo", "oa"))
    events = play(state, 0, "advance 1")
    assert told(events, TaxPaid) == [TaxPaid(seat=0, pieces="o")]
    assert asked(state) == [(0, "move")]
    play(before_taxes(hands=("oa", "oa")), 0, "advance 2")


def test_foreign_goods_in_the_city_go_to_the_reserve_but_not_those_in_offices() -> None:
    state = before_taxes(ships=(RIGA, DANZIG), city={REVAL: "ooffs"}, offices={REVAL: [(1, "oof")]})
    events = play(state, 0, "advance 1")
    assert state.cities[REVAL].goods == goods("ffff")
    assert state.cities[REVAL].offices[0].goods == goods("oof")
    assert told(events, Confiscated) == [Confiscated(city=REVAL, pieces="oos")]


def test_where_all_goods_are_the_citys_own_none_are_confiscated() -> None:
    state = before_taxes(city={REVAL: "ff"})
    assert told(play(state, 0, "advance 1"), Confiscated) == []


def test_ships_that_come_to_the_city_later_pay_nothing() -> None:
    state = before_taxes(ships=(RIGA, DANZIG), hands=("oa", "oa"), routes={RIGA: ("3", "5")})
    play(state, 0, "advance 1")
    play(state, 0, "sail left -")
    assert state.players[0].city == state.guild_city == REVAL
    assert hand(state, 0) == "oa"


def test_the_end_of_the_game_comes_before_taxes() -> None:
    state = before_taxes(ships=(REVAL, REVAL), hands=("oa", "oa"), end=REVAL, laps=1)
    play(state, 0, "advance 1")
    assert asked(state) == []
    assert hand(state, 0) == "oa"


def test_his_goods_come_before_what_is_paid() -> None:
    """A fur paid into an empty reserve is not brought to the city at once."""
    state = before_taxes(ships=(REVAL, ABO), hands=("f",), reserve="o")
    play(state, 0, "advance 1")
    assert state.cities[REVAL].goods == goods("")
    assert state.reserve == goods("of")


def test_with_hidden_goods_every_ship_there_is_asked() -> None:
    """Ruling 60: also with one kind or none, so that the asking tells nothing."""
    state = before_taxes(
        seats=4,
        ships=(REVAL, REVAL, REVAL, RIGA),
        hands=("", "oo", "oa", "oa"),
        options=HIDDEN_TAXES,
    )
    play(state, 0, "advance 1")
    assert asked(state) == [(0, "tax"), (1, "tax"), (2, "tax")]
    assert words(state, 0, "tax") == ("",)
    assert words(state, 1, "tax") == ("o",)
    play(state, 0, "tax -")
    play(state, 2, "tax a")
    events = play(state, 1, "tax o")
    assert [hand(state, seat) for seat in range(3)] == ["", "o", "o"]
    heard = [event for event in events if event.heard_by(3)]
    assert told(heard, TaxPaid) == []
    assert told(heard, TaxPaidSecretly) == [TaxPaidSecretly(seats=(0, 1, 2), pieces="oa")]
    heard = [event for event in events if event.heard_by(1)]
    assert told(heard, TaxPaid) == [TaxPaid(seat=1, pieces="o")]


@pytest.mark.parametrize("options", [TAXES, HIDDEN_TAXES])
def test_a_choice_is_sealed_and_may_be_changed_until_the_last_one(options: dict[str, str]) -> None:
    state = before_taxes(ships=(REVAL, REVAL), hands=("oa", "oa"), options=options)
    play(state, 0, "advance 1")
    question = {d.id for d in GAME.pending(state)}
    events = play(state, 0, "tax a")
    assert [event.only for event in events] == [(0,)]
    assert GAME.view(state, 0).sealed == "a"
    assert GAME.view(state, 1).sealed is None
    assert asked(state) == [(1, "tax")]
    assert {d.id for d in GAME.pending(state)} == question
    play(state, 0, "tax o")
    play(state, 1, "tax a")
    assert hand(state, 0) == "a"
    assert {d.id for d in GAME.pending(state)} != question


def test_nobody_deals_while_taxes_are_chosen() -> None:
    """Ruling 48."""
    state = before_taxes(ships=(REVAL, REVAL), hands=("oa", "oa"))
    play(state, 0, "advance 1")
    assert "offer" not in kinds(state, 0)
    assert refused(state, 0, "offer 1 o a").code == "deals_closed"


def test_a_good_on_offer_may_be_paid_and_the_offer_falls() -> None:
    state = before_taxes(ships=(REVAL, REVAL), hands=("oa", "o"))
    play(state, 0, "offer 1 a o")
    play(state, 0, "advance 1")
    events = play(state, 0, "tax a")
    assert told(events, OfferLapsed) == [OfferLapsed(seat=0, other=1)]


def test_with_hidden_goods_the_offers_of_all_who_are_taxed_fall_with_the_taxes() -> None:
    """Whatever they promise: which of them falls would tell what was paid (ruling 61)."""
    state = before_taxes(
        seats=3, ships=(REVAL,) * 3, hands=("oa", "of5", "s"), options=HIDDEN_TAXES
    )
    play(state, 0, "offer 1 a o")
    play(state, 1, "offer 2 5 s")
    play(state, 0, "advance 1")
    play(state, 0, "tax o")
    play(state, 1, "tax f")
    events = play(state, 2, "tax s")
    assert told(events, OfferLapsed) == [OfferLapsed(seat=0, other=1), OfferLapsed(seat=1, other=2)]
    assert state.offers == []


def test_ruling_65_the_guild_masters_goods_are_laid_before_taxes_are_paid() -> None:
    """So the last good of the reserve comes to the city, though a tax of that kind is paid."""
    state = before_taxes(ships=(REVAL, REVAL), hands=("f", "f"), reserve="f")
    events = play(state, 0, "advance 1")
    assert [event.kind for event in events if event.kind != "guild_master_moved"] == [
        "guild_master_brought",
        "tax_paid",
        "tax_paid",
    ]
    assert told(events, GuildMasterBrought)[0].count == 1
    assert state.reserve[1] == 2


def test_secret_taxes_vary_for_the_others() -> None:
    state = before_taxes(
        seats=3,
        ships=(REVAL,) * 3,
        hands=("oa", "ooffaass", "ooffaass"),
        guild=STOCKHOLM,
        options=HIDDEN_TAXES,
    )
    play(state, 0, "advance 2")
    play(state, 1, "tax a")
    twins = [GAME.resample(state, 0, Random(seed)) for seed in range(40)]
    assert {twin.frames[-1].chosen[1] for twin in twins} == set("ofas") | {""}  # type: ignore[union-attr]
    assert {twin.frames[-1].chosen[2] for twin in twins} == {None}  # type: ignore[union-attr]


def test_taxes_are_chosen_in_random_games() -> None:
    for options in (TAXES, HIDDEN_TAXES):
        taken = [step.action[0] for seed in range(5) for step in steps(4, options, seed)]
        assert "tax" in taken
