"""The course of the game: who is asked what, and what follows once nothing is left to ask."""

from __future__ import annotations

from bot.game.burgundy.data import TILE_KEYS
from bot.game.burgundy.dice import WORKERS
from bot.game.burgundy.goods import LOAD, SELL, SHIPS, is_first_load, loadable
from bot.game.burgundy.placing import PLACE
from bot.game.burgundy.rounds import END, END_2, ROLL, play_order
from bot.game.burgundy.setup import BOARD, CASTLE
from bot.game.burgundy.state import (
    NONE,
    BurgundyOver,
    BurgundyState,
    Castles,
    Effect,
    Frame,
    Load,
    Roll,
)
from bot.game.burgundy.storing import BUY, TAKE
from bot.game.contract import Action, Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.frames import tag_of
from bot.game.grammar import EventRecorder, Rule, refuse, rule
from bot.game.turns import TurnLoop


class Declined(SeatEvent, frozen=True):
    """An effect its owner declined: of a building, or a ship's second load."""

    tile: str


class Lapsed(SeatEvent, frozen=True):
    """An effect that could not be used."""

    tile: str


# Declining what may be declined: the effect of a building (section 10), and the second load of a
# ship (section 11)


def _decline_gate(state: BurgundyState, seat: Seat) -> Refusal | None:
    return refuse("must_load", SHIPS) if is_first_load(state) else None


def _decline(state: BurgundyState, seat: Seat, recorder: EventRecorder) -> None:
    frame = state.frames.pop()
    recorder.tell(Declined(seat=seat, tile=_tile_of(frame)))


def _tile_of(frame: Frame) -> str:
    """The tile whose effect a frame asks for."""
    return TILE_KEYS[frame.building] if isinstance(frame, Effect) else "ship"


DECLINE: Rule[BurgundyState] = rule("decline", "buildings", _decline_gate, idle=True).does(_decline)


# Who is asked what

ASKED: dict[str, tuple[Rule[BurgundyState], ...]] = {
    "board": (BOARD,),
    "castle": (CASTLE,),
    "roll": (ROLL,),
    "turn": (PLACE, TAKE, SELL, WORKERS, BUY, END),
    "extra": (PLACE, TAKE, SELL, WORKERS),
    "warehouse": (SELL, DECLINE),
    "carpenter": (TAKE, DECLINE),
    "church": (TAKE, DECLINE),
    "market": (TAKE, DECLINE),
    "city_hall": (PLACE, DECLINE),
    "load": (LOAD, DECLINE),
    "over": (),
}
"""The kinds of action that answer each question, in the order shown."""
ASKED_2 = {**ASKED, "turn": (PLACE, TAKE, SELL, WORKERS, BUY, END_2)}
del ASKED_2["roll"]
"""The same in version 2 of the rules."""


class BurgundyTurns(TurnLoop[BurgundyState]):
    """The top frame asks; castles are chosen by all at once, and may be changed until revealed."""

    def question(self, state: BurgundyState) -> str:
        """The kind of question: the building's, where one has an effect."""
        frame = state.frames[-1]
        return TILE_KEYS[frame.building] if isinstance(frame, Effect) else tag_of(type(frame))

    def asked_seat(self, state: BurgundyState) -> Seat | None:
        """Whose turn it is, or will be once the round has been rolled."""
        if isinstance(state.frames[-1], (Castles, BurgundyOver)):
            return None
        if isinstance(state.frames[-1], Roll):
            return play_order(state)[0]
        return state.order[state.at]

    def choosing(self, state: BurgundyState) -> list[tuple[Seat, bool]]:
        """All, while castles are chosen."""
        frame = state.frames[-1]
        chosen = frame.chosen if isinstance(frame, Castles) else ()
        return [(seat, space != NONE) for seat, space in enumerate(chosen)]

    def carry_out(
        self,
        state: BurgundyState,
        seat: Seat,
        known: Rule[BurgundyState],
        action: Action,
        recorder: EventRecorder,
    ) -> None:
        """An effect that cannot be used lapses without a question (section 11).

        A second load, which is voluntary, lapses without an event.
        """
        known.perform(state, seat, recorder, *action[1:])
        while True:
            frame = state.frames[-1]
            if isinstance(frame, Effect):
                useful = ASKED[self.question(state)][0].gate(state, seat) is None
            elif isinstance(frame, Load):
                useful = bool(loadable(state, seat))
            else:
                return
            if useful:
                return
            if isinstance(frame, Effect) or is_first_load(state):
                recorder.tell(Lapsed(seat=seat, tile=_tile_of(frame)))
            state.frames.pop()


TURNS = BurgundyTurns(ASKED)
TURNS_2 = BurgundyTurns(ASKED_2)
