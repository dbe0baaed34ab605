"""LRU caches for parts of pictures, limited by bytes."""

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
"""Bytes of an image without its pixels, by mode; a palette image includes its colours."""
_HEAD = 1024
_ENTRY = 256
_numbers = count()


class ByteBudget:
    """A cache of at most `limit` bytes; the least recently used values are evicted. Thread-safe."""

    def __init__(self, limit: int) -> None:
        self.limit, self.used = limit, 0
        self._entries: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Any:
        """Return the value of a key, or None if it is not cached."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return entry[0]

    def put(self, key: Hashable, value: object, size: int) -> None:
        """Cache a value of `size` bytes."""
        with self._lock:
            _, before = self._entries.pop(key, (None, 0))
            self._entries[key] = value, size
            self.used += size - before
            while self.used > self.limit:
                _, (_, evicted) = self._entries.popitem(last=False)
                self.used -= evicted

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self.used = 0


PARTS = ByteBudget(36 << 20)
"""Parts of pictures: sprites, backdrops, fonts and text masks."""
PICTURES = ByteBudget(20 << 20)
"""Tiles and finished pictures. They have their own budget, or they would evict all parts."""


class LRUCache(Generic[T]):
    """A cache for one kind of value, within a budget that several caches share."""

    def __init__(self, budget: ByteBudget) -> None:
        self._budget, self._number = budget, next(_numbers)

    def get(self, key: Hashable) -> T | None:
        """Return the value of a key, or None if it is not cached."""
        value: T | None = self._budget.get((self._number, key))
        return value

    def put(self, key: Hashable, value: T, size: int | None = None) -> None:
        """Cache a value; `size` in bytes is for values that `size_of` does not know."""
        size = size_of(value) if size is None else size
        self._budget.put((self._number, key), value, size + _ENTRY)


def cached(make: Callable[[*Ts], T]) -> Callable[[*Ts], T]:
    """Cache a function's results, like `functools.lru_cache`, within the budget `PARTS`."""
    cache: LRUCache[T] = LRUCache(PARTS)

    @wraps(make)
    def get(*args: *Ts) -> T:
        value = cache.get(args)
        if value is None:
            value = make(*args)
            cache.put(args, value)
        return value

    return get


@singledispatch
def size_of(value: object) -> int:
    """Return about how many bytes a value takes."""
    return sys.getsizeof(value)


@size_of.register
def _(value: tuple) -> int:  # type: ignore[type-arg]
    return sys.getsizeof(value) + sum(map(size_of, value))


@size_of.register
def _(value: Image.Image) -> int:
    pixels = value.width * value.height
    return _HEADS.get(value.mode, _HEAD) + pixels * _PIXEL[value.mode]
