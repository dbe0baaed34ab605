"""Actions built word by word, whatever supplies the words: buttons, selects, forms or commands."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import combinations, islice
from typing import NamedTuple

from bot.cogs.ui.browsing import in_order, is_large
from bot.cogs.ui.custom_id import Forged, TooLong, integer
from bot.cogs.ui.snapshot import Snapshot
from bot.game.choices import Amount, Bundle, Choices, Done, OneOf
from bot.game.contract import Action, IllegalAction, Seat, canonical, in_turn
from bot.workers import in_thread

NOTHING = "-"
"""How the empty word is typed, and offered while typing and in selects."""

COUNTABLE = 4000
"""Bundles with more words than this are not listed word by word."""


PACKED, SPELT = "~", "="
"""What a packed action begins with, and what a word in it begins with that is spelt out."""

HASH_BYTES = 5
MOST_PACKED = 20
"""Words of an action that is packed."""


class BuilderStep(NamedTuple):
    """An action so far, and what may be said next; `Done` where it is whole."""

    action: Action
    choices: Choices

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to choose."""
        return isinstance(self.choices, Done)


def step(snapshot: Snapshot, seat: Seat, prefix: Action) -> BuilderStep:
    """What may be said after `prefix`. Raises IllegalAction where the prefix is not allowed."""
    return BuilderStep(prefix, snapshot.legal(seat, prefix))


def forward(snapshot: Snapshot, seat: Seat, prefix: Action) -> BuilderStep:
    """The next real choice after `prefix`; words without an alternative are chosen
    automatically."""
    at = step(snapshot, seat, prefix)
    while not isinstance(at.choices, Done):
        word = at.choices.only()
        if word is None:
            break
        at = step(snapshot, seat, (*at.action, word))
    return at


def back(snapshot: Snapshot, seat: Seat, prefix: Action) -> Action | None:
    """The last prefix before this one at which there was a choice; None where there was none."""
    for length in range(len(prefix) - 1, -1, -1):
        choices = snapshot.legal(seat, prefix[:length])
        if not isinstance(choices, Done) and choices.only() is None:
            return prefix[:length]
    return None


async def typed(
    snapshot: Snapshot, seat: Seat, kind: str, words: Sequence[str | None]
) -> BuilderStep:
    """An action from what a person typed for each parameter, as far as it goes.

    What was left out is filled in where there is no choice; the rest is still to be chosen. Raises
    Unreadable or IllegalAction.
    """
    at = step(snapshot, seat, (kind,))
    for said in words:
        if isinstance(at.choices, Done):
            break
        if said == NOTHING and at.choices.admits(""):
            word = ""
        elif said is not None:
            word = await read(snapshot, at, said)
        else:
            only = at.choices.only()
            if only is None:
                break
            word = only
        at = step(snapshot, seat, (*at.action, word))
    return at


async def read(snapshot: Snapshot, at: BuilderStep, said: str) -> str:
    """What a person typed, as the next word. Raises Unreadable.

    A large domain has many names to compare with, so it is read off the event loop.
    """
    text, view, names = snapshot.text, snapshot.view, snapshot.names
    if is_large(at.choices):
        return await in_thread(text.read, at.choices, said, at.action, view, names)
    return text.read(at.choices, said, at.action, view, names)


def packed(snapshot: Snapshot, seat: Seat, action: Action) -> str:
    """The words of an action in a few characters, as one word that `unpacked` reads.

    Each is the number of a word in its domain, or the word itself where the domain has no numbers.
    Part of a hash of the words goes with them, so that a number that has come to mean something
    else is detected. Raises TooLong for what cannot be written so.
    """
    parts = []
    for place, word in enumerate(action):
        choices = snapshot.legal(seat, action[:place])
        if isinstance(choices, OneOf) and word in choices.values:
            parts.append(str(choices.values.index(word)))
        else:
            parts.append(f"{SPELT}{word}")
    if any(PACKED in part for part in parts):
        raise TooLong(canonical(action))
    return PACKED + PACKED.join([*parts, _hash(action)])


def unpacked(snapshot: Snapshot, seat: Seat, word: str) -> Action | None:
    """The action that was `packed`; None where it would no longer be the same one.

    Raises Forged where nothing of the kind was written.
    """
    *parts, known = word.removeprefix(PACKED).split(PACKED)
    if len(parts) > MOST_PACKED:
        raise Forged(word)
    action: Action = ()
    for part in parts:
        if part.startswith(SPELT):
            action = (*action, part.removeprefix(SPELT))
            continue
        number = integer((part,))
        try:
            choices = snapshot.legal(seat, action)
        except IllegalAction:
            return None
        if not isinstance(choices, OneOf) or number not in range(len(choices.values)):
            return None
        action = (*action, choices.values[number])
    return action if known == _hash(action) else None


def is_packed(words: Action) -> bool:
    """Whether the first of the words is one that `packed` wrote."""
    return bool(words) and words[0].startswith(PACKED)


def _hash(action: Action) -> str:
    return blake2b(canonical(action).encode(), digest_size=HASH_BYTES).hexdigest()


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


def place_of(snapshot: Snapshot, seat: Seat, action: Action) -> tuple[tuple[int, ...], ...]:
    """Where an action stands in the usual order: as the rules list its words, numbers by size, few
    pieces before many. Of actions that are joined the first counts, then the number of words.
    """
    first, *_ = in_turn(action)
    place: list[tuple[int, ...]] = []
    for length, word in enumerate(first):
        choices = snapshot.legal(seat, first[:length])
        if isinstance(choices, OneOf):
            place.append((in_order(choices.values).index(word),))
        elif isinstance(choices, Bundle):
            place.append((len(word), *map(in_order(choices.alphabet).index, word)))
        else:
            place.append((int(word),))
    return (*place, (len(action),))


def picked(bundle: Bundle, values: Sequence[str]) -> str:
    """The word for the pieces picked in a select, whose values are `piece_values`."""
    return bundle.sort("".join(value[0] for value in values))


def usable_pieces(bundle: Bundle) -> tuple[str, ...]:
    """The letters of all pieces in any word of the bundle; those in stock where it has too many
    words."""
    stock = tuple(
        letter for letter, n in zip(bundle.alphabet, bundle.have, strict=True) if n and bundle.most
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
    found: list[str] = []
    for group in _usual(bundle):
        words = list(filter(bundle.admits, group))
        if len(found) + len(words) > most:
            break
        found += words
    several = sorted((word for word in found if len(word) > 1), key=len, reverse=True)
    return [*(word for word in found if len(word) <= 1), *several]


def _usual(bundle: Bundle) -> Iterator[list[str]]:
    """The same in groups, the likeliest first."""
    stock = dict(zip(bundle.alphabet, bundle.have, strict=True))
    kinds = [letter for letter in in_order(bundle.alphabet) if stock[letter]]
    yield [""]
    for size in range(1, min(bundle.most, max(bundle.have)) + 1):
        yield [letter * size for letter in kinds]
    yield [bundle.sort("".join(pair)) for pair in combinations(kinds, 2)]
