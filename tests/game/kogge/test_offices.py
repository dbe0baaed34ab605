"""Advanced rule B: trading with offices."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.choices import Bundle
from bot.game.kogge import GAME
from bot.game.kogge.offers import OfficeAccepted, OfficeOffered, Withdrawn
from bot.game.kogge.partners import OfferLapsed
from bot.game.kogge.state import KoggeState, Movement, Offer, Push
from tests.game.kogge.places import HIDDEN, OPEN, REVAL, RIGA, STRALSUND
from tests.game.kogge.positions import domain, goods, hand, kinds, play, refused, table, told, words
from tests.game.kogge.random_games import steps

OFFICES = {"offices": "on"}
HIDDEN_OFFICES = {**OFFICES, **HIDDEN}


def at_reval(
    options: dict[str, str] = OFFICES, *, cargo: str = "oa55", store: str = "ff"
) -> KoggeState:
    """Seat 0 lies in Reval, where seat 1, who is in Riga, has an office."""
    return table(
        seats=3,
        ships=(REVAL, RIGA, STRALSUND),
        hands=(cargo, "s73", "a6"),
        offices={REVAL: [(1, store)]},
        options=options,
    )


def test_without_the_option_ships_deal_only_with_ships() -> None:
    state = at_reval({})
    assert "offer" not in kinds(state, 0)
    assert refused(state, 0, "offer office1 o f").code == "not_together"
    together = table(ships=(REVAL, REVAL), hands=("o", "f"), offices={REVAL: [(1, "f")]})
    assert words(together, 0, "offer") == ("1",)
    assert refused(together, 0, "offer office1 o f").code == "no_office_deals"


def test_a_ship_deals_with_another_players_office_in_its_city_if_the_owner_agrees() -> None:
    state = at_reval()
    assert words(state, 0, "offer") == ("office1",)
    events = play(state, 0, "offer office1 oa f")
    assert told(events, OfficeOffered) == [
        OfficeOffered(id=1, seat=0, other=1, city=REVAL, give="oa", take="f")
    ]
    assert hand(state, 0) == "oa55"
    assert ("answer", 1) in [(d.kind, d.seat) for d in GAME.pending(state)]
    play(state, 1, "accept 1")
    assert hand(state, 0) == "f55"
    assert hand(state, 1) == "s73"
    assert state.cities[REVAL].offices[0].goods == goods("oaf")


def test_the_owner_may_decline() -> None:
    state = at_reval()
    play(state, 0, "offer office1 o f")
    play(state, 1, "decline 1")
    assert state.offers == []
    assert hand(state, 0) == "oa55"


def test_markers_go_from_and_to_the_owners_hand() -> None:
    """Difference 28."""
    state = at_reval()
    play(state, 0, "offer office1 o5 f7")
    play(state, 1, "accept 1")
    assert hand(state, 0) == "fa75"
    assert hand(state, 1) == "s53"
    assert state.cities[REVAL].offices[0].goods == goods("of")


def test_of_an_office_only_its_own_goods_can_be_had() -> None:
    """Not those on its owner's ship, nor those of the city."""
    state = at_reval({**OFFICES, **OPEN})
    choices = domain(state, 0, "offer office1 o")
    assert isinstance(choices, Bundle)
    assert choices.stock() == "ff73"
    assert refused(state, 0, "offer office1 o s").code == "cannot_take"


def test_the_owner_cannot_pay_with_what_is_no_longer_in_the_office() -> None:
    state = at_reval()
    play(state, 0, "offer office1 o ff")
    state.cities[REVAL].offices[0].goods[1] = 1
    state.reserve[1] += 1
    assert "accept" not in kinds(state, 1)
    assert refused(state, 1, "accept 1").code == "cannot_give"


def test_the_owner_may_counter_and_goods_come_from_her_office() -> None:
    state = at_reval()
    play(state, 0, "offer office1 o ff")
    choices = domain(state, 1, "counter 1")
    assert isinstance(choices, Bundle)
    assert choices.stock() == "ff73"
    play(state, 1, "counter 1 f3 a")
    play(state, 0, "accept 2")
    assert hand(state, 0) == "of553"
    assert hand(state, 1) == "s7"
    assert state.cities[REVAL].offices[0].goods == goods("fa")


def test_ruling_63_either_side_begins_a_deal_with_an_office() -> None:
    """The owner of the office, too, wherever the own ship is."""
    state = at_reval()
    assert words(state, 1, "offer") == ("guest0",)
    play(state, 1, "offer guest0 f7 oa")
    assert (state.offers[0].seat, state.offers[0].other) == (1, 0)
    assert (state.offers[0].office, state.offers[0].city) == (1, REVAL)
    events = play(state, 0, "accept 1")
    assert OfficeAccepted(seat=1, other=0, city=REVAL, give="f7", take="oa") in told(
        events, OfficeAccepted
    )
    assert hand(state, 0) == "f755"
    assert hand(state, 1) == "s3"
    assert state.cities[REVAL].offices[0].goods == goods("ofa")


def test_ruling_63_the_owner_gives_what_lies_in_the_office_and_not_on_the_ship() -> None:
    state = at_reval({**OFFICES, **OPEN})
    give, take = domain(state, 1, "offer guest0"), domain(state, 1, "offer guest0 f")
    assert isinstance(give, Bundle)
    assert isinstance(take, Bundle)
    assert (give.stock(), take.stock()) == ("ff73", "oa55")
    assert refused(state, 1, "offer guest0 s o").code == "cannot_give"


def test_ruling_63_two_ships_in_one_city_deal_in_either_way() -> None:
    """Ship with ship, and by the office, each with an offer of its own."""
    state = at_reval()
    state.players[1].city = REVAL
    assert words(state, 1, "offer") == ("0", "guest0")
    assert words(state, 0, "offer") == ("1", "office1")
    play(state, 1, "offer 0 s o")
    play(state, 1, "offer guest0 f a")
    assert [offer.office for offer in state.offers] == [-1, 1]
    play(state, 1, "offer guest0 ff a")
    assert [(offer.office, offer.give) for offer in state.offers] == [(-1, "s"), (1, "ff")]


def test_ruling_63_the_offer_of_an_office_falls_when_the_ship_leaves() -> None:
    state = at_reval()
    state.frames = [Movement(REVAL)]
    play(state, 1, "offer guest0 f o")
    events = play(state, 0, "sail left -")
    assert told(events, OfferLapsed) == [OfferLapsed(seat=1, other=0)]


def test_no_ship_where_one_has_an_office_is_no_guest() -> None:
    state = at_reval()
    assert refused(state, 1, "offer guest2 f o").code == "no_guest"
    assert refused(state, 2, "offer guest0 - o").code == "no_partner_here"
    state = table(ships=(REVAL, REVAL), hands=("o", "f"), offices={REVAL: [(1, "f")]})
    assert refused(state, 1, "offer guest0 f o").code == "no_office_deals"


def test_two_offices_never_deal_with_each_other() -> None:
    """Both have offices in Stralsund; without a ship there, nobody deals."""
    state = table(
        ships=(REVAL, RIGA),
        hands=("o", "f"),
        offices={STRALSUND: [(0, "a"), (1, "a")]},
        options=OFFICES,
    )
    assert "offer" not in kinds(state, 0)
    assert "offer" not in kinds(state, 1)


def test_ones_own_office_is_no_partner() -> None:
    state = table(
        ships=(REVAL, RIGA), hands=("o", "f"), offices={REVAL: [(0, "f")]}, options=OFFICES
    )
    assert refused(state, 0, "offer office0 o f").code == "no_partner_here"
    state = table(
        seats=3,
        ships=(REVAL, RIGA, RIGA),
        hands=("o", "f", "a"),
        offices={REVAL: [(0, "f"), (2, "f")]},
        options=OFFICES,
    )
    assert words(state, 0, "offer") == ("office2",)
    assert refused(state, 0, "offer office0 o f").code == "not_a_choice"
    assert refused(state, 0, "offer office1 o f").code == "no_office_of"
    assert refused(state, 0, "offer office9 o f").code == "not_a_choice"


def test_a_ship_and_an_office_of_one_owner_are_two_partners() -> None:
    state = table(
        ships=(REVAL, REVAL), hands=("oo", "a7"), offices={REVAL: [(1, "f")]}, options=OFFICES
    )
    assert words(state, 0, "offer") == ("1", "office1")
    play(state, 0, "offer 1 o a")
    play(state, 0, "offer office1 o f")
    assert len(state.offers) == 2
    play(state, 1, "accept 1")
    play(state, 1, "accept 2")
    assert hand(state, 0) == "fa"
    assert hand(state, 1) == "o7"
    assert state.cities[REVAL].offices[0].goods == goods("o")


def test_a_new_offer_to_an_office_takes_the_place_of_the_old_one() -> None:
    state = at_reval()
    play(state, 0, "offer office1 o f")
    events = play(state, 0, "offer office1 a f")
    assert [offer.give for offer in state.offers] == ["a"]
    assert told(events, Withdrawn) == [Withdrawn(seat=0, other=1)]


def test_two_offices_of_one_owner_in_a_city_are_one_partner() -> None:
    state = table(
        ships=(REVAL, RIGA),
        hands=("oo", "7"),
        offices={REVAL: [(1, "f"), (1, "f")]},
        options=OFFICES,
    )
    assert words(state, 0, "offer") == ("office1",)
    play(state, 0, "offer office1 o ff")
    play(state, 1, "accept 1")
    assert hand(state, 0) == "off"


def test_an_offer_to_an_office_falls_when_the_ship_sails() -> None:
    """Also where the same owner has an office in the next city."""
    state = table(
        ships=(REVAL, STRALSUND),
        hands=("oa", "7"),
        routes={REVAL: ("4", "5")},
        offices={REVAL: [(1, "f")], RIGA: [(1, "f")]},
        asked="move",
        options=OFFICES,
    )
    play(state, 0, "offer office1 o f")
    events = play(state, 0, "sail left -")
    assert told(events, OfferLapsed) == [OfferLapsed(seat=0, other=1)]
    assert state.offers == []


def test_goods_of_any_kind_in_an_office_may_be_loaded_by_its_owner() -> None:
    state = at_reval()
    play(state, 0, "offer office1 oa -")
    play(state, 1, "accept 1")
    state.players[1].city = REVAL
    state.order, state.at = [1, 0, 2], 0
    state.frames = [table(asked="move", ships=(REVAL,) * 4).frames[0]]
    play(state, 1, "load offa")
    assert hand(state, 1) == "offas73"


def test_nobody_deals_with_offices_while_a_raid_is_settled() -> None:
    """Ruling 48."""
    state = at_reval()
    state.frames = [Push(2, 0)]
    assert refused(state, 0, "offer office1 o f").code == "deals_closed"


def test_of_a_hidden_deal_others_see_only_what_the_office_shows() -> None:
    state = at_reval(HIDDEN_OFFICES)
    events = play(state, 0, "offer office1 o5 f7")
    heard = [event for event in events if event.heard_by(2)]
    assert [dict(event.facts) for event in heard] == [{"seat": 0, "other": 1, "city": REVAL}]
    events = play(state, 1, "accept 1")
    heard = [event for event in events if event.heard_by(2)]
    assert [dict(event.facts) for event in heard] == [
        {"seat": 0, "other": 1, "city": REVAL, "give": "o", "take": "f"}
    ]
    heard = [event for event in events if event.heard_by(1)]
    assert told(heard, OfficeAccepted)[0].take == "f7"


def test_hidden_hands_may_be_asked_for_any_marker_but_offices_only_for_their_goods() -> None:
    state = at_reval(HIDDEN_OFFICES)
    choices = domain(state, 0, "offer office1 o")
    assert isinstance(choices, Bundle)
    assert choices.have[:4] == (0, 2, 0, 0)
    assert choices.have[4:] == tuple(range(6, 15))
    play(state, 0, "offer office1 o 8")
    assert refused(state, 1, "accept 1").code == "cannot_give"


def test_a_view_tells_whose_office_an_offer_is_about() -> None:
    state = at_reval(HIDDEN_OFFICES)
    play(state, 0, "offer office1 o f")
    offer = GAME.view(state, 1).offers[0]
    assert (offer.office, offer.city, offer.give) == (1, REVAL, "o")
    offer = GAME.view(state, 2).offers[0]
    assert (offer.office, offer.city, offer.give) == (1, REVAL, None)


def test_secret_offers_to_offices_vary_for_the_others_as_far_as_they_are_possible() -> None:
    state = at_reval(HIDDEN_OFFICES)
    state.offers = [Offer(1, 1, 0, "ff3", "o", office=1, city=REVAL)]
    twins = [GAME.resample(state, 2, Random(seed)) for seed in range(60)]
    gives = {twin.offers[0].give for twin in twins}
    assert len(gives) > 5
    assert {letter for give in gives for letter in give} - set("0123456789") == {"f"}
    for seed in range(60):
        # What is promised out of an office is not on the ship; the marker is in the hand.
        twin = GAME.resample(state, 0, Random(seed))
        assert twin.players[1].markers[3] >= 1
        assert twin.offers == state.offers


@pytest.mark.parametrize("options", [OFFICES, HIDDEN_OFFICES])
def test_deals_with_offices_come_about_in_random_games(options: dict[str, str]) -> None:
    offers = [
        offer
        for seed in range(8)
        for step in steps(4, options, seed)
        for offer in step.state.offers
    ]
    assert any(offer.office == offer.other for offer in offers)
    assert any(offer.office == offer.seat for offer in offers)
