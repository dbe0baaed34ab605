"""Actions that a seat tries on a private copy of the table, as far as it can know what they bring.

The copy is never the real state: it is made by `Game.resample`, or of a view alone by
`Game.determinize`, so nothing that is hidden from the seat can reach it. What is tried ends at a
barrier, and these are the barriers that undo knows: a draw, a secret that would come out, a choice
made in secret, somebody else's decision.
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
"""Seeds of the copies. That they agree is a second check; the barriers are the first."""
IMAGINED = range(4)
"""Seeds of states made of a view alone. They agree by chance only rarely on what is hidden."""
MOST = 40
"""Actions of one trial."""
MAX_ASSUMED = 24
"""Actions of others that are assumed until the seat itself is asked."""
MARK_BYTES = 8


class NotPlannable(ValueError):
    """It cannot be tried: nothing can any more, or what comes of it is for others to say."""


class Horizon(StrEnum):
    """What a trial cannot see beyond."""

    DRAW = "draw"
    SEEN = "seen"
    """A secret would come out."""
    SEALED = "sealed"
    """The secret choices of several are revealed."""
    OTHER = "other"
    """Somebody else decides."""
    OVER = "over"
    """The game ends; what comes out then is not shown."""
    FULL = "full"
    """More than `MOST` actions."""


class Preview(NamedTuple):
    """What an observer sees after an action, and hears of it."""

    view: Any
    events: Sequence[Event]


class NeedsDraw(Exception):
    """Something was to be drawn where nothing may be."""


class NoChance:
    """Refuses every draw."""

    def draw(self, label: str, weights: Sequence[int]) -> int:
        """Raises NeedsDraw."""
        raise NeedsDraw(label)


class Trial(msgspec.Struct, frozen=True):
    """A moment of a private copy of the table: `done` has been tried, `view` is what the seat sees.

    `events` are what the seat heard of the last action. After an action that leads to a `horizon`
    nothing more can be tried; where what it brings cannot be known, the view is that before it.
    `to_act` are those whose decision it is then. The turns of the seats in `assumed` were taken to
    end as they stand, so that the seat itself is asked.
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
        """What the seat is asked next; None at a barrier."""
        return None if self.horizon else _asked(self.pending, self.seat)

    def legal(self, prefix: Action = ()) -> Choices:
        """As `Game.legal` for the seat, without free moves: what they bring is for others to say.

        Raises IllegalAction.
        """
        choices = self.game.legal(self.copies[0], self.seat, prefix)
        if prefix or not isinstance(choices, OneOf):
            return choices
        kinds = () if self.decision is None else choices.values
        return OneOf("kind", tuple(kind for kind in kinds if not self.game.moves[kind].free))

    def mark(self) -> str:
        """What the seat heard of the last action, owns, and is asked now, as a short hash."""
        asked = self.decision
        state = self.copies[0]
        told = [[event.kind, dict(event.facts)] for event in self.events]
        owns = self.game.hand(state, self.seat)
        kind = "" if asked is None else asked.kind
        data = msgspec.json.encode([self.horizon, kind, told, msgspec.to_builtins(owns)])
        return blake2b(data, digest_size=MARK_BYTES).hexdigest()


def begin(game: AnyGame, state: Any, seat: Seat) -> Trial:
    """Nothing has been tried yet.

    Where others are on turn, theirs are assumed to end as they stand, until the seat is asked; the
    horizon says why that cannot be assumed.
    """
    *_, last = steps_to_turn(game, state, seat)
    return last


def steps_to_turn(game: AnyGame, state: Any, seat: Seat) -> Iterator[Trial]:
    """The moments of `begin`, one assumed action after the other; the last is where it leads."""
    copies = tuple(game.resample(state, seat, Random(seed)) for seed in COPIES)
    trial = _moment(game, seat, copies)
    yield trial
    for _ in range(MAX_ASSUMED):
        if trial.horizon is not Horizon.OTHER:
            return
        other = trial.to_act[0]
        action = _passing(game, trial.copies[0], other)
        if action is None:
            return
        after = _carried_out(trial, other, action)
        if isinstance(after, Horizon):
            yield replace(trial, horizon=after)
            return
        assumed = tuple(dict.fromkeys((*trial.assumed, other)))
        trial = replace(_moment(game, seat, after.copies), assumed=assumed)
        yield trial


def preview(game: AnyGame, view: Any, actions: Sequence[Action]) -> list[Preview]:
    """What each of the actions, one after the other, brings for the view's observer; worked out
    from the view alone, so that nothing else can reach it.

    It ends early where the observer cannot know: where something is drawn, chosen in secret, or
    depends on what they do not see. That they give away a secret of their own is no such barrier.
    """
    copies = [game.determinize(view, Random(seed)) for seed in IMAGINED]
    found: list[Preview] = []
    for action in actions:
        asked = _asked(game.pending(copies[0]), view.observer)
        if asked is None or asked.sealed:
            break
        try:
            after = [_imagined(game, copy, view.observer, action) for copy in copies]
        except (IllegalAction, NeedsDraw):
            break
        if any(each != after[0] for each in after):
            break
        found.append(after[0])
    return found


def _imagined(game: AnyGame, state: Any, seat: Seat, action: Action) -> Preview:
    events = game.apply(state, seat, action, NoChance())
    return Preview(game.view(state, seat), [each for each in events if each.visible_to(seat)])


def views_before(game: AnyGame, view: Any, actions: Sequence[Action]) -> Sequence[Any]:
    """What the view's observer sees before each of the actions, as far as `preview` says. An `END`
    looks the same whatever was done before, so there is no view before it."""
    before = actions[: -2 if actions[-1] == (END,) else -1]
    return [view, *(each.view for each in preview(game, view, before))] if before else [view]


def try_action(trial: Trial, action: Action) -> Trial:
    """The action tried after those before it.

    Raises IllegalAction; Unplanned beyond a horizon, and for a free move.
    """
    game, asked = trial.game, trial.decision
    if asked is None:
        raise NotPlannable(f"nothing can be tried beyond {trial.horizon}")
    if action and action[0] in game.moves and game.moves[action[0]].free:
        raise NotPlannable(f"what comes of {action[0]!r} is for others to say")
    done = (*trial.done, action)
    after = _carried_out(trial, trial.seat, action)
    if isinstance(after, Horizon):
        return replace(trial, done=done, events=(), horizon=after)
    made = replace(
        _moment(game, trial.seat, after.copies),
        done=done,
        events=after.events,
        assumed=trial.assumed,
    )
    if made.horizon is None and len(done) == MOST:
        return replace(made, horizon=Horizon.FULL)
    return made


class _After(msgspec.Struct, frozen=True):
    """The copies after an action, and what the seat heard of it."""

    copies: tuple[Any, ...]
    events: tuple[Event, ...]


def _carried_out(trial: Trial, seat: Seat, action: Action) -> _After | Horizon:
    """What an action of any seat brings, for the trial's seat. Raises IllegalAction."""
    game = trial.game
    answered = _asked(trial.pending, seat)
    is_sealed = answered is not None and answered.sealed
    after = [game.decode(game.encode(copy)) for copy in trial.copies]
    try:
        heard = [
            [
                event
                for event in game.apply(copy, seat, action, NoChance())
                if event.visible_to(trial.seat)
            ]
            for copy in after
        ]
    except NeedsDraw:
        # Whether two bids are equal, so that a draw decides, is a secret as well.
        return Horizon.SEALED if is_sealed else Horizon.DRAW
    if is_sealed:
        # What others have chosen may settle it at once, and nobody knows that.
        return Horizon.SEALED
    ended = [game.outcome(copy) is not None for copy in after]
    if all(ended):
        return Horizon.OVER
    if any(ended) or game.discloses(trial.copies[0], action):
        return Horizon.SEEN
    seen = [(game.view(copy, trial.seat), game.pending(copy)) for copy in after]
    if any(each != heard[0] for each in heard) or any(each != seen[0] for each in seen):
        return Horizon.SEEN
    return _After(tuple(after), tuple(heard[0]))


def _moment(game: AnyGame, seat: Seat, copies: tuple[Any, ...]) -> Trial:
    pending = game.pending(copies[0])
    horizon: Horizon | None = None
    to_act: tuple[Seat, ...] = ()
    if game.outcome(copies[0]) is not None:
        horizon = Horizon.OVER
    elif _asked(pending, seat) is None:
        horizon = Horizon.OTHER
        to_act = tuple(each.seat for each in pending if not each.optional)
    view = game.view(copies[0], seat)
    return Trial(game, seat, copies, view, pending, horizon=horizon, to_act=to_act)


def _asked(pending: Sequence[Decision], seat: Seat) -> Decision | None:
    """What everybody waits for the seat to answer."""
    return next((each for each in pending if each.seat == seat and not each.optional), None)


def _passing(game: AnyGame, state: Any, seat: Seat) -> Action | None:
    """How a seat that is on turn lets it go by; None where that has to be decided."""
    asked = _asked(game.pending(state), seat)
    kinds = game.legal(state, seat)
    if asked is None or asked.sealed or not isinstance(kinds, OneOf):
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
