"""Building in a city (section 6), the special quarters of the church (section 2.4), and plots on
which nothing can ever be built (paragraph 6.6 and ruling 20)."""

from __future__ import annotations

from copy import deepcopy
from itertools import product
from random import Random

from bot.game.flandern.city import (
    NONE,
    FlandernCity,
    bars_for,
    built,
    copy_of,
    dead_plots,
    emblem_at,
    ground,
    hopes,
    plots_for,
)
from bot.game.flandern.data import EMBLEM_KEYS, EMBLEM_OF_KEY, TILES
from bot.game.flandern.plan import CITIES, OF_SHAPE, PLOT_NAMES, PLOT_OF_NAME, SHAPES, SPECIAL
from tests.game.flandern.naive_city import BEYOND, City, Stock
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
    without,
)

ALL = full_stock()
PLAIN = "t t-leader p p-leader r r-leader"


def may(city: FlandernCity, emblem: str, kinds: str = "") -> set[str]:
    """Where a quarter of an emblem may be built, out of all or of a few."""
    number = EMBLEM_OF_KEY[emblem]
    stock = quarters(kinds) if kinds else ALL[number]
    return set(named_plots(plots_for(city, number, stock, ground(city))).split())


def bars(city: FlandernCity, plot: str) -> set[str]:
    """The bars that D can take in on a trapezoid."""
    return set(named_plots(bars_for(city, PLOT_OF_NAME[plot])).split())


def check(rows: tuple[tuple[str, str, str, str], ...], home: str = "gent") -> None:
    """What stands in a city, and where of which emblem's which quarters may be built."""
    for said, emblem, kinds, fits in rows:
        assert may(city_of(home, said), emblem, kinds) == set(fits.split()), (said, emblem, kinds)


def test_a_new_city_has_its_centre_and_twelve_free_plots() -> None:
    """Paragraph 3.1. No triangle of the same emblem touches the centre (6.3)."""
    for city in CITIES:
        new = city_of(city)
        assert EMBLEM_KEYS[emblem_at(new, 0)] == EMBLEM_AT_HOME[city]
        assert named_plots(built(new)) == "c"
        assert named_plots(new.free).split() == list(PLOT_NAMES[1:13])
        assert (new.covered, new.sites, new.printed, new.cathedrals, new.leaders) == (
            0,
            0,
            0,
            0,
            [],
        )
        assert (new.bar, new.special, new.scored) == (0, [NONE] * 4, False)
        for emblem in EMBLEM_KEYS:
            fits = set() if emblem == EMBLEM_AT_HOME[city] else {"t1", "t2", "t3", "t4"}
            assert may(new, emblem, "t") == fits


def test_a_copy_is_the_same_and_changes_nothing_of_the_first() -> None:
    city = city_of("gent", "t1 grey leader, p1 church-a site cathedral, t2 green-leader")
    before, copy = copy_of(city), copy_of(city)
    assert copy == city
    fill(copy, "r5 blue, t3 yellow leader, r2 church-b, t4 covered")
    copy.scored = True
    assert city == before
    assert copy != city
    assert city_of("brugge").leaders == []


def test_a_quarter_that_is_built_takes_its_plot() -> None:
    """Ruling 53: a printed leader comes with its quarter."""
    said = "t1 grey, p1 church-d-r1, t2 blue site, t3 covered, p2 red-leader, r2 green-leader"
    city = city_of("gent", said)
    standing = {name: emblem_at(city, PLOT_OF_NAME[name]) for name in PLOT_NAMES}
    words = {name: EMBLEM_KEYS[each] for name, each in standing.items() if each != NONE}
    at = {"c": "red", "t1": "grey", "p1": "church", "r1": "church", "t2": "blue", "p2": "red"}
    assert words == {**at, "r2": "green"}
    assert named_plots(city.free) == "t4 p3 p4 r3 r4"
    assert (named_plots(city.sites), named_plots(city.printed)) == ("t2", "p2 r2")


def test_a_quarter_goes_on_a_free_plot_of_its_own_shape() -> None:
    """Paragraphs 6.1 and 6.5: not without stock."""
    for kinds, new, later in (
        ("t", "t1 t2 t3 t4", "t2 t3 t4"),
        ("t-leader", "t1 t2 t3 t4", "t2 t3 t4"),
        ("p", "", "p2"),
        ("p-leader", "", "p2"),
        ("r", "", "r1 r4"),
        ("r-leader", "", "r1 r4"),
        (PLAIN, "t1 t2 t3 t4", "t2 t3 t4 p2 r1 r4"),
    ):
        check((("", "green", kinds, new), ("t1 grey, p1 yellow", "green", kinds, later)))
    for said in ("t1 grey", "t1 blue site", "t1 covered"):
        assert "t1" not in may(city_of("gent", said), "green", "t")
    city = city_of("gent", "t1 grey, p1 yellow")
    assert plots_for(city, EMBLEM_OF_KEY["green"], [0] * len(TILES), ground(city)) == 0


def test_the_long_side_must_lie_against_a_quarter() -> None:
    """Paragraph 6.2: one of two is enough (ruling 18), a site will do (15), a cover not (19)."""
    for said, fits in (
        ("t1 grey", "t2 t3 t4 p1 p2"),
        ("t1 grey site", "t2 t3 t4 p1 p2"),
        ("t1 covered", "t2 t3 t4"),
        ("t1 covered, t2 grey", "t3 t4 p2 p3"),
        ("t1 covered, t4 covered, t2 grey, t3 grey", "p2 p3 p4"),
        ("t1 grey, p1 blue site", "t2 t3 t4 p2 r1 r4"),
        ("t1 grey, p1 covered", "t2 t3 t4 p2"),
        ("t1 grey, p1 covered, p2 blue", "t2 t3 t4 r1 r2"),
        ("t1 grey, p1 blue, r1 yellow", "t2 t3 t4 p2 r4"),
    ):
        check(((said, "green", PLAIN, fits),))


def test_equal_emblems_may_not_share_an_edge_but_corners_may_meet() -> None:
    """Paragraph 6.3: whatever its length; centres, sites, grey and church too (rulings 15, 17)."""
    for said, emblem, fits in (
        ("t1 green", "red", "p1 p2"),
        ("t1 green", "green", "t2 t3 t4"),
        ("t1 green site", "green", "t2 t3 t4"),
        ("t1 grey", "grey", "t2 t3 t4"),
        ("t1 church", "church", "t2 t3 t4"),
        ("t1 grey, t2 green", "green", "t3 t4 p1"),
        ("t1 grey, p1 green", "green", "t2 t3 p2"),
        ("t1 grey, p1 green", "red", "p2 r1 r4"),
        ("t1 grey, p1 green, r1 blue", "blue", "t2 t3 t4 r4"),
        ("t1 grey, p1 green, p2 blue", "blue", "t3 t4 r4"),
    ):
        check(((said, emblem, PLAIN, fits),))


# Section 2.4: special quarters


def test_special_quarters_go_where_those_of_their_shape_do_but_not_beside_the_church() -> None:
    """Paragraph 6.7: they are quarters of the church in all respects."""
    beside = "t1 grey, t2 church, p1 yellow, r4 blue, p4 church"
    for said, a, b_and_c, d in (
        ("t1 grey, p1 yellow", "p2", "r1 r4", "p2"),
        (beside, "", "r1", ""),
        ("t1 grey, p1 church", "p2", "", "p2"),
    ):
        rows = (("a", a), ("b", b_and_c), ("c", b_and_c), ("d", d))
        check(tuple((said, "church", kind, fits) for kind, fits in rows))


def test_a_b_and_c_add_plots_at_once() -> None:
    """Rulings 37 and 49: as a site too. New plots take every emblem but the church."""
    for (word, plot), new in BEYOND.items():
        for site in ("", " site"):
            city = city_of("gent", "t1 grey, t2 grey, t3 grey, t4 grey")
            if plot[0] == "r":
                fill(city, "p1 blue, p2 blue, p3 blue, p4 blue")
            before = city.free
            fill(city, f"{plot} {word}{site}")
            assert city.free == before & ~plots(plot) | plots(" ".join(new)), (word, plot)
            key = word[-1]
            assert city.special == [PLOT_OF_NAME[plot] if each == key else NONE for each in SPECIAL]
            for emblem in EMBLEM_KEYS:
                fits = may(city, emblem, PLAIN) & {*new}
                assert fits == (set() if emblem == "church" else {*new}), (word, plot, emblem)
    # The two plots upon C do not touch each other; a new bar supports nothing.
    assert "t13" in may(city_of("gent", "t1 grey, p1 yellow, r1 church-c, t9 green"), "green", "t")
    assert may(city_of("gent", "t1 grey, p1 church-a"), "green", "t p") == {"t2", "t3", "t4", "p2"}
    assert may(city_of("gent", "t1 grey, p1 church-a, r5 green"), "blue", "t") == {"t2", "t3", "t4"}


def test_d_takes_in_a_free_bar_beside_it_and_neither_part_may_touch_the_church() -> None:
    """Rulings 36 and 48."""
    for said, free in (
        ("t1 grey", "r1 r2"),
        ("t1 grey, t2 green, p1 blue, r1 yellow", "r2"),
        ("t1 grey, t2 green, r2 covered", "r1"),
        ("t1 grey, t2 green, r1 covered, r2 covered", ""),
        ("t1 grey, t2 green, p1 church", "r2"),
        ("t1 grey, t2 green, p3 church", "r1"),
        ("t1 grey, t2 green, p1 church, p3 church", ""),
        ("t1 grey, t2 green, p1 church site, p3 blue, r2 grey", ""),
        ("t1 grey, p1 church-a", "r2"),  # the new bar lies beside no other trapezoid
    ):
        city = city_of("gent", said)
        assert bars(city, "p2") == set(free.split()), said
        assert ("p2" in may(city, "church", "d")) == bool(free), said
        assert "p2" in may(city, "church", "p"), said
    check((("t1 grey, t2 church", "church", "d", "p1"),))
    for site in ("", " site"):
        city = city_of("gent", f"t1 grey, p2 church-d-r1{site}")
        assert named_plots(city.free) == "t2 t3 t4 p1 p3 p4 r2 r3 r4"
        assert named_plots(city.bar) == "r1"
        assert named_plots(city.sites) == ("p2" if site else "")


def test_the_church_may_not_touch_either_part_of_d_and_others_may() -> None:
    """D supports along the side of its trapezoid alone; nothing lies on the bar it takes in."""
    triangles = "t1 grey, t2 grey, t4 grey"
    check(
        (
            (f"{triangles}, p1 church-d-r1", "church", "p", "p3 p4"),
            (f"{triangles}, p1 church-d-r4", "church", "p", "p2 p3"),
            (f"{triangles}, p1 church-d-r4", "church", "t", "t3"),
            ("t1 grey, p1 church-d-r1", "blue", PLAIN, "t2 t3 t4 p2 r4"),
            ("t1 grey, p2 church-d-r1", "blue", PLAIN, "t2 t3 t4 p1 r2"),
        )
    )


def test_wherever_a_city_grows_the_naive_game_allows_the_same() -> None:
    """Quarters that it allows are built one by one; now and then a plot is covered."""
    for home, seed in product(CITIES, range(3)):
        rng, city = Random(seed), city_of(home)
        while city.free:
            known, ways = naive(city), list[str]()
            for emblem, key in enumerate(EMBLEM_KEYS):
                for tile, kind in enumerate(TILES):
                    built_already = kind in SPECIAL and city.special[SPECIAL.index(kind)] != NONE
                    if not ALL[emblem][tile] or built_already:
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


# Paragraph 6.6: dead plots


def dead(city: FlandernCity, left: str | list[list[int]]) -> set[str]:
    """The dead plots with a stock in words."""
    counts = stock(left) if isinstance(left, str) else left
    return set(named_plots(dead_plots(city, counts)).split())


def hoped(city: FlandernCity, left: str) -> dict[str, set[str]]:
    """By emblem, where a quarter of it could come to stand."""
    found = zip(EMBLEM_KEYS, hopes(city, stock(left)), strict=True)
    return {emblem: set(named_plots(bits).split()) for emblem, bits in found if bits}


def but(free: str, *changed: tuple[str, str]) -> FlandernCity:
    """Brugge, the city of blue, where some plots alone are free."""
    said = without(FILLED, free)
    for was, now in changed:
        said = said.replace(was, now)
    return city_of("brugge", said)


def test_in_a_new_city_nothing_is_dead_and_without_stock_every_free_plot() -> None:
    for home in CITIES:
        assert dead(city_of(home), ALL) == set()
        assert dead(city_of(home), "") == set(PLOT_NAMES[1:13])
    city = city_of("gent", "t1 grey, t2 covered")
    assert dead(city, "") == set(PLOT_NAMES[1:13]) - {"t1", "t2"}


def test_a_plot_is_dead_where_no_piece_of_its_shape_may_stand() -> None:
    """Ruling 20 (b); special quarters count with their plot."""
    for plot, left, is_dead in (
        ("t1", "red t", False),
        ("t1", "red t-leader", False),
        ("t1", "red p r", True),
        ("t1", "blue t", True),  # beside the centre of blue
        ("t1", "yellow t; grey t; blue t-leader", True),  # beside p1 and p2
        ("t1", "yellow t; grey t; green t", False),
        ("p1", "blue p", False),
        ("p1", "red p; green p; blue t r", True),
        ("r1", "yellow r; grey r", True),
        ("r1", "yellow r; grey r-leader; church r", False),
        ("p1", "church a", False),
        ("r1", "church a", True),
        ("t1", "church a b c d", True),
        ("r1", "church b", False),
        ("r1", "church c", False),
        ("p1", "church b c", True),
        ("p1", "church d", True),  # without a bar to take in
        ("r1", "church d", True),  # without a trapezoid
    ):
        assert dead(but(plot), left) == ({plot} if is_dead else set()), (plot, left)
    assert dead(but("p1 r1", ("t4 green", "t4 church")), "church a d") == {"p1", "r1"}
    assert dead(but("p1 r1", ("p2 grey", "p2 church")), "church b c") == {"p1", "r1"}


def test_d_counts_for_a_trapezoid_and_for_a_bar_beside_it() -> None:
    """Both free and not dead, neither next to the church."""
    for bar in ("r1", "r4"):
        city = but(f"p1 {bar}")
        assert dead(city, "church d") == set()
        assert hoped(city, "church d") == {"church": {"p1", bar}}
    assert dead(but("p1 r2 r3"), "church d") == {"p1", "r2", "r3"}
    for church in (("p2 grey", "p2 church"), ("t1 red", "t1 church")):
        assert dead(but("p1 r1", church), "church d") == {"p1", "r1"}
    # The trapezoid has no neighbour to come; so the bar, which only D could take, is dead too.
    said = "t1 covered, t4 covered, t2 green, t3 red, p2 grey, p3 yellow, p4 grey, r2 green, r3 red"
    assert dead(city_of("brugge", said), "church d") == {"p1", "r1", "r4"}
    assert dead(city_of("brugge", said.replace("t1 covered", "t1 red")), "church d") == set()
    # Section 2.4: D cannot take in a bar that was made.
    city = but("p1", ("p3 yellow", "p3 church-a"), ("r3 red", "r3 green"))
    assert dead(city, "church d; red p") == {"p1", "r7"}


def test_a_plot_is_dead_where_all_that_it_could_lie_on_is_covered_or_dead() -> None:
    """Ruling 20 (a); a covered plot supports nothing (19), one of two neighbours is enough and may
    be still to come (18)."""
    left = "red p r; green p r; grey p r; church p r"
    for said, counts, expected in (
        ("t1 covered, t4 covered, t2 green, t3 red, p2 grey, p4 grey", ALL, "p1"),
        ("t1 covered", ALL, ""),
        # Two triangles are dead, so the trapezoid upon both is, and the bars upon it alone.
        ("t2 green, t3 red, p3 yellow, p2 covered, p4 covered", left, "t1 t4 p1 r1 r4"),
        ("t2 green, t3 red, p3 yellow, p4 covered", left, "t1 t4 p1 r4"),
    ):
        assert dead(city_of("brugge", said), counts) == set(expected.split()), said
    # A new plot is never dead by its support: its own quarter stands.
    city = city_of("brugge", "t1 red, p1 church-a, t2 covered, t3 covered, t4 covered")
    assert "r5" not in dead(city, "green r")
    assert "r5" in dead(city, "green t p; church r")


def test_whether_two_free_plots_could_be_filled_both_is_not_examined() -> None:
    assert dead(but("t1 t3"), "red t") == set()
    city = but("", ("r1 red", "r1 church-c"))
    assert dead(city, "green t") == set()
    assert dead(fill(city, "t9 red"), "green t") == set()
    assert dead(city, "church t") == {"t13"}


def test_emblems_that_are_not_in_play_are_no_hope() -> None:
    """Three players: all of the fourth guild is out (3.5). Beside p1 lie all but church and red."""
    said = "t1 green, t2 blue, t4 grey, p2 yellow, p4 grey, r1 blue, r4 yellow"
    city = city_of("luik", f"{said}, r2 covered, r3 covered, p3 covered, t3 covered")
    for gone, expected in (("", set()), ("red", set()), ("red church", {"p1"})):
        assert dead(city, full_stock(but=gone)) == expected


def test_hopes_are_told_by_emblem_however_a_plot_gets_its_neighbour() -> None:
    """For the end of two players: yellow could stand on the bar once blue has built the trapezoid
    (ruling 43)."""
    found = hoped(but("t1"), "red t; yellow t; church t")
    assert found == {"red": {"t1"}, "church": {"t1"}}
    assert hoped(but("p1"), "red p; green p") == {}
    assert hoped(but("p1 r4"), "blue p; yellow r") == {"blue": {"p1"}, "yellow": {"r4"}}


# Compared with the naive game, and with every way to go on


def random_city(rng: Random, until: int) -> tuple[FlandernCity, list[list[int]]]:
    """A city filled at random until so many plots are free, and a random stock."""
    city = city_of(rng.choice(CITIES))
    left = full_stock(but=rng.choice(("", "yellow", "red blue")))
    while city.free.bit_count() > until:
        ways = sorted(naive(city).buildings(EMBLEM_KEYS, naive_stock(left)))
        if not ways or rng.random() < 0.15:
            fill(city, f"{rng.choice(named_plots(city.free).split())} covered")
            continue
        plot, word = rng.choice(ways)
        fill(city, f"{plot} {word}")
        emblem, tile, _ = tile_of(plot, word)
        if TILES[tile] in SPECIAL:
            left[emblem][tile] = 0
    few = []
    for counts in left:
        chance = rng.choice((0, 0.3, 0.3))
        few.append([int(count > 0 and rng.random() < chance) for count in counts])
    return city, few


def ever_built(city: City, left: Stock) -> set[str]:
    """The free plots on which something could come to stand, by trying every way to go on."""
    found: set[str] = set()
    tried: set[object] = set()

    def go_on(now: City, stock: Stock) -> None:
        key = (frozenset((each.tile, each.plots) for each in now.quarters), *sorted(stock.items()))
        if key in tried:
            return
        tried.add(key)
        for plot, word in list(now.buildings(EMBLEM_KEYS, stock)):
            after = deepcopy(now)
            after.build(plot, word, site=False)
            found.update(after.quarters[-1].plots)
            kind = after.quarters[-1].tile
            go_on(after, stock - Stock({(kind, plot[0]): 1}))

    go_on(city, left)
    return found & city.free


def test_dead_plots_are_those_of_the_naive_game_and_stay_dead() -> None:
    rng, found = Random(1), 0
    for _ in range(200):
        city, left = random_city(rng, rng.randrange(1, 9))
        expected = naive(city).dead(naive_stock(left))
        assert dead(city, left) == expected
        found += len(expected)
        gone = dead_plots(city, left)
        city.free &= ~gone
        city.covered |= gone
        assert dead_plots(city, left) == 0
    assert found


def test_nothing_is_covered_that_could_be_built_on_now_or_later() -> None:
    """Every way to go on is tried, with all pieces that are left; a single plot is dead just where
    there is none."""
    rng, single = Random(100), set()
    for _ in range(70):
        city, left = random_city(rng, rng.randrange(1, 4))
        reached, gone = ever_built(naive(city), naive_stock(left)), dead(city, left)
        assert not gone & reached
        if city.free.bit_count() == 1:
            assert gone == naive(city).free - reached
            single.add(bool(reached))
    assert single == {True, False}
