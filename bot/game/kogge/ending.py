"""The end of the game: five development points, or the guild master's second lap."""

from __future__ import annotations

from bot.game.contract import Outcome, Seat
from bot.game.events import GameEnded
from bot.game.grammar import EventRecorder
from bot.game.kogge.common import development_points, offices_of
from bot.game.kogge.data import CONTENT, GOODS
from bot.game.kogge.state import KoggeOver, KoggeState

Lines = tuple[tuple[str, tuple[int, ...]], ...]
"""Rows of a result: an item's name and its points by seat."""


def end_game(state: KoggeState, ending: str, recorder: EventRecorder) -> None:
    """Stop at once; open offers are void."""
    state.frames = [KoggeOver(ending)]
    state.offers = []
    recorder.tell(GameEnded(ending=ending))


def end_if_developed(state: KoggeState, seat: Seat, recorder: EventRecorder) -> bool:
    """End the game if the seat has five development points; returns whether it did."""
    if development_points(state, seat) < CONTENT.development_points_to_win:
        return False
    end_game(state, "development", recorder)
    return True


def outcome(state: KoggeState) -> Outcome | None:
    """The result: by development points where somebody reached five, else by victory points."""
    frame = state.frames[-1]
    if not isinstance(frame, KoggeOver):
        return None
    seats = range(len(state.players))
    if frame.ending == "development":
        points = tuple(development_points(state, seat) for seat in seats)
        lines: Lines = (
            ("offices", tuple(offices_of(state, seat) for seat in seats)),
            ("chits", tuple(sum(player.chits) for player in state.players)),
        )
        winners = tuple(seat for seat in seats if points[seat] >= CONTENT.development_points_to_win)
        return Outcome(frame.ending, winners, points, lines)
    lines = _victory_lines(state)
    scores = tuple(sum(row[seat] for _, row in lines) for seat in seats)
    winners = tuple(seat for seat in seats if scores[seat] == max(scores))
    return Outcome(frame.ending, winners, scores, lines)


def points_so_far(state: KoggeState, seat: Seat) -> int:
    """A seat's victory points if the game ended now, without goods that are hidden on its ship."""
    return sum(row[seat] for _, row in _victory_lines(state))


def _victory_lines(state: KoggeState) -> Lines:
    """Offices, chits, unused Raids in hand, and goods on the ship or in own offices."""
    value = CONTENT.victory_points
    seats = range(len(state.players))
    goods = [list(player.goods) or [0] * GOODS for player in state.players]
    for city in state.cities:
        for office in city.offices:
            for good, count in enumerate(office.goods):
                goods[office.seat][good] += count
    rows = [
        ("offices", tuple(value.office * offices_of(state, seat) for seat in seats)),
        ("chits", tuple(value.chit * sum(player.chits) for player in state.players)),
        ("raids", tuple(value.raid * player.raids for player in state.players)),
    ]
    for index, kind in enumerate(CONTENT.goods):
        rows.append((kind.key, tuple(kind.points * goods[seat][index] for seat in seats)))
    return tuple(rows)
