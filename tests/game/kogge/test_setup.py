"""Setting up and founding the first offices; both ends of the game, and the scoring."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.game.chance import RandomChance
from bot.game.content import read
from bot.game.contract import Outcome
from bot.game.events import GameEnded, TurnEnded
from bot.game.hidden import UNSEEN
from bot.game.kogge import GAME
from bot.game.kogge.common import outcome
from bot.game.kogge.data import CITY_GOOD, CONTENT, KoggeContent
from bot.game.kogge.guild_master import ChitBought
from bot.game.kogge.setup import Founded
from bot.game.kogge.state import Auction, KoggeOver, KoggeRules, KoggeState, Office
from bot.resources import data
from tests.game.kogge.places import ABO, DANZIG, LUBECK, REVAL, RIGA, STOCKHOLM, STRALSUND
from tests.game.kogge.positions import (
    LINES,
    asked,
    check_refused,
    hand,
    kinds,
    known,
    play,
    refused,
    run,
    table,
    told,
    words,
)


def new(seats: int, seed: int = 0, options: Mapping[str, str] | None = None) -> KoggeState:
    """A table before the founding."""
    return GAME.setup(seats, options or {}, RandomChance(Random(seed)))


def found(state: KoggeState, *numbers: int) -> list[str]:
    """All seats choose in order; the kinds of what happened."""
    events = run(state, *(f"{seat} found {number}" for seat, number in enumerate(numbers)))
    return [event.kind for event in events]


def test_the_box_is_what_the_rules_count_and_is_dealt_out() -> None:
    """Section 3; ruling on the misprinted total of 80."""
    assert CONTENT.markers == (14, 13, 12, 11, 10, 9, 8, 7, 6)
    assert [good.total for good in CONTENT.goods] == [25, 18, 13, 10]
    for seats, reserve in ((2, [12, 10, 7, 4]), (3, [10, 9, 7, 4]), (4, [8, 8, 7, 4])):
        state = new(seats)
        for number, city in enumerate(state.cities):
            assert [i for i, count in enumerate(city.goods) if count] == [CITY_GOOD[number]]
            assert city.goods[CITY_GOOD[number]] == 3
        assert state.reserve == reserve
        assert all(hand(state, seat) == "oof876543210" for seat in range(seats))
        assert all(player.raids == 1 for player in state.players)
    # Section 3 of the facts: the guild master's marker is back, and four founders' as well.
    state = new(4)
    assert sum(state.bag) == 36
    found(state, 1, 2, 3, 4)
    assert sum(state.bag) + sum(map(len, state.display)) == 40
    states = [new(2, seed) for seed in range(60)]
    assert {state.guild_city for state in states} == set(range(9))
    assert all(state.guild_city == state.end_city for state in states)


def test_content_that_does_not_fit_together_is_refused(tmp_path: Path) -> None:
    whole, file = data("kogge", "game.toml").read_text(encoding="utf-8"), tmp_path / "game.toml"
    file.write_text(whole, encoding="utf-8")
    assert read(file, KoggeContent) == CONTENT
    for part, spoiled, said in (
        ("markers = [", "markers = [1, ", "9 cities, 10 markers"),
        ('good = "salt"', 'good = "glass"', "a good that is not listed"),
        ("points =", "pionts =", "pionts"),
    ):
        file.write_text(whole.replace(part, spoiled, 1), encoding="utf-8")
        with pytest.raises(msgspec.ValidationError, match=said):
            read(file, KoggeContent)


@given(st.sampled_from((2, 3, 4)), st.integers())
def test_the_two_routes_of_a_city_differ_from_it_and_from_each_other(seats: int, seed: int) -> None:
    """One of each comes from a whole set 0..8, of which only own numbers are drawn anew."""
    state = new(seats, seed)
    for number, city in enumerate(state.cities):
        left, right = (route.marker for route in city.routes)
        assert len({number, left, right}) == 3
        assert not any(route.hidden for route in city.routes)
    assert len({city.routes[0].marker for city in state.cities}) >= 4
    assert GAME.invariants(state) == []


def test_all_choose_at_once_and_secretly() -> None:
    """And leave the questions of others as they were."""
    state = new(3)
    assert asked(state) == [(0, "found"), (1, "found"), (2, "found")]
    before = {decision.seat: decision.id for decision in GAME.pending(state)}
    events = play(state, 1, "found 5")
    assert asked(state) == [(0, "found"), (2, "found")]
    assert {decision.seat: decision.id for decision in GAME.pending(state)} == before
    assert [event.only for event in events] == [(1,)]
    seen = [known(state, seat).frames[-1] for seat in (0, 1)]
    assert [frame.chosen[1] for frame in seen] == [UNSEEN, DANZIG]  # type: ignore[union-attr]
    state = new(2)
    play(state, 0, "found 5")
    assert [d.optional for d in GAME.pending(state) if d.seat == 0] == [True]
    events = run(state, "0 found 7", "1 found 1")
    founded = [Founded(seat=1, city=STOCKHOLM), Founded(seat=0, city=LUBECK)]
    assert told(events, Founded) == founded
    state = new(2)
    for word in ("9", "-", "", "x", "44", "²", "٣", "9" * 5000):
        assert refused(state, 0, ("found", word)).code == "not_a_choice", word
    state.players[0].markers[RIGA] = 0
    assert refused(state, 0, "found 4").facts["marker"] == RIGA


def test_founders_have_an_office_a_ship_and_eight_markers_and_the_lowest_city_plays_first() -> None:
    state = new(2)
    found(state, REVAL, LUBECK)
    assert [office.seat for office in state.cities[REVAL].offices] == [0]
    assert state.players[0].city == REVAL
    assert hand(state, 0) == "oof87654210"
    state = new(4)
    kinds = found(state, RIGA, RIGA, STRALSUND, STRALSUND)
    assert isinstance(state.frames[-1], Auction)
    assert kinds[-3:] == ["order_set", "round_began", "pairs_laid_out"]
    state = new(4)
    found(state, LUBECK, STOCKHOLM, DANZIG, REVAL)
    assert state.order == [1, 3, 2, 0]
    assert asked(state) == [(1, "bid")]
    # Ruling 32: two in one city are ordered by lot.
    orders = set()
    for seed in range(12):
        state = new(2)
        play(state, 0, "found 4")
        GAME.apply(state, 1, ("found", "4"), RandomChance(Random(seed)))
        orders.add(tuple(state.order))
    assert orders == {(0, 1), (1, 0)}


def test_only_those_in_the_crowded_city_choose_again() -> None:
    """Ruling 43: settled players keep theirs, and only the city just refused is barred. Ruling 31:
    a choice that would make a third office is made again as well."""
    state = new(4)
    found(state, RIGA, STRALSUND, RIGA, RIGA)
    assert asked(state) == [(0, "found"), (2, "found"), (3, "found")]
    assert state.players[1].city == STRALSUND
    check_refused(state, "nothing_asked", "1 found 2")
    assert words(state, 0, "found") == ("8", "7", "6", "5", "3", "2", "1", "0")
    run(state, f"0 found {DANZIG}", f"2 found {STRALSUND}", f"3 found {STRALSUND}")
    assert asked(state) == [(2, "found"), (3, "found")]
    assert state.players[0].city == DANZIG
    assert [office.seat for office in state.cities[STRALSUND].offices] == [1]
    # The first refusal is forgotten.
    assert "4" in words(state, 2, "found")
    assert "6" not in words(state, 2, "found")
    # Only a table of more than four could come to that; the rule is kept all the same.
    state = new(4)
    state.cities[RIGA].offices = [Office(2, [0] * 4), Office(3, [0] * 4)]
    assert "4" not in words(state, 0, "found")
    check_refused(state, "city_full", "0 found 4")


def test_options_outrank_the_edition_and_say_their_defaults_first() -> None:
    """Section 8 of the facts: each difference is an option, and the edition sets them all."""
    for options, rules in (
        ({}, KoggeRules()),
        ({"edition": "italian"}, KoggeRules(either_price=True, failed_route_keeps_step=True)),
        ({"edition": "italian", "office_price": "both"}, KoggeRules(failed_route_keeps_step=True)),
        ({"edition": "italian", "failed_route": "uses_step"}, KoggeRules(either_price=True)),
        ({"office_price": "either"}, KoggeRules(either_price=True)),
        ({"failed_route": "keeps_step"}, KoggeRules(failed_route_keeps_step=True)),
        ({"goods": "hidden"}, KoggeRules(hidden=True)),
    ):
        assert new(2, options=options).rules == rules, options
    defaults = {option.name: option.values[0] for option in GAME.options}
    assert new(2, options=defaults).rules == KoggeRules()


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


def sound() -> KoggeState:
    """A table after the founding."""
    state = new(3, 1)
    found(state, 3, 5, 8)
    return state


def lead_home(state: KoggeState) -> None:
    """A route of Riga leads to Riga."""
    route = state.cities[RIGA].routes[0]
    state.bag[RIGA] -= 1
    state.bag[route.marker] += 1
    route.marker = RIGA


def build(state: KoggeState, seat: int, *cities: int) -> None:
    for city in cities:
        state.cities[city].offices.append(Office(seat, [0] * 4))


SPOILERS: dict[str, Callable[[KoggeState], object]] = {
    "markers 0: 13, not 14": lambda state: state.bag.__setitem__(0, state.bag[0] - 1),
    "salt: 11, not 10": lambda state: state.players[1].goods.__setitem__(3, 1),
    "salt: a negative count": lambda state: state.players[0].goods.__setitem__(3, -1),
    "city 3 has 3 offices": lambda state: build(state, 1, 3, 3),
    "seat 0 has 5 offices": lambda state: build(state, 0, 0, 1, 2, 4),
    "chits three: 1, not 2": lambda state: state.chits.__setitem__(0, 1),
    "seat 0 has 2 Raids in hand and 0 laid": lambda state: setattr(state.players[0], "raids", 2),
    "a route of city 4 leads to itself": lead_home,
}


def test_what_goes_wrong_is_told() -> None:
    LINES.check_spoiled(sound, SPOILERS)
