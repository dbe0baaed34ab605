"""The review of a finished game: every seat's chances by turn, and its turning points.

It is worked out of the whole game, but what a seat decided is judged by what that seat could know.
All budgets are numbers of actions tried, so that the same game and seed give the same review on
every machine. It holds no language: figures, seats, numbers of log entries, and actions.
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
from bot.policy.search import Considered
from bot.thinking.pool import SearchPool
from bot.workers import in_thread

MOMENTS = 60
"""Moments at which chances are told, at most."""
DECISIONS = 300
"""Decisions that are looked at, at most."""
AGAIN = 20
"""Those that seem to have cost most are thought about again."""
SHOWN = 5
"""Turning points."""
LEAST = 0.03
"""A decision that has cost less of a chance is none."""
TOGETHER = 6
"""Actions in a row, at most, that a seat is taken to have meant as one."""
FIRST, SURE, CHANCES = 1, 10, 3
"""The budgets of a decision, of one thought about again, and of a moment, in those by which the
judgement is measured."""
NEIGHBOURS = (3, 2, 1)
"""How much a moment counts for its own chances, the next ones, and those after them."""
PAUSE_S = 0.02
"""Between two thoughts others are served."""

T = TypeVar("T")


PastStep = tuple[Entry, bytes]
"""A log entry that was not taken back, and the encoded state after it."""


class Moment(msgspec.Struct, frozen=True, gc=False):
    """How likely each seat was to win about log entry `seq`, 1 in all; in which round."""

    seq: int
    round: int
    chances: tuple[float, ...]


class TurningPoint(msgspec.Struct, frozen=True, gc=False):
    """What a seat `played` after log entry `seq`, what was `better`, and the seat's chance, and
    its lead in what the judgement counts, with each. Actions are canonical."""

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
        """The chance that was lost."""
        return self.better_chance - self.chance


class Review(msgspec.Struct, frozen=True):
    """Both in the order of the game."""

    moments: tuple[Moment, ...]
    turning_points: tuple[TurningPoint, ...]


def encode(review: Review) -> bytes:
    """The review as it is kept."""
    return msgspec.json.encode(review)


def decode(blob: bytes) -> Review | None:
    """The review that `encode` wrote; None for one that another version wrote otherwise."""
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
    """Works it out; tells meanwhile how much is done, 0 to 1. Raises SearchUnavailable."""
    plan = await in_thread(_plan, judgement.game, steps)
    done, in_all = 0, len(plan.moments) + len(plan.decided) + AGAIN

    async def rest() -> None:
        nonlocal done
        done += 1
        progress(min(done / in_all, 1.0))
        await asyncio.sleep(PAUSE_S)

    moments: list[Moment] = []
    for seq, round_, state in plan.moments:
        # The same luck for all of them: what differs is the game.
        chances = await search_pool.forecast(
            judgement, state, seed, nodes=CHANCES * judgement.nodes
        )
        moments.append(Moment(seq, round_, tuple(chances)))
        await rest()
    # Of what a seat does in its turn, that which seems to have cost most: a mistake shows for as
    # long as it can be made good.
    suspects: dict[tuple[Seat, int], tuple[float, _Decided]] = {}
    for each in plan.decided:
        found = await _judged(search_pool, judgement, each, f"{seed} {each.seq}", FIRST)
        if found is not None:
            turn = found.seat, found.round
            if turn not in suspects or suspects[turn][0] < found.loss:
                suspects[turn] = found.loss, each
        await rest()
    turning_points: list[TurningPoint] = []
    for _loss, each in sorted(suspects.values(), key=lambda suspect: -suspect[0])[:AGAIN]:
        found = await _judged(search_pool, judgement, each, f"{seed} {each.seq} again", SURE)
        if found is not None and found.loss >= LEAST:
            turning_points.append(found)
        await rest()
    worst = sorted(turning_points, key=lambda point: -point.loss)[:SHOWN]
    return Review(_smoothed(moments), tuple(sorted(worst, key=lambda point: point.seq)))


class _Decided(NamedTuple):
    """A decision, the log entry before it, the round and the state then, and what the seat did: the
    first of its actions, and all that it did in a row."""

    seq: int
    round: int
    decision: Decision
    state: bytes
    played: Action
    together: Action


class _Plan(NamedTuple):
    moments: Sequence[tuple[int, int, bytes]]
    decided: Sequence[_Decided]


def _plan(game: AnyGame, steps: Sequence[PastStep]) -> _Plan:
    """What is to be thought about: moments at which others are awaited, and what was decided."""
    moments: list[tuple[int, int, bytes]] = []
    decided: list[_Decided] = []
    sealed: dict[tuple[Seat, str], int] = {}
    to_act: object = None
    for place, ((entry, blob), then) in enumerate(zip(steps, [*steps[1:], None], strict=True)):
        state = game.decode(blob)
        pending = game.pending(state)
        now = entry.round, [each.seat for each in pending if not each.optional]
        if now != to_act or then is None:
            moments.append((entry.seq, entry.round, blob))
        to_act = now
        decision = then and _answered(game, pending, then[0])
        if then is None or not decision:
            continue
        key, played = (then[0].seat, decision.id), parse_action(then[0].action)
        if decision.optional and decision.sealed:
            # An answer that was changed: the last one counts.
            if key in sealed:
                first = decided[sealed[key]]
                decided[sealed[key]] = first._replace(played=played, together=played)
            continue
        if decision.sealed:
            sealed[key], together = len(decided), played
        else:
            later = [each for each, _ in steps[place + 1 :][:TOGETHER]]
            together = _together(game, entry.round, later)
        decided.append(_Decided(entry.seq, entry.round, decision, blob, played, together))
    return _Plan(_evenly(moments, MOMENTS), _evenly(decided, DECISIONS))


def _smoothed(moments: Sequence[Moment]) -> tuple[Moment, ...]:
    """Each with what its neighbours tell: who has just drawn well is not so much better off. The
    last one is how the game ended."""
    smooth: list[Moment] = []
    for place, each in enumerate(moments):
        reach = min(len(NEIGHBOURS) - 1, place, len(moments) - 1 - place)
        near = [
            (NEIGHBOURS[abs(by)], moments[place + by].chances) for by in range(-reach, reach + 1)
        ]
        total = sum(weight for weight, _ in near)
        seats = range(len(each.chances))
        chances = (sum(weight * there[seat] for weight, there in near) / total for seat in seats)
        smooth.append(replace(each, chances=tuple(chances)))
    return tuple(smooth)


def _answered(game: AnyGame, pending: Sequence[Decision], entry: Entry) -> Decision | None:
    """The decision that an action answers; None where it is a proposal, or none of the game's."""
    if entry.kind not in game.moves:
        return None
    mine = [each for each in pending if each.seat == entry.seat]
    if entry.kind in (ACCEPT, DECLINE):
        offers = (each for each in mine if each.kind == ANSWER)
        words = parse_action(entry.action)
        return next((each for each in offers if offer_of(each) in words[1:]), None)
    if game.moves[entry.kind].free:
        return None
    return next((each for each in mine if each.sealed or not each.optional), None)


def _together(game: AnyGame, began: int, entries: Sequence[Entry]) -> Action:
    """What the seat of the first entry did in a row, up to a draw, in its turn and in the round
    that had begun."""
    first, actions = entries[0], list[Action]()
    for entry in entries:
        is_other = entry.seat != first.seat or entry.kind not in game.moves
        if is_other or game.moves[entry.kind].free:
            break
        actions.append(parse_action(entry.action))
        if entry.drawn or entry.kind == END or entry.round != began:
            break
    return joined(*actions) if actions else parse_action(first.action)


def _evenly(found: Sequence[T], most: int) -> Sequence[T]:
    """At most so many of them, the first and the last among them."""
    if len(found) <= most:
        return found
    return [found[round(place * (len(found) - 1) / (most - 1))] for place in range(most)]


async def _judged(
    search_pool: SearchPool, judgement: Judgement[Any], each: _Decided, seed: str, times: int
) -> TurningPoint | None:
    """What the decision has cost; None where nothing better was found."""
    seat = each.decision.seat
    view = judgement.game.view(judgement.game.decode(each.state), seat)
    did = tuple(dict.fromkeys((each.played, each.together)))
    try:
        best, *rest = await search_pool.weigh(
            judgement, view, each.decision, seed, nodes=times * judgement.nodes, also=did
        )
    except IllegalAction:
        # By what the seat could know, that was not certain to be possible.
        return None
    if in_turn(best.action)[0] == each.played or not best.worlds:
        return None
    played = max((one for one in rest if one.action in did), key=_chance)
    if played.chance >= best.chance:
        return None
    return TurningPoint(
        seq=each.seq,
        seat=seat,
        round=each.round,
        played=canonical(played.action),
        better=canonical(best.action),
        chance=played.chance,
        better_chance=best.chance,
        lead=played.lead,
        better_lead=best.lead,
    )


def _chance(considered: Considered) -> float:
    return considered.chance
