"""Trials: a seat tries actions on a private copy of the table, as far as it can know their effect.

The copy is never the real state: `Game.resample` makes it, or `Game.determinize` from a view, so it
contains nothing hidden from the seat. A trial stops where an undo would need everyone's consent: at
a draw, a revealed secret, a secret choice or another player's decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from hashlib import blake2b
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from bot.game.choices import Choices, Done, OneOf
from bot.game.contract import END, Action, Decision, Event, IllegalAction, Seat
from bot.game.game import AnyGame

COPIES = (1, 2)
"""Seeds of a trial's copies. A trial also stops where they differ, in case `Game.discloses` has
missed a secret."""
PREVIEW_SEEDS = range(4)
"""Seeds of the states that `preview` compares. They seldom agree by chance on anything hidden."""
MAX_ACTIONS = 40
"""Actions of one trial."""
MAX_ASSUMED = 24
"""Actions of others that are assumed before the seat's turn."""
MARK_BYTES = 8


class NotPlannable(ValueError):
    """The trial has reached its horizon, or the action is free, so others could react to it."""


class Horizon(StrEnum):
    """The reason why a trial stops."""

    DRAW = "draw"
    SEEN = "seen"
    """A secret would be revealed."""
    SEALED = "sealed"
    """The secret choices of several seats are revealed."""
    OTHER = "other"
    """Another player decides."""
    OVER = "over"
    """The game ends; the final state is not shown."""
    FULL = "full"
    """The trial has `MAX_ACTIONS` actions."""


class Preview(NamedTuple):
    """An observer's view after an action, and the events they see."""

    view: Any
    events: Sequence[Event]


class NeedsDraw(Exception):
    """The rules request a draw during a trial."""


class NoChance:
    """A source of chance that refuses all draws."""

    def draw(self, label: str, weights: Sequence[int]) -> int:
        """Raise NeedsDraw."""
        raise NeedsDraw(label)


class Trial(msgspec.Struct, frozen=True):
    """A private copy of the table after the actions in `done`, with the seat's `view` of it.

    `events` are the events of the last action that the seat sees. With a `horizon`, nothing more
    can be tried; if the effect of the last action cannot be known, the view is the one before it.
    `to_act` are the seats that decide then. `assumed` are the seats that were assumed to pass, so
    that it becomes the seat's turn.
    """

    game: AnyGame
    seat: Seat
    copies: tuple[Any, ...]
    view: Any
    pending: tuple[Decision, ...]
    done: tuple[Action, ...] = ()
    events: tuple[Event, ...] = ()
    horizon: Horizon | None = None
    to_act: tuple[Seat, ...] = ()
    assumed: tuple[Seat, ...] = ()

    @property
    def decision(self) -> Decision | None:
        """The seat's next decision; None at a horizon."""
        return None if self.horizon else _required(self.pending, self.seat)

    def legal(self, prefix: Action = ()) -> Choices:
        """Return what `Game.legal` does, without free moves, because others react to those.

        Raise IllegalAction if the prefix is not allowed.
        """
        choices = self.game.legal(self.copies[0], self.seat, prefix)
        if prefix or not isinstance(choices, OneOf):
            return choices
        kinds = () if self.decision is None else choices.values
        return OneOf("kind", tuple(kind for kind in kinds if not self.game.moves[kind].free))

    def mark(self) -> str:
        """Return a short hash of the last action's events, the seat's hand and its question."""
        decision = self.decision
        state = self.copies[0]
        events = [[event.kind, dict(event.facts)] for event in self.events]
        hand = self.game.hand(state, self.seat)
        kind = "" if decision is None else decision.kind
        data = msgspec.json.encode([self.horizon, kind, events, msgspec.to_builtins(hand)])
        return blake2b(data, digest_size=MARK_BYTES).hexdigest()


def begin(game: AnyGame, state: Any, seat: Seat) -> Trial:
    """Return a trial without actions.

    If it is another seat's turn, assume that all seats pass until the turn of `seat`. The horizon
    says why that is impossible.
    """
    *_, last = steps_to_turn(game, state, seat)
    return last


def steps_to_turn(game: AnyGame, state: Any, seat: Seat) -> Iterator[Trial]:
    """Yield the trial at the start and after each assumed action; the last is that of `begin`."""
    copies = tuple(game.resample(state, seat, Random(seed)) for seed in COPIES)
    trial = _trial_at(game, seat, copies)
    yield trial
    for _ in range(MAX_ASSUMED):
        if trial.horizon is not Horizon.OTHER:
            return
        other = trial.to_act[0]
        action = _passing_action(game, trial.copies[0], other)
        if action is None:
            return
        after = _carry_out(trial, other, action)
        if isinstance(after, Horizon):
            yield replace(trial, horizon=after)
            return
        assumed = tuple(dict.fromkeys((*trial.assumed, other)))
        trial = replace(_trial_at(game, seat, after.copies), assumed=assumed)
        yield trial


def preview(game: AnyGame, view: Any, actions: Sequence[Action]) -> list[Preview]:
    """Preview actions of the view's observer, one after the other, using nothing but the view.

    The list is shorter than `actions` if the observer cannot know an effect: because something is
    drawn, chosen in secret, or depends on hidden parts. Revealing their own secret is no obstacle.
    """
    copies = [game.determinize(view, Random(seed)) for seed in PREVIEW_SEEDS]
    previews: list[Preview] = []
    for action in actions:
        decision = _required(game.pending(copies[0]), view.observer)
        if decision is None or decision.sealed:
            break
        try:
            after = [_step_preview(game, copy, view.observer, action) for copy in copies]
        except (IllegalAction, NeedsDraw):
            break
        if any(each != after[0] for each in after):
            break
        previews.append(after[0])
    return previews


def _step_preview(game: AnyGame, state: Any, seat: Seat, action: Action) -> Preview:
    events = game.apply(state, seat, action, NoChance())
    return Preview(game.view(state, seat), [each for each in events if each.visible_to(seat)])


def views_before(game: AnyGame, view: Any, actions: Sequence[Action]) -> Sequence[Any]:
    """Return the observer's view before each action, as far as `preview` can tell.

    The view before a final `END` is left out: ending a turn looks the same in any state.
    """
    before = actions[: -2 if actions[-1] == (END,) else -1]
    return [view, *(each.view for each in preview(game, view, before))] if before else [view]


def try_action(trial: Trial, action: Action) -> Trial:
    """Return the trial after one more action.

    Raise IllegalAction if it is not allowed, and NotPlannable at a horizon or for a free move.
    """
    game = trial.game
    if trial.decision is None:
        raise NotPlannable(f"the trial has stopped: {trial.horizon}")
    if action and action[0] in game.moves and game.moves[action[0]].free:
        raise NotPlannable(f"others react to {action[0]!r}")
    done = (*trial.done, action)
    after = _carry_out(trial, trial.seat, action)
    if isinstance(after, Horizon):
        return replace(trial, done=done, events=(), horizon=after)
    result = replace(
        _trial_at(game, trial.seat, after.copies),
        done=done,
        events=after.events,
        assumed=trial.assumed,
    )
    if result.horizon is None and len(done) == MAX_ACTIONS:
        return replace(result, horizon=Horizon.FULL)
    return result


class _After(msgspec.Struct, frozen=True):
    """The copies after an action, and the events that the trial's seat sees."""

    copies: tuple[Any, ...]
    events: tuple[Event, ...]


def _carry_out(trial: Trial, seat: Seat, action: Action) -> _After | Horizon:
    """Carry out an action of any seat. Raise IllegalAction if it is not allowed."""
    game = trial.game
    decision = _required(trial.pending, seat)
    is_sealed = decision is not None and decision.sealed
    after = [game.decode(game.encode(copy)) for copy in trial.copies]
    try:
        events = [
            [
                event
                for event in game.apply(copy, seat, action, NoChance())
                if event.visible_to(trial.seat)
            ]
            for copy in after
        ]
    except NeedsDraw:
        # Only equal bids cause a draw, so even the draw would reveal a secret choice.
        return Horizon.SEALED if is_sealed else Horizon.DRAW
    if is_sealed:
        # The copies would reveal whether others have already chosen.
        return Horizon.SEALED
    ended = [game.outcome(copy) is not None for copy in after]
    if all(ended):
        return Horizon.OVER
    if any(ended) or game.discloses(trial.copies[0], action):
        return Horizon.SEEN
    views = [(game.view(copy, trial.seat), game.pending(copy)) for copy in after]
    if any(each != events[0] for each in events) or any(each != views[0] for each in views):
        return Horizon.SEEN
    return _After(tuple(after), tuple(events[0]))


def _trial_at(game: AnyGame, seat: Seat, copies: tuple[Any, ...]) -> Trial:
    pending = game.pending(copies[0])
    horizon: Horizon | None = None
    to_act: tuple[Seat, ...] = ()
    if game.outcome(copies[0]) is not None:
        horizon = Horizon.OVER
    elif _required(pending, seat) is None:
        horizon = Horizon.OTHER
        to_act = tuple(each.seat for each in pending if not each.optional)
    view = game.view(copies[0], seat)
    return Trial(game, seat, copies, view, pending, horizon=horizon, to_act=to_act)


def _required(pending: Sequence[Decision], seat: Seat) -> Decision | None:
    """Return the decision of the seat that is not optional, if any."""
    return next((each for each in pending if each.seat == seat and not each.optional), None)


def _passing_action(game: AnyGame, state: Any, seat: Seat) -> Action | None:
    """Return the action with which a seat passes its decision; None if it has no such action."""
    decision = _required(game.pending(state), seat)
    kinds = game.legal(state, seat)
    if decision is None or decision.sealed or not isinstance(kinds, OneOf):
        return None
    moves = [game.moves[kind] for kind in kinds.values]
    idle = [
        move.kind
        for move in moves
        if move.kind == END or move.skips or move.idle or move.on_opening
    ]
    if not idle:
        return None
    action: Action = (END if END in idle else idle[0],)
    while not isinstance(choices := game.legal(state, seat, action), Done):
        action = (*action, next(iter(choices.each())))
    return action
