"""The events that games have in common, and the bases that most of their own are made of.

What an event is stands in `bot.game.contract`. A game's own stand beside the rules that tell of
them; `kinds_of` makes of them the table that an event is read back by.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from bot.game.contract import Event, Seat


class SeatEvent(Event, frozen=True):
    """Something that a seat did or that happened to it."""

    seat: Seat


class PairEvent(SeatEvent, frozen=True):
    """Something between a seat and another one."""

    other: Seat


class SeatsEvent(Event, frozen=True):
    """Something that involves several seats."""

    seats: tuple[Seat, ...]


class TurnEnded(SeatEvent, frozen=True):
    """A seat has ended its turn, in every game that has one."""


class GameEnded(Event, frozen=True):
    """The game is over; `ending` is the outcome's."""

    ending: str


def kinds_of(package: str, *others: type[Event]) -> dict[str, type[Event]]:
    """The kinds of event that a package's modules define, as far as imported, and some others.

    By their words; a class from which others are made is no kind.
    """
    kinds = (*others, *(each for each in _without_heirs(Event) if _is_in(package, each)))
    return {each.kind: each for each in kinds}


def _without_heirs(base: type[Event]) -> Iterator[type[Event]]:
    for heir in base.__subclasses__():
        yield from _without_heirs(heir) if heir.__subclasses__() else (heir,)


def _is_in(package: str, kind: type[Event]) -> bool:
    return f"{kind.__module__}.".startswith(f"{package}.")


def event_of(events: Mapping[str, type[Event]], kind: str, facts: Mapping[str, object]) -> Event:
    """The event that was written down as its kind and its facts; `events` are a game's kinds.

    Raises msgspec.ValidationError where they do not belong together.
    """
    if kind not in events:
        raise msgspec.ValidationError(f"there is no event {kind!r}")
    return msgspec.convert(dict(facts), events[kind])
