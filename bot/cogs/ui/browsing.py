"""Domains too large for one message: their groups, and the pages of a group.

The place shown is in the custom id, as numbers of groups and of a page. Those choose nothing: they
only lead to words, and it is the word that is chosen. So a number may outlive the domain in which
it was counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.cogs.ui.custom_id import Forged, integer
from bot.cogs.ui.layout import MAX_OPTIONS
from bot.game.choices import Amount, Choices, OneOf

SELECTS = 3
"""Selects of a message: the rows below are for buttons."""
PER_PAGE = SELECTS * MAX_OPTIONS

OPEN = "~"
"""What the value of a group in a select begins with, before its place."""

Place = tuple[int, ...]
"""The numbers of the groups that lead to a part of a domain, from outside in; () for all of it."""


class Gone(Exception):
    """There is no such part of a domain, or no longer."""


class Focus(NamedTuple):
    """What part of a domain a panel shows: a place, a page of it, or for an amount a number."""

    place: Place = ()
    page: int = 0
    number: int | None = None


WHOLE = Focus()


class Group(NamedTuple):
    """Some words behind one press. `choices` has the words of all groups beside it, so that
    `GameText.label` can name it."""

    choices: OneOf
    word: str
    place: Place
    members: tuple[str, ...]
    depth: int
    """Which of the groupings divides its members further."""


class Level(NamedTuple):
    """What is shown at a place: words, groups in between, and the groups it lies in."""

    entries: tuple[Group | str, ...]
    within: tuple[Group, ...] = ()

    @property
    def pages(self) -> int:
        """How many messages it takes to show it."""
        return max(-(-len(self.entries) // PER_PAGE), 1)

    def page(self, number: int) -> tuple[Group | str, ...]:
        """What is shown on a page, counted from 0."""
        return self.entries[number * PER_PAGE : (number + 1) * PER_PAGE]


def is_large(choices: Choices) -> bool:
    """Whether a domain is shown in parts, so that typing a word may be quicker."""
    if isinstance(choices, Amount):
        return choices.size > MAX_OPTIONS
    if isinstance(choices, OneOf):
        return len(choices.values) > (MAX_OPTIONS if choices.groups else PER_PAGE)
    return False


def level(choices: OneOf, place: Place) -> Level:
    """What there is at a place of the domain. Raises Gone where there is none."""
    here = Level(_divided(choices, choices.values, (), 0))
    for number in place:
        group = here.entries[number] if number < len(here.entries) else ""
        if isinstance(group, str):
            raise Gone(place)
        entries = _divided(choices, group.members, group.place, group.depth)
        here = Level(entries, (*here.within, group))
    return here


def written(place: Place) -> str:
    """A place as a word of a custom id."""
    return ".".join(map(str, place))


def read_place(word: str) -> Place:
    """The place that `written` wrote. Raises Forged."""
    place = tuple(integer((part,)) for part in word.split(".")) if word else ()
    if written(place) != word or any(number < 0 for number in place):
        raise Forged(word)
    return place


def in_order(words: Sequence[str]) -> Sequence[str]:
    """Words as a person expects them: numbers by size, others as the rules list them."""
    numbers = iter(sorted(filter(str.isdecimal, words), key=int))
    return [next(numbers) if word.isdecimal() else word for word in words]


def _divided(
    domain: OneOf, words: Sequence[str], place: Place, depth: int
) -> tuple[Group | str, ...]:
    """The words in groups, where they are many; a word that would be alone in one stays a word."""
    if len(words) <= MAX_OPTIONS or depth == len(domain.groups):
        return tuple(in_order(words))
    by = domain.groups[depth]
    parts: dict[str, list[str]] = {}
    for word in words:
        name = by.of(word)
        # What is in no group stands where it stood, between the groups.
        parts.setdefault(name or f"\0{word}", []).append(word)
    if len(parts) == 1:
        return _divided(domain, words, place, depth + 1)
    names = OneOf(by.param, tuple(name for name, part in parts.items() if len(part) > 1))
    return tuple(
        Group(names, name, (*place, number), tuple(part), depth + 1) if len(part) > 1 else part[0]
        for number, (name, part) in enumerate(parts.items())
    )
