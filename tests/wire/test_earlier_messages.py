"""Messages of before there were layouts: their buttons work, and an edit makes layouts of them."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.cogs.ui import channels
from bot.cogs.ui.channels import Content
from bot.cogs.ui.layout import Layout, Row, Section
from bot.cogs.ui.reply import Reply
from bot.local import Message
from bot.local.model import walk
from tests.wire.conftest import Wire
from tests.wire.players import ids

pytestmark = pytest.mark.usefixtures("unhurried")


def classic(said: Content) -> dict[str, Any]:
    """How a message was sent before there were layouts."""
    if isinstance(said, str):
        return {"content": said}
    view = discord.ui.View(timeout=None)
    for part in said.parts:
        presses = part.controls if isinstance(part, Row) else ()
        for press in (part.control,) if isinstance(part, Section) else presses:
            view.add_item(press)
    view.stop()
    return {"content": said.text, "view": view, "files": said.files()}


async def say_as_before(self: Reply, answer: Layout) -> None:
    await self.interaction.response.send_message(**classic(answer), ephemeral=True)


def is_classic(message: Message) -> bool:
    return bool(message.content) and not message.is_layout and bool(message.attachments)


def pictures(message: Message) -> list[str]:
    items = [item for part in walk(message.components) for item in part.get("items", ())]
    return [item["media"]["url"].partition("://")[2] for item in items]


def check_layout(message: Message) -> None:
    assert message.is_layout
    assert message.content == ""
    assert pictures(message) == [each.filename for each in message.attachments] != []


async def test_a_panel_of_before_becomes_a_layout_when_it_is_pressed(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bert = await wire.begin()
    who = anna if await wire.act_until("found") == 0 else bert
    with monkeypatch.context() as before:
        before.setattr(Reply, "say", say_as_before)
        panel = await who.open()
    assert is_classic(panel)

    await who.person.press(panel, custom_id="explain:1::on")
    await wire.quiet()

    check_layout(panel)
    assert "> " in panel.text
    assert [each for each in who.choices() if each["custom_id"].startswith("act:")]


async def test_a_post_of_before_becomes_a_layout_when_there_is_a_newer_one(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr(channels, "_new", classic)
        anna, _bert = await wire.begin()
        await wire.quiet()
    (post,) = anna.posts
    said = post.content.splitlines()
    assert is_classic(post)
    assert "play:1" in ids(post)
    # As after a restart.
    wire.post._turns.forget(1)

    await wire.act_until("bid")
    await wire.quiet()

    assert len(anna.posts) > 1
    check_layout(post)
    assert "play:1" not in ids(post)
    assert set(post.text.splitlines()) <= set(said)
    assert post.text
