"""Undo, alone and by consent; the proposal at a table and the others' answers."""

from __future__ import annotations

from collections.abc import Sequence

from bot.text.markup import bold
from bot.text.user_text import Name
from bot.text.words import Words, forms, msg

# Buttons
UNDO = msg("Undo")
START_AGAIN = msg("Start my turn again")
TAKE_BACK = msg("Take it back")
ASK_ALL = msg("Ask everybody")

_UNDONE = forms(
    "↩️ {seat} takes an action back.", "↩️ {count} actions are taken back, as {seat} asked."
)
_WOULD = forms("This would be taken back:", "These {count} actions would be taken back:")
_OWN = msg("{seat}: {action}")
_SECRET = msg("What others did in secret.")
WHY_NOT = {
    "other": msg("Somebody else has acted since, so everybody at the table must agree."),
    "draw": msg("Something was drawn, so everybody at the table must agree."),
    "sealed": msg(
        "It was a secret choice: while others are still choosing, simply choose "
        "again. After that everybody at the table must agree."
    ),
    "choosing": msg(
        "Others are choosing in secret and may have chosen again since, so everybody "
        "at the table must agree."
    ),
    "seen": msg(
        "Somebody may have learnt something from it, so everybody at the table must agree."
    ),
}
DONE = msg("↩️ Taken back.")
ASKED = msg("I have asked the others. Anything drawn again will come out the same.")

_PROPOSED = forms(
    "↩️ {name} asks to take back one action.", "↩️ {name} asks to take back {count} actions."
)


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
