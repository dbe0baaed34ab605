"""Taking a sack: money, the block, the harvest, and a new sack in its place (section 6)."""

from __future__ import annotations

from bot.game.choices import OneOf
from bot.game.contract import Event, Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse, rule
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    COLOUR_OF_KEY,
    CONTENT,
    EMPTY,
    SACK,
    colour_of,
    kind_of,
    piece,
)
from bot.game.guatemala.ending import end_if_met
from bot.game.guatemala.production import SPACE_NAMES, line_of
from bot.game.guatemala.scoring import harvest
from bot.game.guatemala.setup import draw
from bot.game.guatemala.state import (
    BLOCKS,
    LETS,
    NONE,
    UNANSWERED,
    Blocking,
    Buying,
    GuatemalaState,
    Refilling,
    any_time,
)
from bot.game.sides import clockwise

TOPIC = "sacks"


class SackTaken(SeatEvent, frozen=True):
    """A sack taken from a space of the production board to one of the score track."""

    colour: str
    space: str
    at: int
    money: int


class BlockAnswered(SeatEvent, frozen=True):
    """A seat's answer about a block, ``yes`` or ``no``, heard by it alone."""

    answer: str


class Blocked(SeatEvent, frozen=True):
    """A seat has put a sack of its own on the emptied space, so nobody scores."""

    colour: str
    space: str


class NotBlocked(Event, frozen=True):
    """Nobody blocks."""


class Refilled(SeatEvent, frozen=True):
    """A sack of the hand put on the emptied space."""

    colour: str
    space: str


class RefilledBlindly(SeatEvent, frozen=True):
    """A sack of the bag put there, as the hand is empty."""

    colour: str
    space: str


class LeftEmpty(SeatEvent, frozen=True):
    """There is no sack left to put there."""

    space: str


# Taking


def sack_space(state: GuatemalaState) -> int:
    """The space of the line's sack, NONE without one; no line has two framed spaces."""
    line = line_of(state.buyer)
    return next((space for space in line if kind_of(state.production[space]) == SACK), NONE)


def _take_gate(state: GuatemalaState, seat: Seat) -> Refusal | None:
    frame = frame_of(state, Buying)
    if frame.blocked:
        return refuse("blocked_no_sack", "block")
    if frame.emptied:
        return refuse("already_bought")
    return refuse("no_sack") if sack_space(state) == NONE else None


def _take(state: GuatemalaState, seat: Seat, recorder: EventRecorder) -> None:
    space = sack_space(state)
    colour = colour_of(state.production[space])
    state.production[space] = EMPTY
    state.track.append(colour)
    state.players[seat].money += CONTENT.harvest_money
    state.idle = 0
    recorder.tell(
        SackTaken(
            seat=seat,
            colour=COLOUR_KEYS[colour],
            space=SPACE_NAMES[space],
            at=state.rules.track + 1 - len(state.track),
            money=CONTENT.harvest_money,
        )
    )
    state.frames = [Blocking(space, colour, [UNANSWERED] * len(state.players))]


TAKE: Rule[GuatemalaState] = rule("take", TOPIC, _take_gate).does(_take)


# The block: everybody else is asked, so that being asked tells nothing (ruling 32)


def asked_about_block(state: GuatemalaState) -> list[Seat]:
    """Every seat but the one on turn, from its left (section 6.3)."""
    return list(clockwise(state.turn, len(state.players))[1:])


YES, NO = "yes", "no"
ANSWERS = {NO: LETS, YES: BLOCKS}
"""An answer about a block as a word. They are words of one action, as its kind may be known."""


def _answers(state: GuatemalaState, seat: Seat) -> OneOf:
    """Yes only with a sack of the same colour."""
    has = state.players[seat].hand[frame_of(state, Blocking).colour]
    return OneOf("answer", (YES, NO) if has else (NO,))


def _block(state: GuatemalaState, seat: Seat, recorder: EventRecorder, answer: str) -> None:
    """A sealed answer. The first in order to block ends the asking; whoever is later, and whoever
    would have blocked as well, is not told of."""
    frame = frame_of(state, Blocking)
    frame.answers[seat] = ANSWERS[answer]
    for other in asked_about_block(state):
        if frame.answers[other] == UNANSWERED:
            recorder.tell(BlockAnswered(seat=seat, answer=answer, only=(seat,)))
            return
        if frame.answers[other] == BLOCKS:
            # Nobody scores; instead the seat on turn buys from the same line (rulings 33 and 34).
            state.decision += 1
            _lay(state, other, frame.space, frame.colour, Blocked, recorder)
            state.frames = [Buying(blocked=True)]
            return
    state.decision += 1
    recorder.tell(NotBlocked())
    harvest(state, frame.colour, recorder)
    _put_sack(state, frame.space, recorder)


def _why_not_answer(state: GuatemalaState, seat: Seat, word: str) -> Refusal:
    colour = frame_of(state, Blocking).colour
    return refuse("no_sack_to_block", colour=COLOUR_KEYS[colour])


BLOCK: Rule[GuatemalaState] = (
    rule("block", "block", any_time).word("answer", _answers, _why_not_answer, ANSWERS).does(_block)
)


# A new sack


def _put_sack(state: GuatemalaState, space: int, recorder: EventRecorder) -> None:
    """Ask for a sack where there may be a choice: who has two or more is asked, whatever their
    colours, since being asked would tell of them. A hand of one needs no question."""
    seat, hand = state.turn, state.players[state.turn].hand
    name = SPACE_NAMES[space]
    if sum(hand) > 1:
        state.frames = [Refilling(space)]
        return
    if sum(hand):
        _lay(state, seat, space, hand.index(1), Refilled, recorder)
    elif sum(state.bag):
        colour = draw(state.bag, "sack of the bag", recorder.chance)
        state.production[space] = piece(SACK, colour)
        recorder.tell(RefilledBlindly(seat=seat, colour=COLOUR_KEYS[colour], space=name))
    else:
        recorder.tell(LeftEmpty(seat=seat, space=name))
    state.frames = []
    end_if_met(state, recorder)


def _lay(
    state: GuatemalaState,
    seat: Seat,
    space: int,
    colour: int,
    event: type[Blocked | Refilled],
    recorder: EventRecorder,
) -> None:
    """A sack of the seat's hand comes to lie on a space, of which this event tells."""
    state.players[seat].hand[colour] -= 1
    state.production[space] = piece(SACK, colour)
    recorder.tell(event(seat=seat, colour=COLOUR_KEYS[colour], space=SPACE_NAMES[space]))


def _colours(state: GuatemalaState, seat: Seat) -> OneOf:
    """Any colour of the hand (ruling 31)."""
    hand = state.players[seat].hand
    return OneOf("colour", tuple([key for key, n in zip(COLOUR_KEYS, hand, strict=True) if n]))


def _refill(state: GuatemalaState, seat: Seat, recorder: EventRecorder, colour: str) -> None:
    space = frame_of(state, Refilling).space
    _lay(state, seat, space, COLOUR_OF_KEY[colour], Refilled, recorder)
    state.frames = []
    end_if_met(state, recorder)


def _why_not_colour(state: GuatemalaState, seat: Seat, word: str) -> Refusal:
    return refuse("no_such_sack", "refill", colour=word)


REFILL: Rule[GuatemalaState] = (
    rule("refill", "refill", any_time)
    .word("colour", _colours, _why_not_colour, COLOUR_OF_KEY)
    .does(_refill)
)
