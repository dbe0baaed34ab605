"""Classic messages of earlier versions: their buttons work, and edits turn them into layouts."""

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

pytestmark = pytest.mark.usefixtures("never_deferred")


def classic(content: Content) -> dict[str, Any]:
    """Return the arguments to send a classic message."""
    if isinstance(content, str):
        return {"content": content}
    view = discord.ui.View(timeout=None)
    for part in content.parts:
        controls = part.controls if isinstance(part, Row) else ()
        for control in (part.control,) if isinstance(part, Section) else controls:
            view.add_item(control)
    view.stop()
    return {"content": content.text, "view": view, "files": content.files()}


async def say_classic(self: Reply, answer: Layout) -> None:
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


async def test_a_classic_panel_becomes_a_layout_when_it_is_used(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bert = await wire.begin()
    player = anna if await wire.act_until("found") == 0 else bert
    with monkeypatch.context() as before:
        before.setattr(Reply, "say", say_classic)
        panel = await player.open()
    assert is_classic(panel)

    await player.person.press(panel, custom_id="explain:1::on")
    await wire.quiet()

    check_layout(panel)
    assert "> " in panel.text
    assert [each for each in player.choices() if each["custom_id"].startswith("act:")]


async def test_a_classic_post_becomes_a_layout_when_there_is_a_newer_one(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr(channels, "_new", classic)
        anna, _bert = await wire.begin()
        await wire.quiet()
    (post,) = anna.posts
    lines = post.content.splitlines()
    assert is_classic(post)
    assert "play:1" in ids(post)
    # Simulate a restart.
    wire.post._turns.forget(1)

    await wire.act_until("bid")
    await wire.quiet()

    assert len(anna.posts) > 1
    check_layout(post)
    assert "play:1" not in ids(post)
    assert set(post.text.splitlines()) <= set(lines)
    assert post.text
