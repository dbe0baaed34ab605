"""Advanced rule B: trading with offices."""

from __future__ import annotations

from random import Random

from bot.game.choices import Bundle
from bot.game.kogge import GAME
from bot.game.kogge.offers import OfficeAccepted, OfficeOffered, Withdrawn
from bot.game.kogge.partners import OfferLapsed
from bot.game.kogge.state import KoggeState, Movement, Offer, Push
from tests.game.kogge.places import HIDDEN, OPEN, REVAL, RIGA, STRALSUND
from tests.game.kogge.positions import (
    check_refused,
    domain,
    goods,
    hand,
    kinds,
    play,
    run,
    table,
    told,
    words,
)

OFFICES = {"offices": "on"}
HIDDEN_OFFICES = {**OFFICES, **HIDDEN}


def at_reval(options: dict[str, str] = OFFICES) -> KoggeState:
    """Seat 0 lies in Reval, where seat 1, who is in Riga, has an office."""
    return table(
        seats=3,
        ships=(REVAL, RIGA, STRALSUND),
        hands=("oa55", "s73", "a6"),
        offices={REVAL: [(1, "ff")]},
        options=options,
    )


def stored(state: KoggeState) -> list[int]:
    """The goods in the first office of Reval."""
    return state.cities[REVAL].offices[0].goods


def stock(state: KoggeState, seat: int, line: str) -> str:
    """The pieces that may follow the words of a line."""
    choices = domain(state, seat, line)
    assert isinstance(choices, Bundle)
    return choices.stock()


def test_a_ship_deals_with_another_players_office_in_its_city_if_the_owner_agrees() -> None:
    """Difference 28: markers go from and to the owner's hand."""
    state = at_reval()
    assert words(state, 0, "offer") == ("office1",)
    events = play(state, 0, "offer office1 o5 f7")
    made = OfficeOffered(id=1, seat=0, other=1, city=REVAL, give="o5", take="f7")
    assert made in told(events, OfficeOffered)
    assert hand(state, 0) == "oa55"
    assert ("answer", 1) in [(d.kind, d.seat) for d in GAME.pending(state)]
    play(state, 1, "accept 1")
    assert (hand(state, 0), hand(state, 1), stored(state)) == ("fa75", "s53", goods("of"))
    state = at_reval()
    run(state, "0 offer office1 o f", "1 decline 1")
    assert state.offers == []
    assert hand(state, 0) == "oa55"


def test_of_an_office_only_its_own_goods_can_be_had() -> None:
    """Not those on its owner's ship, nor those of the city; and only while they are there."""
    state = at_reval({**OFFICES, **OPEN})
    assert stock(state, 0, "offer office1 o") == "ff73"
    check_refused(state, "cannot_take", "0 offer office1 o s")
    state = at_reval()
    play(state, 0, "offer office1 o ff")
    stored(state)[1] = 1
    state.reserve[1] += 1
    assert "accept" not in kinds(state, 1)
    check_refused(state, "cannot_give", "1 accept 1")
    state = at_reval()
    play(state, 0, "offer office1 o ff")
    assert stock(state, 1, "counter 1") == "ff73"
    run(state, "1 counter 1 f3 a", "0 accept 2")
    assert (hand(state, 0), hand(state, 1), stored(state)) == ("of553", "s7", goods("fa"))
    state = at_reval(HIDDEN_OFFICES)
    choices = domain(state, 0, "offer office1 o")
    assert isinstance(choices, Bundle)
    assert choices.have[:4] == (0, 2, 0, 0)
    assert choices.have[4:] == tuple(range(6, 15))
    play(state, 0, "offer office1 o 8")
    check_refused(state, "cannot_give", "1 accept 1")


def test_ruling_63_either_side_begins_a_deal_with_an_office() -> None:
    """The owner of the office, too, wherever the own ship is; what she gives lies in the office
    and not on the ship."""
    state = at_reval({**OFFICES, **OPEN})
    assert words(state, 1, "offer") == ("guest0",)
    assert stock(state, 1, "offer guest0") == "ff73"
    assert stock(state, 1, "offer guest0 f") == "oa55"
    check_refused(state, "cannot_give", "1 offer guest0 s o")
    play(state, 1, "offer guest0 f7 oa")
    (offer,) = state.offers
    assert (offer.seat, offer.other, offer.office, offer.city) == (1, 0, 1, REVAL)
    events = play(state, 0, "accept 1")
    accepted = OfficeAccepted(seat=1, other=0, city=REVAL, give="f7", take="oa")
    assert accepted in told(events, OfficeAccepted)
    assert (hand(state, 0), hand(state, 1), stored(state)) == ("f755", "s3", goods("ofa"))


def test_ruling_63_two_ships_in_one_city_deal_in_either_way() -> None:
    """Ship with ship, and by the office, each with an offer of its own."""
    state = at_reval()
    state.players[1].city = REVAL
    assert words(state, 1, "offer") == ("0", "guest0")
    assert words(state, 0, "offer") == ("1", "office1")
    run(state, "1 offer 0 s o", "1 offer guest0 f a")
    assert [offer.office for offer in state.offers] == [-1, 1]
    play(state, 1, "offer guest0 ff a")
    assert [(offer.office, offer.give) for offer in state.offers] == [(-1, "s"), (1, "ff")]


def test_who_is_no_partner() -> None:
    check_refused(at_reval(), "no_guest", "1 offer guest2 f o")
    check_refused(at_reval(), "no_partner_here", "2 offer guest0 - o")
    # Both have offices in Stralsund; without a ship there, nobody deals.
    offices = {STRALSUND: [(0, "a"), (1, "a")]}
    state = table(ships=(REVAL, RIGA), hands=("o", "f"), offices=offices, options=OFFICES)
    assert "offer" not in kinds(state, 0)
    assert "offer" not in kinds(state, 1)
    offices = {REVAL: [(0, "f")]}
    state = table(ships=(REVAL, RIGA), hands=("o", "f"), offices=offices, options=OFFICES)
    check_refused(state, "no_partner_here", "0 offer office0 o f")
    ships, offices = (REVAL, RIGA, RIGA), {REVAL: [(0, "f"), (2, "f")]}
    state = table(seats=3, ships=ships, hands=("o",), offices=offices, options=OFFICES)
    assert words(state, 0, "offer") == ("office2",)
    check_refused(state, "not_a_choice", "0 offer office0 o f", "0 offer office9 o f")
    check_refused(state, "no_office_of", "0 offer office1 o f")
    # Ruling 48: nobody deals while a raid is settled.
    state = at_reval()
    state.frames = [Push(2, 0)]
    check_refused(state, "deals_closed", "0 offer office1 o f")
    state = at_reval({})
    assert "offer" not in kinds(state, 0)
    check_refused(state, "not_together", "0 offer office1 o f")
    together = table(ships=(REVAL, REVAL), hands=("o", "f"), offices={REVAL: [(1, "f")]})
    assert words(together, 0, "offer") == ("1",)
    check_refused(together, "no_office_deals", "0 offer office1 o f", "1 offer guest0 f o")


def test_a_ship_and_an_office_of_one_owner_are_two_partners_and_two_offices_are_one() -> None:
    offices = {REVAL: [(1, "f")]}
    state = table(ships=(REVAL, REVAL), hands=("oo", "a7"), offices=offices, options=OFFICES)
    assert words(state, 0, "offer") == ("1", "office1")
    run(state, "0 offer 1 o a", "0 offer office1 o f")
    assert len(state.offers) == 2
    run(state, "1 accept 1", "1 accept 2")
    assert (hand(state, 0), hand(state, 1), stored(state)) == ("fa", "o7", goods("o"))
    offices = {REVAL: [(1, "f"), (1, "f")]}
    state = table(ships=(REVAL, RIGA), hands=("oo", "7"), offices=offices, options=OFFICES)
    assert words(state, 0, "offer") == ("office1",)
    run(state, "0 offer office1 o ff", "1 accept 1")
    assert hand(state, 0) == "off"


def test_offers_fall_by_new_ones_and_when_the_ship_sails() -> None:
    state = at_reval()
    events = run(state, "0 offer office1 o f", "0 offer office1 a f")
    assert [offer.give for offer in state.offers] == ["a"]
    assert told(events, Withdrawn) == [Withdrawn(seat=0, other=1)]
    # Also where the same owner has an office in the next city; ruling 63.
    state = table(
        ships=(REVAL, STRALSUND),
        hands=("oa", "7"),
        routes={REVAL: ("4", "5")},
        offices={REVAL: [(1, "f")], RIGA: [(1, "f")]},
        asked="move",
        options=OFFICES,
    )
    play(state, 0, "offer office1 o f")
    assert told(play(state, 0, "sail left -"), OfferLapsed) == [OfferLapsed(seat=0, other=1)]
    assert state.offers == []
    state = at_reval()
    state.frames = [Movement(REVAL)]
    events = run(state, "1 offer guest0 f o", "0 sail left -")
    assert told(events, OfferLapsed) == [OfferLapsed(seat=1, other=0)]


def test_goods_of_any_kind_in_an_office_may_be_loaded_by_its_owner() -> None:
    state = at_reval()
    run(state, "0 offer office1 oa -", "1 accept 1")
    state.players[1].city = REVAL
    state.order, state.at, state.frames = [1, 0, 2], 0, [Movement(REVAL)]
    play(state, 1, "load offa")
    assert hand(state, 1) == "offas73"


def test_of_a_hidden_deal_others_see_only_what_the_office_shows() -> None:
    state = at_reval(HIDDEN_OFFICES)
    events = play(state, 0, "offer office1 o5 f7")
    public: dict[str, object] = {"seat": 0, "other": 1, "city": REVAL}
    assert [dict(event.facts) for event in events if event.heard_by(2)] == [public]
    seen = [GAME.view(state, seat).offers[0] for seat in (1, 2)]
    assert [(each.office, each.city) for each in seen] == [(1, REVAL)] * 2
    assert [each.give for each in seen] == ["o5", None]
    events = play(state, 1, "accept 1")
    public |= {"give": "o", "take": "f"}
    assert [dict(event.facts) for event in events if event.heard_by(2)] == [public]
    heard = [event for event in events if event.heard_by(1)]
    assert told(heard, OfficeAccepted)[0].take == "f7"
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
