"""What can be played at a table and at a resampled one so that an observer cannot tell which is
which."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from bot.game.contract import (
    ANSWER,
    SPECTATOR,
    Action,
    AnyGame,
    IllegalAction,
    Observer,
    Seat,
)
from bot.tables.core.position import Position, Step, act
from bot.titles.title import Title
from bot.tools.noninterference.computers import computers

ACTIONS = 4
"""At most this many actions are taken in one segment."""
ANSWERED = 0.5
"""How often an open offer is answered before the game goes on."""


class PlayedMove(NamedTuple):
    """An action that somebody takes, and the decision it answers: None for a free move."""

    seat: Seat
    action: Action
    decision: str | None


class MoveSegment(NamedTuple):
    """Actions by which the observer cannot tell `real` from `resampled`; `after` is where they
    lead.

    `onward` is then done in the real position, as it would tell the two apart; None at the end.
    """

    observer: Observer
    real: Position
    resampled: Position
    moves: tuple[PlayedMove, ...]
    after: Position
    onward: PlayedMove | None

    @property
    def has_secret(self) -> bool:
        """Whether anything is hidden from the observer; else there is nothing to tell apart."""
        return self.real.blob != self.resampled.blob


def segments(
    title: Title, seats: int, key: bytes, position: Position, rng: Random
) -> Iterator[MoveSegment]:
    """A random game from there to its end, for each observer in turn.

    `key` is the table's, so that what is drawn here will be drawn at the table.
    """
    game, observer = title.game, SPECTATOR
    while position.outcome is None:
        state = game.resample(position.state, observer, rng)
        resampled = replace(
            position, state=state, blob=game.encode(state), pending=game.pending(state)
        )
        real, after, other = position, position, resampled
        moves: list[PlayedMove] = []
        onward: PlayedMove | None = None
        while onward is None and position.outcome is None:
            move = _any(title, position, rng)
            step = _step(game, key, position, move)
            then = _unnoticed(game, key, other, move, step, observer)
            if then is None or len(moves) == ACTIONS:
                onward = move
            else:
                moves.append(move)
                after, other = step.position, then
            position = step.position
        yield MoveSegment(observer, real, resampled, tuple(moves), after, onward)
        observer = SPECTATOR if observer == seats - 1 else observer + 1


def moves(
    title: Title, key: bytes, position: Position, rng: Random
) -> Iterator[tuple[PlayedMove, Position]]:
    """A random game from there to its end: each action, and where it leads."""
    while position.outcome is None:
        move = _any(title, position, rng)
        position = _step(title.game, key, position, move).position
        yield move, position


def _any(title: Title, position: Position, rng: Random) -> PlayedMove:
    """What somebody who is asked, or offered something, might do."""
    offers = [decision for decision in position.pending if decision.kind == ANSWER]
    asked = [decision for decision in position.pending if not decision.optional]
    game = title.game
    decision = rng.choice(offers if offers and rng.random() < ANSWERED else asked)
    seat = decision.seat
    policy = rng.choice(list(computers(title).values()))
    legal = partial(game.legal, position.state, seat)
    action = policy(game.view(position.state, seat), decision, legal, rng)
    return PlayedMove(seat, action, None if game.moves[action[0]].free else decision.id)


def _step(game: AnyGame, key: bytes, position: Position, move: PlayedMove) -> Step:
    return act(game, position, key, move.seat, move.action, datetime.now(UTC))


def _unnoticed(
    game: AnyGame, key: bytes, other: Position, move: PlayedMove, step: Step, observer: Observer
) -> Position | None:
    """Where the same move leads in the resampled state; None where the observer would notice."""
    try:
        resampled = _step(game, key, other, move)
    except IllegalAction:
        return None
    real, then = step.position, resampled.position
    same = (
        (step.drawn, real.pending, real.outcome) == (resampled.drawn, then.pending, then.outcome)
        and step.happened.heard_by(observer) == resampled.happened.heard_by(observer)
        and game.view(real.state, observer) == game.view(then.state, observer)
    )
    return then if same else None
