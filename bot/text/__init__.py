"""Every word the bot says: turns views, events and refusals into sentences of a language."""

from bot.text.contract import AnyGameText, Label, Style
from bot.text.markup import bold, clip, escape, newest
from bot.text.user_text import Mention, Name, Written, plain
from bot.text.words import Message, Words

__all__ = [
    "AnyGameText",
    "Label",
    "Mention",
    "Message",
    "Name",
    "Style",
    "Words",
    "Written",
    "bold",
    "clip",
    "escape",
    "newest",
    "plain",
]
