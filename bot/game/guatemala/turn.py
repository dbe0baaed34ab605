"""The course of the game: who is asked what, and what follows once nothing is left to ask."""

from __future__ import annotations

from bot.game.contract import Action, Seat
from bot.game.events import TurnEnded
from bot.game.frames import frame_of, tag_of
from bot.game.grammar import EventRecorder, Rule, rule
from bot.game.guatemala.buying import BUY, fill_with_roads
from bot.game.guatemala.ending import end_if_met, end_if_stuck
from bot.game.guatemala.moving import MOVE, PASS
from bot.game.guatemala.sacks import BLOCK, REFILL, TAKE, asked_about_block
from bot.game.guatemala.setup import PLACE
from bot.game.guatemala.state import (
    UNANSWERED,
    Blocking,
    Buying,
    GuatemalaOver,
    GuatemalaState,
    Moving,
    any_time,
)
from bot.game.turns import TurnLoop


def _end(state: GuatemalaState, seat: Seat, recorder: EventRecorder) -> None:
    """The placing is over: roads fill the emptied spaces. After a block the end of the game is
    checked only now (ruling 35)."""
    frame = frame_of(state, Buying)
    fill_with_roads(state, recorder)
    state.idle = 0 if frame.emptied or frame.blocked else state.idle + 1
    state.frames = []
    if frame.blocked:
        end_if_met(state, recorder)


END: Rule[GuatemalaState] = rule("end", "buying", any_time).does(_end)

ASKED: dict[str, tuple[Rule[GuatemalaState], ...]] = {
    "place": (PLACE,),
    "step": (MOVE, PASS),
    "act": (BUY, TAKE, END),
    "block": (BLOCK,),
    "refill": (REFILL,),
    "over": (),
}
"""The kinds of action that answer each question, in the order shown."""


class GuatemalaTurns(TurnLoop[GuatemalaState]):
    """The top frame asks; about a block all others are asked at once, in secret."""

    def question(self, state: GuatemalaState) -> str:
        """The kind of the frame."""
        return tag_of(type(state.frames[-1]))

    def asked_seat(self, state: GuatemalaState) -> Seat | None:
        """Whose turn it is; None while others answer about a block and at the end."""
        if isinstance(state.frames[-1], (Blocking, GuatemalaOver)):
            return None
        return state.turn

    def choosing(self, state: GuatemalaState) -> list[tuple[Seat, bool]]:
        """Who answers about a block, and whether they have."""
        frame = state.frames[-1]
        if not isinstance(frame, Blocking):
            return []
        asked = asked_about_block(state)
        return [(seat, frame.answers[seat] != UNANSWERED) for seat in asked]

    def carry_out(
        self,
        state: GuatemalaState,
        seat: Seat,
        known: Rule[GuatemalaState],
        action: Action,
        recorder: EventRecorder,
    ) -> None:
        """Where nothing is left to ask the turn is over, and the next one begins."""
        known.perform(state, seat, recorder, *action[1:])
        if state.frames:
            return
        recorder.tell(TurnEnded(seat=state.turn))
        end_if_stuck(state, recorder)
        if not state.frames:
            state.turn = (state.turn + 1) % len(state.players)
            state.round += state.turn == state.first
            state.frames = [Moving()]


TURNS = GuatemalaTurns(ASKED)
