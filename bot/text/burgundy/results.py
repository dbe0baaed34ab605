"""The result of a game, and the options it is played with."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.burgundy.view import View
from bot.game.contract import Outcome
from bot.text.burgundy.names import ONE_BOARD, OPTION_VALUES, OPTIONS, SCORE_LINES
from bot.text.burgundy.speech import ENDINGS, Speech
from bot.text.words import Words

_VARIANTS = {"emptiest": ("ties", "emptiest"), "hidden": ("sold_goods", "hidden")}
"""The option and value that each variant of a view comes from."""


def outcome_text(speech: Speech, outcome: Outcome) -> str:
    """Who has won, what decided, and a table of what the points are made of."""
    words = speech.words
    head = words("🏆 {winners} wins!", winners=speech.seats(outcome.winners))
    ending = words(ENDINGS[outcome.ending])
    return f"{head}\n{ending}\n{speech.breakdown(outcome, SCORE_LINES)}"


def option_name(words: Words, name: str) -> str:
    """An option; an unknown one by its key."""
    return words(OPTIONS[name]) if name in OPTIONS else name


def option_value(words: Words, name: str, value: str) -> str:
    """A value of an option; an unknown one by its key."""
    if name == "boards" and value.isdecimal():
        return words(ONE_BOARD, board=value)
    known = OPTION_VALUES.get((name, value))
    return words(known) if known else value


def options_summary(words: Words, options: Mapping[str, str]) -> str:
    """What a table plays by, in one line."""
    chosen = {"boards": "beginner", "ties": "fullest", "sold_goods": "open", **options}
    parts = [f"{option_name(words, n)}: {option_value(words, n, v)}" for n, v in chosen.items()]
    return " · ".join(parts)


def variants(words: Words, view: View) -> str:
    """What departs from the default rules at a table, '' where nothing does.

    Which boards there are is plain to see.
    """
    parts = [_VARIANTS[name] for name in view.variants]
    return " · ".join(f"{option_name(words, n)}: {option_value(words, n, v)}" for n, v in parts)
