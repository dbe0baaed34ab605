"""Hints in words: what the strong player would do, what that is worth, and why."""

from __future__ import annotations

from collections.abc import Sequence

from bot.text.contract import Label
from bot.text.markup import escape
from bot.text.words import Words, forms, msg

ONLY = msg("-# It found no other move worth considering.")
MOVED_ON = msg("The game has moved on, so that hint is out of date.")

NEARLY = 2
"""Less than so many in a hundred games is no difference that the strong player can tell."""
SURE = 99
"""Nothing is said to be surer than that before it has come about."""
MAX_BROUGHT = 3
"""Things that a move brings that are told of it."""


def percent(chance: float) -> int:
    """A chance in a hundred, as it is said."""
    return max(100 - SURE, min(SURE, round(100 * chance)))


def worth(words: Words, chance: float, lead: float | None) -> str:
    """How likely a move wins, and where its player then ends; a lead of None is not in points."""
    said = words("{chance}% to win", chance=percent(chance))
    return said if lead is None else f"{said} · {_lead(words, round(lead))}"


def _lead(words: Words, points: int) -> str:
    if not points:
        return words("likely to finish level")
    ahead = forms("likely to finish {count} point ahead", "likely to finish {count} points ahead")
    behind = forms(
        "likely to finish {count} point behind", "likely to finish {count} points behind"
    )
    return words.phrase(ahead if points > 0 else behind, abs(points))


def ahead_of_next(words: Words, best: float, next_best: float) -> str:
    """By how much the best move is better than the next; nothing where one cannot tell."""
    gap = percent(best) - percent(next_best)
    if gap < NEARLY:
        return ""
    return words.plural(
        "{count} point better than the next move", "{count} points better than the next move", gap
    )


def beside_best(words: Words, chance: float, best: float) -> str:
    """That a move is nearly as good as the best; nothing where it is not."""
    return words("nearly as good") if percent(best) - percent(chance) < NEARLY else ""


def move(
    words: Words, number: int, label: Label, worth: Sequence[str], brings: Sequence[str]
) -> list[str]:
    """A move with what it is worth, and what it brings, in lines. Markdown."""
    sign = "" if label.emoji is None else f"{label.emoji} "
    lines = [f"**{number}.** {sign}{escape(label.text)}"]
    said = " · ".join(filter(None, worth))
    if said:
        lines.append(f"-# {said}")
    if brings:
        lines.append(f"> {' · '.join(brings[:MAX_BROUGHT])}")
    return lines


def play(words: Words, number: int) -> Label:
    """The press that plays a move."""
    return Label(words("Play {number}", number=number))


def plan(words: Words, chance: float, lead: float | None) -> str:
    """What a plan is worth."""
    return words("⚖️ Your plan: {worth}.", worth=worth(words, chance, lead))


def beside_plan(
    words: Words, planned: float, best: tuple[float, float | None], action: Label
) -> str:
    """What the best move is worth beside a plan that is another one."""
    chance, lead = best
    said = escape(action.text)
    if percent(chance) - percent(planned) < NEARLY:
        return words("Nearly as good as the strong player's best move: {action}", action=said)
    return words(
        "The strong player's best move: {action} ({worth})",
        action=said,
        worth=worth(words, chance, lead),
    )
