"""A turn over a connection that is slow, refuses, breaks or repeats messages."""

from __future__ import annotations

import asyncio

import pytest

from bot.cogs.ui import reply
from bot.local import Message, Thinking
from bot.thinking import Considered, Thinkers
from tests.wire.conftest import Wire
from tests.wire.hands import TIMEOUT_S, Hands, ids

THREAD_MESSAGES = "*/channels/*/messages"


async def founded(wire: Wire) -> None:
    """Both choose Riga; what follows is the auction."""
    for player in (await wire.services.tables.reader.get(1)).players:
        await wire.services.tables.play.act(1, player.seat, ("found", "4"))


async def auction(hands: Hands) -> Message:
    """The board of the auction."""

    def shown() -> Message | None:
        board = hands.board()
        return board if board is not None and "your bid" in board.text else None

    board = await hands.person.wait_for(shown, timeout=TIMEOUT_S)
    assert board is not None
    return board


async def test_a_press_behind_a_busy_table_is_acknowledged_and_answered_later(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reply, "DEFER_AFTER_S", 0.01)
    anna, _ = await wire.begin()
    board = await anna.shown_board()
    free, seat_of = asyncio.Event(), wire.services.tables.reader.seat_of

    async def busy(table_id: int, user: int) -> int:
        await free.wait()
        return await seat_of(table_id, user)

    monkeypatch.setattr(wire.services.tables.reader, "seat_of", busy)
    answer = await wire.anna.press(board, custom_id="play:1")
    assert isinstance(answer.outcome, Thinking)
    assert answer.is_private

    free.set()

    await wire.anna.wait_for(lambda: "first office" in answer.text, timeout=TIMEOUT_S)
    assert answer.message is not None
    assert answer.message.attachments


async def test_a_hint_that_takes_long_to_think_of_is_acknowledged_and_given_later(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reply, "DEFER_AFTER_S", 0.01)
    monkeypatch.setattr(Thinkers, "can_think", True)
    free = asyncio.Event()

    async def slow(*_: object, **__: object) -> list[Considered]:
        await free.wait()
        return [Considered(("found", city), 0.5, 0.0, 3) for city in "45"]

    monkeypatch.setattr(wire.services.thinkers, "weigh", slow)
    anna, _ = await wire.begin(hints="on")
    await anna.shown_board()
    answer = await wire.anna.slash(anna.home, "game hint")
    assert isinstance(answer.outcome, Thinking)
    assert answer.is_private

    free.set()

    await wire.anna.wait_for(lambda: "What the strong player" in answer.text, timeout=TIMEOUT_S)


async def test_an_acknowledgement_that_was_heard_though_nothing_came_back_costs_no_answer(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, _ = await wire.begin()
    board = await anna.shown_board()
    monkeypatch.setattr(reply, "DEFER_AFTER_S", 0.0)

    def nothing_comes_back() -> None:
        wire.standin.faults.drop_response("POST", "*/interactions/*/callback", times=1)

    nothing_comes_back()
    answer = await wire.anna.press(board, custom_id=f"play:{anna.table}")
    panel = answer.message
    assert panel is not None
    await wire.anna.wait_for(lambda: "first office" in answer.text, timeout=TIMEOUT_S)
    assert answer.is_private

    nothing_comes_back()
    found = next(each for each in ids(panel) if each.startswith("act:"))
    chosen = await wire.anna.press(panel, custom_id=found)
    await wire.anna.wait_for(lambda: "Nobody else knows" in panel.text, timeout=TIMEOUT_S)
    assert chosen.is_private
    assert [entry.action.split()[0] for entry in wire.kept.log()].count("found") == 1


async def test_a_board_comes_in_spite_of_rate_limits_and_server_errors(wire: Wire) -> None:
    anna, _ = await wire.begin()
    await anna.shown_board()
    limit = wire.standin.faults.too_many_requests("POST", THREAD_MESSAGES, retry_after=0.05)
    failure = wire.standin.faults.fail("POST", THREAD_MESSAGES, status=502, times=1)

    await founded(wire)

    await auction(anna)
    assert limit.struck
    assert failure.struck


@pytest.mark.usefixtures("unhurried")
async def test_a_lost_connection_loses_no_post_and_no_press(wire: Wire) -> None:
    anna, _ = await wire.begin()
    await anna.shown_board()
    wire.standin.faults.drop_sockets()
    await founded(wire)

    board = await auction(anna)
    await wire.standin.bot_online()
    asked = (await wire.services.tables.reader.pending(1))[0]
    mover, _ = await wire.hands_at(asked.seat)
    answer = await mover.person.press(board, custom_id="play:1")

    assert "Bid" in answer.text


async def test_somebody_who_blocks_messages_is_told_of_at_the_table(wire: Wire) -> None:
    anna, bert = await wire.begin()
    await anna.shown_board()
    table = await wire.services.tables.reader.get(1)
    wire.standin.faults.block_dms(wire.bert.id)
    seat = table.seat_of(wire.bert.id)
    assert seat is not None

    await wire.services.tables.play.act(1, seat, ("found", "4"))

    def told() -> bool:
        seen = wire.anna.sees(bert.place)
        return any("Bert" in each.text and "My hand" in each.text for each in seen)

    await wire.anna.wait_for(told, timeout=TIMEOUT_S)
    assert not (await wire.services.tables.reader.get(1)).players[seat].reachable
