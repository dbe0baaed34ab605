"""The review of a finished game: every seat's chances by turn, and the turning points.

It covers the whole game, but judges each decision only by the seat's view at that time. All budgets
are numbers of actions tried, so the same game and seed give the same review on every machine. A
review contains no text, only figures, seats, numbers of log entries, and actions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from bot.game.contract import (
    ACCEPT,
    ANSWER,
    DECLINE,
    END,
    Action,
    Decision,
    IllegalAction,
    Seat,
    canonical,
    in_turn,
    joined,
    offer_of,
    parse_action,
)
from bot.game.game import AnyGame
from bot.game.log import Entry
from bot.policy.contract import Judgement
from bot.thinking.pool import SearchPool
from bot.workers import in_thread

MAX_MOMENTS = 60
"""Maximum moments with chances."""
MAX_DECISIONS = 300
"""Maximum decisions judged."""
MAX_SUSPECTS = 20
"""Maximum decisions, the worst, that are judged again with a larger budget."""
MAX_SHOWN = 5
"""Maximum turning points."""
MIN_LOSS = 0.03
"""Loss of winning chance from which a decision is a turning point."""
MAX_JOINED = 6
"""Maximum consecutive actions of a seat that are judged as one."""
FIRST, SURE, CHANCES = 1, 10, 3
"""Budgets for a decision, a decision judged again, and a moment, as multiples of
`Judgement.nodes`."""
NEIGHBOURS = (3, 2, 1)
"""Weights of a moment's own chances, those of the next moments, and of those after them."""
PAUSE_S = 0.02
"""Seconds between two searches, so that other searches get a turn."""

T = TypeVar("T")


PastStep = tuple[Entry, bytes]
"""A log entry that was not undone, and the encoded state after it."""


class Moment(msgspec.Struct, frozen=True, gc=False):
    """Each seat's chance to win around log entry `seq`, and the round. The chances sum to 1."""

    seq: int
    round: int
    chances: tuple[float, ...]


class TurningPoint(msgspec.Struct, frozen=True, gc=False):
    """A seat's action after log entry `seq` and a better one, both canonical.

    Each has the seat's chance to win, and its lead as the judgement counts it.
    """

    seq: int
    seat: Seat
    round: int
    played: str
    better: str
    chance: float
    better_chance: float
    lead: float
    better_lead: float

    @property
    def loss(self) -> float:
        """The loss of winning chance."""
        return self.better_chance - self.chance


class Review(msgspec.Struct, frozen=True):
    """Moments and turning points in the order of the game."""

    moments: tuple[Moment, ...]
    turning_points: tuple[TurningPoint, ...]


def encode(review: Review) -> bytes:
    """Return the stored form of a review."""
    return msgspec.json.encode(review)


def decode(blob: bytes) -> Review | None:
    """Return the review that `encode` wrote; None if another version's format differs."""
    try:
        return msgspec.json.decode(blob, type=Review)
    except msgspec.MsgspecError:
        return None


async def review(
    search_pool: SearchPool,
    judgement: Judgement[Any],
    steps: Sequence[PastStep],
    seed: str,
    progress: Callable[[float], None],
) -> Review:
    """Review a game, and report the progress from 0 to 1. Raise SearchUnavailable."""
    plan = await in_thread(_plan, judgement.game, steps)
    done, total = 0, len(plan.moments) + len(plan.decisions) + MAX_SUSPECTS

    async def advance() -> None:
        nonlocal done
        done += 1
        progress(min(done / total, 1.0))
        await asyncio.sleep(PAUSE_S)

    moments: list[Moment] = []
    for seq, round_, state in plan.moments:
        # With the same seed for all moments, only the game makes a difference.
        chances = await search_pool.forecast(
            judgement, state, seed, nodes=CHANCES * judgement.nodes
        )
        moments.append(Moment(seq, round_, tuple(chances)))
        await advance()
    # Keep the worst decision of each seat's turn: a mistake counts again while the seat can still
    # correct it.
    suspects: dict[tuple[Seat, int], tuple[float, _PastDecision]] = {}
    for past in plan.decisions:
        point = await _turning_point(search_pool, judgement, past, f"{seed} {past.seq}", FIRST)
        if point is not None:
            turn = point.seat, point.round
            if turn not in suspects or suspects[turn][0] < point.loss:
                suspects[turn] = point.loss, past
        await advance()
    turning_points: list[TurningPoint] = []
    for _loss, past in sorted(suspects.values(), key=lambda suspect: -suspect[0])[:MAX_SUSPECTS]:
        point = await _turning_point(search_pool, judgement, past, f"{seed} {past.seq} again", SURE)
        if point is not None and point.loss >= MIN_LOSS:
            turning_points.append(point)
        await advance()
    worst = sorted(turning_points, key=lambda point: -point.loss)[:MAX_SHOWN]
    return Review(_smoothed(moments), tuple(sorted(worst, key=lambda point: point.seq)))


class _PastDecision(NamedTuple):
    """A decision, with the round and state before it and the log entry of that state.

    `played` is the seat's first action, `run` all its consecutive actions.
    """

    seq: int
    round: int
    decision: Decision
    state: bytes
    played: Action
    run: Action


class _Plan(NamedTuple):
    moments: Sequence[tuple[int, int, bytes]]
    decisions: Sequence[_PastDecision]


def _plan(game: AnyGame, steps: Sequence[PastStep]) -> _Plan:
    """Return the states to forecast, at each change of the seats to act, and the decisions."""
    moments: list[tuple[int, int, bytes]] = []
    decisions: list[_PastDecision] = []
    sealed: dict[tuple[Seat, str], int] = {}
    before: object = None
    for place, ((entry, blob), following) in enumerate(zip(steps, [*steps[1:], None], strict=True)):
        state = game.decode(blob)
        pending = game.pending(state)
        now = entry.round, [each.seat for each in pending if not each.optional]
        if now != before or following is None:
            moments.append((entry.seq, entry.round, blob))
        before = now
        decision = following and _answered(game, pending, following[0])
        if following is None or not decision:
            continue
        key, played = (following[0].seat, decision.id), parse_action(following[0].action)
        if decision.optional and decision.sealed:
            # The seat changed its sealed choice: only the last one counts.
            if key in sealed:
                first = decisions[sealed[key]]
                decisions[sealed[key]] = first._replace(played=played, run=played)
            continue
        if decision.sealed:
            sealed[key], run = len(decisions), played
        else:
            later = [each for each, _ in steps[place + 1 :][:MAX_JOINED]]
            run = _run_of(game, entry.round, later)
        decisions.append(_PastDecision(entry.seq, entry.round, decision, blob, played, run))
    return _Plan(_evenly(moments, MAX_MOMENTS), _evenly(decisions, MAX_DECISIONS))


def _smoothed(moments: Sequence[Moment]) -> tuple[Moment, ...]:
    """Return the moments with averaged chances, which evens out lucky draws.

    The last moment is not averaged: it is the result of the game.
    """
    smooth: list[Moment] = []
    for place, each in enumerate(moments):
        reach = min(len(NEIGHBOURS) - 1, place, len(moments) - 1 - place)
        near = [
            (NEIGHBOURS[abs(by)], moments[place + by].chances) for by in range(-reach, reach + 1)
        ]
        total = sum(weight for weight, _ in near)
        seats = range(len(each.chances))
        averages = (
            sum(weight * chances[seat] for weight, chances in near) / total for seat in seats
        )
        smooth.append(replace(each, chances=tuple(averages)))
    return tuple(smooth)


def _answered(game: AnyGame, pending: Sequence[Decision], entry: Entry) -> Decision | None:
    """Return the decision that an action answers; None for proposals and table events."""
    if entry.kind not in game.moves:
        return None
    own = [each for each in pending if each.seat == entry.seat]
    if entry.kind in (ACCEPT, DECLINE):
        offers = (each for each in own if each.kind == ANSWER)
        words = parse_action(entry.action)
        return next((each for each in offers if offer_of(each) in words[1:]), None)
    if game.moves[entry.kind].free:
        return None
    return next((each for each in own if each.sealed or not each.optional), None)


def _run_of(game: AnyGame, round_: int, entries: Sequence[Entry]) -> Action:
    """Return the consecutive actions of the first entry's seat, joined.

    They end at a draw, at the end of the turn, and after the round.
    """
    first, actions = entries[0], list[Action]()
    for entry in entries:
        is_other = entry.seat != first.seat or entry.kind not in game.moves
        if is_other or game.moves[entry.kind].free:
            break
        actions.append(parse_action(entry.action))
        if entry.drawn or entry.kind == END or entry.round != round_:
            break
    return joined(*actions) if actions else parse_action(first.action)


def _evenly(items: Sequence[T], limit: int) -> Sequence[T]:
    """Return up to `limit` evenly spread items, including the first and the last."""
    if len(items) <= limit:
        return items
    return [items[round(place * (len(items) - 1) / (limit - 1))] for place in range(limit)]


async def _turning_point(
    search_pool: SearchPool, judgement: Judgement[Any], past: _PastDecision, seed: str, times: int
) -> TurningPoint | None:
    """Judge a decision; return None if the search found nothing better."""
    seat = past.decision.seat
    view = judgement.game.view(judgement.game.decode(past.state), seat)
    taken = tuple(dict.fromkeys((past.played, past.run)))
    try:
        best, *rest = await search_pool.weigh(
            judgement, view, past.decision, seed, nodes=times * judgement.nodes, also=taken
        )
    except IllegalAction:
        # From the seat's view, the action was not certain to be legal.
        return None
    if in_turn(best.action)[0] == past.played or not best.worlds:
        return None
    played = max((each for each in rest if each.action in taken), key=lambda each: each.chance)
    if played.chance >= best.chance:
        return None
    return TurningPoint(
        seq=past.seq,
        seat=seat,
        round=past.round,
        played=canonical(played.action),
        better=canonical(best.action),
        chance=played.chance,
        better_chance=best.chance,
        lead=played.lead,
        better_lead=best.lead,
    )
