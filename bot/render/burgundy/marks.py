"""What has just happened, gathered from events: what the pictures mark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.game.burgundy import dice, ending, goods, placing, rounds, storing
from bot.game.contract import Event, Seat


@dataclass(frozen=True)
class Marks:
    """Things to mark: `spaces` by seat, tiles by the depot they left and by the storage they came
    to, goods by where they are, seats that moved ahead; and changes of points, workers and
    silverlings by seat."""

    spaces: set[tuple[Seat, str]] = field(default_factory=set)
    taken: list[tuple[str, str, Seat]] = field(default_factory=list)
    stored: list[tuple[Seat, str]] = field(default_factory=list)
    new_goods: set[tuple[str, str]] = field(default_factory=set)
    loaded: list[tuple[str, Seat]] = field(default_factory=list)
    goods: set[tuple[Seat, str]] = field(default_factory=set)
    ahead: set[Seat] = field(default_factory=set)
    colours: set[tuple[Seat, str]] = field(default_factory=set)
    points: Counter[Seat] = field(default_factory=Counter)
    workers: Counter[Seat] = field(default_factory=Counter)
    silverlings: Counter[Seat] = field(default_factory=Counter)
    sold: Counter[Seat] = field(default_factory=Counter)


def gather(events: Iterable[Event]) -> Marks:
    """The marks of events in the order in which they happened."""
    marks = Marks()
    for event in events:
        _add(marks, event)
    return marks


def _add(marks: Marks, event: Event) -> None:
    match event:
        case rounds.CastlePlaced():
            marks.spaces.add((event.seat, event.space))
        case placing.Placed():
            marks.spaces.add((event.seat, event.space))
            marks.workers[event.seat] -= event.spent
        case storing.Taken() | storing.Bought():
            marks.taken.append((event.depot, event.tile, event.seat))
            marks.stored.append((event.seat, event.tile))
            if isinstance(event, storing.Taken):
                marks.workers[event.seat] -= event.spent
            else:
                marks.silverlings[event.seat] -= event.price
        case rounds.GoodsPlaced():
            marks.new_goods.add((event.depot, event.good))
        case goods.Loaded():
            marks.loaded.append((event.depot, event.seat))
            marks.goods.update((event.seat, good) for good in event.goods)
        case goods.MovedAhead():
            marks.ahead.add(event.seat)
        case placing.RegionCompleted():
            marks.points[event.seat] += event.points + event.bonus
        case placing.ColourCompleted():
            marks.colours.add((event.seat, event.colour))
            marks.points[event.seat] += event.points
        case placing.AnimalsScored() | placing.WatchtowerScored() | ending.Scored():
            marks.points[event.seat] += event.points
        case goods.Sold():
            marks.sold[event.seat] += event.count
            marks.points[event.seat] += event.points
            marks.workers[event.seat] += event.workers - event.spent
            marks.silverlings[event.seat] += event.silverlings
        case dice.WorkersTaken() | rounds.MinesPaid():
            marks.workers[event.seat] += event.workers
            marks.silverlings[event.seat] += event.silverlings
        case placing.WorkersGiven():
            marks.workers[event.seat] += event.workers
        case placing.SilverlingsGiven():
            marks.silverlings[event.seat] += event.silverlings
