"""Board pictures, drawn in worker threads and cached."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from functools import partial
from typing import Any, NamedTuple, TypeVar

from bot.game.contract import Observer
from bot.render.asked import AskedWords
from bot.render.cache import PICTURES, LRUCache
from bot.workers import in_pool

T = TypeVar("T")


class PictureKey(NamedTuple):
    """Cache key of a picture of a table after log entry `seq`, as `observer` sees it.

    Events after entry `since` are marked. `locale` is the language of its text, `names` are the
    players' names. `asked` are the choices marked for the observer alone, `plan` is the step of
    their plan. `shown` is a hash of the state and the marked events: a picture can be started
    before its log entry is stored, and another entry may be stored instead. `part` is the part of
    the table, None for the whole.
    """

    table: int
    seq: int
    since: int
    observer: Observer
    locale: str
    names: tuple[str, ...] = ()
    asked: AskedWords | None = None
    plan: str | None = None
    shown: bytes = b""
    part: str | None = None


class Pictures:
    """Cache of board pictures, which are drawn off the event loop, each once."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._cache: LRUCache[bytes] = LRUCache(PICTURES)
        self._in_progress: dict[PictureKey, asyncio.Future[bytes]] = {}
        self._started: set[asyncio.Task[bytes]] = set()

    def start_drawing(self, drawing: Coroutine[Any, Any, bytes]) -> None:
        """Start drawing a picture that will be requested soon; that request reports a failure."""
        task = asyncio.create_task(drawing)
        self._started.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[bytes]) -> None:
        self._started.discard(task)
        if not task.cancelled():
            task.exception()

    async def board(self, key: PictureKey, draw: Callable[[], bytes]) -> bytes:
        """Return the PNG for a key, from the cache or by calling `draw`."""
        if (picture := self._cache.get(key)) is not None:
            return picture
        drawing = self._in_progress.get(key)
        if drawing is None:
            drawing = in_pool(self._executor, draw)
            self._in_progress[key] = drawing
            drawing.add_done_callback(partial(self._store, key))
        # One cancelled request must not cancel the drawing for the others.
        return await asyncio.shield(drawing)

    def _store(self, key: PictureKey, drawing: asyncio.Future[bytes]) -> None:
        del self._in_progress[key]
        if not drawing.cancelled() and drawing.exception() is None:
            self._cache.put(key, drawing.result())

    async def draw(self, draw: Callable[[], T]) -> T:
        """Draw any other picture off the event loop, without caching it."""
        return await in_pool(self._executor, draw)
