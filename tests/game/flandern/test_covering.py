"""Plots on which nothing can ever be built (paragraph 6.6 and ruling 20)."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import pytest

from bot.game.flandern.city import FlandernCity, dead_plots, hopes
from bot.game.flandern.data import EMBLEM_KEYS, TILES
from bot.game.flandern.plan import CITIES, PLOT_NAMES, SPECIAL
from tests.game.flandern.naive_city import City, Stock
from tests.game.flandern.positions import (
    FILLED,
    city_of,
    fill,
    full_stock,
    naive,
    naive_stock,
    named_plots,
    stock,
    tile_of,
    without,
)

ALL = full_stock()


def dead(city: FlandernCity, left: str | list[list[int]]) -> set[str]:
    """The dead plots with a stock in words."""
    counts = stock(left) if isinstance(left, str) else left
    return set(named_plots(dead_plots(city, counts)).split())


def hoped(city: FlandernCity, left: str) -> dict[str, set[str]]:
    """By emblem, where a quarter of it could come to stand."""
    found = zip(EMBLEM_KEYS, hopes(city, stock(left)), strict=True)
    return {emblem: set(named_plots(bits).split()) for emblem, bits in found if bits}


# Nothing is dead without need


@pytest.mark.parametrize("home", CITIES)
def test_in_a_new_city_nothing_is_dead(home: str) -> None:
    assert dead(city_of(home), ALL) == set()


@pytest.mark.parametrize("home", CITIES)
def test_with_nothing_in_stock_every_free_plot_is_dead(home: str) -> None:
    assert dead(city_of(home), "") == set(PLOT_NAMES[1:13])


def test_built_and_covered_plots_are_not_told_as_dead() -> None:
    city = city_of("gent", "t1 grey, t2 covered")
    assert dead(city, "") == set(PLOT_NAMES[1:13]) - {"t1", "t2"}


# (b) no piece of the shape and of an emblem that is not beside it


def last(plot: str, home: str = "brugge") -> FlandernCity:
    """A city in which one plot alone is free."""
    return city_of(home, without(FILLED, plot))


@pytest.mark.parametrize(
    ("plot", "left", "is_dead"),
    [
        ("t1", "red t", False),
        ("t1", "red t-leader", False),
        ("t1", "church t", False),
        ("t1", "red p r", True),
        ("t1", "blue t", True),  # beside the centre of blue
        ("t1", "yellow t", True),  # beside p1
        ("t1", "grey t", True),  # beside p2
        ("t1", "yellow t; grey t; blue t-leader", True),
        ("t1", "yellow t; grey t; green t", False),
        ("p1", "blue p", False),
        ("p1", "church p", False),
        ("p1", "red p; green p-leader", True),
        ("p1", "red p; green p; blue t r", True),
        ("r1", "blue r", False),
        ("r1", "yellow r; grey r", True),
        ("r1", "yellow r; grey r-leader; church r", False),
    ],
)
def test_a_plot_is_dead_where_no_piece_of_its_shape_may_stand(
    plot: str, left: str, is_dead: bool
) -> None:
    assert dead(last(plot), left) == ({plot} if is_dead else set())


@pytest.mark.parametrize(
    ("plot", "left", "is_dead"),
    [
        ("p1", "church a", False),
        ("r1", "church a", True),
        ("t1", "church a b c d", True),
        ("r1", "church b", False),
        ("r1", "church c", False),
        ("p1", "church b c", True),
        ("p1", "church d", True),  # without a bar to take in
        ("r1", "church d", True),  # without a trapezoid
        ("p1", "church d a", False),
    ],
)
def test_special_quarters_count_with_their_plot(plot: str, left: str, is_dead: bool) -> None:
    assert dead(last(plot), left) == ({plot} if is_dead else set())


def test_special_quarters_do_not_count_beside_the_church() -> None:
    city = city_of("brugge", without(FILLED, "p1 r1").replace("t4 green", "t4 church"))
    assert dead(city, "church a d") == {"p1", "r1"}
    city = city_of("brugge", without(FILLED, "p1 r1").replace("p2 grey", "p2 church"))
    assert dead(city, "church b c") == {"p1", "r1"}


# D counts for a trapezoid and for a bar beside it


@pytest.mark.parametrize("bar", ["r1", "r4"])
def test_with_d_alone_a_trapezoid_and_a_bar_beside_it_are_not_dead(bar: str) -> None:
    city = city_of("brugge", without(FILLED, f"p1 {bar}"))
    assert dead(city, "church d") == set()
    assert hoped(city, "church d") == {"church": {"p1", bar}}


def test_with_d_alone_a_bar_that_lies_beside_no_free_trapezoid_is_dead() -> None:
    city = city_of("brugge", without(FILLED, "p1 r2 r3"))
    assert dead(city, "church d") == {"p1", "r2", "r3"}


def test_d_is_no_hope_where_its_bar_touches_the_church() -> None:
    said = without(FILLED, "p1 r1").replace("p2 grey", "p2 church")
    assert dead(city_of("brugge", said), "church d") == {"p1", "r1"}


def test_d_is_no_hope_where_its_trapezoid_touches_the_church() -> None:
    said = without(FILLED, "p1 r1").replace("t1 red", "t1 church")
    assert dead(city_of("brugge", said), "church d") == {"p1", "r1"}


def test_d_is_no_hope_for_a_bar_whose_trapezoid_is_dead() -> None:
    """The trapezoid has no neighbour to come; so the bar, which only D could take, is dead too."""
    said = "t1 covered, t4 covered, t2 green, t3 red, p2 grey, p3 yellow, p4 grey, r2 green, r3 red"
    city = city_of("brugge", said)
    assert dead(city, "church d") == {"p1", "r1", "r4"}
    # With a triangle beside it it would be none of these.
    city = city_of("brugge", said.replace("t1 covered", "t1 red"))
    assert dead(city, "church d") == set()


def test_d_cannot_take_in_a_bar_that_was_made() -> None:
    """Section 2.4: one of the two beside it."""
    said = without(FILLED, "p1").replace("p3 yellow", "p3 church-a").replace("r3 red", "r3 green")
    city = city_of("brugge", said)
    assert "r7" in named_plots(city.free).split()
    assert dead(city, "church d; red p") == {"p1", "r7"}


# (a) each plot on its long side is covered, or free and dead


def test_a_covered_plot_supports_nothing() -> None:
    """Ruling 19."""
    city = city_of("brugge", "t1 covered, t4 covered, t2 green, t3 red, p2 grey, p4 grey")
    assert dead(city, ALL) == {"p1"}


@pytest.mark.parametrize("covered", ["t1", "t4"])
def test_one_of_two_neighbours_is_enough_and_may_be_still_to_come(covered: str) -> None:
    """Ruling 18."""
    assert dead(city_of("brugge", f"{covered} covered"), ALL) == set()


def test_covering_one_plot_kills_another() -> None:
    """Two triangles are dead, so the trapezoid upon both is, and the bars upon it alone."""
    city = city_of("brugge", "t2 green, t3 red, p3 yellow, p2 covered, p4 covered")
    left = "red p r; green p r; grey p r; church p r"
    assert dead(city, left) == {"t1", "t4", "p1", "r1", "r4"}


def test_a_bar_lives_as_long_as_one_of_its_trapezoids_may_come() -> None:
    city = city_of("brugge", "t2 green, t3 red, p3 yellow, p4 covered")
    left = "red p r; green p r; grey p r; church p r"
    assert dead(city, left) == {"t1", "t4", "p1", "r4"}


def test_a_new_plot_is_never_dead_by_its_support() -> None:
    """Its own quarter stands."""
    city = city_of("brugge", "t1 red, p1 church-a, t2 covered, t3 covered, t4 covered")
    assert "r5" not in dead(city, "green r")
    assert "r5" in dead(city, "green t p; church r")


@pytest.mark.parametrize("plot", ["t9", "t13"])
def test_of_the_two_plots_upon_c_each_is_looked_at_alone(plot: str) -> None:
    """Whether two free plots could both be filled is not examined."""
    city = city_of("brugge", FILLED.replace("r1 red", "r1 church-c"))
    assert dead(city, "green t") == set()
    fill(city, f"{plot} red")
    assert dead(city, "green t") == set()
    assert dead(city, "church t") == {"t9", "t13"} - {plot}


def test_what_can_only_be_had_by_either_of_two_plots_is_not_dead() -> None:
    """Two free triangles and one piece: neither is covered."""
    city = city_of("brugge", without(FILLED, "t1 t3"))
    assert dead(city, "red t") == set()


def test_emblems_that_are_not_in_play_are_no_hope() -> None:
    """Three players: all of the fourth guild is out (3.5)."""
    said = "t1 green, t2 blue, t4 grey, p2 yellow, p4 grey, r1 blue, r4 yellow"
    city = city_of("luik", f"{said}, r2 covered, r3 covered, p3 covered, t3 covered")
    # Beside p1 lie all but the church and red.
    assert dead(city, full_stock()) == set()
    assert dead(city, full_stock(but="red")) == set()
    assert dead(city, full_stock(but="red church")) == {"p1"}


# Which emblem hopes for which plot (for the end of two players, ruling 43)


def test_hopes_are_told_by_emblem() -> None:
    city = last("t1")
    assert hoped(city, "red t; yellow t; church t") == {"red": {"t1"}, "church": {"t1"}}
    assert hoped(last("p1"), "red p; blue p-leader; church a") == {
        "blue": {"p1"},
        "church": {"p1"},
    }
    assert hoped(last("p1"), "red p; green p") == {}


def test_how_a_plot_gets_its_neighbour_does_not_matter_to_a_hope() -> None:
    """Yellow could stand on the bar once blue has built the trapezoid (ruling 43)."""
    city = city_of("brugge", without(FILLED, "p1 r4"))
    assert hoped(city, "blue p; yellow r") == {"blue": {"p1"}, "yellow": {"r4"}}


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


@pytest.mark.parametrize("seed", range(6))
def test_dead_plots_are_those_of_the_naive_game(seed: int) -> None:
    rng, found = Random(seed), 0
    for _ in range(40):
        city, left = random_city(rng, rng.randrange(1, 9))
        expected = naive(city).dead(naive_stock(left))
        assert dead(city, left) == expected
        found += len(expected)
    assert found


@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_covered_that_could_be_built_on_now_or_later(seed: int) -> None:
    """Every way to go on is tried, with all pieces that are left."""
    rng = Random(1000 + seed)
    for _ in range(12):
        city, left = random_city(rng, rng.randrange(1, 4))
        assert not dead(city, left) & ever_built(naive(city), naive_stock(left))


def test_a_single_plot_is_dead_just_where_nothing_can_be_built_on_it() -> None:
    rng, seen = Random(5), set()
    for _ in range(40):
        city, left = random_city(rng, 1)
        if not city.free:
            continue
        reached = ever_built(naive(city), naive_stock(left))
        assert dead(city, left) == naive(city).free - reached
        seen.add(bool(reached))
    assert seen == {True, False}


def test_dead_plots_stay_dead_whatever_is_covered() -> None:
    rng = Random(7)
    for _ in range(30):
        city, left = random_city(rng, rng.randrange(2, 8))
        gone = dead_plots(city, left)
        city.free &= ~gone
        city.covered |= gone
        assert dead_plots(city, left) == 0
