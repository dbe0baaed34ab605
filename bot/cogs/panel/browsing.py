"""Where somebody is in an action, and how the domain of its next word is shown: as a list, as
pieces of a stock, or in groups and pages where it is too large for one message.

The place shown is in the custom id, as numbers of groups and of a page. Those choose nothing: they
only lead to words, and it is the word that is chosen. So a number may outlive the domain in which
it was counted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import combinations, islice
from typing import NamedTuple

from bot.cogs.ui import MAX_OPTIONS, Forged, integer
from bot.game.choices import Amount, Bundle, Choices, Done, OneOf
from bot.game.contract import Action

SELECTS = 3
"""Selects of a message: the rows below are for buttons."""
PER_PAGE = SELECTS * MAX_OPTIONS
COUNTABLE = 4000
"""Bundles with more words than this are not listed word by word."""

_PLAN_ID = re.compile(r"p([0-9]{1,2})\.([0-9a-f]{6})")
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


class PanelStep(NamedTuple):
    """Where somebody is in an action: they choose the next word after it, or are asked whether they
    are sure of it and of the `rest` joined to it.

    `decision` is what it answers, as `TableView.button_id` has it.
    """

    action: Action
    decision: str | None
    focus: Focus = WHOLE
    rest: tuple[Action, ...] = ()


class PlanStep(NamedTuple):
    """A step of a plan: so many actions done, and a hash of these.

    In ids it stands for a decision, such as ``p2.a3f10c``. So these work after a restart, and one
    of an earlier version of the plan is recognised.
    """

    done: int
    key: str

    def __str__(self) -> str:
        return f"p{self.done}.{self.key}"

    @classmethod
    def parse(cls, decision: str | None) -> PlanStep | None:
        """The step that an id names; None where it names a decision of the table."""
        match = _PLAN_ID.fullmatch(decision or "")
        return None if match is None else cls(int(match[1]), match[2])


class Group(NamedTuple):
    """Some words behind one press. `choices` has the words of all groups beside it, so that
    `GameWords.label` can name it."""

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


def listed(choices: Choices, most: int) -> list[str] | None:
    """Every word of the domain in the usual order, where there are at most `most`; None where there
    are more."""
    if isinstance(choices, Done):
        return []
    if isinstance(choices, OneOf):
        return list(in_order(choices.values)) if len(choices.values) <= most else None
    if isinstance(choices, Amount):
        return [*choices.each()] if choices.size <= most else None
    if math.prod(count + 1 for count in choices.have) > COUNTABLE:
        return None
    found = list(islice(choices.each(), most + 1))
    place = in_order(choices.alphabet).index
    found.sort(key=lambda word: (-len(word), *map(place, word)))
    return found if len(found) <= most else None


def picked(bundle: Bundle, values: Sequence[str]) -> str:
    """The word for the pieces picked in a select, whose values are `piece_values`."""
    return bundle.sort("".join(value[0] for value in values))


def usable_pieces(bundle: Bundle) -> tuple[str, ...]:
    """The letters of all pieces in any word of the bundle; those in stock where it has too many
    words."""
    stock = tuple(
        letter
        for letter, n in zip(bundle.alphabet, bundle.have, strict=True)
        if n and bundle.maximum
    )
    if math.prod(count + 1 for count in bundle.have) > COUNTABLE:
        return stock
    found: set[str] = set()
    for word in bundle.each():
        found.update(word)
        if len(found) == len(stock):
            break
    return tuple(letter for letter in stock if letter in found)


def piece_values(bundle: Bundle, most: int) -> list[str]:
    """A value for each piece in stock: its letter and a running number.

    Where there are more than `most`, for equally many of each kind as far as it has them; [] where
    there are more kinds than that.
    """
    counts = bundle.have
    while sum(counts) > most:
        fewer = max(counts) - 1
        counts = tuple(min(count, fewer) for count in counts)
    if any(have and not count for have, count in zip(bundle.have, counts, strict=True)):
        return []
    return [
        f"{letter}{number}"
        for letter, count in zip(bundle.alphabet, counts, strict=True)
        for number in range(1, count + 1)
    ]


def usual(bundle: Bundle, most: int) -> list[str]:
    """At most so many of its words, those that are often meant: nothing, one piece, then several of
    a kind, the most first, and one each of two kinds."""
    stock = dict(zip(bundle.alphabet, bundle.have, strict=True))
    kinds = [letter for letter in in_order(bundle.alphabet) if stock[letter]]
    sizes = range(1, min(bundle.maximum, max(bundle.have)) + 1)
    pairs = [bundle.sort("".join(pair)) for pair in combinations(kinds, 2)]
    found: list[str] = []
    for group in ([""], *([letter * size for letter in kinds] for size in sizes), pairs):
        words = list(filter(bundle.admits, group))
        if len(found) + len(words) > most:
            break
        found += words
    several = sorted((word for word in found if len(word) > 1), key=len, reverse=True)
    return [*(word for word in found if len(word) <= 1), *several]
