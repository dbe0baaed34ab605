"""Setting up (sections 3 and 9.2 to 9.4, rulings 39, 45 and 68)."""

from __future__ import annotations

from random import Random

import pytest

from bot.game.chance import RandomChance, RecordedChance
from bot.game.contract import SPECTATOR
from bot.game.flandern import GAME
from bot.game.flandern.city import NONE
from bot.game.flandern.data import CARDS, EMBLEM_KEYS, GOLDEN, stock_of
from bot.game.flandern.plan import CITIES
from bot.game.flandern.state import FlandernState
from tests.game.flandern.positions import (
    HOME_OF,
    asked,
    city_of,
    facts,
    hand,
    held,
    look,
    play,
    refused,
    scores,
    shown,
    words,
)

every_number = pytest.mark.parametrize("seats", [2, 3, 4])
ROUNDS = pytest.mark.parametrize("seats", [3, 4])


def begun(seats: int = 4, first: int = 0, **options: str) -> FlandernState:
    """A table before its first question; the first player is drawn."""
    state = GAME.setup(seats, options, RecordedChance([first]))
    assert GAME.invariants(state) == []
    return state


def ready(
    seats: int, first: int = 0, guilds: str = "red green blue", **options: str
) -> FlandernState:
    """A table at which everybody has taken a guild, in the order of seats from the first on."""
    state = begun(seats, first, **options)
    for guild in guilds.split()[: seats if seats < 4 else 3]:
        play(state, state.turn, f"guild {guild}")
    if seats == 2:
        play(state, state.turn, f"control {words(state, state.turn, 'control')[0]}")
    return state


# Section 3.1 and ruling 68: guilds


@pytest.mark.parametrize("first", range(3))
def test_guilds_are_chosen_from_the_first_player_on_clockwise(first: int) -> None:
    state = begun(3, first)
    order = []
    for guild in ("yellow", "red", "blue"):
        ((seat, kind),) = asked(state)
        assert kind == "guild"
        order.append(seat)
        play(state, seat, f"guild {guild}")
    assert order == [(first + step) % 3 for step in range(3)]
    assert [EMBLEM_KEYS[state.players[seat].guild] for seat in order] == ["yellow", "red", "blue"]


def test_any_guild_of_players_that_nobody_has_may_be_taken() -> None:
    state = begun(4)
    assert words(state, 0, "guild") == ("red", "green", "blue", "yellow")
    play(state, 0, "guild blue")
    assert words(state, 1, "guild") == ("red", "green", "yellow")
    assert refused(state, 1, "guild blue").code == "guild_taken"
    for wrong in ("grey", "church", "gent"):
        assert refused(state, 1, f"guild {wrong}").code == "not_a_choice"


def test_the_last_of_four_takes_what_is_left() -> None:
    state = begun(4, 2)
    for guild in ("green", "yellow"):
        play(state, state.turn, f"guild {guild}")
    events = play(state, state.turn, "guild red")
    assert facts(events, "guild_chosen") == [
        {"seat": 0, "guild": "red"},
        {"seat": 1, "guild": "blue"},
    ]
    assert sorted(asked(state)) == [(n, "look" if n == 2 else "choose") for n in range(4)]


def test_the_last_of_three_still_has_a_choice() -> None:
    state = ready(3, guilds="red green")
    assert asked(state) == [(2, "guild")]
    assert words(state, 2, "guild") == ("blue", "yellow")


@every_number
def test_drawn_guilds_ask_nobody(seats: int) -> None:
    taken = set()
    for seed in range(60):
        state = GAME.setup(seats, {"guilds": "drawn"}, RandomChance(Random(seed)))
        guilds = [player.guild for player in state.players]
        assert NONE not in guilds
        assert len(set(guilds)) == seats
        assert {kind for _, kind in asked(state)} == (
            {"turn"} if seats == 2 else {"look", "choose"}
        )
        taken |= set(enumerate(guilds))
    assert len(taken) == 4 * seats


# Ruling 45: the first player


@every_number
def test_the_first_player_is_drawn(seats: int) -> None:
    chance = RecordedChance([seats - 1])
    state = GAME.setup(seats, {}, chance)
    assert chance.asked == [("first player", (1,) * seats)]
    assert (state.first, asked(state)) == (seats - 1, [(seats - 1, "guild")])


@every_number
def test_the_first_seat_may_begin(seats: int) -> None:
    state = GAME.setup(seats, {"first_player": "first_seat"}, RecordedChance([]))
    assert (state.first, asked(state)) == (0, [(0, "guild")])


# Sections 3.2 to 3.4: four players


def test_four_players_have_six_cities_88_quarters_and_28_golden_cards() -> None:
    state = ready(4)
    assert [city is not None for city in state.cities] == [True] * 6
    assert sum(city.free.bit_count() for city in state.cities if city) == 72
    assert sum(map(sum, state.stock)) == 88
    assert sum(map(sum, state.golden)) == 28
    assert state.golden_card == NONE
    for seat in range(4):
        assert hand(state, seat) == "brugge gent ieper leuven utrecht luik site take"
        assert shown(state, seat) == ""
    assert held(state) == [3] * 4


@ROUNDS
def test_sites_cathedrals_leaders_and_covers_lie_ready(seats: int) -> None:
    view = GAME.view(ready(seats), SPECTATOR)
    assert (view.sites, view.cathedrals, view.leaders, view.covers) == (10, 4, 4, 9)
    assert scores(ready(seats)) == [0] * seats
    assert [guild.score for guild in view.guilds] == [0] * (seats + 1)


@every_number
def test_every_city_begins_with_its_centre_alone(seats: int) -> None:
    state = ready(seats)
    for number, city in enumerate(state.cities):
        assert city is None or city == city_of(CITIES[number])


# Section 3.5: three players


@pytest.mark.parametrize("missing", ["red", "green", "blue", "yellow"])
def test_with_three_players_a_guild_its_city_and_its_cards_are_out(missing: str) -> None:
    guilds = [key for key in EMBLEM_KEYS[:4] if key != missing]
    state = begun(3)
    for guild in guilds[:2]:
        play(state, state.turn, f"guild {guild}")
    events = play(state, state.turn, f"guild {guilds[2]}")
    gone = HOME_OF[missing]
    assert facts(events, "city_missing") == [{"city": gone}]
    assert [CITIES[n] for n, city in enumerate(state.cities) if city is None] == [gone]
    assert sum(city.free.bit_count() for city in state.cities if city) == 60
    assert sum(map(sum, state.stock)) == 73
    assert sum(state.stock[EMBLEM_KEYS.index(missing)]) == 0
    assert state.stock[EMBLEM_KEYS.index("grey")] == stock_of(EMBLEM_KEYS.index("grey"))
    for seat in range(3):
        assert hand(state, seat).split() == [
            card
            for card in ["brugge", "gent", "ieper", "leuven", "utrecht", "luik", "site", "take"]
            if card != gone
        ]
    golden = [sum(deck[CITIES.index(gone)] for deck in state.golden)]
    assert golden == [0]
    assert sum(map(sum, state.golden)) == 27
    assert refused(state, 1, f"choose {gone} 0").code == "missing_city"


def test_with_four_players_no_city_is_missing() -> None:
    state = begun(4)
    events = [
        event
        for guild in ("red", "green", "blue")
        for event in play(state, state.turn, f"guild {guild}")
    ]
    assert facts(events, "city_missing") == []


# Section 3.3: the golden decks


@pytest.mark.parametrize("kinds", [1, 2])
def test_the_golden_decks_are_those_of_the_option(kinds: int) -> None:
    state = begun(4, golden_cities=str(kinds))
    for guild in ("red", "green"):
        play(state, state.turn, f"guild {guild}")
    play(state, state.turn, "guild blue")
    look(state, [CARDS.index("leader")])
    a, b = ([*deck] for deck in GOLDEN[kinds])
    a[CARDS.index("leader")] -= 1
    assert state.golden == [a, b]
    assert state.rules.golden_cities == kinds


def test_the_bonus_is_that_of_the_option() -> None:
    """Ruling 33."""
    rules = [begun(4).rules, begun(4, bonus="some").rules, begun(4, bonus="any").rules]
    assert [each.any_bonus for each in rules] == [False, False, True]


def test_with_three_players_and_two_cards_a_city_both_are_out() -> None:
    state = ready(3, guilds="red green blue", golden_cities="2")
    assert sum(deck[CITIES.index("leuven")] for deck in state.golden) == 0
    assert sum(map(sum, state.golden)) == 26


# Sections 9.2 to 9.4: two players


def test_two_players_have_no_influence_golden_cards_cathedrals_or_leaders() -> None:
    state = ready(2)
    assert held(state) == [0, 0]
    assert (state.golden, state.cathedrals, state.leaders) == ([], 0, 0)
    assert state.sites == 10
    for seat in range(2):
        assert hand(state, seat) == "brugge gent ieper leuven utrecht luik site take"
    assert [city is not None for city in state.cities] == [True] * 6
    assert sum(map(sum, state.stock)) == 88


@pytest.mark.parametrize("first", [0, 1])
def test_who_does_not_begin_takes_the_second_guild_first(first: int) -> None:
    """Ruling 39."""
    state = begun(2, first)
    play(state, first, "guild red")
    assert words(state, 1 - first, "guild") == ("green", "blue", "yellow")
    play(state, 1 - first, "guild blue")
    assert asked(state) == [(1 - first, "control")]
    assert words(state, 1 - first, "control") == ("green", "yellow")
    assert refused(state, 1 - first, "control red").code == "guild_taken"
    events = play(state, 1 - first, "control yellow", drawn=[])
    assert facts(events, "control_chosen") == [
        {"seat": 1 - first, "guild": "yellow"},
        {"seat": first, "guild": "green"},
    ]
    controlled = [EMBLEM_KEYS[state.players[seat].controlled] for seat in (first, 1 - first)]
    assert controlled == ["green", "yellow"]
    assert asked(state) == [(first, "turn")]
    assert state.round == 1


def test_the_deck_has_the_cities_and_the_site_of_both_guilds_under_influence() -> None:
    state = ready(2)
    assert sum(map(sum, state.deck)) == 14
    assert state.deck == [[1] * 7, [1] * 7]
    assert CARDS[6] == "site"
    assert state.discards == [[0] * 7, [0] * 7]


# What the round begins with


@ROUNDS
def test_the_first_round_begins_when_the_last_guild_is_taken(seats: int) -> None:
    state = begun(seats, 1)
    assert state.round == 0
    events = []
    for guild in ("red", "green", "blue"):
        events = play(state, state.turn, f"guild {guild}", drawn=())
    assert facts(events, "round_begun") == [{"first": 1, "round": 1}]
    assert sorted(asked(state)) == [(n, "look" if n == 1 else "choose") for n in range(seats)]


@pytest.mark.parametrize("seats", [1, 5])
def test_there_are_two_to_four_seats(seats: int) -> None:
    with pytest.raises(ValueError, match="2 to 4"):
        GAME.setup(seats, {}, RandomChance(Random(1)))


def test_the_options_are_those_of_the_sheet() -> None:
    """Section 12, and ruling 68."""
    assert {option.name: option.values for option in GAME.options} == {
        "guilds": ("chosen", "drawn"),
        "first_player": ("drawn", "first_seat"),
        "golden_cities": ("1", "2"),
        "bonus": ("some", "any"),
    }
