"""Scoring a city (section 7): its value, the ranks of guilds, and what their places score."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.flandern.city import FlandernCity, completed, leaders, standings, value
from bot.game.flandern.data import EMBLEM_KEYS, EMBLEM_OF_KEY
from tests.game.flandern.naive_city import GUILDS
from tests.game.flandern.positions import FILLED, city_of, fill, naive, named_plots


def ranks(city: FlandernCity) -> dict[str, tuple[int, int, int, int]]:
    """By guild, in the order in which they are told: quarters, leaders, place, points."""
    return {EMBLEM_KEYS[each.emblem]: each[1:] for each in standings(city)}


def scored(city: FlandernCity) -> dict[str, int]:
    return {EMBLEM_KEYS[each.emblem]: each.points for each in standings(city)}


def places(city: FlandernCity) -> dict[str, int]:
    return {EMBLEM_KEYS[each.emblem]: each.place for each in standings(city)}


# The example of the text


LEUVEN = (
    "t1 blue, t2 red, t3 blue, t4 red-leader, p1 grey leader, p2 church, p3 grey, p4 green-leader, "
    "r1 blue, r2 green, r3 church cathedral, r4 yellow-leader"
)
"""Blue has three quarters; all others two, the centre of yellow among them."""


def test_the_scoring_example_of_the_text() -> None:
    """Paragraph 7.5: value 16; blue 16, yellow 8, red, green and grey 0 each."""
    city = city_of("leuven", LEUVEN)
    assert city.free == 0
    assert value(city) == 16
    assert ranks(city) == {
        "blue": (3, 0, 1, 16),
        "yellow": (2, 3, 2, 8),
        "red": (2, 1, 5, 0),
        "green": (2, 1, 5, 0),
        "grey": (2, 1, 5, 0),
    }


# Paragraph 7.6: the further examples


def of_value(worth: int, text: str) -> FlandernCity:
    """The city of the church with what the text says, and with more churches, one of them with a
    cathedral where that is lacking. That some of them touch does not matter to the scoring."""
    city = city_of("luik", text)
    free = named_plots(city.free).split()
    while value(city) < worth - 1:
        fill(city, f"{free.pop()} church")
    if value(city) < worth:
        fill(city, "c church cathedral")
    assert value(city) == worth
    return city


def test_value_13_and_two_guilds_level_in_first_place() -> None:
    """Seven each, the next one four (ruling 26)."""
    city = of_value(13, "t1 red, t2 red, p1 green, p2 green, r1 blue")
    assert scored(city) == {"red": 7, "green": 7, "blue": 4}


def test_value_17_and_three_guilds_level_in_first_place() -> None:
    """Four each, the next one two."""
    city = of_value(17, "t1 red, t2 red, p1 green, p2 green, r1 blue, r2 blue, r3 yellow")
    assert scored(city) == {"red": 4, "green": 4, "blue": 4, "yellow": 2}


def test_value_14_with_4_3_2_1_and_1_quarters_without_leaders() -> None:
    """14, 7, 4, 0, 0."""
    text = (
        "t1 red, t2 red, t3 red, t4 red, p1 green, p2 green, p3 green, "
        "r1 blue, r2 blue, r3 yellow, r4 grey"
    )
    city = city_of("luik", text)
    # Eleven quarters and the church in the centre: thirteen, and a cathedral on it.
    city.cathedrals = 1
    assert value(city) == 14
    assert scored(city) == {"red": 14, "green": 7, "blue": 4, "yellow": 0, "grey": 0}


def test_value_4_with_2_1_and_1_quarters_and_one_leader_between_the_last_two() -> None:
    """4, 2, 4: the third place is better than the second (ruling 54)."""
    city = city_of("utrecht", "t1 red, t2 red, p1 green-leader, p2 blue, c grey")
    city.emblems[EMBLEM_OF_KEY["grey"]] = 0
    assert value(city) == 4
    assert scored(city) == {"red": 4, "green": 2, "blue": 4}


# Paragraph 7.1: the value


@pytest.mark.parametrize(
    ("home", "text", "worth"),
    [
        ("gent", "", 1),
        ("luik", "", 2),
        ("luik", "c church cathedral", 3),
        ("gent", "t1 green", 2),
        ("gent", "t1 grey", 2),
        ("gent", "t1 church", 3),
        ("gent", "t1 church cathedral", 4),
        ("gent", "t1 green site", 1),
        ("gent", "t1 church site", 1),
        ("gent", "t1 church site cathedral", 1),
        ("gent", "t1 green leader leader", 2),
        ("gent", "t1 green-leader", 2),
        ("gent", "t1 covered, t2 covered", 1),
        ("gent", "t1 grey, t2 church, p1 blue, p2 green site", 5),
        ("gent", "t1 grey, p1 church-a", 4),
        ("gent", "t1 grey, p1 church-d-r1", 4),
        ("gent", "t1 grey, p1 church-d-r1 cathedral", 5),
        ("gent", "t1 grey, p1 church-d-r1 site", 2),
        ("gent", "t1 grey, p1 blue, r1 church-b, t5 green", 6),
        ("gent", "t1 grey, p1 blue, r1 church-c, t9 green, t13 red", 7),
        ("leuven", FILLED, 13),
    ],
)
def test_a_city_is_worth_what_its_completed_quarters_are(home: str, text: str, worth: int) -> None:
    """The centre included; sites, leaders and covers count nothing; D is one quarter."""
    assert value(city_of(home, text)) == worth


def test_completing_a_site_adds_its_worth() -> None:
    """Rulings 24 and 58: cathedral and leader count from then on."""
    city = city_of("gent", "t1 church site cathedral, t2 green-leader site leader")
    assert (value(city), ranks(city)) == (1, {"red": (1, 2, 1, 1)})
    city.sites = 0
    assert value(city) == 5
    assert ranks(city) == {"red": (1, 2, 2, 3), "green": (1, 2, 2, 3)}


# Paragraph 7.2: ranks


def test_the_centre_counts_as_a_quarter_of_its_guild() -> None:
    """Ruling 2."""
    assert ranks(city_of("gent")) == {"red": (1, 2, 1, 1)}
    assert ranks(city_of("utrecht")) == {"grey": (1, 2, 1, 1)}


def test_the_church_is_not_ranked() -> None:
    """Ruling 29."""
    assert ranks(city_of("luik", "t1 grey, p1 church")) == {"grey": (1, 0, 1, 5)}
    assert ranks(city_of("luik")) == {}


def test_a_guild_with_sites_alone_has_no_place() -> None:
    """Ruling 28; places are counted among those that have quarters (ruling 55)."""
    city = city_of("gent", "t1 grey site, t2 green, p1 blue site")
    assert places(city) == {"red": 1, "green": 2}


def test_sites_are_not_counted_beside_completed_quarters() -> None:
    city = city_of("gent", "t1 green, t2 green site, t3 green site, t4 blue, p1 blue")
    assert ranks(city)["green"] == (1, 0, 3, 4)
    assert ranks(city)["blue"] == (2, 0, 1, 4)


def test_guilds_are_told_from_the_first_place_down() -> None:
    city = city_of("luik", "t1 grey, t2 grey, t3 grey, p1 red, p2 red, r1 blue")
    assert list(ranks(city)) == ["grey", "red", "blue"]


# Paragraph 7.3: ties


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("t1 red-leader, t2 green", {"red": 1, "green": 2}),
        ("t1 red leader, t2 green", {"red": 1, "green": 2}),
        ("t1 red-leader, t2 green leader leader", {"red": 2, "green": 1}),
        ("t1 red-leader, t2 green leader", {"red": 2, "green": 2}),
        ("t1 red-leader leader, t2 green leader leader", {"red": 2, "green": 2}),
        ("t1 red, t2 green", {"red": 2, "green": 2}),
        ("t1 grey leader, t2 green", {"grey": 1, "green": 2}),
        ("t1 red, p1 red, t2 green leader leader leader", {"red": 1, "green": 2}),
        ("t1 red, p1 red-leader site, t2 green, t3 blue leader", {"blue": 1, "red": 3, "green": 3}),
        ("t1 red, p1 red site leader leader, t2 green leader", {"green": 1, "red": 2}),
    ],
)
def test_more_leaders_on_completed_quarters_decide_between_equal_numbers(
    text: str, expected: dict[str, int]
) -> None:
    """Printed ones and pawns together; leaders on sites do not count (ruling 24)."""
    assert places(city_of("luik", text)) == expected


def test_two_leaders_on_the_centre_count_for_its_guild_alone() -> None:
    city = city_of("gent", "t1 green-leader, t2 blue leader leader")
    assert ranks(city) == {"red": (1, 2, 2, 2), "blue": (1, 2, 2, 2), "green": (1, 1, 3, 4)}


def test_a_leader_put_on_the_centre_is_a_third_one() -> None:
    city = city_of("gent", "c red leader, t2 blue leader leader")
    assert ranks(city) == {"red": (1, 3, 1, 2), "blue": (1, 2, 2, 1)}


GROUPS = [
    ((1,), (1,)),
    ((2,), (2, 2)),
    ((1, 1), (1, 2)),
    ((3,), (3, 3, 3)),
    ((2, 1), (2, 2, 3)),
    ((1, 2), (1, 3, 3)),
    ((1, 1, 1), (1, 2, 3)),
    ((4,), (4, 4, 4, 4)),
    ((3, 1), (3, 3, 3, 4)),
    ((1, 3), (1, 4, 4, 4)),
    ((2, 2), (2, 2, 4, 4)),
    ((2, 1, 1), (2, 2, 3, 4)),
    ((1, 2, 1), (1, 3, 3, 4)),
    ((1, 1, 2), (1, 2, 4, 4)),
    ((5,), (5, 5, 5, 5, 5)),
    ((4, 1), (4, 4, 4, 4, 5)),
    ((1, 4), (1, 5, 5, 5, 5)),
    ((3, 2), (3, 3, 3, 5, 5)),
    ((2, 3), (2, 2, 5, 5, 5)),
    ((1, 1, 3), (1, 2, 5, 5, 5)),
    ((1, 3, 1), (1, 4, 4, 4, 5)),
    ((3, 1, 1), (3, 3, 3, 4, 5)),
    ((2, 2, 1), (2, 2, 4, 4, 5)),
    ((1, 2, 2), (1, 3, 3, 5, 5)),
    ((2, 1, 2), (2, 2, 3, 5, 5)),
    ((1, 1, 1, 1, 1), (1, 2, 3, 4, 5)),
]
"""Sizes of groups of equal guilds from the first on, and the place of each guild."""


def ranked(sizes: tuple[int, ...]) -> tuple[FlandernCity, list[str]]:
    """A city of which the guilds are ranked in groups, by quarters and by leaders in turn."""
    order: list[str] = []
    free = [f"{letter}{n}" for letter in "tpr" for n in range(1, 5)]
    by_groups = {
        1: ((2, 0),),
        2: ((2, 0), (1, 0)),
        3: ((2, 1), (2, 0), (1, 0)),
        5: ((2, 3), (2, 2), (2, 1), (2, 0), (1, 0)),
    }
    said = []
    for size, (quarters, pawns) in zip(sizes, by_groups[len(sizes)], strict=True):
        for _ in range(size):
            key = GUILDS[len(order)]
            for number in range(quarters):
                pawn = " leader" * pawns if number == 0 else ""
                said.append(f"{free.pop()} {key}{pawn}")
            order.append(key)
    return city_of("luik", ", ".join(said)), order


@pytest.mark.parametrize(("sizes", "expected"), GROUPS, ids=str)
def test_equal_guilds_get_the_lowest_of_the_places_they_share(
    sizes: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    """Paragraph 7.3 with the table of 7.4; the next guild follows on the place after them."""
    city, order = ranked(sizes)
    assert places(city) == dict(zip(order, expected, strict=True))
    worth = value(city)
    points = {1: worth, 2: (worth + 1) // 2, 3: 4, 4: 2, 5: 0}
    assert scored(city) == {
        guild: points[place] for guild, place in zip(order, expected, strict=True)
    }


@pytest.mark.parametrize(("worth", "half"), [(5, 3), (6, 3), (13, 7), (16, 8), (17, 9), (20, 10)])
def test_the_second_place_scores_half_the_value_rounded_up(worth: int, half: int) -> None:
    """Ruling 27."""
    city = of_value(worth, "t1 red, t2 red, p1 green")
    assert scored(city) == {"red": worth, "green": half}


# What counts for it


def test_completed_quarters_are_those_without_a_site_and_d_is_one() -> None:
    city = city_of("gent", "t1 grey, t2 church site, p1 church-d-r1")
    church, red = EMBLEM_OF_KEY["church"], EMBLEM_OF_KEY["red"]
    assert named_plots(completed(city, church)) == "p1"
    assert named_plots(completed(city, red)) == "c"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 2),
        ("p1 red-leader", 3),
        ("p1 red-leader site", 2),
        ("p1 red leader leader", 4),
        ("c red leader, p1 red leader leader", 5),
        ("p1 red, t1 green-leader leader", 2),
    ],
)
def test_leaders_are_counted_on_a_guilds_own_completed_quarters(text: str, count: int) -> None:
    assert leaders(city_of("gent", text), EMBLEM_OF_KEY["red"]) == count


@pytest.mark.parametrize("seed", range(5))
def test_random_cities_score_as_the_naive_game_says(seed: int) -> None:
    """Whatever stands in them, be it allowed or not."""
    rng = Random(seed)
    for _ in range(60):
        home = rng.choice(("brugge", "gent", "ieper", "leuven", "utrecht", "luik"))
        said = []
        for letter in "tpr":
            for number in range(1, 5):
                emblem = rng.choice(EMBLEM_KEYS)
                word = emblem + "-leader" * (rng.random() < 0.3 and emblem in GUILDS[:4])
                word += " site" * (rng.random() < 0.2)
                word += " cathedral" * (emblem == "church" and rng.random() < 0.3)
                word += " leader" * (emblem != "church" and rng.random() < 0.2)
                said.append(f"{letter}{number} {word}")
        city = city_of(home, ", ".join(said))
        known = naive(city)
        assert value(city) == known.value()
        assert ranks(city) == known.ranking()
