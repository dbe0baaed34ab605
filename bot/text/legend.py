"""What the signs on a game's pictures mean, as a part of its table."""

from __future__ import annotations

from collections.abc import Mapping

from bot.text.contract import CloseUpText
from bot.text.words import Message, Words

LEGEND = "legend"
"""The part by this word; the renderer's legend has a sign for each of its keys."""


def legend_words(words: Words, messages: Mapping[str, Message], **facts: object) -> CloseUpText:
    """A sentence for each sign, filled with the facts that it asks for."""
    said = {key: words(message, **facts) for key, message in messages.items()}
    text = "\n".join(said.values())
    return CloseUpText(words("Legend"), text, text, said)
