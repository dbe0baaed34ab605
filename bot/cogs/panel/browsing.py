"""Display of the domain of an action's next word: as a list, as pieces of a stock, or in groups and
pages if it is too large for one message.

Custom ids store the place shown as group and page numbers. These only navigate: actions are made of
words, so an outdated number does no harm.
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
"""Selects in a message: the other rows are for buttons."""
PER_PAGE = SELECTS * MAX_OPTIONS
COUNTABLE = 4000
"""Maximum number of a bundle's words to enumerate."""

_PLAN_ID = re.compile(r"p([0-9]{1,2})\.([0-9a-f]{6})")
OPEN = "~"
"""Prefix of a group's value in a select; the group's place follows."""

Place = tuple[int, ...]
"""Group numbers that lead to a part of a domain, from outside in; () for the whole domain."""


class NoSuchPart(Exception):
    """The domain has no such part, perhaps because it has changed."""


class Focus(NamedTuple):
    """The part of a domain that a panel shows: a page of a place, or a number for an amount."""

    place: Place = ()
    page: int = 0
    number: int | None = None


WHOLE = Focus()


class PanelStep(NamedTuple):
    """The progress of a player in an action: they choose its next word, or confirm the whole action
    and the `rest` joined to it.

    `decision` is the id of the decision it answers, as `TableView.button_id` writes it.
    """

    action: Action
    decision: str | None
    focus: Focus = WHOLE
    rest: tuple[Action, ...] = ()


class PlanStep(NamedTuple):
    """A step of a plan: the number of actions done, and a hash of them.

    Custom ids have it in place of a decision, such as ``p2.a3f10c``. So buttons work after a
    restart, and those of an earlier version of the plan are recognised.
    """

    done: int
    key: str

    def __str__(self) -> str:
        return f"p{self.done}.{self.key}"

    @classmethod
    def parse(cls, decision: str | None) -> PlanStep | None:
        """Return the step that an id names; None if it names a decision of the table."""
        match = _PLAN_ID.fullmatch(decision or "")
        return None if match is None else cls(int(match[1]), match[2])


class Group(NamedTuple):
    """Several words behind one button. `choices` has the words of all groups at its level, for
    `GameWords.label`."""

    choices: OneOf
    word: str
    place: Place
    members: tuple[str, ...]
    depth: int
    """Index of the grouping that divides its members further."""


class Level(NamedTuple):
    """The words and groups at a place, and the groups that enclose it."""

    entries: tuple[Group | str, ...]
    within: tuple[Group, ...] = ()

    @property
    def pages(self) -> int:
        """The number of messages that show all entries."""
        return max(-(-len(self.entries) // PER_PAGE), 1)

    def page(self, number: int) -> tuple[Group | str, ...]:
        """Return the entries of a page, counted from 0."""
        return self.entries[number * PER_PAGE : (number + 1) * PER_PAGE]


def is_large(choices: Choices) -> bool:
    """Return whether a domain is shown in parts. Typing a word may then be quicker."""
    if isinstance(choices, Amount):
        return choices.size > MAX_OPTIONS
    if isinstance(choices, OneOf):
        return len(choices.values) > (MAX_OPTIONS if choices.groups else PER_PAGE)
    return False


def level(choices: OneOf, place: Place) -> Level:
    """Return the level at a place of the domain. Raise NoSuchPart."""
    current = Level(_divided(choices, choices.values, (), 0))
    for number in place:
        group = current.entries[number] if number < len(current.entries) else ""
        if isinstance(group, str):
            raise NoSuchPart(place)
        entries = _divided(choices, group.members, group.place, group.depth)
        current = Level(entries, (*current.within, group))
    return current


def format_place(place: Place) -> str:
    """Return a place as a word of a custom id."""
    return ".".join(map(str, place))


def parse_place(word: str) -> Place:
    """Return the place that `format_place` wrote. Raise Forged."""
    place = tuple(integer((part,)) for part in word.split(".")) if word else ()
    if format_place(place) != word or any(number < 0 for number in place):
        raise Forged(word)
    return place


def in_order(words: Sequence[str]) -> Sequence[str]:
    """Return the words with numbers sorted by size, others in the order of the rules."""
    numbers = iter(sorted(filter(str.isdecimal, words), key=int))
    return [next(numbers) if word.isdecimal() else word for word in words]


def _divided(
    domain: OneOf, words: Sequence[str], place: Place, depth: int
) -> tuple[Group | str, ...]:
    """Group the words if there are many; a word alone in its group stays a word."""
    if len(words) <= MAX_OPTIONS or depth == len(domain.groups):
        return tuple(in_order(words))
    grouping = domain.groups[depth]
    parts: dict[str, list[str]] = {}
    for word in words:
        name = grouping.of(word)
        # A word without a group keeps its position between the groups.
        parts.setdefault(name or f"\0{word}", []).append(word)
    if len(parts) == 1:
        return _divided(domain, words, place, depth + 1)
    names = OneOf(grouping.param, tuple(name for name, part in parts.items() if len(part) > 1))
    return tuple(
        Group(names, name, (*place, number), tuple(part), depth + 1) if len(part) > 1 else part[0]
        for number, (name, part) in enumerate(parts.items())
    )


def listed(choices: Choices, limit: int) -> list[str] | None:
    """Return all words of the domain in the usual order; None if there are more than `limit`."""
    if isinstance(choices, Done):
        return []
    if isinstance(choices, OneOf):
        return list(in_order(choices.values)) if len(choices.values) <= limit else None
    if isinstance(choices, Amount):
        return [*choices.each()] if choices.size <= limit else None
    if math.prod(count + 1 for count in choices.have) > COUNTABLE:
        return None
    words = list(islice(choices.each(), limit + 1))
    place = in_order(choices.alphabet).index
    words.sort(key=lambda word: (-len(word), *map(place, word)))
    return words if len(words) <= limit else None


def picked(bundle: Bundle, values: Sequence[str]) -> str:
    """Return the word for `piece_values` that were picked in a select."""
    return bundle.sort("".join(value[0] for value in values))


def usable_pieces(bundle: Bundle) -> tuple[str, ...]:
    """Return the letters that occur in any word of the bundle; all letters in stock if it has too
    many words."""
    stock = tuple(
        letter
        for letter, n in zip(bundle.alphabet, bundle.have, strict=True)
        if n and bundle.maximum
    )
    if math.prod(count + 1 for count in bundle.have) > COUNTABLE:
        return stock
    used: set[str] = set()
    for word in bundle.each():
        used.update(word)
        if len(used) == len(stock):
            break
    return tuple(letter for letter in stock if letter in used)


def piece_values(bundle: Bundle, limit: int) -> list[str]:
    """Return a value for each piece in stock: its letter and a running number.

    With more than `limit` pieces, the largest counts are cut to the same number. Returns [] if
    there are more kinds than `limit`.
    """
    counts = bundle.have
    while sum(counts) > limit:
        fewer = max(counts) - 1
        counts = tuple(min(count, fewer) for count in counts)
    if any(have and not count for have, count in zip(bundle.have, counts, strict=True)):
        return []
    return [
        f"{letter}{number}"
        for letter, count in zip(bundle.alphabet, counts, strict=True)
        for number in range(1, count + 1)
    ]


def usual(bundle: Bundle, limit: int) -> list[str]:
    """Return up to `limit` words that players often choose: nothing, single pieces, then several of
    one kind and one each of two kinds, the largest first."""
    stock = dict(zip(bundle.alphabet, bundle.have, strict=True))
    kinds = [letter for letter in in_order(bundle.alphabet) if stock[letter]]
    sizes = range(1, min(bundle.maximum, max(bundle.have)) + 1)
    pairs = [bundle.sort("".join(pair)) for pair in combinations(kinds, 2)]
    words: list[str] = []
    for group in ([""], *([letter * size for letter in kinds] for size in sizes), pairs):
        admitted = list(filter(bundle.admits, group))
        if len(words) + len(admitted) > limit:
            break
        words += admitted
    several = sorted((word for word in words if len(word) > 1), key=len, reverse=True)
    return [*(word for word in words if len(word) <= 1), *several]
