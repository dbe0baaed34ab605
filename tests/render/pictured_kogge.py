"""What the tests of all titles' pictures know of Kogge."""

from __future__ import annotations

import msgspec

from bot.game.contract import SPECTATOR
from bot.game.kogge.auction import Supplied
from bot.game.kogge.movement import Sailed
from bot.game.kogge.raid import ShipRaided
from bot.game.kogge.routes import Rerouted
from bot.game.kogge.view import KoggeSeatView, OfficeView, RouteView
from bot.render.asked import WHOLE, AskedWords
from bot.render.kogge.legend import SIGNS
from tests.render.pictured import Moment, Pictured, Question, Sample, whole, with_city

MOMENTS = {
    # As most tables play, of others' markers their number alone; a turn in which much is possible.
    "middle_game": Moment("4-laps-markers", 40, 1, heard=6),
    "founding": Moment("4-laps-hidden", 3, 1),
    # The auction, of whose bids one is still to come.
    "hidden_goods": Moment("3-development-memory", 26, 2, heard=2),
    # A ship before its next step, by a known route or the secret one.
    "voyage": Moment("4-laps-open", 250, 0),
    # A robber's ship is about to be sent away by somebody else.
    "driven_away": Moment("4-laps-open", 43, SPECTATOR),
    # Goods have come to the cities; the first player moves the guild master.
    "supplied": Moment("4-laps-hidden", 119, SPECTATOR),
    "two_player_end": Moment("2-laps-open", 158, SPECTATOR),
}


def extreme(sample: Sample, city: int = 4) -> Sample:
    """As much as can be in one city, and in one hand; a raid has just happened there."""
    full, none, many = (14, 13, 12, 11, 10, 9, 8, 7, 6), (0,) * 9, (11, 11, 11, 11)
    chits = ("three", "marker", "spaces", "secret", "secret")
    view = with_city(sample[0], city, goods=(20, 12, 3, 10), raids=(0, 1, 2, 3))
    routes = (RouteView(8, False), RouteView(7, True))
    offices = (OfficeView(0, (2, 1, 11, 3)), OfficeView(3, (0, 4, 0, 0)))
    view = msgspec.structs.replace(
        with_city(view, city, routes=routes, offices=offices),
        observer=3,
        phase="push",
        active=(3,),
        round=12,
        guild_city=city,
        end_city=city,
        seats=(
            KoggeSeatView(city, (25, 18, 13, 10), full, "888877", chits, 4, 2, 5),
            KoggeSeatView(city, (10, 0, 0, 0), none, "8765432", (), 0, 0, 0),
            KoggeSeatView(city, many, full, "33333333", chits[:3], 2, 1, 4),
            KoggeSeatView(city, (1, 1, 1, 1), (1,) * 9, "8765", chits[:4], 1, 2, 3),
        ),
        reserve=(25, 18, 13, 10),
        bag=90,
        chits_left=(2, 2, 2, 2),
        display=("88", "77", "66", "55"),
        variants=("hidden", "either_price", "failed_route_keeps_step"),
    )
    events = (
        Sailed(seat=2, city=8, to=city, route="left", fee=""),
        ShipRaided(seat=2, other=0, city=city),
        Rerouted(seat=2, city=city, route="right", marker=7),
        Supplied(city=city, good="fur", count=12, seats=(0, 3)),
    )
    long = "Maximiliane von und zu Hohenschwangau-Langenfeld"
    return view, (long, "xX_ØresundPirate_Xx 🏴‍☠️", "漢字", "Ιάσων"), events


def _deal(partner: str, param: str) -> AskedWords:
    return AskedWords(("offer", partner), param, ("o",), tagged=False)


KOGGE = Pictured(
    name="kogge",
    moments=MOMENTS,
    made={"extreme": extreme},
    kilobytes=300,
    large={"city": ("extreme", "city4"), "seat": ("extreme", "0")},
    asked={
        "cities": Question(MOMENTS["founding"], "found", "1"),
        "routes": Question(MOMENTS["voyage"], "sail", "0"),
        "goods": Question(MOMENTS["middle_game"], "buy 1", "1"),
        "chits": Question(MOMENTS["middle_game"], "sell_six fur", "1"),
        "bid": Question(MOMENTS["hidden_goods"], "bid", "2"),
        "fee": Question(MOMENTS["voyage"], "sail left", "0"),
        "ships": Question(MOMENTS["middle_game"], "raid_ship", "1"),
        "partners": Question(MOMENTS["middle_game"], "offer", "1"),
        "own_routes": Question(MOMENTS["middle_game"], "reroute", "1"),
        "push": Question(Moment("4-laps-open", 43, 0), "push", "3"),
        "pairs": Question(Moment("4-laps-markers", 20, 0), "buy", "0"),
        "steps": Question(Moment("4-laps-markers", 35, 1), "advance", "1"),
        "trade": Question(Moment("4-laps-markers", 39, 1), "trade o", "1"),
        "turn": Question(MOMENTS["middle_game"], WHOLE, "1"),
    },
    unlit={"own_routes": ("city3", "0")},
    lies=(
        (_deal("3", "give"), "1"),
        (_deal("3", "take"), "3"),
        (_deal("office3", "take"), "1"),
        (_deal("guest3", "give"), "3"),
        (AskedWords(("choose",), "group", ("first", "second")), None),
        (whole("end"), None),
    ),
    parts={},
    signs=tuple(SIGNS),
    marked=frozenset(
        {
            *("founded", "built", "traded", "chit_bought", "raid_marker_bought", "sailed"),
            *("pushed", "good_exchanged", "marker_exchanged", "ship_raided", "city_raided"),
            *("rerouted", "supplied", "guild_master_moved", "guild_master_brought"),
        }
    ),
)
