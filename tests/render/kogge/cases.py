"""What the tests of all titles' pictures know of Kogge."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bot.game.contract import Fact
from bot.game.kogge.view import KoggeView, OfficeView
from bot.render.asked import WHOLE, AskedWords
from bot.render.kogge.legend import SIGNS
from tests.render.kogge.samples import SAMPLES, middle_game
from tests.render.pictured import Large, Pictured, ask, whole, with_city, with_seat

FACTS: dict[str, Fact] = {
    "city": 4,
    "to": 5,
    "good": "ore",
    "pieces": "o",
    "pairs": ("41",),
    "groups": ("o", "a"),
    "give": "o",
    "take": "a",
    "chit": "three",
    "route": "left",
    "fee": "",
    "other": 0,
    "seats": (1,),
    "ending": "laps",
}
MARKED = frozenset(
    {
        *("founded", "built", "traded", "chit_bought", "raid_marker_bought", "sailed", "pushed"),
        *("good_exchanged", "marker_exchanged", "ship_raided", "city_raided", "rerouted"),
        *("supplied", "guild_master_moved", "guild_master_brought"),
    }
)
ASKED = {
    "cities": ask(
        "founding",
        "",
        "found marker",
        "0 1 3 4 8",
        "Tønsberg / Stockholm / Reval / Riga / Kopenhagen",
    ),
    "routes": ask(
        "voyage", "1", "sail route", "left right secret", "Lübeck (7) / right / Stralsund (6)"
    ),
    "pairs": ask("middle_game", "1", "buy pair", "1 3 4", "Pair 1 / Pair 3 / Pair 4"),
    "goods": ask("middle_game", "1", "buy 1 good", "ore salt", "1 ore / 1 salt"),
    "markers": ask("middle_game", "1", "swap_marker marker", "1 5"),
    "chits": ask(
        "middle_game", "1", "sell_six ore chit", "three secret", "3:1 trade / secret route"
    ),
    "bid": ask("hidden_goods", "2", "bid markers", "6 5 4 0", tagged=False),
    "fee": ask("voyage", "1", "sail left fee", "o f s 7 1", tagged=False),
    "trade": ask("middle_game", "1", "trade o take", "a s", tagged=False),
    "ships": ask("middle_game", "1", "raid_ship seat", "3", "Computer 1"),
    "partners": ask("middle_game", "1", "offer seat", "3", "Computer 1"),
    "own_routes": ask("middle_game", "1", "reroute route", "left right", "Lübeck (7) / right"),
    "turn": ask(
        "middle_game",
        "1",
        WHOLE,
        "trade o aa, trade s a, buy 3 ore, swap_marker 7, reroute left 1, end",
        "Trade / Trade / 4 + 1 / Swap / Change / End your turn",
    ),
}


def _deal(partner: str, param: str) -> AskedWords:
    """Pieces of a deal."""
    return AskedWords(("offer", partner), param, ("o",), tagged=False)


LIES = (
    (_deal("3", "give"), "1"),
    (_deal("3", "take"), "3"),
    (_deal("office3", "take"), "1"),
    (_deal("guest3", "give"), "3"),
    # Ships far away that can be dealt with are on the board.
    (AskedWords(("offer",), "seat", ("3", "guest0"), tagged=False), ""),
    (AskedWords(("choose",), "group", ("first", "second")), None),
    *((whole(word), None if word == "end" else "1") for word in ASKED["turn"].asked.words),
)


def _changed(view: KoggeView) -> Sequence[KoggeView]:
    return (with_seat(view, 0, city=8), with_seat(view, 0, goods=(4, 2, 7, 0)))


def _told() -> Sequence[tuple[str, str, KoggeView]]:
    founding = SAMPLES["founding"]()[0]
    mixed = (OfficeView(0, (2, 1, 11, 3)),)
    hidden = SAMPLES["hidden_goods"]()[0]
    left, right = hidden.cities[5].routes
    assert (right.marker, right.hidden) == (3, True)
    routes = [
        msgspec.structs.replace(right, marker=marker, hidden=secret)
        for marker, secret in ((None, True), (3, False), (4, True))
    ]
    return (
        # A sealed choice is shown to whom it belongs.
        ("founding", "", msgspec.structs.replace(founding, chosen=None)),
        ("middle_game", "", with_city(middle_game()[0], 0, offices=mixed)),
        # A hidden marker that the observer knows is marked as such.
        *(("hidden_goods", "", with_city(hidden, 5, routes=(left, each))) for each in routes),
    )


KOGGE = Pictured(
    name="kogge",
    samples=SAMPLES,
    kilobytes=300,
    large={"city": Large("extreme", "city4"), "seat": Large("extreme", "0")},
    asked=ASKED,
    unlit={"own_routes": ("city3", "0")},
    lies=[(middle_game(), asked, part) for asked, part in LIES],
    parts={},
    signs=tuple(SIGNS),
    changed=_changed,
    told=_told,
    facts=FACTS,
    marked=MARKED,
    random=((3, {"goods": "hidden"}), (2, {"goods": "open"}), (4, {"goods": "hidden"})),
)
