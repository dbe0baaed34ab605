"""Trading among players: offers, answers, and when they fall; and advanced rule B: with offices."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from itertools import product
from random import Random
from typing import Any, NamedTuple

import pytest
from _pytest.mark import ParameterSet

from bot.game.kogge import GAME
from bot.game.kogge.deals import OfferLapsed, OfficeAccepted
from bot.game.kogge.state import SECRET, Founding, KoggeState, Offer, Push
from tests.game.kogge.places import HIDDEN, LUBECK, REVAL, RIGA, STRALSUND
from tests.game.kogge.positions import case, follow, known, play, read, refused, table, told

ship_to_ship = partial(case, ships=(REVAL, REVAL, REVAL, LUBECK))

SHIPS = [
    ship_to_ship(
        "goods and markers change hands on any terms",
        """hands=oof5,s8 | 0 offer 1 o5 s8; offers 1; 1 accept 1; hand 0 ofs8; hand 1 o5
        offers; told accepted give=o5 take=s8""",
    ),
    *(
        ship_to_ship(
            f"also for nothing: {line}",
            f"0 {line}; 1 accept 1; hand 0 {left}; hand 1 {right}",
            hands=("o", "s"),
        )
        for line, left, right in (("offer 1 o -", "-", "os"), ("offer 1 - s", "os", "-"))
    ),
    ship_to_ship(
        "one offers what one has and asks for what the other has",
        """hands=o5,s | 0 offer 1 oo s ! cannot_give; 0 offer 1 o ss ! cannot_take
        0 offer 1 5o s ! not_a_choice; 0 offer 1 o x ! not_a_choice
        0 offer 0 o - ! not_a_choice; 0 offer 1 - - ! offer_empty""",
    ),
    ship_to_ship(
        "of hidden goods anything is asked for",
        """hands=o,- options=goods:hidden | 0 offer 1 o ssss8888; 1 accept 1 ! cannot_give
        1 decline 1; offers""",
    ),
    ship_to_ship(
        "ruling 49: neither goods in offices nor chits",
        "hands=-,s offices=3:0f chits=0:three | 0 offer 1 f s ! cannot_give",
    ),
    *(
        ship_to_ship(
            f"at any time, by whose turn it is not: {phase}",
            "seats=3 hands=5,o6,s7 | 1 offer 2 o s; 2 accept 1; hand 1 s6",
            asked=phase,
        )
        for phase in ("bid", "advance", "move", "act")
    ),
    case("not together", "ships=3,7 hands=o,s | 0 offer 1 o s ! not_together"),
    ship_to_ship(
        "only with ships in the same city",
        "seats=4 hands=o,s,-,a | 0 offer ? 1 2; 0 offer 3 o a ! not_with_you other=3",
    ),
    ship_to_ship(
        "only the receiver answers and only the maker withdraws",
        """seats=3 hands=o,s,a | 0 offer 1 o s; 1 offer 2 s a; 2 accept 1 ! offer_not_yours
        1 decline 2 ! offer_not_yours; 1 counter 2 s a ! offer_not_yours
        1 withdraw 1 ! offer_not_mine; 0 accept 1 ! offer_gone; 1 accept 9 ! offer_gone
        0 withdraw 1; told withdrawn seat=0 other=1; offers 2""",
    ),
    ship_to_ship(
        "there is no offer",
        """hands=o,s | 0 accept 1 ! offer_gone; 0 decline 1 ! offer_gone
        0 counter 1 ! offer_gone; 0 withdraw 1 ! offer_gone""",
    ),
    ship_to_ship(
        "a counter-offer takes its place the other way round",
        """hands=oo,s | 0 offer 1 o s; 1 counter 1 ss o ! cannot_give
        1 counter 1 s ooo ! cannot_take; 1 counter 1 - - ! offer_empty; 1 counter 1 s oo
        heard 0 declined offered; offers 2; 0 accept 2; hand 0 s; hand 1 oo""",
    ),
    ship_to_ship(
        "not between two who have nothing left",
        """hands=-,o display=55 order=1,0 | 0 offer 1 - o; 1 buy 1 ore; 0 withdraw 1; 0 ? offer
        1 accept 1 ! offer_gone""",
    ),
    ship_to_ship(
        "an offer falls by a new one",
        """seats=3 hands=oo,s,a | 0 offer 1 o s; 0 offer 2 o a; 0 offer 1 oo s
        told withdrawn seat=0 other=1; offers 2 3""",
    ),
    ship_to_ship(
        "and when the ships part",
        """hands=o,s asked=move | 0 offer 1 o s; 1 offer 0 s o; 0 sail left -
        told lapsed seat=0; told lapsed seat=1""",
    ),
    ship_to_ship(
        "and when its maker has it no longer",
        """seats=3 hands=o,s,a | 0 offer 1 o s; 0 offer 2 o a; 1 accept 1
        told lapsed seat=0 other=2""",
    ),
    ship_to_ship(
        "what is asked for is checked when the offer is accepted",
        """seats=3 hands=oa,s,f display=55 | 1 offer 0 s o; 2 offer 0 f a; 0 buy 1 ore
        0 accept ? 2; 0 accept 1 ! cannot_give""",
    ),
]


@pytest.mark.parametrize(("position", "script"), SHIPS)
def test_two_ships_deal(position: dict[str, Any], script: str) -> None:
    follow(table(**position), script)


def test_ruling_48_nobody_deals_before_the_founding() -> None:
    state = table(asked=Founding([-1, -1], [-1, -1]))
    for player in state.players:
        player.city = -1
    assert refused(state, 0, "offer 1 o -").code == "deals_closed"


def test_with_hidden_goods_only_the_two_see_what_is_offered() -> None:
    """Ruling 59: all see that it happens."""
    state = table(seats=3, ships=(REVAL,) * 3, hands=("o", "s", ""), options=HIDDEN)
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
    """Something that changes hands after a script, as `seat` does what `line` says.

    `secret` are the ways to play in which it happens unseen, `whose` then the seats that lose all
    their offers. Of `offers`, by their numbers, `unmet` can no longer be met after it.
    """

    script: str
    seat: int
    line: str
    secret: frozenset[str]
    whose: Collection[int]
    offers: tuple[Offer, ...]
    unmet: Collection[int]

    def begin(self, mode: str) -> KoggeState:
        """Three ships in Reval after the script."""
        position, script = read(self.script)
        options = {"goods": mode, **position.pop("options", {})}
        state = table(seats=3, ships=(REVAL,) * 3, options=options, **position)
        return follow(state, script)


def at_reval(mode: str, *hands: str, **more: Any) -> KoggeState:
    """Three ships in Reval."""
    options = {"goods": mode, **more.pop("options", {})}
    return table(seats=3, ships=(REVAL,) * 3, hands=hands, options=options, **more)


ROUTE = "hands=oo57,f6,s8 | "
TAX = "asked=advance guild=2 options=taxes:on"
CONFLICT = "options=conflicts:on"
WON = f"hands=o7,f6,s8 {CONFLICT} | 0 end; 0 challenge 1; 0 bid 7; 1 bid 6"
NOTHING_THERE = ("loot from an empty ship", "a tax of nothing")
"""Not with open goods: there is nothing to choose from an empty ship, nor to be taxed."""


def _offers(*given: tuple[int, int, str]) -> tuple[Offer, ...]:
    return tuple(Offer(n, seat, to, give, "") for n, (seat, to, give) in enumerate(given, 1))


IF_COVERED = frozenset({"markers", "hidden"})
IF_HIDDEN = frozenset({"hidden"})
ALWAYS = frozenset(MODES)

CASES = {
    "a route laid face down": Case(
        ROUTE,
        *(0, "reroute left 5", IF_COVERED, (0,)),
        *(_offers((0, 1, "5"), (0, 1, "7"), (0, 2, "o"), (1, 0, "6")), (1,)),
    ),
    "a deal of markers": Case(
        ROUTE,
        *(1, "accept 9", IF_COVERED, (0, 1)),
        *(_offers((0, 2, "5"), (0, 2, "7"), (1, 2, "6"), (2, 1, "8")), (1,)),
    ),
    "a deal of goods": Case(
        ROUTE,
        *(1, "accept 8", IF_HIDDEN, (0, 1)),
        *(_offers((0, 2, "oo"), (0, 2, "7"), (1, 2, "6"), (2, 1, "8")), (1,)),
    ),
    "a deal of markers with an office": Case(
        *(
            "hands=oo57,f6,s8 offices=3:1aa options=offices:on | ",
            1,
            "accept 7",
            IF_COVERED,
            (0, 1),
        ),
        *(_offers((0, 2, "5"), (0, 2, "7"), (1, 2, "f"), (2, 1, "8")), (1,)),
    ),
    "loot": Case(
        *(
            "hands=o7,aaff6,s8 | 0 raid_ship 1; 1 split fa",
            0,
            "choose first",
            IF_HIDDEN,
            (0, 1),
        ),
        *(_offers((1, 2, "aa"), (1, 2, "6"), (0, 2, "7"), (2, 1, "8")), (1,)),
    ),
    "loot from an empty ship": Case(
        *(
            "hands=o7,6,s8 | 0 raid_ship 1; 1 split -",
            0,
            "choose second",
            IF_HIDDEN,
            (0, 1),
        ),
        *(_offers((1, 2, "6"), (0, 2, "7"), (2, 1, "8")), ()),
    ),
    "a tax": Case(
        *(
            f"hands=of5,oa6,sa8 {TAX} | 0 advance 1; 0 tax o; 2 tax s",
            1,
            "tax o",
            IF_HIDDEN,
            (0, 1, 2),
        ),
        *(_offers((1, 2, "o"), (1, 2, "6"), (0, 2, "f"), (2, 1, "8")), (1,)),
    ),
    "bids in a conflict": Case(
        *(
            f"hands=o57,f6,s8 {CONFLICT} | 0 end; 0 challenge 1; 0 bid 5",
            1,
            "bid 6",
            ALWAYS,
            (0, 1),
        ),
        *(_offers((0, 2, "5"), (0, 2, "o"), (1, 2, "f"), (2, 1, "8")), ()),
    ),
    "a tax of nothing": Case(
        *(
            f"hands=of5,6,s8 {TAX} | 0 advance 1; 0 tax o; 2 tax s",
            1,
            "tax -",
            IF_HIDDEN,
            (0, 1, 2),
        ),
        *(_offers((1, 2, "6"), (0, 2, "f"), (2, 1, "8")), ()),
    ),
    "a demand": Case(
        WON,
        *(0, "demand f", ALWAYS, (0, 1)),
        *(_offers((1, 2, "f"), (0, 2, "o"), (2, 1, "8")), ()),
    ),
    "a demand that brings nothing": Case(
        WON,
        *(0, "demand -", ALWAYS, (0, 1)),
        *(_offers((1, 2, "f"), (0, 2, "o"), (2, 1, "8")), ()),
    ),
    "an extra marker": Case(
        "hands=o7,f6,s8 chits=1:marker at=2 | ",
        *(2, "end", IF_COVERED, (1,)),
        *(_offers((1, 2, "6"), (1, 0, "f"), (2, 1, "8")), ()),
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
    for (name, made), mode in product(CASES.items(), MODES):
        if mode != "hidden" and name in NOTHING_THERE:
            continue
        state = made.begin(mode)
        accepted = [offer for offer in FOR_THE_DEALS if made.line == f"accept {offer.id}"]
        state.offers = [*made.offers, *accepted]
        events = play(state, made.seat, made.line)
        if mode in made.secret:
            left = [offer.id for offer in made.offers if offer.seat not in made.whose]
        else:
            left = [offer.id for offer in made.offers if offer.id not in made.unmet]
        assert [offer.id for offer in state.offers] == left, (name, mode)
        gone = [(offer.seat, offer.other) for offer in made.offers if offer.id not in left]
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
AT_OFFICE: dict[str, Any] = {
    "seats": 3,
    "ships": (REVAL, RIGA, STRALSUND),
    "hands": ("oa55", "s73", "a6"),
    "offices": {REVAL: [(1, "ff")]},
    "options": OFFICES,
}
"""Seat 0 lies in Reval, where seat 1, who is in Riga, has an office."""


def by_office(name: str, script: str, **position: Any) -> ParameterSet:
    """A case of a deal with the office."""
    return case(name, script, **{**AT_OFFICE, **position})


two_ships = partial(case, options=OFFICES, ships=(REVAL, RIGA))


@pytest.mark.parametrize(
    ("position", "script"),
    [
        by_office(
            "difference 28: markers go from and to the owner's hand",
            """0 offer ? office1; 0 offer office1 o5 f7; told office_offered city=3 give=o5
            hand 0 oa55; 1 accept 1; hand 0 fa75; hand 1 s53; offices 3 of""",
        ),
        by_office("declined", "0 offer office1 o f; 1 decline 1; offers; hand 0 oa55"),
        by_office("a counter-offer", "0 offer office1 o ff; 1 counter 1 f3 a; 0 accept 2"),
        by_office(
            "only its own goods",
            "options=offices:on,goods:open | 0 offer office1 o s ! cannot_take",
        ),
        by_office(
            "of a hidden hand anything",
            """options=offices:on,goods:hidden | 0 offer office1 o o ! cannot_take
            0 offer office1 o 8; 1 accept 1 ! cannot_give""",
        ),
        by_office(
            "ruling 63: the owner begins, and gives what lies in the office",
            """1 offer ? guest0; 1 offer guest0 s o ! cannot_give; 1 offer guest0 f7 oa; 0 accept 1
            told office_accepted city=3 give=f7 take=oa; hand 0 f755; hand 1 s3; offices 3 ofa""",
        ),
        by_office(
            "ruling 63: ship with ship, and by the office",
            """ships=3,3,6 | 1 offer ? 0 guest0; 0 offer ? 1 office1; 1 offer 0 s o
            1 offer guest0 f a;             1 offer guest0 ff a; offers 1 3""",
        ),
        by_office(
            "not his guest", "1 offer guest2 f o ! no_guest; 2 offer guest0 - o ! no_partner_here"
        ),
        two_ships(
            "two offices never deal",
            "offices=6:0a+1a | 0 ? raid_city end; 1 offer 0 - o ! no_partner_here",
        ),
        two_ships("not one's own", "offices=3:0f | 0 offer office0 o f ! no_partner_here"),
        two_ships(
            "only of those who have one there",
            """seats=3 ships=3,4,4 hands=o offices=3:0f+2f | 0 offer ? office2
            0 offer office0 o f ! not_a_choice; 0 offer office9 o f ! not_a_choice
                        0 offer office1 o f ! no_office_of""",
        ),
        by_office("ruling 48: a raid", "0 offer office1 o f ! deals_closed", asked=Push(2, 0)),
        by_office("without the rule", "0 offer office1 o f ! not_together", options={}),
        case(
            "without the rule, together",
            """ships=3,3 hands=o,f offices=3:1f | 0 offer ? 1
            0 offer office1 o f ! no_office_deals; 1 offer guest0 f o ! no_office_deals""",
        ),
        two_ships(
            "a ship and an office of one owner are two partners",
            """ships=3,3 hands=oo,a7 offices=3:1f | 0 offer ? 1 office1; 0 offer 1 o a
            0 offer office1 o f; 1 accept 1; 1 accept 2; hand 0 fa; hand 1 o7; offices 3 o""",
        ),
        two_ships(
            "two offices of one owner are one",
            """hands=oo,7 offices=3:1f+1f | 0 offer ? office1; 0 offer office1 o ff; 1 accept 1
            hand 0 off""",
        ),
        by_office(
            "a new one", "0 offer office1 o f; 0 offer office1 a f; told withdrawn; offers 2"
        ),
        two_ships(
            "the ship sails, though to another office of the owner",
            """ships=3,6 hands=oa,7 offices=3:1f,4:1f asked=move | 0 offer office1 o f
            0 sail left -; told lapsed seat=0 other=1; offers""",
        ),
        by_office(
            "his guest sails", "asked=move | 1 offer guest0 f o; 0 sail left -; told lapsed seat=1"
        ),
        two_ships(
            "goods of any kind in an office are loaded by its owner",
            "ships=4,3 order=1,0 offices=3:1offa asked=move | 1 load offa; hand 1 offa",
        ),
    ],
)
def test_a_ship_deals_with_an_office(position: dict[str, Any], script: str) -> None:
    follow(table(**position), script)


def test_of_a_hidden_deal_others_see_only_what_the_office_shows() -> None:
    state = table(**{**AT_OFFICE, "options": HIDDEN_OFFICES})
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
    state = table(**{**AT_OFFICE, "options": HIDDEN_OFFICES})
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
