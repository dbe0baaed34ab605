"""Components, setup (rules: setup, reconstructed; rulings 39, 45 and 68) and invariants."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random

import msgspec
import pytest

from bot.game.chance import RandomChance, RecordedChance
from bot.game.flandern import GAME, data
from bot.game.flandern.city import NONE, FlandernCity
from bot.game.flandern.data import (
    CARDS,
    CITIES,
    CONTENT,
    EMBLEM_KEYS,
    GOLDEN,
    GREY,
    GUILDS,
    HOME,
    PLAYER_GUILDS,
    stock_of,
)
from bot.game.flandern.state import FlandernState
from tests.game.flandern.positions import (
    ALL_CARDS,
    HOME_OF,
    LINES,
    asked,
    check_refused,
    facts,
    fill,
    hand,
    in_city,
    influence_cards,
    play,
    plots,
    run,
    table,
    words,
)


def test_the_data_match_the_component_list() -> None:
    assert (*ALL_CARDS.split(), "influence", "cathedral", "leader") == CARDS
    assert EMBLEM_KEYS == ("red", "green", "blue", "yellow", "grey", "church")
    homes = [CITIES[city] for city in HOME]
    assert homes == ["gent", "ieper", "brugge", "leuven", "utrecht", "luik"]
    assert [emblem.centre_leaders for emblem in CONTENT.emblems] == [2] * GUILDS + [0]
    assert (CONTENT.site_pieces, CONTENT.cathedrals, CONTENT.leaders) == (10, 4, 4)
    assert (CONTENT.covers, CONTENT.influence) == (9, 3)
    # Ruling 50: the numbers of scoring.
    values = (CONTENT.quarter_value, CONTENT.church_value, CONTENT.cathedral_value)
    assert (values, CONTENT.lower_places) == ((1, 2, 3), (4, 2, 0))
    assert (CONTENT.bonus, CONTENT.turns_without_building) == (3, 16)
    # Quarters by shape, with a leader, and special ones: 94 including the centres.
    stocks = [stock_of(emblem) for emblem in range(GUILDS + 1)]
    assert stocks[:PLAYER_GUILDS] == [[4, 4, 4, 1, 1, 1, 0, 0, 0, 0]] * 4
    assert stocks[GREY:] == [[5, 5, 5, 0, 0, 0, 0, 0, 0, 0], [3, 3, 3, 0, 0, 0, 1, 1, 1, 1]]
    assert sum(map(sum, stocks)) + len(CITIES) == 94
    # Decks A and B, in the order of `CARDS`.
    rest = [2, 2, 3, 2, 2]
    assert {kinds: [[*deck] for deck in decks] for kinds, decks in GOLDEN.items()} == {
        1: [[1, 1, 1, 0, 0, 0, *rest], [0, 0, 0, 1, 1, 1, *rest]],
        2: [[1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2]] * 2,
    }


def test_invalid_data_files_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    usual, moved = CONTENT.golden[0], msgspec.structs.replace(CONTENT.emblems[0], city="ieper")
    for fields, error in (
        ({"emblems": (moved, *CONTENT.emblems[1:])}, "the centres of the emblems"),
        ({"golden": (msgspec.structs.replace(usual, a={"market": 1}),)}, "market"),
    ):
        with monkeypatch.context() as changed:
            changed.setattr(data, "CONTENT", msgspec.structs.replace(CONTENT, **fields))
            with pytest.raises(ValueError, match=error):
                data._check()


def new_game(seats: int = 4, first: int = 0, **options: str) -> FlandernState:
    """Return a new table with this first player."""
    state = GAME.setup(seats, options, RecordedChance([first]))
    assert GAME.invariants(state) == []
    return state


def test_guilds_are_chosen_clockwise_and_the_fourth_player_gets_the_last_one() -> None:
    """Ruling 68. The third of three players still has a choice."""
    state = new_game(3, 1)
    for seat, guild in ((1, "yellow"), (2, "red"), (0, "blue")):
        assert asked(state) == [(seat, "guild")]
        play(state, seat, f"guild {guild}")
    assert [EMBLEM_KEYS[player.guild] for player in state.players] == ["blue", "yellow", "red"]
    state = new_game(4, 2)
    assert words(state, 2, "guild") == ("red", "green", "blue", "yellow")
    play(state, 2, "guild green")
    assert words(state, 3, "guild") == ("red", "blue", "yellow")
    check_refused(state, "guild_taken", "3 guild green")
    check_refused(state, "not_a_choice", "3 guild grey", "3 guild church", "3 guild gent")
    play(state, 3, "guild yellow")
    events = play(state, 0, "guild red")
    chosen = [tuple(each.values()) for each in facts(events, "guild_chosen")]
    assert chosen == [(0, "red"), (1, "blue")]
    assert sorted(asked(state)) == [(n, "look" if n == 2 else "choose") for n in range(4)]


def test_the_first_player_and_optionally_guilds_are_drawn() -> None:
    """Ruling 45."""
    for seats in GAME.seats:
        chance = RecordedChance([seats - 1])
        state = GAME.setup(seats, {}, chance)
        assert chance.asked == [("first player", (1,) * seats)]
        assert (state.first, asked(state)) == (seats - 1, [(seats - 1, "guild")])
        state = GAME.setup(seats, {"first_player": "first_seat"}, RecordedChance([]))
        assert (state.first, asked(state)) == (0, [(0, "guild")])
        taken = set()
        for seed in range(40):
            state = GAME.setup(seats, {"guilds": "drawn"}, RandomChance(Random(seed)))
            guilds = [player.guild for player in state.players]
            assert NONE not in guilds
            assert len(set(guilds)) == seats
            kinds = {"turn"} if seats == 2 else {"look", "choose"}
            assert {kind for _, kind in asked(state)} == kinds
            taken |= set(enumerate(guilds))
        assert len(taken) == 4 * seats


def test_a_three_player_game_removes_a_guild_its_city_and_its_cards() -> None:
    """Ruling 38. With two golden cards of each city, both are removed."""
    for missing, golden_cities in product(EMBLEM_KEYS[:4], (1, 2)):
        missing_city = HOME_OF[missing]
        state = new_game(3, golden_cities=str(golden_cities))
        chosen = [key for key in EMBLEM_KEYS[:4] if key != missing]
        events = run(state, *(f"{seat} guild {key}" for seat, key in enumerate(chosen)))
        assert facts(events, "city_missing") == [{"city": missing_city}]
        assert [CITIES[n] for n, city in enumerate(state.cities) if city is None] == [missing_city]
        assert [sum(counts) == 0 for counts in state.stock] == [
            key == missing for key in EMBLEM_KEYS
        ]
        assert [hand(state, seat) for seat in range(3)] == [
            ALL_CARDS.replace(f"{missing_city} ", "")
        ] * 3
        assert sum(map(sum, state.golden)) == 28 - golden_cities
        check_refused(state, "missing_city", f"1 choose {missing_city} 0")


def test_options_determine_the_golden_decks_and_the_bonus() -> None:
    """Rulings 33 and 68."""
    for kinds, bonus in (("1", "some"), ("2", "any")):
        options = {"guilds": "drawn", "golden_cities": kinds, "bonus": bonus}
        state = GAME.setup(4, options, RandomChance(Random(1)))
        assert state.golden == [[*deck] for deck in GOLDEN[int(kinds)]]
        assert (influence_cards(state), state.rules.any_bonus) == ([3] * 4, bonus == "any")
    usual = [f"{option.name} {option.values[0]}" for option in GAME.options]
    assert usual == ["guilds chosen", "first_player drawn", "golden_cities 1", "bonus some"]


def test_the_second_player_chooses_a_second_guild_first() -> None:
    """Ruling 39."""
    for first in (0, 1):
        state, second = new_game(2, first), 1 - first
        play(state, first, "guild red")
        assert words(state, second, "guild") == ("green", "blue", "yellow")
        play(state, second, "guild blue")
        assert asked(state) == [(second, "control")]
        assert words(state, second, "control") == ("green", "yellow")
        check_refused(state, "guild_taken", f"{second} control red")
        events = play(state, second, "control yellow", drawn=[])
        chosen = [tuple(each.values()) for each in facts(events, "control_chosen")]
        assert chosen == [(second, "yellow"), (first, "green")]
        controlled = [EMBLEM_KEYS[state.players[seat].controlled] for seat in (first, second)]
        assert controlled == ["green", "yellow"]
        assert asked(state) == [(first, "turn")]
        assert (state.golden, state.cathedral_pieces, state.leader_pieces) == ([], 0, 0)
        assert (state.round, influence_cards(state), hand(state, 1)) == (1, [0, 0], ALL_CARDS)
        assert (state.deck, state.discards) == ([[1] * 7] * 2, [[0] * 7] * 2)


def valid_table() -> FlandernState:
    """Return a four-player table in the middle of a game."""
    gent = "t1 grey leader, t2 green, p1 church-a site cathedral, p2 blue-leader, t4 covered"
    cities = {"gent": f"{gent}, r2 church-b"}
    return table(cities=cities, opened=["gent", "site take"], golden_left="leader luik")


def gent(state: FlandernState) -> FlandernCity:
    return in_city(state, "gent")


LEADER, GENTS_CARD = CARDS.index("leader"), CARDS.index("gent")
SPOILERS: dict[str, Callable[[FlandernState], object]] = {
    "red t: 5, not 4": lambda state: state.stock[0].__setitem__(0, 5),
    "grey t: a negative count": lambda state: state.stock[GREY].__setitem__(0, -2),
    "site pieces: 9, not 10": lambda state: setattr(state, "site_pieces", 8),
    "cathedrals: 5, not 4": lambda state: setattr(state, "cathedral_pieces", 4),
    "leaders: 3, not 4": lambda state: setattr(state, "leader_pieces", 2),
    "seat 0 has the cards": lambda state: state.players[0].hand.append(GENTS_CARD),
    "seat 1 has -1 influence cards": lambda state: setattr(state.players[1], "influence", -1),
    "influence cards and plays -1": lambda state: setattr(state.players[0], "laid", -1),
    "golden leader: 5, not 4": lambda state: state.golden[0].__setitem__(LEADER, 2),
    "plots are missing, or used": lambda state: setattr(gent(state), "covered", 0),
    "gent: scored, and plots are free": lambda state: setattr(gent(state), "scored", True),
    "sites without a quarter": lambda state: setattr(gent(state), "sites", plots("p1 t3")),
    "a cathedral without a church": lambda state: setattr(gent(state), "cathedrals", plots("t1")),
    "a quarter without support": lambda state: fill(gent(state), "r3 yellow"),
    "gent: green quarters touch": lambda state: fill(gent(state), "p3 green"),
}


def test_invariants_report_impossible_pieces_cards_plots_and_quarters() -> None:
    LINES.check_spoiled(valid_table, SPOILERS)
    for count in (0, 2):
        state = table(seats=2)
        state.deck[1][GENTS_CARD] = count
        assert "the deck holds" in GAME.invariants(state)[0]
