"""The chat is still there after a restart."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.local import Person, Standin
from bot.local.store import WorldStore
from tests.local.bots import SampleBot, picture, running


async def test_a_chat_survives_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "chat.sqlite"
    async with Standin(store_path=path) as standin, running(SampleBot(), standin) as bot:
        anna, harbour = standin.person("Anna"), standin.channel("the-harbour")
        posted = await bot.place(harbour.id).send("board", file=picture(), nonce="n")
        thread = await posted.create_thread(name="Kogge 7")
        await thread.send("welcome")
        gone = await bot.place(harbour.id).send("gone")
        await gone.delete()
        await anna.slash(harbour, "paint", colour="red")
        anna.read("Kogge 7")
        before = snapshot(anna)
        old_ids = {m.id for m in anna.sees(harbour)}
        unread_before = anna.unread(harbour)
        bot_id, commands = standin.model.bot.id, set(standin.model.commands)

    async with Standin(store_path=path) as standin:
        anna = standin.person("Anna")
        assert snapshot(anna) == before
        assert anna.unread("Kogge 7") == (0, 0)
        assert anna.unread("the-harbour") == unread_before
        assert standin.model.bot.id == bot_id
        assert set(standin.model.commands) == commands
        async with running(SampleBot(), standin) as bot:
            channel = bot.place(standin.channel("the-harbour").id)
            found = await channel.fetch_message(posted.id)
            assert (await found.attachments[0].read()).startswith(b"\x89PNG")
            assert (await channel.send("board", nonce="n")).id == posted.id
            new = await channel.send("new")
            assert new.id > max(old_ids)


def snapshot(person: Person) -> dict[str, list[tuple[int, str, int]]]:
    """What a person sees in the two places of the test."""
    return {
        name: [(m.id, m.content, len(m.attachments)) for m in person.sees(name)]
        for name in ("the-harbour", "Kogge 7")
    }


async def test_a_deleted_channel_stays_deleted(tmp_path: Path) -> None:
    path = tmp_path / "chat.sqlite"
    async with Standin(store_path=path) as standin, running(SampleBot(), standin) as bot:
        channel = bot.place(standin.channel("the-harbour").id)
        kind = discord.ChannelType.public_thread
        thread = await channel.create_thread(name="short", type=kind)
        await thread.send("x")
        await thread.delete()
    async with Standin(store_path=path) as standin:
        with pytest.raises(KeyError, match="no channel named 'short'"):
            standin.channel("short")


async def test_what_happens_while_the_last_batch_is_written_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, begun, write = tmp_path / "chat.sqlite", threading.Event(), WorldStore._write

    def slowly(store: WorldStore, *parts: Any) -> None:
        begun.set()
        while not store._closing.is_set():
            time.sleep(0.005)
        write(store, *parts)

    monkeypatch.setattr(WorldStore, "_write", slowly)
    async with Standin(store_path=path) as standin:
        await asyncio.to_thread(begun.wait)
        standin.person("Anna").say("the-harbour", "just in time")
    async with Standin(store_path=path) as standin:
        assert [m.text for m in standin.person("Anna").sees("the-harbour")] == ["just in time"]


async def test_a_language_and_a_closed_letter_box_are_remembered(tmp_path: Path) -> None:
    path = tmp_path / "chat.sqlite"
    async with Standin(store_path=path) as standin:
        anna = standin.person("Anna")
        standin.model.change_user(anna.user, locale="it", blocks_dms=True)
    async with Standin(store_path=path) as standin:
        user = standin.person("Anna").user
        assert (user.locale, user.blocks_dms) == ("it", True)
