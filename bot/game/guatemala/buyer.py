"""The buyer: where they are put at the start, and the steps with which a turn begins."""

from __future__ import annotations

from bot.game.choices import Grouping, OneOf
from bot.game.contract import Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.grammar import EventRecorder, Rule, refuse, rule
from bot.game.guatemala.data import CONTENT, POSITION_NAMES, POSITION_OF_NAME, POSITIONS
from bot.game.guatemala.state import Buying, GuatemalaState, Moving

STEPS = tuple(map(str, range(1, CONTENT.steps + 2)))
"""The number of spaces that the buyer moves, as words; the last costs money."""
_ALL, _FREE = OneOf("steps", STEPS), OneOf("steps", STEPS[:-1])
_ANYWHERE = OneOf("position", POSITION_NAMES, (Grouping("edge", lambda position: position[0]),))


class BuyerPlaced(SeatEvent, frozen=True):
    """A seat has put the buyer on their first position."""

    position: str


class BuyerMoved(SeatEvent, frozen=True):
    """The buyer has moved so many spaces to a position, for so many centavos."""

    steps: int
    position: str
    paid: int


class Passed(SeatEvent, frozen=True):
    """A seat does not move the buyer and so gives up its turn."""


def _put(state: GuatemalaState, seat: Seat, recorder: EventRecorder, position: str) -> None:
    state.buyer = POSITION_OF_NAME[position]
    recorder.tell(BuyerPlaced(seat=seat, position=position))
    state.turn = state.first
    state.round = 1
    state.frames = [Moving()]


def step_cost(steps: int) -> int:
    """What so many spaces cost in centavos."""
    return CONTENT.fourth_step if steps > CONTENT.steps else 0


def _steps(state: GuatemalaState, seat: Seat) -> OneOf:
    """One to three, or four for money (rulings 3 and 4)."""
    return _ALL if state.players[seat].money >= CONTENT.fourth_step else _FREE


def _why_not(state: GuatemalaState, seat: Seat, word: str) -> Refusal:
    money, price = state.players[seat].money, step_cost(int(word))
    return refuse("fourth_step_unpaid", money=money, price=price)


def _move(state: GuatemalaState, seat: Seat, recorder: EventRecorder, word: str) -> None:
    steps = int(word)
    paid = step_cost(steps)
    state.players[seat].money -= paid
    state.buyer = (state.buyer + steps) % POSITIONS
    state.still = 0
    state.frames = [Buying()]
    position = POSITION_NAMES[state.buyer]
    recorder.tell(BuyerMoved(seat=seat, steps=steps, position=position, paid=paid))


def _pass(state: GuatemalaState, seat: Seat, recorder: EventRecorder) -> None:
    """Without a step the whole turn is over (ruling 3)."""
    recorder.tell(Passed(seat=seat))
    state.still += 1
    state.idle += 1
    state.frames = []


PUT: Rule[GuatemalaState] = (
    rule("place", "setup")
    # Any of the 36 (ruling 41).
    .word("position", lambda state, seat: _ANYWHERE)
    .does(_put)
)
MOVE: Rule[GuatemalaState] = (
    rule("move", "moving").word("steps", _steps, _why_not, STEPS).does(_move)
)
PASS: Rule[GuatemalaState] = rule("pass", "moving", skips=True).does(_pass)
