"""Taking a sack: money, the block, the harvest, and a new sack for its space (rules: sacks)."""

from __future__ import annotations

from typing import NamedTuple

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
    FRAMED_IN,
    SACK,
    SPACE_NAMES,
    colour_of,
    piece,
)
from bot.game.guatemala.plantation import joined_ports
from bot.game.guatemala.state import (
    ALLOWS,
    BLOCKS,
    NONE,
    UNANSWERED,
    Blocking,
    Buying,
    GuatemalaState,
    Refilling,
    block_order,
    board_of,
)
from bot.game.sides import clockwise


class SackTaken(SeatEvent, frozen=True):
    """A seat moved a sack from a space of the production board to space `at` of the score
    track."""

    colour: str
    space: str
    at: int
    money: int


class BlockAnswered(SeatEvent, frozen=True):
    """A seat answered about a block, ``yes`` or ``no``; only the seat may see this."""

    answer: str


class SackLaid(SeatEvent, frozen=True):
    """A seat put a sack on the emptied space."""

    colour: str
    space: str


class Blocked(SackLaid, frozen=True):
    """A seat put a sack of its hand there to block, so no one scores."""


class NotBlocked(Event, frozen=True):
    """No one blocked."""


class Harvested(SeatEvent, frozen=True):
    """A plantation scored: its workers times (its ships + 1)."""

    colour: str
    workers: int
    times: int
    points: int


class NothingHarvested(Event, frozen=True):
    """No plantation of the sack's colour scored."""

    colour: str


class ShipLeft(Event, frozen=True):
    """A ship that raised a score left the game."""

    port: str
    colour: str


class Refilled(SackLaid, frozen=True):
    """The sack came from the seat's hand."""


class RefilledBlindly(SackLaid, frozen=True):
    """The sack came from the bag, as the seat's hand was empty."""


class LeftEmpty(SeatEvent, frozen=True):
    """Hand and bag had no sack for the emptied space."""

    space: str


# Taking


def sack_space(state: GuatemalaState, position: int) -> int:
    """Return the space of the sack that the buyer faces from a position; NONE without a sack."""
    space = FRAMED_IN[position]
    return NONE if space == EMPTY or state.production[space] == EMPTY else space


def lowest_sack(state: GuatemalaState) -> int:
    """Return the space of the last sack on the score track; without sacks, the one past its end."""
    return state.rules.track + 1 - len(state.track)


def distance_to_sacks(state: GuatemalaState) -> int:
    """Return the spaces between the first marker and the sacks; 0 or less if they have met."""
    return lowest_sack(state) - max(sum(player.points) for player in state.players)


def _take_gate(state: GuatemalaState, seat: Seat) -> Refusal | None:
    frame = frame_of(state, Buying)
    if frame.blocked:
        return refuse("blocked_no_sack", "block")
    if frame.emptied:
        return refuse("already_bought")
    return refuse("no_sack") if sack_space(state, state.buyer) == NONE else None


def _take(state: GuatemalaState, seat: Seat, recorder: EventRecorder) -> None:
    space = sack_space(state, state.buyer)
    colour = colour_of(state.production[space])
    state.production[space] = EMPTY
    state.track.append(colour)
    state.players[seat].money += CONTENT.harvest_money
    state.idle = 0
    recorder.record(
        SackTaken(
            seat=seat,
            colour=COLOUR_KEYS[colour],
            space=SPACE_NAMES[space],
            at=lowest_sack(state),
            money=CONTENT.harvest_money,
        )
    )
    state.frames = [Blocking(space, colour, [UNANSWERED] * len(state.players))]


TAKE: Rule[GuatemalaState] = rule("take", "sacks", _take_gate).does(_take)


# The block

YES, NO = "yes", "no"
ANSWERS = {NO: ALLOWS, YES: BLOCKS}
"""The answers about a block. They are words of one kind of action, as kinds are public."""


def _answers(state: GuatemalaState, seat: Seat) -> OneOf:
    """Return the answers; yes only with a sack of the taken sack's colour."""
    can_block = state.players[seat].hand[frame_of(state, Blocking).colour]
    return OneOf("answer", (YES, NO) if can_block else (NO,))


def _block(state: GuatemalaState, seat: Seat, recorder: EventRecorder, answer: str) -> None:
    """Store a sealed answer; once it decides, block or harvest.

    The first seat in order that blocks decides. Later answers stay secret.
    """
    frame = frame_of(state, Blocking)
    frame.answers[seat] = ANSWERS[answer]
    for other in block_order(state):
        if frame.answers[other] == UNANSWERED:
            recorder.record(BlockAnswered(seat=seat, answer=answer, only=(seat,)))
            return
        if frame.answers[other] == BLOCKS:
            # No one scores; the active seat buys in the line instead (rulings 33 and 34).
            state.decision += 1
            hand = state.players[other].hand
            _put_sack(state, other, frame.space, hand, frame.colour, Blocked, recorder)
            state.frames = [Buying(blocked=True)]
            return
    state.decision += 1
    recorder.record(NotBlocked())
    _harvest(state, frame.colour, recorder)
    _refill_space(state, frame.space, recorder)


BLOCK: Rule[GuatemalaState] = (
    rule("block", "block")
    .word(
        "answer",
        _answers,
        lambda state, seat, word: refuse(
            "no_sack_to_block", colour=COLOUR_KEYS[frame_of(state, Blocking).colour]
        ),
        ANSWERS,
    )
    .does(_block)
)


# The harvest


class Crop(NamedTuple):
    """The ports connected to a plantation's hut, the ships of its colour there, no matter who
    bought them (rulings 22 and 23), and its points.

    Without a hut or without workers it scores no points (ruling 44).
    """

    ports: tuple[int, ...]
    ships: int
    points: int


def crops(state: GuatemalaState, colour: int) -> list[Crop]:
    """Return, by seat, the crop of the plantation of a colour if it were harvested now."""
    joined = joined_ports(len(state.players), tuple(state.roads))
    by_seat = []
    for player in state.players:
        ports = joined.get(player.huts[colour], ())
        ships = sum([state.ports[port].count(colour) for port in ports])
        workers = 0 if player.huts[colour] == NONE else len(player.workers[colour])
        by_seat.append(Crop(ports, ships, workers * (ships + 1)))
    return by_seat


def _harvest(state: GuatemalaState, colour: int, recorder: EventRecorder) -> None:
    """Score all plantations of the colour; then a ship leaves each port that raised a score."""
    by_seat = crops(state, colour)
    scoring = [seat for seat in clockwise(state.turn, len(state.players)) if by_seat[seat].points]
    for seat in scoring:
        player, (_, ships, points) = state.players[seat], by_seat[seat]
        player.points[colour] += points
        recorder.record(
            Harvested(
                seat=seat,
                colour=COLOUR_KEYS[colour],
                workers=len(player.workers[colour]),
                times=ships + 1,
                points=points,
            )
        )
    if not scoring:
        recorder.record(NothingHarvested(colour=COLOUR_KEYS[colour]))
    used = {port for seat in scoring for port in by_seat[seat].ports}
    for port in sorted(port for port in used if colour in state.ports[port]):
        # The ship at the cheapest dock leaves; the others move up (ruling 25).
        state.ports[port].remove(colour)
        state.gone[colour] += 1
        recorder.record(ShipLeft(port=board_of(state).ports[port].name, colour=COLOUR_KEYS[colour]))


# A new sack


def _refill_space(state: GuatemalaState, space: int, recorder: EventRecorder) -> None:
    """Put a sack on the space, or ask for one if the hand has two or more.

    Two sacks of one colour are asked for too: otherwise the missing question would reveal them.
    """
    seat, hand = state.turn, state.players[state.turn].hand
    count: int = sum(hand)
    state.frames = [Refilling(space)] if count > 1 else []
    if count == 1:
        _put_sack(state, seat, space, hand, hand.index(1), Refilled, recorder)
    elif not count and any(state.bag):
        colour = recorder.chance.draw("sack of the bag", state.bag)
        _put_sack(state, seat, space, state.bag, colour, RefilledBlindly, recorder)
    elif not count:
        recorder.record(LeftEmpty(seat=seat, space=SPACE_NAMES[space]))


def _put_sack(
    state: GuatemalaState,
    seat: Seat,
    space: int,
    stock: list[int],
    colour: int,
    event: type[SackLaid],
    recorder: EventRecorder,
) -> None:
    """Move a sack from a hand or the bag to a space and record the event."""
    stock[colour] -= 1
    state.production[space] = piece(SACK, colour)
    recorder.record(event(seat=seat, colour=COLOUR_KEYS[colour], space=SPACE_NAMES[space]))


def _colours(state: GuatemalaState, seat: Seat) -> OneOf:
    """Return the colours of the hand, all allowed (ruling 31)."""
    hand = state.players[seat].hand
    return OneOf("colour", tuple([key for key, n in zip(COLOUR_KEYS, hand, strict=True) if n]))


def _refill(state: GuatemalaState, seat: Seat, recorder: EventRecorder, colour: str) -> None:
    space, hand = frame_of(state, Refilling).space, state.players[seat].hand
    _put_sack(state, seat, space, hand, COLOUR_OF_KEY[colour], Refilled, recorder)
    state.frames = []


REFILL: Rule[GuatemalaState] = (
    rule("refill", "refill")
    .word(
        "colour",
        _colours,
        lambda state, seat, word: refuse("no_such_sack", colour=word),
        COLOUR_OF_KEY,
    )
    .does(_refill)
)
