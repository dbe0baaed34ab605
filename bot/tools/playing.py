"""Games between computer players in this process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any

import msgspec

from bot.config import CannotRun
from bot.game.chance import RandomChance
from bot.game.contract import ANSWER, Action, Decision, Event, Seat, canonical
from bot.game.game import AnyGame
from bot.game.log import RecordedEntry
from bot.policy.contract import STRONG, Policy
from bot.policy.random import BLIND
from bot.policy.search import strong
from bot.tables.core.log import NO_SEAT, SETUP
from bot.tables.core.record import Record
from bot.titles.title import Title


class ComputerPlayer(msgspec.Struct, frozen=True):
    """A computer player at a seat. A `blind` one gets no view, which is faster."""

    policy: Policy
    blind: bool = False


class Played(msgspec.Struct, frozen=True):
    """An action and the `state` after it. The next action changes the state in place."""

    seat: Seat
    action: Action
    drawn: tuple[int, ...]
    events: Sequence[Event]
    state: Any


def player_named(title: Title, name: str, nodes: int | None = None) -> ComputerPlayer:
    """Return a computer player; `nodes` is the budget of the strong one. Raise CannotRun."""
    if name not in title.players:
        names = ", ".join(title.players)
        raise CannotRun(
            f"{title.game.name} has no computer player {name!r}. Choose one of: {names}."
        )
    if name == STRONG and nodes is not None and title.judgement is not None:
        return ComputerPlayer(strong(title.judgement, nodes))
    return ComputerPlayer(title.players[name], name in BLIND)


def players(title: Title, names: Sequence[str], seats: int) -> list[ComputerPlayer]:
    """Return the named players by seat, repeated if there are too few. Raise CannotRun."""
    named = [player_named(title, name) for name in names]
    return [named[seat % len(named)] for seat in range(seats)]


def play(
    game: AnyGame,
    seated: Sequence[ComputerPlayer],
    options: Mapping[str, str],
    rng: Random,
    choice_rng: Random | None = None,
) -> Iterator[Played]:
    """Play a game and yield each action, first the set-up.

    If given, the players use `choice_rng`, so that their choices do not change the draws.
    """
    chance, choice_rng = RandomChance(rng), choice_rng or rng
    state = game.setup(len(seated), options, chance)
    yield Played(NO_SEAT, (SETUP,), tuple(chance.drawn), (), state)
    answered: set[str] = set()
    while True:
        decision = _next(game.pending(state), answered)
        if decision is None:
            return
        seat = decision.seat
        player = seated[seat]
        view = None if player.blind else game.view(state, seat)
        action = player.policy(view, decision, game.walk(state, seat), choice_rng)
        chance.drawn.clear()
        events = game.apply(state, seat, action, chance)
        yield Played(seat, action, tuple(chance.drawn), events, state)


def _next(pending: Sequence[Decision], answered: set[str]) -> Decision | None:
    # Each open offer is answered once, then the player to act continues.
    to_act = None
    for decision in pending:
        if decision.kind == ANSWER and decision.id not in answered:
            answered.add(decision.id)
            return decision
        if to_act is None and not decision.optional:
            to_act = decision
    return to_act


def record(
    game: AnyGame,
    seated: Sequence[ComputerPlayer],
    options: Mapping[str, str],
    rng: Random,
    limit: int | None = None,
) -> Record:
    """Play a game and return its record, with at most `limit` entries."""
    entries = tuple(
        RecordedEntry(played.seat, canonical(played.action), played.drawn)
        for played in islice(play(game, seated, options, rng), limit)
    )
    names = tuple(f"Player {seat + 1}" for seat in range(len(seated)))
    return Record(game.name, game.version, dict(options), names, entries)
