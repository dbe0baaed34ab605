"""Words for the review of a finished game: chances, and turning points."""

from __future__ import annotations

from collections.abc import Sequence

from bot.text.contract import Names
from bot.text.markup import bold, escape
from bot.text.user_text import Name
from bot.text.words import Words, forms, msg

REVIEW = msg("Review")
LOOK_AGAIN = msg("Look again")
TURNING_POINTS = msg("Chances and turning points…")
CHANCES = msg("Chances of winning")
CHART = msg("Chances, turn by turn")
WORKING = msg(
    "The review is being worked out, about {percent}% so far. It will appear here, mostly "
    "within a minute or two; after a quarter of an hour, press **Look again**."
)
FAILED = msg("This game could not be reviewed.")
ESTIMATED = msg(
    "How likely each player was to win, by the judgement of a computer player that thinks ahead. "
    "The numbers mark the decisions that seem to have cost most."
)
NO_TURNING_POINTS = msg(
    "How likely each player was to win, by the judgement of a computer player that thinks ahead. "
    "It found no decision that cost anybody much."
)
SEEN_BY = msg("As {name} saw it then.")
_PLACE = msg("turning point {number} of {count}")
_PLAYED = msg("{name} played: {action}")
_BETTER = msg("Better: {action}")
_CHANCES = msg("Chance of winning: {played}% as played, {better}% with the better move.")
_POINTS = forms("About one point more at the end.", "About {count} points more at the end.")
_CHART_ALT = msg(
    "A chart. Chances of winning in percent at the end of rounds {first} to {last}. {lines}"
)
_CHART_LINE = msg("{name}: {chances}.")


def place(words: Words, number: int, count: int) -> str:
    """Which turning point of how many; plain."""
    return words(_PLACE, number=number, count=count)


def played(words: Words, name: Name, action: str) -> str:
    """What somebody did, which is told in plain words."""
    return words(_PLAYED, name=bold(name), action=escape(action))


def better(words: Words, action: str) -> str:
    """What seems to have been better, in plain words too."""
    return words(_BETTER, action=bold(action))


def difference(words: Words, chance: float, better_chance: float, points: float | None) -> str:
    """By how much: chances of 1, and points where they tell something."""
    lines = [words(_CHANCES, played=percent(chance), better=percent(better_chance))]
    if points is not None and (count := round(points)) > 0:
        lines.append(words.phrase(_POINTS, count))
    return " ".join(lines)


def percent(chance: float) -> int:
    """A chance of 1 as one of a hundred."""
    return round(100 * chance)


def chart_alt(
    words: Words, chances: Sequence[Sequence[float]], rounds: Sequence[int], names: Names
) -> str:
    """What the chart shows: chances, and the round of each; plain."""
    ends = dict(zip(rounds, chances, strict=True))
    lines = [
        words(
            _CHART_LINE,
            name=name.plain,
            chances=", ".join(str(percent(each[seat])) for each in ends.values()),
        )
        for seat, name in enumerate(names)
    ]
    return words(_CHART_ALT, first=min(ends), last=max(ends), lines=" ".join(lines))
