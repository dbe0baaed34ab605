"""What the pictures of Kogge alone have: courses over water, and cities that can be full."""

from __future__ import annotations

from itertools import pairwise, permutations
from math import dist

from PIL import ImageColor

from bot.game.kogge.data import CITIES
from bot.game.kogge.movement import Sailed
from bot.game.kogge.view import RouteView
from bot.render.asked import AskedWords, Place, Sheet, square
from bot.render.kogge.fairways import STEP, bowed, is_water, way
from bot.render.kogge.layout import LAYOUT
from bot.render.kogge.places import places_of
from bot.render.kogge.reach import reach_of
from bot.render.sides import SIDE_LOOKS
from tests.render.compare import read
from tests.render.pictured import whole, with_city
from tests.render.pictured_kogge import KOGGE, extreme

PORTS = [city.port for city in LAYOUT.cities]
KNOWN = ((5, False), (5, True), (None, True))
"""Where a route leads, and whether it lies face down."""


def test_every_course_from_port_to_port_or_into_the_unknown_is_over_water() -> None:
    ends = [*permutations(PORTS, 2), *((port, at) for port in PORTS for at in LAYOUT.unknown.at)]
    for course in (way, bowed):
        for first, last in ends:
            ashore = [point for point in course(first, last) if not is_water(*point)]
            assert not ashore, (course, first, last, ashore)
    # Land and boards are no water.
    for x, y in (LAYOUT.cities[4].at, LAYOUT.hills.at[0][:2], (-1, 600)):
        assert not is_water(x, y)


def test_a_course_begins_and_ends_at_the_ports_and_has_no_gaps() -> None:
    for first, last in permutations(PORTS, 2):
        path = way(first, last)
        assert dist(path[0], first) == 0
        assert dist(path[-1], last) < 2 * STEP
        assert all(dist(one, other) < 2 * STEP for one, other in pairwise(path))


def test_a_ship_has_no_line_to_where_its_own_raid_lies() -> None:
    view = KOGGE.sample("voyage")[0]
    assert [each.to for each in reach_of(view, 0)] == [4, 6, 7]
    barred = with_city(view, 4, raids=(0,))
    assert [each.to for each in reach_of(barred, 0)] == [6, 7]


def test_a_city_can_hold_all_there_is() -> None:
    assert len(LAYOUT.cities) == CITIES
    for city in range(CITIES):
        full = extreme(KOGGE.sample("middle_game"), city)
        table = KOGGE.draw(full)
        assert read(table).size == LAYOUT.size
        assert len(table) < KOGGE.kilobytes * 1000
        assert read(KOGGE.draw(full, f"city{city}")).width == 1080


def test_a_question_about_no_place_leaves_the_picture_as_it_was() -> None:
    sample, asked = KOGGE.sample("voyage"), AskedWords(("choose",), "group", ("first", "second"))
    assert KOGGE.draw(sample, asked=asked) == KOGGE.draw(sample)


class Everywhere(Sheet):
    """A sheet on which everything lies somewhere, under the name of what it is."""

    def find(self, what: str, word: str) -> list[Place]:
        return [square(0, 0, 1)._replace(name=f"{what} {word}".strip())]


def test_a_whole_action_is_lit_where_it_takes_effect() -> None:
    view = KOGGE.sample("middle_game")[0]
    assert view.observer == 1
    lit = {
        "raid_city ofs": ["city 4"],
        "stop": ["city 4"],
        "build of5": ["site 4"],
        "load o": ["office 4 1"],
        "bid 535": ["marker 1 5", "marker 1 3"],
        "tax o5": ["good 1 ore", "marker 1 5"],
        "trade o aas": ["good in 4 a", "good in 4 s"],
        "sell_six ore three": ["chit three"],
        "buy 3 ore": ["pair 3"],
        "challenge office3": ["office 4 3"],
        "raid_ship 3": ["ship 3"],
        "sail left": ["way left"],
        "reroute left 1": ["route 4 left"],
        "swap_marker 7": ["marker 1 7"],
    }
    places = places_of(view, whole(*lit, "end"), Everywhere(1, 1))
    assert {word: [place.name for place in there] for word, there in places.items()} == lit


def test_a_route_has_an_arrow_only_as_far_as_the_observer_knows_it() -> None:
    sample = KOGGE.sample("middle_game")
    view, names, _ = sample
    picture = KOGGE.draw((view, names, ()))

    def with_routes(*routes: RouteView) -> bytes:
        return KOGGE.draw((with_city(view, 0, routes=routes), names, ()))

    sea = (0, 460, 1000, 880)
    open_ = view.cities[0].routes[1]
    known = [read(with_routes(RouteView(to, hidden), open_)).crop(sea) for to, hidden in KNOWN]
    assert len({each.tobytes() for each in known}) == len(KNOWN)
    # Nothing tells a route to the city itself from one that the observer does not know.
    assert known[2].tobytes() != read(picture).crop(sea).tobytes()
    itself = read(with_routes(RouteView(0, hidden=False), open_)).crop(sea)
    assert itself.tobytes() == known[2].tobytes()


def test_only_the_last_voyage_of_a_ship_is_drawn_in_full() -> None:
    view, names, _ = KOGGE.sample("middle_game")
    first = Sailed(seat=1, city=8, to=7, route="left", fee="")
    last = Sailed(seat=1, city=7, to=5, route="left", fee="")
    fill = ImageColor.getrgb(SIDE_LOOKS[1].fill)

    def drawn(*events: Sailed) -> int:
        picture = read(KOGGE.draw((view, names, events))).crop((0, 460, 1000, 880))
        return next((count for count, tone in picture.getcolors(1 << 20) or () if tone == fill), 0)

    assert drawn(last) == drawn(first, last) > drawn()
    assert drawn(first) > drawn()
