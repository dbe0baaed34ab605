"""Events and base classes of events that games share.

`bot.game.contract` defines `Event`. A game defines its own events next to the rules that record
them, and collects them with `kinds_of`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from bot.game.contract import Event, Seat


class SeatEvent(Event, frozen=True):
    """An event about one seat."""

    seat: Seat


class PairEvent(SeatEvent, frozen=True):
    """An event between two seats."""

    other: Seat


class SeatsEvent(Event, frozen=True):
    """An event about several seats."""

    seats: tuple[Seat, ...]


class TurnEnded(SeatEvent, frozen=True):
    """A seat has ended its turn."""


class GameEnded(Event, frozen=True):
    """The game is over; `ending` is as in `Outcome`."""

    ending: str


def kinds_of(package: str, *others: type[Event]) -> dict[str, type[Event]]:
    """Return the event classes in a package's imported modules, and `others`, by `Event.kind`.

    Base classes are left out.
    """
    kinds = (*others, *(each for each in _leaf_classes(Event) if _is_in(package, each)))
    return {each.kind: each for each in kinds}


def _leaf_classes(base: type[Event]) -> Iterator[type[Event]]:
    for subclass in base.__subclasses__():
        yield from _leaf_classes(subclass) if subclass.__subclasses__() else (subclass,)


def _is_in(package: str, kind: type[Event]) -> bool:
    return f"{kind.__module__}.".startswith(f"{package}.")


def event_of(events: Mapping[str, type[Event]], kind: str, facts: Mapping[str, object]) -> Event:
    """Build an event from its kind and facts; `events` are the kinds of its game.

    Raise msgspec.ValidationError if the kind is unknown or the facts do not fit it.
    """
    if kind not in events:
        raise msgspec.ValidationError(f"there is no event {kind!r}")
    return msgspec.convert(dict(facts), events[kind])
