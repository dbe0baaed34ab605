"""What every game promises, after every action of random games at all its tables."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.game.chance import RandomChance, RecordedChance
from bot.game.choices import Bundle, Done, OneOf
from bot.game.contract import (
    SPECTATOR,
    Action,
    AnyGame,
    Event,
    IllegalAction,
    canonical,
    parse_action,
)
from bot.titles import TITLES
from tests.game.learning import gave_knowledge
from tests.game.random_games import RandomGames, named
from tests.game.sampled import SAMPLED

ROOT = Path(__file__).parents[2]
FEW = 3
"""Words of a bundle that are followed, and one more out of all of them."""
NONSENSE = ("", "-", "x", "9", "99", "fo", "05", "ss", "oof", "٣", "²", "o" * 30, "8" * 5000, "\n")

Options = Mapping[str, str]


def _id(value: object) -> str:
    return named(value) if isinstance(value, Mapping) else str(value)


at_every_table = pytest.mark.parametrize(
    ("name", "seats", "options"),
    [(name, *each) for name, sampled in SAMPLED.items() for each in sampled.tables()],
    ids=_id,
)
each_once = pytest.mark.parametrize(
    ("name", "seats", "options"),
    [(name, *each) for name, sampled in SAMPLED.items() for each in sampled.few_tables()],
    ids=_id,
)
"""Every set of options, each at one number of players."""
every_game = pytest.mark.parametrize("name", SAMPLED)


def test_every_game_is_sampled() -> None:
    assert set(SAMPLED) == set(TITLES.games)


@every_game
def test_an_event_names_the_seats_in_its_fields(name: str) -> None:
    """Shared code asks the event; nothing that it tells of a seat may be missed."""
    fields: dict[str, Any] = {"seat": 5, "other": 6, "first": 4, "seats": (7, 8)}
    for kind in SAMPLED[name].game.events.values():
        own = [field for field in kind.__struct_fields__ if field not in Event.__struct_fields__]
        event = kind(**{field: fields.get(field, "") for field in own})
        seats = [fields[field] for field in ("seat", "other", "first") if field in own]
        assert (event.by, event.named) == (
            fields["seat"] if "seat" in own else None,
            tuple(seats) if "seats" not in own else (*seats, 7, 8),
        ), kind


def every_action(
    game: AnyGame, state: Any, seat: int, rng: Random, prefix: Action = (), few: int = FEW
) -> Iterator[Action]:
    """Every action that is listed; of bundles a few words, and of a second one in the same action
    as many after the first of them and one after each of the others."""
    choices = game.legal(state, seat, prefix)
    if isinstance(choices, Done):
        yield prefix
        return
    if prefix:
        assert choices.param == game.moves[prefix[0]].params[len(prefix) - 1]
    listed = list(islice(choices.each(), 20))
    if isinstance(choices, Bundle):
        listed = rng.sample(listed, min(few, len(listed)))
        listed.append(choices.sample(rng))
    for word in listed:
        yield from every_action(game, state, seat, rng, (*prefix, word), few)
        if isinstance(choices, Bundle):
            few = 0


@at_every_table
def test_whatever_is_listed_can_be_done(name: str, seats: int, options: Options) -> None:
    """And each seat that is asked has something to answer."""
    sampled = SAMPLED[name]
    game = sampled.game
    for _, step in sampled.looked_at(seats, options, seats):
        before = game.encode(step.state)
        for decision in game.pending(step.state):
            actions = list(every_action(game, step.state, decision.seat, step.rng))
            assert actions
            for action in actions:
                copy = game.decode(before)
                events = game.apply(copy, decision.seat, action, RandomChance(step.rng))
                assert game.invariants(copy) == []
                for event in events:
                    assert event.kind in game.events
                assert parse_action(canonical(action)) == action
        assert game.encode(step.state) == before


@every_game
def test_an_option_that_is_not_there_is_told_from_those_that_are(name: str) -> None:
    game = SAMPLED[name].game
    first = game.options[0]
    for wrong in ({"colour": "red"}, {first.name: "red"}):
        with pytest.raises(ValueError, match=name) as caught:
            game.setup(2, wrong, RandomChance(Random(1)))
        assert first.name in str(caught.value)
    assert all(value in str(caught.value) for value in first.values)


@every_game
def test_nobody_looks_from_a_seat_that_is_not_there(name: str) -> None:
    game = SAMPLED[name].game
    state = game.setup(2, {}, RandomChance(Random(1)))
    for observer in (2, -2):
        with pytest.raises(ValueError, match=rf"as {observer}: seats are 0\.\.1"):
            game.view(state, observer)
        with pytest.raises(ValueError, match=rf"as {observer}: seats are 0\.\.1"):
            game.resample(state, observer, Random(1))


@every_game
def test_a_state_prints_as_a_small_board(name: str) -> None:
    """A line for what is asked, and one for each seat, whatever is going on."""
    sampled = SAMPLED[name]
    assert repr(sampled.game).lower() == f"<{name}, rules version {sampled.game.version}>"
    for options in sampled.option_sets:
        for step in islice(sampled.steps(2, options, 5), 0, 60, 6):
            asked, *lines = str(step.state).splitlines()
            assert asked.startswith(repr(step.state))
            assert name in asked.lower()
            assert len(repr(step.state)) < 80
            assert [line[:7] for line in lines if line.startswith("seat")] == ["seat 0:", "seat 1:"]
            assert len(lines) < 25


def is_listed(game: AnyGame, state: Any, seat: int, action: Action) -> bool:
    """Whether each word of the action stands in its domain, and none is missing."""
    for place, word in enumerate(action):
        choices = game.legal(state, seat, action[:place])
        if isinstance(choices, Done) or not choices.admits(word):
            return False
    return isinstance(game.legal(state, seat, action), Done)


def spoiled(sampled: RandomGames, action: Action, rng: Random) -> Action:
    """The action with a word exchanged, added or left away."""
    words, known = list(action), (*NONSENSE, *sampled.words)
    place = rng.randrange(len(words))
    change = rng.random()
    if change < 0.7:
        words[place] = rng.choice(known)
    elif change < 0.85:
        words.insert(place + 1, rng.choice(known))
    else:
        del words[place]
    return tuple(words)


@at_every_table
def test_whatever_is_not_listed_is_refused_and_changes_nothing(
    name: str, seats: int, options: Options
) -> None:
    sampled = SAMPLED[name]
    game, refused = sampled.game, 0
    for _, step in sampled.looked_at(seats, options, seats + 10):
        before = game.encode(step.state)
        for _ in range(3 * sampled.stride):
            seat = step.rng.choice((step.seat, step.rng.randrange(seats)))
            action = spoiled(sampled, step.action, step.rng)
            copy = game.decode(before)
            if is_listed(game, copy, seat, action):
                game.apply(copy, seat, action, RandomChance(step.rng))
                continue
            chance = RandomChance(step.rng)
            with pytest.raises(IllegalAction) as caught:
                game.apply(copy, seat, action, chance)
            refused += 1
            assert caught.value.refusal.code
            assert caught.value.refusal.topic
            assert str(caught.value).startswith(f'seat {seat} may not "{canonical(action)}": ')
            assert game.encode(copy) == before
            assert chance.drawn == []
    assert refused > 100


@each_once
def test_a_state_is_its_bytes(name: str, seats: int, options: Options) -> None:
    game = SAMPLED[name].game
    for step in SAMPLED[name].steps(seats, options, seats):
        data = game.encode(step.state)
        assert game.decode(data) == step.state
        assert game.encode(game.decode(data)) == data


@each_once
def test_what_may_have_told_somebody_something_is_judged_by_what_all_know(
    name: str, seats: int, options: Options
) -> None:
    """It bars the way back. Where it is not said of an action, nobody ever learnt anything."""
    game, harmless = SAMPLED[name].game, set[str]()
    for number, step in SAMPLED[name].looked_at(seats, options, seats + 30):
        told = game.discloses(step.state, step.action)
        twin = game.resample(step.state, SPECTATOR, Random(number))
        assert game.discloses(twin, step.action) == told
        sealed = any(asked.sealed for asked in game.pending(step.state))
        if told or sealed:
            continue
        after, chance = game.decode(game.encode(step.state)), RandomChance(Random(number))
        game.apply(after, step.seat, step.action, chance)
        if chance.drawn or game.outcome(after) is not None:
            continue
        harmless.add(step.action[0])
        rng = Random(number)
        assert not gave_knowledge(game, seats, step.state, after, step.seat, step.action, rng), (
            step.action
        )
    assert len(harmless) > 1


@each_once
def test_the_recorded_draws_lead_to_the_same_states(
    name: str, seats: int, options: Options
) -> None:
    """State is the fold of the log, without the generator that drew for it."""
    game, rng = SAMPLED[name].game, Random(seats)
    chance = RandomChance(rng)
    state = game.setup(seats, options, chance)
    copy = game.setup(seats, options, RecordedChance(chance.drawn))
    while game.outcome(state) is None:
        assert game.encode(copy) == game.encode(state)
        seat, action = SAMPLED[name].next_action(state, rng)
        chance = RandomChance(rng)
        events = game.apply(state, seat, action, chance)
        recorded = RecordedChance(chance.drawn)
        assert game.apply(copy, seat, parse_action(canonical(action)), recorded) == events
        recorded.finish()
    assert game.outcome(copy) == game.outcome(state)


@each_once
def test_views_never_fail_and_never_change_the_table(
    name: str, seats: int, options: Options
) -> None:
    sampled = SAMPLED[name]
    game = sampled.game
    for _, step in sampled.looked_at(seats, options, seats + 20):
        before = game.encode(step.state)
        for observer in (SPECTATOR, *range(seats)):
            view = game.view(step.state, observer)
            assert view.observer == observer
            assert view.active
        for seat in range(seats):
            assert isinstance(game.legal(step.state, seat), OneOf)
        assert game.encode(step.state) == before


@every_game
def test_the_same_seed_gives_the_same_game_in_another_process(name: str) -> None:
    """Nothing may depend on the order of a set or on the process's own hash."""
    code = f"from tests.game.sampled import SAMPLED; print(SAMPLED[{name!r}].digest(4, {{}}, 7))"
    here = SAMPLED[name].digest(4, {}, 7)
    for hash_seed in ("1", "20"):
        there = subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert there.stdout.strip() == here


@every_game
def test_no_two_kinds_of_question_share_an_id(name: str) -> None:
    """So an old answer of a seat can be told apart."""
    for seats in SAMPLED[name].game.seats:
        asked: dict[tuple[int, str], str] = {}
        for step in SAMPLED[name].steps(seats, {}, seed=5):
            for decision in SAMPLED[name].game.pending(step.state):
                kind = asked.setdefault((decision.seat, decision.id), decision.kind)
                assert kind == decision.kind
