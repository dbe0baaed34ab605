"""The plan of a city, building, the special quarters of the church, dead plots, and scoring (rules:
building, church, covering, scoring)."""

from __future__ import annotations

from itertools import product

from bot.game.flandern.city import (
    FlandernCity,
    bars_for,
    completed,
    dead_plots,
    future_plots,
    plots_for,
    standings,
    supported_plots,
    value,
)
from bot.game.flandern.data import (
    BARS,
    CITIES,
    EMBLEM_KEYS,
    EMBLEM_OF_KEY,
    NEIGHBOURS,
    ON,
    PLACE_NAMES,
    PLACE_OF_NAME,
    PLOT_NAMES,
    PLOT_OF_NAME,
    PLOTS,
    PRINTED,
    SPECIAL,
    added_by,
    stock_of,
)
from tests.game.flandern.positions import (
    FILLED,
    city_of,
    fill,
    named_plots,
    plots,
    quarter_counts,
    stock,
    without,
)

ALL = [stock_of(emblem) for emblem in range(len(EMBLEM_KEYS))]
PLAIN = "t t-leader p p-leader r r-leader"

ON_WHAT = (
    "t1 c, t2 c, t3 c, t4 c, p1 t4 t1, p2 t1 t2, p3 t2 t3, p4 t3 t4, "
    "r1 p1 p2, r2 p2 p3, r3 p3 p4, r4 p4 p1"
)
LONG_SIDE = {plot: set(below) for plot, *below in map(str.split, ON_WHAT.split(", "))}
"""By plot, the plots that its long side touches."""
BEYOND: dict[tuple[str, str], tuple[str, ...]] = {}
for _n in range(1, 5):
    BEYOND["church-a", f"p{_n}"] = (f"r{_n + 4}",)
    BEYOND["church-b", f"r{_n}"] = (f"t{_n + 4}",)
    BEYOND["church-c", f"r{_n}"] = (f"t{_n + 8}", f"t{_n + 12}")
"""By special quarter and plot, the plots that it adds."""
LONG_SIDE.update({new: {plot} for (_, plot), plots in BEYOND.items() for new in plots})
AROUND = {
    plot: LONG_SIDE.get(plot, set()) | {each for each in LONG_SIDE if plot in LONG_SIDE[each]}
    for plot in ("c", *LONG_SIDE)
}
"""By plot, the plots that it touches: always along the long side of one of the two."""


def buildable(city: FlandernCity, emblem: str, kinds: str = "") -> set[str]:
    """Return where a quarter of an emblem can be built, of these kinds or any."""
    number = EMBLEM_OF_KEY[emblem]
    stock = quarter_counts(kinds) if kinds else ALL[number]
    return set(named_plots(plots_for(city, number, stock, supported_plots(city))).split())


def bars(city: FlandernCity, plot: str) -> set[str]:
    """Return the bars that D can cover on a trapezoid."""
    return set(named_plots(bars_for(city, PLOT_OF_NAME[plot])).split())


def test_a_quarter_needs_a_free_plot_of_its_shape_not_adjacent_to_its_emblem() -> None:
    for city_text, emblem, kinds, fits in (
        ("", "green", "t-leader", "t1 t2 t3 t4"),
        ("", "red", PLAIN, ""),
        ("", "green", "p p-leader r r-leader", ""),
        ("t1 grey, p1 yellow", "green", "p-leader", "p2"),
        ("t1 grey, p1 yellow", "green", "r", "r1 r4"),
        ("t1 grey, p1 yellow", "green", PLAIN, "t2 t3 t4 p2 r1 r4"),
        # One neighbour of two is enough (ruling 18), also a site (15), but not a cover (19).
        ("t1 blue site", "green", PLAIN, "t2 t3 t4 p1 p2"),
        ("t1 covered, t2 grey", "green", PLAIN, "t3 t4 p2 p3"),
        ("t1 grey, p1 covered, p2 blue", "green", PLAIN, "t2 t3 t4 r1 r2"),
        # Along any edge, also for centres, sites, grey, church (rulings 15, 17); corners may meet.
        ("t1 green", "red", PLAIN, "p1 p2"),
        ("t1 green site", "green", PLAIN, "t2 t3 t4"),
        ("t1 grey", "grey", PLAIN, "t2 t3 t4"),
        ("t1 church", "church", PLAIN, "t2 t3 t4"),
        ("t1 grey, t2 green", "green", PLAIN, "t3 t4 p1"),
        ("t1 grey, p1 green, r1 blue", "blue", PLAIN, "t2 t3 t4 r4"),
        # Special quarters count as quarters of the church.
        ("t1 grey, p1 yellow", "church", "a", "p2"),
        ("t1 grey, p1 yellow", "church", "b", "r1 r4"),
        ("t1 grey, t2 church, p1 yellow, r4 blue, p4 church", "church", "a d", ""),
        ("t1 grey, t2 church, p1 yellow, r4 blue, p4 church", "church", "c", "r1"),
        # Neither part of D may touch other churches; only its trapezoid supports plots.
        ("t1 grey, t2 grey, t4 grey, p1 church-d-r1", "church", "p", "p3 p4"),
        ("t1 grey, t2 grey, t4 grey, p1 church-d-r4", "church", "p", "p2 p3"),
        ("t1 grey, p2 church-d-r1", "blue", PLAIN, "t2 t3 t4 p1 r2"),
    ):
        assert buildable(city_of("gent", city_text), emblem, kinds) == set(fits.split()), (
            city_text,
            emblem,
            kinds,
        )


def test_a_b_and_c_immediately_add_plots_for_all_emblems_except_the_church() -> None:
    """Rulings 37 and 49: also as a site."""
    for ((word, plot), new), site in product(BEYOND.items(), ("", " site")):
        city = city_of("gent", "t1 grey, t2 grey, t3 grey, t4 grey")
        if plot[0] == "r":
            fill(city, "p1 blue, p2 blue, p3 blue, p4 blue")
        before = city.free
        fill(city, f"{plot} {word}{site}")
        assert city.free == before & ~plots(plot) | plots(" ".join(new)), (word, plot)
        for emblem in EMBLEM_KEYS:
            fits = buildable(city, emblem, PLAIN) & {*new}
            assert fits == (set() if emblem == "church" else {*new}), (word, plot, emblem)


def test_d_covers_an_adjacent_free_bar_and_neither_part_may_touch_the_church() -> None:
    """Rulings 36 and 48."""
    for city_text, free in (
        ("t1 grey", "r1 r2"),
        ("t1 grey, t2 green, p1 blue, r1 yellow", "r2"),
        ("t1 grey, t2 green, r1 covered, r2 covered", ""),
        ("t1 grey, t2 green, p1 church", "r2"),
        ("t1 grey, t2 green, p1 church site, p3 blue, r2 grey", ""),
        ("t1 grey, p1 church-a", "r2"),  # the new bar is adjacent to no other trapezoid
    ):
        city = city_of("gent", city_text)
        assert bars(city, "p2") == set(free.split()), city_text
        assert ("p2" in buildable(city, "church", "d")) == bool(free), city_text
        assert "p2" in buildable(city, "church", "p"), city_text
    for site in ("", " site"):
        city = city_of("gent", f"t1 grey, p2 church-d-r1{site}")
        assert named_plots(city.free) == "t2 t3 t4 p1 p3 p4 r2 r3 r4"
        assert named_plots(city.bar) == "r1"
        assert named_plots(city.sites) == ("p2" if site else "")


def dead(city: FlandernCity, left: str | list[list[int]]) -> set[str]:
    """Return the dead plots with a stock, also as a text."""
    counts = stock(left) if isinstance(left, str) else left
    return set(named_plots(dead_plots(city, counts)).split())


def future(city: FlandernCity, left: str) -> dict[str, set[str]]:
    """Return by emblem the plots where its quarters could be built now or later."""
    found = zip(EMBLEM_KEYS, future_plots(city, stock(left)), strict=True)
    return {emblem: set(named_plots(bits).split()) for emblem, bits in found if bits}


def only_free(free: str, *changed: tuple[str, str]) -> FlandernCity:
    """Return Brugge, the city of blue, with only some plots free."""
    city_text = without(FILLED, free)
    for was, now in changed:
        city_text = city_text.replace(was, now)
    return city_of("brugge", city_text)


def test_a_plot_is_dead_if_nothing_can_ever_be_built_there() -> None:
    """Ruling 20: no quarter of its shape can be built, or all plots that could support it are
    covered or dead. Special quarters count for their plot, D also for an adjacent bar."""
    assert dead(city_of("gent"), ALL) == set()
    assert dead(city_of("gent", "t1 grey, t2 covered"), "") == {*PLOT_NAMES[1:13]} - {"t1", "t2"}
    for free, left, dead_names in (
        ("t1", "red t-leader", ""),
        ("t1", "red p r; blue t; yellow t; grey t; church a", "t1"),  # adjacent emblems
        ("p1", "red p; green p; blue t r", "p1"),
        ("p1", "church a", ""),
        ("p1", "church b c", "p1"),
        ("r1", "church a; yellow r; grey r", "r1"),
        ("r1", "church c", ""),
        ("p1", "church d", "p1"),  # without a bar to cover
        ("r1", "church d", "r1"),  # without a trapezoid
        ("p1 r1", "church d", ""),
        ("p1 r2 r3", "church d", "p1 r2 r3"),
        ("t1 t3", "red t", ""),  # either plot could be filled, if not both
    ):
        assert dead(only_free(free), left) == set(dead_names.split()), (free, left)
    for church in (("p2 grey", "p2 church"), ("t1 red", "t1 church")):
        assert dead(only_free("p1 r1", church), "church d") == {"p1", "r1"}
    # D can't be built on the trapezoid next to a church, but red can.
    assert dead(only_free("p1 r1", ("t1 red", "t1 church")), "church d; red p") == {"r1"}
    left = "red p r; green p r; grey p r; church p r"
    alone = "t1 covered, t4 covered, t2 green, t3 red, p2 grey, p4 grey"
    for city_text, counts, dead_names in (
        # A covered plot supports nothing (19), one possible neighbour is enough (18).
        (alone, ALL, "p1"),
        ("t1 covered", ALL, ""),
        # Two triangles are dead, so the trapezoid that needs them and its bars are too.
        ("t2 green, t3 red, p3 yellow, p2 covered, p4 covered", left, "t1 t4 p1 r1 r4"),
        ("t2 green, t3 red, p3 yellow, p4 covered", left, "t1 t4 p1 r4"),
        # Nothing can support the trapezoid; so the bars, which only D could cover, are dead too.
        (f"{alone}, p3 yellow, r2 green, r3 red", "church d", "p1 r1 r4"),
    ):
        assert dead(city_of("brugge", city_text), counts) == set(dead_names.split()), city_text


def test_future_plots_include_plots_that_another_guild_can_support() -> None:
    """Yellow could build on the bar after blue has built on the trapezoid. This matters for the end
    of a two-player game (ruling 43)."""
    found = future(only_free("t1"), "red t; yellow t; church t")
    assert found == {"red": {"t1"}, "church": {"t1"}}
    assert future(only_free("p1 r4"), "blue p; yellow r") == {"blue": {"p1"}, "yellow": {"r4"}}
    assert future(only_free("p1 r1"), "church d") == {"church": {"p1", "r1"}}


def ranks(city: FlandernCity) -> dict[str, tuple[int, int, int, int]]:
    """Return by guild, in order of rank: quarters, leaders, place, points."""
    return {EMBLEM_KEYS[each.emblem]: each[1:] for each in standings(city)}


def scored(city: FlandernCity) -> dict[str, int]:
    return {EMBLEM_KEYS[each.emblem]: each.points for each in standings(city)}


def city_worth(worth: int, text: str) -> FlandernCity:
    """Return the city of the church with the quarters of a text, filled up to a value with churches
    and a cathedral. Some churches touch, which doesn't matter for scoring."""
    city = city_of("luik", text)
    free = named_plots(city.free).split()
    while value(city) < worth - 1:
        fill(city, f"{free.pop()} church")
    if value(city) < worth:
        fill(city, "c church cathedral")
    assert value(city) == worth
    return city


def test_value_13_and_two_guilds_tied_for_first_place() -> None:
    """Seven each, half the value rounded up (ruling 27); the next guild gets four (26)."""
    city = city_worth(13, "t1 red, t2 red, p1 green, p2 green, r1 blue")
    assert scored(city) == {"red": 7, "green": 7, "blue": 4}


def test_value_17_and_three_guilds_tied_for_first_place() -> None:
    """Four each; the next guild gets two."""
    city = city_worth(17, "t1 red, t2 red, p1 green, p2 green, r1 blue, r2 blue, r3 yellow")
    assert scored(city) == {"red": 4, "green": 4, "blue": 4, "yellow": 2}


def test_value_14_with_4_3_2_1_and_1_quarters_without_leaders() -> None:
    """14, 7, 4, 0, 0."""
    text = (
        "t1 red, t2 red, t3 red, t4 red, p1 green, p2 green, p3 green, "
        "r1 blue, r2 blue, r3 yellow, r4 grey"
    )
    assert scored(city_worth(14, text)) == {
        "red": 14,
        "green": 7,
        "blue": 4,
        "yellow": 0,
        "grey": 0,
    }


def test_value_4_with_2_1_and_1_quarters_and_one_leader_between_the_last_two() -> None:
    """4, 2, 4: the third place is better than the second (ruling 54)."""
    city = city_of("utrecht", "t1 red, t2 red, p1 green-leader, p2 blue, c grey")
    city.emblems[EMBLEM_OF_KEY["grey"]] = 0
    assert value(city) == 4
    assert scored(city) == {"red": 4, "green": 2, "blue": 4}


def test_the_value_of_a_city_counts_its_completed_quarters() -> None:
    """Including the centre. Sites, leaders and covers count nothing; D is one quarter."""
    for home, text, worth in (
        ("gent", "", 1),
        ("luik", "", 2),
        ("luik", "c church cathedral", 3),
        ("gent", "t1 grey", 2),
        ("gent", "t1 church cathedral, t2 church", 6),
        ("gent", "t1 green site", 1),
        ("gent", "t1 church site cathedral", 1),
        ("gent", "t1 green leader leader, t2 green-leader", 3),
        ("gent", "t1 covered, t2 covered", 1),
        ("gent", "t1 grey, p1 church-d-r1", 4),
        ("gent", "t1 grey, p1 church-d-r1 cathedral", 5),
        ("gent", "t1 grey, p1 church-d-r1 site", 2),
        ("gent", "t1 grey, p1 blue, r1 church-c, t9 green, t13 red", 7),
        ("leuven", FILLED, 13),
    ):
        assert value(city_of(home, text)) == worth, text
    city = city_of("gent", "t1 grey, t2 church site, p1 church-d-r1")
    assert named_plots(completed(city, EMBLEM_OF_KEY["church"])) == "p1"


def test_guilds_with_completed_quarters_or_a_centre_are_ranked() -> None:
    """Rulings 2, 28, 29 and 55; in order from first place."""
    for home, text, expected in (
        ("utrecht", "", {"grey": (1, 2, 1, 1)}),
        ("luik", "t1 grey, p1 church", {"grey": (1, 0, 1, 5)}),
        ("luik", "", {}),
        # Sites give no place and don't count.
        (
            "gent",
            "t1 grey site, t2 green, p1 blue site",
            {"red": (1, 2, 1, 2), "green": (1, 0, 2, 1)},
        ),
        (
            "gent",
            "t1 green, t2 green site, t3 green site, t4 blue, p1 blue",
            {"blue": (2, 0, 1, 4), "red": (1, 2, 2, 2), "green": (1, 0, 3, 4)},
        ),
    ):
        assert ranks(city_of(home, text)) == expected, text
        assert list(ranks(city_of(home, text))) == list(expected), text


def test_more_leaders_on_completed_quarters_break_ties() -> None:
    """Printed and wooden leaders count together; leaders on sites don't (ruling 24)."""
    for text, expected in (
        ("t1 red-leader, t2 green", {"red": 1, "green": 2}),
        ("t1 red-leader, t2 green leader leader", {"red": 2, "green": 1}),
        ("t1 red-leader, t2 green leader", {"red": 2, "green": 2}),
        ("t1 red, p1 red, t2 green leader leader leader", {"red": 1, "green": 2}),
        ("t1 red, p1 red site leader leader, t2 green leader", {"green": 1, "red": 2}),
    ):
        found = ranks(city_of("luik", text))
        assert {guild: rank[2] for guild, rank in found.items()} == expected, text
    # The two leaders on the centre count for its guild only; one placed on it is a third.
    city = city_of("gent", "t1 green-leader, t2 blue leader leader")
    assert ranks(city) == {"red": (1, 2, 2, 2), "blue": (1, 2, 2, 2), "green": (1, 1, 3, 4)}
    city = city_of("gent", "c red leader, t2 blue leader leader")
    assert ranks(city) == {"red": (1, 3, 1, 2), "blue": (1, 2, 2, 1)}


def test_a_city_has_thirteen_plots_and_room_for_four_more_bars_and_twelve_triangles() -> None:
    assert CITIES == ("brugge", "gent", "ieper", "leuven", "utrecht", "luik")
    assert f"c {named_plots(PRINTED)}" == "c t1 t2 t3 t4 p1 p2 p3 p4 r1 r2 r3 r4"
    new = {name for name in PLOT_NAMES if PLOTS[PLOT_OF_NAME[name]].maker}
    assert new == {f"r{n}" for n in range(5, 9)} | {f"t{n}" for n in range(5, 17)}
    assert PLACE_NAMES[1][1] == "gent-t1"
    assert PLACE_OF_NAME["luik-r8"] == (5, PLOT_OF_NAME["r8"])


def test_plots_touch_and_support_each_other_as_on_the_city_plan() -> None:
    for name in PLOT_NAMES:
        plot = PLOT_OF_NAME[name]
        assert set(named_plots(NEIGHBOURS[plot]).split()) == AROUND[name], name
        assert set(named_plots(ON[plot]).split()) == LONG_SIDE.get(name, set()), name


def test_a_special_quarter_adds_only_the_plots_beyond_it() -> None:
    for special, key in enumerate(SPECIAL):
        for name in PLOT_NAMES:
            made = BEYOND.get((f"church-{key}", name), ())
            assert named_plots(added_by(special, PLOT_OF_NAME[name])) == " ".join(made)
    for plot, bars in (("p1", "r1 r4"), ("p2", "r1 r2"), ("p3", "r2 r3"), ("p4", "r3 r4")):
        assert named_plots(BARS[PLOT_OF_NAME[plot]]) == bars
