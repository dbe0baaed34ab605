"""Promises in words: with an offer, while they are open, and when somebody judges them.

What people wrote is quoted so that it can neither ping anybody nor change how a message looks.
Around it stand names, never "you": both read the same sentence, and so does everybody else. The
form asks for words of that kind as well.
"""

from __future__ import annotations

from bot.text.markup import bold, clip, escape
from bot.text.user_text import Name
from bot.text.words import Message, Words, msg

# Buttons and the form
ADD = msg("Add a promise")
PROMISES = msg("Promises")
KEPT = msg("{number} · kept")
BROKEN = msg("{number} · broken")
FORM = msg("A promise with the offer")
MINE = msg("{seat} promises")
YOURS = msg("The other player promises")
MINE_HINT = msg(
    "Use names, not “I” or “you”. For example: no raid in Riga until the next round ends"
)
YOURS_HINT = msg("Use names, not “I” or “you”. For example: Riga is left to {seat}")
WITHOUT = msg("You can add a promise to an offer, yours or theirs.")

# What happened
MADE = msg("📜 {seat} promises {other}: {said}")
ASKED = msg("📜 {seat} asks {other} to promise: {said}")
IF_ACCEPTED = msg("📜 If accepted, {seat} promises {other}: {said}")
MARKED = {
    "kept": msg("📜 {seat} says that {other} kept a promise: {said}"),
    "broken": msg("📜 {seat} says that {other} broke a promise: {said}"),
}

# Lists
TITLE = msg("Promises · table {table}")
NONE = msg("No promises yet. You can add one to an offer.")
MORE = msg("… and {count} more: `/game promises`")
YOU_JUDGE = msg(
    "A promise must be kept whenever possible. The bot can't enforce it: the player who "
    "received it says whether it was kept."
)
STANDINGS = {"open": msg("open"), "kept": msg("kept"), "broken": msg("broken")}
_RECALLED = msg("{seat} promised {other}: {said}")
_LINE = msg("{number}. {seat} to {other}: {said} · {standing}")

BRIEF = 60
"""Characters of a promise where it is only a reminder."""
RECALLED = 3
"""How many are recalled at a time."""


def quoted(said: str) -> str:
    """What somebody wrote, between quotation marks and without any effect on the message."""
    return f"“{escape(said)}”"


def recalled(words: Words, seat: Name, other: Name, said: str) -> str:
    """An open promise in brief."""
    return told(words, _RECALLED, seat, other, clip(said, BRIEF))


def told(words: Words, message: Message, seat: Name, other: Name, said: str) -> str:
    """A message of this module about a promise, with the names of the two."""
    return words(message, seat=bold(seat), other=bold(other), said=quoted(said))


def line(words: Words, number: int, standing: str, seat: Name, other: Name, said: str) -> str:
    """One promise in a list, from `seat` to `other`."""
    return words(
        _LINE,
        number=number,
        seat=bold(seat),
        other=bold(other),
        said=quoted(said),
        standing=words(STANDINGS[standing]),
    )
