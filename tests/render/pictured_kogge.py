"""Kogge's moments, questions and parts for the tests of pictures."""

from __future__ import annotations

from copy import deepcopy

import msgspec

from bot.game.contract import SPECTATOR
from bot.game.kogge.raid import ShipRaided
from bot.game.kogge.rounds import Supplied
from bot.game.kogge.routes import Rerouted, Sailed
from bot.game.kogge.state import KoggePlayer, KoggeRules, KoggeView, Office, Push, Route
from bot.render.asked import WHOLE, AskedWords
from bot.render.kogge.pieces import legend
from tests.render.pictured import Moment, Pictured, Question, Sample, whole

MOMENTS = {
    # The default option for goods: only counts of the others' markers. The turn has many actions.
    "middle_game": Moment("4-laps-markers", 40, 1, news=6),
    "founding": Moment("4-laps-hidden", 3, 1),
    # The auction, with one bid still to come.
    "hidden_goods": Moment("3-development-memory", 26, 2, news=2),
    # A ship before a step by a known route or the secret one.
    "voyage": Moment("4-laps-open", 250, 0),
    # Another seat is about to move a raider's ship away.
    "driven_away": Moment("4-laps-open", 43, SPECTATOR),
    # After the supply; the first player moves the guild master.
    "supplied": Moment("4-laps-hidden", 119, SPECTATOR),
    "two_player_end": Moment("2-laps-open", 158, SPECTATOR),
}


def changed(view: KoggeView) -> KoggeView:
    """Return a copy whose `known` may be changed."""
    return msgspec.structs.replace(view, known=deepcopy(view.known))


def extreme(sample: Sample, city: int = 4) -> Sample:
    """Return a sample with as many pieces as possible in one city and in hands, after a raid."""
    view = msgspec.structs.replace(changed(sample[0]), observer=3)
    known, full = view.known, [14, 13, 12, 11, 10, 9, 8, 7, 6]
    crowded = known.cities[city]
    crowded.goods, crowded.raids = [20, 12, 3, 10], [0, 1, 2, 3]
    crowded.routes = [Route(8), Route(7, hidden=True)]
    crowded.offices = [Office(0, [2, 1, 11, 3]), Office(3, [0, 4, 0, 0])]
    known.players = [
        KoggePlayer([25, 18, 13, 10], full, city, 2, chits=[1, 1, 1, 2]),
        KoggePlayer([10, 0, 0, 0], [0] * 9, city, 0),
        KoggePlayer([11, 11, 11, 11], full, city, 1, chits=[1, 1, 1, 0]),
        KoggePlayer([1, 1, 1, 1], [1] * 9, city, 2, chits=[1, 1, 1, 1]),
    ]
    known.bids = ["888877", "8765432", "33333333", "8765"]
    known.frames = [Push(3, 2)]
    known.round, known.guild_city, known.end_city = 12, city, city
    known.reserve, known.bag, known.chits = [25, 18, 13, 10], [10] * 9, [2, 2, 2, 2]
    known.display = ["88", "77", "66", "55"]
    known.rules = KoggeRules(open=True, either_price=True, failed_route_keeps_step=True)
    events = (
        Sailed(seat=2, city=8, to=city, route="left", fee=""),
        ShipRaided(seat=2, other=0, city=city),
        Rerouted(seat=2, city=city, route="right", marker=7),
        Supplied(city=city, good="fur", count=12, seats=(0, 3)),
    )
    name = "Maximiliane von und zu Hohenschwangau-Langenfeld"
    return view, (name, "xX_ØresundPirate_Xx 🏴‍☠️", "漢字", "Ιάσων"), events


def _deal(partner: str, param: str) -> AskedWords:
    return AskedWords(("offer", partner), param, ("o",), tagged=False)


KOGGE = Pictured(
    name="kogge",
    moments=MOMENTS,
    variants={"extreme": extreme},
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
    question_parts=(
        (_deal("3", "give"), "1"),
        (_deal("3", "take"), "3"),
        (_deal("office3", "take"), "1"),
        (_deal("guest3", "give"), "3"),
        (AskedWords(("choose",), "group", ("first", "second")), None),
        (whole("end"), None),
    ),
    parts={},
    signs=tuple(legend("OFAS")),
    marked=frozenset(
        {
            *("founded", "built", "traded", "chit_bought", "raid_marker_bought", "sailed"),
            *("pushed", "good_exchanged", "marker_exchanged", "ship_raided", "city_raided"),
            *("rerouted", "supplied", "guild_master_moved", "guild_master_brought"),
        }
    ),
)
