"""The result of a game, and the options it is played with."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.contract import Outcome
from bot.game.kogge.view import View
from bot.text.kogge.names import OPTION_VALUES, OPTIONS, SCORE_LINES
from bot.text.kogge.speech import ENDINGS, Speech
from bot.text.words import Words, forms

_BID_AT_MOST = forms("Bid one marker, the best I can", "Bid up to {count} markers, the best I can")

ADVANCED = ("taxes", "offices", "conflicts", "memory")
"""Options that add a rule; the summary names those that are on."""


VARIANTS = {
    "either_price": ("office_price", "either"),
    "failed_route_keeps_step": ("failed_route", "keeps_step"),
    "open": ("goods", "open"),
    "hidden": ("goods", "hidden"),
    "three_fur": ("memory_fur", "three"),
    **{name: (name, "on") for name in ADVANCED},
}
"""The option and value that each variant of a view comes from."""


def outcome_text(speech: Speech, outcome: Outcome) -> str:
    """Who has won, how the game ended, and a table of what the points are made of."""
    words = speech.words
    winners = speech.seats(outcome.winners)
    head = words.plural(
        "🏆 {winners} wins!",
        "🏆 {winners} share the victory!",
        len(outcome.winners),
        winners=winners,
    )
    ending = words("The game ended by {ending}.", ending=words(ENDINGS[outcome.ending]))
    return f"{head}\n{ending}\n{speech.breakdown(outcome, SCORE_LINES)}"


def option_name(words: Words, name: str) -> str:
    """An option; an unknown one by its key."""
    return words(OPTIONS[name]) if name in OPTIONS else name


def option_value(words: Words, name: str, value: str) -> str:
    """A value of an option; an unknown one by its key."""
    known = OPTION_VALUES.get((name, value))
    return words(known) if known else value


def edition(words: Words, view: View) -> str:
    """What a table plays by, as the lobby has said it, read off what is played."""
    name, *differences = view.edition
    return options_summary(words, {"edition": name, **dict(VARIANTS[each] for each in differences)})


def order(words: Words, name: str, value: str) -> str | None:
    """A standing order and a value of it; None where there is no such."""
    if name == "bid":
        return words.phrase(_BID_AT_MOST, int(value))
    return words("No conflicts") if name == "pass" else None


def options_summary(words: Words, options: Mapping[str, str]) -> str:
    """The edition, and whatever departs from it, in one line."""
    edition = options.get("edition", "english")
    # Conflicts are fought only with hidden goods.
    goods = "hidden" if options.get("conflicts") == "on" else options.get("goods", "markers")
    parts = [
        option_value(words, "edition", edition),
        words("goods {how}", how=option_value(words, "goods", goods)),
    ]
    memory = ("memory_fur",) if options.get("memory") == "on" else ()
    for name in ("office_price", "failed_route", *memory):
        value = options.get(name, "edition")
        if value != "edition":
            parts.append(f"{option_name(words, name)}: {option_value(words, name, value)}")
    for name in ADVANCED:
        if options.get(name, "off") == "on":
            parts.append(option_name(words, name))
    return words("Played by: {options}", options=" · ".join(parts))
