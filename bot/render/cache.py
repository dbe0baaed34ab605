"""What has been drawn lately, kept by what it was drawn from: so many bytes, whatever it is."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import singledispatch, wraps
from itertools import count
from threading import Lock
from typing import Any, Generic, TypeVar, TypeVarTuple

from PIL import Image

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_PIXEL = {"RGB": 4, "RGBA": 4, "L": 1, "P": 1}
_HEADS = {"P": 3072}
"""Bytes of an image without its pixels; the colours of a palette are among them."""
_HEAD = 1024
_ENTRY = 256
_numbers = count()


class ByteBudget:
    """At most so many bytes of things; what has not been asked for longest is let go first. May be
    used by several threads at once.
    """

    def __init__(self, most: int) -> None:
        self.most, self.used = most, 0
        self._entries: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Any:
        """The thing of this key, or None where it is not here any more."""
        with self._lock:
            found = self._entries.get(key)
            if found is None:
                return None
            self._entries.move_to_end(key)
            return found[0]

    def put(self, key: Hashable, value: object, size: int) -> None:
        """Keep a thing of so many bytes."""
        with self._lock:
            _, before = self._entries.pop(key, (None, 0))
            self._entries[key] = value, size
            self.used += size - before
            while self.used > self.most:
                _, (_, least) = self._entries.popitem(last=False)
                self.used -= least

    def clear(self) -> None:
        """Let everything go."""
        with self._lock:
            self._entries.clear()
            self.used = 0


PARTS = ByteBudget(36 << 20)
"""What pictures are made of: sprites, backdrops, fonts, writing."""
PICTURES = ByteBudget(20 << 20)
"""Their tiles, and finished ones. Apart, as each brings so many that no part would stay."""


class LRUCache(Generic[T]):
    """Things of one kind by their keys, in a budget that they share with all others."""

    def __init__(self, budget: ByteBudget) -> None:
        self._budget, self._number = budget, next(_numbers)

    def get(self, key: Hashable) -> T | None:
        """The thing of this key, if it is still here."""
        found: T | None = self._budget.get((self._number, key))
        return found

    def put(self, key: Hashable, value: T, size: int | None = None) -> None:
        """Keep a thing, of so many bytes where `size_of` does not know it."""
        size = size_of(value) if size is None else size
        self._budget.put((self._number, key), value, size + _ENTRY)


def cached(make: Callable[[*Ts], T]) -> Callable[[*Ts], T]:
    """Makes the same part of pictures once, as `functools.lru_cache` does, within their budget."""
    cache: LRUCache[T] = LRUCache(PARTS)

    @wraps(make)
    def found(*what: *Ts) -> T:
        value = cache.get(what)
        if value is None:
            value = make(*what)
            cache.put(what, value)
        return value

    return found


@singledispatch
def size_of(value: object) -> int:
    """How many bytes a thing takes."""
    return sys.getsizeof(value)


@size_of.register
def _(value: tuple) -> int:  # type: ignore[type-arg]
    return sys.getsizeof(value) + sum(map(size_of, value))


@size_of.register
def _(value: Image.Image) -> int:
    pixels = value.width * value.height
    return _HEADS.get(value.mode, _HEAD) + pixels * _PIXEL[value.mode]
