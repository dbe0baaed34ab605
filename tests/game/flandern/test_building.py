"""What action cards do on the board (sections 5.1, 5.2 and 6), and why they cannot."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.choices import OneOf
from bot.game.flandern.state import FlandernState
from tests.game.flandern.positions import (
    FILLED,
    LINES,
    asked,
    at,
    check_refused,
    facts,
    in_city,
    is_site,
    lay,
    left,
    named_plots,
    one_plays,
    play,
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


def test_a_city_card_builds_or_completes_own_grey_or_church() -> None:
    """In Leuven, where yellow's own centre bars its triangles."""
    for seat, own in enumerate((("red",), ("green",), ("blue",), ())):
        state = playing("leuven", seat)
        assert asked(state) == [(seat, "city")]
        assert words(state, seat) == ("build",)
        assert words(state, seat, "build") == tuple(f"leuven-t{n}" for n in range(1, 5))
        tiles = [f"{guild}{leader}" for guild in own for leader in ("", "-leader")]
        assert words(state, seat, "build leuven-t2") == (*tiles, "grey", "church")
    # Ruling 12: never another guild's.
    for seat, sites in enumerate(("t1 t2 t4", "t2 t3 t4", "t2 t4", "t2 t4")):
        state = playing("leuven", seat, cities={"leuven": SITES})
        assert words(state, seat) == ("build", "complete")
        expected = tuple(f"leuven-{plot}" for plot in sites.split())
        assert words(state, seat, "complete") == expected
        foreign = sorted({"t1", "t2", "t3", "t4"} - set(sites.split()))
        check_refused(state, "foreign_site", *(f"{seat} complete leuven-{n}" for n in foreign))


def test_the_example_of_leuven() -> None:
    """Of the text: yellow can build there a quarter of its own, of grey or of the church."""
    state = playing("leuven", 3, cities={"leuven": "t1 grey, t3 red"})
    own, special = ("yellow", "yellow-leader"), ("church", "church-a")
    assert words(state, 3, "build leuven-p2") == (*own, *special, "church-d-r1", "church-d-r2")
    with_grey = (*own, "grey", *special, "church-d-r2", "church-d-r3")
    assert words(state, 3, "build leuven-p3") == with_grey


def test_building_takes_the_quarter_out_of_its_own_stock_while_there_is_one() -> None:
    state = playing("gent", 1)
    events = play(state, 1, "build gent-t2 green-leader")
    built = {"seat": 1, "place": "gent-t2", "tile": "green-leader"}
    assert facts(events, "quarter_built") == [built]
    assert (at(state, "gent-t2"), is_site(state, "gent-t2")) == ("green", False)
    assert (left(state, "green", "t-leader"), left(state, "green", "t")) == (0, 4)
    assert named_plots(in_city(state, "gent").printed) == "t2"
    # Paragraph 6.5: not where none is left.
    cities = {"brugge": "t1 green, t2 green, t3 green, t4 green"}
    state = playing("gent", 1, cities=cities)
    assert words(state, 1, "build gent-t1") == ("green-leader", "grey", "church")
    check_refused(state, "none_left", "1 build gent-t1 green")
    state = playing("gent", 1, cities={**cities, "leuven": "t1 green-leader"})
    assert words(state, 1, "build gent-t1") == ("grey", "church")
    check_refused(state, "none_left", "1 build gent-t1 green-leader")
    # Ruling 36: the builder chooses D's bar among those that are free.
    state = playing("gent", cities={"gent": "t1 blue, p2 yellow"})
    tiles = words(state, 0, "build gent-p1")
    assert [tile for tile in tiles if "church-d" in tile] == ["church-d-r1", "church-d-r4"]
    play(state, 0, "build gent-p1 church-d-r1")
    assert (at(state, "gent-r1"), left(state, "church", "d")) == ("church", 0)


def test_completing_returns_the_site_piece_and_a_card_either_builds_or_completes() -> None:
    state = table(seats=3, cities={"brugge": SITES})
    lay(state, "brugge", "brugge", "take")
    assert state.sites == 6
    events = play(state, 0, "complete brugge-t1")
    done = {"seat": 0, "place": "brugge-t1", "emblem": "red"}
    assert facts(events, "quarter_completed") == [done]
    assert (state.sites, is_site(state, "brugge-t1"), at(state, "brugge-t1")) == (7, False, "red")
    assert is_site(state, "brugge-t2")
    assert asked(state) == [(1, "city")]
    play(state, 1, "build brugge-p1 green")
    assert state.round == 4


def test_where_nothing_can_be_built_a_site_must_be_completed_and_the_other_way_round() -> None:
    """Ruling 10. Ruling 56: a site may be completed in a city that is full until phase 6."""
    full = FILLED.replace("r1 red", "r1 red site")
    state = playing("brugge", 0, cities={"brugge": full})
    assert words(state, 0) == ("complete",)
    check_refused(state, "nothing_to_build", "0 build brugge-t1 red")
    state = playing("brugge", 0, cities={"brugge": "t1 green site"})
    assert words(state, 0) == ("build",)
    check_refused(state, "nothing_to_complete", "0 complete brugge-t1")
    state = table(cities={"brugge": full.replace("t1 red", "t1 red site")})
    lay(state, "brugge", "gent", "brugge", "take")
    play(state, 0, "complete brugge-r1")
    events = play(state, 1, "build gent-t1 grey")
    # Seat 2 is blue: nothing there is its own.
    assert facts(events, "impossible") == [{"seat": 2, "card": "brugge", "golden": 0}]


# Paragraph 5.2: a site card


def test_a_site_card_puts_a_site_in_any_city_that_is_not_scored() -> None:
    state = playing("site", 1, scored="gent", cities={"luik": "t1 blue", "leuven": SITES})
    assert asked(state) == [(1, "site")]
    # It never completes one.
    assert words(state, 1) == ("site",)
    check_refused(state, "not_now", "1 complete leuven-t3")
    there = {place.partition("-")[0] for place in words(state, 1, "site")}
    assert there == {"brugge", "ieper", "leuven", "utrecht", "luik"}
    # Ieper's own centre bars green alone.
    assert words(state, 1, "site ieper-t1") == ("grey", "church")
    events = play(state, 1, "site luik-p1 green")
    assert facts(events, "site_put") == [{"seat": 1, "place": "luik-p1", "tile": "green"}]
    assert (state.sites, is_site(state, "luik-p1")) == (5, True)
    assert left(state, "green", "p") == 3
    # Ruling 14: without a site piece it does nothing.
    leuven = "t1 blue site, t2 grey site, t3 blue site, t4 church site"
    cities = {"brugge": SITES, "leuven": leuven, "luik": "t1 green site, t2 yellow site"}
    events = one_plays(table(cities=cities), "site", 1)
    assert facts(events, "impossible") == [{"seat": 1, "card": "site", "golden": 0}]
    state = playing("site", 0, cities={"brugge": "t1 grey", "leuven": "t1 grey", "luik": "t1 grey"})
    domain = LINES.domain(state, 0, "site")
    assert isinstance(domain, OneOf)
    assert len(domain.values) > 25
    (by,) = domain.groups
    assert (by.param, by.of("gent-t1")) == ("city", "gent")


def test_a_refusal_names_what_forbids_it() -> None:
    gent = "t1 grey, t2 blue site, t4 covered, r4 covered"
    state = playing("gent", 0, cities={"gent": gent, "brugge": SITES})
    for code, lines in {
        "other_city": "brugge-t1 red",
        "plot_taken": "gent-t1 grey, gent-c grey, gent-t2 grey",
        "plot_covered": "gent-t4 grey",
        "no_plot": "gent-r5 red, gent-t9 red",
        "no_support": "gent-r1 red, gent-p4 red",
        "beside_own": "gent-t3 red, gent-p1 grey",
        "not_yours": "gent-p2 green, gent-p1 blue-leader",
        "wrong_shape": "gent-t3 church-a, gent-p1 church-b",
        "no_bar": "gent-p1 church-d-r2, gent-p1 church-d-r4",
        "incomplete": "gent-p1",
        "too_many_words": "gent-p1 red red",
        "not_a_choice": "gent-x1 red, gent-p1 purple",
    }.items():
        check_refused(state, code, *(f"0 build {line}" for line in lines.split(", ")))
    gent = "t1 grey, t2 blue site, t3 church site, t4 covered"
    state = playing("gent", 0, cities={"gent": gent, "brugge": SITES})
    for code, places in {
        "no_site_here": "gent-t1 gent-t4 gent-p3",
        "other_city": "brugge-t1",
        "foreign_site": "gent-t2",
        "not_a_choice": "gent-x1",
    }.items():
        check_refused(state, code, *(f"0 complete {place}" for place in places.split()))
    # Bars are supported, there are new plots, and the church bars its own from some.
    gent = "t1 grey, t2 blue, p1 blue, p2 green, r1 church-c"
    state = playing("gent", 0, cities={"gent": gent})
    assert {"gent-r2", "gent-t9", "gent-t13"} <= {*words(state, 0, "build")}
    check_refused(state, "no_support", "0 build gent-p4 red")
    check_refused(state, "no_plot", "0 build gent-t10 red")
    check_refused(state, "wrong_shape", "0 build gent-t4 church-a")
    # Beside it lie red, grey and church.
    beside = "t1 grey, t4 church, t2 yellow, p2 {}, r1 {}"
    state = playing("brugge", 0, cities={"brugge": beside.format("red", "blue")})
    assert words(state, 0, "build brugge-p1") == ("red", "red-leader")
    state = playing("brugge", 0, cities={"brugge": beside.format("blue", "red")})
    assert "brugge-p1" not in words(state, 0, "build")
    check_refused(state, "nothing_fits", "0 build brugge-p1 grey")
    state = playing("site", 0, seats=3, scored="luik")
    check_refused(state, "city_scored", "0 site luik-t1 grey")
    check_refused(state, "missing_city", "0 site leuven-t1 grey")
    state = playing("gent", 0, seats=3, scored="luik")
    check_refused(state, "other_city", "0 build luik-t1 grey", "0 build leuven-t1 grey")
