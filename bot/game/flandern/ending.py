"""The end of the game, and who has won (8, 9.9 and 9.10)."""

from __future__ import annotations

from bot.game.contract import Outcome, Seat
from bot.game.events import GameEnded
from bot.game.flandern.city import hopes
from bot.game.flandern.data import CONTENT
from bot.game.flandern.plan import CITIES
from bot.game.flandern.scoring import cover_free, score_bonus, score_full
from bot.game.flandern.state import (
    FlandernOver,
    FlandernState,
    cities_in_play,
    open_cities,
    two_players,
)
from bot.game.grammar import EventRecorder


def why_over(state: FlandernState) -> str:
    """How the game ends after this round, or turn of two players; "" where it goes on."""
    free = sum(city.free.bit_count() for city in open_cities(state))
    if two_players(state):
        if not free:
            return "full"
        if _controlled_alone(state):
            return "controlled"
        return "standstill" if state.idle >= CONTENT.turns_without_building else ""
    if free <= 1:
        return "full"
    return "" if any(map(sum, state.golden)) else "deck"


def _controlled_alone(state: FlandernState) -> bool:
    """Whether only the guilds under influence could come to any free plot (ruling 43)."""
    controlled = {player.controlled for player in state.players}
    return not any(
        plots
        for city in open_cities(state)
        for emblem, plots in enumerate(hopes(city, state.stock))
        if emblem not in controlled
    )


def end_game(state: FlandernState, ending: str, recorder: EventRecorder) -> None:
    """Cover what is free, score what is left, and the bonus; two players have none (9.10)."""
    cover_free(state, recorder)
    score_full(state, recorder)
    state.bonus = [0] * len(state.players)
    if not two_players(state):
        score_bonus(state, recorder)
    state.frames = [FlandernOver(ending)]
    recorder.tell(GameEnded(ending=ending))


def points_in(state: FlandernState, seat: Seat, city: int) -> int:
    """What a seat has scored in a city, of two players with both of its guilds."""
    return sum(state.points[guild][city] for guild in state.players[seat].guilds)


def score_of(state: FlandernState, seat: Seat) -> int:
    """All points of a seat."""
    bonus = state.bonus[seat] if state.bonus else 0
    return bonus + sum(sum(state.points[guild]) for guild in state.players[seat].guilds)


def outcome(state: FlandernState) -> Outcome | None:
    """The result, once the game is over: most points, shared where they are equal."""
    frame = state.frames[-1]
    if not isinstance(frame, FlandernOver):
        return None
    seats = range(len(state.players))
    scores = tuple(score_of(state, seat) for seat in seats)
    lines = [
        (CITIES[city.number], tuple(points_in(state, seat, city.number) for seat in seats))
        for city in cities_in_play(state)
    ]
    if not two_players(state):
        lines.append(("bonus", tuple(state.bonus)))
    winners = tuple(seat for seat in seats if scores[seat] == max(scores))
    return Outcome(frame.ending, winners, scores, tuple(lines))
