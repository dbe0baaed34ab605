"""Whether anything an observer can see, choose or hear depends on what he cannot know."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bot.game.chance import ChanceMismatch, RandomChance, RecordedChance
from bot.game.choices import Bundle, Choices, OneOf
from bot.game.contract import SPECTATOR, Action, Event, IllegalAction, Observer, Refusal
from bot.game.kogge.game import Kogge
from bot.game.kogge.rules.common import SLOT, here
from bot.game.kogge.state import Demand, Exchange, Push, Split, State
from tests.game.kogge.random_games import Step

TRIED_WORDS = 3
"""How many words of each domain are followed and compared."""

TELLING = frozenset(
    {
        *("founded", "crowded", "no_bid", "lapsed"),
        *("conflict_won", "conflict_tied"),
        *("tax_paid", "tax_paid_secretly", "office_accepted_secretly"),
    }
)
"""What makes a secret public by the rules: sealed choices revealed at once, a seat without a
bid announced, an offer that its maker can no longer keep, and what comes to lie in the reserve or
in an office for all to see."""


def differences(
    game: Kogge, step: Step, twin: State, observer: Observer, rng: Random
) -> Iterator[str]:
    """All by which the observer could tell the state from its twin now, and after the step."""
    state = step.state
    if game.view(state, observer) != game.view(twin, observer):
        yield "view"
    if game.pending(state) != game.pending(twin):
        yield "pending"
    if observer != SPECTATOR:
        yield from _choices(game, state, twin, observer, rng)
    yield from _consequences(game, step, twin, observer)


def _choices(
    game: Kogge, state: State, twin: State, seat: int, rng: Random, prefix: Action = ()
) -> Iterator[str]:
    """Walk the domains; words that are listed in the one are followed in both."""
    real, other = _legal(game, state, seat, prefix), _legal(game, twin, seat, prefix)
    if _plain(real) != _plain(other):
        yield f"choices after {prefix}"
        return
    if isinstance(real, OneOf):
        words = list(real.values)
        if real.param == "kind":
            # The refusals of what is not open are told to the seat as well.
            words = list(game.moves)
        elif len(words) > TRIED_WORDS:
            words = rng.sample(words, TRIED_WORDS)
    elif isinstance(real, Bundle) and isinstance(other, Bundle):
        words = [_some(real, rng) for _ in range(TRIED_WORDS)]
        if any(real.admits(word) != other.admits(word) for word in words):
            yield f"words that fit after {prefix}"
            return
    else:
        return
    for word in words:
        yield from _choices(game, state, twin, seat, rng, (*prefix, word))


def _legal(game: Kogge, state: State, seat: int, prefix: Action) -> Choices | Refusal:
    try:
        return game.legal(state, seat, prefix)
    except IllegalAction as refused:
        return refused.refusal


def _plain(choices: Choices | Refusal) -> object:
    if isinstance(choices, Bundle):
        return (choices.param, choices.alphabet, choices.have, choices.least, choices.most)
    return choices


def _some(bundle: Bundle, rng: Random) -> str:
    """A word of the right size, fitting or not."""
    stock = bundle.stock()
    most = min(bundle.most, len(stock))
    size = rng.randint(min(bundle.least, most), most)
    return bundle.sort("".join(rng.sample(stock, size)))


def _consequences(game: Kogge, step: Step, twin: State, observer: Observer) -> Iterator[str]:
    """What the observer hears of the step, and sees after it, where it is possible in both."""
    if _reveals(step, observer):
        return
    state, twin = game.decode(game.encode(step.state)), game.decode(game.encode(twin))
    chance = RandomChance(Random(1))
    events = game.apply(state, step.seat, step.action, chance)
    recorded = RecordedChance(chance.drawn)
    try:
        others = game.apply(twin, step.seat, step.action, recorded)
        recorded.finish()
    except (IllegalAction, ChanceMismatch):
        return
    if any(event.kind in TELLING for event in (*events, *others)):
        return
    if _heard(events, observer) != _heard(others, observer):
        yield f"events of {step.action}"
    if game.outcome(state) is None and game.view(state, observer) != game.view(twin, observer):
        yield f"view after {step.action}"


def _heard(events: list[Event], observer: Observer) -> list[Event]:
    return [event for event in events if event.heard_by(observer)]


def _reveals(step: Step, observer: Observer) -> bool:
    """Whether by the rules the step itself shows the observer what he did not know."""
    state, frame, kind = step.state, step.state.frames[-1], step.action[0]
    if kind in ("sail", "push", "reroute") and step.action[1] in SLOT:
        ship = frame.pushed if isinstance(frame, Push) else step.seat
        route = here(state, ship).routes[SLOT[step.action[1]]]
        known = observer != SPECTATOR and route.known >> observer & 1
        # A marker that is taken up shows in an open hand.
        shown = kind != "reroute" or observer == step.seat or not state.rules.hidden
        if route.hidden and not known and shown:
            return True
    if kind == "peek":
        return observer == step.seat
    if isinstance(frame, Exchange):
        # The next seat looks at its city.
        return state.order[frame.at + 1 : frame.at + 2] == [observer]
    if isinstance(frame, Demand) and observer == frame.winner:
        # What the loser has of it.
        return step.action[0] == "demand"
    # The two groups lay a cargo open to its robber.
    return isinstance(frame, Split) and step.action[0] == "split" and observer == frame.raider
