"""Texts for hints: the strong player's moves, their chances and their effects."""

from __future__ import annotations

from collections.abc import Sequence

from bot.text.contract import Label
from bot.text.markup import escape
from bot.text.words import Words, forms, msg

ONLY = msg("-# It found no other move worth considering.")
MOVED_ON = msg("The game has moved on, so that hint is out of date.")

NEARLY = 2
"""Differences below this, in percentage points, are within the strong player's error."""
SURE = 99
"""The highest chance shown, in per cent: nothing is certain before it happens."""
MAX_EFFECTS = 3
"""Maximum effects shown for a move."""


def percent(chance: float) -> int:
    """Return a chance in per cent, within the limits set by `SURE`."""
    return max(100 - SURE, min(SURE, round(100 * chance)))


def worth(words: Words, chance: float, lead: float | None) -> str:
    """Return a move's chance to win and its likely lead; None if the game has no points."""
    win = words("{chance}% to win", chance=percent(chance))
    return win if lead is None else f"{win} · {_lead(words, round(lead))}"


def _lead(words: Words, points: int) -> str:
    if not points:
        return words("likely to finish level")
    ahead = forms("likely to finish {count} point ahead", "likely to finish {count} points ahead")
    behind = forms(
        "likely to finish {count} point behind", "likely to finish {count} points behind"
    )
    return words.phrase(ahead if points > 0 else behind, abs(points))


def ahead_of_next(words: Words, best: float, next_best: float) -> str:
    """Return the advantage of the best move over the next, or "" if it is too small."""
    gap = percent(best) - percent(next_best)
    if gap < NEARLY:
        return ""
    return words.plural(
        "{count} point better than the next move", "{count} points better than the next move", gap
    )


def near_best(words: Words, chance: float, best: float) -> str:
    """Return a note on a move that is nearly as good as the best, or ""."""
    return words("nearly as good") if percent(best) - percent(chance) < NEARLY else ""


def move(
    words: Words, number: int, label: Label, worth: Sequence[str], effects: Sequence[str]
) -> list[str]:
    """Return lines of markdown for a move, with its chances and effects."""
    sign = "" if label.emoji is None else f"{label.emoji} "
    lines = [f"**{number}.** {sign}{escape(label.text)}"]
    chances = " · ".join(filter(None, worth))
    if chances:
        lines.append(f"-# {chances}")
    if effects:
        lines.append(f"> {' · '.join(effects[:MAX_EFFECTS])}")
    return lines


def play(words: Words, number: int) -> Label:
    """Return the button that plays a move."""
    return Label(words("Play {number}", number=number))


def plan(words: Words, chance: float, lead: float | None) -> str:
    """Return a sentence on the chances of a plan."""
    return words("⚖️ Your plan: {worth}.", worth=worth(words, chance, lead))


def best_besides_plan(
    words: Words, planned: float, best: tuple[float, float | None], action: Label
) -> str:
    """Return a sentence on the best move, which is not the planned one."""
    chance, lead = best
    text = escape(action.text)
    if percent(chance) - percent(planned) < NEARLY:
        return words("Nearly as good as the strong player's best move: {action}", action=text)
    return words(
        "The strong player's best move: {action} ({worth})",
        action=text,
        worth=worth(words, chance, lead),
    )
