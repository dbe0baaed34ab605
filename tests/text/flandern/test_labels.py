"""What the labels of cards, plots and quarters tell: what each could do, and what it brings."""

from __future__ import annotations

from bot.game.choices import OneOf
from bot.game.flandern import GAME
from bot.game.flandern.state import FlandernState
from tests.game.flandern.positions import (
    FILLED,
    draw,
    golden_turn,
    one_plays,
    table,
    without,
)
from tests.text.told import EN, Told

FLANDERN = Told("flandern")
TEXT, NAMES, labels, group_labels = (
    *(FLANDERN.text, FLANDERN.names),
    *(FLANDERN.labels, FLANDERN.groups),
)

CROWDED = "t1 yellow, t2 blue, p1 church, p2 grey"
"""In Gent, whose centre is red, as seat 0 is: worth 6."""


def test_a_city_where_nothing_can_be_done_now_says_so() -> None:
    state = table(cities={"luik": FILLED})
    assert labels(state, "choose")["luik"].startswith("Luik: full, nothing possible · worth 14: ")


def test_a_card_is_weighed_for_the_own_guild() -> None:
    state = table(cities={"luik": without(FILLED, "t1")})
    assert labels(state, "choose", 0)["luik"].startswith("Luik: 1 plot · ")
    assert labels(state, "choose", 3)["luik"].startswith("Luik: nothing possible · ")


def test_without_site_pieces_the_card_for_a_site_says_so() -> None:
    four = "t1 {0} site, t2 {1} site, t3 {0} site, t4 {1} site"
    cities = {"brugge": four.format("red", "green"), "luik": four.format("yellow", "blue")}
    state = table(cities={**cities, "gent": "t1 grey site, t2 yellow site"})
    assert labels(state, "choose")["site"] == "Site: no site piece is left now"


def test_a_button_that_leaves_no_choice_says_what_it_does() -> None:
    state = table(cities={"gent": f"{CROWDED}, t3 grey site"})
    one_plays(state, "gent")
    assert labels(state)["complete"] == ("Complete T3 · grey site · worth 7: Grey 7, Red 4")
    last = table(lying=("brugge gent ieper leuven utrecht luik site",))
    assert labels(last) == {"choose": "Lay out Take with influence cards"}
    two = table(seats=2, lying=("brugge gent ieper leuven utrecht luik",))
    assert labels(two)["play"] == "Play Site: 24 plots in 6 cities · 10 site pieces left"


def test_a_plot_says_its_shape_whose_quarters_fit_and_what_stands_beside_it() -> None:
    state = table(cities={"gent": CROWDED})
    one_plays(state, "gent")
    assert labels(state, "build") == {
        "gent-t3": "T3 · triangle · for Grey, Church · beside Red",
        "gent-t4": "T4 · triangle · for Grey · beside Red, Church",
        "gent-p3": "P3 · trapezoid · for Red, Grey, Church · beside Blue",
        "gent-r1": "R1 · bar · for Red · beside Church, Grey",
        "gent-r2": "R2 · bar · for Red, Church · beside Grey",
        "gent-r4": "R4 · bar · for Red, Grey · beside Church",
    }


def test_a_quarter_says_what_the_city_would_be_worth_to_the_first_and_to_oneself() -> None:
    state = table(cities={"gent": CROWDED})
    one_plays(state, "gent")
    assert labels(state, "build gent-r2") == {
        "red": "Red · worth 7: Red 7",
        "red-leader": "Red with leader · worth 7: Red 7",
        "church": "Church · worth 8: Red 8",
        "church-b": "Church B · +1 plot · worth 8: Red 8",
        "church-c": "Church C · +2 plots · worth 8: Red 8",
    }


def test_quarter_d_names_the_bar_that_it_takes_in_and_others_the_plots_that_they_add() -> None:
    state = table(cities={"ieper": "t1 yellow"})
    one_plays(state, "ieper")
    said = labels(state, "build ieper-p1")
    assert said["church-d-r4"] == "Church D with R4 · worth 4: Green 4"
    assert said["church-a"] == "Church A · +1 plot · worth 4: Green 4"
    assert {"church-d-r1", "church-d-r4"} <= set(said)


def test_a_drawn_card_builds_for_its_guild_and_not_for_the_own_one() -> None:
    state = table(seats=2, cities={"gent": CROWDED})
    draw(state, "yellow gent")
    assert labels(state, "build")["gent-r1"].startswith("R1 · bar · for Yellow · ")


def names(state: FlandernState, kind: str) -> list[str]:
    """What is written on the places that seat 0 may choose."""
    choices, view = GAME.legal(state, 0, (kind,)), GAME.view(state, 0)
    assert isinstance(choices, OneOf)
    return [TEXT.label(EN, (kind,), choices, w, view, NAMES).name for w in choices.values]


def test_on_the_picture_plots_are_called_with_their_cities_unless_the_card_names_one() -> None:
    state = table(golden="leader", cities={"gent": CROWDED})
    golden_turn(state)
    assert names(state, "leader") == ["Gent centre", "Gent P2", "Utrecht centre"]
    state = table(cities={"gent": CROWDED})
    one_plays(state, "gent")
    assert names(state, "build") == ["T3", "T4", "P3", "R1", "R2", "R4"]


def whole(state: FlandernState, line: str) -> tuple[str, str]:
    """What a whole action of seat 0 is called, and what the picture writes."""
    label = FLANDERN.whole(state, line)
    return label.text, label.name
