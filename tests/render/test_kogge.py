"""What the pictures of Kogge alone have: courses over water, and cities that can be full."""

from __future__ import annotations

from itertools import pairwise, permutations
from math import dist

from bot.game.kogge.data import CITIES
from bot.render.asked import AskedWords
from bot.render.kogge.fairways import STEP, bowed, is_water, way
from bot.render.kogge.layout import LAYOUT
from bot.render.kogge.reach import reach_of
from tests.render.compare import read
from tests.render.kogge.cases import KOGGE
from tests.render.kogge.samples import extreme, voyage
from tests.render.pictured import with_city

PORTS = [city.port for city in LAYOUT.cities]


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
    view, _, _ = voyage()
    assert [each.to for each in reach_of(view, 1)] == [7, None, 6]
    barred = with_city(view, 7, raids=(1,))
    assert [each.to for each in reach_of(barred, 1)] == [None, 6]


def test_a_city_can_hold_all_there_is() -> None:
    assert len(LAYOUT.cities) == CITIES
    for city in range(CITIES):
        whole = KOGGE.draw(extreme(city))
        assert read(whole).size == LAYOUT.size
        assert len(whole) < KOGGE.kilobytes * 1000
        assert read(KOGGE.draw(extreme(city), f"city{city}")).width == 1080


def test_a_question_about_no_place_leaves_the_picture_as_it_was() -> None:
    asked = AskedWords(("choose",), "group", ("first", "second"))
    assert KOGGE.draw(voyage(), asked=asked) == KOGGE.draw(voyage())
