"""What has just happened, gathered from events: what the pictures mark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bot.game.contract import Event, Fact, Seat

_PLACED = frozenset({"placed", "castle_placed"})
_TOOK = frozenset({"taken", "bought"})
_SCORED = frozenset(
    {
        "region_completed",
        "colour_completed",
        "animals_scored",
        "watchtower_scored",
        "sold",
        "scored",
    }
)


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
        _add(marks, event.kind, event.facts)
    return marks


def _add(marks: Marks, kind: str, facts: Mapping[str, Fact]) -> None:
    seat = _number(facts, "seat")
    if kind in _PLACED:
        marks.spaces.add((seat, _word(facts, "space")))
    elif kind in _TOOK:
        marks.taken.append((_word(facts, "depot"), _word(facts, "tile"), seat))
        marks.stored.append((seat, _word(facts, "tile")))
        marks.silverlings[seat] -= _number(facts, "price")
    elif kind == "goods_placed":
        marks.new_goods.add((_word(facts, "depot"), _word(facts, "good")))
    elif kind == "loaded":
        marks.loaded.append((_word(facts, "depot"), seat))
        marks.goods.update((seat, good) for good in _word(facts, "goods"))
    elif kind == "moved_ahead":
        marks.ahead.add(seat)
    elif kind == "colour_completed":
        marks.colours.add((seat, _word(facts, "colour")))
    elif kind == "sold":
        marks.sold[seat] += _number(facts, "count")
    if kind in _SCORED:
        marks.points[seat] += _number(facts, "points") + _number(facts, "bonus")
    marks.workers[seat] += _number(facts, "workers") - _number(facts, "spent")
    marks.silverlings[seat] += _number(facts, "silverlings")


def _number(facts: Mapping[str, Fact], name: str) -> int:
    """A number that an event may carry; 0 where it does not. `seat` is read the same way."""
    fact = facts.get(name, 0)
    if not isinstance(fact, int):
        raise TypeError(f"an event says {fact!r} where {name} should be a number")
    return fact


def _word(facts: Mapping[str, Fact], name: str) -> str:
    return str(facts[name])
