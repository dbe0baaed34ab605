"""All texts of the bot: views, events and refusals as sentences in a language."""

from bot.text.contract import NOTHING, CloseUpText, Label, Style, Summary, SummaryLine, Unreadable
from bot.text.game_words import AnyGameWords
from bot.text.markup import bold, clip, escape, moment, newest
from bot.text.user_text import Mention, Name, Written, cleaned, plain
from bot.text.words import Message, Words, forms, msg

__all__ = [
    "NOTHING",
    "AnyGameWords",
    "CloseUpText",
    "Label",
    "Mention",
    "Message",
    "Name",
    "Style",
    "Summary",
    "SummaryLine",
    "Unreadable",
    "Words",
    "Written",
    "bold",
    "cleaned",
    "clip",
    "escape",
    "forms",
    "moment",
    "msg",
    "newest",
    "plain",
]
