"""What action cards do on the board (sections 5.1, 5.2 and 6), and why they cannot."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bot.game.choices import OneOf
from bot.game.flandern.state import FlandernState
from tests.game.flandern.positions import (
    FILLED,
    LINES,
    asked,
    at,
    facts,
    in_city,
    is_site,
    lay,
    left,
    named_plots,
    one_plays,
    play,
    refused,
    table,
    words,
)

SITES = "t1 red site, t2 grey site, t3 green site, t4 church site"


def playing(
    card: str,
    seat: int = 0,
    cities: Mapping[str, str] | None = None,
    scored: str = "",
    seats: int = 4,
) -> FlandernState:
    """A seat carries out a card; it is red, green, blue or yellow."""
    state = table(seats=seats, cities=cities, scored=scored)
    one_plays(state, card, seat)
    return state


# Paragraph 5.1: a city card builds


@pytest.mark.parametrize(
    ("seat", "tiles"),
    [
        (0, ("red", "red-leader", "grey", "church")),
        (1, ("green", "green-leader", "grey", "church")),
        (2, ("blue", "blue-leader", "grey", "church")),
        (3, ("grey", "church")),
    ],
)
def test_a_city_card_builds_own_grey_or_church(seat: int, tiles: tuple[str, ...]) -> None:
    """In Leuven, where yellow's own centre bars its triangles."""
    state = playing("leuven", seat)
    assert asked(state) == [(seat, "city")]
    assert words(state, seat) == ("build",)
    assert words(state, seat, "build") == tuple(f"leuven-t{n}" for n in range(1, 5))
    assert words(state, seat, "build leuven-t2") == tiles


def test_the_example_of_leuven() -> None:
    """Of the text: yellow can build there a quarter of its own, of grey or of the church."""
    state = playing("leuven", 3, cities={"leuven": "t1 grey, t3 red"})
    assert words(state, 3, "build leuven-p2") == ("yellow", "yellow-leader", "church", "church-a",
                                                  "church-d-r1", "church-d-r2")  # fmt: skip
    assert words(state, 3, "build leuven-p3") == (
        *("yellow", "yellow-leader", "grey", "church", "church-a"),
        *("church-d-r2", "church-d-r3"),
    )


def test_building_takes_the_quarter_out_of_the_stock() -> None:
    state = playing("gent", 1)
    events = play(state, 1, "build gent-t2 green-leader")
    assert facts(events, "quarter_built") == [
        {"seat": 1, "place": "gent-t2", "tile": "green-leader"}
    ]
    assert (at(state, "gent-t2"), is_site(state, "gent-t2")) == ("green", False)
    assert (left(state, "green", "t-leader"), left(state, "green", "t")) == (0, 4)
    assert named_plots(in_city(state, "gent").printed) == "t2"


@pytest.mark.parametrize(
    ("word", "kind", "place", "bare"),
    [
        ("grey", "t", "gent-t3", 4),
        ("church", "t", "gent-t3", 2),
        ("green", "p", "gent-p1", 3),
        ("church-a", "a", "gent-p1", 0),
        ("church-b", "b", "gent-r4", 0),
        ("church-c", "c", "gent-r4", 0),
        ("church-d-r4", "d", "gent-p1", 0),
        ("grey", "r", "gent-r4", 4),
    ],
)
def test_each_kind_of_quarter_is_taken_from_its_own_stock(
    word: str, kind: str, place: str, bare: int
) -> None:
    state = playing("gent", 1, cities={"gent": "t1 blue, t4 blue, p4 yellow"})
    play(state, 1, f"build {place} {word}")
    assert left(state, word.partition("-")[0], kind) == bare
    assert at(state, place) == word.partition("-")[0]


def test_a_quarter_of_which_none_is_left_cannot_be_built() -> None:
    """Paragraph 6.5."""
    many = "t1 green, t2 green, t3 green, t4 green"
    state = playing("gent", 1, cities={"brugge": many})
    assert words(state, 1, "build gent-t1") == ("green-leader", "grey", "church")
    assert refused(state, 1, "build gent-t1 green").code == "none_left"
    state = playing("gent", 1, cities={"brugge": many, "leuven": "t1 green-leader"})
    assert words(state, 1, "build gent-t1") == ("grey", "church")
    assert refused(state, 1, "build gent-t1 green-leader").code == "none_left"


def test_d_asks_for_its_bar() -> None:
    """Ruling 36: the builder chooses among those that are free."""
    state = playing("gent", cities={"gent": "t1 blue, p2 yellow"})
    tiles = words(state, 0, "build gent-p1")
    assert [tile for tile in tiles if "church-d" in tile] == ["church-d-r1", "church-d-r4"]
    play(state, 0, "build gent-p1 church-d-r1")
    assert (at(state, "gent-p1"), at(state, "gent-r1"), at(state, "gent-r4")) == (
        "church", "church", "free",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("place", "word", "new"),
    [
        ("gent-p1", "church-a", "r5"),
        ("gent-r2", "church-b", "t6"),
        ("gent-r2", "church-c", "t10 t14"),
    ],
)
def test_new_plots_can_be_built_on_at_once(place: str, word: str, new: str) -> None:
    """Ruling 49."""
    state = table(cities={"gent": "t1 blue, t3 grey, p3 yellow"})
    lay(state, "gent", "gent", "take", "take")
    play(state, 0, f"build {place} {word}")
    for plot in new.split():
        assert f"gent-{plot}" in words(state, 1, "build")
        assert "church" not in words(state, 1, f"build gent-{plot}")


# Completing


@pytest.mark.parametrize(
    ("seat", "sites"),
    [(0, "t1 t2 t4"), (1, "t2 t3 t4"), (2, "t2 t4"), (3, "t2 t4")],
)
def test_a_city_card_completes_own_grey_or_church(seat: int, sites: str) -> None:
    """Ruling 12: never another guild's."""
    state = playing("leuven", seat, cities={"leuven": SITES})
    assert words(state, seat) == ("build", "complete")
    expected = tuple(f"leuven-{plot}" for plot in sites.split())
    assert words(state, seat, "complete") == expected
    for plot in {"t1", "t2", "t3", "t4"} - set(sites.split()):
        assert refused(state, seat, f"complete leuven-{plot}").code == "foreign_site"


def test_completing_returns_the_site_piece() -> None:
    state = playing("leuven", 0, cities={"leuven": SITES})
    assert state.sites == 6
    events = play(state, 0, "complete leuven-t1")
    assert facts(events, "quarter_completed") == [
        {"seat": 0, "place": "leuven-t1", "emblem": "red"}
    ]
    assert (state.sites, is_site(state, "leuven-t1"), at(state, "leuven-t1")) == (7, False, "red")
    assert is_site(state, "leuven-t2")


def test_either_build_or_complete_not_both() -> None:
    state = table(seats=3, cities={"brugge": SITES})
    lay(state, "brugge", "brugge", "take")
    play(state, 0, "complete brugge-t1")
    assert asked(state) == [(1, "city")]
    play(state, 1, "build brugge-p1 green")
    assert state.round == 4


def test_where_nothing_can_be_built_a_site_must_be_completed_and_the_other_way_round() -> None:
    """Ruling 10."""
    state = playing("brugge", 0, cities={"brugge": FILLED.replace("r1 red", "r1 red site")})
    assert words(state, 0) == ("complete",)
    assert refused(state, 0, "build brugge-t1 red").code == "nothing_to_build"
    state = playing("brugge", 0, cities={"brugge": "t1 green site"})
    assert words(state, 0) == ("build",)
    assert refused(state, 0, "complete brugge-t1").code == "nothing_to_complete"


def test_a_site_may_be_completed_in_a_city_that_is_full() -> None:
    """Ruling 56: it stays open until phase 6."""
    said = FILLED.replace("r1 red", "r1 red site").replace("t1 red", "t1 red site")
    state = table(cities={"brugge": said})
    lay(state, "brugge", "gent", "brugge", "take")
    play(state, 0, "complete brugge-r1")
    events = play(state, 1, "build gent-t1 grey")
    # Seat 2 is blue: nothing there is its own.
    assert facts(events, "impossible") == [{"seat": 2, "card": "brugge", "golden": 0}]


# Paragraph 5.2: a site card


def test_a_site_card_puts_a_site_in_any_city_that_is_not_scored() -> None:
    state = playing("site", 1, scored="gent", cities={"luik": "t1 blue"})
    assert asked(state) == [(1, "site")]
    cities = {place.partition("-")[0] for place in words(state, 1, "site")}
    # Ieper's own centre bars green alone.
    assert cities == {"brugge", "ieper", "leuven", "utrecht", "luik"}
    assert words(state, 1, "site ieper-t1") == ("grey", "church")
    events = play(state, 1, "site luik-p1 green")
    assert facts(events, "site_put") == [{"seat": 1, "place": "luik-p1", "tile": "green"}]
    assert (state.sites, is_site(state, "luik-p1")) == (9, True)
    assert left(state, "green", "p") == 3


@pytest.mark.parametrize("word", ["church-a", "church-d-r1", "grey", "red-leader"])
def test_every_quarter_can_be_put_up_as_a_site(word: str) -> None:
    """Ruling 37."""
    state = playing("site", 0, cities={"luik": "t1 blue", "gent": "t1 blue"})
    place = "gent-p1" if "church" in word else "luik-p1"
    play(state, 0, f"site {place} {word}")
    assert is_site(state, place)


def test_a_site_card_never_completes_one() -> None:
    state = playing("site", 0, cities={"leuven": SITES})
    assert words(state, 0) == ("site",)
    assert refused(state, 0, "complete leuven-t1").code == "not_now"


def test_without_a_site_piece_a_site_card_does_nothing() -> None:
    """Ruling 14."""
    cities = {
        "brugge": SITES,
        "leuven": SITES.replace("green", "blue").replace("red", "blue"),
        "luik": "t1 green site, t2 yellow site",
    }
    state = table(cities=cities)
    assert state.sites == 0
    events = one_plays(state, "site", 1)
    assert facts(events, "impossible") == [{"seat": 1, "card": "site", "golden": 0}]
    assert left(state, "green", "p") == 4


# Why not: the refusals say it


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("build brugge-t1 red", "other_city"),
        ("build gent-t1 grey", "plot_taken"),
        ("build gent-c grey", "plot_taken"),
        ("build gent-t2 grey", "plot_taken"),
        ("build gent-t4 grey", "plot_covered"),
        ("build gent-r5 red", "no_plot"),
        ("build gent-t9 red", "no_plot"),
        ("build gent-r1 red", "no_support"),
        ("build gent-p4 red", "no_support"),
        ("build gent-t3 red", "beside_own"),
        ("build gent-p1 grey", "beside_own"),
        ("build gent-p2 green", "not_yours"),
        ("build gent-t3 church-a", "wrong_shape"),
        ("build gent-p1 church-b", "wrong_shape"),
        ("build gent-p1 church-d-r2", "no_bar"),
        ("build gent-p1 church-d-r4", "no_bar"),
        ("build gent-p1 blue-leader", "not_yours"),
        ("build gent-p1", "incomplete"),
        ("build gent-p1 red red", "too_many_words"),
        ("build gent-x1 red", "not_a_choice"),
        ("build gent-p1 purple", "not_a_choice"),
    ],
)
def test_a_refusal_to_build_names_what_forbids_it(line: str, code: str) -> None:
    gent = "t1 grey, t2 blue site, t4 covered, r4 covered"
    state = playing("gent", 0, cities={"gent": gent, "brugge": SITES})
    assert refused(state, 0, line).code == code


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("complete gent-t1", "no_site_here"),
        ("complete gent-t4", "no_site_here"),
        ("complete gent-p3", "no_site_here"),
        ("complete brugge-t1", "other_city"),
        ("complete gent-t2", "foreign_site"),
        ("complete gent-x1", "not_a_choice"),
    ],
)
def test_a_refusal_to_complete_names_what_forbids_it(line: str, code: str) -> None:
    gent = "t1 grey, t2 blue site, t3 church site, t4 covered"
    state = playing("gent", 0, cities={"gent": gent, "brugge": SITES})
    assert refused(state, 0, line).code == code


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("build gent-p4 red", "no_support"),
        ("build gent-t10 red", "no_plot"),
        ("build gent-t4 church-a", "wrong_shape"),
    ],
)
def test_what_is_possible_elsewhere_in_the_city_does_not_matter(line: str, code: str) -> None:
    """Bars are supported, there are new plots, and the church bars its own from some."""
    gent = "t1 grey, t2 blue, p1 blue, p2 green, r1 church-c"
    state = playing("gent", 0, cities={"gent": gent})
    assert {"gent-r2", "gent-t9", "gent-t13"} <= {*words(state, 0, "build")}
    assert refused(state, 0, line).code == code


def test_a_plot_on_which_nothing_of_ones_own_fits_says_so() -> None:
    """Beside it lie red, grey and church."""
    beside = "t1 grey, t4 church, t2 yellow, p2 {}, r1 {}"
    state = playing("brugge", 0, cities={"brugge": beside.format("red", "blue")})
    assert words(state, 0, "build brugge-p1") == ("red", "red-leader")
    state = playing("brugge", 0, cities={"brugge": beside.format("blue", "red")})
    assert "brugge-p1" not in words(state, 0, "build")
    assert refused(state, 0, "build brugge-p1 grey").code == "nothing_fits"


@pytest.mark.parametrize("card", ["gent", "site"])
def test_a_city_that_is_missing_or_scored_is_closed(card: str) -> None:
    state = playing(card, 0, seats=3, scored="luik")
    codes = {
        key: refused(state, 0, f"{'site' if card == 'site' else 'build'} {key}-t1 grey").code
        for key in ("luik", "leuven")
    }
    if card == "site":
        assert codes == {"luik": "city_scored", "leuven": "missing_city"}
    else:
        assert codes == {"luik": "other_city", "leuven": "other_city"}


def test_more_than_25_places_are_asked_for_by_city_first() -> None:
    state = playing("site", 0, cities={"brugge": "t1 grey", "leuven": "t1 grey", "luik": "t1 grey"})
    domain = LINES.domain(state, 0, "site")
    assert isinstance(domain, OneOf)
    assert len(domain.values) > 25
    (by,) = domain.groups
    assert (by.param, by.of("gent-t1")) == ("city", "gent")
