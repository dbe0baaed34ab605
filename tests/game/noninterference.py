"""Whether anything an observer can see, choose or hear depends on what they cannot know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from bot.game.chance import ChanceMismatch, RandomChance, RecordedChance
from bot.game.choices import Amount, Bundle, Choices, OneOf
from bot.game.contract import (
    SPECTATOR,
    Action,
    AnyGame,
    Event,
    IllegalAction,
    Observer,
    Refusal,
)
from tests.game.random_games import Step

TRIED_WORDS = 3
"""How many words of each domain are followed and compared."""

Revealed = Callable[[Step, Any, Observer], object]
"""What a step by the rules shows the observer that they did not know, given the state after it.

It is told from the states, never from the events: so no event is taken at its word."""


def found_in(
    game: AnyGame, honest: AnyGame, steps: Iterable[tuple[int, Step]], revealed: Revealed
) -> Iterator[str]:
    """All differences at numbered steps of a game, each observer against one twin of the state.

    The twins are those of the `honest` rules, whatever `game` may leak.
    """
    for number, step in steps:
        after = _carried_out(game, step)
        for observer in (SPECTATOR, *range(len(step.state.players))):
            rng = Random(number)
            twin = honest.resample(step.state, observer, rng)
            assert honest.invariants(twin) == []
            for difference in differences(game, step, after, twin, observer, rng, revealed):
                yield f"step {number}, observer {observer}: {difference}"


class Done(NamedTuple):
    """What comes of a step."""

    state: Any
    events: list[Event]
    drawn: Sequence[int]


def _carried_out(game: AnyGame, step: Step) -> Done:
    state, chance = game.decode(game.encode(step.state)), RandomChance(Random(1))
    return Done(state, game.apply(state, step.seat, step.action, chance), chance.drawn)


def differences(
    game: AnyGame,
    step: Step,
    after: Done,
    twin: Any,
    observer: Observer,
    rng: Random,
    revealed: Revealed,
) -> Iterator[str]:
    """All by which the observer could tell the state from its twin now, and after the step.

    Where the step reveals different things in the two, nothing is to be expected of what follows.
    """
    state = step.state
    if game.view(state, observer) != game.view(twin, observer):
        yield "view"
    if game.pending(state) != game.pending(twin):
        yield "pending"
    if observer != SPECTATOR:
        yield from _choices(game, state, twin, observer, rng)
    yield from _consequences(game, step, after, twin, observer, revealed)


def _choices(
    game: AnyGame,
    state: Any,
    twin: Any,
    seat: int,
    rng: Random,
    prefix: Action = (),
    tried: int = TRIED_WORDS,
) -> Iterator[str]:
    """Walk the domains; words that are listed in the one are followed in both.

    Of a second bundle in an action as many after one word of the first, else one.
    """
    real, other = _legal(game, state, seat, prefix), _legal(game, twin, seat, prefix)
    if _plain(real) != _plain(other):
        yield f"choices after {prefix}"
        return
    if isinstance(real, OneOf):
        words = list(real.values)
        if real.param == "kind":
            # The refusals of what is not open are told to the seat as well.
            for kind in (kind for kind in game.moves if kind not in words):
                if _legal(game, state, seat, (kind,)) != _legal(game, twin, seat, (kind,)):
                    yield f"refusal of {kind}"
        elif len(words) > TRIED_WORDS:
            words = rng.sample(words, TRIED_WORDS)
    elif isinstance(real, Bundle) and isinstance(other, Bundle):
        words = [_some(real, rng) for _ in range(tried)]
        if any(real.admits(word) != other.admits(word) for word in words):
            yield f"words that fit after {prefix}"
            return
    elif isinstance(real, Amount) and real.size:
        words = [real.sample(rng) for _ in range(TRIED_WORDS)]
    else:
        return
    for word in words:
        yield from _choices(game, state, twin, seat, rng, (*prefix, word), tried)
        if isinstance(real, Bundle):
            tried = 1


def _legal(game: AnyGame, state: Any, seat: int, prefix: Action) -> Choices | Refusal:
    try:
        return game.legal(state, seat, prefix)
    except IllegalAction as refused:
        return refused.refusal


def _plain(choices: Choices | Refusal) -> object:
    if isinstance(choices, Bundle):
        return (choices.param, choices.alphabet, choices.have, choices.least, choices.most)
    if isinstance(choices, OneOf):
        divided = [[by.param, *map(by.of, choices.values)] for by in choices.groups]
        return (choices.param, choices.values, divided)
    return choices


def _some(bundle: Bundle, rng: Random) -> str:
    """A word of the right size, fitting or not."""
    stock = bundle.stock()
    most = min(bundle.most, len(stock))
    size = rng.randint(min(bundle.least, most), most)
    return "".join([stock[place] for place in sorted(rng.sample(range(len(stock)), size))])


def _consequences(
    game: AnyGame, step: Step, after: Done, before: Any, observer: Observer, revealed: Revealed
) -> Iterator[str]:
    """What the observer hears of the step, and sees after it, where it is possible in both."""
    state, events, drawn = after
    twin, recorded = game.decode(game.encode(before)), RecordedChance(drawn)
    try:
        others = game.apply(twin, step.seat, step.action, recorded)
        recorded.finish()
    except (IllegalAction, ChanceMismatch):
        return
    if revealed(step, state, observer) != revealed(step._replace(state=before), twin, observer):
        return
    if _heard(events, observer) != _heard(others, observer):
        yield f"events of {step.action}"
    if game.outcome(state) is None and game.view(state, observer) != game.view(twin, observer):
        yield f"view after {step.action}"


def _heard(events: list[Event], observer: Observer) -> list[Event]:
    return [event for event in events if event.heard_by(observer)]
