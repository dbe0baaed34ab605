"""What has been made lately, kept by what it was made from."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """Things by their keys, at most so many bytes of them; what has not been asked for longest is
    let go first. May be used by several threads at once.
    """

    def __init__(self, most: int) -> None:
        self._most, self._bytes = most, 0
        self._things: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> T | None:
        """The thing of this key, if it is still here."""
        with self._lock:
            found = self._things.get(key)
            if found is None:
                return None
            self._things.move_to_end(key)
            return found[0]

    def keep(self, key: Hashable, thing: T, size: int) -> None:
        """Keep a thing of so many bytes."""
        with self._lock:
            _, before = self._things.pop(key, (None, 0))
            self._things[key] = thing, size
            self._bytes += size - before
            while self._bytes > self._most:
                _, (_, least) = self._things.popitem(last=False)
                self._bytes -= least

    def clear(self) -> None:
        """Let everything go."""
        with self._lock:
            self._things.clear()
            self._bytes = 0
