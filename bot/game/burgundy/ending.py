"""The end of the game: the last points, and who has won (rules: ending, ties)."""

from __future__ import annotations

from itertools import chain

from bot.game.burgundy.data import (
    CONTENT,
    TILE_OF_KEY,
    TILES,
    knowledge,
    members,
    numbers_for,
)
from bot.game.burgundy.state import (
    HANDS,
    LEFT,
    MONEY,
    NONE,
    POINTS,
    WISDOM,
    BurgundyOver,
    BurgundyState,
    knows_sold,
)
from bot.game.contract import Outcome, Seat
from bot.game.events import GameEnded, SeatEvent
from bot.game.grammar import EventRecorder

KINDS_SOLD, KINDS_OF_ANIMALS, GOODS_SOLD, BONUSES = 15, 24, 25, 26
"""The knowledge tiles that count something other than one building."""


class Scored(SeatEvent, frozen=True):
    """Points at the end; `item` is one of POINTS in state.py, from the seventh on."""

    item: str
    points: int


def bonus_tiles(state: BurgundyState, seat: Seat) -> list[tuple[int, int]]:
    """The colours of which the seat owns a bonus tile, and its points."""
    bonus = numbers_for(len(state.players)).bonus
    return [
        (colour, points)
        for colour, seats in enumerate(state.completed)
        for other, points in zip(seats, bonus, strict=False)
        if other == seat
    ]


def knowledge_points(state: BurgundyState, seat: Seat, number: int) -> int:
    """What a knowledge tile is worth at the end; 0 for one that counts nothing (rules:
    knowledge_points)."""
    player, tile = state.players[seat], knowledge(number)
    if tile.counts:
        return tile.amount * player.estate.count(TILE_OF_KEY[tile.counts])
    animals = {TILES[each].kind for each in player.estate if each != NONE} - {""}
    counts = {
        KINDS_SOLD: sum(map(bool, player.sold)),
        KINDS_OF_ANIMALS: len(animals),
        GOODS_SOLD: sum(player.sold),
        BONUSES: len(bonus_tiles(state, seat)),
    }
    return tile.amount * counts.get(number, 0)


def last_points(state: BurgundyState, seat: Seat) -> dict[int, int]:
    """The points of the end, by place in POINTS. Tiles in storage score nothing.

    Where an observer does not know what was sold, the points that depend on it are left out.
    """
    player = state.players[seat]
    return {
        LEFT: sum(player.goods),
        MONEY: player.silverlings,
        HANDS: player.workers // CONTENT.workers_a_point,
        WISDOM: sum(
            knowledge_points(state, seat, number)
            for number in members(player.knowledge)
            if number != KINDS_SOLD or knows_sold(player)
        ),
    }


def end_game(state: BurgundyState, recorder: EventRecorder) -> None:
    """Count what is left and end the game."""
    for seat, player in enumerate(state.players):
        for item, points in last_points(state, seat).items():
            player.points[item] += points
            recorder.tell(Scored(seat=seat, item=POINTS[item], points=points))
    ending = _ranking(state)[1]
    state.frames = [BurgundyOver(ending)]
    recorder.tell(GameEnded(ending=ending))


def _ranking(state: BurgundyState) -> tuple[Seat, str]:
    """The winner, and what decided it: points, else the estate, else the order on the track.

    Fullest: more covered spaces, then further ahead. Emptiest: fewer of them, then further back
    (ruling 29).
    """
    sign = -1 if state.rules.emptiest else 1
    ranked = sorted(
        (sum(player.points), sign * player.covered.bit_count(), sign * order, seat)
        for order, seat in enumerate(chain(*state.track))
        for player in (state.players[seat],)
    )
    *first, winner = ranked[-1]
    apart = zip(("points", "estate", "order"), first, ranked[-2], strict=False)
    return winner, next(name for name, best, second in apart if best != second)


def outcome(state: BurgundyState) -> Outcome | None:
    """The result, once the game is over; there is always one winner."""
    frame = state.frames[-1]
    if not isinstance(frame, BurgundyOver):
        return None
    by_seat = [player.points for player in state.players]
    lines = tuple(zip(POINTS, zip(*by_seat, strict=True), strict=True))
    return Outcome(frame.ending, (_ranking(state)[0],), tuple(map(sum, by_seat)), lines)
