"""Both ends of the game, the scoring, and what holds in whole games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any

from bot.game.chance import RandomChance
from bot.game.contract import Outcome
from bot.game.events import GameEnded, TurnEnded
from bot.game.kogge import GAME
from bot.game.kogge.ending import outcome
from bot.game.kogge.guild_deals import ChitBought
from bot.game.kogge.state import KoggeOver, KoggeState, Office, no_goods
from tests.game.kogge.places import ABO, DANZIG, REVAL, RIGA, STOCKHOLM
from tests.game.kogge.positions import asked, kinds, play, refused, table, told

FOUR_OFFICES = {STOCKHOLM: [(0, "")], ABO: [(0, "")], RIGA: [(0, "")], DANZIG: [(0, "")]}


def over(**position: Any) -> KoggeState:
    """A table whose guild master has just ended the game."""
    return table(asked=KoggeOver("laps"), **position)


def result(state: KoggeState) -> Outcome:
    """The outcome of a game that is over."""
    found = outcome(state)
    assert found is not None
    return found


def test_a_fifth_development_point_ends_the_game_at_once() -> None:
    """Ruling 30: only who has no bonus chit can come to it. Others do not finish their turns, and
    open offers are void."""
    state = table(seats=3, ships=(REVAL, REVAL, RIGA), hands=("oas3f", "8"), offices=FOUR_OFFICES)
    play(state, 0, "offer 1 f -")
    events = play(state, 0, "build both")
    assert told(events, GameEnded) == [GameEnded(ending="development")]
    assert events[-1].kind == "game_ended"
    assert told(events, TurnEnded) == []
    found = result(state)
    assert (found.ending, found.winners, found.scores) == ("development", (0,), (5, 0, 0))
    assert (asked(state), state.offers) == ([], [])
    # Difference 24: the fifth point ends the game when it is gained.
    state = table(hands=("oooooo",), guild=REVAL, offices=FOUR_OFFICES)
    events = play(state, 0, "sell_six ore secret")
    assert told(events, ChitBought)[0].points == 5
    assert told(events, GameEnded) == [GameEnded(ending="development")]
    offices = {city: there for city, there in FOUR_OFFICES.items() if city != ABO}
    state = table(hands=("oas3",), offices=offices)
    play(state, 0, "build both")
    assert GAME.outcome(state) is None
    # Difference 25: with five, victory points do not count.
    state = table(hands=("oas3", "ssssaaaa"), offices=FOUR_OFFICES, chits={1: ("three", "spaces")})
    play(state, 0, "build both")
    assert (result(state).winners, result(state).scores) == ((0,), (5, 2))


def test_victory_points_count_offices_chits_unused_raids_and_goods() -> None:
    """The table at the end of both texts: 10, 20, 10; 7, 5, 3, 1. Goods in offices count for the
    owner, markers are worth nothing."""
    state = over(
        hands=("oofaas5", "8776"), offices={REVAL: [(0, "f"), (1, "fff")]}, chits={0: ("three",)}
    )
    assert dict(result(state).lines) == {
        "offices": (10, 10),
        "chits": (20, 0),
        "raids": (10, 10),
        "ore": (2, 0),
        "fur": (6, 9),
        "amber": (10, 0),
        "salt": (7, 0),
    }
    assert (result(state).scores, result(state).winners) == ((65, 29), (0,))
    # Ruling 29: one never bought is nobody's.
    raids: Mapping[int, tuple[int, ...]]
    for raids, second, points in (
        ({}, (), 10),
        ({REVAL: (0,)}, (), 0),
        ({}, (0,), 20),
        ({REVAL: (0,)}, (0,), 10),
    ):
        found = result(over(raids=raids, second_raid=second))
        assert dict(found.lines)["raids"][0] == points, (raids, second)


def test_equal_points_share_the_victory_and_nothing_can_be_done_after_the_end() -> None:
    """Ruling 41."""
    found = result(over(seats=3, hands=("s", "af", "aoo")))
    assert (found.scores, found.winners) == ((17, 18, 17), (1,))
    assert result(over(seats=3, hands=("s", "", "aoo"))).winners == (0, 2)
    state = over(ships=(REVAL, REVAL), hands=("o", "o"))
    assert kinds(state, 0) == ()
    for action in (("stop",), ("offer", "1", "o", ""), ("withdraw", "1"), ()):
        assert refused(state, 0, action).code == ("game_over" if action else "unknown_kind")
    assert GAME.pending(state) == ()


@contextmanager
def spoiling(said: str) -> Iterator[KoggeState]:
    """A sound table, to be spoiled; then the engine's own checks say what is wrong."""
    chance = RandomChance(Random(1))
    state = GAME.setup(3, {}, chance)
    for seat, city in enumerate("358"):
        GAME.apply(state, seat, ("found", city), chance)
    assert GAME.invariants(state) == []
    yield state
    (line,) = GAME.invariants(state)
    assert line.startswith(said)


def test_what_goes_wrong_is_told() -> None:
    with spoiling("markers 0: 13, not 14") as state:
        state.bag[0] -= 1
    with spoiling("salt: 11, not 10") as state:
        state.players[1].goods[3] += 1
    with spoiling("salt: a negative count") as state:
        state.players[0].goods[3] -= 1
        state.reserve[3] += 1
    with spoiling("city 3 has 3 offices") as state:
        state.cities[3].offices += [Office(1, no_goods()), Office(2, no_goods())]
    with spoiling("seat 0 has 5 offices") as state:
        for number in (0, 1, 2, 4):
            state.cities[number].offices.append(Office(0, no_goods()))
    with spoiling("chits three: 1, not 2") as state:
        state.chits[0] -= 1
    with spoiling("seat 0 has 2 Raids in hand and 0 laid, not 1") as state:
        state.players[0].raids += 1
    with spoiling("a route of city 4 leads to itself") as state:
        route = state.cities[4].routes[0]
        state.bag[4] -= 1
        state.bag[route.marker] += 1
        route.marker = 4
