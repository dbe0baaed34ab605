"""What an observer gets to see (section 10, rulings 4, 60 and 71)."""

from __future__ import annotations

from random import Random

from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR
from bot.game.flandern import GAME
from bot.game.flandern.state import FlandernState
from bot.game.flandern.view import ActionView, FlandernView, GuildView, QuarterView, StandingView
from bot.game.flandern.views import sides
from bot.game.sides import Side
from tests.game.flandern.positions import (
    FILLED,
    draw,
    golden_turn,
    lay,
    one_plays,
    play,
    run,
    table,
)

ALL = (SPECTATOR, 0, 1, 2)


def seen(state: FlandernState, observer: int = SPECTATOR) -> FlandernView:
    return GAME.view(state, observer)


# Secrets


def test_a_hand_is_shown_to_its_owner_and_to_others_only_in_number() -> None:
    """Ruling 71."""
    state = table(seats=3, lying=["gent", "site take", ""], influence=[3, 1, 0])
    for observer in ALL:
        seats = seen(state, observer).seats
        assert [seat.cards for seat in seats] == [9, 6, 7]
        assert [seat.hand is not None for seat in seats] == [seat == observer for seat in range(3)]
        known = [held if seat == observer else None for seat, held in enumerate((3, 1, 0))]
        assert [seat.influence for seat in seats] == known
        assert [seat.open for seat in seats] == [("gent",), ("site", "take"), ()]
    assert seen(state, 1).seats[1].hand == ("brugge", "gent", "ieper", "utrecht", "luik")


def test_what_is_chosen_is_shown_to_its_owner_alone_until_all_have_chosen() -> None:
    """That a seat has chosen may be shown."""
    state = table(seats=3)
    play(state, 1, "choose gent 2")
    for observer in ALL:
        seats = seen(state, observer).seats
        assert [seat.chosen for seat in seats] == [False, True, False]
        known = ("gent", 2) if observer == 1 else (None, None)
        assert (seats[1].card, seats[1].laid) == known
        assert seats[1].cards == 10
    assert seen(state, 0).active == (0, 2)
    run(state, "0 choose take 0", "2 choose take 1")
    for observer in ALL:
        seats = seen(state, observer).seats
        assert [(seat.card, seat.laid) for seat in seats] == [("take", 0), ("gent", 2), ("take", 1)]


def test_the_golden_card_is_known_to_the_first_player_until_it_is_revealed() -> None:
    """Of the decks their numbers are shown."""
    for first in range(3):
        state = table(seats=3, first=first, golden="leader")
        for observer in ALL:
            view = seen(state, observer)
            assert view.golden_card == ("leader" if observer == first else None)
            assert (view.golden_deck, view.revealed) == ("a", False)
            assert "leader" not in view.golden_out
        golden_turn(state)
        for observer in ALL:
            view = seen(state, observer)
            assert (view.golden_card, view.revealed) == ("leader", True)
            assert view.golden_out == ("leader",)
    state = table(golden_left="leader brugge luik", golden="site")
    for observer in ALL:
        assert seen(state, observer).golden_left == (2, 1)
        assert len(seen(state, observer).golden_out) == 24
    assert seen(table(seats=2)).golden_left == ()


def test_everything_else_lies_open() -> None:
    """Of two players also their deck's number, the discards and the card drawn."""
    state = table(seats=3, cities={"gent": "t1 grey, p1 church-a site"}, points={"red": 4})
    play(state, 0, "choose gent 1")
    views = [seen(state, observer) for observer in ALL]
    for name in ("cities", "stock", "sites", "guilds", "order", "turn", "first", "round", "asked"):
        assert len({repr(getattr(view, name)) for view in views}) == 1, name
    assert [seat.score for seat in views[0].seats] == [4, 0, 0]
    state = table(seats=2, deck="blue gent, yellow site")
    for observer in (SPECTATOR, 0, 1):
        view = seen(state, observer)
        assert (view.deck, len(view.discards)) == (2, 12)
    draw(state, "blue gent")
    assert {seen(state, observer).drawn for observer in (SPECTATOR, 0, 1)} == {("blue", "gent")}


# The board


def test_a_city_tells_what_stands_where() -> None:
    said = (
        "t1 grey leader leader, p1 church-d-r1 site cathedral, t2 green-leader, p3 blue-leader, "
        "t4 covered, c red leader, t3 church, p2 church-a"
    )
    city = seen(table(cities={"gent": said})).city("gent")
    assert (city.city, city.home, city.in_play, city.scored) == ("gent", "red", True, False)
    assert {quarter.place: quarter for quarter in city.quarters} == {
        "gent-c": QuarterView("gent-c", "red", "", False, False, 2, 1, ""),
        "gent-t1": QuarterView("gent-t1", "grey", "t", False, False, 0, 2, ""),
        "gent-t2": QuarterView("gent-t2", "green", "t-leader", False, False, 1, 0, ""),
        "gent-t3": QuarterView("gent-t3", "church", "t", False, False, 0, 0, ""),
        "gent-p1": QuarterView("gent-p1", "church", "d", True, True, 0, 0, "gent-r1"),
        "gent-p2": QuarterView("gent-p2", "church", "a", False, False, 0, 0, ""),
        "gent-p3": QuarterView("gent-p3", "blue", "p-leader", False, False, 1, 0, ""),
    }
    assert city.covered == ("gent-t4",)
    assert city.free == tuple(f"gent-{plot}" for plot in ("p4", "r2", "r3", "r4", "r6"))
    (centre,) = seen(table()).city("luik").quarters
    assert (centre.emblem, centre.printed) == ("church", 0)


def test_a_city_tells_what_it_would_score_now() -> None:
    city = seen(table(cities={"gent": "t1 grey, t2 church, p2 green site"})).city("gent")
    assert city.value == 4
    expected = (StandingView("red", 1, 2, 1, 4), StandingView("grey", 1, 0, 2, 2))
    assert city.standings == expected


def test_a_city_that_is_missing_has_nothing() -> None:
    city = seen(table(seats=3)).city("leuven")
    assert (city.in_play, city.quarters, city.free, city.plots) == (False, (), (), None)
    assert (city.value, city.standings, city.covered, city.scored) == (0, (), (), False)
    assert city.home == "yellow"


def test_the_plots_of_a_view_are_a_copy() -> None:
    state = table()
    before = GAME.encode(state)
    plots = seen(state).city("gent").plots
    assert plots is not None
    plots.free = 0
    plots.emblems[0] = 0
    plots.leaders.append(1)
    assert GAME.encode(state) == before


def test_a_scored_city_says_so_and_the_points_stand_by_guild() -> None:
    state = table(cities={"luik": FILLED}, points={"blue": 6})
    golden_turn(state)
    view = seen(state)
    assert view.city("luik").scored
    # Red and green are level with four, yellow and grey with two.
    guilds = {guild.guild: guild for guild in view.guilds}
    assert guilds["red"] == GuildView("red", 0, (0, 0, 0, 0, 0, 7))
    assert guilds["yellow"].points[5] == 2
    assert guilds["blue"].score == 6
    assert guilds["grey"].seat is None


def test_guilds_in_play_are_shown_and_who_they_score_for() -> None:
    """Each seat has its side, and of two players two."""
    for seats, expected in (
        (3, [("red", 0), ("green", 1), ("blue", 2), ("grey", None)]),
        (2, [("red", 0), ("green", 1), ("blue", 0), ("yellow", 1), ("grey", None)]),
    ):
        assert [(each.guild, each.seat) for each in seen(table(seats=seats)).guilds] == expected
    assert sides(seen(table(seats=3)), 3) == (Side(0, 0), Side(1, 1), Side(2, 2))
    assert sides(seen(table(seats=2)), 2) == (Side(0, 0), Side(0, 2), Side(1, 1), Side(1, 3))
    assert sides(seen(GAME.setup(2, {}, RandomChance(Random(1)))), 2) == ()


# What is going on


def test_before_the_reveal_the_order_is_clockwise_from_the_first_player() -> None:
    state = table(seats=3, first=2)
    assert (seen(state).order, seen(state).acted) == ((2, 0, 1), 0)
    lay(state, "gent 1", "gent 2", "gent 0")
    assert (seen(state).order, seen(state).acted, seen(state).turn) == ((1, 0, 2), 1, 1)
    play(state, 1, "build gent-t1 grey")
    assert (seen(state).acted, seen(state).turn, seen(state).active) == (2, 0, (0,))


def test_what_a_card_allows_is_shown() -> None:
    assert seen(table()).action is None
    for card, kind, city in (("gent", "city", "gent"), ("site", "site", "")):
        state = table()
        one_plays(state, card)
        assert seen(state).action == ActionView(city, "red", golden=False, drawn=False)
        assert seen(state).asked == kind
        state = table(golden=card)
        golden_turn(state)
        assert seen(state).action == ActionView(city, "", golden=True, drawn=False)
    for card in ("leader", "cathedral"):
        state = table(golden=card)
        golden_turn(state)
        assert (seen(state).asked, seen(state).action) == (card, None)


def test_of_two_players_the_parts_of_the_turn_are_shown() -> None:
    state = table(seats=2)
    assert (seen(state).played, seen(state).has_drawn) == (False, False)
    draw(state, "yellow gent")
    assert seen(state).action == ActionView("gent", "yellow", golden=False, drawn=True)
    assert (seen(state).played, seen(state).has_drawn) == (False, True)
    run(state, "0 build gent-t1 grey", "0 play gent")
    assert seen(state).action == ActionView("gent", "red", golden=False, drawn=False)
    assert (seen(state).played, seen(state).has_drawn) == (True, True)


def test_covers_that_are_left_and_the_options_of_the_table_are_shown() -> None:
    assert seen(table(cities={"gent": "t1 covered"})).covers == 8
    view = seen(table(golden_cities=2, any_bonus=True))
    assert (view.golden_cities, view.any_bonus) == (2, True)
    assert (seen(table()).golden_cities, seen(table()).any_bonus) == (1, False)


# What is told to a seat, and what can be taken back


def test_what_a_seat_owns_are_its_action_cards() -> None:
    """It is told when a city that others have filled takes one away."""
    for cities, seat in (({"brugge": FILLED}, 1), ({}, 0)):
        state = table(cities=cities, lying=["gent"])
        before = GAME.hand(state, seat)
        golden_turn(state)
        assert (GAME.hand(state, seat) != before) == bool(cities)


def test_the_last_action_of_a_round_discloses_the_golden_card() -> None:
    """So does one after which the others' cards can do nothing."""
    state = table(golden="leader")
    lay(state, "gent", "gent", "take", "take")
    assert not GAME.discloses(state, ("build", "gent-t1", "grey"))
    play(state, 0, "build gent-t1 grey")
    assert GAME.discloses(state, ("build", "gent-t2", "grey"))
    play(state, 1, "build gent-t2 grey")
    assert not GAME.discloses(state, ("leader", "gent-c"))
    for sites, discloses in (("p2 grey", True), ("grey", False)):
        cities = {"brugge": FILLED.replace(sites, f"{sites} site")}
        state = table(golden="leader", cities=cities)
        lay(state, "brugge", "brugge", "take", "take")
        assert GAME.discloses(state, ("complete", "brugge-p2")) == discloses


def test_where_there_is_no_golden_card_nothing_is_disclosed() -> None:
    state = table(golden="", golden_left="")
    lay(state, "gent", "take", "take", "take")
    assert not GAME.discloses(state, ("build", "gent-t1", "grey"))
    state = table(seats=2)
    play(state, 0, "play gent")
    assert not GAME.discloses(state, ("build", "gent-t1", "grey"))


def test_a_table_prints_as_a_small_board() -> None:
    state = table(seats=3, scored="gent", lying=["site"], cities={"luik": "t1 grey site"})
    lines = str(state).splitlines()
    assert lines[0] == "<Flandern 1302: round 3, choose>, seat 0, golden card take, 9 site pieces"
    assert "gent (scored): red c; sites -; free -; covered t1 t2" in lines[2]
    assert lines[-3] == "seat 0: red, 3 influence, hand brugge ieper utrecht luik take; open site"
    assert "luik: grey t1; church c; sites t1; free t2" in lines[5]
