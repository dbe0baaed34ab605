"""What holds after every action of random games, at every number of seats and all options."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.game.chance import RandomChance, RecordedChance
from bot.game.choices import Bundle, Done, OneOf
from bot.game.contract import (
    SPECTATOR,
    Action,
    IllegalAction,
    canonical,
    parse_action,
)
from bot.game.kogge import GAME
from bot.game.kogge.data import CHIT_KEYS, CITIES, CONTENT, GOOD_KEYS, GOODS
from bot.game.kogge.events import EVENTS
from bot.game.kogge.state import Auction, Over, State
from tests.game.kogge.random_games import OPTION_SETS, SEATS, digest, named, next_action, steps

ROOT = Path(__file__).parents[3]
NONSENSE = ("", "-", "x", "9", "99", "fo", "05", "ss", "oof", "٣", "²", "o" * 30, "8" * 5000, "\n")
WORDS = (
    *NONSENSE,
    *map(str, range(CITIES)),
    *GOOD_KEYS,
    *CHIT_KEYS,
    *GAME.moves,
    *("left", "right", "secret", "first", "second", "both", "goods", "markers", "o", "s", "55"),
)

every_table = pytest.mark.parametrize("options", OPTION_SETS, ids=named)
every_number = pytest.mark.parametrize("seats", SEATS)
each_once = pytest.mark.parametrize(
    ("seats", "options"),
    [(SEATS[place % len(SEATS)], options) for place, options in enumerate(OPTION_SETS)],
    ids=lambda value: named(value) if isinstance(value, Mapping) else str(value),
)
"""Every table, each at one number of players."""


def pieces_are_all_there(state: State) -> None:
    """The counts of the box, written here once more and apart from the engine's own check."""
    markers = sum(state.bag) + len("".join(state.display)) + 2 * CITIES
    markers += sum(sum(player.markers) for player in state.players)
    if isinstance(state.frames[0], Auction):
        markers += len("".join(state.bids))
    assert markers == 90
    for good, total in enumerate((25, 18, 13, 10)):
        in_cities = sum(
            city.goods[good] + sum(office.goods[good] for office in city.offices)
            for city in state.cities
        )
        held = sum(player.goods[good] for player in state.players)
        assert state.reserve[good] + in_cities + held == total
    assert all(len(city.offices) <= 2 for city in state.cities)
    most = 5 if isinstance(state.frames[-1], Over) else 4
    for seat in range(len(state.players)):
        owned = sum(office.seat == seat for city in state.cities for office in city.offices)
        assert owned <= most


@settings(max_examples=120)
@given(st.sampled_from(SEATS), st.sampled_from(OPTION_SETS), st.integers())
def test_no_piece_is_lost_and_every_game_ends(
    seats: int, options: Mapping[str, str], seed: int
) -> None:
    for step in steps(seats, options, seed):
        state = step.state
        pieces_are_all_there(state)
    pieces_are_all_there(state)
    assert GAME.invariants(state) == []
    result = GAME.outcome(state)
    assert result is not None
    assert result.winners
    assert sum(result.scores) == sum(sum(points) for _, points in result.lines)


def every_action(state: State, seat: int, rng: Random, prefix: Action = ()) -> Iterator[Action]:
    """Every action that is listed; of large bundles a few words."""
    choices = GAME.legal(state, seat, prefix)
    if isinstance(choices, Done):
        yield prefix
        return
    if prefix:
        assert choices.param == GAME.moves[prefix[0]].params[len(prefix) - 1]
    listed = list(islice(choices.each(), 20))
    if isinstance(choices, Bundle):
        listed = rng.sample(listed, min(3, len(listed)))
        listed.append(choices.sample(rng))
    for word in listed:
        yield from every_action(state, seat, rng, (*prefix, word))


@every_table
@every_number
def test_whatever_is_listed_can_be_done(seats: int, options: Mapping[str, str]) -> None:
    """And each seat that is asked has something to answer."""
    for step in steps(seats, options, seed=seats):
        before = GAME.encode(step.state)
        for decision in GAME.pending(step.state):
            actions = list(every_action(step.state, decision.seat, step.rng))
            assert actions
            for action in actions:
                copy = GAME.decode(before)
                events = GAME.apply(copy, decision.seat, action, RandomChance(step.rng))
                assert GAME.invariants(copy) == []
                for event in events:
                    assert set(event.facts) == set(EVENTS[event.kind])
                assert parse_action(canonical(action)) == action
        assert GAME.encode(step.state) == before


def is_listed(state: State, seat: int, action: Action) -> bool:
    """Whether each word of the action stands in its domain, and none is missing."""
    for place, word in enumerate(action):
        choices = GAME.legal(state, seat, action[:place])
        if isinstance(choices, Done) or not choices.admits(word):
            return False
    return isinstance(GAME.legal(state, seat, action), Done)


def spoiled(action: Action, rng: Random) -> Action:
    """The action with a word exchanged, added or left away."""
    words = list(action)
    place = rng.randrange(len(words))
    change = rng.random()
    if change < 0.7:
        words[place] = rng.choice(WORDS)
    elif change < 0.85:
        words.insert(place + 1, rng.choice(WORDS))
    else:
        del words[place]
    return tuple(words)


@every_table
@every_number
def test_whatever_is_not_listed_is_refused_and_changes_nothing(
    seats: int, options: Mapping[str, str]
) -> None:
    refused = 0
    for step in steps(seats, options, seed=seats + 10):
        before = GAME.encode(step.state)
        for _ in range(6):
            seat = step.rng.choice((step.seat, step.rng.randrange(seats)))
            action = spoiled(step.action, step.rng)
            copy = GAME.decode(before)
            if is_listed(copy, seat, action):
                GAME.apply(copy, seat, action, RandomChance(step.rng))
                continue
            chance = RandomChance(step.rng)
            with pytest.raises(IllegalAction) as caught:
                GAME.apply(copy, seat, action, chance)
            refused += 1
            assert caught.value.refusal.code
            assert caught.value.refusal.topic
            assert GAME.encode(copy) == before
            assert chance.drawn == []
    assert refused > 100


@each_once
def test_a_state_is_its_bytes(seats: int, options: Mapping[str, str]) -> None:
    for step in steps(seats, options, seed=seats):
        data = GAME.encode(step.state)
        assert GAME.decode(data) == step.state
        assert GAME.encode(GAME.decode(data)) == data


@each_once
def test_the_recorded_draws_lead_to_the_same_states(seats: int, options: Mapping[str, str]) -> None:
    """State is the fold of the log, without the generator that drew for it."""
    rng = Random(seats)
    chance = RandomChance(rng)
    state = GAME.setup(seats, options, chance)
    copy = GAME.setup(seats, options, RecordedChance(chance.drawn))
    while GAME.outcome(state) is None:
        assert GAME.encode(copy) == GAME.encode(state)
        seat, action = next_action(state, rng)
        chance = RandomChance(rng)
        events = GAME.apply(state, seat, action, chance)
        recorded = RecordedChance(chance.drawn)
        assert GAME.apply(copy, seat, parse_action(canonical(action)), recorded) == events
        recorded.finish()
    assert GAME.outcome(copy) == GAME.outcome(state)


@each_once
def test_views_never_fail_and_never_change_the_table(
    seats: int, options: Mapping[str, str]
) -> None:
    for step in steps(seats, options, seed=seats + 20):
        before = GAME.encode(step.state)
        for observer in (SPECTATOR, *range(seats)):
            view = GAME.view(step.state, observer)
            assert view.observer == observer
            assert view.active
        for seat in range(seats):
            assert isinstance(GAME.legal(step.state, seat), OneOf)
        assert GAME.encode(step.state) == before


def test_the_same_seed_gives_the_same_game_in_another_process() -> None:
    """Nothing may depend on the order of a set or on the process's own hash."""
    code = "from tests.game.kogge.random_games import digest; print(digest(4, {}, 7))"
    for hash_seed in ("1", "20"):
        there = subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert there.stdout.strip() == digest(4, {}, 7)


def test_no_two_kinds_of_question_share_an_id() -> None:
    """So an old answer of a seat can be told apart."""
    for seats in SEATS:
        asked: dict[tuple[int, str], str] = {}
        for step in steps(seats, {}, seed=5):
            for decision in GAME.pending(step.state):
                kind = asked.setdefault((decision.seat, decision.id), decision.kind)
                assert kind == decision.kind


def test_the_box_is_what_the_rules_count() -> None:
    assert sum(CONTENT.markers) == 90
    assert [kind.total for kind in CONTENT.goods] == [25, 18, 13, 10]
    assert GOODS == 4
