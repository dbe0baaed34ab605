"""The end of the game, and who has won (section 7)."""

from __future__ import annotations

from bot.game.contract import Outcome
from bot.game.events import GameEnded
from bot.game.grammar import EventRecorder
from bot.game.guatemala.data import COLOUR_KEYS, CONTENT, EMPTY
from bot.game.guatemala.production import FRAMED
from bot.game.guatemala.state import GuatemalaOver, GuatemalaState


def end_if_met(state: GuatemalaState, recorder: EventRecorder) -> None:
    """After an action b: end where a marker has met the sacks, or no sack lies on the production
    board (rulings 31a and 35)."""
    last_sack = state.rules.track + 1 - len(state.track)
    if max(sum(player.points) for player in state.players) >= last_sack:
        _end(state, "met", recorder)
    elif all(state.production[space] == EMPTY for space in FRAMED):
        _end(state, "no_sacks", recorder)


def end_if_stuck(state: GuatemalaState, recorder: EventRecorder) -> None:
    """After a turn: end where nobody moves the buyer or takes anything any more (ruling 6)."""
    if state.still == len(state.players):
        _end(state, "no_steps", recorder)
    elif state.idle == CONTENT.turns_without_piece:
        _end(state, "idle", recorder)


def _end(state: GuatemalaState, ending: str, recorder: EventRecorder) -> None:
    state.frames = [GuatemalaOver(ending)]
    recorder.tell(GameEnded(ending=ending))


def outcome(state: GuatemalaState) -> Outcome | None:
    """The result, once the game is over: most points, then most money, then shared (ruling 38)."""
    frame = state.frames[-1]
    if not isinstance(frame, GuatemalaOver):
        return None
    ranks = [(sum(player.points), player.money) for player in state.players]
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
    lines = tuple(
        (key, tuple(player.points[colour] for player in state.players))
        for colour, key in enumerate(COLOUR_KEYS)
    )
    return Outcome(frame.ending, winners, tuple(points for points, _ in ranks), lines)
