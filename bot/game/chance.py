"""Chance: every draw is named, recorded, and can be recomputed from the table's key."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import accumulate, count
from random import Random

from bot.game.contract import Chance

WORD = 1 << 64

Asked = tuple[str, tuple[int, ...]]
"""The request for a draw: its label and its weights."""


class ChanceMismatch(Exception):
    """A recorded draw that does not match what the rules ask for."""


class _DrawnChance(ABC):
    """`drawn` collects the outcomes of this instance, to be recorded."""

    def __init__(self) -> None:
        self.drawn: list[int] = []

    def draw(self, label: str, weights: Sequence[int]) -> int:
        """An index into `weights`. Raises ValueError where they sum to nothing."""
        total = sum(weights)
        if total <= 0:
            raise ValueError(f"nothing to draw from for {label!r}")
        outcome = bisect(list(accumulate(weights)), self._number(label, total))
        self.drawn.append(outcome)
        return outcome

    @abstractmethod
    def _number(self, label: str, total: int) -> int:
        """One of 0..total-1, each as likely."""


class KeyedChance(_DrawnChance):
    """Draws by a keyed pseudo-random function of (key, counter, label).

    `counter` is how many draws the table has made before. The hash of the key, posted at the start,
    binds the draws; the key, posted at the end, lets anyone recompute them.
    """

    def __init__(self, key: bytes, counter: int = 0) -> None:
        super().__init__()
        self._key = key
        self._counter = counter

    def _number(self, label: str, total: int) -> int:
        # Values of the incomplete last run of 0..total-1 are discarded, or small outcomes would be
        # a little likelier than large ones.
        limit = WORD - WORD % total
        place = self._counter
        self._counter += 1
        for attempt in count():
            text = f"{place}:{attempt}:{label}".encode()
            number = int.from_bytes(blake2b(text, key=self._key, digest_size=8).digest(), "big")
            if number < limit:
                break
        return number % total


class RecordedChance:
    """Replays recorded outcomes in order, checking that each was possible.

    `asked` collects the label and the weights of each draw.
    """

    def __init__(self, outcomes: Iterable[int]) -> None:
        self._outcomes = tuple(outcomes)
        self.asked: list[Asked] = []

    def draw(self, label: str, weights: Sequence[int]) -> int:
        """The next recorded outcome. Raises ChanceMismatch where it is missing or impossible."""
        place = len(self.asked)
        if place == len(self._outcomes):
            raise ChanceMismatch(f"the record has no outcome left for {label!r}")
        outcome = self._outcomes[place]
        if not 0 <= outcome < len(weights) or weights[outcome] <= 0:
            raise ChanceMismatch(f"outcome {outcome} of {label!r} is not possible: {weights!r}")
        self.asked.append((label, tuple(weights)))
        return outcome

    def finish(self) -> None:
        """Raises ChanceMismatch if outcomes are left that nothing asked for."""
        if len(self.asked) < len(self._outcomes):
            raise ChanceMismatch("the record has more outcomes than the action draws")


class CheckedChance(RecordedChance):
    """Replays recorded outcomes in order, checking that the key yields each of them.

    `counter` is how many draws the table has made before.
    """

    def __init__(self, outcomes: Iterable[int], key: bytes, counter: int) -> None:
        super().__init__(outcomes)
        self._keyed = KeyedChance(key, counter)
        self._counter = counter

    def draw(self, label: str, weights: Sequence[int]) -> int:
        """The next recorded outcome. Raises ChanceMismatch where the key yields another."""
        place = len(self.asked)
        made = self._keyed.draw(label, weights)
        recorded = self._outcomes[place] if place < len(self._outcomes) else "missing"
        if recorded != made:
            raise ChanceMismatch(
                f"draw {self._counter + place} ({label!r}): recorded {recorded},"
                f" the key makes {made}"
            )
        return super().draw(label, weights)


class RandomChance(_DrawnChance):
    """Draws from a seeded generator, for simulation and tests; records outcomes too."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self._rng = rng

    def _number(self, label: str, total: int) -> int:
        return int(self._rng.random() * total)


def commitment(key: bytes) -> str:
    """The hash of a table's key, in hex, that is posted before the first draw."""
    return blake2b(key, digest_size=16, person=b"table key").hexdigest()


def take(chance: Chance, label: str, counts: list[int], among: Sequence[int] = ()) -> int:
    """Draw a piece from counts by kind, which are one less of it then; only `among` some kinds, if
    any are given. Where there is but one of these, nothing is drawn."""
    kinds = among or range(len(counts))
    weights = [counts[kind] for kind in kinds]
    piece = kinds[chance.draw(label, weights) if len(kinds) > 1 else 0]
    counts[piece] -= 1
    return piece
