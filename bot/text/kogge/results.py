"""The result of a game, and the options it is played with."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.contract import Outcome
from bot.text.kogge.names import OPTION_VALUES, OPTIONS, SCORE_LINES
from bot.text.kogge.speech import ENDINGS, Speech
from bot.text.markup import clip, code_block
from bot.text.words import Words

NAME_WIDTH = 8
ADVANCED = ("taxes", "offices", "conflicts", "memory")
"""Options that add a rule; the summary names those that are on."""


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
    total = words("Development points") if outcome.ending == "development" else words("Total")
    rows = [
        (words(SCORE_LINES[name]) if name in SCORE_LINES else name, points)
        for name, points in outcome.lines
    ]
    return f"{head}\n{ending}\n" + _table(speech, [*rows, (total, outcome.scores)])


def _table(speech: Speech, rows: list[tuple[str, tuple[int, ...]]]) -> str:
    """One row a player on top of one another would not fit a phone; columns are players."""
    names = [_short(name, number) for number, name in enumerate(speech.names)]
    left = max(len(title) for title, _ in rows)
    widths = [max(3, len(name)) for name in names]
    lines = [" " * left + "".join(f"  {n:>{w}}" for n, w in zip(names, widths, strict=True))]
    for title, points in rows:
        cells = "".join(f"  {p:>{w}}" for p, w in zip(points, widths, strict=True))
        lines.append(f"{title:<{left}}{cells}")
    return code_block("\n".join(lines))


def _short(name: str, number: int) -> str:
    # A mention means nothing in a code block.
    return f"#{number + 1}" if name.startswith("<@") else clip(name, NAME_WIDTH)


def option_name(words: Words, name: str) -> str:
    """An option; an unknown one by its key."""
    return words(OPTIONS[name]) if name in OPTIONS else name


def option_value(words: Words, name: str, value: str) -> str:
    """A value of an option; an unknown one by its key."""
    known = OPTION_VALUES.get((name, value))
    return words(known) if known else value


def options_summary(words: Words, options: Mapping[str, str]) -> str:
    """The edition, and whatever departs from it, in one line."""
    edition = options.get("edition", "english")
    # Conflicts are fought only with hidden goods.
    goods = "hidden" if options.get("conflicts") == "on" else options.get("goods", "open")
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
