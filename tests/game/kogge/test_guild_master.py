"""Phase 2: the guild master's way, its goods, and the laps."""

from __future__ import annotations

import pytest

from bot.game.events import GameEnded
from bot.game.kogge.guild_master import GuildMasterBrought, LapCompleted
from tests.game.kogge.places import (
    ABO,
    DANZIG,
    KOPENHAGEN,
    LUBECK,
    REVAL,
    RIGA,
    STOCKHOLM,
    STRALSUND,
    TONSBERG,
)
from tests.game.kogge.positions import asked, goods, play, refused, table, told, words


def test_the_first_player_alone_moves_him_one_or_two_cities() -> None:
    state = table(order=(1, 0), asked="advance", guild=STOCKHOLM)
    assert asked(state) == [(1, "advance")]
    assert words(state, 1, "advance") == ("1", "2")
    assert refused(state, 0, "advance 1").code == "not_your_turn"
    assert refused(state, 1, "advance 3").code == "not_a_choice"


@pytest.mark.parametrize(
    ("start", "steps", "end"),
    [
        (STOCKHOLM, 1, ABO),
        (ABO, 1, REVAL),
        (STOCKHOLM, 2, REVAL),
        (KOPENHAGEN, 1, TONSBERG),
        (LUBECK, 2, TONSBERG),
    ],
)
def test_he_walks_in_ring_order(start: int, steps: int, end: int) -> None:
    """The text's own way: from Stockholm to Abo to Reval, over land."""
    state = table(asked="advance", guild=start)
    play(state, 0, f"advance {steps}")
    assert state.guild_city == end


def test_he_brings_two_goods_to_the_city_and_none_to_its_offices() -> None:
    state = table(asked="advance", guild=ABO, offices={REVAL: [(0, "")]})
    events = play(state, 0, "advance 1")
    assert state.cities[REVAL].goods == goods("ff")
    assert state.cities[REVAL].offices[0].goods == goods("")
    assert told(events, GuildMasterBrought) == [GuildMasterBrought(city=REVAL, good="fur", count=2)]
    assert asked(state) == [(0, "move")]


@pytest.mark.parametrize("left", ["", "f"])
def test_he_brings_what_the_reserve_still_has(left: str) -> None:
    """Ruling 14."""
    state = table(asked="advance", guild=ABO, reserve=left)
    play(state, 0, "advance 1")
    assert state.cities[REVAL].goods == goods(left)


@pytest.mark.parametrize(
    ("raids", "steps", "end"),
    [
        ({REVAL: (0,)}, 1, RIGA),
        ({REVAL: (0,), RIGA: (1,)}, 1, DANZIG),
        ({RIGA: (0,)}, 2, DANZIG),
        ({REVAL: (0,), DANZIG: (1,)}, 2, STRALSUND),
        ({ABO: (0,)}, 1, REVAL),
    ],
)
def test_cities_with_any_raid_are_skipped(
    raids: dict[int, tuple[int, ...]], steps: int, end: int
) -> None:
    """Ruling 11: whosever the Raid is; the city it is in never counts."""
    state = table(asked="advance", guild=ABO, raids=raids)
    play(state, 0, f"advance {steps}")
    assert state.guild_city == end


def test_the_first_return_is_a_lap_and_the_start_is_none() -> None:
    """Ruling 15."""
    state = table(asked="advance", guild=STOCKHOLM, end=ABO)
    events = play(state, 0, "advance 1")
    assert state.laps == 1
    assert told(events, LapCompleted) == [LapCompleted(count=1)]
    state = table(asked="advance", guild=ABO, end=ABO)
    play(state, 0, "advance 1")
    assert state.laps == 0


@pytest.mark.parametrize("steps", [1, 2])
def test_reaching_or_passing_the_end_marker_a_second_time_ends_the_game(steps: int) -> None:
    state = table(asked="advance", guild=STOCKHOLM, end=ABO, laps=1)
    events = play(state, 0, f"advance {steps}")
    assert told(events, GameEnded) == [GameEnded(ending="laps")]


def test_the_end_comes_before_his_goods() -> None:
    """Ruling 13."""
    state = table(asked="advance", guild=STOCKHOLM, end=ABO, laps=1)
    events = play(state, 0, "advance 1")
    assert told(events, GuildMasterBrought) == []
    assert state.cities[ABO].goods == goods("")


def test_passing_the_end_marker_in_a_raided_city_counts() -> None:
    """Ruling 12."""
    state = table(asked="advance", guild=STOCKHOLM, end=ABO, laps=1, raids={ABO: (1,)})
    assert told(play(state, 0, "advance 1"), GameEnded) == [GameEnded(ending="laps")]
    assert state.guild_city == REVAL


EIGHT_RAIDS = {number: (number // 2,) for number in range(8)}


def test_with_eight_cities_raided_a_step_leads_around_to_his_own() -> None:
    """Ruling 58."""
    state = table(
        seats=4, asked="advance", guild=KOPENHAGEN, raids=EIGHT_RAIDS, second_raid=range(4)
    )
    play(state, 0, "advance 1")
    assert (state.guild_city, state.laps) == (KOPENHAGEN, 1)
    assert state.cities[KOPENHAGEN].goods == goods("ss")


def test_with_eight_cities_raided_two_steps_are_two_laps() -> None:
    state = table(
        seats=4, asked="advance", guild=KOPENHAGEN, raids=EIGHT_RAIDS, second_raid=range(4)
    )
    events = play(state, 0, "advance 2")
    assert told(events, GameEnded) == [GameEnded(ending="laps")]
