"""Texts for promises: with an offer, while open, and when judged.

Quoted promises are escaped, so they can't ping anyone or change the look of a message. The
sentences use names, never "you", as all players read them. The form asks users to do so too.
"""

from __future__ import annotations

from bot.text.markup import bold, escape
from bot.text.user_text import Name
from bot.text.words import Message, Words, msg

PROMISES = msg("Promises")

MADE = msg("📜 {seat} promises {other}: {said}")
MARKED = {
    "kept": msg("📜 {seat} says that {other} kept a promise: {said}"),
    "broken": msg("📜 {seat} says that {other} broke a promise: {said}"),
}

MAX_REMINDER = 60
"""Maximum characters of a promise in a reminder."""
MAX_REMINDED = 3
"""Maximum promises in a reminder."""


def quoted(text: str) -> str:
    """Return text written by a user, escaped and between quotation marks."""
    return f"“{escape(text)}”"


def promise_line(words: Words, message: Message, seat: Name, other: Name, promise: str) -> str:
    """Return a message of this module about a promise between two players."""
    return words(message, seat=bold(seat), other=bold(other), said=quoted(promise))
