"""Refusals in words, those that every game has; a game's own stand with its chapters."""

from __future__ import annotations

from collections.abc import Mapping

from bot.text.words import Forms, Message, msg

REFUSALS: Mapping[str, Message | Forms] = {
    "not_your_turn": msg("It is {other}'s turn now. I will tell you when it is yours."),
    "nothing_asked": msg("You have nothing to do right now. The others are still choosing."),
    "game_over": msg("The game is over; there is nothing left to play."),
    "unknown_kind": msg("There is no action “{kind}”. **Take your turn** shows what there is."),
    "incomplete": msg("To {kind}, you must also say {param}."),
    "too_many_words": msg("That is more than it takes to {kind}. Leave out the rest."),
    "unreadable": msg("I cannot read “{word}” as {param}. Try, for example: {examples}."),
    "not_a_choice": msg("“{word}” is not possible here. Choose {param} from the list."),
    "out_of_range": msg("“{word}” is not possible here. Choose {param}, from {least} to {most}."),
    "not_in_stock": msg("“{pieces}” is more than there is. Choose {param} from the list."),
    "too_few": msg("That is too few. Choose at least {count}."),
    "too_many": msg("That is too many. Choose at most {count}."),
    "ambiguous": msg("“{word}” can mean several things: {examples}. Write a bit more."),
}
"""By code. A game whose data have the same code says it in its own words."""
