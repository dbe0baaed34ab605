"""The bot over the real protocol: late answers, rate limits, errors, lost connections."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.app import open_services
from bot.cogs.ui import reply
from bot.cogs.ui.services import Services
from bot.local import Message, Person, Standin, Thinking
from bot.tables import Table
from bot.tools.connected import connected
from tests.cogs.conftest import ids
from tests.store.database import empty


class Wire:
    """A table of Anna and Bert, begun, on the stand-in."""

    def __init__(self, standin: Standin, services: Services) -> None:
        self.standin = standin
        self.services = services
        self.anna, self.bert = standin.person("Anna"), standin.person("Bert")

    async def begin(self) -> None:
        """Open, join, start, and wait for the board."""
        await self.anna.slash("the-harbour", "game new")
        lobby = await self.anna.wait_for_message("the-harbour", lambda m: "join:1" in ids(m))
        await self.bert.press(lobby, custom_id="join:1")
        await self.anna.press(lobby, custom_id="begin:1")
        await self.board("first city")

    async def table(self) -> Table:
        """The table as it is now."""
        return await self.services.tables.reader.get(1)

    async def board(self, text: str) -> Message:
        """The next board whose text holds this."""

        def shown() -> list[Message]:
            return [
                m
                for c in self.standin.model.channels.values()
                if c.name == "Kogge · table 1"
                for m in self.anna.sees(c)
                if m.attachments and text in m.content and "play:1" in ids(m)
            ]

        return (await self.anna.wait_for(shown, timeout=20))[-1]

    async def founded(self) -> None:
        """Both choose Riga; what follows is the auction."""
        table = await self.table()
        for player in table.players:
            await self.services.tables.play.act(1, player.seat, ("found", "4"))

    def thread_messages(self) -> str:
        """The path of the messages of the table's thread."""
        return "*/channels/*/messages"


@pytest.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    """The bot connected to a stand-in, and a game of two."""
    async with (
        Standin() as standin,
        open_services(empty(tmp_path / "tables.sqlite")) as services,
        connected(standin, services),
    ):
        made = Wire(standin, services)
        await made.begin()
        yield made


def by_seat(wire: Wire, table: Table, seat: int) -> Person:
    """Who sits there."""
    user = table.players[seat].user
    return wire.anna if user == wire.anna.id else wire.bert


async def test_a_press_behind_a_busy_table_is_acknowledged_and_answered_later(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reply, "DEFER_AFTER_S", 0.01)
    free, seat_of = asyncio.Event(), wire.services.tables.reader.seat_of

    async def busy(table_id: int, user: int) -> int:
        await free.wait()
        return await seat_of(table_id, user)

    monkeypatch.setattr(wire.services.tables.reader, "seat_of", busy)
    answer = await wire.anna.press(await wire.board("first city"), custom_id="play:1")
    assert isinstance(answer.outcome, Thinking)
    assert answer.is_private

    free.set()

    await wire.anna.wait_for(lambda: "first office" in answer.content)
    assert answer.message is not None
    assert answer.message.attachments


async def test_a_board_comes_in_spite_of_rate_limits_and_server_errors(wire: Wire) -> None:
    wire.standin.faults.too_many_requests("POST", wire.thread_messages(), retry_after=0.05)
    wire.standin.faults.fail("POST", wire.thread_messages(), status=502, times=1)

    await wire.founded()

    await wire.board("to bid")


async def test_a_lost_connection_loses_no_post_and_no_press(wire: Wire) -> None:
    wire.standin.faults.drop_sockets()
    await wire.founded()

    board = await wire.board("to bid")
    await wire.standin.bot_online()
    asked = (await wire.services.tables.reader.pending(1))[0]
    person = by_seat(wire, await wire.table(), asked.seat)
    answer = await person.press(board, custom_id="play:1")

    assert "Bid" in answer.content


async def test_a_press_delivered_twice_acts_once(wire: Wire) -> None:
    table = await wire.table()
    panel = await by_seat(wire, table, 0).press(await wire.board("first city"), custom_id="play:1")
    assert panel.message is not None
    answer = await by_seat(wire, table, 0).press(panel.message, custom_id="act:1:0:found,4")
    before = await wire.services.tables.reader.seq(1)

    wire.standin.person("Anna").deliver_again(answer)
    await wire.services.tables.play.act(1, 1, ("found", "2"))
    await wire.board("to bid")

    assert await wire.services.tables.reader.seq(1) == before + 1


async def test_somebody_who_blocks_messages_is_told_of_at_the_table(wire: Wire) -> None:
    table = await wire.table()
    wire.standin.faults.block_dms(wire.bert.id)
    seat = table.seat_of(wire.bert.id)
    assert seat is not None

    await wire.services.tables.play.act(1, seat, ("found", "4"))

    def told() -> bool:
        return any(
            "Bert" in m.content and "My hand" in m.content
            for c in wire.standin.model.channels.values()
            if c.name == "Kogge · table 1"
            for m in wire.anna.sees(c)
        )

    await wire.anna.wait_for(told)
    assert not (await wire.table()).players[seat].reachable
