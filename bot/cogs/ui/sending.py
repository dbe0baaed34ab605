"""What is said in a message of the bot's own, and what such a message says that is found again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any, cast

import discord
from msgspec.json import encode

from bot.cogs.ui.components import Pressable
from bot.cogs.ui.layout import (
    Beside,
    Control,
    Document,
    Image,
    Keep,
    Layout,
    Row,
    Text,
    picture_of,
    rows,
    walk,
)

Said = Layout | str
"""What a message says: words alone, which a phone shows as it rings, or a layout."""


def sent(said: Said) -> dict[str, Any]:
    """What it is sent with."""
    return {"content": said} if isinstance(said, str) else said.sent()


def edited(said: Said) -> dict[str, Any]:
    """What a message is edited with, to say this alone."""
    return {"content": said} if isinstance(said, str) else said.edited()


def without_files(said: Said) -> Said | None:
    """The same without what is attached; None where nothing is."""
    if isinstance(said, str) or not said.files():
        return None
    return replace(said, parts=[p for p in said.parts if not isinstance(p, Image | Document)])


def shown_by(said: Said) -> bytes | None:
    """A print of what a message shows that says this; None where files go with it."""
    if isinstance(said, str):
        return said.encode()
    if any(isinstance(part, Image | Document) and part.data is not None for part in said.parts):
        return None
    kept = [part.attached for part in said.parts if isinstance(part, Image)]
    components = cast(Any, said.view()).to_components()
    return blake2b(encode((kept, components)), digest_size=16).digest()


def is_said_by(message: discord.Message, said: Said) -> bool:
    """Whether a message says just that, with the same buttons."""
    if isinstance(said, str):
        return not ids_of(message) and text_of(message) == said.strip()
    return ids_of(message) == _ids(said) and is_text_of(message, said)


def is_text_of(message: discord.Message, said: Said) -> bool:
    """Whether a message has that text, whatever its buttons."""
    text = said if isinstance(said, str) else said.text
    return text_of(message) == text.strip()


def text_of(message: discord.Message) -> str:
    """All that a message says, in lines; also one of before, which is no layout."""
    texts = [each for each in walk(message.components) if isinstance(each, discord.TextDisplay)]
    lines = [message.content, *(each.content for each in texts)]
    return "\n".join(filter(None, lines)).strip()


def ids_of(message: discord.Message) -> list[str]:
    """The custom ids of a message's buttons and selects, in order."""
    ids = (getattr(each, "custom_id", None) for each in walk(message.components))
    return [each for each in ids if each is not None]


def with_presses(message: discord.Message, presses: Sequence[Control] = ()) -> Layout:
    """A message as it stands but for its buttons, which are these instead."""
    picture = picture_of(message)
    shown = [] if picture is None else [picture]
    return Layout([*shown, Text(text_of(message), Keep.BEGINNING), *rows(presses)])


def _ids(layout: Layout) -> list[str]:
    presses: list[Control] = []
    for part in layout.parts:
        if isinstance(part, Row):
            presses += part.presses
        elif isinstance(part, Beside):
            presses.append(part.press)
    return [press.custom_id.encoded() for press in presses if isinstance(press, Pressable)]
