"""Courses lead over water."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, permutations
from math import dist

import pytest

from bot.render.kogge.fairways import STEP, bowed, is_water, way
from bot.render.kogge.layout import LAYOUT
from bot.render.layout import Spot
from bot.render.sprites import Point

PORTS = [city.port for city in LAYOUT.cities]


@pytest.mark.parametrize("course", [way, bowed])
def test_every_course_from_port_to_port_or_into_the_unknown_is_over_water(
    course: Callable[[Spot, Spot], Sequence[Point]],
) -> None:
    ends = [*permutations(PORTS, 2), *((port, at) for port in PORTS for at in LAYOUT.unknown.at)]
    for first, last in ends:
        ashore = [point for point in course(first, last) if not is_water(*point)]
        assert not ashore, (first, last, ashore)


def test_a_course_begins_and_ends_at_the_ports_and_has_no_gaps() -> None:
    for first, last in permutations(PORTS, 2):
        path = way(first, last)
        assert dist(path[0], first) == 0
        assert dist(path[-1], last) < 2 * STEP
        assert all(dist(one, other) < 2 * STEP for one, other in pairwise(path))


def test_land_and_boards_are_no_water() -> None:
    assert not is_water(*LAYOUT.cities[4].at)
    assert not is_water(LAYOUT.hills.at[0][0], LAYOUT.hills.at[0][1])
    assert not is_water(-1, 600)
