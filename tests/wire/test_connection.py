"""A turn over a connection that is slow, refuses, breaks or repeats messages."""

from __future__ import annotations

import asyncio

import pytest

from bot.cogs.ui import reply
from bot.local import Thinking
from tests.wire.conftest import Wire
from tests.wire.hands import TIMEOUT_S, ids


async def test_an_answer_that_takes_long_is_promised_and_comes_though_nothing_came_back(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reply, "DEFER_AFTER_S", 0.01)
    anna, _ = await wire.begin()
    board = await anna.shown_board()
    free, seat_of = asyncio.Event(), wire.services.tables.reader.seat_of

    async def busy(table_id: int, user: int) -> int:
        await free.wait()
        return await seat_of(table_id, user)

    with monkeypatch.context() as patch:
        patch.setattr(wire.services.tables.reader, "seat_of", busy)
        answer = await wire.anna.press(board, custom_id="play:1")
        assert isinstance(answer.outcome, Thinking)
        assert answer.is_private
        free.set()
        await wire.anna.wait_for(lambda: "first office" in answer.text, timeout=TIMEOUT_S)
    panel = answer.message
    assert panel is not None
    assert panel.attachments

    # Discord has heard the promise, but the bot has not heard that.
    monkeypatch.setattr(reply, "DEFER_AFTER_S", 0.0)
    for custom_id, text in (
        ("play:1", "first office"),
        (next(each for each in ids(panel) if each.startswith("act:")), "Nobody else knows"),
    ):
        wire.standin.faults.drop_response("POST", "*/interactions/*/callback", times=1)
        source = board if custom_id == "play:1" else panel
        again = await wire.anna.press(source, custom_id=custom_id)
        assert again.is_private
        panel = again.message or panel
        shown = panel
        await wire.anna.wait_for(lambda m=shown, t=text: t in m.text, timeout=TIMEOUT_S)  # type: ignore[misc]
    assert [entry.action.split()[0] for entry in wire.kept.log()].count("found") == 1
