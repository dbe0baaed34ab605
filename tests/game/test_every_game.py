"""The contract of `Game`, checked in random games of all titles with all kinds of tables."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import asdict

from bot.game.chance import ChanceMismatch, RandomChance, RecordedChance
from bot.game.choices import Bundle, Choices, Done, OneOf
from bot.game.contract import (
    SPECTATOR,
    Action,
    Event,
    IllegalAction,
    Observer,
    canonical,
    parse_action,
)
from bot.game.game import AnyGame
from tests.game.random_games import RandomGames, Step, named
from tests.game.sampled import SAMPLED

ROOT = Path(__file__).parents[2]
MAX_LISTED = 3
"""Words of a bundle that are tried, besides one at random."""
TWINS = 3
"""Resampled states for each observer."""
NONSENSE = ("", "-", "x", "9", "99", "fo", "05", "ss", "oof", "٣", "²", "o" * 30, "8" * 5000, "\n")

Options = Mapping[str, str]

every_game = pytest.mark.parametrize("name", SAMPLED)


@pytest.mark.parametrize(
    ("name", "seats", "options"),
    [(name, *each) for name, sampled in SAMPLED.items() for each in sampled.few_tables()],
    ids=lambda value: named(value) if isinstance(value, Mapping) else str(value),
)
def test_a_random_game_keeps_every_promise(name: str, seats: int, options: Options) -> None:
    """Each set of options, with one number of seats."""
    check_game(SAMPLED[name], seats, options)


@pytest.mark.slow
@every_game
def test_random_games_at_all_other_tables_keep_every_promise(name: str) -> None:
    done = SAMPLED[name].few_tables()
    for seats, options in SAMPLED[name].tables():
        if (seats, options) not in done:
            check_game(SAMPLED[name], seats, options)


def check_game(sampled: RandomGames, seats: int, options: Options) -> None:
    game, found = sampled.game, Counter[str]()
    for index, (number, step) in enumerate(sampled.sampled_steps(seats, options, seats)):
        before = game.encode(step.state)
        assert game.decode(before) == step.state
        assert game.encode(game.decode(before)) == before
        views_do_not_change_the_state(game, step)
        listed_actions_are_legal(game, step)
        found += unlisted_actions_are_refused(sampled, step)
        walks_agree_with_legal(sampled, step)
        # Alternate the two slowest checks.
        if index % 2:
            found += other_actions_reveal_nothing(game, step, number)
        else:
            worlds_depend_only_on_the_view(sampled, step, number)
        assert game.encode(step.state) == before
    over = step.state
    assert game.outcome(over) is not None
    for seat, kind in product(range(seats), game.moves):
        with pytest.raises(IllegalAction) as caught:
            game.legal(over, seat, (kind,))
        assert caught.value.refusal.code == "game_over"
    kinds = [kind for kind in found if kind != REFUSED]
    assert found[REFUSED] > 30
    assert len(kinds) > 1, kinds


def views_do_not_change_the_state(game: AnyGame, step: Step) -> None:
    decisions_of, progress = game.pending(step.state), game.progress(step.state)
    assert 0 <= progress <= 1
    for observer in (SPECTATOR, *range(len(step.state.players))):
        view = game.view(step.state, observer)
        assert (view.observer, game.outcome(view.known)) == (observer, None)
        assert game.progress(view.known) == progress
        assert game.pending(view.known) == decisions_of
        assert observer == SPECTATOR or isinstance(game.legal(step.state, observer), OneOf)


def listed_actions_are_legal(game: AnyGame, step: Step) -> None:
    """Each seat to act has a legal action. The same draws lead to the same state. Different
    questions never share an id, and a free action changes no id."""
    before = game.encode(step.state)
    kinds = {(each.seat, each.id): each.kind for each in game.pending(step.state)}
    ids = {(each.seat, each.kind): each.id for each in game.pending(step.state)}
    for decision in game.pending(step.state):
        actions = list(every_action(game, step.state, decision.seat, step.rng))
        assert actions
        for action in actions:
            copy, chance = game.decode(before), RandomChance(step.rng)
            events = game.apply(copy, decision.seat, action, chance)
            assert game.invariants(copy) == []
            assert {event.kind for event in events} <= set(game.events)
            assert parse_action(canonical(action)) == action
            for each in game.pending(copy):
                assert kinds.get((each.seat, each.id), each.kind) == each.kind
                if game.moves[action[0]].free:
                    assert each.optional or ids.get((each.seat, each.kind), each.id) == each.id
            if action is actions[-1]:
                again, recorded = game.decode(before), RecordedChance(chance.drawn)
                assert game.apply(again, decision.seat, action, recorded) == events
                recorded.finish()
                assert game.encode(again) == game.encode(copy)


def every_action(
    game: AnyGame, state: Any, seat: int, rng: Random, prefix: Action = (), few: int = MAX_LISTED
) -> Iterator[Action]:
    """Yield the listed actions, with a few words of each bundle.

    If an action has two bundles, only the first word of the first is combined with several words of
    the second.
    """
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


REFUSED = "refused"


def unlisted_actions_are_refused(sampled: RandomGames, step: Step) -> Counter[str]:
    """They raise an error with a reason, draw nothing, and change nothing."""
    game, refused = sampled.game, 0
    before = game.encode(step.state)
    for _ in range(2 * sampled.stride):
        seat = step.rng.choice((step.seat, step.rng.randrange(len(step.state.players))))
        action = spoiled(sampled, step.action, step.rng)
        copy, chance = game.decode(before), RandomChance(step.rng)
        if is_listed(game, copy, seat, action):
            game.apply(copy, seat, action, chance)
            continue
        with pytest.raises(IllegalAction) as caught:
            game.apply(copy, seat, action, chance)
        refused += 1
        assert caught.value.refusal.code
        assert caught.value.refusal.topic
        assert str(caught.value).startswith(f'seat {seat} may not "{canonical(action)}": ')
        assert game.encode(copy) == before
        assert chance.drawn == []
    return Counter({REFUSED: refused})


def is_listed(game: AnyGame, state: Any, seat: int, action: Action) -> bool:
    """Return whether each word of the action is in its domain, and none is missing."""
    for index, word in enumerate(action):
        choices = game.legal(state, seat, action[:index])
        if isinstance(choices, Done) or not choices.admits(word):
            return False
    return isinstance(game.legal(state, seat, action), Done)


def spoiled(sampled: RandomGames, action: Action, rng: Random) -> Action:
    """Return the action with a word replaced, added or removed."""
    words, others = list(action), (*NONSENSE, *sampled.words)
    index = rng.randrange(len(words))
    change = rng.random()
    if change < 0.7:
        words[index] = rng.choice(others)
    elif change < 0.85:
        words.insert(index + 1, rng.choice(others))
    else:
        del words[index]
    return tuple(words)


def walks_agree_with_legal(sampled: RandomGames, step: Step) -> None:
    """The order of the questions must not matter."""
    game = sampled.game
    for seat in range(len(step.state.players)):
        walk = game.walk(step.state, seat)
        wrong = [spoiled(sampled, step.action, step.rng) for _ in range(2)]
        partial_actions = [step.action[:count] for count in range(len(step.action) + 1)]
        prefixes = [*wrong, (step.rng.choice(list(game.moves)),), *partial_actions, *wrong]
        step.rng.shuffle(prefixes)
        for prefix in prefixes:
            legal = partial(game.legal, step.state, seat)
            assert answer(walk, prefix) == answer(legal, prefix)


def answer(legal: Callable[[Action], Choices], prefix: Action) -> object:
    """Return the choices, or the error, in a comparable form."""
    try:
        return facts_of(legal(prefix))
    except IllegalAction as error:
        choices = None if error.choices is None else facts_of(error.choices)
        return str(error), error.refusal, error.action, error.seat, choices


def facts_of(choices: Choices) -> object:
    # A bundle's `fits` is a new function each time.
    facts = {**asdict(choices), "fits": None} if isinstance(choices, Bundle) else choices
    return type(choices), facts


def other_actions_reveal_nothing(game: AnyGame, step: Step, number: int) -> Counter[str]:
    """`discloses` uses only public knowledge, and is true for all actions that reveal something.

    Return the kind of an action that revealed nothing.
    """
    discloses = game.discloses(step.state, step.action)
    twin = game.resample(step.state, SPECTATOR, Random(number))
    assert game.discloses(twin, step.action) == discloses
    if discloses or any(each.sealed for each in game.pending(step.state)):
        return Counter()
    after, chance = game.decode(game.encode(step.state)), RandomChance(Random(number))
    game.apply(after, step.seat, step.action, chance)
    if chance.drawn or game.outcome(after) is not None:
        return Counter()
    assert not reveals_something(game, step, after, Random(number)), step.action
    return Counter([step.action[0]])


def reveals_something(game: AnyGame, step: Step, after: object, rng: Random) -> bool:
    """Return whether an observer has learnt something from an action without a draw.

    They have not if the action is possible, and looks the same to them, with the same choices, in
    all states that they could not tell from the real one before. This checks only samples.
    """
    for observer in (SPECTATOR, *range(len(step.state.players))):
        seen = game.view(after, observer), offered(game, after, observer)
        for _ in range(TWINS):
            twin = game.resample(step.state, observer, rng)
            try:
                game.apply(twin, step.seat, step.action, RecordedChance(()))
            except (IllegalAction, ChanceMismatch):
                return True
            if (game.view(twin, observer), offered(game, twin, observer)) != seen:
                return True
    return False


def offered(game: AnyGame, state: object, observer: Observer) -> dict[Action, tuple[str, ...]]:
    """Return the legal words for the observer by prefix, for short prefixes."""
    found: dict[Action, tuple[str, ...]] = {}
    prefixes: list[Action] = [()] if observer != SPECTATOR else []
    for prefix in prefixes:
        choices = game.legal(state, observer, prefix)
        if isinstance(choices, OneOf) and len(prefix) < 3:
            found[prefix] = choices.values
            prefixes += [(*prefix, word) for word in choices.values]
    return found


def worlds_depend_only_on_the_view(sampled: RandomGames, step: Step, number: int) -> None:
    """The observer has the same view and choices in them. They depend only on the seed and the
    view, and playing on in them does not change the view."""
    game = sampled.game
    for observer in (SPECTATOR, *range(len(step.state.players))):
        view = game.view(step.state, observer)
        world = game.determinize(view, Random(number))
        assert game.view(world, observer) == view
        assert game.invariants(world) == []
        twin = game.resample(step.state, observer, Random(number))
        assert game.invariants(twin) == []
        other = game.determinize(game.view(twin, observer), Random(number))
        assert game.encode(other) == game.encode(world)
        assert decisions_of(game, world) == decisions_of(game, step.state)
        prefix: Action = ()
        for _ in range(0 if observer == SPECTATOR else 12):
            choices = game.legal(step.state, observer, prefix)
            assert repr(game.legal(world, observer, prefix)) == repr(choices), prefix
            if isinstance(choices, Done) or (isinstance(choices, OneOf) and not choices.values):
                break
            prefix = (*prefix, choices.sample(step.rng))
        for _ in range(4):
            if game.outcome(world) is None:
                seat, action = sampled.next_action(world, step.rng)
                game.apply(world, seat, action, RandomChance(step.rng))
        assert game.invariants(world) == []
        assert game.view(step.state, observer) == view


@every_game
def test_determinized_states_vary_in_everything_the_observer_cannot_know(name: str) -> None:
    """Each title tests that resampled states vary; these must vary in the same places."""
    game, found = SAMPLED[name].game, 0
    for seats, options in SAMPLED[name].few_tables():
        for number, step in islice(SAMPLED[name].sampled_steps(seats, options, 3), 1, None, 15):
            observer = number % (seats + 1) - 1
            view = game.view(step.state, observer)
            drawn = varying(game.resample(step.state, observer, Random(n)) for n in range(6))
            world = varying(game.determinize(view, Random(n)) for n in range(60))
            # In Kogge, sightings of other seats are left out.
            assert {path for path in drawn if path[0] != "sightings"} <= world, step.action
            found += bool(drawn)
    assert found > 2


def varying(states: Iterable[Any]) -> set[tuple[object, ...]]:
    """Return the paths of all values that differ between the states."""
    seen: dict[tuple[object, ...], set[object]] = {}
    for state in states:
        for path, value in leaves(to_builtins(state), ()):
            seen.setdefault(path, set()).add(value)
    return {path for path, values in seen.items() if len(values) > 1}


def leaves(value: Any, path: tuple[object, ...]) -> Iterator[tuple[tuple[object, ...], object]]:
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, (*path, key))
    else:
        yield path, value


def decisions_of(game: AnyGame, state: Any) -> list[tuple[int, str, bool, bool]]:
    """Return the open decisions without their ids."""
    return [(d.seat, d.kind, d.optional, d.sealed) for d in game.pending(state)]


COUNTED: Mapping[str, Mapping[str, tuple[str, int]]] = {
    "burgundy": {
        "silverlings": ("silverlings", 1),
        "price": ("silverlings", -1),
        "workers": ("workers", 1),
        "spent": ("workers", -1),
        "points": ("points", 1),
        "bonus": ("points", 1),
    },
    "guatemala": {
        "money": ("money", 1),
        "price": ("money", -1),
        "paid": ("money", -1),
        "points": ("points", 1),
    },
}
"""By title and fact of an event: the field of the player that it changes, and the sign."""


@pytest.mark.parametrize("name", COUNTED)
def test_events_account_for_all_money_and_points_and_everything_happens(name: str) -> None:
    """All kinds of actions, events and endings happen; the most points win."""
    game, actions, events, endings = SAMPLED[name].game, set[str](), set[str](), set[str]()
    counted = COUNTED[name]
    fields = sorted({field for field, _ in counted.values()})

    def held(state: Any) -> list[list[int]]:
        have = ([getattr(player, field) for field in fields] for player in state.players)
        return [[sum(n) if isinstance(n, list) else n for n in each] for each in have]

    for seed, options in enumerate([*SAMPLED[name].option_sets] * 3):
        rng = Random(seed)
        state = game.setup(2 + seed % 3, options, RandomChance(rng))
        has = held(state)
        while game.outcome(state) is None:
            seat, action = SAMPLED[name].next_action(state, rng)
            actions.add(action[0])
            for event in game.apply(state, seat, action, RandomChance(rng)):
                events.add(event.kind)
                for fact, n in event.facts.items():
                    if event.by is not None and isinstance(n, int) and fact in counted:
                        field, sign = counted[fact]
                        has[event.by][fields.index(field)] += sign * n
            assert held(state) == has
            assert min(map(min, has)) >= 0
        result = game.outcome(state)
        assert result is not None
        endings.add(result.ending)
        assert list(result.scores) == [each[fields.index("points")] for each in has]
        assert sum(result.scores) == sum(sum(scored) for _, scored in result.lines)
        assert {result.scores[seat] for seat in result.winners} == {max(result.scores)}
    assert (actions, events) == (set(game.moves), set(game.events))
    assert endings >= (
        {"met", "no_sacks", "no_steps", "idle"} if name == "guatemala" else {"points"}
    )


def test_the_same_seed_gives_the_same_game_in_another_process() -> None:
    """Nothing may depend on the order of a set or the hash seed."""
    code = (
        "from tests.game.sampled import SAMPLED\n"
        "print(*(each.digest(4, {}, 7) for each in SAMPLED.values()))"
    )
    others = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "20")
    ]
    expected = [each.digest(4, {}, 7) for each in SAMPLED.values()]
    for other in others:
        assert other.communicate()[0].split() == expected


@every_game
def test_unknown_options_seats_and_observers_are_refused(name: str) -> None:
    game = SAMPLED[name].game
    assert repr(game).lower() == f"<{name}, rules version {game.version}>"
    first = game.options[0]
    for wrong in ({"colour": "red"}, {first.name: "red"}):
        with pytest.raises(ValueError, match=name) as caught:
            game.setup(2, wrong, RandomChance(Random(1)))
        assert first.name in str(caught.value)
    assert all(value in str(caught.value) for value in first.values)
    for seats in (1, 5):
        with pytest.raises(ValueError, match=name):
            game.setup(seats, {}, RandomChance(Random(1)))
    state = game.setup(2, {}, RandomChance(Random(1)))
    for observer in (2, -2):
        with pytest.raises(ValueError, match=rf"observer {observer}: seats are 0\.\.1"):
            game.view(state, observer)
        with pytest.raises(ValueError, match=rf"observer {observer}: seats are 0\.\.1"):
            game.resample(state, observer, Random(1))


@every_game
def test_an_event_names_the_seats_in_its_fields(name: str) -> None:
    """Shared code relies on `by` and `named`."""
    fields: dict[str, Any] = {"seat": 5, "other": 6, "first": 4, "seats": (7, 8)}
    for kind in SAMPLED[name].game.events.values():
        own = [field for field in kind.__struct_fields__ if field not in Event.__struct_fields__]
        event = kind(**{field: fields.get(field, "") for field in own})
        seats = [fields[field] for field in ("seat", "other", "first") if field in own]
        assert event.by == (fields["seat"] if "seat" in own else None), kind
        assert event.named == (*seats, *(fields["seats"] if "seats" in own else ())), kind
