"""Scoring a city (section 7): its value, the ranks of guilds, and what their places score."""

from __future__ import annotations

from random import Random

from bot.game.flandern.city import FlandernCity, completed, standings, value
from bot.game.flandern.data import EMBLEM_KEYS, EMBLEM_OF_KEY
from bot.game.flandern.plan import CITIES
from tests.game.flandern.naive_city import GUILDS
from tests.game.flandern.positions import FILLED, city_of, fill, naive, named_plots


def ranks(city: FlandernCity) -> dict[str, tuple[int, int, int, int]]:
    """By guild, in the order in which they are told: quarters, leaders, place, points."""
    return {EMBLEM_KEYS[each.emblem]: each[1:] for each in standings(city)}


def scored(city: FlandernCity) -> dict[str, int]:
    return {EMBLEM_KEYS[each.emblem]: each.points for each in standings(city)}


def places(city: FlandernCity) -> dict[str, int]:
    return {EMBLEM_KEYS[each.emblem]: each.place for each in standings(city)}


# The examples


def test_the_scoring_example_of_the_text() -> None:
    """Paragraph 7.5: value 16; blue 16, yellow 8, red, green and grey 0 each. Blue has three
    quarters; all others two, the centre of yellow among them."""
    city = city_of(
        "leuven",
        "t1 blue, t2 red, t3 blue, t4 red-leader, p1 grey leader, p2 church, p3 grey, "
        "p4 green-leader, r1 blue, r2 green, r3 church cathedral, r4 yellow-leader",
    )
    assert city.free == 0
    assert value(city) == 16
    assert ranks(city) == {
        "blue": (3, 0, 1, 16),
        "yellow": (2, 3, 2, 8),
        "red": (2, 1, 5, 0),
        "green": (2, 1, 5, 0),
        "grey": (2, 1, 5, 0),
    }


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
    """Paragraph 7.6: seven each, the next one four (ruling 26)."""
    city = of_value(13, "t1 red, t2 red, p1 green, p2 green, r1 blue")
    assert scored(city) == {"red": 7, "green": 7, "blue": 4}


def test_value_17_and_three_guilds_level_in_first_place() -> None:
    """Paragraph 7.6: four each, the next one two."""
    city = of_value(17, "t1 red, t2 red, p1 green, p2 green, r1 blue, r2 blue, r3 yellow")
    assert scored(city) == {"red": 4, "green": 4, "blue": 4, "yellow": 2}


def test_value_14_with_4_3_2_1_and_1_quarters_without_leaders() -> None:
    """Paragraph 7.6: 14, 7, 4, 0, 0."""
    text = (
        "t1 red, t2 red, t3 red, t4 red, p1 green, p2 green, p3 green, "
        "r1 blue, r2 blue, r3 yellow, r4 grey"
    )
    assert scored(of_value(14, text)) == {"red": 14, "green": 7, "blue": 4, "yellow": 0, "grey": 0}


def test_value_4_with_2_1_and_1_quarters_and_one_leader_between_the_last_two() -> None:
    """Paragraph 7.6: 4, 2, 4: the third place is better than the second (ruling 54)."""
    city = city_of("utrecht", "t1 red, t2 red, p1 green-leader, p2 blue, c grey")
    city.emblems[EMBLEM_OF_KEY["grey"]] = 0
    assert value(city) == 4
    assert scored(city) == {"red": 4, "green": 2, "blue": 4}


# Paragraph 7.1: the value


def test_a_city_is_worth_what_its_completed_quarters_are() -> None:
    """The centre included; sites, leaders and covers count nothing; D is one quarter."""
    for home, text, worth in (
        ("gent", "", 1),
        ("luik", "", 2),
        ("luik", "c church cathedral", 3),
        ("gent", "t1 green", 2),
        ("gent", "t1 grey", 2),
        ("gent", "t1 church", 3),
        ("gent", "t1 church cathedral", 4),
        ("gent", "t1 green site", 1),
        ("gent", "t1 church site cathedral", 1),
        ("gent", "t1 green leader leader, t2 green-leader", 3),
        ("gent", "t1 covered, t2 covered", 1),
        ("gent", "t1 grey, p1 church-a", 4),
        ("gent", "t1 grey, p1 church-d-r1", 4),
        ("gent", "t1 grey, p1 church-d-r1 cathedral", 5),
        ("gent", "t1 grey, p1 church-d-r1 site", 2),
        ("gent", "t1 grey, p1 blue, r1 church-b, t5 green", 6),
        ("gent", "t1 grey, p1 blue, r1 church-c, t9 green, t13 red", 7),
        ("leuven", FILLED, 13),
    ):
        assert value(city_of(home, text)) == worth, text
    city = city_of("gent", "t1 grey, t2 church site, p1 church-d-r1")
    assert named_plots(completed(city, EMBLEM_OF_KEY["church"])) == "p1"


def test_completing_a_site_adds_its_worth() -> None:
    """Rulings 24 and 58: cathedral and leader count from then on."""
    city = city_of("gent", "t1 church site cathedral, t2 green-leader site leader")
    assert (value(city), ranks(city)) == (1, {"red": (1, 2, 1, 1)})
    city.sites = 0
    assert value(city) == 5
    assert ranks(city) == {"red": (1, 2, 2, 3), "green": (1, 2, 2, 3)}


# Paragraph 7.2: ranks


def test_guilds_with_completed_quarters_are_ranked_the_centre_among_them() -> None:
    """Rulings 2, 28, 29 and 55; told from the first place down."""
    for home, text, expected in (
        ("utrecht", "", {"grey": (1, 2, 1, 1)}),
        ("luik", "t1 grey, p1 church", {"grey": (1, 0, 1, 5)}),
        ("luik", "", {}),
        # Sites alone give no place, and count nothing beside completed quarters.
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


# Paragraph 7.3: ties


def test_more_leaders_on_completed_quarters_decide_between_equal_numbers() -> None:
    """Printed ones and pawns together; leaders on sites do not count (ruling 24)."""
    for text, expected in (
        ("t1 red-leader, t2 green", {"red": 1, "green": 2}),
        ("t1 red leader, t2 green", {"red": 1, "green": 2}),
        ("t1 red-leader, t2 green leader leader", {"red": 2, "green": 1}),
        ("t1 red-leader, t2 green leader", {"red": 2, "green": 2}),
        ("t1 red, t2 green", {"red": 2, "green": 2}),
        ("t1 grey leader, t2 green", {"grey": 1, "green": 2}),
        ("t1 red, p1 red, t2 green leader leader leader", {"red": 1, "green": 2}),
        ("t1 red, p1 red-leader site, t2 green, t3 blue leader", {"blue": 1, "red": 3, "green": 3}),
        ("t1 red, p1 red site leader leader, t2 green leader", {"green": 1, "red": 2}),
    ):
        assert places(city_of("luik", text)) == expected, text
    # The two leaders on the centre count for its guild alone, one put on it is a third.
    city = city_of("gent", "t1 green-leader, t2 blue leader leader")
    assert ranks(city) == {"red": (1, 2, 2, 2), "blue": (1, 2, 2, 2), "green": (1, 1, 3, 4)}
    city = city_of("gent", "c red leader, t2 blue leader leader")
    assert ranks(city) == {"red": (1, 3, 1, 2), "blue": (1, 2, 2, 1)}


def test_equal_guilds_get_the_lowest_of_the_places_they_share() -> None:
    """Paragraph 7.3 with the table of 7.4: by the sizes of groups of equal guilds from the first
    on, the place of each guild; the next guild follows on the place after them."""
    for sizes, expected in (
        ("1", "1"),
        ("2", "22"),
        ("11", "12"),
        ("21", "223"),
        ("12", "133"),
        ("4", "4444"),
        ("31", "3334"),
        ("13", "1444"),
        ("211", "2234"),
        ("121", "1334"),
        ("112", "1244"),
        ("5", "55555"),
        ("41", "44445"),
        ("14", "15555"),
        ("23", "22555"),
        ("131", "14445"),
        ("311", "33345"),
        ("221", "22445"),
        ("122", "13355"),
        ("11111", "12345"),
    ):
        city, order = ranked([int(size) for size in sizes])
        assert places(city) == dict(zip(order, map(int, expected), strict=True)), sizes
        worth = value(city)
        points = {"1": worth, "2": (worth + 1) // 2, "3": 4, "4": 2, "5": 0}
        assert list(scored(city).values()) == [points[place] for place in expected], sizes


def ranked(sizes: list[int]) -> tuple[FlandernCity, list[str]]:
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
            said += [f"{free.pop()} {key}{' leader' * (pawns * (not n))}" for n in range(quarters)]
            order.append(key)
    return city_of("luik", ", ".join(said)), order


def test_the_second_place_scores_half_the_value_rounded_up() -> None:
    """Ruling 27."""
    for worth, half in ((5, 3), (6, 3), (13, 7), (16, 8), (17, 9), (20, 10)):
        city = of_value(worth, "t1 red, t2 red, p1 green")
        assert scored(city) == {"red": worth, "green": half}


def test_random_cities_score_as_the_naive_game_says() -> None:
    """Whatever stands in them, be it allowed or not."""
    rng = Random(1)
    for _ in range(150):
        said = []
        for plot in (f"{letter}{number}" for letter in "tpr" for number in range(1, 5)):
            emblem = rng.choice(EMBLEM_KEYS)
            word = emblem + "-leader" * (rng.random() < 0.3 and emblem in GUILDS[:4])
            word += " site" * (rng.random() < 0.2)
            word += " cathedral" * (emblem == "church" and rng.random() < 0.3)
            word += " leader" * (emblem != "church" and rng.random() < 0.2)
            said.append(f"{plot} {word}")
        city = city_of(rng.choice(CITIES), ", ".join(said))
        assert value(city) == naive(city).value()
        assert ranks(city) == naive(city).ranking()
