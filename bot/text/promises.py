"""Promises in words: with an offer, while they are open, and when somebody judges them.

What people wrote is quoted so that it can neither ping anybody nor change how a message looks.
Around it stand names, never "you": both read the same sentence, and so does everybody else. The
form asks for words of that kind as well.
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

BRIEF = 60
"""Characters of a promise where it is only a reminder."""
RECALLED = 3
"""How many are recalled at a time."""


def quoted(said: str) -> str:
    """What somebody wrote, between quotation marks and without any effect on the message."""
    return f"“{escape(said)}”"


def told(words: Words, message: Message, seat: Name, other: Name, said: str) -> str:
    """A message of this module about a promise, with the names of the two."""
    return words(message, seat=bold(seat), other=bold(other), said=quoted(said))
