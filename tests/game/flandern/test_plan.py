"""The plan of a city (sections 2.1, 2.2 and 2.4): both tables of the sheet are worked out again
from the outlines, by what edges the outlines share."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from math import dist, isclose, sqrt

import pytest

from bot.game.flandern.plan import (
    BARS,
    BESIDE,
    CITIES,
    CITY_OF_NAME,
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
    supported_by,
    touched_by,
    turned,
)
from tests.game.flandern.positions import named_plots, plots

ROOT = sqrt(2)
NEAR = 1e-3
"""The outlines are given to four figures."""

ON_TABLE = """
t1: c
t2: c
t3: c
t4: c
p1: t4 t1
p2: t1 t2
p3: t2 t3
p4: t3 t4
r1: p1 p2
r2: p2 p3
r3: p3 p4
r4: p4 p1
"""
"""The second column of the table of section 2.2: N, E, S, W and NE, SE, SW, NW are 1 to 4."""

BESIDE_TABLE = """
c: t1 t2 t3 t4
t1: c p1 p2
t2: c p2 p3
t3: c p3 p4
t4: c p4 p1
p1: t4 t1 r4 r1
p2: t1 t2 r1 r2
p3: t2 t3 r2 r3
p4: t3 t4 r3 r4
r1: p1 p2
r2: p2 p3
r3: p3 p4
r4: p4 p1
"""
"""Its third column."""

PRINTED_NAMES = tuple(name for name in PLOT_NAMES if not PLOTS[PLOT_OF_NAME[name]].maker)
NEW_NAMES = tuple(name for name in PLOT_NAMES if name not in PRINTED_NAMES)


def read(text: str) -> dict[str, set[str]]:
    lines = (line.split(":") for line in text.strip().splitlines())
    return {name: set(others.split()) for name, others in lines}


# Geometry, apart from the engine's own


def edges(outline: Outline) -> Iterator[tuple[Corner, Corner]]:
    yield from pairwise([*outline, outline[0]])


def area(outline: Outline) -> float:
    return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in edges(outline))) / 2


def off_line(a: Corner, b: Corner, point: Corner) -> float:
    """How far a point lies to the left of the line from a to b."""
    cross = (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
    return cross / dist(a, b)


def along(a: Corner, b: Corner, point: Corner) -> float:
    """How far along the line from a to b a point lies."""
    inner = (b[0] - a[0]) * (point[0] - a[0]) + (b[1] - a[1]) * (point[1] - a[1])
    return inner / dist(a, b)


def overlap(first: tuple[Corner, Corner], second: tuple[Corner, Corner]) -> float:
    """The length of the stretch that two edges have in common."""
    a, b = first
    if max(abs(off_line(a, b, point)) for point in second) > NEAR:
        return 0
    ends = sorted(along(a, b, point) for point in second)
    shared = min(ends[1], dist(a, b)) - max(ends[0], 0)
    return shared if shared > NEAR else 0


def shared(one: Outline, other: Outline) -> float:
    """The length of edge that two outlines share."""
    return sum(overlap(a, b) for a in edges(one) for b in edges(other))


def triangles(outline: Outline) -> list[Outline]:
    """Cut from the middle of its corners, which is inside of each outline here."""
    middle = (
        sum(x for x, _ in outline) / len(outline),
        sum(y for _, y in outline) / len(outline),
    )
    parts: list[Outline] = []
    for a, b in edges(outline):
        parts.append((middle, a, b) if off_line(middle, a, b) > 0 else (middle, b, a))
    return parts


def common(one: Outline, other: Outline) -> float:
    """The area that lies in two triangles, given counter-clockwise."""
    left = list(one)
    for a, b in edges(other):
        kept: list[Corner] = []
        for p, q in edges(tuple(left)) if left else ():
            here, there = off_line(a, b, p), off_line(a, b, q)
            if here >= 0:
                kept.append(p)
            if here * there < 0:
                share = here / (here - there)
                kept.append((p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share))
        left = kept
    return area(tuple(left)) if len(left) > 2 else 0


def covers_both(one: Outline, other: Outline) -> float:
    """The area that lies in both outlines."""
    return sum(common(a, b) for a in triangles(one) for b in triangles(other))


def outline(name: str) -> Outline:
    return PLOTS[PLOT_OF_NAME[name]].outline


def is_at(one: Outline, other: Outline) -> bool:
    """Whether two outlines have the same corners."""
    far = [min(dist(corner, each) for each in other) for corner in one]
    return len(one) == len(other) and max(far) < NEAR


def long_side(name: str) -> float:
    """The length of edge that a plot shares with those which it lies on."""
    number = PLOT_OF_NAME[name]
    return sum(shared(outline(name), PLOTS[other].outline) for other in members(ON[number]))


def test_triangles_that_are_cut_from_an_outline_make_it_up() -> None:
    """Or `covers_both` would say nothing."""
    outlines = [each.outline for each in PLOTS]
    outlines += [special_outline(0, plot) for plot in members(plots("p1 p2 p3 p4"))]
    outlines += [special_outline(2, plot) for plot in members(plots("r1 r2 r3 r4"))]
    for each in outlines:
        assert isclose(sum(map(area, triangles(each))), area(each))
        assert isclose(covers_both(each, each), area(each))
    square = ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0))
    moved = ((1.0, 1.0), (3.0, 1.0), (3.0, 3.0), (1.0, 3.0))
    assert isclose(covers_both(square, moved), 1)
    assert shared(square, moved) == 0


# Names and numbers


def test_the_six_cities_are_three_on_the_left_and_three_on_the_right() -> None:
    assert CITIES == ("brugge", "gent", "ieper", "leuven", "utrecht", "luik")
    assert [CITY_OF_NAME[key] for key in CITIES] == list(range(6))


def test_a_city_has_thirteen_plots_the_centre_and_four_of_each_shape() -> None:
    """Section 2.1."""
    assert (
        *("c", "t1", "t2", "t3", "t4"),
        *("p1", "p2", "p3", "p4"),
        *("r1", "r2", "r3", "r4"),
    ) == PRINTED_NAMES
    assert named_plots(PRINTED).split() == list(PRINTED_NAMES[1:])


def test_plots_that_quarters_make_are_four_bars_and_twelve_triangles() -> None:
    expected = [f"r{n}" for n in range(5, 9)] + [f"t{n}" for n in range(5, 17)]
    assert sorted(NEW_NAMES) == sorted(expected)


def test_the_letter_of_a_plot_is_that_of_its_shape() -> None:
    for name, each in zip(PLOT_NAMES, PLOTS, strict=True):
        assert each.name == name
        assert each.shape == ("" if name == "c" else name[0])
    assert SHAPE_OF[0] == -1
    assert [("t", "p", "r")[SHAPE_OF[PLOT_OF_NAME[name]]] for name in PLOT_NAMES[1:]] == [
        name[0] for name in PLOT_NAMES[1:]
    ]


def test_a_place_is_said_by_its_city_and_its_plot() -> None:
    assert PLACE_NAMES[CITY_OF_NAME["gent"]][PLOT_OF_NAME["t1"]] == "gent-t1"
    assert PLACE_OF_NAME["luik-r8"] == (CITY_OF_NAME["luik"], PLOT_OF_NAME["r8"])
    assert len(PLACE_OF_NAME) == 6 * len(PLOTS)
    assert [len(names) for names in PLACE_NAMES] == [len(PLOTS)] * 6


# Section 2.1: shapes


@pytest.mark.parametrize(
    ("shape", "size", "sides"),
    [
        ("t", 2, [2, 2, 2 * ROOT]),
        ("p", 3, [ROOT, ROOT, 2, 4]),
        ("r", 2 * ROOT, [1, 1, 2 * ROOT, 2 * ROOT]),
    ],
)
def test_every_plot_has_the_area_and_the_sides_of_its_shape(
    shape: str, size: float, sides: list[float]
) -> None:
    for name in PLOT_NAMES:
        if name.startswith(shape):
            assert area(outline(name)) == pytest.approx(size, abs=NEAR), name
            lengths = sorted(dist(a, b) for a, b in edges(outline(name)))
            assert lengths == pytest.approx(sorted(sides), abs=NEAR), name


def test_the_centre_is_a_diamond_on_the_midpoints_of_a_square_of_side_four() -> None:
    assert set(outline("c")) == {(2, 0), (4, 2), (2, 4), (0, 2)}
    assert area(outline("c")) == 8


@pytest.mark.parametrize(
    ("name", "corners"),
    [
        ("t1", [(2, 4), (4, 4), (4, 2)]),
        ("p1", [(0, 4), (4, 4), (3, 5), (1, 5)]),
        ("r1", [(3, 5), (5, 3), (5.707, 3.707), (3.707, 5.707)]),
        ("t3", [(2, 0), (0, 0), (0, 2)]),
        ("p2", [(4, 4), (4, 0), (5, 1), (5, 3)]),
        ("p4", [(0, 0), (0, 4), (-1, 3), (-1, 1)]),
        ("r3", [(1, -1), (-1, 1), (-1.707, 0.293), (0.293, -1.707)]),
    ],
)
def test_corners_lie_where_the_sheet_has_them(name: str, corners: list[Corner]) -> None:
    """The others by quarter turns about (2, 2)."""
    for corner in corners:
        assert min(dist(corner, other) for other in outline(name)) < NEAR
    assert len(outline(name)) == len(corners)


def test_a_quarter_turn_clockwise_leads_to_the_next_plot_of_the_ring() -> None:
    for name in PLOT_NAMES[1:]:
        place = int(name[1:]) - 1
        after = f"{name[0]}{place - place % 4 + (place + 1) % 4 + 1}"
        assert is_at(turned(outline(name), 1), outline(after)), name
        assert is_at(turned(outline(name), 4), outline(name)), name


# Section 2.2: both tables


@pytest.mark.parametrize("name", PRINTED_NAMES)
def test_a_printed_plot_shares_an_edge_with_those_of_the_sheet(name: str) -> None:
    expected = read(BESIDE_TABLE)[name]
    from_outlines = {
        other
        for other in PRINTED_NAMES
        if other != name and shared(outline(name), outline(other)) > 0
    }
    assert from_outlines == expected
    engine = BESIDE[PLOT_OF_NAME[name]] & (PRINTED | 1)
    assert set(named_plots(engine).split()) == expected


def test_twenty_pairs_of_printed_plots_share_an_edge() -> None:
    pairs = [
        (one, other)
        for one, other in combinations(PRINTED_NAMES, 2)
        if shared(outline(one), outline(other)) > 0
    ]
    assert len(pairs) == 20


@pytest.mark.parametrize("name", PRINTED_NAMES)
def test_the_long_side_lies_on_the_plots_of_the_sheet(name: str) -> None:
    expected = read(ON_TABLE).get(name, set())
    assert set(named_plots(ON[PLOT_OF_NAME[name]]).split()) == expected


@pytest.mark.parametrize("name", PRINTED_NAMES[1:])
def test_the_whole_long_side_of_a_plot_lies_on_others(name: str) -> None:
    """A triangle's hypotenuse, a trapezoid's base, a bar's inner side."""
    expected = {"t": 2 * ROOT, "p": 4, "r": 2 * ROOT}[name[0]]
    assert long_side(name) == pytest.approx(expected, abs=NEAR)


@pytest.mark.parametrize(
    ("one", "other", "length"),
    [
        ("c", "t1", 2 * ROOT),
        ("t1", "p1", 2),
        ("t4", "p1", 2),
        ("p1", "r1", ROOT),
        ("p1", "r4", ROOT),
        ("t1", "r1", 0),
        ("p1", "p2", 0),
        ("t1", "t2", 0),
        ("c", "p1", 0),
        ("r1", "r2", 0),
    ],
)
def test_two_plots_share_so_much_edge(one: str, other: str, length: float) -> None:
    """Corners that only meet in a point do not touch."""
    assert shared(outline(one), outline(other)) == pytest.approx(length, abs=NEAR)


def test_no_two_printed_plots_overlap() -> None:
    for one, other in combinations(PRINTED_NAMES, 2):
        assert covers_both(outline(one), outline(other)) < NEAR, (one, other)


def test_the_whole_square_is_filled() -> None:
    assert area(outline("c")) + 4 * area(outline("t1")) == 16


def test_touching_is_mutual() -> None:
    for name, number in PLOT_OF_NAME.items():
        for other in members(BESIDE[number]):
            assert BESIDE[other] >> number & 1, (name, PLOT_NAMES[other])
        assert not BESIDE[number] >> number & 1
        assert ON[number] & ~BESIDE[number] == 0


# Section 2.4: special quarters


@pytest.mark.parametrize(
    ("special", "under", "made"),
    [
        *(("a", f"p{n}", f"r{n + 4}") for n in range(1, 5)),
        *(("b", f"r{n}", f"t{n + 4}") for n in range(1, 5)),
        *(("c", f"r{n}", f"t{n + 8} t{n + 12}") for n in range(1, 5)),
    ],
)
def test_a_special_quarter_makes_the_plots_beyond_it(special: str, under: str, made: str) -> None:
    tile, plot = SPECIAL.index(special), PLOT_OF_NAME[under]
    assert named_plots(made_by(tile, plot)) == made
    whole = special_outline(tile, plot)
    for name in made.split():
        assert shared(outline(name), whole) == pytest.approx(2 * ROOT, abs=NEAR)
        assert named_plots(ON[PLOT_OF_NAME[name]]) == under
        assert named_plots(BESIDE[PLOT_OF_NAME[name]]) == under


@pytest.mark.parametrize("special", range(4))
def test_no_quarter_makes_plots_where_it_does_not_belong(special: int) -> None:
    makes = {0: "p1 p2 p3 p4", 1: "r1 r2 r3 r4", 2: "r1 r2 r3 r4", 3: ""}[special].split()
    assert [name for name in PLOT_NAMES if made_by(special, PLOT_OF_NAME[name])] == makes


SPECIAL_PLACES = [("a", f"p{n}") for n in range(1, 5)] + [
    (key, f"r{n}") for key in "bc" for n in range(1, 5)
]


@pytest.mark.parametrize(("special", "under"), SPECIAL_PLACES)
def test_special_quarters_and_their_new_plots_overlap_nothing(special: str, under: str) -> None:
    """Neither the other printed plots, nor new ones of other special quarters elsewhere."""
    tile, plot = SPECIAL.index(special), PLOT_OF_NAME[under]
    made = named_plots(made_by(tile, plot)).split()
    others = [name for name in PRINTED_NAMES if name != under]
    # What grows upon another plot; two special quarters never share one.
    others += [name for name in NEW_NAMES if not ON[PLOT_OF_NAME[name]] >> plot & 1]
    whole = special_outline(tile, plot)
    for name in [*others, *made]:
        assert covers_both(whole, outline(name)) < NEAR, name
    for name in made:
        for other in others:
            assert covers_both(outline(name), outline(other)) < NEAR, (name, other)
    for one, other in combinations(made, 2):
        assert covers_both(outline(one), outline(other)) < NEAR


@pytest.mark.parametrize(("special", "under"), SPECIAL_PLACES)
def test_a_special_quarter_covers_its_plot(special: str, under: str) -> None:
    whole = special_outline(SPECIAL.index(special), PLOT_OF_NAME[under])
    assert covers_both(whole, outline(under)) == pytest.approx(area(outline(under)), abs=NEAR)


@pytest.mark.parametrize(("special", "under"), SPECIAL_PLACES)
def test_a_special_quarter_touches_what_its_plot_touches(special: str, under: str) -> None:
    """As drawn it shares an edge with no other printed plot."""
    whole = special_outline(SPECIAL.index(special), PLOT_OF_NAME[under])
    touched = {n for n in PRINTED_NAMES if n != under and shared(whole, outline(n)) > 0}
    assert touched == read(BESIDE_TABLE)[under]


def test_new_plots_touch_their_own_quarter_alone() -> None:
    """Section 2.4; so a quarter of the church never fits there."""
    for name in NEW_NAMES:
        for other in PRINTED_NAMES:
            under = named_plots(ON[PLOT_OF_NAME[name]])
            if other != under:
                assert shared(outline(name), outline(other)) == 0, (name, other)
        for other in NEW_NAMES:
            if other != name and under != named_plots(ON[PLOT_OF_NAME[other]]):
                assert shared(outline(name), outline(other)) == 0, (name, other)


@pytest.mark.parametrize(
    ("plot", "bars"), [("p1", "r1 r4"), ("p2", "r1 r2"), ("p3", "r2 r3"), ("p4", "r3 r4")]
)
def test_d_can_take_in_the_two_printed_bars_beside_its_trapezoid(plot: str, bars: str) -> None:
    assert {PLOT_NAMES[bar] for bar in members(BARS[PLOT_OF_NAME[plot]])} == set(bars.split())


def test_d_looks_like_a_trapezoid_to_which_its_bar_is_added() -> None:
    for number in range(1, 5):
        plot = PLOT_OF_NAME[f"p{number}"]
        assert is_at(special_outline(3, plot), PLOTS[plot].outline)


# What the rules ask of the plan


@pytest.mark.parametrize(
    ("standing", "supported"),
    [
        ("c", "t1 t2 t3 t4"),
        ("t1", "p1 p2"),
        ("t1 t2", "p1 p2 p3"),
        ("p1", "r1 r4 r5"),
        ("p1 p2", "r1 r2 r4 r5 r6"),
        ("r1", "t5 t9 t13"),
        ("", ""),
    ],
)
def test_quarters_support_the_plots_whose_long_side_lies_on_them(
    standing: str, supported: str
) -> None:
    assert set(named_plots(supported_by(plots(standing))).split()) == set(supported.split())


@pytest.mark.parametrize(
    ("standing", "touched"),
    [
        ("c", "t1 t2 t3 t4"),
        ("t1", "c p1 p2"),
        ("p1", "t4 t1 r4 r1 r5"),
        ("r1", "p1 p2 t5 t9 t13"),
        ("t1 t3", "c p1 p2 p3 p4"),
        ("", ""),
    ],
)
def test_quarters_touch_the_plots_that_share_an_edge_with_them(standing: str, touched: str) -> None:
    assert set(named_plots(touched_by(plots(standing))).split()) == set(touched.split())


def test_a_set_of_plots_is_a_bit_mask() -> None:
    assert mask((0, 2, 5)) == 0b100101
    assert mask(()) == 0
    assert members(0b100101) == (0, 2, 5)
    assert members(0) == ()


def test_a_guild_can_hold_at_most_eight_plots_of_a_foreign_city_and_five_at_home() -> None:
    """Section 2.2: all triangles and bars, which touch none of their kind."""
    inner = members(PRINTED)
    most = {False: 0, True: 0}
    for bits in range(1 << len(inner)):
        chosen = mask(inner[n] for n in range(len(inner)) if bits >> n & 1)
        if not touched_by(chosen) & chosen:
            most[False] = max(most[False], chosen.bit_count())
        if not touched_by(chosen | 1) & (chosen | 1):
            most[True] = max(most[True], chosen.bit_count() + 1)
    assert most == {False: 8, True: 5}
