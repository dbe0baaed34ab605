"""Randomness: every draw has a label, is recorded, and can be recomputed from the table's key."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import accumulate, count
from random import Random

from bot.game.contract import Chance

WORD = 1 << 64

DrawRequest = tuple[str, tuple[int, ...]]
"""A request for a draw: label and weights."""


class ChanceMismatch(Exception):
    """A recorded draw does not match the draw that the rules request."""


class _DrawnChance(ABC):
    """A source whose outcomes are collected in `drawn`, to be recorded."""

    def __init__(self) -> None:
        self.drawn: list[int] = []

    def draw(self, label: str, weights: Sequence[int]) -> int:
        """Return an index into `weights`. Raise ValueError if all of them are 0."""
        total = sum(weights)
        if total <= 0:
            raise ValueError(f"nothing to draw from for {label!r}")
        outcome = bisect(list(accumulate(weights)), self._number(label, total))
        self.drawn.append(outcome)
        return outcome

    @abstractmethod
    def _number(self, label: str, total: int) -> int:
        """Return a number in 0..total-1, all equally likely."""


class KeyedChance(_DrawnChance):
    """Draws by a keyed pseudo-random function of (key, counter, label).

    `counter` is the number of draws the table has made so far. The hash of the key is posted at
    the start and commits the table to its draws. The key is posted at the end, so that anyone can
    recompute them.
    """

    def __init__(self, key: bytes, counter: int = 0) -> None:
        super().__init__()
        self._key = key
        self._counter = counter

    def _number(self, label: str, total: int) -> int:
        # 2**64 is not a multiple of `total`: without a limit, small outcomes would be likelier.
        limit = WORD - WORD % total
        index = self._counter
        self._counter += 1
        for attempt in count():
            text = f"{index}:{attempt}:{label}".encode()
            number = int.from_bytes(blake2b(text, key=self._key, digest_size=8).digest(), "big")
            if number < limit:
                break
        return number % total


class RecordedChance:
    """Replays recorded outcomes in order, checking that each is possible.

    `asked` collects the label and the weights of each draw.
    """

    def __init__(self, outcomes: Iterable[int]) -> None:
        self._outcomes = tuple(outcomes)
        self.asked: list[DrawRequest] = []

    def draw(self, label: str, weights: Sequence[int]) -> int:
        """Return the next outcome. Raise ChanceMismatch if it is missing or impossible."""
        index = len(self.asked)
        if index == len(self._outcomes):
            raise ChanceMismatch(f"the record has no outcome left for {label!r}")
        outcome = self._outcomes[index]
        if not 0 <= outcome < len(weights) or weights[outcome] <= 0:
            raise ChanceMismatch(f"outcome {outcome} of {label!r} is not possible: {weights!r}")
        self.asked.append((label, tuple(weights)))
        return outcome

    def finish(self) -> None:
        """Raise ChanceMismatch if not all outcomes have been used."""
        if len(self.asked) < len(self._outcomes):
            raise ChanceMismatch("the record has more outcomes than the action draws")


class CheckedChance(RecordedChance):
    """Replays recorded outcomes in order, checking that the key yields each of them.

    `counter` is the number of draws the table had made before.
    """

    def __init__(self, outcomes: Iterable[int], key: bytes, counter: int) -> None:
        super().__init__(outcomes)
        self._keyed = KeyedChance(key, counter)
        self._counter = counter

    def draw(self, label: str, weights: Sequence[int]) -> int:
        """Return the next outcome. Raise ChanceMismatch if the key yields another one."""
        index = len(self.asked)
        expected = self._keyed.draw(label, weights)
        recorded = self._outcomes[index] if index < len(self._outcomes) else "missing"
        if recorded != expected:
            raise ChanceMismatch(
                f"draw {self._counter + index} ({label!r}): recorded {recorded},"
                f" the key makes {expected}"
            )
        return super().draw(label, weights)


class RandomChance(_DrawnChance):
    """Draws from a seeded generator, for simulations and tests."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self._rng = rng

    def _number(self, label: str, total: int) -> int:
        return int(self._rng.random() * total)


def commitment(key: bytes) -> str:
    """Return the hash of a table's key, in hex; it is posted before the first draw."""
    return blake2b(key, digest_size=16, person=b"table key").hexdigest()


def take(chance: Chance, label: str, counts: list[int], among: Sequence[int] = ()) -> int:
    """Remove a random piece from `counts`, the number of pieces by kind, and return its kind.

    With `among`, choose only from these kinds. A single possible kind needs no draw.
    """
    kinds = among or range(len(counts))
    weights = [counts[kind] for kind in kinds]
    piece = kinds[chance.draw(label, weights) if len(kinds) > 1 else 0]
    counts[piece] -= 1
    return piece
