"""When offers lapse: after a secret payment, all offers of its seat do."""

from __future__ import annotations

import pytest

from bot.game.kogge.deals import OfferLapsed
from bot.game.kogge.state import Offer
from tests.game.kogge.places import REVAL
from tests.game.kogge.positions import LINES, at, follow

CASES = """\
a hidden new route: markers 4, open 2 3 4, hidden 4
    hands=oo57,f6,s8 | 0 reroute left 5
    0>1:5 0>1:7 0>2:o 1>0:6
a deal of markers: markers 4, open 2 3 4, hidden 4
    hands=oo57,f6,s8 | 1 accept 5
    0>2:5 0>2:7 1>2:6 2>1:8 0>1:5/f
a deal of goods: markers 2 3 4, open 2 3 4, hidden 4
    hands=oo57,f6,s8 | 1 accept 5
    0>2:oo 0>2:7 1>2:6 2>1:8 0>1:o/f
a deal of markers with an office: markers 4, open 2 3 4, hidden 4
    offices hands=oo57,f6,s8 offices=3:1aa | 1 accept 5
    0>2:5 0>2:7 1>2:f 2>1:8 0>1:5/a@1
loot: markers 2 3 4, open 2 3 4, hidden 4
    hands=o7,aaff6,s8 | 0 raid_ship 1; 1 split fa; 0 choose first
    1>2:aa 1>2:6 0>2:7 2>1:8
loot from an empty ship: hidden 3
    hands=o7,6,s8 | 0 raid_ship 1; 1 split -; 0 choose second
    1>2:6 0>2:7 2>1:8
a tax: markers 2 3 4, open 2 3 4, hidden
    taxing hands=of5,oa6,sa8 | 0 advance 1; 0 tax o; 2 tax s; 1 tax o
    1>2:o 1>2:6 0>2:f 2>1:8
a tax of nothing: hidden
    taxing hands=of5,6,s8 | 0 advance 1; 0 tax o; 2 tax s; 1 tax -
    1>2:6 0>2:f 2>1:8
bids in a conflict: markers 4, open 4, hidden 4
    conflicts hands=o57,f6,s8 | 0 end; 0 challenge 1; 0 bid 5; 1 bid 6
    0>2:5 0>2:o 1>2:f 2>1:8
a demand: markers 3, open 3, hidden 3
    conflicts hands=o7,f6,s8 | 0 end; 0 challenge 1; 0 bid 7; 1 bid 6; 0 demand f
    1>2:f 0>2:o 2>1:8
a demand that brings nothing: markers 3, open 3, hidden 3
    conflicts hands=o7,f6,s8 | 0 end; 0 challenge 1; 0 bid 7; 1 bid 6; 0 demand -
    1>2:f 0>2:o 2>1:8
an extra marker: markers 3, open 1 2 3, hidden 3
    hands=o7,f6,s8 chits=1:marker at=2 | 2 end
    1>2:6 1>0:f 2>1:8
an open bid, perhaps of promised markers: markers 4 5, open 2 4 5, hidden 5
    asked=bid hands=o57,f6,s8 | 0 bid 5
    0>1:5 0>1:7 0>1:75 0>1:o 1>2:6
an open payment in goods: markers 2 3, open 2 3, hidden
    hands=oo57,f6,s8 display=33 | 0 buy 1 ore
    0>1:oo 0>1:o 0>1:5
goods loaded from an office: markers 2 3 4, open 2 3 4, hidden 3 4
    asked=move offices hands=o57,f6,s8 offices=3:0aaf | 0 load a
    0>1:aa@0 0>1:f@0 0>1:o 0>1:5
ships that part: markers 2, open 2, hidden 2
    asked=move hands=o57,f6,s8 routes=3:7/4 | 0 sail left -
    0>1:o 1>2:f
""".splitlines()
"""Three lines per case: its name and, for each value of the option `goods`, the numbers of the
offers left in the end; a script; the offers, which are made before its last step. Pieces asked in
return follow ``/``, the seat whose office deals follows ``@``."""


def offer(number: int, word: str) -> Offer:
    """Return the offer of a word such as ``0>1:5/f@1``."""
    sides, _, terms = word.partition(":")
    terms, _, office = terms.partition("@")
    give, _, take = terms.partition("/")
    place = {"office": int(office), "city": REVAL} if office else {}
    return Offer(number, int(sides[0]), int(sides[-1]), give, take, **place)


@pytest.mark.parametrize("line", range(0, len(CASES), 3))
def test_offers_lapse(line: int) -> None:
    name, script, words = CASES[line : line + 3]
    begin, _, steps = script.partition(" | ")
    *before, last = steps.split("; ")
    for case in name.partition(": ")[2].split(", "):
        mode, *remaining = case.split()
        state = at(f"seats=3 ships=3,3,3 options=goods:{mode} {begin}")
        for step in before:
            follow(step, state)
        offers = [offer(number, word) for number, word in enumerate(words.split(), 1)]
        state.offers = offers[:]
        events = LINES.play(state, int(last[0]), last[2:])
        assert [str(each.id) for each in state.offers] == remaining, (name, mode)
        removed = {(each.seat, each.other) for each in offers if each not in state.offers}
        lapsed = {(event.seat, event.other) for event in LINES.of_kind(events, OfferLapsed)}
        assert lapsed == removed - ({(0, 1)} if "accept" in last else set())
