"""Views of Kogge made by hand, with the events that led to them."""

from __future__ import annotations

import msgspec

from bot.game.contract import SPECTATOR, Event, Outcome
from bot.game.events import GameEnded
from bot.game.kogge.auction import Bid, Supplied
from bot.game.kogge.building import Built
from bot.game.kogge.data import CITIES
from bot.game.kogge.guild_master import GuildMasterBrought, GuildMasterMoved, LapCompleted
from bot.game.kogge.movement import Sailed
from bot.game.kogge.raid import ShipRaided
from bot.game.kogge.routes import Rerouted
from bot.game.kogge.trade import Traded
from bot.game.kogge.view import CityView, Counts, KoggeSeatView, KoggeView, OfficeView, RouteView

Sample = tuple[KoggeView, tuple[str, ...], tuple[Event, ...]]
"""What a renderer is given."""


def _route(marker: int | None, hidden: bool = False) -> RouteView:
    return RouteView(marker, hidden)


def _city(
    goods: Counts,
    left: int,
    right: int | None,
    offices: tuple[OfficeView, ...] = (),
    raids: tuple[int, ...] = (),
    hidden: bool = False,
) -> CityView:
    return CityView(goods, (_route(left), _route(right, hidden)), offices, raids)


def _house(seat: int, ore: int = 0, fur: int = 0, amber: int = 0, salt: int = 0) -> OfficeView:
    return OfficeView(seat, (ore, fur, amber, salt))


def middle_game() -> Sample:
    """Round 5 with four players, seen by seat 1 in mid-turn after sailing and trading."""
    cities = (
        _city((5, 0, 0, 0), 3, None, (_house(0, ore=2),), hidden=True),
        _city((3, 1, 0, 0), 0, 7, (_house(1, ore=1), _house(3))),
        _city((7, 0, 0, 0), 5, 8),
        _city((0, 6, 2, 0), 1, 4, (_house(2, fur=3),), raids=(0,)),
        _city((0, 4, 0, 0), 2, 6, hidden=True),
        _city((0, 0, 3, 1), 7, None, (_house(1, amber=2), _house(0, amber=1)), hidden=True),
        _city((2, 0, 4, 0), 4, 8),
        _city((0, 0, 0, 3), 0, 5, (_house(3, salt=1),)),
        _city((0, 0, 0, 2), 6, 2),
    )
    seats = (
        KoggeSeatView(0, (4, 2, 1, 0), (2, 1, 0, 3, 1, 0, 1, 0, 1), "53", ("three",), 2, 1, 3),
        KoggeSeatView(5, (2, 3, 0, 2), (0, 2, 1, 1, 0, 2, 0, 1, 0), "66", (), 2, 1, 2),
        KoggeSeatView(
            3, (6, 0, 2, 0), (3, 0, 0, 1, 2, 1, 1, 0, 0), "8", ("marker", "secret"), 1, 2, 3
        ),
        KoggeSeatView(5, (1, 4, 0, 1), (1, 1, 2, 0, 0, 0, 0, 2, 1), "421", (), 2, 0, 2),
    )
    view = KoggeView(
        observer=1,
        phase="act",
        active=(1,),
        round=5,
        laps=1,
        guild_city=6,
        end_city=2,
        order=(1, 2, 0, 3),
        display=("73", "", "41", "20"),
        reserve=(4, 3, 2, 1),
        bag=23,
        chits_left=(1, 1, 2, 0),
        cities=cities,
        seats=seats,
        offers=(),
        groups=None,
        chosen=None,
        variants=(),
        outcome=None,
    )
    events = (
        GuildMasterMoved(seat=1, city=6, count=1),
        GuildMasterBrought(city=6, good="amber", count=2),
        Sailed(seat=1, city=1, to=7, route="right", fee=""),
        Sailed(seat=1, city=7, to=5, route="right", fee="o"),
        Traded(seat=1, city=5, give="s", take="aa"),
    )
    return view, ("Margarethe", "Jonas", "Birgitta", "Computer 1"), events


def _for_spectators(view: KoggeView) -> KoggeView:
    """The view without the one hidden route that seat 1 has seen."""
    riga = msgspec.structs.replace(view.cities[4], routes=(_route(2), _route(None, True)))
    cities = (*view.cities[:4], riga, *view.cities[5:])
    return msgspec.structs.replace(view, cities=cities, observer=SPECTATOR)


def founding() -> Sample:
    """Before the first round: nobody is on the board, seat 2 has chosen."""
    start = (3, 5, 2, 7, 1, 8, 4, 0, 6)
    goods = [(3, 0, 0, 0)] * 3 + [(0, 3, 0, 0)] * 2 + [(0, 0, 3, 0)] * 2 + [(0, 0, 0, 3)] * 2
    cities = tuple(
        CityView(goods[number], (_route(start[number]), _route(None, True)), (), ())
        for number in range(CITIES)
    )
    seat = KoggeSeatView(-1, (2, 1, 0, 0), (1,) * CITIES, "", (), 0, 1, 0)
    view = KoggeView(
        observer=2,
        phase="found",
        active=(0, 1, 3),
        round=0,
        laps=0,
        guild_city=4,
        end_city=4,
        order=(),
        display=(),
        reserve=(8, 8, 7, 4),
        bag=37,
        chits_left=(2, 2, 2, 2),
        cities=cities,
        seats=(seat,) * 4,
        offers=(),
        groups=None,
        chosen=7,
        variants=(),
        outcome=None,
    )
    return view, ("Anna", "Bert", "Chloé", "Dörte"), ()


def hidden_goods() -> Sample:
    """Three players with hidden goods in the auction, seen by seat 2, who knows one route."""
    view, names, _ = middle_game()
    cities = list(view.cities)
    cities[5] = msgspec.structs.replace(cities[5], routes=(_route(7), _route(3, True)))
    seats = [
        msgspec.structs.replace(
            seat,
            goods=seat.goods if number == 2 else None,
            markers=seat.markers if number == 2 else None,
            bid=("87", "", "")[number],
        )
        for number, seat in enumerate(view.seats[:3])
    ]
    cities[1] = msgspec.structs.replace(cities[1], offices=cities[1].offices[:1])
    cities[7] = msgspec.structs.replace(cities[7], offices=())
    view = msgspec.structs.replace(
        view,
        observer=2,
        phase="bid",
        active=(2,),
        order=(0, 2, 1),
        cities=tuple(cities),
        seats=tuple(seats),
        bag=None,
        variants=("hidden", "either_price", "failed_route_keeps_step"),
    )
    events = (
        Built(seat=1, city=5, pieces="ofs5", points=1),
        Rerouted(seat=0, city=0, route="left", marker=3),
        Bid(seat=0, pieces="87"),
    )
    return view, names[:3], events


def secret_markers() -> Sample:
    """As most tables play: of others' markers their number alone; few, very many and none."""
    view, names, events = middle_game()
    counts = (9, 8, 34, 0)
    seats = tuple(
        msgspec.structs.replace(
            seat, markers=seat.markers if number == 1 else None, marker_count=counts[number]
        )
        for number, seat in enumerate(view.seats)
    )
    return msgspec.structs.replace(view, seats=seats), names, events


def voyage() -> Sample:
    """A ship before its second step, by a known route, a hidden one, or the secret one."""
    view, names, events = middle_game()
    sailor = msgspec.structs.replace(view.seats[1], chits=("secret",))
    seats = (view.seats[0], sailor, *view.seats[2:])
    view = msgspec.structs.replace(view, phase="move", start=1, fees=(1, 2), seats=seats)
    return view, names, events[:4]


def driven_away() -> Sample:
    """A robber's ship is about to be sent away by somebody else, as a spectator sees it."""
    view, names, _ = middle_game()
    raided = msgspec.structs.replace(view.cities[3], raids=(0, 2))
    cities = (*view.cities[:3], raided, *view.cities[4:])
    view = msgspec.structs.replace(
        _for_spectators(view), phase="push", active=(3,), pushed=2, cities=cities
    )
    return view, names, ()


def two_player_end() -> Sample:
    """The end by laps of a game of two, for a spectator."""
    view = _for_spectators(middle_game()[0])
    cities = [
        msgspec.structs.replace(
            city, offices=tuple(each for each in city.offices if each.seat < 2), raids=()
        )
        for city in view.cities
    ]
    cities[4] = msgspec.structs.replace(cities[4], raids=(0, 1))
    outcome = Outcome("laps", (1,), (64, 86), (("offices", (20, 30)), ("goods", (44, 56))))
    view = msgspec.structs.replace(
        view,
        phase="over",
        active=(),
        round=12,
        laps=2,
        guild_city=2,
        order=(1, 0),
        cities=tuple(cities),
        seats=view.seats[:2],
        outcome=outcome,
    )
    events = (
        GuildMasterMoved(seat=1, city=2, count=2),
        LapCompleted(count=2),
        GameEnded(ending="laps"),
    )
    return view, ("Åse-Marie", "Jürgen"), events


def supplied() -> Sample:
    """After an auction: goods have come to the cities, the first player moves the guild master."""
    view, names, _ = middle_game()
    view = msgspec.structs.replace(_for_spectators(view), phase="advance", active=(1,))
    events = tuple(
        Supplied(city=city, good=good, count=count, seats=())
        for city, good, count in ((8, "salt", 2), (6, "amber", 4), (3, "fur", 2), (1, "ore", 6))
    )
    return view, names, events


def extreme(city: int = 4) -> Sample:
    """As much as can be in one city, and in one hand; a raid has just happened there."""
    view, _, _ = middle_game()
    cities = list(view.cities)
    cities[city] = CityView(
        (20, 12, 3, 10),
        (_route(8), _route(7, True)),
        (_house(0, fur=12), _house(3, fur=4)),
        (0, 1, 2, 3),
    )
    full = (14, 13, 12, 11, 10, 9, 8, 7, 6)
    chits = ("three", "marker", "spaces", "secret", "secret")
    seats = (
        KoggeSeatView(city, (25, 18, 13, 10), full, "888877", chits, 4, 2, 5),
        KoggeSeatView(city, (10, 0, 0, 0), (0,) * CITIES, "8765432", (), 0, 0, 0),
        KoggeSeatView(city, (11, 11, 11, 11), full, "33333333", chits[:3], 2, 1, 4),
        KoggeSeatView(city, (1, 1, 1, 1), (1,) * CITIES, "8765", chits[:4], 1, 2, 3),
    )
    view = msgspec.structs.replace(
        view,
        observer=3,
        phase="push",
        active=(3,),
        round=12,
        guild_city=city,
        end_city=city,
        cities=tuple(cities),
        seats=seats,
        reserve=(25, 18, 13, 10),
        bag=90,
        chits_left=(2, 2, 2, 2),
        display=("88", "77", "66", "55"),
        variants=("hidden", "either_price", "failed_route_keeps_step"),
    )
    events = (
        Sailed(seat=2, city=0, to=8, route="left", fee=""),
        Sailed(seat=2, city=8, to=city, route="left", fee=""),
        ShipRaided(seat=2, other=0, city=city),
        Rerouted(seat=2, city=city, route="right", marker=7),
        Supplied(city=city, good="fur", count=12, seats=(0, 3)),
    )
    long = "Maximiliane von und zu Hohenschwangau-Langenfeld"
    names = (long, "xX_ØresundPirate_Xx 🏴‍☠️", "漢字", "Ιάσων")
    return view, names, events


SAMPLES = {
    "middle_game": middle_game,
    "founding": founding,
    "hidden_goods": hidden_goods,
    "secret_markers": secret_markers,
    "two_player_end": two_player_end,
    "supplied": supplied,
    "voyage": voyage,
    "driven_away": driven_away,
    "extreme": extreme,
}
