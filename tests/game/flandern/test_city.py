"""Building in a city (section 6) and the special quarters of the church (section 2.4)."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.flandern.city import (
    NONE,
    FlandernCity,
    bars_for,
    build,
    built,
    copy_of,
    emblem_at,
    ground,
    new_city,
    plots_for,
)
from bot.game.flandern.data import EMBLEM_KEYS, EMBLEM_OF_KEY, TILES
from bot.game.flandern.plan import CITIES, OF_SHAPE, PLOT_NAMES, PLOT_OF_NAME, SHAPES, SPECIAL
from tests.game.flandern.positions import (
    EMBLEM_AT_HOME,
    FILLED,
    city_of,
    fill,
    full_stock,
    naive,
    naive_stock,
    named_plots,
    plots,
    quarters,
    stock,
    tile_of,
)

ALL = full_stock()
PLAIN = "t t-leader p p-leader r r-leader"


def may(city: FlandernCity, emblem: str, kinds: str = "") -> set[str]:
    """Where a quarter of an emblem may be built, out of all or of a few."""
    number = EMBLEM_OF_KEY[emblem]
    stock = quarters(kinds) if kinds else ALL[number]
    return set(named_plots(plots_for(city, number, stock, ground(city))).split())


def bars(city: FlandernCity, plot: str) -> set[str]:
    return set(named_plots(bars_for(city, PLOT_OF_NAME[plot])).split())


# What a new city is


@pytest.mark.parametrize("city", CITIES)
def test_a_new_city_has_its_centre_and_twelve_free_plots(city: str) -> None:
    """Paragraph 3.1."""
    new = city_of(city)
    assert EMBLEM_KEYS[emblem_at(new, 0)] == EMBLEM_AT_HOME[city]
    assert named_plots(built(new)) == "c"
    assert named_plots(new.free).split() == list(PLOT_NAMES[1:13])
    assert (new.covered, new.sites, new.printed, new.cathedrals, new.leaders) == (0, 0, 0, 0, [])
    assert (new.bar, new.special, new.scored) == (0, [NONE] * 4, False)


def test_two_new_cities_share_nothing() -> None:
    first, second = new_city(0), new_city(1)
    fill(first, "t1 grey leader, p1 church-a")
    assert second == new_city(1)


def test_a_copy_is_the_same_and_changes_nothing_of_the_first() -> None:
    city = city_of("gent", "t1 grey leader, p1 church-a site cathedral, t2 green-leader")
    before, copy = copy_of(city), copy_of(city)
    assert copy == city
    fill(copy, "r5 blue, t3 yellow leader, r2 church-b, t4 covered")
    copy.scored = True
    assert city == before
    assert copy != city


def test_whose_quarter_stands_on_a_plot_is_known() -> None:
    city = city_of("gent", "t1 grey, p1 church-d-r1, t2 blue site, t3 covered")
    standing = {name: emblem_at(city, PLOT_OF_NAME[name]) for name in PLOT_NAMES}
    words = {name: EMBLEM_KEYS[each] for name, each in standing.items() if each != NONE}
    assert words == {"c": "red", "t1": "grey", "p1": "church", "r1": "church", "t2": "blue"}


# Paragraph 6.1: shape and room


@pytest.mark.parametrize(
    ("kinds", "fits"),
    [
        ("t", "t1 t2 t3 t4"),
        ("t-leader", "t1 t2 t3 t4"),
        ("p", ""),
        ("p-leader", ""),
        ("r", ""),
        ("r-leader", ""),
        ("t p r", "t1 t2 t3 t4"),
    ],
)
def test_in_a_new_city_triangles_alone_can_be_built(kinds: str, fits: str) -> None:
    assert may(city_of("gent"), "green", kinds) == set(fits.split())


@pytest.mark.parametrize(
    ("kinds", "fits"),
    [
        ("t", "t2 t3 t4"),
        ("p", "p2"),
        ("p-leader", "p2"),
        ("r", "r1 r4"),
        ("r-leader", "r1 r4"),
        ("t r", "t2 t3 t4 r1 r4"),
        (PLAIN, "t2 t3 t4 p2 r1 r4"),
    ],
)
def test_a_quarter_goes_on_a_free_plot_of_its_own_shape(kinds: str, fits: str) -> None:
    city = city_of("gent", "t1 grey, p1 yellow")
    assert may(city, "green", kinds) == set(fits.split())


@pytest.mark.parametrize("said", ["t1 grey", "t1 blue site", "t1 covered"])
def test_nothing_is_built_where_something_is(said: str) -> None:
    assert "t1" not in may(city_of("gent", said), "green", "t")


# Paragraph 6.2: the long side


@pytest.mark.parametrize(
    ("said", "emblem", "fits"),
    [
        ("", "green", "t1 t2 t3 t4"),
        ("t1 grey", "green", "t2 t3 t4 p1 p2"),
        ("t1 grey site", "green", "t2 t3 t4 p1 p2"),
        ("t1 grey, t2 grey", "green", "t3 t4 p1 p2 p3"),
        ("t1 covered", "green", "t2 t3 t4"),
        ("t1 covered, t2 grey", "green", "t3 t4 p2 p3"),
        ("t1 covered, t4 covered, t2 grey, t3 grey", "green", "p2 p3 p4"),
        ("t1 grey, p1 blue", "green", "t2 t3 t4 p2 r1 r4"),
        ("t1 grey, p1 blue site", "green", "t2 t3 t4 p2 r1 r4"),
        ("t1 grey, p1 covered", "green", "t2 t3 t4 p2"),
        ("t1 grey, p1 covered, p2 blue", "green", "t2 t3 t4 r1 r2"),
        ("t1 grey, p1 blue, r1 yellow", "green", "t2 t3 t4 p2 r4"),
    ],
)
def test_the_long_side_must_lie_against_a_quarter(said: str, emblem: str, fits: str) -> None:
    """One of two is enough (ruling 18), a site will do (15), a cover does not (19)."""
    assert may(city_of("gent", said), emblem, PLAIN) == set(fits.split())


# Paragraph 6.3: equal emblems


@pytest.mark.parametrize(
    ("said", "emblem", "fits"),
    [
        ("", "red", ""),
        ("t1 green", "red", "p1 p2"),
        ("t1 green", "green", "t2 t3 t4"),
        ("t1 green site", "green", "t2 t3 t4"),
        ("t1 grey", "grey", "t2 t3 t4"),
        ("t1 church", "church", "t2 t3 t4"),
        ("t1 grey, t2 green", "green", "t3 t4 p1"),
        ("t1 grey, p1 green", "green", "t2 t3 p2"),
        ("t1 grey, p1 green", "red", "p2 r1 r4"),
        ("t1 grey, p1 green, r1 blue", "blue", "t2 t3 t4 r4"),
        ("t1 grey, p1 red", "red", "p2"),
    ],
)
def test_equal_emblems_may_not_share_an_edge(said: str, emblem: str, fits: str) -> None:
    """Whatever its length; centres, sites, grey and church too (rulings 15 and 17)."""
    assert may(city_of("gent", said), emblem, PLAIN) == set(fits.split())


@pytest.mark.parametrize("home", CITIES)
def test_no_triangle_of_the_same_emblem_touches_the_centre(home: str) -> None:
    for emblem in EMBLEM_KEYS:
        fits = may(city_of(home), emblem, "t")
        assert fits == (set() if emblem == EMBLEM_AT_HOME[home] else {"t1", "t2", "t3", "t4"})


def test_corners_of_equal_emblems_may_meet() -> None:
    city = city_of("gent", "t1 green")
    assert "t2" in may(city, "green", "t")
    city = city_of("gent", "t1 grey, t2 grey, p1 green")
    assert "p2" in may(city, "green", "p")


def test_a_bar_is_barred_by_either_trapezoid_beside_it() -> None:
    city = city_of("gent", "t1 grey, p1 green, p2 blue")
    assert may(city, "green", "r") == {"r2"}
    assert may(city, "blue", "r") == {"r4"}
    assert may(city, "yellow", "r") == {"r1", "r2", "r4"}


# Paragraph 6.5: stock


def test_without_quarters_nothing_is_built() -> None:
    city = city_of("gent", "t1 grey, p1 yellow")
    assert plots_for(city, EMBLEM_OF_KEY["green"], [0] * len(TILES), ground(city)) == 0


# What building does


@pytest.mark.parametrize("site", [False, True])
def test_a_quarter_that_is_built_takes_its_plot(site: bool) -> None:
    city = city_of("gent")
    emblem, tile, _ = tile_of("t2", "green")
    build(city, emblem, tile, PLOT_OF_NAME["t2"], site=site)
    assert not city.free & plots("t2")
    assert EMBLEM_KEYS[emblem_at(city, PLOT_OF_NAME["t2"])] == "green"
    assert city.sites == (plots("t2") if site else 0)
    assert city.printed == 0


@pytest.mark.parametrize("plot", ["t2", "p1", "r1"])
def test_a_printed_leader_comes_with_its_quarter(plot: str) -> None:
    """Ruling 53: the builder chooses which of two equal shapes."""
    for word, shown in (("blue", ""), ("blue-leader", plot)):
        city = city_of("gent", ground_for(plot))
        fill(city, f"{plot} {word}")
        assert named_plots(city.printed) == shown


def ground_for(plot: str) -> str:
    """What must stand so that a plot can be built on."""
    return {"t": "", "p": "t1 grey", "r": "t1 grey, p1 yellow"}[plot[0]]


# Section 2.4: special quarters


def test_special_quarters_go_where_ordinary_ones_of_their_shape_do() -> None:
    city = city_of("gent", "t1 grey, p1 yellow")
    assert may(city, "church", "a") == {"p2"}
    assert may(city, "church", "b") == {"r1", "r4"}
    assert may(city, "church", "c") == {"r1", "r4"}
    assert may(city, "church", "d") == {"p2"}


def test_special_quarters_may_not_touch_the_church() -> None:
    """Paragraph 6.7: they are quarters of the church in all respects."""
    city = city_of("gent", "t1 grey, t2 church, p1 yellow, r4 blue, p4 church")
    assert may(city, "church", "a") == set()
    assert may(city, "church", "b") == may(city, "church", "c") == {"r1"}
    city = city_of("gent", "t1 grey, p1 church")
    assert may(city, "church", "b") == may(city, "church", "c") == set()


@pytest.mark.parametrize("site", ["", " site"])
@pytest.mark.parametrize(
    ("word", "plot", "new"),
    [
        *(("church-a", f"p{n}", f"r{n + 4}") for n in range(1, 5)),
        *(("church-b", f"r{n}", f"t{n + 4}") for n in range(1, 5)),
        *(("church-c", f"r{n}", f"t{n + 8} t{n + 12}") for n in range(1, 5)),
    ],
)
def test_a_b_and_c_add_plots_at_once(word: str, plot: str, new: str, site: str) -> None:
    """Rulings 37 and 49: as a site too."""
    city = city_of("gent", "t1 grey, t2 grey, t3 grey, t4 grey")
    if plot[0] == "r":
        fill(city, "p1 blue, p2 blue, p3 blue, p4 blue")
    before = city.free
    fill(city, f"{plot} {word}{site}")
    assert city.free == before & ~plots(plot) | plots(new)
    key = word[-1]
    assert city.special == [PLOT_OF_NAME[plot] if each == key else NONE for each in SPECIAL]
    assert may(city, "green", PLAIN) >= set(new.split())


@pytest.mark.parametrize(
    "said", ["p1 church-a", "p1 yellow, r1 church-b", "p1 yellow, r1 church-c"]
)
def test_new_plots_take_every_emblem_but_the_church(said: str) -> None:
    city = city_of("gent", f"t1 grey, {said}")
    new = set(named_plots(city.free & ~city_of("gent").free).split())
    assert new
    for emblem in EMBLEM_KEYS:
        fits = may(city, emblem, PLAIN) & new
        assert fits == (set() if emblem == "church" else new), emblem


def test_the_two_plots_upon_c_do_not_touch_each_other() -> None:
    city = city_of("gent", "t1 grey, p1 yellow, r1 church-c, t9 green")
    assert "t13" in may(city, "green", "t")
    assert "t13" in may(city, "yellow", "t")


def test_new_plots_take_quarters_of_their_own_shape_alone() -> None:
    city = city_of("gent", "t1 grey, p1 church-a")
    assert {"r5"} <= may(city, "green", "r")
    assert "r5" not in may(city, "green", "t p")
    city = city_of("gent", "t1 grey, p1 yellow, r1 church-b")
    assert "t5" in may(city, "green", "t")
    assert "t5" not in may(city, "green", "p r")


def test_the_bar_beyond_a_supports_nothing_and_takes_no_special_quarter_of_the_church() -> None:
    city = city_of("gent", "t1 grey, p1 church-a")
    assert not may(city, "church", "b") & {"r5"}
    fill(city, "r5 green")
    assert not {name for name in may(city, "blue", PLAIN) if name[0] == "t"} - {"t2", "t3", "t4"}


# D: rulings 36 and 48


@pytest.mark.parametrize("bar", ["r1", "r2"])
def test_d_takes_in_one_of_the_two_bars_beside_it(bar: str) -> None:
    city = city_of("gent", "t1 grey")
    assert bars(city, "p2") == {"r1", "r2"}
    fill(city, f"p2 church-d-{bar}")
    other = {"r1": "r2", "r2": "r1"}[bar]
    assert not city.free & plots(f"p2 {bar}")
    assert city.free & plots(other)
    assert named_plots(city.bar) == bar
    assert named_plots(city.emblems[EMBLEM_OF_KEY["church"]]).split() == ["p2", bar]


def test_d_leaves_one_plot_fewer() -> None:
    city = city_of("gent", "t1 grey")
    before = city.free.bit_count()
    fill(city, "p1 church-d-r4")
    assert city.free.bit_count() == before - 2


@pytest.mark.parametrize(
    ("said", "free"),
    [
        ("t1 grey, t2 green, p1 blue, r1 yellow", "r2"),
        ("t1 grey, t2 green, p3 blue, r2 yellow", "r1"),
        ("t1 grey, t2 green, r1 covered", "r2"),
        ("t1 grey, t2 green, r2 covered", "r1"),
        ("t1 grey, t2 green, r1 covered, r2 covered", ""),
        ("t1 grey, t2 green, p1 blue, p3 blue, r1 yellow, r2 yellow", ""),
        ("t1 grey, t2 green, p1 church", "r2"),
        ("t1 grey, t2 green, p3 church", "r1"),
        ("t1 grey, t2 green, p1 church, p3 church", ""),
        ("t1 grey, t2 green, p1 church site, p3 blue, r2 grey", ""),
    ],
)
def test_d_needs_a_free_bar_beside_it_that_does_not_touch_the_church(said: str, free: str) -> None:
    """Ruling 48: it may not be laid where it would touch the church with either part."""
    city = city_of("gent", said)
    assert bars(city, "p2") == set(free.split())
    assert ("p2" in may(city, "church", "d")) == bool(free)
    assert "p2" in may(city, "church", "p")


def test_d_may_not_touch_the_church_with_its_trapezoid() -> None:
    city = city_of("gent", "t1 grey, t2 church")
    assert may(city, "church", "d") == {"p1"}
    assert may(city_of("luik", "t1 grey"), "church", "d") == {"p1", "p2"}


def test_the_bar_beyond_a_is_none_that_d_can_take_in() -> None:
    """It lies beside no other trapezoid; and A is of the church."""
    city = city_of("gent", "t1 grey, p1 church-a")
    assert bars(city, "p2") == {"r2"}


def test_the_church_may_not_touch_either_part_of_d() -> None:
    """D on p1 over r1 also touches p2."""
    city = city_of("gent", "t1 grey, t2 grey, t4 grey, p1 church-d-r1")
    assert may(city, "church", "p") == {"p3", "p4"}
    city = city_of("gent", "t1 grey, t2 grey, t4 grey, p1 church-d-r4")
    assert may(city, "church", "p") == {"p2", "p3"}
    assert may(city, "church", "t") == {"t3"}


def test_d_bars_the_church_alone_from_what_it_touches() -> None:
    city = city_of("gent", "t1 grey, p1 church-d-r1")
    assert {"p2", "r4"} <= may(city, "blue", PLAIN)


def test_d_supports_along_the_side_of_its_trapezoid_alone() -> None:
    """The bar on its other side stands; nothing lies on the bar that it takes in."""
    city = city_of("gent", "t1 grey, p1 church-d-r1")
    assert may(city, "blue", PLAIN) == {"t2", "t3", "t4", "p2", "r4"}
    city = city_of("gent", "t1 grey, p2 church-d-r1")
    assert may(city, "blue", PLAIN) == {"t2", "t3", "t4", "p1", "r2"}


def test_d_as_a_site_takes_both_plots() -> None:
    city = city_of("gent", "t1 grey, p1 church-d-r1 site")
    assert named_plots(city.sites) == "p1"
    assert not city.free & plots("p1 r1")


# Everything at once


def test_a_whole_city_can_be_filled() -> None:
    for home in ("brugge", "leuven"):
        city = city_of(home)
        for said in FILLED.split(", "):
            plot, emblem = said.split()
            assert plot in may(city, emblem), said
            fill(city, said)
        assert city.free == 0


@pytest.mark.parametrize("home", CITIES)
@pytest.mark.parametrize("seed", range(5))
def test_wherever_a_city_grows_the_naive_game_allows_the_same(home: str, seed: int) -> None:
    """Quarters that it allows are built one by one; now and then a plot is covered."""
    rng, city = Random(seed), city_of(home)
    while city.free:
        known, ways = naive(city), list[str]()
        for emblem, key in enumerate(EMBLEM_KEYS):
            for tile, kind in enumerate(TILES):
                if not ALL[emblem][tile] or (kind in SPECIAL and special_of(city, kind) != NONE):
                    continue
                left = naive_stock(stock(f"{key} {kind}"))
                expected = sorted(known.buildings([key], left))
                assert may(city, key, kind) == {plot for plot, _ in expected}, (key, kind)
                ways += [f"{plot} {word}" for plot, word in expected]
        for plot in named_plots(city.free & OF_SHAPE[SHAPES.index("p")]).split():
            if not known.keeps_off("church", plot):
                assert bars(city, plot) == set(known.pairs(plot, known.free))
        if not ways or rng.random() < 0.1:
            ways = [f"{rng.choice(named_plots(city.free).split())} covered"]
        fill(city, rng.choice(ways))


def special_of(city: FlandernCity, kind: str) -> int:
    return city.special[SPECIAL.index(kind)]
