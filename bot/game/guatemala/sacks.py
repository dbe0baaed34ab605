"""Taking a sack: money, the block, the harvest, and a new sack in its place (rules: sacks)."""

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
    BLOCKS,
    LETS,
    NONE,
    UNANSWERED,
    Blocking,
    Buying,
    GuatemalaState,
    Refilling,
    asked_about_block,
    board_of,
)
from bot.game.sides import clockwise


class SackTaken(SeatEvent, frozen=True):
    """A sack taken from a space of the production board to one of the score track."""

    colour: str
    space: str
    at: int
    money: int


class BlockAnswered(SeatEvent, frozen=True):
    """A seat's answer about a block, ``yes`` or ``no``, heard by it alone."""

    answer: str


class SackLaid(SeatEvent, frozen=True):
    """A sack has come to lie on the emptied space."""

    colour: str
    space: str


class Blocked(SackLaid, frozen=True):
    """One of the seat's own, so nobody scores."""


class NotBlocked(Event, frozen=True):
    """Nobody blocks."""


class Harvested(SeatEvent, frozen=True):
    """A plantation has scored: a point a worker, times the ships of its colour and one more."""

    colour: str
    workers: int
    times: int
    points: int


class NothingHarvested(Event, frozen=True):
    """No plantation of the colour of the sack scores."""

    colour: str


class ShipLeft(Event, frozen=True):
    """A ship that has raised a score leaves the game."""

    port: str
    colour: str


class Refilled(SackLaid, frozen=True):
    """One of the hand."""


class RefilledBlindly(SackLaid, frozen=True):
    """One of the bag, as the hand is empty."""


class LeftEmpty(SeatEvent, frozen=True):
    """There is no sack left to put there."""

    space: str


# Taking


def sack_space(state: GuatemalaState, position: int) -> int:
    """The space of the sack that is faced from a position; NONE without one."""
    space = FRAMED_IN[position]
    return NONE if space == EMPTY or state.production[space] == EMPTY else space


def lowest_sack(state: GuatemalaState) -> int:
    """The space of the score track with the last sack laid, or else the one after its last."""
    return state.rules.track + 1 - len(state.track)


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
            recorder.record(BlockAnswered(seat=seat, answer=answer, only=(seat,)))
            return
        if frame.answers[other] == BLOCKS:
            # Nobody scores; instead the seat on turn buys from the same line (rulings 33 and 34).
            state.decision += 1
            hand = state.players[other].hand
            _lay(state, other, frame.space, hand, frame.colour, Blocked, recorder)
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
    """What a plantation scores: the ports to which roads connect its hut, the ships of its colour
    there, whoever brought them (rulings 22 and 23), and points, which are none without a hut or
    without workers (ruling 44)."""

    ports: tuple[int, ...]
    ships: int
    points: int


def crops(state: GuatemalaState, colour: int) -> list[Crop]:
    """By seat, what its plantation of a colour would score now."""
    joined = joined_ports(len(state.players), tuple(state.roads))
    found = []
    for player in state.players:
        ports = joined.get(player.huts[colour], ())
        ships = sum([state.ports[port].count(colour) for port in ports])
        workers = 0 if player.huts[colour] == NONE else len(player.workers[colour])
        found.append(Crop(ports, ships, workers * (ships + 1)))
    return found


def _harvest(state: GuatemalaState, colour: int, recorder: EventRecorder) -> None:
    """Every player's plantation of the colour scores; then a ship leaves each port that helped."""
    found = crops(state, colour)
    scoring = [seat for seat in clockwise(state.turn, len(state.players)) if found[seat].points]
    for seat in scoring:
        player, (_, ships, points) = state.players[seat], found[seat]
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
    helping = {port for seat in scoring for port in found[seat].ports}
    for port in sorted(port for port in helping if colour in state.ports[port]):
        # The one at the cheapest dock; the others move up (ruling 25).
        state.ports[port].remove(colour)
        state.gone[colour] += 1
        recorder.record(ShipLeft(port=board_of(state).ports[port].name, colour=COLOUR_KEYS[colour]))


# A new sack


def _refill_space(state: GuatemalaState, space: int, recorder: EventRecorder) -> None:
    """Ask for a sack where there may be a choice: who has two or more is asked, whatever their
    colours, since being asked would tell of them. A hand of one needs no question."""
    seat, hand = state.turn, state.players[state.turn].hand
    held: int = sum(hand)
    state.frames = [Refilling(space)] if held > 1 else []
    if held == 1:
        _lay(state, seat, space, hand, hand.index(1), Refilled, recorder)
    elif not held and any(state.bag):
        colour = recorder.chance.draw("sack of the bag", state.bag)
        _lay(state, seat, space, state.bag, colour, RefilledBlindly, recorder)
    elif not held:
        recorder.record(LeftEmpty(seat=seat, space=SPACE_NAMES[space]))


def _lay(
    state: GuatemalaState,
    seat: Seat,
    space: int,
    stock: list[int],
    colour: int,
    event: type[SackLaid],
    recorder: EventRecorder,
) -> None:
    """A sack of a hand or of the bag comes to lie on a space, of which this event tells."""
    stock[colour] -= 1
    state.production[space] = piece(SACK, colour)
    recorder.record(event(seat=seat, colour=COLOUR_KEYS[colour], space=SPACE_NAMES[space]))


def _colours(state: GuatemalaState, seat: Seat) -> OneOf:
    """Any colour of the hand (ruling 31)."""
    hand = state.players[seat].hand
    return OneOf("colour", tuple([key for key, n in zip(COLOUR_KEYS, hand, strict=True) if n]))


def _refill(state: GuatemalaState, seat: Seat, recorder: EventRecorder, colour: str) -> None:
    space, hand = frame_of(state, Refilling).space, state.players[seat].hand
    _lay(state, seat, space, hand, COLOUR_OF_KEY[colour], Refilled, recorder)
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
