"""Phase 3B f: raids on ships and cities, and the forced move; and advanced rule C: conflicts."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from bot.game.contract import SPECTATOR
from bot.game.kogge import GAME
from bot.game.kogge.setup import rules_of
from bot.game.kogge.state import SECRET, Conflict, Push
from tests.game.kogge.places import HIDDEN, LUBECK, REVAL, STRALSUND
from tests.game.kogge.positions import case, follow, known, play, refused, table

together = partial(case, ships=(REVAL, REVAL, LUBECK, LUBECK))
pushed = partial(case, asked=Push(1, 0))
"""The first seat's ship is about to be pushed from Reval."""
conflicts = partial(case, options={"conflicts": "on"})
meeting = partial(conflicts, ships=(STRALSUND,) * 4, hands=("oo84", "fa55"))
LOST = "0 end; 0 challenge 1; 0 bid 4; 1 bid 5; 1 demand ooo"

CASES = [
    case(
        "ruling 23: a city gives all its goods and those of every office",
        """city=3:ffs offices=3:0f+1ff | 0 raid_city; hand 0 fffffs; city 3 -; offices 3 - -
        told city_raided pieces=fffffs""",
    ),
    case("ruling 27: an empty city", "0 raid_city; told city_raided pieces="),
    case(
        "difference 22: the Raid stays and bars its owner for good",
        """routes=4:3/5 | 0 raid_city; 1 push left; 1 stop; 1 end; at 0 4; 0 advance 1
        0 sail ? right""",
    ),
    case(
        "a raid ends the turn",
        """hands=oas3 | 0 raid_city; 0 build both ! not_your_turn; 1 push left; told turn_ended
        asked 1 move""",
    ),
    together("a raid needs a marker", "raids=5:0 | 0 raid_city ! no_raid; 0 raid_ship 1 ! no_raid"),
    case("the second Raid", "raids=5:0 second_raid=0 | 0 raid_city"),
    together(
        "the victim divides, the robber chooses",
        """hands=-,oofas5 | 0 raid_ship 1; asked 1 split; 0 split o ! not_your_turn other=1
        1 split oofa ! too_many; 1 split as; told cargo_split groups=as,oof; asked 0 choose
        1 choose first ! not_your_turn other=0; 0 choose both ! not_a_choice
        0 choose second; hand 0 oof; hand 1 as5; told looted pieces=oof; asked 1 push""",
    ),
    *(
        together(
            f"difference 20, ruling 28: {cargo} in any even groups",
            f"0 raid_ship 1; 1 split ? {groups}",
            hands=("", cargo),
        )
        for cargo, groups in (
            *(("oo", "o"), ("of", "f o")),
            *(("oof", "f o of oo"), ("ooff", "ff of oo")),
        )
    ),
    together(
        "difference 21: one ship in the same city",
        """seats=4 | 0 raid_ship ? 1; 0 raid_ship 2 ! not_a_choice
        0 raid_ship 0 ! not_a_choice""",
    ),
    case("no ship is there", "0 raid_ship 1 ! no_ship_here"),
    case(
        "one of two ships",
        """seats=3 ships=3,3,3 hands=-,oo,ss | 0 raid_ship 2; 2 split s; 0 choose first
        hand 0 s; hand 1 oo; hand 2 s""",
    ),
    together("ruling 27: an empty ship", "0 raid_ship 1; untold looted; asked 1 push"),
    together("a single good", "hands=-,s | 0 raid_ship 1; hand 0 s; hand 1 -; asked 1 push"),
    *(
        together(
            f"ruling 27: with hidden goods {cargo or 'nothing'} is divided as well",
            f"""0 raid_ship 1; asked 1 split; 1 split {cargo[: len(cargo) // 2] or "-"}
            asked 0 choose""",
            hands=("", cargo),
            options=HIDDEN,
        )
        for cargo in ("", "s", "ss")
    ),
    case(
        "ruling 59: only the two concerned see the loot",
        """seats=3 ships=3,3,3 hands=-,os5,f options=goods:hidden | 0 raid_ship 1; 1 split o
        heard 0 cargo_split; heard 2 cargo_split_secretly; 0 choose second; heard 1 looted
        heard -1 looted_secretly""",
    ),
    case(
        "rulings 26 and 54: one free step, never by the secret route",
        """hands=o chits=0:secret offices=4:0f,5:0f | 0 raid_city; 1 push ? left right
        1 push secret ! not_a_choice; 1 push right
        told pushed seat=1 other=0 city=3 to=5 route=right; hand 0 o; 0 ?; offices 5 f""",
    ),
    pushed("by a hidden route", "routes=3:6?/4 | 1 push left; at 0 6; routes 3 6 4"),
    *(
        case(
            f"ruling 25: seat {pusher} pushes {robber} of {seats}",
            f"{robber} raid_city; asked {pusher} push",
            seats=seats,
            order=(robber, *(seat for seat in range(seats) if seat != robber)),
        )
        for seats, robber, pusher in ((2, 0, 1), (2, 1, 0), (4, 1, 2), (4, 3, 0))
    ),
    pushed("ruling 48: deals rest meanwhile", "hands=o,o | 0 offer 1 o - ! deals_closed"),
    pushed("ruling 26: not into his own Raid", "raids=3:0,4:0 second_raid=0 | 1 push ? right"),
    pushed(
        "ruling 54: a hidden route that fails is turned up",
        """routes=3:6?/4 raids=3:0,6:0 second_raid=0 | 1 push left
        told push_failed marker=6 route=left; asked 1 push; 1 push ? right""",
    ),
    case(
        "ruling 26: where no way is open, the ship stays",
        """routes=3:6/6 raids=6:0 second_raid=0 | 0 raid_city
        told push_impossible other=0 city=3; at 0 3; asked 1 move""",
    ),
    pushed(
        "ruling 54: when the last one fails, too",
        """routes=3:6?/6 raids=6:0,3:0 second_raid=0 | 1 push left; told push_failed
        told push_impossible""",
    ),
    case("no conflict without the rule", "ships=6,6 | 0 end; asked 1 move"),
    conflicts(
        "the example: blue trades a fur for two amber, and yellow wins",
        """ships=6,6 hands=fffffff84,ooff55 city=6:aa routes=6:3/7 | 0 trade f aa; 0 end
        asked 0 challenge; 0 pass; asked 1 challenge; 1 challenge 0
        asked 1 conflict 0 conflict; 0 bid 84; 1 bid 55; told conflict_won seat=1 other=0
        asked 1 demand; 1 demand oaa; told demanded pieces=oaa take=aa; hand 0 ffffff55
        hand 1 ooffaa84; 1 push ? left right; 1 push right; at 0 7; asked 1 move""",
    ),
    conflicts("a ship alone in its city", "ships=6,4 | 0 end; asked 1 move"),
    conflicts(
        "rulings 24 and 51: the active player is asked, then the others in order of play",
        """seats=4 ships=6,6,4,6 order=3,2,1,0 | 3 end; asked 3 challenge; 3 pass
        told conflict_declined seat=3; asked 1 challenge; 1 pass; asked 0 challenge; 0 pass
        asked 2 move""",
    ),
    conflicts(
        "of ships in the city",
        """seats=4 ships=6,6,6,4 hands=o1,f2,a3,s4 | 0 end; 0 pass; 1 challenge ? 0 2
        1 challenge 3 ! not_a_choice; 1 challenge 1 ! not_a_choice; 1 challenge 2
        asked 1 conflict 2 conflict""",
    ),
    meeting("one conflict a turn", f"{LOST}; 1 pass; asked 1 move", seats=3),
    meeting("ruling 50: none follows a raid", "0 raid_city; 1 push left; asked 1 move"),
    meeting(
        "ruling 42: only an empty hand bids nothing",
        """hands=oo,fa0 | 0 end; 0 challenge 1; 1 bid - ! too_few; 1 bid 5 ! not_in_stock
        0 bid ? -; 0 bid -; 1 bid 0; told conflict_won seat=1 other=0; hand 0 oo0""",
    ),
    meeting(
        "ruling 52: equal bids change hands, and nobody wins",
        """hands=oo842,fa841 | 0 end; 0 challenge 1; 0 bid 84; 1 bid 84; told conflict_tied
        told conflict_bids give=84 take=84; asked 1 move""",
    ),
    meeting(
        "two empty hands tie",
        """seats=3 ships=6,6,4 hands=oo,fa,s | 0 end; 0 challenge 1; 1 bid -; 0 bid -
        told conflict_tied""",
    ),
    *(
        meeting(
            f"{first} against {second}",
            f"0 end; 0 challenge 1; 0 bid {first}; 1 bid {second}; told conflict_won seat={winner}",
            hands=(first, second),
        )
        for first, second, winner in (("87", "00", 1), ("111", "88", 0), ("87", "86", 0))
    ),
    meeting(
        "ruling 64: up to three goods, whatever the loser has",
        """hands=84,55o | 0 end; 0 challenge 1; 0 bid 4; 1 bid 5; 1 demand oooo ! not_in_stock
        1 demand fas; told demanded take=; hand 1 o54""",
    ),
    *(
        meeting(
            f"ruling 64: {goods} of two goods",
            f"""0 end; 0 challenge 1; 0 bid 84; 1 bid 5; 0 demand {goods}
            told demanded pieces={goods.strip("-")}; 0 demand o ! not_now""",
            hands=("84", "55of"),
        )
        for goods in ("-", "o", "of", "fas")
    ),
    meeting(
        "only who won is public",
        """seats=3 hands=oo84,fa55,s1 | 0 end; 0 challenge 1; heard 2 challenged; 0 bid 84
        heard 2; 1 bid 55; heard 2 conflict_won; 1 demand ooo; heard 2 demanded_secretly""",
    ),
    meeting(
        "ruling 53: he need not be moved", f"{LOST}; 1 ? push pass; 1 pass; at 0 6; asked 1 move"
    ),
    conflicts("a robber must be", "0 raid_city; 1 ? push; 1 pass ! must_push"),
    meeting(
        "ruling 53: as a forced move",
        f"{LOST}; 1 push ? right",
        routes={STRALSUND: ("3", "4")},
        raids={REVAL: (0,)},
    ),
    meeting(
        "ruling 53: no way is open",
        f"{LOST}; told push_impossible other=0 city=6; asked 1 move",
        routes={STRALSUND: ("3", "3")},
        raids={REVAL: (0,)},
    ),
    meeting(
        "ruling 48: before a conflict players may still deal",
        """0 end; 1 offer 0 f o; 0 accept 1; asked 0 challenge; 0 challenge 1
        1 offer 0 a o ! deals_closed""",
    ),
]


@pytest.mark.parametrize(("position", "script"), CASES)
def test_raids_and_conflicts(position: dict[str, Any], script: str) -> None:
    follow(table(**position), script)


def test_hands_are_secret_where_conflicts_are_played() -> None:
    """Difference 30: the option outranks open goods."""
    assert rules_of({"conflicts": "on", "goods": "open"}).hidden


def test_a_bid_is_sealed_and_may_be_changed_until_the_other_is_made() -> None:
    position: dict[str, Any] = {"options": {"conflicts": "on"}, "ships": (STRALSUND,) * 2}
    state = table(hands=("oo84", "fa55"), **position)
    follow(state, "0 end; 0 challenge 1")
    ids = {decision.id for decision in GAME.pending(state)}
    events = play(state, 0, "bid 4")
    assert [(event.kind, event.only) for event in events] == [("conflict_bid", (0,))]
    for observer, word in ((0, "4"), (1, SECRET), (SPECTATOR, SECRET)):
        assert known(state, observer).frames == [Conflict((0, 1), [word, None])]
    assert {decision.id for decision in GAME.pending(state)} == ids
    follow(state, "asked 1 conflict; 0 bid 84; 1 bid 5; hand 1 fa854")


def test_a_bid_for_the_order_of_play_is_not_refused_by_the_rules_of_conflicts() -> None:
    assert refused(table(hands=("oo84", "fa55")), 1, "bid 5").topic == "auction"
    assert GAME.moves["bid"].topic == "auction"
    assert GAME.moves["reroute"].topic == "reroute"
    state = table(seats=3, asked=Conflict((0, 1), [None, None]))
    assert refused(state, 2, "bid 1").topic == "conflicts"
