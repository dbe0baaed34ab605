"""What an observer sees and cannot know (section 10, rulings 4, 60 and 71)."""

from __future__ import annotations

from collections import Counter
from random import Random

from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR, Observer
from bot.game.flandern import GAME
from bot.game.flandern.data import CARDS
from bot.game.flandern.state import FlandernState, sides
from bot.game.flandern.view import ActionView, FlandernView, QuarterView
from bot.game.sides import Side
from tests.game.flandern.positions import (
    FILLED,
    draw,
    golden_turn,
    lay,
    play,
    table,
)

ALL = (SPECTATOR, 0, 1, 2)


def seen(state: FlandernState, observer: int = SPECTATOR) -> FlandernView:
    return GAME.view(state, observer)


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


def test_what_lies_on_the_table_is_shown_to_all() -> None:
    gent = (
        "t1 grey leader leader, p1 church-d-r1 site cathedral, t2 green-leader, t4 covered, "
        "c red leader"
    )
    state = table(
        seats=3,
        first=1,
        golden="site",
        golden_left="leader brugge luik",
        cities={"gent": gent},
        points={"red": 4},
        any_bonus=True,
    )
    for observer in ALL:
        view = seen(state, observer)
        city = view.city("gent")
        assert set(city.quarters) == {
            QuarterView("gent-c", "red", "", False, False, 2, 1, ""),
            QuarterView("gent-t1", "grey", "t", False, False, 0, 2, ""),
            QuarterView("gent-t2", "green", "t-leader", False, False, 1, 0, ""),
            QuarterView("gent-p1", "church", "d", True, True, 0, 0, "gent-r1"),
        }
        free = ("t3", "p2", "p3", "p4", "r2", "r3", "r4")
        assert (city.home, city.covered) == ("red", ("gent-t4",))
        assert city.free == tuple(f"gent-{plot}" for plot in free)
        assert (view.sites, view.cathedrals, view.leaders, view.covers) == (9, 3, 1, 8)
        assert (view.stock[0][:6], view.stock[1][3]) == ((4, 4, 4, 1, 1, 1), 0)
        assert (view.golden_left, view.golden_deck, view.revealed) == ((2, 1), "a", False)
        assert (len(view.golden_out), view.golden_cities, view.any_bonus) == (23, 1, True)
        assert [(each.guild, each.seat, each.score) for each in view.guilds] == [
            *(("red", 0, 4), ("green", 1, 0), ("blue", 2, 0), ("grey", None, 0))
        ]
        assert [seat.score for seat in view.seats] == [4, 0, 0]
        assert (view.order, view.acted, view.action) == ((1, 2, 0), 0, None)
    missing = view.city("leuven")
    assert (missing.home, missing.in_play, missing.quarters, missing.plots) == (
        *("yellow", False, (), None),
    )
    covered = ", ".join(f"{letter}{n} covered" for letter in "tp" for n in range(1, 5))
    assert seen(table(cities={"gent": covered, "luik": covered})).covers == 0


def test_the_card_being_carried_out_and_the_parts_of_a_turn_are_shown() -> None:
    state = table(golden="site", seats=3)
    lay(state, "gent", "take", "take")
    assert seen(state).action == ActionView("gent", "red", golden=False, drawn=False)
    play(state, 0, "build gent-t1 grey")
    assert seen(state).action == ActionView("", "", golden=True, drawn=False)
    assert (seen(state).golden_card, seen(state).revealed) == ("site", True)
    state = table(seats=2, deck="yellow gent, yellow site")
    assert [(seen(state).deck, len(seen(state).discards), seen(state).drawn)] == [(2, 12, None)]
    draw(state, "yellow gent")
    assert seen(state).action == ActionView("gent", "yellow", golden=False, drawn=True)
    assert (seen(state).drawn, seen(state).deck) == (("yellow", "gent"), 1)
    assert (seen(state).played, seen(state).has_drawn) == (False, True)
    play(state, 0, "build gent-t1 grey")
    assert seen(state).discards.count(("yellow", "gent")) == 1
    assert (seen(state).has_built, seen(state).still) == (True, 0)
    play(state, 0, "play gent")
    assert (seen(state).played, seen(state).has_drawn) == (True, True)


def test_plots_of_a_view_are_a_copy() -> None:
    state = table()
    before = GAME.encode(state)
    plots = seen(state).city("gent").plots
    assert plots is not None
    plots.free = 0
    plots.emblems[0] = 0
    plots.placed_leaders.append(1)
    assert GAME.encode(state) == before


def test_each_seat_has_its_side_and_of_two_players_two() -> None:
    assert sides(seen(table(seats=3)), 3) == (Side(0, 0), Side(1, 1), Side(2, 2))
    assert sides(seen(table(seats=2)), 2) == (Side(0, 0), Side(0, 2), Side(1, 1), Side(1, 3))
    assert sides(seen(GAME.setup(2, {}, RandomChance(Random(1)))), 2) == ()


def test_what_a_seat_owns_are_its_action_cards() -> None:
    """It is told when a city that others have filled takes one away."""
    for cities, seat in (({"brugge": FILLED}, 1), ({}, 0)):
        state = table(cities=cities, lying=["gent"])
        before = GAME.hand(state, seat)
        golden_turn(state)
        assert (GAME.hand(state, seat) != before) == bool(cities)


def test_the_last_action_of_a_round_discloses_the_golden_card_where_there_is_one() -> None:
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
    state = table(golden="", golden_left="")
    lay(state, "gent", "take", "take", "take")
    assert not GAME.discloses(state, ("build", "gent-t1", "grey"))
    state = table(seats=2)
    play(state, 0, "play gent")
    assert not GAME.discloses(state, ("build", "gent-t1", "grey"))


def twins(state: FlandernState, observer: Observer, count: int = 120) -> list[FlandernState]:
    return [GAME.resample(state, observer, Random(seed)) for seed in range(count)]


def test_what_others_have_chosen_is_drawn_anew_until_it_is_revealed() -> None:
    state = table(seats=3, influence=[3, 2, 1], lying=["", "gent site", ""])
    play(state, 0, "choose gent 3")
    play(state, 1, "choose brugge 1")
    for observer, known in ((SPECTATOR, ()), (0, (0,)), (1, (1,)), (2, ())):
        others = twins(state, observer)
        for seat in range(2):
            chosen = {(each.players[seat].card, each.players[seat].laid) for each in others}
            if seat in known:
                assert len(chosen) == 1
            else:
                cards = {CARDS[card] for card, _ in chosen}
                assert cards == {CARDS[card] for card in state.players[seat].hand}
                laid = {count for _, count in chosen}
                assert laid == set(range(state.players[seat].influence + 1))
        assert {each.players[2].card for each in others} == {-1}


def test_the_golden_card_varies_for_all_but_the_first_player_until_it_is_revealed() -> None:
    """A card of Gent would have been put aside; those of Luik lie in the other deck."""
    for state, possible in (
        (table(golden="take", scored="gent"), "brugge ieper site take influence cathedral leader"),
        (table(golden="luik", golden_left="leuven utrecht"), "leuven utrecht luik"),
    ):
        for observer in (SPECTATOR, 1, 2, 3):
            others = twins(state, observer)
            kinds = Counter(CARDS[each.golden_card] for each in others)
            assert set(kinds) == set(possible.split())
            assert kinds["take"] >= kinds["brugge"]
            for twin in others:
                assert GAME.invariants(twin) == []
                assert twin.golden_deck == state.golden_deck
                assert list(map(sum, twin.golden)) == list(map(sum, state.golden))
        assert all(twin.golden == state.golden for twin in twins(state, state.first))
