"""Dice: those left to use, their changes by workers, and workers for a die (rules: workers)."""

from __future__ import annotations

from collections.abc import Callable

from bot.game.burgundy.data import CONTENT, KINDS, SIDES, distance
from bot.game.burgundy.state import BurgundyPlayer, BurgundyState, Turn, brings
from bot.game.choices import OneOf
from bot.game.contract import Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.grammar import EventRecorder, Rule, RuleBuilder, refuse, rule

ANY = 0
"""The die of an effect: it has any value, so it is never changed."""
_ANY_DIE = (ANY,)
DIE_WORDS = ("any", *(str(side + 1) for side in range(SIDES)))
DIE_OF_WORD = {word: die for die, word in enumerate(DIE_WORDS)}

NO_FREE_STEP = 0
"""In place of the number of a knowledge tile that gives a free step."""
_FURTHEST = SIDES // 2
_LONG_STEP = 8
_LONG_STEPS = KINDS[f"k{_LONG_STEP}"].amount


class WorkersTaken(SeatEvent, frozen=True):
    """A die was given for workers."""

    die: str
    workers: int
    silverlings: int


def dice(state: BurgundyState) -> tuple[int, ...]:
    """The different dice that can be used now; ANY alone for an effect."""
    frame = state.frames[-1]
    if not isinstance(frame, Turn):
        return _ANY_DIE
    left = frame.left
    return tuple(left[1:] if len(left) == 2 and left[0] == left[1] else left)


def reach(player: BurgundyPlayer, free: int = NO_FREE_STEP) -> int:
    """How many steps the player can change a die, three at most for all numbers (rules: workers).

    Tile 8 makes it two steps a worker. `free` is the number of the tile that gives a step for
    nothing, which adds to those paid and stays one step with tile 8 (ruling 15).
    """
    owned = player.knowledge
    a_worker = _LONG_STEPS if owned >> _LONG_STEP & 1 else 1
    steps = player.workers * a_worker + (owned >> free & 1)
    return steps if steps < _FURTHEST else _FURTHEST


def workers_for(player: BurgundyPlayer, die: int, number: int, free: int = NO_FREE_STEP) -> int:
    """The fewest workers that change a die to the number."""
    if die == ANY:
        return 0
    steps = distance(die, number) - (player.knowledge >> free & 1)
    return max(0, -(-steps // brings(player, _LONG_STEP, otherwise=1)))


def use_die(
    state: BurgundyState, player: BurgundyPlayer, die: int, number: int, free: int = NO_FREE_STEP
) -> int:
    """Use up the die, or the effect that stood for one, and the workers that change it to the
    number. Returns how many."""
    frame, spent = state.frames[-1], workers_for(player, die, number, free)
    if isinstance(frame, Turn):
        frame.left.remove(die)
        player.workers -= spent
    else:
        state.frames.pop()
    return spent


def too_far(player: BurgundyPlayer, die: str, number: int, free: int = NO_FREE_STEP) -> Refusal:
    """The refusal of a number for which a die would need more workers than there are."""
    count = workers_for(player, DIE_OF_WORD[die], number, free)
    return refuse("needs_workers", die=die, number=number, count=count, workers=player.workers)


def rule_with_die(
    kind: str,
    topic: str,
    can: Callable[[BurgundyState, BurgundyPlayer, int], object],
    *,
    useless: str = "",
    lacking: str = "",
    has: Callable[[BurgundyPlayer], object] = lambda player: True,
    idle: bool = False,
) -> RuleBuilder[BurgundyState, str]:
    """Start the rule of an action with a die: one with which the player `can` do something.

    Where there is none the refusal is `lacking`, if the player does not have what it takes with
    any die; otherwise that no die is left, or `useless`.
    """

    def gate(state: BurgundyState, seat: Seat) -> Refusal | None:
        player, frame = state.players[seat], state.frames[-1]
        left = frame.left if isinstance(frame, Turn) else _ANY_DIE
        for die in left:
            if can(state, player, die):
                return None
        if not has(player):
            return refuse(lacking)
        return refuse(useless if left else "dice_used")

    def able(state: BurgundyState, seat: Seat) -> OneOf:
        player = state.players[seat]
        words = [DIE_WORDS[die] for die in dice(state) if can(state, player, die)]
        return OneOf("die", tuple(words))

    return rule(kind, topic, gate, idle=idle).word("die", able, _why_not_die, DIE_OF_WORD)


def _why_not_die(state: BurgundyState, seat: Seat, word: str) -> Refusal:
    """A die is not available, or there is nothing that it could do."""
    there = DIE_OF_WORD[word] in dice(state)
    return refuse("die_useless" if there else "no_such_die", die=word)


# A die for workers

PAYMASTER, CREW = 13, 14
"""The knowledge tiles that add a silverling, and that give more workers."""


def gain(player: BurgundyPlayer) -> tuple[int, int]:
    """The workers and silverlings that the player gets for a die."""
    return brings(player, CREW, CONTENT.die_workers), brings(player, PAYMASTER)


def _workers(state: BurgundyState, seat: Seat, recorder: EventRecorder, die: str) -> None:
    player, number = state.players[seat], DIE_OF_WORD[die]
    use_die(state, player, number, number)
    workers, silverlings = gain(player)
    player.workers += workers
    player.silverlings += silverlings
    recorder.tell(WorkersTaken(seat=seat, die=die, workers=workers, silverlings=silverlings))


WORKERS: Rule[BurgundyState] = rule_with_die("workers", "workers", lambda *_: True, idle=True).does(
    _workers
)
