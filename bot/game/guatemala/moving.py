"""The step of the buyer, with which a turn begins (section 4)."""

from __future__ import annotations

from bot.game.choices import OneOf
from bot.game.contract import Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.grammar import EventRecorder, Rule, refuse, rule
from bot.game.guatemala.data import CONTENT
from bot.game.guatemala.production import POSITION_NAMES, POSITIONS
from bot.game.guatemala.state import Buying, GuatemalaState, any_time

TOPIC = "moving"

STEPS = tuple(map(str, range(1, CONTENT.steps + 2)))
"""The number of spaces that the buyer moves, as words; the last costs money."""
_ALL, _FREE = OneOf("steps", STEPS), OneOf("steps", STEPS[:-1])


class BuyerMoved(SeatEvent, frozen=True):
    """The buyer has moved so many spaces to a position, for so many centavos."""

    steps: int
    position: str
    paid: int


class Passed(SeatEvent, frozen=True):
    """A seat does not move the buyer and so gives up its turn."""


def cost_of(steps: int) -> int:
    """What so many spaces cost in centavos."""
    return CONTENT.fourth_step if steps > CONTENT.steps else 0


def _steps(state: GuatemalaState, seat: Seat) -> OneOf:
    """One to three, or four for money (rulings 3 and 4)."""
    return _ALL if state.players[seat].money >= CONTENT.fourth_step else _FREE


def _move(state: GuatemalaState, seat: Seat, recorder: EventRecorder, steps: str) -> None:
    paid = cost_of(int(steps))
    state.players[seat].money -= paid
    state.buyer = (state.buyer + int(steps)) % POSITIONS
    state.still = 0
    state.frames = [Buying()]
    position = POSITION_NAMES[state.buyer]
    recorder.tell(BuyerMoved(seat=seat, steps=int(steps), position=position, paid=paid))


def _why_not(state: GuatemalaState, seat: Seat, word: str) -> Refusal:
    return refuse("fourth_step_unpaid", money=state.players[seat].money, price=cost_of(int(word)))


MOVE: Rule[GuatemalaState] = (
    rule("move", TOPIC, any_time).word("steps", _steps, _why_not, STEPS).does(_move)
)


def _pass(state: GuatemalaState, seat: Seat, recorder: EventRecorder) -> None:
    """Without a step the whole turn is over (ruling 3)."""
    recorder.tell(Passed(seat=seat))
    state.still += 1
    state.idle += 1
    state.frames = []


PASS: Rule[GuatemalaState] = rule("pass", TOPIC, any_time, skips=True).does(_pass)
