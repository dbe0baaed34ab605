"""What every game promises, at the states of random games at tables of all kinds."""

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
FEW = 3
"""Words of a bundle that are followed, and one more out of all of them."""
TWINS = 3
"""On how many other states each observer's knowledge is tried."""
NONSENSE = ("", "-", "x", "9", "99", "fo", "05", "ss", "oof", "٣", "²", "o" * 30, "8" * 5000, "\n")

Options = Mapping[str, str]

every_game = pytest.mark.parametrize("name", SAMPLED)


@pytest.mark.parametrize(
    ("name", "seats", "options"),
    [(name, *each) for name, sampled in SAMPLED.items() for each in sampled.few_tables()],
    ids=lambda value: named(value) if isinstance(value, Mapping) else str(value),
)
def test_a_random_game_keeps_every_promise(name: str, seats: int, options: Options) -> None:
    """Every set of options, each at one number of seats."""
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
    for place, (number, step) in enumerate(sampled.looked_at(seats, options, seats)):
        before = game.encode(step.state)
        assert game.decode(before) == step.state
        assert game.encode(game.decode(before)) == before
        looks_leave_it_alone(game, step)
        whatever_is_listed_can_be_done(game, step)
        found += whatever_is_not_listed_is_refused(sampled, step)
        walks_answer_as_legal_does(sampled, step)
        # The two that take longest, by turns.
        if place % 2:
            found += what_discloses_nothing_tells_nobody_anything(game, step, number)
        else:
            worlds_are_imagined_from_a_view_alone(sampled, step, number)
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


def looks_leave_it_alone(game: AnyGame, step: Step) -> None:
    asked = game.pending(step.state)
    for observer in (SPECTATOR, *range(len(step.state.players))):
        view = game.view(step.state, observer)
        assert (view.observer, game.outcome(view.known)) == (observer, None)
        assert game.pending(view.known) == asked
        assert observer == SPECTATOR or isinstance(game.legal(step.state, observer), OneOf)


def whatever_is_listed_can_be_done(game: AnyGame, step: Step) -> None:
    """Each seat that is asked has something to answer; the draws of it lead to the same state
    again; no two kinds of question share an id, so that an old answer can be told apart, and a free
    action makes no question new."""
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


REFUSED = "refused"


def whatever_is_not_listed_is_refused(sampled: RandomGames, step: Step) -> Counter[str]:
    """In plain words, without a draw, and nothing has changed."""
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


def walks_answer_as_legal_does(sampled: RandomGames, step: Step) -> None:
    """Whatever they were asked before."""
    game = sampled.game
    for seat in range(len(step.state.players)):
        walk = game.walk(step.state, seat)
        wrong = [spoiled(sampled, step.action, step.rng) for _ in range(2)]
        begun = [step.action[:count] for count in range(len(step.action) + 1)]
        prefixes = [*wrong, (step.rng.choice(list(game.moves)),), *begun, *wrong]
        step.rng.shuffle(prefixes)
        for prefix in prefixes:
            anew = partial(game.legal, step.state, seat)
            assert answer(walk, prefix) == answer(anew, prefix)


def answer(legal: Callable[[Action], Choices], prefix: Action) -> object:
    """What is offered, as something to compare; or why nothing is."""
    try:
        return facts_of(legal(prefix))
    except IllegalAction as error:
        choices = None if error.choices is None else facts_of(error.choices)
        return str(error), error.refusal, error.action, error.seat, choices


def facts_of(choices: Choices) -> object:
    # What else a bundle's words must fit is a function made for the occasion.
    facts = {**asdict(choices), "fits": None} if isinstance(choices, Bundle) else choices
    return type(choices), facts


def what_discloses_nothing_tells_nobody_anything(
    game: AnyGame, step: Step, number: int
) -> Counter[str]:
    """Whether an action may tell somebody something bars the way back, and is judged by what all
    know. Returns the kind of an action that told nothing."""
    told = game.discloses(step.state, step.action)
    twin = game.resample(step.state, SPECTATOR, Random(number))
    assert game.discloses(twin, step.action) == told
    if told or any(each.sealed for each in game.pending(step.state)):
        return Counter()
    after, chance = game.decode(game.encode(step.state)), RandomChance(Random(number))
    game.apply(after, step.seat, step.action, chance)
    if chance.drawn or game.outcome(after) is not None:
        return Counter()
    assert not gave_knowledge(game, step, after, Random(number)), step.action
    return Counter([step.action[0]])


def gave_knowledge(game: AnyGame, step: Step, after: object, rng: Random) -> bool:
    """Whether an observer learnt something by an open action in which nothing was drawn.

    Nobody did where it was possible, and looked the same to each observer, with the same choices
    for them, in every state that this observer could not tell from the real one before it. Only
    found out by samples.
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
    """The words that the observer may choose from as they begin to act, by what comes before."""
    found: dict[Action, tuple[str, ...]] = {}
    prefixes: list[Action] = [()] if observer != SPECTATOR else []
    for prefix in prefixes:
        choices = game.legal(state, observer, prefix)
        if isinstance(choices, OneOf) and len(prefix) < 3:
            found[prefix] = choices.values
            prefixes += [(*prefix, word) for word in choices.values]
    return found


def worlds_are_imagined_from_a_view_alone(sampled: RandomGames, step: Step, number: int) -> None:
    """The observer would see that very view in them, and have the same choices; the seed and the
    view alone make them, and what is played in them leaves the view as it was."""
    game = sampled.game
    for observer in (SPECTATOR, *range(len(step.state.players))):
        view = game.view(step.state, observer)
        imagined = game.determinize(view, Random(number))
        assert game.view(imagined, observer) == view
        assert game.invariants(imagined) == []
        twin = game.resample(step.state, observer, Random(number))
        assert game.invariants(twin) == []
        other = game.determinize(game.view(twin, observer), Random(number))
        assert game.encode(other) == game.encode(imagined)
        assert asked(game, imagined) == asked(game, step.state)
        prefix: Action = ()
        for _ in range(0 if observer == SPECTATOR else 12):
            choices = game.legal(step.state, observer, prefix)
            assert repr(game.legal(imagined, observer, prefix)) == repr(choices), prefix
            if isinstance(choices, Done) or (isinstance(choices, OneOf) and not choices.values):
                break
            prefix = (*prefix, choices.sample(step.rng))
        for _ in range(4):
            if game.outcome(imagined) is None:
                seat, action = sampled.next_action(imagined, step.rng)
                game.apply(imagined, seat, action, RandomChance(step.rng))
        assert game.invariants(imagined) == []
        assert game.view(step.state, observer) == view


@every_game
def test_imagined_worlds_vary_in_all_that_the_observer_cannot_know(name: str) -> None:
    """In which that is, the tests of each title say of those that are drawn anew."""
    game, found = SAMPLED[name].game, 0
    for seats, options in SAMPLED[name].few_tables():
        for number, step in islice(SAMPLED[name].looked_at(seats, options, 3), 1, None, 15):
            observer = number % (seats + 1) - 1
            view = game.view(step.state, observer)
            drawn = varying(game.resample(step.state, observer, Random(n)) for n in range(6))
            imagined = varying(game.determinize(view, Random(n)) for n in range(60))
            # What others have noted in Kogge is of no use to anybody else, and left out.
            assert {path for path in drawn if path[0] != "sightings"} <= imagined, step.action
            found += bool(drawn)
    assert found > 2


def varying(states: Iterable[Any]) -> set[tuple[object, ...]]:
    """What is not the same in all of them, by its path."""
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


def asked(game: AnyGame, state: Any) -> list[tuple[int, str, bool, bool]]:
    """What is asked of whom; what it is called may differ."""
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
"""By title which facts of events tell what a seat gets or gives."""


@pytest.mark.parametrize("name", COUNTED)
def test_money_and_points_are_those_told_of_and_everything_happens(name: str) -> None:
    """Every kind of action, event and ending; most points win."""
    game, actions, events, endings = SAMPLED[name].game, set[str](), set[str](), set[str]()
    counted = COUNTED[name]
    kept = sorted({what for what, _ in counted.values()})

    def held(state: Any) -> list[list[int]]:
        have = ([getattr(player, what) for what in kept] for player in state.players)
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
                        what, sign = counted[fact]
                        has[event.by][kept.index(what)] += sign * n
            assert held(state) == has
            assert min(map(min, has)) >= 0
        result = game.outcome(state)
        assert result is not None
        endings.add(result.ending)
        assert list(result.scores) == [each[kept.index("points")] for each in has]
        assert sum(result.scores) == sum(sum(scored) for _, scored in result.lines)
        assert {result.scores[seat] for seat in result.winners} == {max(result.scores)}
    assert (actions, events) == (set(game.moves), set(game.events))
    assert endings >= (
        {"met", "no_sacks", "no_steps", "idle"} if name == "guatemala" else {"points"}
    )


def test_the_same_seed_gives_the_same_game_in_another_process() -> None:
    """Nothing may depend on the order of a set or on the process's own hash."""
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
    here = [each.digest(4, {}, 7) for each in SAMPLED.values()]
    for other in others:
        assert other.communicate()[0].split() == here


@every_game
def test_what_a_game_does_not_have_is_told_from_what_it_has(name: str) -> None:
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
    """Shared code asks the event; nothing that it tells of a seat may be missed."""
    fields: dict[str, Any] = {"seat": 5, "other": 6, "first": 4, "seats": (7, 8)}
    for kind in SAMPLED[name].game.events.values():
        own = [field for field in kind.__struct_fields__ if field not in Event.__struct_fields__]
        event = kind(**{field: fields.get(field, "") for field in own})
        seats = [fields[field] for field in ("seat", "other", "first") if field in own]
        assert event.by == (fields["seat"] if "seat" in own else None), kind
        assert event.named == (*seats, *(fields["seats"] if "seats" in own else ())), kind
