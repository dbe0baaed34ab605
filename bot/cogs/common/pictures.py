"""Board pictures, drawn in worker threads and kept for those who ask again."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import NamedTuple, TypeVar

from bot.game.contract import Event, Observer
from bot.render.film import Film
from bot.render.registry import Renderer

T = TypeVar("T")

KEPT = 64
"""Pictures kept; about 150 KB each."""


class Moment(NamedTuple):
    """What a picture shows: a table after log entry `seq`, as `observer` sees it.

    `since` is the entry after which what happened is marked.
    """

    table: int
    seq: int
    since: int
    observer: Observer


class Pictures:
    """Draws boards off the event loop; the same moment is drawn once."""

    def __init__(self, renderers: Mapping[str, Renderer], executor: Executor) -> None:
        self._renderers = renderers
        self._executor = executor
        self._kept: OrderedDict[Moment, asyncio.Future[bytes]] = OrderedDict()

    async def board(
        self,
        game: str,
        moment: Moment,
        view: object,
        names: Sequence[str],
        events: Sequence[Event],
    ) -> bytes:
        """The picture of a moment as PNG."""
        drawing = self._kept.get(moment)
        if drawing is None:
            loop = asyncio.get_running_loop()
            drawing = loop.run_in_executor(
                self._executor, self._renderers[game], view, names, events
            )
            self._kept[moment] = drawing
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(moment)
        try:
            # A reader who goes away must not take the picture from the others.
            return await asyncio.shield(drawing)
        except Exception:
            self._kept.pop(moment, None)
            raise

    async def draw(self, drawing: Callable[[], T]) -> T:
        """Any other picture, likewise off the event loop. Nothing is kept of it."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, drawing)

    async def frame(
        self,
        film: Film,
        game: str,
        view: object,
        names: Sequence[str],
        events: Sequence[Event],
        hold_ms: int,
    ) -> None:
        """Add a board to a film. Each frame waits for its turn, so that no other picture must
        wait for a whole film.
        """
        renderer = self._renderers[game]
        await self.draw(lambda: film.add(renderer(view, names, events), hold_ms))
