"""The plan of a city (sections 2.1, 2.2 and 2.4): both tables of the sheet are worked out again
from the outlines, by what edges the outlines share."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from math import dist, sqrt

import pytest

from bot.game.flandern.plan import (
    BARS,
    BESIDE,
    CITIES,
    ON,
    PLACE_NAMES,
    PLACE_OF_NAME,
    PLOT_NAMES,
    PLOT_OF_NAME,
    PLOTS,
    PRINTED,
    SHAPE_OF,
    SPECIAL,
    Corner,
    Outline,
    made_by,
    mask,
    members,
    special_outline,
    touched_by,
    turned,
)
from tests.game.flandern import naive_city
from tests.game.flandern.positions import named_plots

ROOT = sqrt(2)
NEAR = 1e-3
"""The outlines are given to four figures."""
NEW_NAMES = tuple(name for name in PLOT_NAMES if PLOTS[PLOT_OF_NAME[name]].maker)
PRINTED_NAMES = tuple(name for name in PLOT_NAMES if name not in NEW_NAMES)


# Geometry, apart from the engine's own


def edges(outline: Outline) -> Iterator[tuple[Corner, Corner]]:
    yield from pairwise([*outline, outline[0]])


def area(outline: Outline) -> float:
    return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in edges(outline))) / 2


def off_and_along(a: Corner, b: Corner, point: Corner) -> tuple[float, float]:
    """How far a point lies off the line from a to b, and how far along it."""
    x, y, px, py = b[0] - a[0], b[1] - a[1], point[0] - a[0], point[1] - a[1]
    return abs(x * py - y * px) / dist(a, b), (x * px + y * py) / dist(a, b)


def overlap(first: tuple[Corner, Corner], second: tuple[Corner, Corner]) -> float:
    """The length of the stretch that two edges have in common."""
    seen = [off_and_along(*first, point) for point in second]
    if max(off for off, _ in seen) > NEAR:
        return 0
    low, high = sorted(along for _, along in seen)
    shared = min(high, dist(*first)) - max(low, 0)
    return shared if shared > NEAR else 0


def shared(one: Outline, other: Outline) -> float:
    """The length of edge that two outlines share."""
    return sum(overlap(a, b) for a in edges(one) for b in edges(other))


def outline(name: str) -> Outline:
    return PLOTS[PLOT_OF_NAME[name]].outline


def is_at(one: Outline, other: Outline) -> bool:
    """Whether two outlines have the same corners."""
    far = [min(dist(corner, each) for each in other) for corner in one]
    return len(one) == len(other) and max(far) < NEAR


# Section 2.1: names and shapes


def test_a_city_has_thirteen_plots_and_room_for_four_bars_and_twelve_triangles() -> None:
    assert CITIES == ("brugge", "gent", "ieper", "leuven", "utrecht", "luik")
    assert " ".join(PRINTED_NAMES) == "c t1 t2 t3 t4 p1 p2 p3 p4 r1 r2 r3 r4"
    assert named_plots(PRINTED).split() == list(PRINTED_NAMES[1:])
    assert set(NEW_NAMES) == {f"r{n}" for n in range(5, 9)} | {f"t{n}" for n in range(5, 17)}
    for name, plot, shape in zip(PLOT_NAMES, PLOTS, SHAPE_OF, strict=True):
        assert (plot.name, plot.shape) == (name, "" if name == "c" else name[0])
        assert shape == (-1 if name == "c" else "tpr".index(name[0]))
    assert PLACE_NAMES[1][1] == "gent-t1"
    assert PLACE_OF_NAME["luik-r8"] == (5, PLOT_OF_NAME["r8"])
    assert len(PLACE_OF_NAME) == sum(map(len, PLACE_NAMES)) == 6 * len(PLOTS)


def test_every_plot_has_the_corners_and_the_area_of_its_shape() -> None:
    for name, corners in {
        "c": ((2, 0), (4, 2), (2, 4), (0, 2)),
        "t1": ((2, 4), (4, 4), (4, 2)),
        "p1": ((0, 4), (4, 4), (3, 5), (1, 5)),
        "r1": ((3, 5), (5, 3), (5.707, 3.707), (3.707, 5.707)),
        "p2": ((4, 4), (4, 0), (5, 1), (5, 3)),  # the first of the turned ones: to the east
    }.items():
        assert is_at(corners, outline(name)), name
    for name in PLOT_NAMES[1:]:
        place = int(name[1:]) - 1
        after = f"{name[0]}{place - place % 4 + (place + 1) % 4 + 1}"
        assert is_at(turned(outline(name), 1), outline(after)), name
        assert is_at(turned(outline(name), 4), outline(name)), name
    for shape, size, sides in (
        ("t", 2, [2, 2, 2 * ROOT]),
        ("p", 3, [ROOT, ROOT, 2, 4]),
        ("r", 2 * ROOT, [1, 1, 2 * ROOT, 2 * ROOT]),
        ("c", 8, [2 * ROOT] * 4),
    ):
        for name in (name for name in PLOT_NAMES if name.startswith(shape)):
            assert area(outline(name)) == pytest.approx(size, abs=NEAR), name
            lengths = sorted(dist(a, b) for a, b in edges(outline(name)))
            assert lengths == pytest.approx(sides, abs=NEAR), name


# Section 2.2: both tables


def test_plots_share_edges_and_lie_on_others_as_the_sheet_says() -> None:
    """The tables as the naive game has them, and as the outlines do; corners that only meet in a
    point do not touch."""
    for name in PLOT_NAMES:
        plot = PLOT_OF_NAME[name]
        assert set(named_plots(BESIDE[plot]).split()) == naive_city.BESIDE[name], name
        assert set(named_plots(ON[plot]).split()) == naive_city.LONG_SIDE.get(name, set()), name
    pairs = 0
    for one, other in combinations(PRINTED_NAMES, 2):
        touch = shared(outline(one), outline(other)) > 0
        assert touch == (other in naive_city.BESIDE[one]), (one, other)
        pairs += touch
    assert pairs == 20
    # A triangle's hypotenuse, a trapezoid's base, a bar's inner side.
    for name in PRINTED_NAMES[1:]:
        on = (outline(other) for other in naive_city.LONG_SIDE[name])
        length = sum(shared(outline(name), each) for each in on)
        assert length == pytest.approx(4 if name[0] == "p" else 2 * ROOT, abs=NEAR), name
    assert shared(outline("t1"), outline("p1")) == pytest.approx(2)
    assert shared(outline("p1"), outline("r1")) == pytest.approx(ROOT, abs=NEAR)


def test_a_guild_can_hold_at_most_eight_plots_of_a_foreign_city_and_five_at_home() -> None:
    """Section 2.2: all triangles and bars, which touch none of their kind."""
    inner = members(PRINTED)
    most = {False: 0, True: 0}
    for bits in range(1 << len(inner)):
        chosen = mask(inner[n] for n in range(len(inner)) if bits >> n & 1)
        for home in (False, True):
            if not touched_by(chosen | home) & (chosen | home):
                most[home] = max(most[home], (chosen | home).bit_count())
    assert most == {False: 8, True: 5}


# Section 2.4: special quarters


def test_a_special_quarter_makes_the_plots_beyond_it_and_no_others() -> None:
    """They lie on it by their long side and touch nothing else, so the church never fits there."""
    for special, key in enumerate(SPECIAL):
        for name in PLOT_NAMES:
            made = naive_city.BEYOND.get((f"church-{key}", name), ())
            assert named_plots(made_by(special, PLOT_OF_NAME[name])) == " ".join(made)
            whole = special_outline(special, PLOT_OF_NAME[name]) if made else ()
            for new in made:
                assert shared(outline(new), whole) == pytest.approx(2 * ROOT, abs=NEAR)
    for name in NEW_NAMES:
        (under,) = naive_city.LONG_SIDE[name]
        for other in PLOT_NAMES:
            if other not in (name, under) and naive_city.LONG_SIDE.get(other) != {under}:
                assert shared(outline(name), outline(other)) == 0, (name, other)
    for plot, bars in (("p1", "r1 r4"), ("p2", "r1 r2"), ("p3", "r2 r3"), ("p4", "r3 r4")):
        assert named_plots(BARS[PLOT_OF_NAME[plot]]) == bars
        assert is_at(special_outline(3, PLOT_OF_NAME[plot]), outline(plot))
