"""Every word the bot says: turns views, events and refusals into sentences of a language."""

from bot.text.brief import NOTHING, BriefLine, InBrief
from bot.text.contract import CloseUpText, Label, Style, Unreadable
from bot.text.game_words import AnyGameWords
from bot.text.markup import bold, clip, escape, moment, newest
from bot.text.user_text import Mention, Name, Written, cleaned, plain
from bot.text.words import Message, Words

__all__ = [
    "NOTHING",
    "AnyGameWords",
    "BriefLine",
    "CloseUpText",
    "InBrief",
    "Label",
    "Mention",
    "Message",
    "Name",
    "Style",
    "Unreadable",
    "Words",
    "Written",
    "bold",
    "cleaned",
    "clip",
    "escape",
    "moment",
    "newest",
    "plain",
]
