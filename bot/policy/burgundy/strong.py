"""How the strong player of The Castles of Burgundy thinks: to the end of the next round."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.burgundy import GAME
from bot.game.burgundy.data import (
    BOARDS,
    CONTENT,
    LAST_ROUND,
    MINE,
    PHASES,
    TILES_OF,
    Board,
    numbers_for,
)
from bot.game.burgundy.ending import last_points
from bot.game.burgundy.state import BurgundyOver, BurgundyPlayer, BurgundyState, phase_of
from bot.game.burgundy.view import BurgundyView
from bot.game.contract import Action, Decision, Seat
from bot.policy.burgundy.greedy import greedy
from bot.policy.burgundy.menu import menu
from bot.policy.burgundy.weights import NORMAL
from bot.policy.contract import Legal
from bot.policy.search import Mind, by_view

MOST = 8
"""Actions that are thought about."""
SOON = 5
"""In the last part of the game, one in so many, what is kept to be used later loses its worth."""
SILVERLING, WORKER, STORED = 0.3, 0.5, 3.5
"""What these are worth over their points at the end, while they can be used; the last, a tile in
storage."""
GOODS, A_SALE = 0.3, 0.7
"""What goods are worth: so much, and so much of the points that each brings when it is sold."""
MINE_PAYS = 1.3
"""A mine, for each phase to come."""
GOAL, CURVE, ROOM = 0.8, 1.5, 1.2
"""The part of a region's points that its covered spaces promise, which grows with this power of
their share; while there is time to cover this many times the empty ones."""
COVERED = 1.2
"""A covered space at the beginning: what it opens, and how near it brings colours."""
CLOSE, OPEN = 8.0, 12.0
"""The points by which leads are told apart at the end, and those more at the beginning."""

_MINE = TILES_OF[MINE][0]
_EARLY = tuple((int(key[1:]), worth) for key, worth in NORMAL.early.items())


def candidates(view: BurgundyView, decision: Decision, legal: Legal) -> Sequence[Action]:
    """The best of what people are offered."""
    return menu(view, decision, legal)[:MOST]


def value(state: BurgundyState) -> Sequence[float]:
    """Points scored, and what there is promises to bring."""
    return [_value(state, seat, player) for seat, player in enumerate(state.players)]


def spread(state: BurgundyState) -> float:
    """Less and less can change."""
    return CLOSE + OPEN * (LAST_ROUND - state.round) / LAST_ROUND


def _value(state: BurgundyState, seat: Seat, player: BurgundyPlayer) -> float:
    total = float(sum(player.points))
    if isinstance(state.frames[-1], BurgundyOver):
        return total
    left = (LAST_ROUND - state.round) / LAST_ROUND
    sale = numbers_for(len(state.players)).sale_points
    kept = (
        SILVERLING * player.silverlings
        + WORKER * player.workers
        + (GOODS + A_SALE * sale) * sum(player.goods)
        + STORED * len(player.storage)
    )
    total += sum(last_points(state, seat).values()) + min(1.0, SOON * left) * kept
    total += MINE_PAYS * player.estate.count(_MINE) * (PHASES - phase_of(state))
    total += left * COVERED * player.covered.bit_count()
    total += left * sum(worth for number, worth in _EARLY if player.knowledge >> number & 1)
    board = BOARDS.get(player.board)
    return total if board is None else total + _promised(state, player, board)


def _promised(state: BurgundyState, player: BurgundyPlayer, board: Board) -> float:
    """By the regions that can still be completed; most often not before the next phase."""
    bonus = CONTENT.phase_points[min(phase_of(state) + 1, PHASES - 1)]
    time, total = LAST_ROUND - state.round, 0.0
    for region in board.regions:
        empty, size = (region.mask & ~player.covered).bit_count(), len(region.spaces)
        if empty and ROOM * empty <= time:
            total += GOAL * (region.points + bonus) * ((size - empty) / size) ** CURVE
    return total


MIND = Mind(
    game=GAME,
    module=__name__,
    candidates=candidates,
    quick=by_view(GAME, greedy),
    rounds=1,
    value=value,
    spread=spread,
    nodes=300,
)
"""Everything a search needs of the game."""
