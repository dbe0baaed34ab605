"""Pictures: drawn aside, once for each moment and observer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor

import pytest

from bot.cogs.ui.pictures import CloseUpKey, PictureKey, Pictures
from bot.game.contract import Event
from bot.render.asked import AskedWords
from bot.render.kept import forget
from bot.render.layout import Say


class Painter:
    """A renderer that counts, and tells where it was called."""

    def __init__(self) -> None:
        self.drawn: list[str] = []
        self.threads: set[int] = set()
        self.broken = False

    def __call__(
        self,
        view: str,
        names: Sequence[str],
        events: Sequence[Event],
        asked: AskedWords | None = None,
        say: Say = str,
    ) -> bytes:
        self.drawn.append(view)
        self.threads.add(threading.get_ident())
        if self.broken:
            raise ValueError("no paint left")
        return view.encode()


@pytest.fixture
def executor() -> Iterator[Executor]:
    with ThreadPoolExecutor(1) as made:
        yield made


async def test_a_moment_is_drawn_once_for_each_observer_and_never_on_the_loop(
    executor: Executor,
) -> None:
    painter = Painter()
    pictures = Pictures(executor)
    mine, yours = PictureKey(1, 5, 4, 0, "en"), PictureKey(1, 5, 4, 1, "en")
    asked = [(mine, "mine"), (mine, "mine"), (yours, "yours"), (mine, "mine")]
    drawn = await asyncio.gather(
        *(pictures.board(painter, key, view, (), ()) for key, view in asked)
    )
    assert drawn == [view.encode() for _, view in asked]
    assert painter.drawn == ["mine", "yours"]
    assert threading.get_ident() not in painter.threads


async def test_close_ups_differ_by_part_and_by_language(executor: Executor) -> None:
    drawn: list[str] = []

    def close_up(
        view: str,
        names: object,
        events: object,
        part: str,
        legend: object,
        asked: AskedWords | None = None,
        say: Say = str,
    ) -> bytes:
        drawn.append(part)
        return view.encode()

    pictures = Pictures(executor)
    en, it = PictureKey(1, 5, 4, 0, "en"), PictureKey(1, 5, 4, 0, "it")
    for close in [CloseUpKey(en, "0"), CloseUpKey(en, "depots"), CloseUpKey(it, "0")] * 2:
        await pictures.close_up(close_up, close, "mine", (), (), {})
    assert drawn == ["0", "depots", "0"]


async def test_a_failure_is_not_kept(executor: Executor) -> None:
    painter = Painter()
    pictures = Pictures(executor)
    painter.broken = True
    with pytest.raises(ValueError, match="paint"):
        await pictures.board(painter, PictureKey(1, 5, 4, 0, "en"), "mine", (), ())
    painter.broken = False
    assert await pictures.board(painter, PictureKey(1, 5, 4, 0, "en"), "mine", (), ()) == b"mine"


async def test_a_picture_is_kept_among_all_that_is_drawn(executor: Executor) -> None:
    painter, key = Painter(), PictureKey(1, 5, 4, 0, "en")
    pictures = Pictures(executor)
    for view in ("first", "kept"):
        await pictures.board(painter, key, view, (), ())
    forget()
    await pictures.board(painter, key, "again", (), ())
    await Pictures(executor).board(painter, key, "of another bot", (), ())
    assert painter.drawn == ["first", "again", "of another bot"]
