"""Undo, alone and by consent; the proposal at a table and the others' answers."""

from __future__ import annotations

from collections.abc import Sequence

from bot.text.markup import bold
from bot.text.user_text import Name
from bot.text.words import Words, forms, msg

# Buttons
UNDO = msg("Undo")
START_AGAIN = msg("Start my turn again")
TAKE_BACK = msg("Go back")
ASK_ALL = msg("Ask everyone")

_UNDONE = forms("↩️ {seat} undoes an action.", "↩️ {count} actions undone at {seat}'s request.")
_WOULD = forms("This would be undone:", "These {count} actions would be undone:")
_OWN = msg("{seat}: {action}")
_SECRET = msg("The others' secret choices.")
WHY_NOT = {
    "other": msg("Someone else has moved since, so everyone at the table must agree."),
    "draw": msg(
        "Something was drawn, so everyone at the table must agree. "
        "If you draw again, the result will be the same."
    ),
    "sealed": msg(
        "That was a secret choice. While others are still choosing, just choose again. "
        "After that, everyone at the table must agree."
    ),
    "choosing": msg(
        "Others are still choosing in secret and may have changed their choice, so everyone "
        "at the table must agree."
    ),
    "seen": msg("Someone may have learned something from it, so everyone at the table must agree."),
}
DONE = msg("↩️ Undone.")

_PROPOSED = forms("↩️ {name} wants to undo one action.", "↩️ {name} wants to undo {count} actions.")


def undone(words: Words, seat: Name, count: int) -> str:
    """Says that a player has taken actions back."""
    return words.phrase(_UNDONE, count, seat=bold(seat))


def would_undo(words: Words, count: int, story: Sequence[str]) -> str:
    """What an undo would take back, as one player heard of it."""
    return "\n".join([words.phrase(_WOULD, count), *(story or [words(_SECRET)])])


def own(words: Words, seat: Name, action: str) -> str:
    """An action of a player of which nothing else is told, such as the end of a turn."""
    return words(_OWN, seat=bold(seat), action=action)


def proposed(words: Words, name: Name, count: int) -> str:
    """Says that a player asks everybody to undo `count` actions."""
    return words.phrase(_PROPOSED, count, name=bold(name))
