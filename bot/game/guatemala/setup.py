"""Setting up (section 2): pieces, sacks, and where the buyer begins."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.choices import Grouping, OneOf
from bot.game.contract import Chance, Seat
from bot.game.events import SeatEvent
from bot.game.grammar import EventRecorder, Rule, rule
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    COLOURS,
    CONTENT,
    COUNTS,
    EMPTY,
    SACK,
    colour_of,
    piece,
)
from bot.game.guatemala.plantation import board_for
from bot.game.guatemala.production import (
    FRAMED,
    OTHERS,
    POSITION_NAMES,
    POSITION_OF_NAME,
    PRINTED,
)
from bot.game.guatemala.state import (
    GuatemalaPlayer,
    GuatemalaRules,
    GuatemalaState,
    Moving,
    Placing,
    any_time,
)

TOPIC = "setup"


class BuyerPlaced(SeatEvent, frozen=True):
    """A seat has put the buyer on its first position."""

    position: str


def set_up(seats: int, options: Mapping[str, str], chance: Chance) -> GuatemalaState:
    """The table set up to its first question, where the buyer begins."""
    first = chance.draw("first player", [1] * seats)
    production = [*PRINTED]
    if options.get("setup") == "random":
        production = _at_random(chance)
    bag = [CONTENT.sacks] * COLOURS
    for space in FRAMED:
        bag[colour_of(production[space])] -= 1
    each = (sum(bag) - CONTENT.sacks_left) // seats
    players = []
    for seat in range(seats):
        hand = [0] * COLOURS
        for _ in range(each):
            hand[draw(bag, f"sack of seat {seat}", chance)] += 1
        players.append(GuatemalaPlayer(hand, CONTENT.start_money))
    return GuatemalaState(
        rules=GuatemalaRules(int(options.get("track", CONTENT.tracks[0]))),
        players=players,
        production=production,
        ports=[[] for _ in board_for(seats).ports],
        bag=bag,
        stock=CONTENT.roads,
        first=first,
        turn=(first - 1) % seats,
        frames=[Placing()],
    )


def _at_random(chance: Chance) -> list[int]:
    """On the framed spaces sacks of every colour and one of them twice (ruling 42), on the others
    the other pieces."""
    production = [EMPTY] * (len(FRAMED) + len(OTHERS))
    sacks = [1] * COLOURS
    sacks[chance.draw("colour of two sacks", sacks)] += 1
    for space in FRAMED:
        production[space] = piece(SACK, draw(sacks, "sack on the board", chance))
    pieces = [count for count in COUNTS[:SACK] for _ in COLOUR_KEYS]
    for space in OTHERS:
        production[space] = draw(pieces, "piece on the board", chance)
    return production


def draw(stock: list[int], label: str, chance: Chance) -> int:
    """A piece drawn from counts by kind, which is one less then."""
    drawn = chance.draw(label, stock)
    stock[drawn] -= 1
    return drawn


# Where the buyer begins


def _edge_of(position: str) -> str:
    return position[0]


_ANYWHERE = OneOf("position", POSITION_NAMES, (Grouping("edge", _edge_of),))


def _positions(state: GuatemalaState, seat: Seat) -> OneOf:
    """Any of the 36 (ruling 41)."""
    return _ANYWHERE


def _place_buyer(state: GuatemalaState, seat: Seat, recorder: EventRecorder, position: str) -> None:
    state.buyer = POSITION_OF_NAME[position]
    recorder.tell(BuyerPlaced(seat=seat, position=position))
    state.turn = state.first
    state.round = 1
    state.frames = [Moving()]


PLACE: Rule[GuatemalaState] = (
    rule("place", TOPIC, any_time).word("position", _positions).does(_place_buyer)
)
