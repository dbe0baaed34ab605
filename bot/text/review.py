"""Words for the review of a finished game: chances, and turning points."""

from __future__ import annotations

from collections.abc import Sequence

from bot.text.contract import Names
from bot.text.markup import bold, escape
from bot.text.user_text import Name
from bot.text.words import Words, forms, msg

REVIEW = msg("Review")
TURNING_POINTS = msg("Chances and turning points…")
CHANCES = msg("Chances of winning")
CHART = msg("Chances, turn by turn")
WORKING = msg(
    "Preparing the review: {percent}%. It usually takes 1–2 minutes and will appear here."
)
FAILED = msg("This game couldn't be reviewed.")
ESTIMATED = msg(
    "Each player's chance of winning, as estimated by the strong computer player. The "
    "numbers mark the most costly decisions."
)
NO_TURNING_POINTS = msg(
    "Each player's chance of winning, as estimated by the strong computer player. It found "
    "no costly mistakes."
)
SEEN_BY = msg("As {name} saw it then.")
_PLACE = msg("turning point {number} of {count}")
_PLAYED = msg("{name}'s move: {action}")
_BETTER = msg("Better: {action}")
_CHANCES = msg("Chance of winning: {played}% as played, {better}% with the better move.")
_POINTS = forms("About 1 more point at the end.", "About {count} more points at the end.")
_CHART_ALT = msg("Chart: chances of winning in percent after rounds {first} to {last}. {lines}")
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
