"""A turn over a connection that is slow, refuses, breaks or repeats messages."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.cogs.ui import reply
from bot.local import Message, Thinking
from bot.tables.archive.importing import CheckedImport
from tests.wire.conftest import Wire
from tests.wire.hands import HARBOUR, TIMEOUT_S, Hands, ids

EXAMPLE = Path(__file__).parents[2] / "docs" / "kogge-game.json"
THREAD_MESSAGES = "*/channels/*/messages"


async def auction(hands: Hands) -> Message:
    def shown() -> Message | None:
        board = hands.board()
        return board if board is not None and "your bid" in board.text else None

    board = await hands.person.wait_for(shown, timeout=TIMEOUT_S)
    assert board is not None
    return board


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


@pytest.mark.usefixtures("unhurried")
async def test_a_board_comes_in_spite_of_limits_errors_and_a_lost_connection(wire: Wire) -> None:
    anna, _ = await wire.begin()
    await anna.shown_board()
    faults = wire.standin.faults
    limit = faults.too_many_requests("POST", THREAD_MESSAGES, retry_after=0.05)
    failure = faults.fail("POST", THREAD_MESSAGES, status=502, times=1)
    faults.drop_sockets()
    for player in (await wire.services.tables.reader.get(1)).players:
        await wire.services.tables.play.act(1, player.seat, ("found", "4"))

    board = await auction(anna)
    assert limit.struck
    assert failure.struck
    await wire.standin.bot_online()
    asked = (await wire.services.tables.reader.pending(1))[0]
    mover, _ = await wire.hands_at(asked.seat)
    answer = await mover.person.press(board, custom_id="play:1")
    assert "Bid" in answer.text


@pytest.mark.usefixtures("unhurried")
async def test_while_a_long_game_is_checked_others_open_tables(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    imports, going_on = wire.services.tables.imports, asyncio.Event()
    check = imports.check

    async def slow(data: bytes) -> CheckedImport:
        await going_on.wait()
        return await check(data)

    monkeypatch.setattr(imports, "check", slow)
    file = ("game.json", EXAMPLE.read_bytes())
    giving = asyncio.create_task(wire.anna.slash(HARBOUR, "table import", file=file))
    await wire.bert.slash(HARBOUR, "game new", game="kogge")
    assert (await wire.services.tables.reader.get(1)).host == wire.bert.id

    going_on.set()
    await giving
    assert (await wire.services.tables.reader.get(2)).host == wire.anna.id
