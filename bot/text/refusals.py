"""Refusals in words, those that every game has; a game's own stand with its chapters."""

from __future__ import annotations

from collections.abc import Mapping

from bot.text.words import Forms, Message, msg

REFUSALS: Mapping[str, Message | Forms] = {
    "not_your_turn": msg("It is not your turn: {other} is asked now. You will be called."),
    "nothing_asked": msg("Nothing is asked of you just now. The others are still choosing."),
    "game_over": msg("The game is over; nothing can be played any more."),
    "unknown_kind": msg("There is no action “{kind}”. **Take your turn** shows what there is."),
    "incomplete": msg("To {kind}, say all of it: {param} is missing."),
    "too_many_words": msg("That is more than it takes to {kind}. Leave the rest away."),
    "unreadable": msg("“{word}” is not clear as {param}. You can write, for example: {examples}."),
    "not_a_choice": msg("“{word}” is not possible here. Choose {param} from what is offered."),
    "out_of_range": msg("“{word}” is not possible here. Choose {param}, from {least} to {most}."),
    "not_in_stock": msg("“{pieces}” is not all there. Choose {param} from what is offered."),
    "too_few": msg("That is too few. Choose {count} at least."),
    "too_many": msg("That is too many. Choose {count} at most."),
    "ambiguous": msg("“{word}” can mean several things: {examples}. Write a bit more."),
}
"""By code. A game whose data have the same code says it in its own words."""
