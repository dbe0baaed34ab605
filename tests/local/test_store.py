"""Storage of the chat."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from random import randbytes
from typing import Any

import discord
import pytest

from bot.local import Person, Standin
from bot.local.model import Attachment, Message
from bot.local.store import WorldStore
from tests.local.bots import SampleBot, picture, running

PUBLIC = discord.ChannelType.public_thread


async def test_a_chat_survives_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "chat.sqlite"
    async with Standin(store_path=path) as standin, running(SampleBot(), standin) as bot:
        anna, harbour = standin.person("Anna"), standin.channel("the-harbour")
        posted = await bot.place(harbour.id).send("board", file=picture(), nonce="n")
        thread = await posted.create_thread(name="Kogge 7")
        await thread.send("welcome")
        deleted = await bot.place(harbour.id).send("deleted")
        await deleted.delete()
        short = await bot.place(harbour.id).create_thread(name="short", type=PUBLIC)
        standin.model.delete_channel(standin.model.channels[short.id])
        await anna.slash(harbour, "paint", colour="red")
        anna.read("Kogge 7")
        standin.model.change_user(anna.user, locale="it", blocks_dms=True)
        before = table_view(anna)
        old_ids = {m.id for m in anna.sees(harbour)}
        unread_before = anna.unread(harbour)
        bot_id, commands = standin.model.bot.id, set(standin.model.commands)

    async with Standin(store_path=path) as standin:
        anna = standin.person("Anna")
        assert table_view(anna) == before
        with pytest.raises(KeyError, match="no channel named 'short'"):
            standin.channel("short")
        assert (anna.user.locale, anna.user.blocks_dms) == ("it", True)
        assert anna.unread("Kogge 7") == (0, 0)
        assert anna.unread("the-harbour") == unread_before
        assert standin.model.bot.id == bot_id
        assert set(standin.model.commands) == commands
        async with running(SampleBot(), standin) as bot:
            channel = bot.place(standin.channel("the-harbour").id)
            stored = await channel.fetch_message(posted.id)
            assert (await stored.attachments[0].read()).startswith(b"\x89PNG")
            assert (await channel.send("board", nonce="n")).id == posted.id
            new = await channel.send("new")
            assert new.id > max(old_ids)


def table_view(person: Person) -> dict[str, list[tuple[int, str, int]]]:
    return {
        name: [(m.id, m.content, len(m.attachments)) for m in person.sees(name)]
        for name in ("the-harbour", "Kogge 7")
    }


async def test_changes_during_the_last_batch_are_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, started, write = tmp_path / "chat.sqlite", threading.Event(), WorldStore._write

    def write_slowly(store: WorldStore, *parts: Any) -> None:
        started.set()
        while not store._closing.is_set():
            time.sleep(0.005)
        write(store, *parts)

    monkeypatch.setattr(WorldStore, "_write", write_slowly)
    async with Standin(store_path=path) as standin:
        await asyncio.to_thread(started.wait)
        standin.person("Anna").say("the-harbour", "just in time")
    async with Standin(store_path=path) as standin:
        assert [m.text for m in standin.person("Anna").sees("the-harbour")] == ["just in time"]


async def test_unused_files_take_no_space(tmp_path: Path) -> None:
    path, size, times = tmp_path / "chat.sqlite", 50_000, 300

    def new_file(standin: Standin) -> tuple[list[Attachment], dict[int, bytes]]:
        number = standin.model.snowflakes.next()
        file = Attachment(id=number, filename="x.png", size=size, content_type="image/png")
        return [file], {number: randbytes(size)}

    async with Standin(store_path=path) as standin:
        world, harbour = standin.model, standin.channel("the-harbour")

        def post() -> Message:
            files, data = new_file(standin)
            number = world.snowflakes.next()
            message = Message(id=number, channel_id=harbour.id, author_id=world.bot.id)
            message.attachments = files
            return world.add_message(message, data)

        panel = post()
        for each in range(times):
            dropped = panel.attachments
            panel.attachments, data = new_file(standin)
            world.edited(panel, files=data, dropped=dropped)
            if each % 50 == 0:
                # Files on disk must be deleted too.
                await asyncio.sleep(0)
                assert standin.store is not None
                await standin.store.flush()
        for each in range(times):
            (world.delete_message if each % 2 else world.dismiss)(post())
        panel_file = panel.attachments[0].id
        assert sum(map(len, world.files.values())) < 50 * size
    assert path.stat().st_size < 40 * size
    async with Standin(store_path=path) as standin:
        assert standin.store is not None
        assert await standin.store.read_file(panel_file) is not None
    assert path.stat().st_size < 10 * size
