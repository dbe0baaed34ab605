"""Trading among players: offers, answers, and when they fall; and advanced rule B: with offices."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any, NamedTuple

from bot.game.choices import Bundle
from bot.game.kogge import GAME
from bot.game.kogge.deals import Accepted, OfficeAccepted, OfficeOffered, Withdrawn
from bot.game.kogge.offers import OfferLapsed
from bot.game.kogge.state import SECRET, Demand, Founding, KoggeState, Movement, Offer, Push
from tests.game.kogge.places import HIDDEN, LUBECK, OPEN, REVAL, RIGA, STRALSUND
from tests.game.kogge.positions import (
    asked,
    check_refused,
    domain,
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

TOGETHER = (REVAL, REVAL, REVAL, LUBECK)


def two(first: str, second: str, **position: Any) -> KoggeState:
    """Two ships in one city, with these hands."""
    return table(ships=TOGETHER, hands=(first, second), **position)


def three(*hands: str, **position: Any) -> KoggeState:
    """Three ships in one city."""
    return table(seats=3, ships=TOGETHER, hands=hands, **position)


def answers(state: KoggeState) -> list[tuple[str, int]]:
    """The questions that open offers ask."""
    return [(d.id, d.seat) for d in GAME.pending(state) if d.kind == "answer" and d.optional]


def test_goods_and_markers_change_hands_on_any_terms() -> None:
    state = two("oof5", "s8")
    play(state, 0, "offer 1 o5 s8")
    assert answers(state) == [("o1", 1)]
    events = play(state, 1, "accept 1")
    assert (hand(state, 0), hand(state, 1)) == ("ofs8", "o5")
    assert Accepted(seat=0, other=1, give="o5", take="s8") in told(events, Accepted)
    assert answers(state) == []
    # Payment for doing or leaving something, as the text has it.
    for line, hands in (("offer 1 o -", ("", "os")), ("offer 1 - s", ("os", ""))):
        state = two("o", "s")
        run(state, f"0 {line}", "1 accept 1")
        assert (hand(state, 0), hand(state, 1)) == hands
    assert refused(two("o", "s"), 0, "offer 1 - -").code == "offer_empty"


def test_one_offers_what_one_has_and_asks_for_what_the_other_has() -> None:
    state = two("o5", "s")
    check_refused(state, "cannot_give", "0 offer 1 oo s")
    check_refused(state, "cannot_take", "0 offer 1 o ss")
    check_refused(state, "not_a_choice", "0 offer 1 5o s", "0 offer 1 o x")
    state = two("o", "", options=HIDDEN)
    play(state, 0, "offer 1 o ssss8888")
    assert refused(state, 1, "accept 1").code == "cannot_give"
    play(state, 1, "decline 1")
    assert answers(state) == []
    # Ruling 49: neither goods in offices nor chits nor Raids.
    state = two("", "s", offices={REVAL: [(0, "f")]}, chits={0: ("three",)})
    assert refused(state, 0, "offer 1 f s").code == "cannot_give"


def test_deals_are_made_at_any_time_but_before_the_founding() -> None:
    """Also by those whose turn it is not."""
    for phase in ("bid", "advance", "move", "act"):
        state = three("5", "o6", "s7", asked=phase)
        before = asked(state)
        run(state, "1 offer 2 o s", "2 accept 1")
        assert asked(state) == before, phase
        assert hand(state, 1) == "s6"
    # Ruling 48: not before the founding.
    state = table(asked=Founding([-1, -1], [-1, -1]))
    for player in state.players:
        player.city = -1
    assert refused(state, 0, "offer 1 o -").code == "deals_closed"
    assert "offer" not in kinds(state, 0)


def test_deals_need_two_ships_in_one_city() -> None:
    state = table(ships=(REVAL, LUBECK), hands=("o", "s"))
    assert refused(state, 0, "offer 1 o s").code == "not_together"
    state = table(seats=4, ships=TOGETHER, hands=("o", "s", "", "a"))
    assert words(state, 0, "offer") == ("1", "2")
    refusal = refused(state, 0, "offer 3 o a")
    assert (refusal.code, refusal.facts) == ("not_with_you", {"other": 3})
    assert refused(state, 0, "offer 0 o -").code == "not_a_choice"


def test_only_the_receiver_answers_and_only_the_maker_withdraws() -> None:
    state = three("o", "s", "a")
    run(state, "0 offer 1 o s", "1 offer 2 s a")
    check_refused(state, "offer_not_yours", "2 accept 1", "1 decline 2", "1 counter 2 s a")
    check_refused(state, "offer_not_mine", "1 withdraw 1")
    check_refused(state, "offer_gone", "0 accept 1", "1 accept 9")
    events = play(state, 0, "withdraw 1")
    assert told(events, Withdrawn) == [Withdrawn(seat=0, other=1)]
    assert answers(state) == [("o2", 2)]
    nothing = two("o", "s")
    check_refused(nothing, "offer_gone", "0 accept 1", "0 decline 1", "0 counter 1", "0 withdraw 1")


def test_a_counter_offer_takes_the_place_of_the_offer_the_other_way_round() -> None:
    state = two("oo", "s")
    play(state, 0, "offer 1 o s")
    check_refused(state, "cannot_give", "1 counter 1 ss o")
    check_refused(state, "cannot_take", "1 counter 1 s ooo")
    check_refused(state, "offer_empty", "1 counter 1 - -")
    events = play(state, 1, "counter 1 s oo")
    assert [event.kind for event in events] == ["declined", "offered"]
    assert answers(state) == [("o2", 0)]
    play(state, 0, "accept 2")
    assert (hand(state, 0), hand(state, 1)) == ("s", "oo")
    state = two("", "o", display=("55",), order=(1, 0))
    run(state, "0 offer 1 - o", "1 buy 1 ore")
    state.bag[5] += 2
    state.players[1].markers[5] = 0
    assert "counter" not in kinds(state, 1)
    check_refused(state, "offer_empty", "1 counter 1 - o")
    check_refused(state, "cannot_give", "1 accept 1")
    assert "decline" in kinds(state, 1)


def test_an_offer_falls_by_a_new_one_when_the_ships_part_or_its_maker_no_longer_has_it() -> None:
    state = three("oo", "s", "a")
    run(state, "0 offer 1 o s", "0 offer 2 o a")
    events = play(state, 0, "offer 1 oo s")
    assert told(events, Withdrawn) == [Withdrawn(seat=0, other=1)]
    assert answers(state) == [("o2", 2), ("o3", 1)]
    state = two("o", "s", asked="move")
    run(state, "0 offer 1 o s", "1 offer 0 s o")
    events = play(state, 0, "sail left -")
    assert told(events, OfferLapsed) == [OfferLapsed(seat=0, other=1), OfferLapsed(seat=1, other=0)]
    assert answers(state) == []
    state = three("o", "s", "a")
    run(state, "0 offer 1 o s", "0 offer 2 o a")
    assert told(play(state, 1, "accept 1"), OfferLapsed) == [OfferLapsed(seat=0, other=2)]


def test_what_is_asked_for_is_checked_when_the_offer_is_accepted() -> None:
    """Of two offers only the one that can be met is listed."""
    state = two("o", "s", display=("55",), order=(1, 0))
    run(state, "0 offer 1 o s", "1 buy 1 salt")
    refusal = refused(state, 1, "accept 1")
    assert (refusal.code, refusal.facts) == ("cannot_give", {"pieces": "s"})
    assert "accept" not in kinds(state, 1)
    state = three("oa", "s", "f", display=("55",))
    run(state, "1 offer 0 s o", "2 offer 0 f a", "0 buy 1 ore")
    assert words(state, 0, "accept") == ("2",)
    assert refused(state, 0, "accept 1").code == "cannot_give"


def test_with_hidden_goods_only_the_two_see_what_is_offered() -> None:
    """Ruling 59: all see that it happens."""
    state = three("o", "s", "", options=HIDDEN)
    events = play(state, 0, "offer 1 o s")
    assert known(state, 1).offers[0].give == "o"
    assert known(state, 2).offers[0].give == SECRET
    assert known(state, -1).offers[0].take == SECRET
    events += play(state, 1, "accept 1")
    heard = {o: [e.kind for e in events if e.heard_by(o)] for o in (-1, 0, 1, 2)}
    assert heard[0] == heard[1] == ["offered", "accepted"]
    assert heard[2] == heard[-1] == ["offered_secretly", "accepted_secretly"]


MODES = ("markers", "open", "hidden")


class Case(NamedTuple):
    """Something that changes hands, as `seat` does what `line` says.

    `secret` are the ways to play in which it happens unseen, `whose` then the seats that lose all
    their offers. Of `offers`, by their numbers, `unmet` can no longer be met after it.
    """

    make: Callable[[str], KoggeState]
    seat: int
    line: str
    secret: frozenset[str]
    whose: frozenset[int]
    offers: tuple[Offer, ...]
    unmet: frozenset[int]


def at_reval(mode: str, *hands: str, **more: Any) -> KoggeState:
    """Three ships in Reval."""
    options = {"goods": mode, **more.pop("options", {})}
    return table(seats=3, ships=(REVAL,) * 3, hands=hands, options=options, **more)


def _route(mode: str) -> KoggeState:
    return at_reval(mode, "oo57", "f6", "s8")


def _office(mode: str) -> KoggeState:
    offices = {REVAL: [(1, "aa")]}
    return at_reval(mode, "oo57", "f6", "s8", offices=offices, options={"offices": "on"})


def _raid(mode: str) -> KoggeState:
    state = at_reval(mode, "o7", "aaff6", "s8")
    run(state, "0 raid_ship 1", "1 split fa")
    return state


def _raid_on_nothing(mode: str) -> KoggeState:
    state = at_reval(mode, "o7", "6", "s8")
    run(state, "0 raid_ship 1", "1 split -")
    return state


def _tax(mode: str) -> KoggeState:
    taxes = {"taxes": "on"}
    state = at_reval(mode, "of5", "oa6", "s8", asked="advance", guild=REVAL - 1, options=taxes)
    run(state, "0 advance 1", "0 tax o")
    if mode == "hidden":
        play(state, 2, "tax s")
    return state


def _bids(mode: str) -> KoggeState:
    state = at_reval(mode, "o57", "f6", "s8", options={"conflicts": "on"})
    run(state, "0 end", "0 challenge 1", "0 bid 5")
    return state


def _no_tax(mode: str) -> KoggeState:
    taxes = {"taxes": "on"}
    state = at_reval(mode, "of5", "6", "s8", asked="advance", guild=REVAL - 1, options=taxes)
    run(state, "0 advance 1", "0 tax o", "2 tax s")
    return state


def _demand(mode: str) -> KoggeState:
    state = at_reval(mode, "o7", "f6", "s8", options={"conflicts": "on"})
    state.frames.append(Demand(0, 1))
    return state


def _extra(mode: str) -> KoggeState:
    return at_reval(mode, "o7", "f6", "s8", chits={1: ("marker",)}, at=2)


def _offers(*given: tuple[int, int, str]) -> tuple[Offer, ...]:
    return tuple(Offer(n, seat, to, give, "") for n, (seat, to, give) in enumerate(given, 1))


IF_COVERED = frozenset({"markers", "hidden"})
IF_HIDDEN = frozenset({"hidden"})
ALWAYS = frozenset(MODES)

CASES = {
    "a route laid face down": Case(
        *(_route, 0, "reroute left 5", IF_COVERED, frozenset({0})),
        *(_offers((0, 1, "5"), (0, 1, "7"), (0, 2, "o"), (1, 0, "6")), frozenset({1})),
    ),
    "a deal of markers": Case(
        *(_route, 1, "accept 9", IF_COVERED, frozenset({0, 1})),
        *(_offers((0, 2, "5"), (0, 2, "7"), (1, 2, "6"), (2, 1, "8")), frozenset({1})),
    ),
    "a deal of goods": Case(
        *(_route, 1, "accept 8", IF_HIDDEN, frozenset({0, 1})),
        *(_offers((0, 2, "oo"), (0, 2, "7"), (1, 2, "6"), (2, 1, "8")), frozenset({1})),
    ),
    "a deal of markers with an office": Case(
        *(_office, 1, "accept 7", IF_COVERED, frozenset({0, 1})),
        *(_offers((0, 2, "5"), (0, 2, "7"), (1, 2, "f"), (2, 1, "8")), frozenset({1})),
    ),
    "loot": Case(
        *(_raid, 0, "choose first", IF_HIDDEN, frozenset({0, 1})),
        *(_offers((1, 2, "aa"), (1, 2, "6"), (0, 2, "7"), (2, 1, "8")), frozenset({1})),
    ),
    "loot from an empty ship": Case(
        *(_raid_on_nothing, 0, "choose second", IF_HIDDEN, frozenset({0, 1})),
        *(_offers((1, 2, "6"), (0, 2, "7"), (2, 1, "8")), frozenset()),
    ),
    "a tax": Case(
        *(_tax, 1, "tax o", IF_HIDDEN, frozenset({0, 1, 2})),
        *(_offers((1, 2, "o"), (1, 2, "6"), (0, 2, "f"), (2, 1, "8")), frozenset({1})),
    ),
    "bids in a conflict": Case(
        *(_bids, 1, "bid 6", ALWAYS, frozenset({0, 1})),
        *(_offers((0, 2, "5"), (0, 2, "o"), (1, 2, "f"), (2, 1, "8")), frozenset()),
    ),
    "a tax of nothing": Case(
        *(_no_tax, 1, "tax -", IF_HIDDEN, frozenset({0, 1, 2})),
        *(_offers((1, 2, "6"), (0, 2, "f"), (2, 1, "8")), frozenset()),
    ),
    "a demand": Case(
        *(_demand, 0, "demand f", ALWAYS, frozenset({0, 1})),
        *(_offers((1, 2, "f"), (0, 2, "o"), (2, 1, "8")), frozenset()),
    ),
    "a demand that brings nothing": Case(
        *(_demand, 0, "demand -", ALWAYS, frozenset({0, 1})),
        *(_offers((1, 2, "f"), (0, 2, "o"), (2, 1, "8")), frozenset()),
    ),
    "an extra marker": Case(
        *(_extra, 2, "end", IF_COVERED, frozenset({1})),
        *(_offers((1, 2, "6"), (1, 0, "f"), (2, 1, "8")), frozenset()),
    ),
}
FOR_THE_DEALS = (
    Offer(7, 0, 1, "5", "a", office=1, city=REVAL),
    Offer(8, 0, 1, "o", "f"),
    Offer(9, 0, 1, "5", "f"),
)
"""Those that the cases accept, by their numbers."""


def test_what_happens_in_secret_takes_all_offers_of_that_seat_away_met_or_not() -> None:
    """What happens in the open takes only those away that can no longer be met."""
    for (name, case), mode in product(CASES.items(), MODES):
        # With open goods there is nothing to choose from an empty ship, nor to be taxed.
        if mode != "hidden" and case.make in (_raid_on_nothing, _no_tax):
            continue
        state = case.make(mode)
        accepted = [offer for offer in FOR_THE_DEALS if case.line == f"accept {offer.id}"]
        state.offers = [*case.offers, *accepted]
        events = play(state, case.seat, case.line)
        if mode in case.secret:
            left = [offer.id for offer in case.offers if offer.seat not in case.whose]
        else:
            left = [offer.id for offer in case.offers if offer.id not in case.unmet]
        assert [offer.id for offer in state.offers] == left, (name, mode)
        gone = [(offer.seat, offer.other) for offer in case.offers if offer.id not in left]
        lapsed = told(events, OfferLapsed)
        assert sorted((event.seat, event.other) for event in lapsed) == sorted(gone)


def test_an_open_payment_ends_what_might_have_been_promised() -> None:
    """Where numbers are secret, offers of markers fall by any marker that is spent; where the goods
    themselves are secret, all of them."""
    for mode, spent, give in product(MODES, ("5", "7", "75"), "57o"):
        state = at_reval(mode, "o57", "f6", "s8", asked="bid")
        state.offers = [Offer(1, 0, 1, give, "")]
        play(state, 0, f"bid {spent}")
        falls = {"hidden": True, "markers": give != "o", "open": give in spent}[mode]
        assert bool(state.offers) is not falls, (mode, spent, give)
    for mode in MODES:
        state = at_reval(mode, "oo57", "f6", "s8", display=("33",))
        state.offers = [Offer(1, 0, 1, "oo", ""), Offer(2, 0, 1, "o", ""), Offer(3, 0, 1, "5", "")]
        play(state, 0, "buy 1 ore")
        assert [offer.id for offer in state.offers] == {"hidden": []}.get(mode, [2, 3]), mode


def test_what_is_gained_in_the_open_ends_no_offer_and_ships_that_part_end_theirs() -> None:
    for mode in MODES:
        offices, options = {REVAL: [(0, "aaf")]}, {"offices": "on"}
        state = at_reval(mode, "o57", "f6", "s8", asked="move", offices=offices, options=options)
        state.offers = [
            Offer(1, 0, 1, "aa", "", office=0, city=REVAL),
            Offer(2, 0, 1, "f", "", office=0, city=REVAL),
            Offer(3, 0, 1, "o", ""),
            Offer(4, 0, 1, "5", ""),
        ]
        play(state, 0, "load a")
        assert [offer.id for offer in state.offers] == {"hidden": [3, 4]}.get(mode, [2, 3, 4]), mode
    for mode in MODES:
        state = at_reval(mode, "o57", "f6", "s8", asked="move", routes={REVAL: ("7", "4")})
        state.offers = [Offer(1, 0, 1, "o", ""), Offer(2, 1, 2, "f", "")]
        events = play(state, 0, "sail left -")
        assert told(events, OfferLapsed) == [OfferLapsed(seat=0, other=1)]
        assert [offer.id for offer in state.offers] == [2], mode


OFFICES = {"offices": "on"}
HIDDEN_OFFICES = {**OFFICES, **HIDDEN}


def at_office(options: dict[str, str] = OFFICES) -> KoggeState:
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
    state = at_office()
    assert words(state, 0, "offer") == ("office1",)
    events = play(state, 0, "offer office1 o5 f7")
    made = OfficeOffered(id=1, seat=0, other=1, city=REVAL, give="o5", take="f7")
    assert made in told(events, OfficeOffered)
    assert hand(state, 0) == "oa55"
    assert ("answer", 1) in [(d.kind, d.seat) for d in GAME.pending(state)]
    play(state, 1, "accept 1")
    assert (hand(state, 0), hand(state, 1), stored(state)) == ("fa75", "s53", goods("of"))
    state = at_office()
    run(state, "0 offer office1 o f", "1 decline 1")
    assert state.offers == []
    assert hand(state, 0) == "oa55"


def test_of_an_office_only_its_own_goods_can_be_had() -> None:
    """Not those on its owner's ship, nor those of the city; and only while they are there."""
    state = at_office({**OFFICES, **OPEN})
    assert stock(state, 0, "offer office1 o") == "ff73"
    check_refused(state, "cannot_take", "0 offer office1 o s")
    state = at_office()
    play(state, 0, "offer office1 o ff")
    stored(state)[1] = 1
    state.reserve[1] += 1
    assert "accept" not in kinds(state, 1)
    check_refused(state, "cannot_give", "1 accept 1")
    state = at_office()
    play(state, 0, "offer office1 o ff")
    assert stock(state, 1, "counter 1") == "ff73"
    run(state, "1 counter 1 f3 a", "0 accept 2")
    assert (hand(state, 0), hand(state, 1), stored(state)) == ("of553", "s7", goods("fa"))
    state = at_office(HIDDEN_OFFICES)
    choices = domain(state, 0, "offer office1 o")
    assert isinstance(choices, Bundle)
    assert choices.have[:4] == (0, 2, 0, 0)
    assert choices.have[4:] == tuple(range(6, 15))
    play(state, 0, "offer office1 o 8")
    check_refused(state, "cannot_give", "1 accept 1")


def test_ruling_63_either_side_begins_a_deal_with_an_office() -> None:
    """The owner of the office, too, wherever the own ship is; what she gives lies in the office
    and not on the ship."""
    state = at_office({**OFFICES, **OPEN})
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
    state = at_office()
    state.players[1].city = REVAL
    assert words(state, 1, "offer") == ("0", "guest0")
    assert words(state, 0, "offer") == ("1", "office1")
    run(state, "1 offer 0 s o", "1 offer guest0 f a")
    assert [offer.office for offer in state.offers] == [-1, 1]
    play(state, 1, "offer guest0 ff a")
    assert [(offer.office, offer.give) for offer in state.offers] == [(-1, "s"), (1, "ff")]


def test_who_is_no_partner() -> None:
    check_refused(at_office(), "no_guest", "1 offer guest2 f o")
    check_refused(at_office(), "no_partner_here", "2 offer guest0 - o")
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
    state = at_office()
    state.frames = [Push(2, 0)]
    check_refused(state, "deals_closed", "0 offer office1 o f")
    state = at_office({})
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
    state = at_office()
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
    state = at_office()
    state.frames = [Movement(REVAL)]
    events = run(state, "1 offer guest0 f o", "0 sail left -")
    assert told(events, OfferLapsed) == [OfferLapsed(seat=1, other=0)]


def test_goods_of_any_kind_in_an_office_may_be_loaded_by_its_owner() -> None:
    state = at_office()
    run(state, "0 offer office1 oa -", "1 accept 1")
    state.players[1].city = REVAL
    state.order, state.at, state.frames = [1, 0, 2], 0, [Movement(REVAL)]
    play(state, 1, "load offa")
    assert hand(state, 1) == "offas73"


def test_of_a_hidden_deal_others_see_only_what_the_office_shows() -> None:
    state = at_office(HIDDEN_OFFICES)
    events = play(state, 0, "offer office1 o5 f7")
    public: dict[str, object] = {"seat": 0, "other": 1, "city": REVAL}
    assert [dict(event.facts) for event in events if event.heard_by(2)] == [public]
    seen = [known(state, seat).offers[0] for seat in (1, 2)]
    assert [(each.office, each.city) for each in seen] == [(1, REVAL)] * 2
    assert [each.give for each in seen] == ["o5", SECRET]
    events = play(state, 1, "accept 1")
    public |= {"give": "o", "take": "f"}
    assert [dict(event.facts) for event in events if event.heard_by(2)] == [public]
    heard = [event for event in events if event.heard_by(1)]
    assert told(heard, OfficeAccepted)[0].take == "f7"
    state = at_office(HIDDEN_OFFICES)
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
