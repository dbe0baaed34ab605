"""Pictures: drawn aside, once for each moment and observer."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from bot.cogs.ui.pictures import CloseUpKey, PictureKey, Pictures
from bot.render.kept import forget


class Painter:
    """A renderer that keeps what it has drawn, and tells where it was called."""

    def __init__(self) -> None:
        self.drawn: list[str] = []
        self.threads: set[int] = set()

    def __call__(self, view: str, _names: object, _events: object, *_: object) -> bytes:
        self.drawn.append(view)
        self.threads.add(threading.get_ident())
        if view == "broken":
            raise ValueError("no paint left")
        return view.encode()

    def close_up(self, _view: str, _names: object, _events: object, part: str, *_: object) -> bytes:
        self.drawn.append(part)
        return part.encode()


async def test_a_moment_is_drawn_once_for_each_observer_and_never_on_the_loop() -> None:
    with ThreadPoolExecutor(1) as executor:
        painter: Any = Painter()
        pictures = Pictures(executor)
        mine, yours = PictureKey(1, 5, 4, 0, "en"), PictureKey(1, 5, 4, 1, "en")
        # A failure is not kept.
        with pytest.raises(ValueError, match="paint"):
            await pictures.board(painter, mine, "broken", (), ())
        asked = [(mine, "mine"), (mine, "mine"), (yours, "yours"), (mine, "mine")]
        drawn = await asyncio.gather(
            *(pictures.board(painter, key, view, (), ()) for key, view in asked)
        )
        assert drawn == [view.encode() for _, view in asked]
        assert painter.drawn == ["broken", "mine", "yours"]
        assert threading.get_ident() not in painter.threads
        # A picture is kept among all that is drawn.
        assert await pictures.board(painter, mine, "later", (), ()) == b"mine"
        forget()
        await pictures.board(painter, mine, "again", (), ())
        await Pictures(executor).board(painter, mine, "of another bot", (), ())
        assert painter.drawn[3:] == ["again", "of another bot"]

        # Close-ups differ by part and by language.
        it = PictureKey(1, 5, 4, 0, "it")
        for close in [CloseUpKey(mine, "0"), CloseUpKey(mine, "depots"), CloseUpKey(it, "0")] * 2:
            await pictures.close_up(painter.close_up, close, "mine", (), (), {})
        assert painter.drawn[5:] == ["0", "depots", "0"]
