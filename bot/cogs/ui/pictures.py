"""Board pictures, drawn in worker threads and kept for those who ask again."""

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
    """What a picture shows: a table after log entry `seq`, as `observer` sees it.

    What happened after entry `since` is marked; `locale` is the language of its words, `names` are
    the players'. `asked` is what is lit, for the observer alone; `plan` the step of theirs shown.
    `shown` is a hash of the state and of what is marked: a picture may be begun before that log
    entry is stored, and then another one may be stored in its place. `part` is what is shown of the
    table, if not all.
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
    """Draws boards off the event loop; the same moment is drawn once."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._drawn: LRUCache[bytes] = LRUCache(PICTURES)
        self._drawing: dict[PictureKey, asyncio.Future[bytes]] = {}
        self._ahead: set[asyncio.Task[bytes]] = set()

    def begin(self, drawing: Coroutine[Any, Any, bytes]) -> None:
        """Has a picture drawn for which somebody will ask, who is then told if it fails."""
        task = asyncio.create_task(drawing)
        self._ahead.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[bytes]) -> None:
        self._ahead.discard(task)
        if not task.cancelled():
            task.exception()

    async def board(self, shown: PictureKey, draw: Callable[[], bytes]) -> bytes:
        """The picture of a moment as PNG, as `draw` makes it."""
        if (picture := self._drawn.get(shown)) is not None:
            return picture
        drawing = self._drawing.get(shown)
        if drawing is None:
            drawing = in_pool(self._executor, draw)
            self._drawing[shown] = drawing
            drawing.add_done_callback(partial(self._keep, shown))
        # A reader who goes away must not take the picture from the others.
        return await asyncio.shield(drawing)

    def _keep(self, shown: PictureKey, drawing: asyncio.Future[bytes]) -> None:
        del self._drawing[shown]
        if not drawing.cancelled() and drawing.exception() is None:
            self._drawn.put(shown, drawing.result())

    async def draw(self, drawing: Callable[[], T]) -> T:
        """Any other picture, drawn off the event loop as well, and not kept."""
        return await in_pool(self._executor, drawing)
