"""Promises in words: with an offer, while they are open, and when somebody judges them.

What people wrote is quoted so that it can neither ping anybody nor change how a message looks.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.contract import Seat
from bot.text.markup import bold, clip, escape
from bot.text.user_text import Name
from bot.text.words import Message, Words, msg

# Buttons and the form
ADD = msg("Add a promise")
PROMISES = msg("Promises")
KEPT = msg("{number} · kept")
BROKEN = msg("{number} · broken")
FORM = msg("A promise with the offer")
MINE = msg("What you promise")
YOURS = msg("What you want promised")
MINE_HINT = msg("for example: I will not raid you before the end of the next round")
YOURS_HINT = msg("for example: Riga is mine to raid")
WITHOUT = msg("An offer can carry a promise in words, yours or theirs.")

# What happened
MADE = msg("📜 {seat} promises {other}: {said}")
ASKED = msg("📜 {seat} asks {other} to promise: {said}")
MARKED = {
    "kept": msg("📜 {seat} says that {other} kept a promise: {said}"),
    "broken": msg("📜 {seat} says that {other} broke a promise: {said}"),
}

# Lists
TITLE = msg("Promises · table {table}")
NONE = msg("Nobody has promised anything. An offer can carry a promise in words.")
MORE = msg("… and {count} more: `/game promises`")
YOU_JUDGE = msg(
    "A promise must be kept whenever possible. The bot can't enforce it: whoever got it says "
    "whether it was kept."
)
STANDINGS = {"open": msg("open"), "kept": msg("kept"), "broken": msg("broken")}
_LINE = msg("{number}. {seat} to {other}: {said} · {standing}")

BRIEF = 60
"""Characters of a promise where it is only a reminder."""
RECALLED = 3
"""How many are recalled at a time."""


def quoted(said: str) -> str:
    """What somebody wrote, between quotation marks and without any effect on the message."""
    return f"“{escape(said)}”"


def offered(words: Words, giver: Seat, reader: Seat, names: Sequence[Name], said: str) -> str:
    """A promise that goes with an offer, as the seat that may answer the offer reads it."""
    if giver == reader:
        return words("📜 If you accept, you promise: {said}", said=quoted(said))
    return words("📜 {seat} promises you: {said}", seat=bold(names[giver]), said=quoted(said))


def recalled(
    words: Words, giver: Seat, receiver: Seat, reader: Seat, names: Sequence[Name], said: str
) -> str:
    """An open promise in brief, as its giver or its receiver reads it."""
    short = quoted(clip(said, BRIEF))
    if giver == reader:
        return words("You promised {other}: {said}", other=bold(names[receiver]), said=short)
    return words("{seat} promised you: {said}", seat=bold(names[giver]), said=short)


def told(words: Words, message: Message, seat: Name, other: Name, said: str) -> str:
    """`MADE`, `ASKED`, or one of `MARKED`, with the names of the two."""
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
