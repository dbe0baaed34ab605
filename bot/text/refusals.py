"""Refusals in words, those that every game has; a game's own stand with its chapters."""

from __future__ import annotations

from collections.abc import Mapping

from bot.text.words import Forms, Message, msg

REFUSALS: Mapping[str, Message | Forms] = {
    "not_your_turn": msg("It's {other}'s turn. I'll ping you when it's yours."),
    "nothing_asked": msg("You've already chosen. The others are still choosing."),
    "game_over": msg("The game is over, so you can't play any more moves."),
    "unknown_kind": msg("There's no action “{kind}”. **Take your turn** shows your actions."),
    "incomplete": msg("To {kind}, you also need {param}."),
    "too_many_words": msg("That's more than you need to {kind}. Leave out the rest."),
    "unreadable": msg("I don't understand “{word}” as {param}. Try, for example: {examples}."),
    "not_a_choice": msg("“{word}” isn't possible here. Choose {param} from the list."),
    "out_of_range": msg("“{word}” isn't possible here. Choose {param} from {least} to {most}."),
    "not_in_stock": msg("There aren't enough for “{pieces}”. Choose {param} from the list."),
    "too_few": msg("That's too few. Choose at least {count}."),
    "too_many": msg("That's too many. Choose at most {count}."),
    "ambiguous": msg("“{word}” could mean several things: {examples}. Type a bit more."),
}
"""By code. A game whose data have the same code says it in its own words."""
