"""What has just happened, gathered from events: what the pictures mark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.game.contract import Event, Seat
from bot.game.guatemala import buying, sacks
from bot.game.guatemala.data import COLOUR_OF_KEY, SPACE_OF_NAME


@dataclass(frozen=True)
class GuatemalaMarks:
    """Things to mark: spaces of the production board by the seat that has `emptied` them, and those
    where a sack or a road was `put`; the positions to which the buyer `moved`; cells, roads and
    ports where something was `built`, and the ports that ships have `left`; spaces of the score
    track where sacks were `laid`; colours by the seat that has `harvested` them; changes of points,
    money and sacks by seat.
    """

    emptied: dict[int, Seat] = field(default_factory=dict)
    put: list[int] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    built: set[str] = field(default_factory=set)
    left: list[tuple[str, int]] = field(default_factory=list)
    laid: set[int] = field(default_factory=set)
    harvested: set[tuple[Seat, int]] = field(default_factory=set)
    points: Counter[Seat] = field(default_factory=Counter)
    money: Counter[Seat] = field(default_factory=Counter)
    sacks: Counter[Seat] = field(default_factory=Counter)


def gather(events: Iterable[Event]) -> GuatemalaMarks:
    """The marks of events in the order in which they happened."""
    marks = GuatemalaMarks()
    for event in events:
        match event:
            case buying.BuyerPlaced():
                marks.moved.append(event.position)
            case buying.BuyerMoved():
                marks.moved.append(event.position)
                marks.money[event.seat] -= event.paid
            case buying.PieceBought():
                marks.emptied[SPACE_OF_NAME[event.space]] = event.seat
                marks.built.add(event.place)
                marks.money[event.seat] -= event.price
            case buying.RoadsFilled():
                marks.put.extend(SPACE_OF_NAME[space] for space in event.spaces)
            case sacks.SackTaken():
                marks.emptied[SPACE_OF_NAME[event.space]] = event.seat
                marks.laid.add(event.at)
                marks.money[event.seat] += event.money
            case sacks.Blocked() | sacks.Refilled():
                marks.put.append(SPACE_OF_NAME[event.space])
                marks.sacks[event.seat] -= 1
            case sacks.RefilledBlindly():
                marks.put.append(SPACE_OF_NAME[event.space])
            case sacks.Harvested():
                marks.harvested.add((event.seat, COLOUR_OF_KEY[event.colour]))
                marks.points[event.seat] += event.points
            case sacks.ShipLeft():
                marks.left.append((event.port, COLOUR_OF_KEY[event.colour]))
    return marks
